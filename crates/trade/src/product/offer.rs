//! The products for a visitor: shown now, and fit for the known facts.

use std::ops::RangeInclusive;

use sqlx::{Any, Executor, Row};

use super::audience::Audience;
use super::model::ProductRow;
use super::visited::{cap_usage, is_full};
use super::{store, window};
use crate::org::OrgMode;
use base::db::{Db, Sql};
use frame::terms::applicant::{Fact, Facts};

/// The most products of a list.
const MOST: i64 = 500;

/// Products that are shown at a moment, whose audience includes a visitor with these facts, and that lend the
/// requested amount for the requested term, in order. If two have the same position, the one whose running plan has
/// the greater exposure weight comes first. `test` is whether the visitor comes by a channel in test mode: those see
/// products of test organisations alone.
pub async fn offered(db: &Db, facts: &Facts, test: bool, at: i64) -> Result<Vec<ProductRow>, sqlx::Error> {
    let mut sql = Sql::new(store::SELECT);
    sql.push(" AND o.mode = ").bind(<&str>::from(if test { OrgMode::Test } else { OrgMode::Live }));
    sql.push(
        " AND p.status = 'online' AND o.status = 'active' ORDER BY p.sort, (SELECT COALESCE(MAX(q.exposure_weight), 0) FROM plan q \
           WHERE q.product_id = p.id AND q.status = 'running' AND q.deleted_at IS NULL) DESC, p.id LIMIT ",
    )
    .bind(MOST);
    let mut products = sql.fetch_all(db.read()).await?.iter().map(store::read).collect::<Result<Vec<_>, _>>()?;
    products.retain(|product| {
        let audience = Audience { cities: product.cities.clone(), rules: product.rule_set.clone() };
        window::is_open(product.online_from.as_deref(), product.online_to.as_deref(), at)
            && audience.unmet(facts).is_none()
            && lends(facts, "applyAmountCents", product.min_amount_cents..=product.max_amount_cents)
            && lends(facts, "applyTermMonths", product.min_term_months..=product.max_term_months)
    });
    let capped: Vec<i64> = products.iter().filter(|product| !product.caps.is_empty()).map(|product| product.id).collect();
    let usage = cap_usage(db, capped, at).await?;
    products.retain(|product| !is_full(&usage, product.id, product.uv_price_cents));
    Ok(products)
}

/// Whether the visitor's wish is in a range; true if the visitor has not stated one.
fn lends(facts: &Facts, field: &str, range: RangeInclusive<i64>) -> bool {
    !matches!(facts.get(field), Some(Fact::Number(asked)) if !range.contains(asked))
}

/// The logo of a product that is online, by its code.
pub async fn logo_of<'e>(on: impl Executor<'e, Database = Any>, code: &str) -> Result<Option<i64>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT p.logo_file_id FROM product p JOIN organisation o ON o.id = p.org_id \
         WHERE p.code = $1 AND p.status = 'online' AND o.status = 'active' AND p.deleted_at IS NULL",
    )
    .bind(code)
    .fetch_optional(on)
    .await?;
    row.map_or(Ok(None), |row| row.try_get("logo_file_id"))
}
