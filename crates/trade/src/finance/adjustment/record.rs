//! One adjustment: seen, asked for, withdrawn, decided on. Every change is one transaction with its audit row and, where money
//! moves, with its entry.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::list::TARGET;
use super::model::{AccountPart, AdjustmentForm, AdjustmentRow, AdjustmentStatus, AdjustmentVersion};
use super::notices::NOTICES;
use super::{notices, store};
use crate::finance::recharge;
use crate::ledger::proofs;
use crate::ledger::{self, Entry, EntryKind, Posting};
use crate::org;
use base::db::Connection;
use base::form_limits;
use base::locale::Locale;
use base::{clock, crypto};
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Target};
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, FileRule, Id, Result, check_step, say};
use frame::decision::{self, DecisionAction, DecisionForm, Matter, Verdict};
use frame::terms;

/// What its messages call it.
const NAME: (&str, &str) = ("调账", "adjustment");

form_limits! {
    /// Of an adjustment.
    adjustment {
        /// Highest amount, in fen: a hundred million yuan.
        MOST_CENTS: i64 = 10_000_000_000,
        /// Most files that prove an adjustment.
        MOST_PROOFS: usize = 5,
        REASON: usize = 500,
    }
}

/// Files that prove an adjustment: those who see the account see them.
pub const PROOF: FileRule = FileRule { biz_type: "adjustment_proof", pictures_only: false, masks_names: false, sees: sees_proof };

fn sees_proof(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("finance/account/list") && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for AdjustmentRow {
    const TARGET: Target = TARGET;
    const LEFT_OUT: &'static [&'static str] = &["decision", "orgId", "createdBy"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<AdjustmentRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /finance/account/adjust/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<AdjustmentRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /finance/account/adjust/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /finance/account/adjust`: asks for an adjustment; another person approves it.
pub async fn create(cx: Arc<Ctx>, Body(form): Body<AdjustmentForm>) -> Result<AdjustmentRow> {
    let viewer = cx.viewer()?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                if org::find(&mut **tx, viewer.scope(), form.org_id).await?.is_none() {
                    return Err(ApiError::Missing);
                }
                require_platform_staff(viewer)?;
                check(form)?;
                recharge::check_not_terminated(&mut tx, form.org_id).await?;
                let id = store::insert(&mut tx, &number(cx.now), form, cx.stamp()?).await?;
                if !proofs::take(&mut tx, (TARGET.kind, id), &PROOF, &form.proof_file_ids, (viewer.id, cx.now)).await? {
                    return Err(ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the proof again")));
                }
                let row = store::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
                decision::write_down(&mut tx, &matter(&row), Some(viewer.id), cx.now).await?;
                notices::waits(&mut tx, &row, viewer.id, cx.now).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

fn check(form: &AdjustmentForm) -> Result<()> {
    Check::new()
        .range("amountCents", form.amount_cents, -MOST_CENTS..=MOST_CENTS)
        .that("amountCents", form.amount_cents != 0, say("金额不能为零", "The amount must not be zero"))
        .text("reason", form.reason.trim(), 1..=REASON)
        .that("proofFileIds", form.proof_file_ids.len() <= MOST_PROOFS, say("最多 5 个", "At most 5"))
        .done()
}

/// `PUT /finance/account/adjust/withdraw`: by the person who asked for it.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<AdjustmentVersion>) -> Result<AdjustmentRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<AdjustmentRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, AdjustmentStatus::Withdrawn, NAME)?;
                if before.created_by != Some(viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the requester can withdraw it")));
                }
                let written = store::end(&mut tx, before.id, body.version, AdjustmentStatus::Withdrawn, None, cx.stamp()?).await?;
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

/// `PUT /finance/account/adjust/audit`: by another person than the one who asked for it.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<AdjustmentRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    let row = cx
        .db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<AdjustmentRow>(cx, &mut tx, body.id, body.version).await?;
                let to = if body.approve { AdjustmentStatus::Approved } else { AdjustmentStatus::Rejected };
                check_step(before.status, to, NAME)?;
                if body.approve {
                    recharge::check_not_terminated(&mut tx, before.org_id).await?;
                }
                let note = present(body.note.clone());
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
                let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                decision::decide(&mut tx, &matter(&before), &verdict).await?;
                let written = store::end(&mut tx, before.id, body.version, to, note.as_deref(), cx.stamp()?).await?;
                if written && body.approve {
                    post(&mut tx, &before, viewer.id, cx.now).await?;
                }
                if written {
                    notices::decided(&mut tx, &before, body.approve, note.as_deref(), viewer.id, cx.now).await?;
                }
                versioned::changed_as_within(cx, &mut tx, before, written, Action::Money).await
            }
            .boxed()
        })
        .await?;
    if row.status == AdjustmentStatus::Approved && row.amount_cents > 0 {
        cx.app.credited.notify_one();
    }
    Ok(row)
}

/// An adjustment as something to be decided on.
pub fn matter(row: &AdjustmentRow) -> Matter<'static> {
    let proofs: Vec<i64> = row.proof_files.iter().map(|file| file.id).collect();
    let seen = json!({
        "no": row.no, "org": row.org_id, "part": row.part, "cents": row.amount_cents, "reason": row.reason, "proofs": proofs,
    });
    let hash = decision::hash(&seen);
    Matter { action: DecisionAction::AdjustAccount, table: TARGET.kind, id: row.id, version: row.version, hash, payload: None, note: None }
}

/// Posts an approved adjustment.
pub async fn post(tx: &mut Connection, row: &AdjustmentRow, by: i64, at: i64) -> Result<()> {
    let entry = Entry {
        org_id: row.org_id,
        kind: if row.amount_cents > 0 { EntryKind::AdjustUp } else { EntryKind::AdjustDown },
        amount_cents: row.amount_cents,
        gift_cents: if row.part == AccountPart::Gift { row.amount_cents } else { 0 },
        reference: (TARGET.kind, row.id),
        idem_key: &format!("adjustment-{}", row.id),
        operator_id: Some(by),
        remark: &row.no,
        at,
    };
    match ledger::post(tx, &entry).await? {
        Posting::Posted { .. } => Ok(()),
        Posting::Repeated => Err(ApiError::State(say("该调账已经入账", "This adjustment has already been posted"))),
        Posting::Short { available_cents } => {
            let (left, part) = (terms::yuan(available_cents), row.part);
            Err(ApiError::State(say(
                format!("机构可用的{}只有 {left} 元，不足以调减", part.label(Locale::Chinese)),
                format!("Only {left} CNY are available of: {}. That is not enough for the decrease", part.label(Locale::English)),
            )))
        }
    }
}

/// A number that no adjustment has: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("TZ{}-{}", clock::day_compact(at), crypto::random_text(6))
}
