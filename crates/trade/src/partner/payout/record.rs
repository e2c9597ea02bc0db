//! One payout: seen, withdrawn and decided on. What it takes of its statement is taken with the request, and given back when nothing comes
//! of it or its money comes back. The channel is locked first, then the statement is held, then its payout, everywhere.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::list::TARGET;
use super::model::{OpeningPayoutForm, PayoutFailure, PayoutForm, PayoutPayment, PayoutReturn, PayoutRow, PayoutStatus, PayoutVersion};
use super::notices;
use super::store::{self, Step};
use crate::ledger::incoming::{self, Incoming};
use crate::ledger::journal::{self, Source};
use crate::ledger::outgoing::{self, Outgoing};
use crate::ledger::partner_items::complete_since;
use crate::ledger::proofs;
use crate::org::payee;
use crate::partner::lock_channel;
use crate::partner::statement::model::{PartnerStatementRow, PartnerStatementStatus};
use crate::partner::statement::store as statements;
use base::clock::DAY;
use base::db::{Connection, Tx};
use base::locale::Locale;
use base::{canonical, clock, crypto};
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::check::present;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, Id, Result, check_step, say};
use frame::decision::{self, DecisionAction, DecisionForm, Matter, Verdict};
use frame::{terms, upload};

/// What its messages call it.
const NAME: (&str, &str) = ("付款", "payout");
/// Highest amount, in fen: a hundred million yuan.
const MOST_CENTS: i64 = 10_000_000_000;
/// Longest note on a decision, remark and reason of a failure.
const LONGEST_NOTE: usize = 200;
/// Longest number of a bank.
const LONGEST_NUMBER: usize = 64;
/// Most files that prove a transfer.
const MOST_PROOFS: usize = 5;
/// First day of a payment that was made before the books.
const FIRST_DAY: &str = "2000-01-01";

/// Files that prove a transfer: those who see the payout see them.
pub const PROOF: upload::Rule = upload::Rule { biz_type: "payout_proof", pictures_only: false, masks_names: false, sees: sees_proof };

fn sees_proof(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("finance/partner/list") && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for PayoutRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PayoutRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn diff(before: Option<&PayoutRow>, after: Option<&PayoutRow>) -> Vec<Change> {
        let mut changes = audit::changes(before, after);
        changes.retain(|change| {
            !["decision", "statementId", "channelId", "payeeOrgId", "createdBy", "paidBy"].contains(&change.field.as_str())
        });
        changes
    }
}

/// `GET /partner/payout/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PayoutRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /partner/payout/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /partner/payout/statement/{id}`: all payouts of a statement, the newest first.
pub async fn of_statement(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<PayoutRow>> {
    let scope = cx.viewer()?.scope();
    if statements::find(cx.db().read(), scope, id).await?.is_none() {
        return Err(ApiError::Missing);
    }
    Ok(store::of_statement(cx.db().read(), scope, id).await?)
}

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
    versioned::ours::<PartnerStatementRow>(cx, tx, id).await
}

fn check_form<'c>(check: &'c mut Check, form: &PayoutForm) -> &'c mut Check {
    check.range("amountCents", form.amount_cents, 1..=MOST_CENTS).text(
        "remark",
        form.remark.as_deref().unwrap_or_default().trim(),
        0..=LONGEST_NOTE,
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

/// Asks whether a payout is another one than those of the same amount, unless the person says that it is. Returns what the trail says.
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
fn uncovered(left: i64) -> api::Say {
    let left = terms::yuan(left.max(0));
    say(format!("该渠道目前只有 {left} 元可付（含税）"), format!("Only {left} CNY, tax included, are payable to the channel now"))
}

/// `PUT /partner/payout/withdraw`: by the person who asked for it, while it waits.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<PayoutVersion>) -> Result<PayoutRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = held(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, PayoutStatus::Withdrawn, NAME)?;
                if before.created_by != Some(viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the requester can withdraw it")));
                }
                let written = store::step(&mut tx, before.key(), PayoutStatus::Withdrawn, &Step::Withdrawn, cx.stamp()?).await?;
                if written {
                    store::give_back(&mut tx, &before).await?;
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    notices::ended(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /partner/payout/audit`: by another person than the one who asked for it.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<PayoutRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = held(cx, &mut tx, body.id, body.version).await?;
                let to = if body.approve { PayoutStatus::Approved } else { PayoutStatus::Refused };
                check_step(before.status, to, NAME)?;
                let note = present(body.note.clone());
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=LONGEST_NOTE).done()?;
                let free = store::free(&mut tx, before.channel_id).await?;
                if body.approve && free < 0 {
                    return Err(ApiError::State(uncovered(free + before.amount_cents + before.tax_cents)));
                }
                let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                decision::decide(&mut tx, &matter(&before), &verdict).await?;
                let written = store::step(&mut tx, before.key(), to, &Step::Decided(note.as_deref()), cx.stamp()?).await?;
                if written {
                    match body.approve {
                        true if before.before_books => enter_made(&mut tx, &before, cx).await?,
                        true => post(&mut tx, before.id, cx.now).await?,
                        false => store::give_back(&mut tx, &before).await?,
                    }
                    notices::decided(&mut tx, &before, body.approve, note.as_deref(), viewer.id, cx.now).await?;
                }
                versioned::changed_as_within(cx, &mut tx, before, written, Action::Money).await
            }
            .boxed()
        })
        .await
}

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

fn most_proofs() -> api::Say {
    say("最多 5 个", "At most 5")
}

fn no_proof() -> ApiError {
    ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the proof again"))
}

/// Names the field of the bank's number where it holds none.
fn check_number<'c>(check: &'c mut Check, number: &str) -> &'c mut Check {
    let plain = number.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    check.text("bankNumber", number, 1..=LONGEST_NUMBER).that(
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

/// Marks a payout as paid by a transfer with this number, which no other payment of the payee has; tells whether there was the payout
/// in its version.
async fn claim_number(tx: &mut Connection, row: &PayoutRow, number: &str, paid_at: i64, cx: &Ctx) -> Result<bool> {
    if let Some(other) = outgoing::claim(&mut *tx, &payment_of(row, Some(number), paid_at)).await? {
        return Err(ApiError::field("bankNumber", other.refusal()));
    }
    let step = Step::Paid(Some(number), paid_at, Some(cx.viewer()?.id));
    Ok(store::step(tx, row.key(), PayoutStatus::Paid, &step, cx.stamp()?).await?)
}

/// Marks a payout from before the books, which was just approved, as paid by the payment that was asked for with it.
async fn enter_made(tx: &mut Connection, row: &PayoutRow, cx: &Ctx) -> Result<()> {
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
                Check::new().text("failure", failure, 1..=LONGEST_NOTE).done()?;
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
        .text("reason", body.reason.trim(), 1..=LONGEST_NOTE)
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

/// A payout in the version that is meant, held after its channel and its statement.
async fn held(cx: &Ctx, tx: &mut Tx, id: i64, version: i64) -> Result<PayoutRow> {
    let row = store::find(&mut **tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    lock_channel(cx.db(), tx, row.channel_id).await?;
    versioned::hold::<PartnerStatementRow>(tx, row.statement_id).await?;
    versioned::current::<PayoutRow>(cx, tx, id, version).await
}

/// A payout as something to be decided on.
pub fn matter(row: &PayoutRow) -> Matter<'static> {
    let proofs: Vec<i64> = row.proof_files.iter().map(|file| file.id).collect();
    let mut seen = json!({
        "no": row.payout_no, "statement": row.statement_id, "channel": row.channel_id, "payee": row.payee_org_id,
        "cents": row.amount_cents, "tax": row.tax_cents, "remark": row.remark, "proofs": proofs,
    });
    if row.before_books {
        seen["paidAt"] = json!(row.paid_at);
        seen["number"] = json!(row.bank_number);
    }
    let (action, hash) = (DecisionAction::ApprovePayout, decision::hash(&seen));
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash, payload: None, note: None }
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

/// A number that no payout has: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("FK{}-{}", clock::day_compact(at), crypto::random_text(6))
}
