//! The demo's statements of channels for the last month, and payouts, in each status. Beside its items each statement
//! has an adjustment by two people, so that small demos have something to pay.

use futures_util::FutureExt;
use jiff::ToSpan;
use sqlx::Row;

use super::actor;
use super::people::{Account, of_role};
use base::clock::{self, DAY, HOUR};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Stamp, Target};
use frame::api::{ApiError, App};
use frame::decision::{self, Verdict};
use trade::ledger::{incoming, outgoing};
use trade::partner::payout::model::{PayoutForm, PayoutRow, PayoutStatus};
use trade::partner::payout::store::Step;
use trade::partner::statement::model::{PartnerAdjustmentStatus, PartnerStatementRow, PartnerStatementStatus};
use trade::partner::statement::store::NewStatement;
use trade::partner::{payout, statement};

/// What is added to each statement, in fen.
const ADDED_CENTS: i64 = 600_000;
/// The statuses of the statements of the first channels.
const STATEMENTS: [PartnerStatementStatus; 5] = [
    PartnerStatementStatus::Confirmed,
    PartnerStatementStatus::Confirmed,
    PartnerStatementStatus::Sent,
    PartnerStatementStatus::Disputed,
    PartnerStatementStatus::Draft,
];
/// The payouts of the confirmed statements: their amounts and statuses.
const PAYOUTS: [&[(i64, PayoutStatus)]; 2] = [
    &[(200_000, PayoutStatus::Paid), (100_000, PayoutStatus::Approved), (50_000, PayoutStatus::Waiting), (40_000, PayoutStatus::Returned)],
    &[(300_000, PayoutStatus::Failed), (300_000, PayoutStatus::Paid), (80_000, PayoutStatus::Refused), (70_000, PayoutStatus::Withdrawn)],
];

/// Adds the statements of the first channels, and the payouts of those that are confirmed.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    app.db
        .transact(|mut tx| {
            async move {
                let payee: Option<i64> =
                    sqlx::query("SELECT MIN(id) AS id FROM payee_organisation WHERE status = 'enabled' AND deleted_at IS NULL")
                        .fetch_one(&mut **tx)
                        .await?
                        .try_get("id")?;
                let channels: Vec<i64> =
                    sqlx::query_scalar("SELECT id FROM channel WHERE mode = 'live' AND deleted_at IS NULL ORDER BY id LIMIT 5")
                        .fetch_all(&mut **tx)
                        .await?;
                let at = now - 12 * HOUR;
                for (index, (channel_id, status)) in channels.into_iter().zip(STATEMENTS).enumerate() {
                    let row = make(&mut tx, accounts, channel_id, index as i64, at).await?;
                    answer(&mut tx, accounts, &row, status, at + HOUR).await?;
                    let Some(payee) = payee else { continue };
                    for (number, payouts) in (0..).zip(PAYOUTS.get(index).copied().unwrap_or_default()) {
                        pay(&mut tx, accounts, (&row, payee), *payouts, (index as i64 * 10 + number, at + (3 + number) * HOUR)).await?;
                    }
                }
                Ok(())
            }
            .boxed()
        })
        .await
}

fn target(kind: &'static str, id: i64) -> Target {
    Target { module: Module::Finance, kind, id: Some(id) }
}

/// The statement of a channel for the last month, with all that it is owed up to the end of that month.
async fn make(tx: &mut Connection, accounts: &[Account], channel_id: i64, index: i64, at: i64) -> Result<PartnerStatementRow, ApiError> {
    let (by, reviewer) = (of_role(accounts, "operator"), of_role(accounts, "finance"));
    let ends = clock::day(at).first_of_month();
    let last_day = ends.saturating_sub(1.day()).to_string();
    let month = &last_day[..7];
    let new = NewStatement {
        no: &statement::number(month),
        channel_id,
        month,
        opening_cents: 0,
        carried_cents: 0,
        tax_bp: if index == 1 { 600 } else { 0 },
        by: Some(by.id),
        at,
    };
    let id = statement::store::insert(tx, &new).await?;
    statement::store::take(tx, id, channel_id, &last_day, clock::start(ends)).await?;
    statement::store::add_up(tx, id).await?;
    let row = statement::store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
    let stamp = |by: &Account, at: i64| Stamp { admin_id: by.id, at };
    let what = (ADDED_CENTS, "首月保底");
    let adjustment = statement::store::insert_adjustment(tx, &statement::adjustment_number(at), &row, what, stamp(by, at)).await?;
    let asked = statement::store::find_adjustment(&mut *tx, Scope::All, adjustment).await?.expect("it was just added");
    let matter = statement::adjustment_matter(&asked);
    decision::write_down(tx, &matter, Some(by.id), at).await?;
    decision::decide(tx, &matter, &Verdict { by: Some(reviewer.id), approve: true, note: None, at }).await?;
    statement::store::end_adjustment(tx, (adjustment, 1), PartnerAdjustmentStatus::Approved, None, stamp(reviewer, at)).await?;
    statement::post_adjustment(tx, &asked, at).await?;
    let row = statement::store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
    let changes = audit::changes(None::<&PartnerStatementRow>, Some(&row));
    audit::record(tx, &actor(by.id, by.role_id, at), target("partner_statement", id), Action::Create, &changes).await?;
    Ok(row)
}

/// Sends a statement and answers it, as its status requires. The link is not stored.
async fn answer(
    tx: &mut Connection,
    accounts: &[Account],
    row: &PartnerStatementRow,
    status: PartnerStatementStatus,
    at: i64,
) -> Result<(), ApiError> {
    if status == PartnerStatementStatus::Draft {
        return Ok(());
    }
    let by = of_role(accounts, "operator");
    let hash = base::crypto::sha256_hex(row.statement_no.as_bytes());
    let link = Some((hash.as_str(), at + 14 * DAY));
    statement::store::step(tx, (row.id, row.version), PartnerStatementStatus::Sent, link, Stamp { admin_id: by.id, at }).await?;
    if status != PartnerStatementStatus::Sent {
        let note = (status == PartnerStatementStatus::Disputed).then_some("少记两单，请核对");
        let answer = statement::store::Answer { status, note, ip: "203.0.113.77", user_agent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64)" };
        statement::store::answer(tx, (row.id, hash.as_str()), &answer, at + HOUR).await?;
    }
    let after = statement::store::find(&mut *tx, Scope::All, row.id).await?.expect("it is there");
    let changes = audit::changes(Some(row), Some(&after));
    Ok(audit::record(tx, &actor(by.id, by.role_id, at), target("partner_statement", row.id), Action::Update, &changes).await?)
}

/// A payout of a statement, up to its status.
async fn pay(
    tx: &mut Connection,
    accounts: &[Account],
    (statement, payee_org_id): (&PartnerStatementRow, i64),
    (amount_cents, status): (i64, PayoutStatus),
    (number, at): (i64, i64),
) -> Result<(), ApiError> {
    let (by, reviewer) = (of_role(accounts, "operator"), of_role(accounts, "finance"));
    let stamp = |by: &Account, at: i64| Stamp { admin_id: by.id, at };
    // Returned items may have left less.
    let Some(tax_cents) = payout::store::take(tx, statement.id, amount_cents).await? else { return Ok(()) };
    let form = PayoutForm { statement_id: statement.id, payee_org_id, amount_cents, remark: None, another_payment: None };
    let id = payout::store::insert(tx, &payout::number(at), (statement.channel_id, tax_cents), &form, None, stamp(by, at)).await?;
    let row = payout::store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
    let target = target("partner_payout", id);
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Create, &audit::changes(None::<&PayoutRow>, Some(&row))).await?;
    decision::write_down(tx, &payout::matter(&row), Some(by.id), at).await?;
    match status {
        PayoutStatus::Waiting => return Ok(()),
        PayoutStatus::Withdrawn => {
            decision::withdraw(tx, "partner_payout", id, at).await?;
            payout::store::step(tx, (id, 1), status, &Step::Withdrawn, stamp(by, at)).await?;
            payout::store::give_back(tx, &row).await?;
        }
        _ => {
            let approve = status != PayoutStatus::Refused;
            let note = (!approve).then_some("金额与合同不符");
            decision::decide(tx, &payout::matter(&row), &Verdict { by: Some(reviewer.id), approve, note, at }).await?;
            let to = if approve { PayoutStatus::Approved } else { PayoutStatus::Refused };
            payout::store::step(tx, (id, 1), to, &Step::Decided(note), stamp(reviewer, at)).await?;
            match approve {
                true => payout::post(tx, id, at).await?,
                false => payout::store::give_back(tx, &row).await?,
            }
        }
    }
    if matches!(status, PayoutStatus::Paid | PayoutStatus::Returned) {
        let paid = format!("{:014}", 40_260_000_000_000 + number);
        outgoing::claim(tx, &payout::payment_of(&row, Some(&paid), at)).await?;
        payout::store::step(tx, (id, 2), PayoutStatus::Paid, &Step::Paid(Some(&paid), at, Some(by.id)), stamp(by, at)).await?;
        payout::store::count_paid(tx, &row).await?;
        payout::post(tx, id, at).await?;
    }
    if status == PayoutStatus::Returned {
        let back = format!("{:014}", 40_261_000_000_000 + number);
        incoming::claim(tx, &payout::return_of(&row, &back, at), at).await?;
        outgoing::returned(tx, "partner_payout", id, at).await?;
        payout::store::step(tx, (id, 3), status, &Step::Returned(&back, at, "收款账号已注销"), stamp(reviewer, at)).await?;
        payout::store::give_back_paid(tx, &row).await?;
        payout::post(tx, id, at).await?;
    }
    if status == PayoutStatus::Failed {
        payout::store::step(tx, (id, 2), status, &Step::Failed("收款账号不符，银行退回"), stamp(by, at)).await?;
        payout::store::give_back(tx, &row).await?;
        payout::post_failed(tx, id, at).await?;
    }
    let after = payout::store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
    let changes = audit::changes(Some(&row), Some(&after));
    let who = if status == PayoutStatus::Withdrawn { by } else { reviewer };
    Ok(audit::record(tx, &actor(who.id, who.role_id, at), target, Action::Money, &changes).await?)
}
