//! One recharge: seen, applied for, cancelled, decided on, reversed. Every change is one transaction with its audit row and,
//! where money moves, with its entries.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::form::Form;
use super::list::TARGET;
use super::model::{RechargeDecision, RechargeForm, RechargeRow, RechargeStatus, RechargeVersion, ReversalRequest};
use super::notices;
use super::notices::NOTICES;
use super::store::{self, Step};
use crate::finance::receipt;
use crate::finance::receipt::model::{ReceiptRow, ReceiptStatus, ReceiptType};
use crate::ledger::incoming::{self, Incoming, Source};
use crate::ledger::proofs;
use crate::ledger::{self, Entry, EntryKind, Posting};
use crate::org::{self, OrgStatus, payee};
use base::db::Connection;
use base::locale::Locale;
use base::{clock, crypto, db};
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::check::present;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, FileRule, Id, Result, SelectOption, check_step, say};
use frame::decision::{self, DecisionAction, Matter, Verdict};
use frame::terms;

/// What its messages call it.
const NAME: (&str, &str) = ("充值", "recharge");

/// Files that prove a payment: those who see the recharge see them.
pub const PROOF: FileRule = FileRule { biz_type: "recharge_proof", pictures_only: false, masks_names: false, sees: sees_proof };

fn sees_proof(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("finance/recharge/list") && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for RechargeRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<RechargeRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn diff(before: Option<&RechargeRow>, after: Option<&RechargeRow>) -> Vec<Change> {
        let mut changes =
            audit::changes_without(&["decision", "orgId", "payeeOrgId", "createdBy", "receiptId", "paymentOrderId"], before, after);
        let asked = |row: Option<&RechargeRow>| row.and_then(reversal_asked).map(str::to_owned);
        let (before, after) = (asked(before), asked(after));
        if before != after {
            changes.push(Change { field: "reversalAsked".to_owned(), before, after });
        }
        changes
    }
}

/// `GET /finance/recharge/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<RechargeRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /finance/recharge/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /finance/recharge/receipts/{id}`: the confirmed receipts that may have brought the money of a recharge.
pub async fn receipts(cx: Arc<Ctx>, id: Id) -> Result<Vec<SelectOption>> {
    let row = view(cx.clone(), id).await?;
    let label = |no: String, paid_at: i64| format!("{no} · {}", clock::day(paid_at));
    let all = store::receipts_for(cx.db().read(), &row).await?;
    Ok(all.into_iter().map(|(id, no, paid_at)| SelectOption { value: id, label: label(no, paid_at) }).collect())
}

/// `POST /finance/recharge`: for one's own organisation, or by the platform's people for any.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<RechargeForm>) -> Result<RechargeRow> {
    let viewer = cx.viewer()?;
    let form = Form::of(body);
    form.check(viewer.scope().is_platforms())?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                if org::find(&mut **tx, viewer.scope(), form.org_id).await?.is_none() {
                    return Err(ApiError::field("orgId", say("请选择机构", "Choose an organisation")));
                }
                payee::check_choice_of(&mut tx, viewer.scope(), form.payee_org_id).await?;
                check_not_terminated(&mut tx, form.org_id).await?;
                let id = store::insert(&mut tx, &number(cx.now), form, cx.stamp()?).await?;
                if !proofs::take(&mut tx, (TARGET.kind, id), &PROOF, &form.proof_file_ids, (viewer.id, cx.now)).await? {
                    return Err(ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the proof of payment again")));
                }
                let row = store::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
                decision::write_down(&mut tx, &matter(&row, DecisionAction::ConfirmRecharge), Some(viewer.id), cx.now).await?;
                notices::waits(&mut tx, &row, viewer.id, cx.now).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /finance/recharge/cancel`: by the person who applied for it.
pub async fn cancel(cx: Arc<Ctx>, Body(body): Body<RechargeVersion>) -> Result<RechargeRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current_in_scope::<RechargeRow>(cx, &mut tx, body.id, Some(body.version)).await?;
                check_step(before.status, RechargeStatus::Cancelled, NAME)?;
                if before.created_by != Some(viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以取消", "Only the applicant can cancel it")));
                }
                let step = Step { status: RechargeStatus::Cancelled, note: None, receipt_id: None };
                let written = store::step(&mut tx, before.id, body.version, &step, cx.stamp()?).await?;
                if written {
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    NOTICES.close(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /finance/recharge/audit`: decides on what waits of a recharge, its confirmation or its reversal, by another
/// person than the one who asked for that.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<RechargeDecision>) -> Result<RechargeRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    let row =
        cx.db()
            .transact(|mut tx| {
                async move {
                    let before = versioned::current::<RechargeRow>(cx, &mut tx, body.id, body.version).await?;
                    let asked = reversal_asked(&before).map(str::to_owned);
                    let (action, to) = match (&asked, body.approve) {
                        (Some(_), true) => (DecisionAction::ReverseRecharge, Some(RechargeStatus::Reversed)),
                        (Some(_), false) => (DecisionAction::ReverseRecharge, None),
                        (None, true) => (DecisionAction::ConfirmRecharge, Some(RechargeStatus::Credited)),
                        (None, false) => (DecisionAction::ConfirmRecharge, Some(RechargeStatus::Rejected)),
                    };
                    if let Some(to) = to {
                        check_step(before.status, to, NAME)?;
                    }
                    let note = present(body.note.clone());
                    Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
                    let note = note.or(asked.clone().filter(|_| body.approve));
                    let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                    decision::decide(&mut tx, &matter(&before, action), &verdict).await?;
                    let mut more = None;
                    let written = match to {
                        Some(RechargeStatus::Credited) => {
                            check_not_terminated(&mut tx, before.org_id).await?;
                            // Those that could have been chosen, and were not.
                            let offered: Vec<i64> = match body.receipt_id {
                                Some(0) => store::receipts_for(&mut **tx, &before).await?.into_iter().map(|(id, ..)| id).collect(),
                                _ => Vec::new(),
                            };
                            let receipt_id = chosen_receipt(&mut tx, &before, body.receipt_id).await?;
                            let step = Step { status: RechargeStatus::Credited, note: note.as_deref(), receipt_id };
                            let written = store::step(&mut tx, before.id, body.version, &step, cx.stamp()?).await.map_err(|error| {
                                match db::is_duplicate(&error) {
                                    true => already_linked(),
                                    false => error.into(),
                                }
                            })?;
                            if written && receipt_id.is_none() {
                                let is_another = body.another_payment == Some(true);
                                let answer = incoming::Answer { is_another, excluded_receipts: &offered };
                                more = incoming::confirm(&mut tx, &payment_of(&before), "bankSerial", answer, cx.now).await?;
                            }
                            if written {
                                credit(&mut tx, &before, receipt_id, Some(viewer.id), cx.now).await?;
                            }
                            written
                        }
                        Some(status) => {
                            let step = Step { status, note: note.as_deref(), receipt_id: None };
                            let written = store::step(&mut tx, before.id, body.version, &step, cx.stamp()?).await?;
                            if written && status == RechargeStatus::Reversed {
                                reverse(&mut tx, &before, viewer.id, cx.now).await?;
                            }
                            written
                        }
                        None => store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?,
                    };
                    if written {
                        notices::decided(&mut tx, &before, to, note.as_deref(), viewer.id, cx.now).await?;
                    }
                    let more = more.into_iter().collect();
                    versioned::changed_as_with_within(cx, &mut tx, before, written, Action::Money, more).await
                }
                .boxed()
            })
            .await?;
    if row.status == RechargeStatus::Credited {
        cx.app.credited.notify_one();
    }
    Ok(row)
}

/// `PUT /finance/recharge/reverse`: asks for the reversal of a credited recharge; another person decides.
pub async fn ask_reversal(cx: Arc<Ctx>, Body(body): Body<ReversalRequest>) -> Result<RechargeRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<RechargeRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, RechargeStatus::Reversed, NAME)?;
                if let Some(no) = &before.payment_order_no {
                    let refund = say(format!("请对支付订单 {no} 退款"), format!("Refund the payment order {no} instead"));
                    return Err(ApiError::State(refund));
                }
                if reversal_asked(&before).is_some() {
                    return Err(ApiError::State(say("已有冲正申请待审核", "A reversal is already awaiting approval")));
                }
                let note = body.note.trim();
                Check::new().text("note", note, 1..=decision::REASON).done()?;
                let written = store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?;
                if written {
                    let matter =
                        Matter { version: before.version + 1, note: Some(note), ..matter(&before, DecisionAction::ReverseRecharge) };
                    decision::write_down(&mut tx, &matter, Some(viewer.id), cx.now).await?;
                    notices::reversal_waits(&mut tx, &before, viewer.id, note, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /finance/recharge/reverse/withdraw`: by the person who asked for it.
pub async fn withdraw_reversal(cx: Arc<Ctx>, Body(body): Body<RechargeVersion>) -> Result<RechargeRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<RechargeRow>(cx, &mut tx, body.id, body.version).await?;
                let asked = before.decision.as_ref().filter(|decision| decision.action == DecisionAction::ReverseRecharge);
                let Some(asked) = asked else {
                    return Err(ApiError::State(say("没有待审核的冲正申请", "There is no reversal awaiting approval")));
                };
                if !asked.makers.contains(&viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回冲正申请", "Only the requester can withdraw the reversal")));
                }
                let written = store::touch(&mut tx, before.id, body.version, cx.stamp()?).await?;
                if written {
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    NOTICES.close(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// Why the reversal of a recharge is asked for, where it is.
fn reversal_asked(row: &RechargeRow) -> Option<&str> {
    let asked = row.decision.as_ref().filter(|decision| decision.action == DecisionAction::ReverseRecharge)?;
    Some(asked.note.as_deref().unwrap_or_default())
}

/// A recharge as something to be decided on: all that it says of the payment.
pub fn matter(row: &RechargeRow, action: DecisionAction) -> Matter<'static> {
    let proofs: Vec<i64> = row.proof_files.iter().map(|file| file.id).collect();
    let mut seen = json!({
        "action": action, "no": row.no, "org": row.org_id, "payee": row.payee_org_id, "cents": row.amount_cents, "gift": row.gift_cents,
        "method": row.pay_method, "proofs": proofs, "remark": row.remark,
    });
    // Recharges that wait since before there was such a number keep their hash.
    if let Some(serial) = &row.bank_serial {
        seen["serial"] = json!(serial);
    }
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash: decision::hash(&seen), payload: None, note: None }
}

/// The payment that a recharge is about. The day of the payment is not known: the recharge is applied for about then.
pub fn payment_of(row: &RechargeRow) -> Incoming<'_> {
    Incoming {
        source: Source::Recharge(row.id),
        payee_org_id: row.payee_org_id,
        number: row.bank_serial.as_deref(),
        org_id: row.org_id,
        amount_cents: row.amount_cents,
        paid_at: row.created_at,
    }
}

/// The receipt that brought the money of a recharge, if one did. Where receipts fit, the reviewer says which, or that none
/// did, so that one payment is not credited twice. The receipt is held, so that it is not voided beside this.
async fn chosen_receipt(tx: &mut Connection, row: &RechargeRow, receipt_id: Option<i64>) -> Result<Option<i64>> {
    let receipt_id = match receipt_id {
        Some(0) => return Ok(None),
        Some(receipt_id) => receipt_id,
        None if store::receipts_for(&mut *tx, row).await?.is_empty() => return Ok(None),
        None => {
            return Err(ApiError::field(
                "receiptId",
                say(
                    "有金额相同的已确认收款单，请选择是哪一张，或选择不关联",
                    "Confirmed receipts have the same amount: choose the one of this payment, or none",
                ),
            ));
        }
    };
    versioned::hold::<ReceiptRow>(tx, receipt_id).await?;
    let fits = receipt::store::find(&mut *tx, Scope::All, receipt_id).await?.is_some_and(|receipt| {
        (receipt.org_id, receipt.payee_org_id, receipt.amount_cents) == (row.org_id, row.payee_org_id, row.amount_cents)
            && receipt.status == ReceiptStatus::Confirmed
            && receipt.biz_type == ReceiptType::Recharge
            && receipt.decision.is_none()
    });
    if !fits {
        return Err(ApiError::field(
            "receiptId",
            say(
                "请选择该机构付给同一收款主体、金额相同且未申请作废的已确认充值收款单",
                "Choose a confirmed recharge receipt of this organisation and payee with the same amount and no void request",
            ),
        ));
    }
    match store::of_receipt(tx, receipt_id).await? {
        Some(_) => Err(already_linked()),
        None => Ok(Some(receipt_id)),
    }
}

/// Refuses to move money of an organisation whose contract is over: its account stays as it is.
pub async fn check_not_terminated(tx: &mut Connection, org_id: i64) -> Result<()> {
    match org::find(tx, Scope::All, org_id).await? {
        Some(row) if row.status == OrgStatus::Terminated => {
            Err(ApiError::State(say("机构已终止合作，账户不再入账", "The organisation is terminated: its account takes no money")))
        }
        _ => Ok(()),
    }
}

fn already_linked() -> ApiError {
    ApiError::field("receiptId", say("该收款单已关联其他充值", "The receipt is already linked to another recharge"))
}

/// Credits the organisation's account with the amount, unless a receipt has done so, and with the gift.
pub async fn credit(tx: &mut Connection, row: &RechargeRow, receipt_id: Option<i64>, by: Option<i64>, at: i64) -> Result<()> {
    if receipt_id.is_none() {
        post(tx, row, (EntryKind::Recharge, row.amount_cents, 0), "credited", by, at).await?;
    }
    if row.gift_cents > 0 {
        post(tx, row, (EntryKind::Gift, row.gift_cents, row.gift_cents), "gift", by, at).await?;
    }
    Ok(())
}

/// Takes back what a recharge has credited. What its receipt credited is taken back by voiding that.
async fn reverse(tx: &mut Connection, row: &RechargeRow, by: i64, at: i64) -> Result<()> {
    if row.receipt_id.is_none() {
        incoming::release(&mut *tx, Source::Recharge(row.id)).await?;
        post(tx, row, (EntryKind::Reversal, -row.amount_cents, 0), "reversed", Some(by), at).await?;
    }
    if row.gift_cents > 0 {
        post(tx, row, (EntryKind::Reversal, -row.gift_cents, -row.gift_cents), "gift-reversed", Some(by), at).await?;
    }
    Ok(())
}

/// Posts an entry of a recharge: its kind, its amount, and the part of it that is of gifts.
async fn post(
    tx: &mut Connection,
    row: &RechargeRow,
    (kind, amount_cents, gift_cents): (EntryKind, i64, i64),
    step: &str,
    by: Option<i64>,
    at: i64,
) -> Result<()> {
    let entry = Entry {
        org_id: row.org_id,
        kind,
        amount_cents,
        gift_cents,
        reference: (TARGET.kind, row.id),
        idem_key: &format!("recharge-{}-{step}", row.id),
        operator_id: by,
        remark: &row.no,
        at,
    };
    match ledger::post(tx, &entry).await? {
        Posting::Posted { .. } => Ok(()),
        Posting::Repeated => Err(ApiError::State(say("该充值已经入账", "This recharge has already been posted"))),
        Posting::Short { available_cents } => {
            let left = terms::yuan(available_cents);
            Err(ApiError::State(match gift_cents {
                0 => say(
                    format!("机构可用的充值金额只有 {left} 元，不足以冲正"),
                    format!("The organisation has only {left} CNY of paid money available: not enough for the reversal"),
                ),
                _ => say(
                    format!("机构可用的赠送金额只有 {left} 元，不足以冲正"),
                    format!("The organisation has only {left} CNY of gifts available: not enough for the reversal"),
                ),
            }))
        }
    }
}

/// A number that no recharge has: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("CZ{}-{}", clock::day_compact(at), crypto::random_text(6))
}
