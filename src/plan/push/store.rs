//! Pushes in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::attempt;
use super::model::{PushAttempt, PushFilters, PushRow, PushStatus};
use crate::access::{Scope, ScopeColumns};
use crate::db::sql::typed;
use crate::db::{self, Connection, Sql};
use crate::leased::Due;
use crate::plan::{DeliverMode, PlanRow, SaleMode};

/// Whose a push is: its buyer's, its team's, and the account manager's of the buyer.
const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("h.org_id IN (SELECT m.id FROM organisation m WHERE m.owner_admin_id = ?)"),
    org: Some("h.org_id"),
    sub_org: Some("h.sub_org_id"),
    myself: None,
};

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT h.id, h.no, h.user_id, h.name_mask, h.phone_mask, h.city, h.plan_id, p.name AS plan_name, h.org_id, o.name AS org_name, \
     h.sub_org_id, s.name AS sub_org_name, c.name AS channel_name, d.name AS product_name, h.sale_mode, h.price_cents, h.status, h.attempts, \
     h.next_retry_at, h.upstream_no, h.reject_code, h.reject_reason, h.return_id, h.return_status, h.sold_at, h.created_at, h.updated_at \
     FROM push_record h JOIN plan p ON p.id = h.plan_id JOIN organisation o ON o.id = h.org_id JOIN channel c ON c.id = h.channel_id \
     LEFT JOIN sub_organisation s ON s.id = h.sub_org_id LEFT JOIN product d ON d.id = h.product_id WHERE 1 = 1";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT h.id FROM push_record h WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PushFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        // Numbers of ours are in capitals.
        sql.push(" AND (h.no = ").bind(keyword.to_uppercase()).push(" OR h.upstream_no = ").bind(keyword.to_owned()).push(")");
    }
    sql.and("h.org_id = ", filters.org_id)
        .and("h.plan_id = ", filters.plan_id)
        .and("h.channel_id = ", filters.channel_id)
        .and("h.product_id = ", filters.product_id)
        .and("h.status = ", filters.status.map(<&str>::from))
        .and("h.return_status = ", filters.return_status.map(<&str>::from))
        .and("h.created_at >= ", filters.created_from)
        .and("h.created_at < ", filters.created_to);
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<PushRow, sqlx::Error> {
    Ok(PushRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        user_id: row.try_get("user_id")?,
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        city: row.try_get("city")?,
        plan_id: row.try_get("plan_id")?,
        plan_name: row.try_get("plan_name")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        sub_org_id: row.try_get("sub_org_id")?,
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
        return_id: row.try_get("return_id")?,
        return_status: row.try_get::<Option<&str>, _>("return_status")?.map(|_| db::code(row, "return_status")).transpose()?,
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

/// The pushes to an organisation under a number, ours or its own: two at most, for one that is not unique.
pub async fn of_org<'e>(
    on: impl Executor<'e, Database = Any>,
    org_id: i64,
    no: Option<&str>,
    upstream_no: Option<&str>,
) -> Result<Vec<PushRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("h.org_id = ", Some(org_id)).and("h.no = ", no).and("h.upstream_no = ", upstream_no).push(" LIMIT 2");
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// The tries of a push, the first first.
pub async fn tries<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<PushAttempt>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT seq, url, req_masked AS request, http_status, resp_masked AS response, cost_ms, error, at FROM push_attempt \
         WHERE push_id = $1 ORDER BY seq",
    )
    .bind(id)
    .fetch_all(on)
    .await?;
    rows.iter().map(attempt::read).collect()
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
pub async fn insert(tx: &mut Connection, push: &NewPush<'_>, tries: &[PushAttempt]) -> Result<i64, sqlx::Error> {
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
        tried(tx, id, attempt).await?;
    }
    Ok(id)
}

/// A lead that a plan buys.
pub struct Lead<'l> {
    pub no: &'l str,
    pub user_id: i64,
    pub phone_hash: &'l str,
    pub name_mask: &'l str,
    pub phone_mask: &'l str,
    pub city: &'l str,
    pub plan: &'l PlanRow,
    pub channel_id: i64,
    /// Held of the account of its organisation.
    pub price_cents: i64,
    pub channel_cost_cents: i64,
    pub at: i64,
}

/// How a lead begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It waits to be delivered, its price held.
    Queued,
    /// Nobody has to be asked: it is accepted, and paid.
    AtOnce,
}

/// Adds a lead, and answers its push as it is then.
pub async fn add(tx: &mut Connection, lead: &Lead<'_>, way: Way) -> Result<OnWay, sqlx::Error> {
    let queued = way == Way::Queued;
    let held_cents = if queued { lead.price_cents } else { 0 };
    let id = sqlx::query_scalar(
        "INSERT INTO push_record (no, user_id, phone_hash, name_mask, phone_mask, city, plan_id, org_id, sub_org_id, channel_id, product_id, \
           sale_mode, price_cents, held_cents, channel_cost_cents, status, next_retry_at, sold_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) RETURNING id",
    )
    .bind(lead.no)
    .bind(lead.user_id)
    .bind(lead.phone_hash)
    .bind(lead.name_mask)
    .bind(lead.phone_mask)
    .bind(lead.city)
    .bind(lead.plan.id)
    .bind(lead.plan.org_id)
    .bind(lead.plan.sub_org_id)
    .bind(lead.channel_id)
    .bind(lead.plan.product_id)
    .bind(<&str>::from(lead.plan.sale_mode))
    .bind(lead.price_cents)
    .bind(held_cents)
    .bind(lead.channel_cost_cents)
    .bind(<&str>::from(if queued { PushStatus::Queued } else { PushStatus::Accepted }))
    .bind(queued.then_some(lead.at))
    .bind((!queued).then_some(lead.at))
    .bind(lead.at)
    .bind(lead.at)
    .fetch_one(tx)
    .await?;
    Ok(OnWay {
        id,
        no: lead.no.to_owned(),
        user_id: lead.user_id,
        name_mask: lead.name_mask.to_owned(),
        phone_mask: lead.phone_mask.to_owned(),
        city: lead.city.to_owned(),
        plan_id: lead.plan.id,
        deliver_mode: lead.plan.deliver_mode,
        org_id: lead.plan.org_id,
        sub_org_id: lead.plan.sub_org_id,
        price_cents: lead.price_cents,
        held_cents,
        channel_cost_cents: lead.channel_cost_cents,
        attempts: 0,
        created_at: lead.at,
    })
}

/// What stands between a plan and somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Between {
    /// The plan runs, and is as it was read.
    pub runs: bool,
    /// Its organisation has had him: he himself in any way, or his phone since a moment as a lead that is
    /// on its way or that it took.
    pub had: bool,
}

/// Asks for both in one statement.
pub async fn between(tx: &mut Connection, plan: &PlanRow, phone_hash: &str, user_id: i64, since: i64) -> Result<Between, sqlx::Error> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM plan p WHERE p.id = $1 AND p.version = $2 AND p.status = 'running' AND p.deleted_at IS NULL) AS runs, \
           (SELECT COUNT(*) FROM (SELECT h.id FROM push_record h WHERE h.org_id = $3 AND h.phone_hash = $4 AND (h.user_id = $5 \
             OR (h.created_at > $6 AND h.status IN ('queued', 'sending', 'retrying', 'accepted', 'returned'))) LIMIT 1) AS found) AS had",
    )
    .bind(plan.id)
    .bind(plan.version)
    .bind(plan.org_id)
    .bind(phone_hash)
    .bind(user_id)
    .bind(since)
    .fetch_one(tx)
    .await?;
    Ok(Between { runs: db::flag(&row, "runs")?, had: db::flag(&row, "had")? })
}

/// Who has had an applicant: organisation, how it was sold, and what became of it.
pub async fn buyers<'e>(on: impl Executor<'e, Database = Any>, user_id: i64) -> Result<Vec<(i64, SaleMode, PushStatus)>, sqlx::Error> {
    let rows = sqlx::query("SELECT org_id, sale_mode, status FROM push_record WHERE user_id = $1").bind(user_id).fetch_all(on).await?;
    rows.iter().map(|row| Ok((row.try_get("org_id")?, db::code(row, "sale_mode")?, db::code(row, "status")?))).collect()
}

/// All pushes of an applicant, the first first, whoever looks.
pub async fn of_user<'e>(on: impl Executor<'e, Database = Any>, user_id: i64) -> Result<Vec<PushRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("h.user_id = ", Some(user_id)).push(" ORDER BY h.created_at, h.id");
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// Organisations that took leads of a phone: since an earlier moment, and since a later one.
pub async fn takers<'e>(
    on: impl Executor<'e, Database = Any>,
    phone_hash: &str,
    since: i64,
    lately: i64,
) -> Result<(i64, i64), sqlx::Error> {
    let row = sqlx::query(TAKERS).bind(lately).bind(phone_hash).bind(since).fetch_one(on).await?;
    Ok((row.try_get("takers")?, row.try_get("lately")?))
}

const TAKERS: &str = "SELECT COUNT(DISTINCT org_id) AS takers, COUNT(DISTINCT CASE WHEN created_at > $1 THEN org_id END) AS lately \
     FROM push_record WHERE phone_hash = $2 AND created_at > $3 AND status IN ('accepted', 'returned')";

/// A lead on its way, as deliveries and their end need it.
#[derive(Clone, Debug)]
pub struct OnWay {
    pub id: i64,
    pub no: String,
    pub user_id: i64,
    pub name_mask: String,
    pub phone_mask: String,
    pub city: String,
    pub plan_id: i64,
    pub deliver_mode: DeliverMode,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub price_cents: i64,
    pub held_cents: i64,
    /// What the channel gets if it is taken, in fen: once for an applicant.
    pub channel_cost_cents: i64,
    pub attempts: i64,
    pub created_at: i64,
}

/// A lead that is on its way; nothing once it has arrived or ended.
pub async fn on_way<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<OnWay>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT h.id, h.no, h.user_id, h.name_mask, h.phone_mask, h.city, h.plan_id, p.deliver_mode, h.org_id, h.sub_org_id, h.price_cents, \
           h.held_cents, h.channel_cost_cents, h.attempts, h.created_at FROM push_record h JOIN plan p ON p.id = h.plan_id \
         WHERE h.id = $1 AND h.status IN ('queued', 'sending', 'retrying') AND h.user_id IS NOT NULL",
    )
    .bind(id)
    .fetch_optional(on)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(OnWay {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        user_id: row.try_get("user_id")?,
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        city: row.try_get("city")?,
        plan_id: row.try_get("plan_id")?,
        deliver_mode: db::code(&row, "deliver_mode")?,
        org_id: row.try_get("org_id")?,
        sub_org_id: row.try_get("sub_org_id")?,
        price_cents: row.try_get("price_cents")?,
        held_cents: row.try_get("held_cents")?,
        channel_cost_cents: row.try_get("channel_cost_cents")?,
        attempts: row.try_get("attempts")?,
        created_at: row.try_get("created_at")?,
    }))
}

/// Leads that are to be delivered now, each its organisation's; nothing of some organisations.
pub async fn due<'e>(on: impl Executor<'e, Database = Any>, now: i64, most: usize, but: Vec<i64>) -> Result<Vec<Due>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT id, next_retry_at, org_id FROM push_record WHERE status IN ('queued', 'sending', 'retrying') AND user_id IS NOT NULL \
         AND next_retry_at <= ",
    );
    sql.bind(now).push(" AND org_id NOT IN ").ids(but).push(" ORDER BY next_retry_at, id LIMIT ").bind(most as i64);
    let due = |row: &AnyRow| Ok(Due { id: row.try_get("id")?, seen: row.try_get("next_retry_at")?, owner: row.try_get("org_id")? });
    sql.fetch_all(on).await?.iter().map(due).collect()
}

/// Takes a lead until a moment to try its delivery, if nobody has since it was seen to be due; tells
/// whether it was.
pub async fn claim(tx: &mut Connection, id: i64, seen: i64, until: i64, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE push_record SET status = 'sending', attempts = attempts + 1, next_retry_at = $1, updated_at = $2 \
         WHERE id = $3 AND next_retry_at = $4 AND status IN ('queued', 'sending', 'retrying')",
    )
    .bind(until)
    .bind(now)
    .bind(id)
    .bind(seen)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Holds a lead that somebody has until a moment, for the transaction that ends its try; tells whether
/// he still has it.
pub async fn still_has(tx: &mut Connection, id: i64, until: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE push_record SET updated_at = updated_at WHERE id = $1 AND next_retry_at = $2 AND status = 'sending'")
        .bind(id)
        .bind(until)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Keeps one try.
pub async fn tried(tx: &mut Connection, id: i64, attempt: &PushAttempt) -> Result<(), sqlx::Error> {
    const KEEP: &str = "INSERT INTO push_attempt (push_id, seq, url, req_masked, http_status, resp_masked, cost_ms, error, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    attempt::keep(tx, KEEP, id, attempt).await
}

/// A lead that its organisation has taken.
pub async fn accepted(tx: &mut Connection, id: i64, upstream_no: Option<&str>, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE push_record SET status = 'accepted', held_cents = 0, next_retry_at = NULL, upstream_no = $1, sold_at = $2, updated_at = $3 \
         WHERE id = $4",
    )
    .bind(upstream_no)
    .bind(at)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// A lead that its organisation has not taken.
pub async fn refused(tx: &mut Connection, id: i64, status: PushStatus, code: &str, reason: &str, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE push_record SET status = $1, held_cents = 0, next_retry_at = NULL, reject_code = $2, reject_reason = $3, updated_at = $4 \
         WHERE id = $5",
    )
    .bind(<&str>::from(status))
    .bind(code)
    .bind(reason)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Takes back a lead that its organisation had taken; tells whether it had.
pub async fn returned(tx: &mut Connection, id: i64, at: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE push_record SET status = 'returned', updated_at = $1 WHERE id = $2 AND status = 'accepted'")
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Keeps a lead's last return beside it, and how that stands.
pub async fn set_return(tx: &mut Connection, id: i64, return_id: i64, status: &'static str, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET return_id = $1, return_status = $2, updated_at = $3 WHERE id = $4")
        .bind(return_id)
        .bind(status)
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// A lead that is tried again at a moment.
pub async fn retry_at(tx: &mut Connection, id: i64, moment: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET status = 'retrying', next_retry_at = $1, updated_at = $2 WHERE id = $3")
        .bind(moment)
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Wipes who the pushes of an applicant are about; what was sold and paid stays.
pub async fn erase(tx: &mut Connection, user_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET name_mask = '***', phone_mask = '***', city = '', updated_at = $1 WHERE user_id = $2")
        .bind(now)
        .bind(user_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "UPDATE push_attempt SET req_masked = '', resp_masked = NULL WHERE push_id IN (SELECT id FROM push_record WHERE user_id = $1)",
    )
    .bind(user_id)
    .execute(tx)
    .await
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::Pushes;
    use super::*;
    use crate::api::listing::tests::{every_sort_walks_an_index, plan};
    use crate::db::plans::Plans;
    use crate::returns::ReturnStatus;

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
            ("push_record_return", PushFilters { return_status: Some(ReturnStatus::Pending), ..none() }, Scope::All),
            ("push_record_org", none(), Scope::Org(1)),
            ("push_record_sub_org", none(), Scope::SubOrg(1)),
        ] {
            let plan = plan::<Pushes>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH h USING COVERING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
        let found = plan::<Pushes>(&plans, PushFilters { keyword: Some("x".into()), ..none() }, Scope::All).await;
        assert!(found.contains("(no=?)") && found.contains("push_record_upstream (upstream_no=?)"), "{found}");
    }
}
