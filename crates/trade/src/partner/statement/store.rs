//! Statements of partners in the database.

use sqlx::{Any, Executor, FromRow, Row};

use super::model::{PartnerAdjustmentFilters, PartnerAdjustmentRow, PartnerAdjustmentStatus, PartnerItemRow};
use super::model::{PartnerItemFilters, PartnerStatementFilters, PartnerStatementRow, PartnerStatementStatus};
use crate::ledger::partner_items;
use crate::partner::tax;
use base::db::{Connection, Sql};
use base::mask;
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::decision::{self, Awaits};

/// Who sees a statement: its channel's manager. Accounts of organisations see none.
pub const SCOPE: ScopeColumns = ScopeColumns { owner: Some("c.owner_admin_id"), org: None, sub_org: None, myself: None };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT m.id, m.statement_no, m.channel_id, c.name AS channel_name, m.month, m.opening_cents, m.closing_cents, \
     m.visit_cents, m.registered_cents, m.sold_cents, m.share_cents, m.returned_cents, m.share_back_cents, m.adjust_cents, m.items, \
     m.carried_cents, m.settled_cents, m.total_cents, m.tax_bp, m.tax_cents, m.net_cents, m.asked_cents, m.paid_cents, m.status, \
     m.link_ends_at, m.sent_at, m.answered_at, m.answer_note, m.answer_ip, m.answer_user_agent, m.confirmed_by, v.real_name AS confirmer_name, \
     m.proof_files, CAST((SELECT COUNT(*) FROM partner_progress p WHERE p.source = 'done' AND p.upto > 0) AS BIGINT) AS has_earlier, \
     m.version, m.created_at, ",
    decision::open_columns!("finance/partner/audit"),
    " FROM partner_statement m JOIN channel c ON c.id = m.channel_id LEFT JOIN administrator v ON v.id = m.confirmed_by",
    decision::open_join!("partner_statement", "m.id"),
    " WHERE 1 = 1"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT m.id FROM partner_statement m JOIN channel c ON c.id = m.channel_id WHERE 1 = 1";

/// Their sums. The payable amounts at the beginning and the end belong to single statements.
pub const TOTALS: &str = "SELECT CAST(0 AS BIGINT) AS id, '' AS statement_no, CAST(0 AS BIGINT) AS channel_id, '' AS channel_name, '' AS month, \
     CAST(0 AS BIGINT) AS opening_cents, CAST(0 AS BIGINT) AS closing_cents, CAST(COALESCE(SUM(m.visit_cents), 0) AS BIGINT) AS visit_cents, \
     CAST(COALESCE(SUM(m.registered_cents), 0) AS BIGINT) AS registered_cents, CAST(COALESCE(SUM(m.sold_cents), 0) AS BIGINT) AS sold_cents, \
     CAST(COALESCE(SUM(m.share_cents), 0) AS BIGINT) AS share_cents, CAST(COALESCE(SUM(m.returned_cents), 0) AS BIGINT) AS returned_cents, \
     CAST(COALESCE(SUM(m.share_back_cents), 0) AS BIGINT) AS share_back_cents, \
     CAST(COALESCE(SUM(m.adjust_cents), 0) AS BIGINT) AS adjust_cents, CAST(COALESCE(SUM(m.items), 0) AS BIGINT) AS items, \
     CAST(COALESCE(SUM(m.carried_cents), 0) AS BIGINT) AS carried_cents, CAST(COALESCE(SUM(m.settled_cents), 0) AS BIGINT) AS settled_cents, \
     CAST(COALESCE(SUM(m.total_cents), 0) AS BIGINT) AS total_cents, CAST(0 AS BIGINT) AS tax_bp, \
     CAST(COALESCE(SUM(m.tax_cents), 0) AS BIGINT) AS tax_cents, CAST(COALESCE(SUM(m.net_cents), 0) AS BIGINT) AS net_cents, \
     CAST(COALESCE(SUM(m.asked_cents), 0) AS BIGINT) AS asked_cents, CAST(COALESCE(SUM(m.paid_cents), 0) AS BIGINT) AS paid_cents, \
     'draft' AS status, CAST(NULL AS BIGINT) AS link_ends_at, CAST(NULL AS BIGINT) AS sent_at, CAST(NULL AS BIGINT) AS answered_at, \
     CAST(NULL AS TEXT) AS answer_note, CAST(NULL AS TEXT) AS answer_ip, CAST(NULL AS TEXT) AS answer_user_agent, \
     CAST(NULL AS BIGINT) AS confirmed_by, CAST(NULL AS TEXT) AS confirmer_name, '[]' AS proof_files, CAST(0 AS BIGINT) AS has_earlier, \
     CAST(0 AS BIGINT) AS version, CAST(0 AS BIGINT) AS created_at, CAST(NULL AS TEXT) AS q_action, CAST(NULL AS TEXT) AS q_makers, CAST(NULL AS TEXT) AS q_payload, \
     CAST(NULL AS TEXT) AS q_note, CAST(NULL AS BIGINT) AS q_at, CAST(NULL AS TEXT) AS q_names \
     FROM partner_statement m JOIN channel c ON c.id = m.channel_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PartnerStatementFilters, scope: Scope) {
    sql.and_prefix(&["m.statement_no"], filters.keyword.as_deref())
        .and("m.channel_id = ", filters.channel_id)
        .and("m.month = ", filters.month.clone())
        .and("m.status = ", filters.status);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(" AND ", decision::open_exists!("partner_statement", "m.id", "confirm_partner_statement")));
        decision::and_not_by(sql, "partner_statement", "m.id", filters.own_of);
    }
    scope.apply(sql, SCOPE);
}

/// One statement within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PartnerStatementRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(PartnerStatementRow::from_row).transpose()
}

/// The statement whose link has a token of this hash.
pub async fn by_link<'e>(on: impl Executor<'e, Database = Any>, hash: &str) -> Result<Option<PartnerStatementRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.link_hash = ", Some(hash));
    sql.fetch_optional(on).await?.as_ref().map(PartnerStatementRow::from_row).transpose()
}

/// The newest statement of a channel.
pub async fn newest(tx: &mut Connection, channel_id: i64) -> Result<Option<PartnerStatementRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.channel_id = ", Some(channel_id)).push(" ORDER BY m.month DESC LIMIT 1");
    sql.fetch_optional(tx).await?.as_ref().map(PartnerStatementRow::from_row).transpose()
}

/// Whether a channel has items up to a day that are on no statement.
pub async fn has_open_items(tx: &mut Connection, channel_id: i64, last_day: &str) -> Result<bool, sqlx::Error> {
    let found = sqlx::query("SELECT 1 FROM partner_item WHERE channel_id = $1 AND statement_id IS NULL AND day <= $2 LIMIT 1")
        .bind(channel_id)
        .bind(last_day)
        .fetch_optional(tx)
        .await?;
    Ok(found.is_some())
}

/// The channels with items up to a day that are on no statement, and without an open statement.
pub async fn due<'e>(on: impl Executor<'e, Database = Any>, last_day: &str) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT c.id FROM channel c WHERE EXISTS (SELECT 1 FROM partner_item i WHERE i.channel_id = c.id AND i.statement_id IS NULL AND i.day <= $1) \
           AND NOT EXISTS (SELECT 1 FROM partner_statement m WHERE m.channel_id = c.id AND (m.status <> 'confirmed' OR m.month >= $2)) \
         ORDER BY c.id",
    )
    .bind(last_day)
    .bind(&last_day[..7])
    .fetch_all(on)
    .await
}

/// A new statement, without its items.
pub struct NewStatement<'n> {
    pub no: &'n str,
    pub channel_id: i64,
    pub month: &'n str,
    pub opening_cents: i64,
    pub carried_cents: i64,
    pub tax_bp: i64,
    pub by: Option<i64>,
    pub at: i64,
}

/// Adds a statement, and returns its id.
pub async fn insert(tx: &mut Connection, new: &NewStatement<'_>) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "INSERT INTO partner_statement (statement_no, channel_id, month, opening_cents, closing_cents, carried_cents, total_cents, net_cents, \
           tax_bp, tax_cents, status, created_at, updated_at, created_by, updated_by) VALUES (",
    );
    sql.bind(new.no.to_owned()).then(new.channel_id).then(new.month.to_owned()).then(new.opening_cents).then(new.opening_cents);
    sql.then(new.carried_cents).then(new.carried_cents).then(new.carried_cents).then(new.tax_bp).push(", 0, 'draft'");
    sql.then(new.at).then(new.at).then(new.by).then(new.by).push(") RETURNING id");
    sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("id")
}

/// Puts the items of a channel up to a day on a statement, with the payouts that were paid before a moment, and those
/// that came back.
pub async fn take(tx: &mut Connection, id: i64, channel_id: i64, last_day: &str, ends_at: i64) -> Result<(), sqlx::Error> {
    partner_items::put_on_statement(&mut *tx, id, channel_id, last_day).await?;
    sqlx::query(
        "UPDATE partner_payout SET counted_on_id = $1 WHERE channel_id = $2 AND status IN ('paid', 'returned') AND counted_on_id IS NULL \
           AND paid_at < $3",
    )
    .bind(id)
    .bind(channel_id)
    .bind(ends_at)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "UPDATE partner_payout SET return_counted_on_id = $1 WHERE channel_id = $2 AND status = 'returned' AND return_counted_on_id IS NULL \
           AND returned_at < $3",
    )
    .bind(id)
    .bind(channel_id)
    .bind(ends_at)
    .execute(&mut *tx)
    .await?;
    Ok(())
}

/// Adds the items of a statement up again, with its tax. This makes a new version of it.
pub async fn add_up(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT m.opening_cents, m.carried_cents, m.tax_bp, (SELECT CAST(COALESCE(SUM(w.amount_cents + w.tax_cents), 0) AS BIGINT) \
           FROM partner_payout w WHERE w.counted_on_id = m.id) - (SELECT CAST(COALESCE(SUM(b.amount_cents + b.tax_cents), 0) AS BIGINT) \
           FROM partner_payout b WHERE b.return_counted_on_id = m.id) AS settled_cents, (SELECT COUNT(*) FROM partner_item i WHERE i.statement_id = m.id) AS items",
    );
    for (kind, name) in KINDS {
        sql.push(
            ", (SELECT CAST(COALESCE(SUM(i.amount_cents), 0) AS BIGINT) FROM partner_item i WHERE i.statement_id = m.id AND i.kind = ",
        );
        sql.bind(kind).push(") AS ").push(name);
    }
    sql.push(" FROM partner_statement m WHERE m.id = ").bind(id);
    let row = sql.fetch_optional(&mut *tx).await?.ok_or(sqlx::Error::RowNotFound)?;
    let cents = |name: &str| row.try_get::<i64, _>(name);
    let (opening, carried, settled) = (cents("opening_cents")?, cents("carried_cents")?, cents("settled_cents")?);
    let mut sum = 0;
    let mut update = Sql::new("UPDATE partner_statement SET ");
    for (_, name) in KINDS {
        sum += cents(name)?;
        update.push(name).push(" = ").bind(cents(name)?).push(", ");
    }
    let total = sum + carried;
    let tax = tax::on(total, cents("tax_bp")?);
    update.push("items = ").bind(cents("items")?).push(", settled_cents = ").bind(settled);
    update.push(", total_cents = ").bind(total).push(", tax_cents = ").bind(tax).push(", net_cents = ").bind(total - tax);
    update.push(", closing_cents = ").bind(opening + sum - settled).push(", version = version + 1 WHERE id = ").bind(id);
    update.execute(tx).await.map(drop)
}

/// The kinds of items, and the columns of a statement with the sum of each.
pub const KINDS: [(&str, &str); 7] = [
    ("visit", "visit_cents"),
    ("registered", "registered_cents"),
    ("sold", "sold_cents"),
    ("share", "share_cents"),
    ("returned", "returned_cents"),
    ("share_back", "share_back_cents"),
    ("adjust", "adjust_cents"),
];

/// Makes a step of a statement over the given version. Returns whether that version existed. A sent one has the hash
/// of its link and the moment at which that ends, and no answer, whatever an earlier link was answered; in any other
/// state no link works.
pub async fn step(
    tx: &mut Connection,
    (id, version): (i64, i64),
    status: PartnerStatementStatus,
    link: Option<(&str, i64)>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let (hash, ends_at) = link.unzip();
    let mut sql = Sql::new("UPDATE partner_statement SET status = ");
    sql.bind(status).push(", link_hash = ").bind(hash.map(str::to_owned)).push(", link_ends_at = ").bind(ends_at);
    if status == PartnerStatementStatus::Sent {
        sql.push(", answered_at = NULL, answer_note = NULL, answer_ip = NULL, answer_user_agent = NULL, sent_at = ").bind(stamp.at);
    }
    sql.push(", version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version);
    Ok(sql.execute(tx).await? == 1)
}

/// Makes a new version of a statement without other changes of its row. Returns whether the given one existed.
pub async fn touch(tx: &mut Connection, (id, version): (i64, i64), stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE partner_statement SET version = version + 1, updated_at = ");
    sql.bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version);
    Ok(sql.execute(tx).await? == 1)
}

/// Confirms a statement by other means than its link, over the given version. Returns whether that version existed.
/// The link goes on showing the statement until it ends.
pub async fn confirm(tx: &mut Connection, (id, version): (i64, i64), reason: &str, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE partner_statement SET status = ");
    sql.bind(PartnerStatementStatus::Confirmed).push(", answer_note = ").bind(reason.to_owned());
    sql.push(", answered_at = ").bind(stamp.at).push(", answer_ip = NULL, answer_user_agent = NULL, confirmed_by = ").bind(stamp.admin_id);
    sql.push(", version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version).push(" AND status <> 'confirmed'");
    Ok(sql.execute(tx).await? == 1)
}

/// Removes the proofs of a confirmation from a statement.
pub async fn drop_proofs(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE partner_statement SET proof_files = '[]' WHERE id = $1").bind(id).execute(tx).await.map(drop)
}

/// A partner's answer by a link.
pub struct Answer<'a> {
    pub status: PartnerStatementStatus,
    /// The reason of a dispute.
    pub note: Option<&'a str>,
    /// Its origin: the whole address, and the browser's user agent.
    pub ip: &'a str,
    pub user_agent: &'a str,
}

/// Stores the partner's answer to a statement with a link of this hash. Returns whether it waited for one. The link
/// goes on showing the statement until it ends.
pub async fn answer(tx: &mut Connection, (id, hash): (i64, &str), answer: &Answer<'_>, at: i64) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE partner_statement SET status = ");
    sql.bind(answer.status).push(", answer_note = ").bind(answer.note.map(str::to_owned)).push(", answered_at = ").bind(at);
    sql.push(", answer_ip = ").bind(mask::ip(answer.ip)).push(", answer_user_agent = ").bind(answer.user_agent.to_owned());
    sql.push(", version = version + 1, updated_at = ").bind(at).push(" WHERE id = ").bind(id);
    sql.push(" AND status = 'sent' AND link_hash = ").bind(hash.to_owned()).push(" AND link_ends_at > ").bind(at);
    Ok(sql.execute(tx).await? == 1)
}

/// The query of the items, before [`narrow_items`].
pub const SELECT_ITEMS: &str = "SELECT i.id, i.channel_id, c.name AS channel_name, i.kind, i.amount_cents, i.day, i.at, i.visitors, i.statement_id, \
     m.statement_no FROM partner_item i JOIN channel c ON c.id = i.channel_id LEFT JOIN partner_statement m ON m.id = i.statement_id WHERE 1 = 1";

/// The same rows, for the count.
pub const COUNT_ITEMS: &str = "SELECT i.id FROM partner_item i JOIN channel c ON c.id = i.channel_id WHERE 1 = 1";

/// Their sum.
pub const TOTALS_ITEMS: &str = "SELECT CAST(0 AS BIGINT) AS id, CAST(0 AS BIGINT) AS channel_id, '' AS channel_name, 'visit' AS kind, \
     CAST(COALESCE(SUM(i.amount_cents), 0) AS BIGINT) AS amount_cents, '' AS day, CAST(0 AS BIGINT) AS at, \
     CAST(COALESCE(SUM(i.visitors), 0) AS BIGINT) AS visitors, CAST(NULL AS BIGINT) AS statement_id, CAST(NULL AS TEXT) AS statement_no \
     FROM partner_item i JOIN channel c ON c.id = i.channel_id WHERE 1 = 1";

/// The conditions of the list of items, within a scope.
pub fn narrow_items(sql: &mut Sql, filters: &PartnerItemFilters, scope: Scope) {
    sql.and("i.statement_id = ", filters.statement_id).and("i.channel_id = ", filters.channel_id).and("i.kind = ", filters.kind);
    scope.apply(sql, SCOPE);
}

/// All items of a statement in the order of their days, up to a limit.
pub async fn items_of<'e>(on: impl Executor<'e, Database = Any>, id: i64, most: i64) -> Result<Vec<PartnerItemRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_ITEMS);
    sql.and("i.statement_id = ", Some(id)).push(" ORDER BY i.day, i.id LIMIT ").bind(most);
    sql.fetch_all(on).await?.iter().map(PartnerItemRow::from_row).collect()
}

/// The query of the corrections, before [`narrow_adjustments`].
pub const SELECT_ADJUSTMENTS: &str = concat!(
    "SELECT j.id, j.adjustment_no, j.statement_id, m.statement_no, j.channel_id, c.name AS channel_name, j.amount_cents, j.reason, j.on_next, j.status, \
     j.review_note, v.real_name AS reviewer_name, j.reviewed_at, j.created_by, p.real_name AS creator_name, j.version, j.created_at, ",
    decision::open_columns!("finance/partner/audit"),
    " FROM partner_adjustment j JOIN partner_statement m ON m.id = j.statement_id JOIN channel c ON c.id = j.channel_id \
     LEFT JOIN administrator v ON v.id = j.reviewed_by LEFT JOIN administrator p ON p.id = j.created_by",
    decision::open_join!("partner_adjustment", "j.id"),
    " WHERE 1 = 1"
);

/// The same rows, for the count.
pub const COUNT_ADJUSTMENTS: &str = "SELECT j.id FROM partner_adjustment j JOIN channel c ON c.id = j.channel_id WHERE 1 = 1";

/// The conditions of the list of corrections, within a scope.
pub fn narrow_adjustments(sql: &mut Sql, filters: &PartnerAdjustmentFilters, scope: Scope) {
    sql.and_prefix(&["j.adjustment_no"], filters.keyword.as_deref())
        .and("j.statement_id = ", filters.statement_id)
        .and("j.channel_id = ", filters.channel_id)
        .and("j.status = ", filters.status);
    scope.apply(sql, SCOPE);
}

/// One correction within a scope.
pub async fn find_adjustment<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
) -> Result<Option<PartnerAdjustmentRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_ADJUSTMENTS);
    sql.and("j.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(PartnerAdjustmentRow::from_row).transpose()
}

/// Whether a statement has open corrections.
pub async fn has_pending(tx: &mut Connection, statement_id: i64) -> Result<bool, sqlx::Error> {
    let found = sqlx::query("SELECT 1 FROM partner_adjustment WHERE statement_id = $1 AND status = 'pending' LIMIT 1").bind(statement_id);
    Ok(found.fetch_optional(tx).await?.is_some())
}

/// Adds an open correction; for a confirmed statement it is for the next one. Returns its id.
pub async fn insert_adjustment(
    tx: &mut Connection,
    no: &str,
    statement: &PartnerStatementRow,
    (amount_cents, reason): (i64, &str),
    stamp: Stamp,
) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "INSERT INTO partner_adjustment (adjustment_no, statement_id, channel_id, amount_cents, reason, on_next, status, created_at, \
           updated_at, created_by, updated_by) VALUES (",
    );
    sql.bind(no.to_owned()).then(statement.id).then(statement.channel_id).then(amount_cents).then(reason.to_owned());
    sql.then(i64::from(statement.status == PartnerStatementStatus::Confirmed)).push(", 'pending'");
    sql.then(stamp.at).then(stamp.at).then(stamp.admin_id).then(stamp.admin_id).push(") RETURNING id");
    sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("id")
}

/// Ends an open correction over the given version. Returns whether that version existed.
pub async fn end_adjustment(
    tx: &mut Connection,
    (id, version): (i64, i64),
    status: PartnerAdjustmentStatus,
    note: Option<&str>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE partner_adjustment SET status = ");
    sql.bind(status).push(", review_note = ").bind(note.map(str::to_owned));
    if status != PartnerAdjustmentStatus::Withdrawn {
        sql.push(", reviewed_by = ").bind(stamp.admin_id).push(", reviewed_at = ").bind(stamp.at);
    }
    sql.push(", version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version).push(" AND status = 'pending'");
    Ok(sql.execute(tx).await? == 1)
}

#[cfg(test)]
mod tests {
    use super::super::adjustment::PartnerAdjustments;
    use super::super::items::PartnerItems;
    use super::super::list::PartnerStatements;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_files_is_a_field_with_a_heading() {
        columns_are_fields::<PartnerStatements>("partnerStatement");
        columns_are_fields::<PartnerItems>("partnerItem");
        columns_are_fields::<PartnerAdjustments>("partnerAdjustment");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<PartnerStatements>(&["status"]).await;
        every_sort_walks_an_index::<PartnerItems>(&[]).await;
        every_sort_walks_an_index::<PartnerAdjustments>(&[]).await;
    }
}
