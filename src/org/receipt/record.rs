//! One receipt: seen, entered, changed, decided on, deleted. Every change is one transaction with its
//! audit row; what is confirmed goes to the organisation's account in it.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::form::Form;
use super::list::TARGET;
use super::model::{ReceiptDecision, ReceiptForm, ReceiptRow, ReceiptStatus};
use super::{status, store};
use crate::access::Scope;
use crate::access::audit::{self, Action, AuditEntry, Target};
use crate::admin::ours_to_change;
use crate::api::check::present;
use crate::api::versioned::{self, Versioned};
use crate::api::{self, ApiError, Body, Check, Ctx, Id, Result, say};
use crate::db::Connection;
use crate::finance::ledger::{self, Entry, EntryKind, Posting};
use crate::locale::Locale;
use crate::org::{payee, store as orgs};
use crate::{clock, crypto, db, terms, upload};

/// Longest word on a decision.
const LONGEST_NOTE: usize = 200;

/// Files that prove a payment: seen by who sees the receipt.
pub const PROOF: upload::Rule = upload::Rule { biz_type: "receipt_proof", pictures_only: false, sees: sees_proof };

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
    ours_to_change(viewer)?;
    let form = Form::of(body);
    form.check(cx.now)?;
    let mut tx = cx.db().begin().await?;
    if orgs::find(&mut *tx, viewer.scope(), form.org_id).await?.is_none() {
        return Err(ApiError::field("orgId", say("请选择机构", "Choose an organisation")));
    }
    payee::check_choice(&mut tx, Some(form.payee_org_id), None).await?;
    let id = store::insert(&mut tx, &number(cx.now), &form, cx.stamp()?).await?;
    save(&cx, &mut tx, id, 0, &form).await?;
    versioned::created(&cx, tx, id).await
}

/// `PUT /org/receipt`: one that waits is corrected, one that was rejected waits again.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<ReceiptForm>) -> Result<ReceiptRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let mut tx = cx.db().begin().await?;
    let before = versioned::current::<ReceiptRow>(&cx, &mut tx, id, version).await?;
    status::edit(before.status)?;
    let form = Form::of(body);
    if form.org_id != before.org_id {
        return Err(ApiError::field("orgId", say("收款单所属机构不能修改", "A receipt stays with its organisation")));
    }
    form.check(cx.now)?;
    payee::check_choice(&mut tx, Some(form.payee_org_id), Some(before.payee_org_id)).await?;
    let written = save(&cx, &mut tx, id, version, &form).await?;
    versioned::changed(&cx, tx, before, written).await
}

/// `PUT /org/receipt/status`: confirmed or rejected by somebody else than who entered it; void by an
/// entry that takes back what was credited.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<ReceiptDecision>) -> Result<ReceiptRow> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    let before = versioned::current::<ReceiptRow>(&cx, &mut tx, body.id, body.version).await?;
    status::decide(before.status, body.status)?;
    let note = present(body.note);
    let least = usize::from(body.status != ReceiptStatus::Confirmed);
    Check::new().text("note", note.as_deref().unwrap_or_default(), least..=LONGEST_NOTE).done()?;
    if before.status == ReceiptStatus::Waiting && before.created_by == Some(viewer.id) {
        return Err(ApiError::State(say("不能审核自己录入的收款单", "Nobody decides on a receipt of their own")));
    }
    let written = store::decide(&mut tx, before.id, body.version, body.status, note.as_deref(), cx.stamp()?).await?;
    if written && before.biz_type.is_credited() {
        post(&cx, &mut tx, &before, body.status).await?;
    }
    versioned::changed_as(&cx, tx, before, written, Action::Money).await
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
        reference: (TARGET.kind, receipt.id),
        idem_key: &format!("receipt-{}-{step}", receipt.id),
        operator_id: Some(cx.viewer()?.id),
        remark: &receipt.no,
        at: cx.now,
    };
    match ledger::post(tx, &entry).await? {
        Posting::Posted { .. } => Ok(()),
        Posting::Repeated => Err(ApiError::State(say("该收款单已经入账", "It was posted already"))),
        Posting::Short { available_cents } => {
            let left = terms::yuan(available_cents);
            Err(ApiError::State(say(
                format!("机构可用余额只有 {left} 元，不足以冲正"),
                format!("The organisation has only {left} CNY left: not enough to take it back"),
            )))
        }
    }
}

/// `DELETE /org/receipt/{id}`: one that was never confirmed.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    let before: ReceiptRow = versioned::ours(&cx, &mut tx, id).await?;
    status::edit(before.status)?;
    if !store::delete(&mut tx, id, cx.stamp()?).await? {
        return Err(ApiError::Missing);
    }
    upload::settle(&mut tx, PROOF.biz_type, id, &[], viewer.id, cx.now).await?;
    versioned::deleted(&cx, tx, before).await
}

/// A number that no receipt has: its day, and six letters or digits.
pub(crate) fn number(at: i64) -> String {
    format!("RC{}-{}", clock::day_compact(at), crypto::random_text(6))
}

/// Makes the form's files the receipt's, and writes its fields.
async fn save(cx: &Ctx, tx: &mut Connection, id: i64, version: i64, form: &Form) -> Result<bool> {
    if !upload::settle(tx, PROOF.biz_type, id, &form.proof_file_ids, cx.viewer()?.id, cx.now).await? {
        return Err(ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the proofs anew")));
    }
    let proofs = upload::files_of(tx, PROOF.biz_type, id).await?;
    store::write(tx, id, version, form, &proofs, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say("该收款主体已有相同流水号的收款单", "The payee has a receipt with this serial number already")),
        false => error.into(),
    })
}
