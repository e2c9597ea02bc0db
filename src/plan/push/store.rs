//! Pushes in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Executor, Row};

use super::model::{PushAttempt, PushFilters, PushRow, PushStatus};
use crate::access::{Scope, ScopeColumns};
use crate::db::{self, Sql};
use crate::plan::SaleMode;

/// Whose a push is: its buyer's, its team's, and the account manager's of the buyer.
const SCOPE: ScopeColumns =
    ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("h.org_id"), sub_org: Some("h.sub_org_id"), myself: None };

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT h.id, h.no, h.name_mask, h.phone_mask, h.city, h.plan_id, p.name AS plan_name, h.org_id, o.name AS org_name, \
     s.name AS sub_org_name, c.name AS channel_name, d.name AS product_name, h.sale_mode, h.price_cents, h.status, h.attempts, \
     h.next_retry_at, h.upstream_no, h.reject_code, h.reject_reason, h.sold_at, h.created_at, h.updated_at \
     FROM push_record h JOIN plan p ON p.id = h.plan_id JOIN organisation o ON o.id = h.org_id JOIN channel c ON c.id = h.channel_id \
     LEFT JOIN sub_organisation s ON s.id = h.sub_org_id LEFT JOIN product d ON d.id = h.product_id WHERE 1 = 1";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT h.id FROM push_record h JOIN organisation o ON o.id = h.org_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PushFilters, scope: Scope) {
    sql.and_prefix(&["h.no", "h.upstream_no"], filters.keyword.as_deref())
        .and("h.org_id = ", filters.org_id)
        .and("h.plan_id = ", filters.plan_id)
        .and("h.channel_id = ", filters.channel_id)
        .and("h.product_id = ", filters.product_id)
        .and("h.status = ", filters.status.map(<&str>::from))
        .and("h.created_at >= ", filters.created_from)
        .and("h.created_at < ", filters.created_to);
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<PushRow, sqlx::Error> {
    Ok(PushRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        city: row.try_get("city")?,
        plan_id: row.try_get("plan_id")?,
        plan_name: row.try_get("plan_name")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        sub_org_name: row.try_get("sub_org_name")?,
        channel_name: row.try_get("channel_name")?,
        product_name: row.try_get("product_name")?,
        sale_mode: db::code(row, "sale_mode")?,
        price_cents: row.try_get("price_cents")?,
        status: db::code(row, "status")?,
        attempts: row.try_get("attempts")?,
        next_retry_at: row.try_get("next_retry_at")?,
        upstream_no: row.try_get("upstream_no")?,
        reject_code: row.try_get("reject_code")?,
        reject_reason: row.try_get("reject_reason")?,
        sold_at: row.try_get("sold_at")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One push within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PushRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("h.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// The tries of a push, the first first.
pub async fn tries<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<PushAttempt>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT seq, url, req_masked, http_status, resp_masked, cost_ms, error, at FROM push_attempt WHERE push_id = $1 ORDER BY seq",
    )
    .bind(id)
    .fetch_all(on)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(PushAttempt {
                seq: row.try_get("seq")?,
                url: row.try_get("url")?,
                request: row.try_get("req_masked")?,
                http_status: row.try_get("http_status")?,
                response: row.try_get("resp_masked")?,
                cost_ms: row.try_get("cost_ms")?,
                error: row.try_get("error")?,
                at: row.try_get("at")?,
            })
        })
        .collect()
}

/// A push to be added.
pub struct NewPush<'n> {
    pub no: &'n str,
    pub name_mask: &'n str,
    pub phone_mask: &'n str,
    pub city: &'n str,
    pub plan_id: i64,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub channel_id: i64,
    pub product_id: Option<i64>,
    pub sale_mode: SaleMode,
    pub price_cents: i64,
    pub status: PushStatus,
    pub upstream_no: Option<&'n str>,
    pub reject: Option<(&'n str, &'n str)>,
    pub next_retry_at: Option<i64>,
    pub at: i64,
}

/// Adds a push with its tries, and returns its id.
pub async fn insert(tx: &mut AnyConnection, push: &NewPush<'_>, tries: &[PushAttempt]) -> Result<i64, sqlx::Error> {
    let sold_at = matches!(push.status, PushStatus::Accepted | PushStatus::Returned).then_some(push.at);
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO push_record (no, name_mask, phone_mask, city, plan_id, org_id, sub_org_id, channel_id, product_id, sale_mode, price_cents, \
           status, attempts, next_retry_at, upstream_no, reject_code, reject_reason, sold_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) RETURNING id",
    )
    .bind(push.no)
    .bind(push.name_mask)
    .bind(push.phone_mask)
    .bind(push.city)
    .bind(push.plan_id)
    .bind(push.org_id)
    .bind(push.sub_org_id)
    .bind(push.channel_id)
    .bind(push.product_id)
    .bind(<&str>::from(push.sale_mode))
    .bind(push.price_cents)
    .bind(<&str>::from(push.status))
    .bind(tries.len() as i64)
    .bind(push.next_retry_at)
    .bind(push.upstream_no)
    .bind(push.reject.map(|(code, _)| code))
    .bind(push.reject.map(|(_, reason)| reason))
    .bind(sold_at)
    .bind(push.at)
    .bind(tries.last().map_or(push.at, |last| last.at))
    .fetch_one(&mut *tx)
    .await?;
    for attempt in tries {
        sqlx::query(
            "INSERT INTO push_attempt (push_id, seq, url, req_masked, http_status, resp_masked, cost_ms, error, at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(id)
        .bind(attempt.seq)
        .bind(&attempt.url)
        .bind(&attempt.request)
        .bind(attempt.http_status)
        .bind(attempt.response.as_deref())
        .bind(attempt.cost_ms)
        .bind(attempt.error.as_deref())
        .bind(attempt.at)
        .execute(&mut *tx)
        .await?;
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::super::Pushes;
    use super::*;
    use crate::api::listing::tests::{every_sort_walks_an_index, plan};
    use crate::db::plans::Plans;

    #[tokio::test]
    async fn every_order_of_the_list_is_an_indexs() {
        every_sort_walks_an_index::<Pushes>(&[]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, PushFilters::default);
        for (index, filters, scope) in [
            ("push_record_org", PushFilters { org_id: Some(1), ..none() }, Scope::All),
            ("push_record_plan", PushFilters { plan_id: Some(1), ..none() }, Scope::All),
            ("push_record_channel", PushFilters { channel_id: Some(1), ..none() }, Scope::All),
            ("push_record_product", PushFilters { product_id: Some(1), ..none() }, Scope::All),
            ("push_record_status", PushFilters { status: Some(PushStatus::Failed), ..none() }, Scope::All),
            ("push_record_org", none(), Scope::Org(1)),
            ("push_record_sub_org", none(), Scope::SubOrg(1)),
        ] {
            let plan = plan::<Pushes>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH h USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
