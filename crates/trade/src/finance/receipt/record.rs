//! One receipt: seen, entered, changed, decided on, deleted. Every change is one transaction with its
//! audit row; what is confirmed goes to the organisation's account in it.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::form::Form;
use super::list::TARGET;
use super::model::{ReceiptDecision, ReceiptForm, ReceiptRow, ReceiptStatus, ReceiptVersion, VoidAsking};
use super::notices::NOTICES;
use super::{notices, status, store};
use crate::finance::recharge;
use crate::ledger::incoming::{self, Incoming, Source};
use crate::ledger::journal;
use crate::ledger::{self, Entry, EntryKind, Posting};
use crate::org::{self, payee};
use base::db::Connection;
use base::locale::Locale;
use base::{clock, crypto, db};
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, FileRule, Id, Result, say};
use frame::decision::{self, DecisionAction, Matter, Verdict};
use frame::{terms, upload};

/// Files that prove a payment: seen by who sees the receipt.
pub const PROOF: FileRule = FileRule { biz_type: "receipt_proof", pictures_only: false, masks_names: false, sees: sees_proof };

fn sees_proof(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("org/receipt/list") && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for ReceiptRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<ReceiptRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn diff(before: Option<&ReceiptRow>, after: Option<&ReceiptRow>) -> Vec<Change> {
        let mut changes = audit::changes_without(&["decision"], before, after);
        let asked = |row: Option<&ReceiptRow>| row.and_then(void_asked).map(str::to_owned);
        let (before, after) = (asked(before), asked(after));
        if before != after {
            changes.push(Change { field: "voidAsked".to_owned(), before, after });
        }
        changes
    }
}

/// `GET /org/receipt/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ReceiptRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /org/receipt/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /org/receipt`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<ReceiptForm>) -> Result<ReceiptRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new receipt has none".to_owned()));
    }
    let viewer = cx.viewer()?;
    require_platform_staff(viewer)?;
    let form = Form::of(body);
    form.check(cx.now)?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                if org::find(&mut **tx, viewer.scope(), form.org_id).await?.is_none() {
                    return Err(ApiError::field("orgId", say("请选择机构", "Choose an organisation")));
                }
                payee::check_choice(&mut tx, Some(form.payee_org_id), None).await?;
                let id = store::insert(&mut tx, &number(cx.now), form, cx.stamp()?).await?;
                save(cx, &mut tx, id, 0, form).await?;
                written_by(cx, &mut tx, id).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /org/receipt`: one that waits is corrected, one that was rejected waits again.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<ReceiptForm>) -> Result<ReceiptRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let form = Form::of(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<ReceiptRow>(cx, &mut tx, id, version).await?;
                status::edit(before.status)?;
                if form.org_id != before.org_id {
                    return Err(ApiError::field("orgId", say("收款单所属机构不能修改", "The organisation of a receipt cannot be changed")));
                }
                form.check(cx.now)?;
                payee::check_choice(&mut tx, Some(form.payee_org_id), Some(before.payee_org_id)).await?;
                let written = save(cx, &mut tx, id, version, form).await?;
                if written {
                    written_by(cx, &mut tx, id).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /org/receipt/status`: confirmed or rejected by somebody else than wrote it; void, by an entry that
/// takes back what was credited, by somebody else than asked for that. Of one whose voiding is asked for,
/// `confirmed` says that it stays.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<ReceiptDecision>) -> Result<ReceiptRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    let row = cx
        .db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<ReceiptRow>(cx, &mut tx, body.id, body.version).await?;
                let asked = void_asked(&before).map(str::to_owned);
                let stays = asked.is_some() && body.status == ReceiptStatus::Confirmed;
                if !stays {
                    status::decide(before.status, body.status)?;
                }
                if body.status == ReceiptStatus::Void && asked.is_none() {
                    return Err(ApiError::State(say(
                        "请先申请作废，由申请人以外的人审核",
                        "Request the void first: someone other than the requester approves it",
                    )));
                }
                if body.status == ReceiptStatus::Void {
                    check_unlinked(&mut tx, before.id).await?;
                }
                let note = present(body.note.clone());
                let least = usize::from(stays || body.status == ReceiptStatus::Rejected);
                Check::new().text("note", note.as_deref().unwrap_or_default(), least..=decision::REASON).done()?;
                // Of one that is voided, the reason for which that was asked.
                let note = note.or(asked.clone().filter(|_| !stays));
                let approve = !stays && body.status != ReceiptStatus::Rejected;
                let action = if asked.is_some() { DecisionAction::VoidReceipt } else { DecisionAction::ConfirmReceipt };
                decision::decide(
                    &mut tx,
                    &matter(&before, action),
                    &Verdict { by: Some(viewer.id), approve, note: note.as_deref(), at: cx.now },
                )
                .await?;
                let written = match stays {
                    true => store::void_asked(&mut tx, before.id, body.version, cx.stamp()?).await?,
                    false => store::decide(&mut tx, before.id, body.version, body.status, note.as_deref(), cx.stamp()?).await?,
                };
                if written && asked.is_some() {
                    notices::void_ended(&mut tx, &before, approve, note.as_deref().unwrap_or_default(), viewer.id, cx.now).await?;
                }
                if written && asked.is_none() {
                    notices::decided(&mut tx, &before, approve, note.as_deref(), viewer.id, cx.now).await?;
                }
                let mut more = None;
                if written && approve {
                    more = match body.status {
                        ReceiptStatus::Void => {
                            incoming::release(&mut tx, Source::Receipt(before.id)).await?;
                            None
                        }
                        _ => {
                            let answer = incoming::Answer { is_another: body.another_payment == Some(true), excluded_receipts: &[] };
                            incoming::confirm(&mut tx, &payment_of(&before), "bankSerial", answer, cx.now).await?
                        }
                    };
                }
                if written && approve {
                    match before.biz_type.is_credited() {
                        true => post(cx, &mut tx, &before, body.status).await?,
                        false => journal::enter(&mut tx, journal::Source::Receipt, before.id, cx.now).await?,
                    }
                }
                let more = more.into_iter().collect();
                versioned::changed_as_with_within(cx, &mut tx, before, written, Action::Money, more).await
            }
            .boxed()
        })
        .await?;
    if row.status == ReceiptStatus::Confirmed {
        cx.app.credited.notify_one();
    }
    Ok(row)
}

/// `PUT /org/receipt/void`: somebody asks to take back what was credited; somebody else decides.
pub async fn ask_void(cx: Arc<Ctx>, Body(body): Body<VoidAsking>) -> Result<ReceiptRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<ReceiptRow>(cx, &mut tx, body.id, body.version).await?;
                status::decide(before.status, ReceiptStatus::Void)?;
                check_unlinked(&mut tx, before.id).await?;
                if void_asked(&before).is_some() {
                    return Err(ApiError::State(say("已有作废申请待审核", "A void request is already awaiting approval")));
                }
                let note = body.note.trim();
                Check::new().text("note", note, 1..=decision::REASON).done()?;
                let written = store::void_asked(&mut tx, before.id, body.version, cx.stamp()?).await?;
                if written {
                    let matter = Matter { version: before.version + 1, note: Some(note), ..matter(&before, DecisionAction::VoidReceipt) };
                    decision::write_down(&mut tx, &matter, Some(viewer.id), cx.now).await?;
                    notices::void_asked(&mut tx, &before, viewer.id, note, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /org/receipt/void/withdraw`: by who asked for it.
pub async fn withdraw_void(cx: Arc<Ctx>, Body(body): Body<ReceiptVersion>) -> Result<ReceiptRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<ReceiptRow>(cx, &mut tx, body.id, body.version).await?;
                let asked = before.decision.as_ref().filter(|decision| decision.action == DecisionAction::VoidReceipt);
                let Some(asked) = asked else {
                    return Err(ApiError::State(say("没有待审核的作废申请", "There is no void request awaiting approval")));
                };
                if !asked.makers.contains(&viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回作废申请", "Only the requester can withdraw the void request")));
                }
                let written = store::void_asked(&mut tx, before.id, body.version, cx.stamp()?).await?;
                if written {
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    notices::void_ended(&mut tx, &before, false, "", viewer.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// Refuses to void a receipt that brought the money of a credited recharge: that is reversed first.
async fn check_unlinked(tx: &mut Connection, id: i64) -> Result<()> {
    match recharge::store::of_receipt(tx, id).await? {
        Some(no) => Err(ApiError::State(say(
            format!("该收款单已关联充值 {no}，请先冲正该充值"),
            format!("The receipt belongs to recharge {no}: reverse that first"),
        ))),
        None => Ok(()),
    }
}

/// The payment that a receipt is about.
pub fn payment_of(row: &ReceiptRow) -> Incoming<'_> {
    Incoming {
        source: Source::Receipt(row.id),
        payee_org_id: row.payee_org_id,
        number: row.bank_serial.as_deref(),
        org_id: row.org_id,
        amount_cents: row.amount_cents,
        paid_at: row.paid_at,
    }
}

/// Why the voiding of a receipt is asked for, where it is.
fn void_asked(row: &ReceiptRow) -> Option<&str> {
    let asked = row.decision.as_ref().filter(|decision| decision.action == DecisionAction::VoidReceipt)?;
    Some(asked.note.as_deref().unwrap_or_default())
}

/// A receipt as something to be decided on: all that it says of a payment.
pub fn matter(row: &ReceiptRow, action: DecisionAction) -> Matter<'static> {
    let proofs: Vec<i64> = row.proof_files.iter().map(|file| file.id).collect();
    let seen = json!({
        "action": action, "no": row.no, "org": row.org_id, "payee": row.payee_org_id, "type": row.biz_type, "cents": row.amount_cents,
        "method": row.pay_method, "paidAt": row.paid_at, "payer": row.payer_name, "serial": row.bank_serial, "proofs": proofs,
        "remark": row.remark,
    });
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash: decision::hash(&seen), payload: None, note: None }
}

/// Notes who wrote a receipt that waits to be confirmed.
async fn written_by(cx: &Ctx, tx: &mut Connection, id: i64) -> Result<()> {
    let (row, by) = (store::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?, cx.viewer()?.id);
    decision::write_down(tx, &matter(&row, DecisionAction::ConfirmReceipt), Some(by), cx.now).await?;
    Ok(notices::waits(tx, &row, by, cx.now).await?)
}

/// Credits the organisation's account with what was confirmed, or takes it back.
async fn post(cx: &Ctx, tx: &mut Connection, receipt: &ReceiptRow, to: ReceiptStatus) -> Result<()> {
    let (kind, amount_cents, step) = match to {
        ReceiptStatus::Confirmed => (EntryKind::Recharge, receipt.amount_cents, "confirmed"),
        ReceiptStatus::Void => (EntryKind::Reversal, -receipt.amount_cents, "void"),
        ReceiptStatus::Waiting | ReceiptStatus::Rejected => return Ok(()),
    };
    let entry = Entry {
        org_id: receipt.org_id,
        kind,
        amount_cents,
        gift_cents: 0,
        reference: (TARGET.kind, receipt.id),
        idem_key: &format!("receipt-{}-{step}", receipt.id),
        operator_id: Some(cx.viewer()?.id),
        remark: &receipt.no,
        at: cx.now,
    };
    match ledger::post(tx, &entry).await? {
        Posting::Posted { .. } => Ok(()),
        Posting::Repeated => Err(ApiError::State(say("该收款单已经入账", "This receipt has already been posted"))),
        Posting::Short { available_cents } => {
            let left = terms::yuan(available_cents);
            Err(ApiError::State(say(
                format!("机构可用的充值金额只有 {left} 元，不足以作废"),
                format!("The organisation has only {left} CNY of paid money available: not enough to void the receipt"),
            )))
        }
    }
}

/// `DELETE /org/receipt/{id}`: one that was never confirmed.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let viewer = cx.viewer()?;
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: ReceiptRow = versioned::hold_as_platform_staff(cx, &mut tx, id).await?;
                status::edit(before.status)?;
                if !store::delete(&mut tx, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                decision::withdraw(&mut tx, TARGET.kind, id, cx.now).await?;
                NOTICES.close(&mut tx, id, cx.now).await?;
                upload::settle(&mut tx, PROOF.biz_type, id, &[], viewer.id, cx.now).await?;
                versioned::deleted_within(cx, &mut tx, before).await
            }
            .boxed()
        })
        .await
}

/// A number that no receipt has: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("RC{}-{}", clock::day_compact(at), crypto::random_text(6))
}

/// Makes the form's files the receipt's, and writes its fields.
async fn save(cx: &Ctx, tx: &mut Connection, id: i64, version: i64, form: &Form) -> Result<bool> {
    if !upload::settle(tx, PROOF.biz_type, id, &form.proof_file_ids, cx.viewer()?.id, cx.now).await? {
        return Err(ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the proof of payment again")));
    }
    let proofs = upload::files_of(tx, PROOF.biz_type, id).await?;
    store::write(tx, id, version, form, &proofs, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
        true => {
            ApiError::Duplicate(say("该收款主体已有相同流水号的收款单", "The payee already has a receipt with this transaction number"))
        }
        false => error.into(),
    })
}
