//! Asks for a payout of a statement, or enters one that was paid before channels had books.

use std::sync::Arc;

use futures_util::FutureExt;

use super::list::TARGET;
use super::model::{OpeningPayoutForm, PayoutForm, PayoutRow};
use super::payment::{check_number, most_proofs, no_proof};
use super::record::{MOST_PROOFS, PROOF, REMARK, matter, number};
use super::{notices, store};
use crate::ledger::outgoing::{self, Outgoing};
use crate::ledger::partner_items::complete_since;
use crate::ledger::{incoming, proofs};
use crate::org::payee;
use crate::partner::lock_channel;
use crate::partner::statement::model::{PartnerStatementRow, PartnerStatementStatus};
use crate::partner::statement::store as statements;
use base::db::Tx;
use base::{canonical, clock};
use frame::access::Scope;
use frame::access::audit::Change;
use frame::api::check::present;
use frame::api::{self, ApiError, Body, Check, Ctx, Result, say, versioned};
use frame::{decision, terms};

/// Highest amount, in fen: a hundred million yuan.
const MOST_CENTS: i64 = 10_000_000_000;
/// First day of a payment that was made before the books.
const FIRST_DAY: &str = "2000-01-01";

/// `POST /partner/payout`: asks for a payout of a confirmed statement, of all that is left of it or a part; another person approves it.
pub async fn create(cx: Arc<Ctx>, Body(form): Body<PayoutForm>) -> Result<PayoutRow> {
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let statement = held_statement(cx, &mut tx, form.statement_id).await?;
                check_form(&mut Check::new(), form).done()?;
                check_payable(cx, &mut tx, &statement, form).await?;
                let others = store::alike(&mut tx, statement.channel_id, form.amount_cents, cx.now).await?;
                let Some(tax_cents) = store::take(&mut tx, statement.id, form.amount_cents).await? else {
                    return Err(ApiError::field("amountCents", shortage(&statement)));
                };
                let id = store::insert(&mut tx, &number(cx.now), (statement.channel_id, tax_cents), form, None, cx.stamp()?).await?;
                asked(cx, &mut tx, id, (form, tax_cents), &others).await
            }
            .boxed()
        })
        .await
}

/// `POST /partner/payout/opening`: enters a payment to a channel that was made before channels had books, as a payout of a confirmed
/// statement. It is paid as soon as another person approves it.
pub async fn open(cx: Arc<Ctx>, Body(form): Body<OpeningPayoutForm>) -> Result<PayoutRow> {
    let viewer = cx.viewer()?;
    let made = PayoutForm {
        statement_id: form.statement_id,
        payee_org_id: form.payee_org_id,
        amount_cents: form.amount_cents,
        remark: form.remark.clone(),
        another_payment: form.another_payment,
    };
    let bank_number = present(form.bank_number.as_deref().map(canonical::payment_no));
    let (cx, form, made, bank_number) = (&*cx, &form, &made, bank_number.as_deref());
    cx.db()
        .transact(|mut tx| {
            async move {
                let statement = held_statement(cx, &mut tx, form.statement_id).await?;
                let paid_at = check_made((form, made), bank_number, complete_since(&mut **tx).await?)?;
                check_payable(cx, &mut tx, &statement, made).await?;
                let payment = Outgoing {
                    payee_org_id: form.payee_org_id,
                    number: bank_number,
                    org_id: None,
                    amount_cents: form.amount_cents,
                    paid_at,
                    source_table: TARGET.kind,
                    source_id: 0,
                };
                if let Some(other) = outgoing::entered(&mut tx, &payment).await? {
                    return Err(ApiError::field("bankNumber", other.refusal()));
                }
                let others = store::alike(&mut tx, statement.channel_id, form.amount_cents, paid_at).await?;
                if !store::take_paid(&mut tx, statement.id, (form.amount_cents, form.tax_cents)).await? {
                    return Err(match form.amount_cents > statement.net_cents - statement.asked_cents {
                        true => ApiError::field("amountCents", shortage(&statement)),
                        false => ApiError::field(
                            "taxCents",
                            say("超过该对账单尚未代扣的税款", "More than the tax of the statement that is left to withhold"),
                        ),
                    });
                }
                let key = (statement.channel_id, form.tax_cents);
                let id = store::insert(&mut tx, &number(cx.now), key, made, Some((paid_at, bank_number)), cx.stamp()?).await?;
                if !proofs::take(&mut tx, (TARGET.kind, id), &PROOF, &form.proof_file_ids, (viewer.id, cx.now)).await? {
                    return Err(no_proof());
                }
                asked(cx, &mut tx, id, (made, form.tax_cents), &others).await
            }
            .boxed()
        })
        .await
}

/// The statement of a payout that is asked for, held after its channel.
async fn held_statement(cx: &Ctx, tx: &mut Tx, id: i64) -> Result<PartnerStatementRow> {
    let found = statements::find(&mut **tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    lock_channel(cx.db(), tx, found.channel_id).await?;
    versioned::hold_as_platform_staff::<PartnerStatementRow>(cx, tx, id).await
}

fn check_form<'c>(check: &'c mut Check, form: &PayoutForm) -> &'c mut Check {
    check.range("amountCents", form.amount_cents, 1..=MOST_CENTS).text(
        "remark",
        form.remark.as_deref().unwrap_or_default().trim(),
        0..=REMARK,
    )
}

/// The moment of a payment that was made before the books were complete, at the given moment.
fn check_made((form, made): (&OpeningPayoutForm, &PayoutForm), bank_number: Option<&str>, complete_since: Option<i64>) -> Result<i64> {
    let last = complete_since.ok_or_else(|| {
        ApiError::State(say("升级前的渠道明细尚未补录完成", "The items of channels from before the upgrade are not all entered yet"))
    })?;
    let paid_at = clock::day_start(&form.day).unwrap_or_default();
    let day = clock::day(last);
    let mut check = Check::new();
    check_form(&mut check, made)
        .range("taxCents", form.tax_cents, 0..=MOST_CENTS)
        .that(
            "day",
            (clock::day_start(FIRST_DAY).unwrap_or_default()..=last).contains(&paid_at),
            say(format!("应为渠道账务补录完成（{day}）之前的日期"), format!("A day before the books of channels were complete ({day})")),
        )
        .that("proofFileIds", form.proof_file_ids.len() <= MOST_PROOFS, most_proofs());
    match bank_number {
        Some(number) => drop(check_number(&mut check, number)),
        None => {
            let is_said = form.remark.as_deref().is_some_and(|remark| !remark.trim().is_empty());
            check.that("remark", is_said, say("没有流水号时请说明如何付款", "Without a bank number, say how it was paid"));
        }
    }
    check.done()?;
    Ok(paid_at)
}

async fn check_payable(cx: &Ctx, tx: &mut Tx, statement: &PartnerStatementRow, form: &PayoutForm) -> Result<()> {
    if statement.status != PartnerStatementStatus::Confirmed {
        return Err(ApiError::State(say("对账单未经渠道确认，不能付款", "The partner has not confirmed the statement: nothing is paid")));
    }
    payee::check_choice_of(tx, cx.viewer()?.scope(), form.payee_org_id).await
}

/// Ends the request for a payout that was added: no more than is payable to the channel, not asked for twice, and written down for the
/// person who decides.
async fn asked(cx: &Ctx, tx: &mut Tx, id: i64, (form, tax_cents): (&PayoutForm, i64), others: &[(String, i64)]) -> Result<PayoutRow> {
    let by = cx.viewer()?.id;
    let row = store::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    let free = store::free(tx, row.channel_id).await?;
    if free < 0 {
        return Err(ApiError::field("amountCents", uncovered(free + form.amount_cents + tax_cents)));
    }
    let more = ask_about(others, form.another_payment)?;
    decision::write_down(tx, &matter(&row), Some(by), cx.now).await?;
    notices::waits(tx, &row, by, cx.now).await?;
    versioned::created_with_within(cx, tx, id, more.into_iter().collect()).await
}

/// Asks whether a payout is another one than those of the same amount, unless the form says that it is. Returns the entry for the trail.
fn ask_about(others: &[(String, i64)], is_another: Option<bool>) -> Result<Option<Change>> {
    let others = others.iter().map(|(no, at)| (no.as_str(), *at));
    incoming::ask_about_those_of(("该渠道", "The channel"), others, is_another == Some(true))
}

/// Why a payout is not asked for.
fn shortage(statement: &PartnerStatementRow) -> api::Say {
    let left = terms::yuan((statement.net_cents - statement.asked_cents).max(0));
    say(format!("该对账单还可付 {left} 元"), format!("Only {left} CNY of the statement are left to pay"))
}

/// Why a payout is not made of a channel to which less is payable in all: leads may have been returned, or a later statement is below
/// zero. `left` is what is payable and not held by other payouts, in fen.
pub fn uncovered(left: i64) -> api::Say {
    let left = terms::yuan(left.max(0));
    say(format!("该渠道目前只有 {left} 元可付（含税）"), format!("Only {left} CNY, tax included, are payable to the channel now"))
}
