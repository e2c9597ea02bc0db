//! Items of amounts owed to partners: one for each event that changes them. An item and its transfer in the journal
//! are written together, only here.

use serde::Serialize;
use sqlx::{Any, Executor, Row};

use crate::ledger::journal::{self, Source};
use base::codes;
use base::db::{self, Connection, Sql};

codes! {
    /// The reason of an amount owed to a partner, or by a partner.
    pub enum PartnerItemKind {
        /// All visitors of a day.
        Visit("访问", "Visits"),
        /// An application.
        Registered("注册", "Registration"),
        /// The first accepted lead of an applicant.
        Sold("成单", "Sale"),
        /// A confirmed loan in which the channel has a share.
        Share("放款分成", "Share of a loan"),
        /// A returned lead, charged to the channel.
        Returned("退单", "Return"),
        /// The money of such a loan was voided.
        ShareBack("分成退回", "Share taken back"),
        /// A correction of a statement, decided by two people.
        Adjust("调整", "Adjustment"),
    }
}

/// An event that changes the amount owed.
#[derive(Clone, Debug)]
pub struct Item {
    pub channel_id: i64,
    pub kind: PartnerItemKind,
    /// Fen; below zero if it reduces the amount.
    pub amount_cents: i64,
    /// The day on which it counts, `YYYY-MM-DD`.
    pub day: String,
    /// Its applicant; none for visits.
    pub user_id: Option<i64>,
    pub plan_id: Option<i64>,
    pub org_id: Option<i64>,
    /// The money of a clue, for shares.
    pub money_id: Option<i64>,
    /// How many visitors, for visits.
    pub visitors: i64,
    /// The statement of a correction.
    pub statement_id: Option<i64>,
    /// There is one item for each key.
    pub idem_key: String,
}

/// The whole amount owed to a channel, in fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Payable {
    /// The sum of all items.
    pub payable_cents: i64,
    /// Paid so far, including withheld tax.
    pub paid_cents: i64,
    /// Still to be paid.
    pub open_cents: i64,
}

/// Books items at a moment, each with its transfer, and returns their sum in fen. Items whose key exists, and items
/// of 0, are skipped.
pub async fn book(tx: &mut Connection, items: &[Item], at: i64) -> Result<i64, sqlx::Error> {
    let items: Vec<&Item> = items.iter().filter(|item| item.amount_cents != 0).collect();
    let mut sum = 0;
    for some in db::pieces(&items) {
        let mut sql = Sql::new(
            "INSERT INTO partner_item (channel_id, kind, amount_cents, day, at, user_id, plan_id, org_id, money_id, visitors, statement_id, idem_key) VALUES ",
        );
        for (index, item) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(item.channel_id);
            sql.then(<&str>::from(item.kind)).then(item.amount_cents).then(item.day.clone()).then(at);
            sql.then(item.user_id).then(item.plan_id).then(item.org_id).then(item.money_id).then(item.visitors);
            sql.then(item.statement_id).then(item.idem_key.clone()).push(")");
        }
        sql.push(" ON CONFLICT (idem_key) DO NOTHING RETURNING id, amount_cents");
        let mut ids = Vec::new();
        for row in sql.fetch_all(&mut *tx).await? {
            ids.push(row.try_get("id")?);
            sum += row.try_get::<i64, _>("amount_cents")?;
        }
        if !ids.is_empty() {
            journal::enter_all(tx, Source::Item, &ids).await?;
        }
    }
    Ok(sum)
}

/// The whole amount owed to a channel: the sum of its items, and other movements in the journal.
pub async fn payable<'e>(on: impl Executor<'e, Database = Any>, channel_id: i64) -> Result<Payable, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT CAST(COALESCE(SUM(CASE s.ref_type WHEN 'partner_item' THEN s.cents ELSE 0 END), 0) AS BIGINT) AS payable, \
           CAST(COALESCE(SUM(CASE s.ref_type WHEN 'partner_item' THEN 0 ELSE -s.cents END), 0) AS BIGINT) AS paid FROM ( \
         SELECT t.ref_type, t.amount_cents AS cents FROM journal_transfer t \
           WHERE t.credit_kind = 'channel_payable' AND t.status = 'posted' AND t.credit_owner = ",
    );
    sql.bind(channel_id).push(
        " UNION ALL SELECT t.ref_type, -t.amount_cents FROM journal_transfer t \
           WHERE t.debit_kind = 'channel_payable' AND t.status = 'posted' AND t.debit_owner = ",
    );
    sql.bind(channel_id).push(") s");
    let Some(row) = sql.fetch_optional(on).await? else { return Ok(Payable::default()) };
    let (payable_cents, paid_cents): (i64, i64) = (row.try_get("payable")?, row.try_get("paid")?);
    Ok(Payable { payable_cents, paid_cents, open_cents: payable_cents - paid_cents })
}

/// When all amounts from before there were items were entered; none while they are not.
pub async fn complete_since<'e>(on: impl Executor<'e, Database = Any>) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT upto FROM partner_progress WHERE source = 'done'").fetch_optional(on).await
}

/// Puts all items of a channel up to a day, `YYYY-MM-DD`, that are on no statement on this one.
pub async fn put_on_statement(tx: &mut Connection, statement_id: i64, channel_id: i64, last_day: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE partner_item SET statement_id = $1 WHERE channel_id = $2 AND statement_id IS NULL AND day <= $3")
        .bind(statement_id)
        .bind(channel_id)
        .bind(last_day)
        .execute(tx)
        .await
        .map(drop)
}
