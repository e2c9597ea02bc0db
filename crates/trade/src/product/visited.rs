//! What visits and plans read of products: their data, whether they are shown now, and their audience.

use std::collections::HashMap;

use sqlx::{Any, Executor, Row};

use super::audience::Audience;
use super::window;
use crate::org::OrgMode;
use base::db::{self, Db, Sql};
use frame::access::Scope;
use frame::places;
use frame::terms::cap::{self, CapUsage};

/// Products by ids or codes.
#[derive(Clone, Copy, Debug)]
pub enum Named<'n> {
    Ids(&'n [i64]),
    Codes(&'n [String]),
}

/// The data of a product for its visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub org_id: i64,
    /// Its organisation is in test mode: its visitors cost nothing, and count as test visitors.
    pub test: bool,
    /// The present price of a visitor, in fen.
    pub uv_price_cents: i64,
    /// The visitor's destination: for a jump and a download.
    pub jump_url: Option<String>,
    /// It is online, at any hour.
    pub listed: bool,
    /// It is online, its organisation active, and it is shown at this hour. In [`shown`], its caps must also have
    /// room.
    pub online: bool,
    pub audience: Audience,
    has_caps: bool,
}

/// The existing ones of the named products, by id, with their caps: a product whose caps of visitors are full is not
/// online.
pub async fn shown(db: &Db, named: Named<'_>, at: i64) -> Result<Vec<Visited>, sqlx::Error> {
    let mut products = visited(db.read(), named, at).await?;
    let capped: Vec<i64> = products.iter().filter(|product| product.has_caps && product.online).map(|product| product.id).collect();
    let usage = cap_usage(db, capped, at).await?;
    for product in &mut products {
        product.online &= !is_full(&usage, product.id, product.uv_price_cents);
    }
    Ok(products)
}

/// The usage of each cap of some products at a moment, by product; without products nothing is read.
pub(super) async fn cap_usage(db: &Db, ids: Vec<i64>, at: i64) -> Result<HashMap<i64, Vec<CapUsage>>, sqlx::Error> {
    if ids.is_empty() { Ok(HashMap::new()) } else { cap::counters::usage(db.read(), "product", ids, at).await }
}

/// Whether a product's caps have no room for a visitor at this price in fen.
pub(super) fn is_full(usage: &HashMap<i64, Vec<CapUsage>>, id: i64, uv_price_cents: i64) -> bool {
    usage.get(&id).is_some_and(|caps| caps.iter().any(|usage| usage.is_full(uv_price_cents)))
}

/// The named products, by id, without deleted ones.
pub async fn visited<'e>(on: impl Executor<'e, Database = Any>, named: Named<'_>, at: i64) -> Result<Vec<Visited>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT p.id, p.code, p.name, p.org_id, p.uv_price_cents, p.jump_url, p.status, p.online_from, p.online_to, p.cities, p.rule_set, \
           o.status AS org_status, o.mode AS org_mode, \
           (SELECT COUNT(*) FROM cap_rule k WHERE k.subject_type = 'product' AND k.subject_id = p.id) AS caps \
         FROM product p JOIN organisation o ON o.id = p.org_id WHERE p.deleted_at IS NULL AND ",
    );
    match named {
        Named::Ids([]) | Named::Codes([]) => return Ok(Vec::new()),
        Named::Ids(ids) => {
            sql.push("p.id IN ").ids(ids.iter().copied());
        }
        Named::Codes(codes) => {
            sql.push("p.code IN (");
            for (index, code) in codes.iter().enumerate() {
                sql.push(if index == 0 { "" } else { ", " }).bind(code.clone());
            }
            sql.push(")");
        }
    }
    sql.push(" ORDER BY p.id");
    sql.fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            let (from, to): (Option<&str>, Option<&str>) = (row.try_get("online_from")?, row.try_get("online_to")?);
            let (status, org_status): (&str, &str) = (row.try_get("status")?, row.try_get("org_status")?);
            Ok(Visited {
                listed: status == "online",
                online: status == "online" && org_status == "active" && window::is_open(from, to, at),
                id: row.try_get("id")?,
                code: row.try_get("code")?,
                name: row.try_get("name")?,
                org_id: row.try_get("org_id")?,
                test: db::code::<OrgMode>(row, "org_mode")? == OrgMode::Test,
                uv_price_cents: row.try_get("uv_price_cents")?,
                jump_url: row.try_get("jump_url")?,
                audience: Audience {
                    cities: places::stored_list(row, "cities")?,
                    rules: row.try_get::<Option<&str>, _>("rule_set")?.map(|_| db::json(row, "rule_set")).transpose()?,
                },
                has_caps: row.try_get::<i64, _>("caps")? > 0,
            })
        })
        .collect()
}

/// A product that may be chosen for a record: within a scope, of one organisation, and not archived. Its name; none
/// if it may not be chosen.
pub async fn choosable<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    org_id: i64,
    id: i64,
) -> Result<Option<String>, sqlx::Error> {
    use super::model::ProductStatus::Archived;
    let found = super::store::find(on, scope, id).await?;
    Ok(found.filter(|row| row.org_id == org_id && row.status != Archived).map(|row| row.name))
}
