//! Incoming payments, one row for each. Receipts, recharges and payment orders all credit accounts with payments, and
//! payouts to partners may come back: the record that books a payment enters it here in the same transaction, so that
//! no other record books it again.

use sqlx::FromRow;

use base::canonical;
use base::clock::{self, DAY};
use base::codes;
use base::db::{Connection, Sql};
use base::form_limits;
use frame::access::audit::Change;
use frame::api::{ApiError, Check, Result, Say, say};

codes! {
    /// The method of payment.
    pub enum PayMethod {
        Bank("银行转账", "Bank transfer"),
        Wechat("微信", "WeChat"),
        Alipay("支付宝", "Alipay"),
        Cash("现金", "Cash"),
        Online("线上支付", "Online"),
    }
}

/// Milliseconds within which an equal amount of an organisation may be the same payment.
pub(crate) const NEAR: i64 = 30 * DAY;
/// Most records that a question names.
const MOST_NAMED: usize = 3;
/// Most records that are searched for a question.
pub(crate) const MOST_ALIKE: i64 = 50;
/// How often a number is entered again if another transaction releases its row meanwhile.
pub(super) const TRIES: usize = 3;

form_limits! {
    /// Of a payment that came in.
    incomingPayment {
        /// Characters of the bank's number.
        NUMBER: usize = 64,
    }
}

/// Names the field `bankSerial` of a form where it holds no bank's number of a payment, or none for a bank transfer.
pub fn check_number(check: &mut Check, number: Option<&str>, method: PayMethod) {
    let plain = number.unwrap_or_default().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let needed = say("银行转账需要流水号", "A bank transfer requires a transaction number");
    check
        .text("bankSerial", number.unwrap_or_default(), 0..=NUMBER)
        .that("bankSerial", plain, say("只能是字母、数字和 -", "Use only letters, digits and -"))
        .that("bankSerial", method != PayMethod::Bank || number.is_some(), needed);
}

/// The record that credits a payment, by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Receipt(i64),
    Recharge(i64),
    Order(i64),
    /// A payout to a partner that the bank sent back.
    PayoutReturn(i64),
}

impl Source {
    /// Its table and its id.
    fn key(self) -> (&'static str, i64) {
        match self {
            Source::Receipt(id) => ("receipt", id),
            Source::Recharge(id) => ("recharge", id),
            Source::Order(id) => ("payment_order", id),
            Source::PayoutReturn(id) => ("partner_payout", id),
        }
    }
}

/// A payment as the record that credits it describes it.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'i> {
    pub source: Source,
    pub payee_org_id: i64,
    /// The number of the bank or the provider, in any form.
    pub number: Option<&'i str>,
    /// 0 if it belongs to no organisation.
    pub org_id: i64,
    pub amount_cents: i64,
    /// Epoch milliseconds.
    pub paid_at: i64,
}

impl Incoming<'_> {
    fn number(&self) -> Option<String> {
        self.number.map(canonical::payment_no).filter(|number| !number.is_empty())
    }

    fn org_id(&self) -> Option<i64> {
        Some(self.org_id).filter(|id| *id != 0)
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
}

impl Other {
    /// Why its payment is not credited again.
    pub fn refusal(&self) -> Say {
        let no = &self.no;
        match self.source_table.as_str() {
            "receipt" => say(format!("该流水号已登记为收款单 {no}"), format!("This payment was entered as the receipt {no}")),
            "recharge" => say(format!("该流水号已登记为充值 {no}"), format!("This payment was entered as the recharge {no}")),
            "payment_order" => say(format!("该流水号已登记为支付订单 {no}"), format!("This payment was entered as the payment order {no}")),
            _ => say(format!("该流水号已登记为付款 {no} 的退回"), format!("This payment was entered as the return of the payout {no}")),
        }
    }
}

/// The answer of a reviewer on a payment to be credited.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// It is not the same payment as others with the same amount.
    pub is_another: bool,
    /// Ids of receipts that the reviewer has excluded already.
    pub excluded_receipts: &'a [i64],
}

/// Enters a payment that a reviewer confirms. Refuses one that another record has entered, at the field of its
/// number, and one that may be that of another record, unless the reviewer answers that it is not. Returns the audit
/// change of that answer.
pub async fn confirm(tx: &mut Connection, incoming: &Incoming<'_>, field: &str, answer: Answer<'_>, at: i64) -> Result<Option<Change>> {
    if let Some(other) = claim(&mut *tx, incoming, at).await? {
        return Err(ApiError::field(field, other.refusal()));
    }
    let mut others = alike(tx, incoming).await?;
    others.retain(|other| other.source_table != "receipt" || !answer.excluded_receipts.contains(&other.source_id));
    ask_about(others.iter().map(|other| (other.no.as_str(), other.paid_at)), answer.is_another)
}

/// Asks whether a payment is another one than those of other records, by their numbers and times, unless the reviewer
/// has answered that it is. Returns the audit change of that answer.
pub(super) fn ask_about<'o>(others: impl Iterator<Item = (&'o str, i64)>, is_another: bool) -> Result<Option<Change>> {
    ask_about_those_of(("该机构", "The organisation"), others, is_another)
}

/// The same for other records of an organisation or a channel, with these words for them.
pub(crate) fn ask_about_those_of<'o>(
    (chinese, english): (&str, &str),
    others: impl Iterator<Item = (&'o str, i64)>,
    is_another: bool,
) -> Result<Option<Change>> {
    let named: Vec<String> = others.take(MOST_NAMED).map(|(no, paid_at)| format!("{no} ({})", clock::day(paid_at))).collect();
    if named.is_empty() {
        return Ok(None);
    }
    match is_another {
        true => Ok(Some(Change { field: "anotherPayment".to_owned(), before: None, after: Some(named.join("、")) })),
        false => Err(ApiError::field(
            "anotherPayment",
            say(
                format!("{chinese} 30 天内有相同金额的记录：{}。请确认这是另一笔付款", named.join("、")),
                format!(
                    "{english} has records of the same amount within 30 days: {}. Confirm that this is another payment",
                    named.join(", ")
                ),
            ),
        )),
    }
}

/// Enters a payment for its record, which is locked, in the transaction that credits it. If another record has
/// entered the payment, returns that record and writes nothing.
pub async fn claim(tx: &mut Connection, incoming: &Incoming<'_>, at: i64) -> Result<Option<Other>> {
    let (table, id) = incoming.source.key();
    let number = incoming.number();
    for _ in 0..TRIES {
        // A failed INSERT would spoil the transaction on PostgreSQL.
        let entered = sqlx::query(
            "INSERT INTO incoming_payment (payee_org_id, number, org_id, amount_cents, paid_at, source_table, source_id, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
        )
        .bind(incoming.payee_org_id)
        .bind(number.as_deref())
        .bind(incoming.org_id())
        .bind(incoming.amount_cents)
        .bind(incoming.paid_at)
        .bind(table)
        .bind(id)
        .bind(at)
        .execute(&mut *tx)
        .await?;
        if entered.rows_affected() == 1 {
            return Ok(None);
        }
        if let Some(number) = &number
            && let Some(other) = by_number(&mut *tx, incoming.payee_org_id, number).await?
        {
            return Ok(Some(other).filter(|other| (other.source_table.as_str(), other.source_id) != (table, id)));
        }
        if has_entered(&mut *tx, incoming.source).await? {
            return Ok(None);
        }
        // The row in the way was released meanwhile.
    }
    Err(ApiError::Busy)
}

/// Releases the payment of a record that does not credit it any more: another record may enter it.
pub async fn release(tx: &mut Connection, source: Source) -> std::result::Result<(), sqlx::Error> {
    let (table, id) = source.key();
    sqlx::query("DELETE FROM incoming_payment WHERE source_table = $1 AND source_id = $2").bind(table).bind(id).execute(tx).await.map(drop)
}

/// The record that has entered a payee's payment, by its number in any form.
pub async fn by_number(tx: &mut Connection, payee_org_id: i64, number: &str) -> std::result::Result<Option<Other>, sqlx::Error> {
    let mut sql = Sql::new(ENTERED);
    sql.push(" WHERE i.payee_org_id = ").bind(payee_org_id).push(" AND i.number = ").bind(canonical::payment_no(number));
    sql.fetch_optional(tx).await?.as_ref().map(Other::from_row).transpose()
}

async fn has_entered(tx: &mut Connection, source: Source) -> std::result::Result<bool, sqlx::Error> {
    let (table, id) = source.key();
    let found = sqlx::query("SELECT 1 FROM incoming_payment i WHERE i.source_table = $1 AND i.source_id = $2").bind(table).bind(id);
    Ok(found.fetch_optional(tx).await?.is_some())
}

/// Payments that were entered, with the numbers of their records.
const ENTERED: &str = "SELECT i.source_table, i.source_id, COALESCE(t.no, g.no, y.no, w.payout_no, '') AS no, i.paid_at FROM incoming_payment i \
     LEFT JOIN receipt t ON i.source_table = 'receipt' AND t.id = i.source_id \
     LEFT JOIN recharge g ON i.source_table = 'recharge' AND g.id = i.source_id \
     LEFT JOIN payment_order y ON i.source_table = 'payment_order' AND y.id = i.source_id \
     LEFT JOIN partner_payout w ON i.source_table = 'partner_payout' AND w.id = i.source_id";

/// Other records of the organisation with the same amount within 30 days, the newest first: those that have entered their payment, and
/// receipts and recharges that wait.
async fn alike(tx: &mut Connection, incoming: &Incoming<'_>) -> std::result::Result<Vec<Other>, sqlx::Error> {
    let (table, id) = incoming.source.key();
    let (from, to) = (incoming.paid_at - NEAR, incoming.paid_at + NEAR);
    let near = |sql: &mut Sql, org: &'static str, amount: &'static str, at: &'static str| {
        sql.push(org).bind(incoming.org_id).push(amount).bind(incoming.amount_cents);
        sql.push(at).push(" BETWEEN ").bind(from).push(" AND ").bind(to);
    };
    let mut sql = Sql::new("SELECT a.source_table, a.source_id, a.no, a.paid_at FROM (");
    sql.push(ENTERED);
    near(&mut sql, " WHERE i.org_id = ", " AND i.amount_cents = ", " AND i.paid_at");
    sql.push(" UNION ALL SELECT 'receipt', w.id, w.no, w.paid_at FROM receipt w WHERE w.status = 'waiting' AND w.deleted_at IS NULL");
    near(&mut sql, " AND w.org_id = ", " AND w.amount_cents = ", " AND w.paid_at");
    sql.push(" UNION ALL SELECT 'recharge', p.id, p.no, p.created_at FROM recharge p WHERE p.status = 'pending'");
    near(&mut sql, " AND p.org_id = ", " AND p.amount_cents = ", " AND p.created_at");
    sql.push(") a WHERE NOT (a.source_table = ").bind(table).push(" AND a.source_id = ").bind(id);
    sql.push(") ORDER BY a.paid_at DESC, a.no LIMIT ").bind(MOST_ALIKE);
    sql.fetch_all(tx).await?.iter().map(Other::from_row).collect()
}
