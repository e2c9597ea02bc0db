//! Outgoing payments, one row for each. Refunds of payment orders and refunds of fees of clues both pay money out:
//! the record that books a payment enters it here in the same transaction, so that no other record books it again.

use sqlx::FromRow;

use crate::ledger::incoming::PayMethod;
use crate::ledger::incoming::{MOST_ALIKE, NEAR, TRIES, ask_about};
use base::canonical;
use base::clock::Clock;
use base::db::{Connection, Sql};
use base::form_limits;
use frame::access::audit::Change;
use frame::api::{ApiError, Check, Result, Say, say};

form_limits! {
    /// Of a payment that went out.
    outgoingPayment {
        /// Characters of the bank's number.
        NUMBER: usize = 64,
    }
}

/// Names a field of a form where it holds no bank's number of a payment, or none for a bank transfer.
pub fn check_number(check: &mut Check, field: &'static str, number: Option<&str>, method: PayMethod) {
    let plain = number.unwrap_or_default().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let needed = say("银行转账需要流水号", "A bank transfer requires a transaction number");
    check
        .text(field, number.unwrap_or_default(), 0..=NUMBER)
        .that(field, plain, say("只能是字母、数字和 -", "Use only letters, digits and -"))
        .that(field, method != PayMethod::Bank || number.is_some(), needed);
}

/// A payment as the record that books it describes it. Of each table the check of the books compares the records with their payments
/// ([`crate::ledger::verify`]).
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'o> {
    /// The payee whose account paid; 0 if the organisation has no payee.
    pub payee_org_id: i64,
    /// The number of the bank or the provider, in any form.
    pub number: Option<&'o str>,
    /// The organisation for which it was paid, if any.
    pub org_id: Option<i64>,
    pub amount_cents: i64,
    /// Epoch milliseconds.
    pub paid_at: i64,
    /// The table of the record, and its id.
    pub source_table: &'static str,
    pub source_id: i64,
}

impl Outgoing<'_> {
    fn number(&self) -> Option<String> {
        self.number.map(canonical::payment_no).filter(|number| !number.is_empty())
    }

    fn payee_org_id(&self) -> Option<i64> {
        Some(self.payee_org_id).filter(|id| *id != 0)
    }
}

/// Another record of a payment.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Other {
    source_table: String,
    source_id: i64,
    /// The record's own number.
    no: String,
    paid_at: i64,
    /// When the bank sent it back.
    returned_at: Option<i64>,
}

impl Other {
    /// Why its payment is not booked again.
    pub fn refusal(&self) -> Say {
        let no = &self.no;
        match self.source_table.as_str() {
            "payment_refund" => say(format!("该流水号已登记为退款 {no}"), format!("This payment was entered as the refund {no}")),
            "money_record" => {
                say(format!("该流水号已登记为收款记录 {no}"), format!("This payment was entered as the payment {no} of a lead"))
            }
            _ if self.returned_at.is_some() => say(
                format!("该流水号已登记为付款 {no}，并已退回"),
                format!("This payment was entered as the payout {no}, which was sent back"),
            ),
            _ => say(format!("该流水号已登记为付款 {no}"), format!("This payment was entered as the payout {no}")),
        }
    }
}

/// Enters a payment that a reviewer confirms. Refuses one that another record has entered, at the field of its
/// number, and one that may be that of another record, unless the reviewer answers that it is not. Returns the audit
/// change of that answer.
pub async fn confirm(tx: &mut Connection, outgoing: &Outgoing<'_>, field: &str, is_another: bool) -> Result<Option<Change>> {
    if let Some(other) = claim(&mut *tx, outgoing).await? {
        return Err(ApiError::field(field, other.refusal()));
    }
    let others = alike(tx, outgoing).await?;
    ask_about(others.iter().map(|other| (other.no.as_str(), other.paid_at)), is_another)
}

/// Enters a payment for its record, which is locked, in the transaction that books it. If another record has entered
/// the payment, returns that record and writes nothing.
pub async fn claim(tx: &mut Connection, outgoing: &Outgoing<'_>) -> Result<Option<Other>> {
    let number = outgoing.number();
    for _ in 0..TRIES {
        // A failed INSERT would spoil the transaction on PostgreSQL.
        let entered = sqlx::query(
            "INSERT INTO outgoing_payment (payee_org_id, number, org_id, amount_cents, paid_at, source_table, source_id, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
        )
        .bind(outgoing.payee_org_id())
        .bind(number.as_deref())
        .bind(outgoing.org_id)
        .bind(outgoing.amount_cents)
        .bind(outgoing.paid_at)
        .bind(outgoing.source_table)
        .bind(outgoing.source_id)
        .bind(Clock::default().now())
        .execute(&mut *tx)
        .await?;
        if entered.rows_affected() == 1 {
            return Ok(None);
        }
        if let Some(number) = &number
            && let Some(other) = by_number(&mut *tx, outgoing, number).await?
        {
            let own = (outgoing.source_table, outgoing.source_id);
            return Ok(Some(other).filter(|other| (other.source_table.as_str(), other.source_id) != own));
        }
        if has_entered(&mut *tx, outgoing).await? {
            return Ok(None);
        }
        // The row in the way was released meanwhile.
    }
    Err(ApiError::Busy)
}

/// The record that has entered a payment by its number, if one has.
pub async fn entered(tx: &mut Connection, outgoing: &Outgoing<'_>) -> std::result::Result<Option<Other>, sqlx::Error> {
    match outgoing.number() {
        Some(number) => by_number(tx, outgoing, &number).await,
        None => Ok(None),
    }
}

/// Releases the payment of a record that does not book it any more: another record may enter it.
pub async fn release(tx: &mut Connection, source_table: &'static str, source_id: i64) -> std::result::Result<(), sqlx::Error> {
    let sql = "DELETE FROM outgoing_payment WHERE source_table = $1 AND source_id = $2";
    sqlx::query(sql).bind(source_table).bind(source_id).execute(tx).await.map(drop)
}

/// Stores that the bank sent a payment back. Its number stays with its record.
pub async fn returned(
    tx: &mut Connection,
    source_table: &'static str,
    source_id: i64,
    returned_at: i64,
) -> std::result::Result<(), sqlx::Error> {
    let sql = "UPDATE outgoing_payment SET returned_at = $1 WHERE source_table = $2 AND source_id = $3";
    sqlx::query(sql).bind(returned_at).bind(source_table).bind(source_id).execute(tx).await.map(drop)
}

/// The record that has entered a payment with a number in its normal form, of the same payee.
async fn by_number(tx: &mut Connection, outgoing: &Outgoing<'_>, number: &str) -> std::result::Result<Option<Other>, sqlx::Error> {
    let mut sql = Sql::new(ENTERED);
    sql.push(" WHERE x.number = ").bind(number.to_owned());
    match outgoing.payee_org_id() {
        Some(payee_org_id) => sql.push(" AND x.payee_org_id = ").bind(payee_org_id),
        None => sql.push(" AND x.payee_org_id IS NULL AND x.org_id = ").bind(outgoing.org_id),
    };
    sql.fetch_optional(tx).await?.as_ref().map(Other::from_row).transpose()
}

async fn has_entered(tx: &mut Connection, outgoing: &Outgoing<'_>) -> std::result::Result<bool, sqlx::Error> {
    let found = sqlx::query("SELECT 1 FROM outgoing_payment x WHERE x.source_table = $1 AND x.source_id = $2")
        .bind(outgoing.source_table)
        .bind(outgoing.source_id);
    Ok(found.fetch_optional(tx).await?.is_some())
}

/// Payments that were entered, with the numbers of their records.
const ENTERED: &str = "SELECT x.source_table, x.source_id, COALESCE(b.no, m.no, w.payout_no) AS no, x.paid_at, x.returned_at \
     FROM outgoing_payment x LEFT JOIN payment_refund b ON x.source_table = 'payment_refund' AND b.id = x.source_id \
     LEFT JOIN money_record m ON x.source_table = 'money_record' AND m.id = x.source_id \
     LEFT JOIN partner_payout w ON x.source_table = 'partner_payout' AND w.id = x.source_id";

/// Other records of the organisation with the same amount within 30 days, the newest first: those that have entered their payment, and
/// refunds that wait or are on their way.
async fn alike(tx: &mut Connection, outgoing: &Outgoing<'_>) -> std::result::Result<Vec<Other>, sqlx::Error> {
    let Some(org_id) = outgoing.org_id else { return Ok(Vec::new()) };
    let (from, to) = (outgoing.paid_at - NEAR, outgoing.paid_at + NEAR);
    let near = |sql: &mut Sql, org: &'static str, amount: &'static str, at: &'static str| {
        sql.push(org).bind(org_id).push(amount).bind(outgoing.amount_cents);
        sql.push(at).push(" BETWEEN ").bind(from).push(" AND ").bind(to);
    };
    let mut sql = Sql::new("SELECT a.source_table, a.source_id, a.no, a.paid_at, a.returned_at FROM (");
    sql.push(ENTERED);
    near(&mut sql, " WHERE x.org_id = ", " AND x.amount_cents = ", " AND x.paid_at");
    sql.push(
        " UNION ALL SELECT 'payment_refund', w.id, w.no, w.created_at, CAST(NULL AS BIGINT) FROM payment_refund w JOIN payment_order y ON y.id = w.payment_order_id \
         WHERE w.status IN ('pending', 'processing')",
    );
    near(&mut sql, " AND y.org_id = ", " AND w.amount_cents = ", " AND w.created_at");
    sql.push(
        " UNION ALL SELECT 'money_record', p.id, p.no, p.paid_at, CAST(NULL AS BIGINT) FROM money_record p \
         WHERE p.status = 'pending' AND p.type = 'refund' AND p.payment_order_id IS NULL AND p.deleted_at IS NULL",
    );
    near(&mut sql, " AND p.org_id = ", " AND p.amount_cents = ", " AND p.paid_at");
    sql.push(") a WHERE NOT (a.source_table = ").bind(outgoing.source_table).push(" AND a.source_id = ").bind(outgoing.source_id);
    sql.push(") ORDER BY a.paid_at DESC, a.no LIMIT ").bind(MOST_ALIKE);
    sql.fetch_all(tx).await?.iter().map(Other::from_row).collect()
}
