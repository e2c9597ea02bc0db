//! Pushes as rows: the SQL of their list, and its reader.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::attempt;
use super::model::{PushAttempt, PushFilters, PushRow};
use crate::plan::replacement;
use base::db::sql::typed;
use base::db::{self, Sql};
use frame::access::{Scope, ScopeColumns};
use frame::api::YesNo;
use frame::places;

/// Who sees a push: its buyer, its team, and the buyer's account manager.
pub const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("h.org_id IN (SELECT m.id FROM organisation m WHERE m.owner_admin_id = ?)"),
    org: Some("h.org_id"),
    sub_org: Some("h.sub_org_id"),
    myself: None,
};

/// The pushes whose leads the buyer's people have not opened yet.
const UNSEEN: &str = "(SELECT k.push_id FROM new_lead n JOIN clue k ON k.id = n.clue_id)";

/// The query of the list, before [`narrow`].
pub const SELECT: &str = "SELECT h.id, h.no, h.user_id, h.name_mask, h.phone_mask, h.city, h.plan_id, p.name AS plan_name, h.org_id, o.name AS org_name, \
     h.sub_org_id, s.name AS sub_org_name, h.channel_id, c.name AS channel_name, h.product_id, d.name AS product_name, h.sale_mode, h.price_cents, h.test, h.status, h.auth_status, h.auth_until, h.attempts, \
     COALESCE(x.due_at, h.next_retry_at) AS next_retry_at, h.upstream_no, h.reject_code, h.reject_reason, h.return_id, h.return_status, r.created_by AS return_asker, \
     rp.no AS repeats_no, rn.no AS repeated_no, \
     (SELECT zh.no FROM lead_replacement zx JOIN lead_return zr ON zr.id = zx.return_id JOIN push_record zh ON zh.id = zr.push_id \
       WHERE zx.push_id = h.id) AS replaces_no, CASE WHEN h.edited_enc IS NULL THEN 0 ELSE 1 END AS edited, \
     h.sold_at, h.created_at, h.updated_at FROM push_record h JOIN plan p ON p.id = h.plan_id JOIN organisation o ON o.id = h.org_id JOIN channel c ON c.id = h.channel_id \
     LEFT JOIN sub_organisation s ON s.id = h.sub_org_id LEFT JOIN product d ON d.id = h.product_id \
     LEFT JOIN lead_return r ON r.id = h.return_id LEFT JOIN outbox_item x ON x.kind = 'delivery' AND x.ref_id = h.id \
     LEFT JOIN push_record rp ON rp.id = h.repeats_id LEFT JOIN push_record rn ON rn.repeats_id = h.id WHERE 1 = 1";

/// The same rows, for the count.
pub const COUNT: &str = "SELECT h.id FROM push_record h WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PushFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        // Numbers given by the platform are in capitals.
        sql.push(" AND (h.no = ").bind(keyword.to_uppercase()).push(" OR h.upstream_no = ").bind(keyword.to_owned()).push(")");
    }
    sql.and("h.phone_hash = ", filters.phone_hash.clone())
        .and("h.org_id = ", filters.org_id)
        .and("h.plan_id = ", filters.plan_id)
        .and("h.sub_org_id = ", filters.sub_org_id)
        .and("h.channel_id = ", filters.channel_id)
        .and("h.product_id = ", filters.product_id)
        .and("h.city = ", typed(filters.city.as_deref()).map(places::code_or_text))
        .and("h.status = ", filters.status.map(<&str>::from))
        .and("h.return_status = ", filters.return_status.map(<&str>::from))
        .and("h.auth_status = ", filters.auth_status.map(<&str>::from))
        .and("h.created_at >= ", filters.created_from)
        .and("h.created_at < ", filters.created_to)
        .and("COALESCE(h.sold_at, 0) >= ", filters.sold_from)
        .and("COALESCE(h.sold_at, 0) < ", filters.sold_to)
        .and("COALESCE((SELECT z.star FROM applicant z WHERE z.id = h.user_id), -1) = ", filters.user_star);
    match filters.test {
        // There are few, and they are found by their applicants.
        Some(YesNo::Yes) => sql.push(" AND h.test = 1 AND h.user_id IN ").push(crate::plan::push::people::TEST_USERS),
        Some(YesNo::No) => sql.push(" AND h.test = 0"),
        None => sql,
    };
    if filters.decided_from.is_some() || filters.decided_to.is_some() {
        sql.push(" AND h.return_id IN (SELECT d.id FROM lead_return d WHERE d.status IN ('approved', 'refused')");
        sql.and("d.reviewed_at >= ", filters.decided_from).and("d.reviewed_at < ", filters.decided_to).push(")");
    }
    if filters.replacement_due.is_some() {
        replacement::narrow_due(sql, filters.now);
    }
    if filters.unseen.is_some() {
        sql.push(" AND h.id IN ").push(UNSEEN);
    }
    scope.apply(sql, SCOPE);
}

/// Narrows to applicants whose leads an organisation bought, among the leads in the scope: a viewer who may not see a
/// sale does not find it by a filter.
pub fn bought_by(sql: &mut Sql, user_id: &'static str, org_id: i64, scope: Scope) {
    sql.push(" AND ")
        .push(user_id)
        .push(" IN (SELECT h.user_id FROM push_record h WHERE h.sold_at IS NOT NULL AND h.org_id = ")
        .bind(org_id);
    scope.apply(sql, SCOPE);
    sql.push(")");
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<PushRow, sqlx::Error> {
    Ok(PushRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        user_id: row.try_get("user_id")?,
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        city: places::stored(row, "city")?,
        plan_id: row.try_get("plan_id")?,
        plan_name: row.try_get("plan_name")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        sub_org_id: row.try_get("sub_org_id")?,
        sub_org_name: row.try_get("sub_org_name")?,
        channel_id: row.try_get("channel_id")?,
        channel_name: row.try_get("channel_name")?,
        product_id: row.try_get("product_id")?,
        product_name: row.try_get("product_name")?,
        sale_mode: db::code(row, "sale_mode")?,
        price_cents: row.try_get("price_cents")?,
        test: db::flag(row, "test")?,
        status: db::code(row, "status")?,
        auth_status: db::optional_code(row, "auth_status")?,
        auth_until: row.try_get("auth_until")?,
        attempts: row.try_get("attempts")?,
        next_retry_at: row.try_get("next_retry_at")?,
        upstream_no: row.try_get("upstream_no")?,
        reject_code: row.try_get("reject_code")?,
        reject_reason: row.try_get("reject_reason")?,
        return_id: row.try_get("return_id")?,
        return_status: db::optional_code(row, "return_status")?,
        return_asker: row.try_get("return_asker")?,
        repeats_no: row.try_get("repeats_no")?,
        repeated_no: row.try_get("repeated_no")?,
        replaces_no: row.try_get("replaces_no")?,
        edited: db::flag(row, "edited")?,
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

/// The push with a number, within a scope.
pub async fn with_number<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, no: &str) -> Result<Option<PushRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("h.no = ", Some(no.to_owned()));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// The pushes to an organisation by a number, of the push or of the organisation: two at most, because a number of
/// the organisation may not be unique.
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

/// The tries of a push, oldest first.
pub async fn tries<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<PushAttempt>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT seq, url, req_masked AS request, http_status, resp_masked AS response, cost_ms, error, outcome, at FROM push_attempt \
         WHERE push_id = $1 ORDER BY seq",
    )
    .bind(id)
    .fetch_all(on)
    .await?;
    rows.iter().map(attempt::read).collect()
}

/// The pushes of an applicant within a scope, oldest first.
pub async fn of_user_within<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, user_id: i64) -> Result<Vec<PushRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("h.user_id = ", Some(user_id));
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY h.created_at, h.id");
    sql.fetch_all(on).await?.iter().map(read).collect()
}
