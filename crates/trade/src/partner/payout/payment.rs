//! The payment of a payout: entered as paid, as failed, or as sent back by the bank.

use std::sync::Arc;

use futures_util::FutureExt;

use super::list::TARGET;
use super::model::{PayoutFailure, PayoutPayment, PayoutReturn, PayoutRow, PayoutStatus};
use super::notices;
use super::record::{BANK_NUMBER, MOST_PROOFS, NAME, PROOF, held};
use super::store::{self, Step};
use crate::ledger::incoming::{self, Incoming};
use crate::ledger::journal::{self, Source};
use crate::ledger::outgoing::{self, Outgoing};
use crate::ledger::proofs;
use base::canonical;
use base::clock::{self, DAY};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::Action;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, Result, check_step, say};
use frame::decision;

/// `PUT /partner/payout/paid`: the bank has made the transfer.
pub async fn paid(cx: Arc<Ctx>, Body(body): Body<PayoutPayment>) -> Result<PayoutRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = held(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, PayoutStatus::Paid, NAME)?;
                let number = canonical::payment_no(&body.bank_number);
                check_payment(&before, body, &number, cx.now)?;
                if !proofs::take(&mut tx, (TARGET.kind, before.id), &PROOF, &body.proof_file_ids, (viewer.id, cx.now)).await? {
                    return Err(no_proof());
                }
                let written = claim_number(&mut tx, &before, &number, body.paid_at, cx).await?;
                if written {
                    store::count_paid(&mut tx, &before).await?;
                    post(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_as_within(cx, &mut tx, before, written, Action::Money).await
            }
            .boxed()
        })
        .await
}

fn check_payment(row: &PayoutRow, body: &PayoutPayment, number: &str, now: i64) -> Result<()> {
    // The day of approval counts whole: banks round the time of a transfer.
    let first = row.reviewed_at.map_or(0, |at| clock::start(clock::day(at)));
    check_number(&mut Check::new(), number)
        .that(
            "paidAt",
            (first..=now).contains(&body.paid_at) && body.paid_at > now - 400 * DAY,
            say("付款时间应在审核之后且不晚于现在", "Between the approval and now"),
        )
        .that("proofFileIds", body.proof_file_ids.len() <= MOST_PROOFS, most_proofs())
        .done()
}

pub fn most_proofs() -> api::Say {
    say("最多 5 个", "At most 5")
}

pub fn no_proof() -> ApiError {
    ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the proof again"))
}

/// Names the field of the bank's number where it holds none.
pub fn check_number<'c>(check: &'c mut Check, number: &str) -> &'c mut Check {
    let plain = number.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    check.text("bankNumber", number, 1..=BANK_NUMBER).that(
        "bankNumber",
        plain,
        say("只能是字母、数字和 -", "Use only letters, digits and -"),
    )
}

/// The payment by which a payout is made.
pub fn payment_of<'n>(row: &PayoutRow, number: Option<&'n str>, paid_at: i64) -> Outgoing<'n> {
    Outgoing {
        payee_org_id: row.payee_org_id,
        number,
        org_id: None,
        amount_cents: row.amount_cents,
        paid_at,
        source_table: TARGET.kind,
        source_id: row.id,
    }
}

/// Marks a payout as paid by a transfer with this number, which no other payment of the payee has; returns whether there was the payout
/// in its version.
async fn claim_number(tx: &mut Connection, row: &PayoutRow, number: &str, paid_at: i64, cx: &Ctx) -> Result<bool> {
    if let Some(other) = outgoing::claim(&mut *tx, &payment_of(row, Some(number), paid_at)).await? {
        return Err(ApiError::field("bankNumber", other.refusal()));
    }
    let step = Step::Paid(Some(number), paid_at, Some(cx.viewer()?.id));
    Ok(store::step(tx, row.key(), PayoutStatus::Paid, &step, cx.stamp()?).await?)
}

/// Marks a payout from before the books, which was just approved, as paid by the payment that was asked for with it.
pub async fn enter_made(tx: &mut Connection, row: &PayoutRow, cx: &Ctx) -> Result<()> {
    let (number, paid_at) = (row.bank_number.as_deref(), row.paid_at.unwrap_or_default());
    if let Some(other) = outgoing::claim(&mut *tx, &payment_of(row, number, paid_at)).await? {
        return Err(ApiError::State(other.refusal()));
    }
    let step = Step::Paid(number, paid_at, row.created_by);
    store::step(&mut *tx, (row.id, row.version + 1), PayoutStatus::Paid, &step, cx.stamp()?).await?;
    store::count_paid(&mut *tx, row).await?;
    post(tx, row.id, cx.now).await
}

/// `PUT /partner/payout/failed`: the bank has not made the transfer. Its amount can be paid again.
pub async fn failed(cx: Arc<Ctx>, Body(body): Body<PayoutFailure>) -> Result<PayoutRow> {
    cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = held(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, PayoutStatus::Failed, NAME)?;
                let failure = body.failure.trim();
                Check::new().text("failure", failure, 1..=decision::REASON).done()?;
                let written = store::step(&mut tx, before.key(), PayoutStatus::Failed, &Step::Failed(failure), cx.stamp()?).await?;
                if written {
                    store::give_back(&mut tx, &before).await?;
                    post_failed(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_as_within(cx, &mut tx, before, written, Action::Money).await
            }
            .boxed()
        })
        .await
}

/// `PUT /partner/payout/returned`: the bank has sent the transfer back. Another person than the one who entered the payment enters it.
/// The amount can be paid again.
pub async fn returned(cx: Arc<Ctx>, Body(body): Body<PayoutReturn>) -> Result<PayoutRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = held(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, PayoutStatus::Returned, NAME)?;
                if before.paid_by == Some(viewer.id) {
                    return Err(ApiError::State(say(
                        "不能登记自己所登记付款的退回",
                        "You cannot enter the return of a payment that you entered",
                    )));
                }
                let (number, reason) = (canonical::payment_no(&body.bank_number), body.reason.trim());
                check_return(&before, body, &number, cx.now)?;
                let payment = return_of(&before, &number, body.returned_at);
                if let Some(other) = incoming::claim(&mut tx, &payment, cx.now).await? {
                    return Err(ApiError::field("bankNumber", other.refusal()));
                }
                let step = Step::Returned(&number, body.returned_at, reason);
                let written = store::step(&mut tx, before.key(), PayoutStatus::Returned, &step, cx.stamp()?).await?;
                if written {
                    outgoing::returned(&mut tx, TARGET.kind, before.id, body.returned_at).await?;
                    store::give_back_paid(&mut tx, &before).await?;
                    post(&mut tx, before.id, cx.now).await?;
                    let after = store::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
                    notices::returned(&mut tx, &after, viewer.id, cx.now).await?;
                }
                versioned::changed_as_within(cx, &mut tx, before, written, Action::Money).await
            }
            .boxed()
        })
        .await
}

fn check_return(row: &PayoutRow, body: &PayoutReturn, number: &str, now: i64) -> Result<()> {
    let paid_at = row.paid_at.unwrap_or_default();
    check_number(&mut Check::new(), number)
        .that(
            "returnedAt",
            (paid_at..=now).contains(&body.returned_at),
            say("退回时间应在付款之后且不晚于现在", "Between the payment and now"),
        )
        .text("reason", body.reason.trim(), 1..=decision::REASON)
        .done()
}

/// The payment by which the money of a payout comes back.
pub fn return_of<'n>(row: &PayoutRow, number: &'n str, returned_at: i64) -> Incoming<'n> {
    Incoming {
        source: incoming::Source::PayoutReturn(row.id),
        payee_org_id: row.payee_org_id,
        number: Some(number),
        org_id: 0,
        amount_cents: row.amount_cents,
        paid_at: returned_at,
    }
}

/// Enters the transfers of a payout as it is now: pending when it is approved, posted when it is paid, and posted the other way when it
/// is returned.
pub async fn post(tx: &mut Connection, id: i64, at: i64) -> Result<()> {
    Ok(journal::enter(tx, Source::Payout, id, at).await?)
}

/// Ends the pending transfers of a payout without moving anything.
pub async fn post_failed(tx: &mut Connection, id: i64, at: i64) -> Result<()> {
    Ok(journal::void(tx, TARGET.kind, id, at).await?)
}
