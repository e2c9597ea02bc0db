//! Records of money in the database.

use sqlx::{Any, Executor, FromRow, Row};

use super::clue::MoneyClue;
use super::form::Form;
use super::model::{MoneyFilters, MoneyRow, MoneyStatus, MoneyType};
use super::record::number;
use base::db::sql::typed;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::decision::{self, Awaits};
use frame::upload::StoredFile;
use trade::ledger::incoming::PayMethod;
use trade::visit::lead;

/// Most records that the page of a clue shows.
const MOST_OF_CLUE: i64 = 200;

/// Who sees a record: its organisation and team, its salesperson, the owner of its clue, and
/// the account manager of its organisation.
pub(super) const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("m.org_id IN (SELECT w.id FROM organisation w WHERE w.owner_admin_id = ?)"),
    org: Some("m.org_id"),
    sub_org: Some("m.sub_org_id"),
    myself: Some(
        "m.id IN (SELECT a.id FROM money_record a WHERE a.sales_id = ? \
         UNION SELECT b.id FROM clue c JOIN money_record b ON b.clue_id = c.id WHERE c.owner_id = ?)",
    ),
};

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT m.id, m.no, m.clue_id, k.no AS clue_no, k.name_mask, m.org_id, o.name AS org_name, m.sub_org_id, g.name AS sub_org_name, \
     m.sales_id, s.real_name AS sales_name, m.type, m.loan_cents, m.amount_cents, m.pay_method, m.bank_serial, m.paid_at, m.proof_files, m.status, \
     m.review_note, m.reviewed_by, v.real_name AS reviewer_name, m.reviewed_at, m.remark, m.payment_order_id, \
     m.created_by, c.real_name AS creator_name, m.version, m.created_at, m.updated_at, ",
    decision::open_columns!("crm/clue/moneyAudit", "m.org_id"),
    " FROM money_record m JOIN clue k ON k.id = m.clue_id JOIN organisation o ON o.id = m.org_id \
     LEFT JOIN sub_organisation g ON g.id = m.sub_org_id LEFT JOIN administrator s ON s.id = m.sales_id \
     LEFT JOIN administrator v ON v.id = m.reviewed_by LEFT JOIN administrator c ON c.id = m.created_by",
    decision::open_join!("money_record", "m.id"),
    " WHERE m.deleted_at IS NULL"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT m.id FROM money_record m WHERE m.deleted_at IS NULL";

/// The confirmed rows of the list, added up, less refunds.
pub const TOTALS: &str = "SELECT CAST(0 AS BIGINT) AS id, '' AS no, CAST(0 AS BIGINT) AS clue_id, '' AS clue_no, '' AS name_mask, \
     CAST(0 AS BIGINT) AS org_id, '' AS org_name, CAST(NULL AS BIGINT) AS sub_org_id, CAST(NULL AS TEXT) AS sub_org_name, \
     CAST(NULL AS BIGINT) AS sales_id, CAST(NULL AS TEXT) AS sales_name, 'other' AS type, \
     CAST(COALESCE(SUM(CASE WHEN m.status = 'confirmed' THEN m.loan_cents END), 0) AS BIGINT) AS loan_cents, \
     CAST(COALESCE(SUM(CASE WHEN m.status <> 'confirmed' THEN 0 WHEN m.type = 'refund' THEN -m.amount_cents ELSE m.amount_cents END), 0) \
       AS BIGINT) AS amount_cents, \
     'cash' AS pay_method, CAST(NULL AS TEXT) AS bank_serial, CAST(0 AS BIGINT) AS paid_at, '[]' AS proof_files, 'confirmed' AS status, CAST(NULL AS TEXT) AS review_note, \
     CAST(NULL AS BIGINT) AS reviewed_by, CAST(NULL AS TEXT) AS reviewer_name, CAST(NULL AS BIGINT) AS reviewed_at, '' AS remark, CAST(NULL AS BIGINT) AS payment_order_id, \
     CAST(NULL AS BIGINT) AS created_by, CAST(NULL AS TEXT) AS creator_name, CAST(0 AS BIGINT) AS version, \
     CAST(0 AS BIGINT) AS created_at, CAST(0 AS BIGINT) AS updated_at, CAST(NULL AS TEXT) AS q_action \
     FROM money_record m WHERE m.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &MoneyFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        // Numbers are in capitals.
        let number = keyword.to_uppercase();
        sql.push(" AND (m.no = ").bind(number.clone());
        sql.push(" OR m.clue_id = (SELECT n.id FROM clue n WHERE n.no = ").bind(number).push("))");
    }
    sql.and("m.org_id = ", filters.org_id)
        .and("m.sub_org_id = ", filters.sub_org_id)
        .and("m.sales_id = ", filters.sales_id)
        .and("m.clue_id = ", filters.clue_id)
        .and("m.type = ", filters.kind)
        .and("m.status = ", filters.status)
        .and("m.pay_method = ", filters.pay_method)
        .and("m.paid_at >= ", filters.paid_from)
        .and("m.paid_at < ", filters.paid_to);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(" AND m.status = 'pending'");
        decision::and_not_by(sql, "money_record", "m.id", filters.own_of);
    }
    scope.apply(sql, SCOPE);
}

/// One record within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<MoneyRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(MoneyRow::from_row).transpose()
}

/// The records of a clue within a scope, the newest first.
pub async fn of_clue<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, clue_id: i64) -> Result<Vec<MoneyRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.clue_id = ", Some(clue_id));
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY m.created_at DESC, m.id DESC LIMIT ").bind(MOST_OF_CLUE);
    sql.fetch_all(on).await?.iter().map(MoneyRow::from_row).collect()
}

/// Confirmed money of a clue that staff entered, less the confirmed refunds that they entered, in fen. Money of payment
/// orders is left out: it is refunded through its orders.
pub async fn received_by_hand(tx: &mut Connection, clue_id: i64) -> Result<i64, sqlx::Error> {
    let row = sqlx::query(
        "SELECT CAST(COALESCE(SUM(CASE m.type WHEN 'refund' THEN -m.amount_cents ELSE m.amount_cents END), 0) AS BIGINT) AS cents \
         FROM money_record m WHERE m.clue_id = $1 AND m.status = 'confirmed' AND m.deleted_at IS NULL AND m.payment_order_id IS NULL",
    )
    .bind(clue_id)
    .fetch_one(tx)
    .await?;
    row.try_get("cents")
}

/// All confirmed money of a clue, less its refunds and the pending refunds of its payment orders, in fen. It is
/// negative if staff refunded a payment in the CRM, which older versions allowed, and its order was refunded too. The
/// clue must be locked.
pub async fn refundable_online(tx: &mut Connection, clue_id: i64) -> Result<i64, sqlx::Error> {
    let row = sqlx::query(REFUNDABLE_ONLINE).bind(clue_id).bind(clue_id).fetch_one(tx).await?;
    row.try_get("cents")
}

const REFUNDABLE_ONLINE: &str = "SELECT CAST((SELECT COALESCE(SUM(CASE m.type WHEN 'refund' THEN -m.amount_cents ELSE m.amount_cents END), 0) FROM money_record m \
       WHERE m.clue_id = $1 AND m.status = 'confirmed' AND m.deleted_at IS NULL) \
     - (SELECT COALESCE(SUM(r.refunding_cents - r.refunded_cents), 0) FROM payment_order r WHERE r.clue_id = $2) AS BIGINT) AS cents";

/// The payee organisation of an organisation, whose account pays its refunds; 0 if it has none.
pub async fn payee_of(tx: &mut Connection, org_id: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COALESCE(payee_org_id, 0) FROM organisation WHERE id = $1").bind(org_id).fetch_one(tx).await
}

/// A record to be added.
pub struct NewMoney<'n> {
    pub no: &'n str,
    pub clue_id: i64,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub sales_id: Option<i64>,
}

impl<'n> NewMoney<'n> {
    /// For a clue, with its present owner.
    pub fn of(no: &'n str, clue: &MoneyClue) -> NewMoney<'n> {
        NewMoney { no, clue_id: clue.id, org_id: clue.org_id, sub_org_id: clue.sub_org_id, sales_id: clue.owner_id }
    }
}

/// Adds a record that waits, and returns its id. [`write`] adds its files and remark; until then its version is 0.
pub async fn insert(tx: &mut Connection, new: &NewMoney<'_>, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO money_record (no, clue_id, org_id, sub_org_id, sales_id, type, amount_cents, pay_method, paid_at, status, version, \
           created_at, updated_at, created_by, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending', 0, $10, $11, $12, $13) RETURNING id",
    )
    .bind(new.no)
    .bind(new.clue_id)
    .bind(new.org_id)
    .bind(new.sub_org_id)
    .bind(new.sales_id)
    .bind(form.kind)
    .bind(form.amount_cents)
    .bind(form.pay_method)
    .bind(form.paid_at)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes the fields of a record over the given version, and makes it pending. Returns whether that version existed.
pub async fn write(
    tx: &mut Connection,
    id: i64,
    version: i64,
    form: &Form,
    proofs: &[StoredFile],
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql =
        Sql::new("UPDATE money_record SET status = 'pending', review_note = NULL, reviewed_by = NULL, reviewed_at = NULL, type = ");
    sql.bind(form.kind).push(", loan_cents = ").bind(form.loan_cents).push(", amount_cents = ").bind(form.amount_cents);
    sql.push(", bank_serial = ").bind(form.bank_serial.clone());
    sql.push(", pay_method = ").bind(form.pay_method).push(", paid_at = ").bind(form.paid_at);
    sql.push(", proof_files = ").bind(serde_json::to_string(proofs).expect("files serialise"));
    sql.push(", remark = ").bind(form.remark.clone());
    stamped::over(sql, id, version, stamp, tx).await
}

/// Writes a decision over the given version. Returns whether that version existed.
pub async fn decide(
    tx: &mut Connection,
    id: i64,
    version: i64,
    status: MoneyStatus,
    note: Option<&str>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE money_record SET status = ");
    sql.bind(status).push(", review_note = ").bind(note.map(str::to_owned)).push(", reviewed_by = ").bind(stamp.admin_id);
    sql.push(", reviewed_at = ").bind(stamp.at);
    let written = stamped::over(sql, id, version, stamp, &mut *tx).await?;
    if written && matches!(status, MoneyStatus::Confirmed | MoneyStatus::Void) {
        note_figure(tx, id, status).await?;
        match status {
            MoneyStatus::Confirmed => lead::shared(tx, id, stamp.at).await?,
            _ => lead::share_back(tx, id, stamp.at).await?,
        }
    }
    Ok(written)
}

/// Money of a clue that was paid or refunded online.
pub struct OnlineMoney<'o> {
    pub clue_id: i64,
    pub payment_order_id: i64,
    pub is_refund: bool,
    pub cents: i64,
    pub pay_method: PayMethod,
    /// Epoch milliseconds.
    pub paid_at: i64,
    /// The number of the payment order or of its refund.
    pub remark: &'o str,
}

/// Adds a confirmed record of money that a payment order received or refunded. The order and the clue are locked.
pub async fn money_online(tx: &mut Connection, money: &OnlineMoney<'_>, at: i64) -> Result<(), sqlx::Error> {
    let kind = if money.is_refund { MoneyType::Refund } else { MoneyType::Service };
    let id: Option<i64> = sqlx::query_scalar(
        "INSERT INTO money_record (no, clue_id, org_id, sub_org_id, sales_id, type, amount_cents, pay_method, paid_at, remark, \
           payment_order_id, status, version, reviewed_at, created_at, updated_at) \
         SELECT $1, k.id, k.org_id, k.sub_org_id, k.owner_id, $2, $3, $4, $5, $6, $7, 'confirmed', 1, $8, $9, $10 FROM clue k \
         WHERE k.id = $11 RETURNING id",
    )
    .bind(number(at))
    .bind(kind)
    .bind(money.cents)
    .bind(money.pay_method)
    .bind(money.paid_at)
    .bind(money.remark)
    .bind(money.payment_order_id)
    .bind(at)
    .bind(at)
    .bind(at)
    .bind(money.clue_id)
    .fetch_optional(&mut *tx)
    .await?;
    match id {
        Some(id) => note_figure(tx, id, MoneyStatus::Confirmed).await,
        None => Ok(()),
    }
}

/// Adds the money of a confirmed record to the daily figures, or subtracts it once the record is void.
async fn note_figure(tx: &mut Connection, id: i64, status: MoneyStatus) -> Result<(), sqlx::Error> {
    let row =
        sqlx::query("SELECT clue_id, paid_at, type, amount_cents FROM money_record WHERE id = $1").bind(id).fetch_one(&mut *tx).await?;
    let is_refund = row.try_get::<&str, _>("type")? == <&str>::from(MoneyType::Refund);
    let cents: i64 = row.try_get("amount_cents")?;
    let sign = if is_refund == (status == MoneyStatus::Confirmed) { -1 } else { 1 };
    lead::money(tx, row.try_get("clue_id")?, sign * cents, row.try_get("paid_at")?).await
}

#[cfg(test)]
mod tests {
    use super::super::list::Money;
    use super::super::model::MoneyType;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Money>("money");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Money>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, MoneyFilters::default);
        for (index, filters, scope) in [
            ("money_record_org", MoneyFilters { org_id: Some(1), ..none() }, Scope::All),
            ("money_record_sub_org", MoneyFilters { sub_org_id: Some(1), ..none() }, Scope::All),
            ("money_record_sales", MoneyFilters { sales_id: Some(1), ..none() }, Scope::All),
            ("money_record_clue", MoneyFilters { clue_id: Some(1), ..none() }, Scope::All),
            ("money_record_status", MoneyFilters { status: Some(MoneyStatus::Pending), ..none() }, Scope::All),
            ("money_record_org", none(), Scope::Org(1)),
            ("money_record_sub_org", none(), Scope::SubOrg(1)),
        ] {
            let plan = plan::<Money>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH m USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE FOR ORDER BY"), "{index}: {plan}");
        }
        let own = plan::<Money>(&plans, MoneyFilters { kind: Some(MoneyType::Refund), ..none() }, Scope::Myself(1)).await;
        assert!(own.contains("money_record_sales ") && own.contains("clue_owner"), "{own}");
        let number = plan::<Money>(&plans, MoneyFilters { keyword: Some("MR1".to_owned()), ..none() }, Scope::All).await;
        assert!(number.contains("MULTI-INDEX OR"), "{number}");
    }

    #[tokio::test]
    async fn the_payment_orders_of_a_clue_are_found_by_an_index() {
        let plan = Plans::open().await.of(Sql::new(REFUNDABLE_ONLINE)).await;
        assert!(plan.contains("SEARCH r USING INDEX payment_order_clue "), "{plan}");
    }
}
