//! Returns in the database. Their list is that of pushes, with a filter by the status of the return (`trade::plan::push`).

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};
use strum::EnumString;

use super::model::{BuyerContacts, ReturnRow};
use base::db::{self, Connection, Sql};
use base::locale::Locale;
use frame::access::{Scope, ScopeColumns};
use frame::decision;
use frame::upload::StoredFile;
use trade::plan::push::ReturnStatus;

/// The scope of a return is that of its lead.
const SCOPE: ScopeColumns =
    ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("r.org_id"), sub_org: Some("h.sub_org_id"), myself: None };

const SELECT: &str = concat!(
    "SELECT r.id, r.push_id, x.due_at AS replacement_due_at, y.no AS replacement_no, h.no AS push_no, r.org_id, o.name AS org_name, r.reason_code, i.label_zh AS reason_name_zh, \
     i.label_en AS reason_name_en, i.tag_color AS label_color, r.note, r.proof_files, r.status, r.refund_cents, r.charge_channel, r.review_note, \
     b.real_name AS reviewer_name, r.reviewed_at, a.real_name AS creator_name, r.created_by, r.version, r.created_at, r.updated_at, ",
    decision::open_columns!("plan/push-list/audit"),
    " FROM lead_return r JOIN push_record h ON h.id = r.push_id JOIN organisation o ON o.id = r.org_id \
     LEFT JOIN administrator a ON a.id = r.created_by LEFT JOIN administrator b ON b.id = r.reviewed_by \
     LEFT JOIN dict_type k ON k.code = 'lead_return_reason' LEFT JOIN dict_item i ON i.type_id = k.id AND i.value = r.reason_code",
    " LEFT JOIN lead_replacement x ON x.return_id = r.id LEFT JOIN push_record y ON y.id = x.push_id",
    decision::open_join!("lead_return", "r.id"),
    " WHERE 1 = 1"
);

fn read(row: &AnyRow, scope: Scope, locale: Locale) -> Result<ReturnRow, sqlx::Error> {
    Ok(ReturnRow {
        id: row.try_get("id")?,
        push_id: row.try_get("push_id")?,
        push_no: row.try_get("push_no")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        reason_code: row.try_get("reason_code")?,
        reason_name: row.try_get(locale.pick("reason_name_zh", "reason_name_en"))?,
        label_color: db::optional_code(row, "label_color")?,
        note: row.try_get("note")?,
        proof_files: db::json(row, "proof_files")?,
        status: db::code(row, "status")?,
        refund_cents: row.try_get("refund_cents")?,
        charge_channel: match scope.is_platforms() {
            true => Some(db::flag(row, "charge_channel")?),
            false => None,
        },
        replacement_due_at: row.try_get("replacement_due_at")?,
        replacement_no: row.try_get("replacement_no")?,
        review_note: row.try_get("review_note")?,
        reviewer_name: row.try_get("reviewer_name")?,
        reviewed_at: row.try_get("reviewed_at")?,
        creator_name: row.try_get("creator_name")?,
        created_by: row.try_get("created_by")?,
        decision: decision::read(row)?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One return within a scope.
pub async fn find<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
    locale: Locale,
) -> Result<Option<ReturnRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.map(|row| read(&row, scope, locale)).transpose()
}

/// The returns of an applicant's leads within a scope, oldest first.
pub async fn of_user<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    user_id: i64,
    locale: Locale,
) -> Result<Vec<ReturnRow>, sqlx::Error> {
    all(on, scope, ("h.user_id = ", user_id), locale).await
}

/// The returns of a push within a scope, oldest first.
pub async fn of_push<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    push_id: i64,
    locale: Locale,
) -> Result<Vec<ReturnRow>, sqlx::Error> {
    all(on, scope, ("r.push_id = ", push_id), locale).await
}

async fn all<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    (condition, id): (&'static str, i64),
    locale: Locale,
) -> Result<Vec<ReturnRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and(condition, Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY r.created_at, r.id");
    sql.fetch_all(on).await?.iter().map(|row| read(row, scope, locale)).collect()
}

/// A new return.
pub struct NewReturn<'n> {
    pub push_id: i64,
    pub org_id: i64,
    pub reason_code: &'n str,
    pub note: &'n str,
    pub refund_cents: i64,
    pub created_by: i64,
    pub at: i64,
}

/// How far the person of a push and its organisation have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Progress {
    /// A contract is signed, or money is confirmed.
    Signed,
    /// Money waits to be confirmed, or a payment order is open.
    Paying,
}

/// Whether the person of a push has signed a contract, paid or may be paying, by the clue of its organisation.
pub async fn progress(on: &mut Connection, push_id: i64) -> Result<Option<Progress>, sqlx::Error> {
    const OF_CLUE: &str = "SELECT CASE \
         WHEN k.signed_at IS NOT NULL OR EXISTS (SELECT 1 FROM money_record m \
           WHERE m.clue_id = k.id AND m.status = 'confirmed' AND m.type <> 'refund' AND m.deleted_at IS NULL) THEN 'signed' \
         WHEN EXISTS (SELECT 1 FROM money_record m \
           WHERE m.clue_id = k.id AND m.status = 'pending' AND m.type <> 'refund' AND m.deleted_at IS NULL) \
           OR EXISTS (SELECT 1 FROM payment_order r WHERE r.clue_id = k.id AND r.status IN ('created', 'paying')) THEN 'paying' END AS progress \
       FROM clue k WHERE k.push_id = $1";
    match sqlx::query(OF_CLUE).bind(push_id).fetch_optional(on).await? {
        Some(row) => db::optional_code(&row, "progress"),
        None => Ok(None),
    }
}

/// Adds an open return, without its proofs ([`set_proofs`] stores them), and returns its id; none if the lead has one
/// that is open or approved.
pub async fn insert(tx: &mut Connection, new: &NewReturn<'_>) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO lead_return (push_id, org_id, reason_code, note, status, refund_cents, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id",
    )
    .bind(new.push_id)
    .bind(new.org_id)
    .bind(new.reason_code)
    .bind(new.note)
    .bind(new.refund_cents)
    .bind(new.at)
    .bind(new.at)
    .bind(new.created_by)
    .bind(new.created_by)
    .fetch_optional(tx)
    .await
}

/// Stores the names of a return's proofs beside it.
pub async fn set_proofs(tx: &mut Connection, id: i64, proofs: &[StoredFile]) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE lead_return SET proof_files = $1 WHERE id = $2")
        .bind(serde_json::to_string(proofs).expect("files serialise"))
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// How many leads an organisation accepted since a moment, and how many of its returns are open or approved: of test
/// leads or of live ones.
pub async fn share(tx: &mut Connection, org_id: i64, test: bool, since: i64) -> Result<(i64, i64), sqlx::Error> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM push_record WHERE org_id = $1 AND created_at > $2 AND test = $3 AND status IN ('accepted', 'returned')) AS sold, \
           (SELECT COUNT(*) FROM lead_return r JOIN push_record h ON h.id = r.push_id WHERE r.org_id = $4 AND r.created_at > $5 \
             AND r.status IN ('pending', 'approved') AND h.test = $6) AS returned",
    )
    .bind(org_id)
    .bind(since)
    .bind(i64::from(test))
    .bind(org_id)
    .bind(since)
    .bind(i64::from(test))
    .fetch_one(tx)
    .await?;
    Ok((row.try_get("sold")?, row.try_get("returned")?))
}

/// How the buyer of a push followed up on it; none if its CRM does not have it.
pub async fn contacts(on: &mut Connection, push_id: i64) -> Result<Option<BuyerContacts>, sqlx::Error> {
    let row = sqlx::query("SELECT id, no, stage, follow_count, first_follow_at, last_follow_at FROM clue WHERE push_id = $1")
        .bind(push_id)
        .fetch_optional(on)
        .await?;
    row.map(|row| {
        Ok(BuyerContacts {
            clue_id: row.try_get("id")?,
            clue_no: row.try_get("no")?,
            stage: db::code(&row, "stage")?,
            follow_count: row.try_get("follow_count")?,
            first_follow_at: row.try_get("first_follow_at")?,
            last_follow_at: row.try_get("last_follow_at")?,
        })
    })
    .transpose()
}

/// The end of a return.
pub struct End<'e> {
    pub status: ReturnStatus,
    pub charge_channel: bool,
    pub note: Option<&'e str>,
    /// Who decided on it; none if the rules did, or if the requester withdrew it.
    pub reviewed_by: Option<i64>,
    pub at: i64,
}

/// Ends an open return, over the given version. Returns whether that version existed.
pub async fn end(tx: &mut Connection, id: i64, version: i64, end: &End<'_>) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE lead_return SET status = $1, charge_channel = $2, review_note = $3, reviewed_by = $4, reviewed_at = $5, version = version + 1, \
           updated_at = $6 WHERE id = $7 AND version = $8 AND status = 'pending'",
    )
    .bind(<&str>::from(end.status))
    .bind(i64::from(end.charge_channel))
    .bind(end.note)
    .bind(end.reviewed_by)
    .bind((end.status != ReturnStatus::Withdrawn).then_some(end.at))
    .bind(end.at)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Wipes the texts of returns about an applicant; their files stay with the money.
pub async fn erase(tx: &mut Connection, user_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE lead_return SET note = '', review_note = NULL, version = version + 1, updated_at = $1 \
         WHERE push_id IN (SELECT id FROM push_record WHERE user_id = $2)",
    )
    .bind(now)
    .bind(user_id)
    .execute(tx)
    .await
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn a_share_is_counted_by_indexes() {
        let plans = Plans::open().await;
        for (index, sql) in [
            (
                "push_record_org (org_id=? AND created_at>?)",
                Sql::new("SELECT COUNT(*) FROM push_record WHERE org_id = 1 AND created_at > 2 AND status IN ('accepted', 'returned')"),
            ),
            (
                "lead_return_org (org_id=? AND created_at>?)",
                Sql::new("SELECT COUNT(*) FROM lead_return WHERE org_id = 1 AND created_at > 2 AND status IN ('pending', 'approved')"),
            ),
        ] {
            let plan = plans.of(sql).await;
            assert!(plan.contains(index), "{plan}");
        }
    }
}
