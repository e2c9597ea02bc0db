//! `GET /finance/overview`: an overview of the money of the accounts within the viewer's scope: movements of this
//! month, balances, and movements of each of the last twelve months.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::Serialize;
use sqlx::Row;

use crate::finance::statement;
use base::clock;
use base::db::{Db, Sql};
use frame::access::{Scope, ScopeColumns};
use frame::api::chart::{Chart, ChartKind, Series};
use frame::api::{Ctx, Nothing, Result};

/// Months of the chart, this one included.
const MONTHS: i64 = 12;

/// Who sees the money: the organisation, and its account manager.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: None, myself: None };

/// An overview of the money, in fen.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FinanceOverview {
    /// The first day of this month, and today, `YYYY-MM-DD`.
    pub first_day: String,
    pub last_day: String,
    /// Movements of this month so far.
    pub month: MoneyMoved,
    pub holds: MoneyHeld,
    pub charts: Vec<Chart>,
}

/// Movements in some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MoneyMoved {
    /// What was paid, before reversals.
    pub recharge_cents: i64,
    pub gift_cents: i64,
    /// The cost of leads, before refunds.
    pub spend_cents: i64,
    /// The cost of products' visitors.
    pub visit_cents: i64,
    pub refund_cents: i64,
    /// Below zero: recharges and gifts that were taken back.
    pub reversal_cents: i64,
}

/// Balances of the accounts now.
#[derive(Clone, Copy, Debug, Default, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MoneyHeld {
    /// The balances above zero, including gifts.
    pub balance_cents: i64,
    pub gift_cents: i64,
    /// On hold for leads on their way.
    pub frozen_cents: i64,
    /// The balances below zero, as debts of organisations.
    pub owed_cents: i64,
}

/// Returns [`FinanceOverview`].
pub async fn view(cx: Arc<Ctx>, _: Nothing) -> Result<FinanceOverview> {
    let (db, scope) = (cx.db(), cx.viewer()?.scope());
    let today = clock::day(cx.now);
    let first = today.first_of_month();
    let (months, holds) = tokio::try_join!(months(db, scope, first), held(db, scope))?;
    let series = |name: &str, value: fn(&Month) -> i64| Series {
        name: name.to_owned(),
        // Whole yuan.
        values: months.values().map(|month| value(month) / 100).collect(),
    };
    let pick = |chinese, english| cx.locale.pick(chinese, english);
    let chart = Chart {
        id: "finance-months",
        title: pick("近 12 个月（元）", "Last 12 months (CNY)").to_owned(),
        kind: ChartKind::Line,
        axis: pick("月份", "Month").to_owned(),
        labels: months.keys().cloned().collect(),
        series: vec![
            series(pick("充值（减冲正）", "Recharged, less reversals"), |month| month.recharged_cents),
            series(pick("消费", "Spent"), |month| month.moved.spend_cents + month.moved.visit_cents),
            series(pick("退款", "Refunded"), |month| month.moved.refund_cents),
        ],
        colors: Vec::new(),
    };
    let month = months.values().next_back().map(|month| month.moved).unwrap_or_default();
    Ok(FinanceOverview { first_day: first.to_string(), last_day: today.to_string(), month, holds, charts: vec![chart] })
}

/// Movements of a month, and the paid amounts less reversals.
#[derive(Clone, Copy, Default)]
struct Month {
    moved: MoneyMoved,
    recharged_cents: i64,
}

/// Movements of each of the last months, by `YYYY-MM`: closed months from their statements, the others from the
/// ledger.
async fn months(db: &Db, scope: Scope, this: Date) -> std::result::Result<BTreeMap<String, Month>, sqlx::Error> {
    let name = |first: Date| first.to_string()[..7].to_owned();
    let firsts: Vec<Date> = (0..MONTHS).rev().map(|back| this.saturating_sub(back.months())).collect();
    let mut all: BTreeMap<String, Month> = firsts.iter().map(|first| (name(*first), Month::default())).collect();
    let closed = statement::store::last_closed(db.read()).await?.unwrap_or_default();
    let mut sql = Sql::new(
        "SELECT m.month, CAST(SUM(m.recharge_cents) AS BIGINT) AS recharged, CAST(SUM(m.spend_cents) AS BIGINT) AS spent, \
           CAST(SUM(m.refund_cents) AS BIGINT) AS refunded FROM org_statement m JOIN organisation o ON o.id = m.org_id WHERE m.month >= ",
    );
    sql.bind(name(firsts[0]));
    scope.apply(&mut sql, SCOPE);
    sql.push(" GROUP BY m.month");
    // A statement includes visits in its spending.
    for row in sql.fetch_all(db.read()).await? {
        let month = all.entry(row.try_get("month")?).or_default();
        month.recharged_cents = row.try_get("recharged")?;
        month.moved.spend_cents = row.try_get("spent")?;
        month.moved.refund_cents = row.try_get("refunded")?;
    }
    let open: Vec<Date> = firsts.into_iter().filter(|first| name(*first) > closed).collect();
    let Some(oldest) = open.first() else { return Ok(all) };
    // Months are distinguished by when they begin: entries have times and no days.
    let mut sql = Sql::new("SELECT CASE");
    for first in open.iter().rev() {
        sql.push(" WHEN l.at >= ").bind(clock::start(*first)).push(" THEN ").bind(name(*first));
    }
    sql.push(
        " END AS month, l.type, CAST(CASE WHEN l.gift_part_cents = 0 THEN 0 ELSE 1 END AS BIGINT) AS gift, CAST(SUM(l.amount_cents) AS BIGINT) AS cents \
         FROM account_ledger l JOIN org_account a ON a.id = l.account_id JOIN organisation o ON o.id = a.org_id \
         LEFT JOIN (SELECT org_id, MAX(last_seq) AS last_seq FROM org_statement GROUP BY org_id) s ON s.org_id = a.org_id \
         WHERE l.seq > COALESCE(s.last_seq, 0) AND l.at >= ",
    );
    // Entries of a statement are not counted again, whatever their time.
    sql.bind(clock::start(*oldest));
    scope.apply(&mut sql, SCOPE);
    sql.push(" GROUP BY 1, 2, 3");
    for row in sql.fetch_all(db.read()).await? {
        let (cents, gift): (i64, i64) = (row.try_get("cents")?, row.try_get("gift")?);
        let Month { moved, recharged_cents } = all.entry(row.try_get("month")?).or_default();
        match row.try_get::<&str, _>("type")? {
            "recharge" => {
                moved.recharge_cents += cents;
                *recharged_cents += cents;
            }
            "gift" => moved.gift_cents += cents,
            "lead_sale" => moved.spend_cents -= cents,
            "visit_charge" => moved.visit_cents -= cents,
            "refund" => moved.refund_cents += cents,
            "reversal" => {
                moved.reversal_cents += cents;
                *recharged_cents += if gift == 0 { cents } else { 0 };
            }
            _ => {}
        }
    }
    Ok(all)
}

async fn held(db: &Db, scope: Scope) -> std::result::Result<MoneyHeld, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT CAST(COALESCE(SUM(CASE WHEN a.balance_cents > 0 THEN a.balance_cents ELSE 0 END), 0) AS BIGINT) AS balance, \
           CAST(COALESCE(SUM(CASE WHEN a.balance_cents < 0 THEN -a.balance_cents ELSE 0 END), 0) AS BIGINT) AS owed, \
           CAST(COALESCE(SUM(a.gift_cents), 0) AS BIGINT) AS gift, CAST(COALESCE(SUM(a.frozen_cents), 0) AS BIGINT) AS frozen \
         FROM org_account a JOIN organisation o ON o.id = a.org_id WHERE o.deleted_at IS NULL",
    );
    scope.apply(&mut sql, SCOPE);
    let row = sql.fetch_optional(db.read()).await?.ok_or(sqlx::Error::RowNotFound)?;
    Ok(MoneyHeld {
        balance_cents: row.try_get("balance")?,
        gift_cents: row.try_get("gift")?,
        frozen_cents: row.try_get("frozen")?,
        owed_cents: row.try_get("owed")?,
    })
}
