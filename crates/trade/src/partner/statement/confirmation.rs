//! Confirmations of a statement by other means than its link, such as a mail or a signed paper: requested by one
//! person with a reason and a proof, approved by another. The partner can still answer by the link meanwhile, which
//! ends the request.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::link::NAME;
use super::list::TARGET;
use super::model::{PartnerConfirmation, PartnerStatementRow, PartnerStatementStatus, PartnerStatementVersion};
use super::{notices, store};
use crate::ledger::proofs;
use base::db::Connection;
use base::form_limits;
use frame::access::audit::Change;
use frame::api::check::present;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, FileRule, Result, check_step, say};
use frame::decision::{self, DecisionAction, DecisionForm, Matter, Verdict};
use frame::upload;

form_limits! {
    /// Of a partner's statement that is taken as confirmed.
    partnerConfirmation {
        /// Most files that prove a confirmation.
        MOST_PROOFS: usize = 5,
        REASON: usize = 500,
    }
}

/// Files that prove a confirmation: those who see the statement see them.
pub const PROOF: FileRule = FileRule { biz_type: "partner_confirmation_proof", pictures_only: false, masks_names: false, sees: sees_proof };

fn sees_proof(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("finance/partner/list") && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

/// `PUT /partner/statement/confirm`: requests that a statement counts as confirmed; another person decides.
pub async fn ask(cx: Arc<Ctx>, Body(body): Body<PartnerConfirmation>) -> Result<PartnerStatementRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PartnerStatementRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, PartnerStatementStatus::Confirmed, NAME)?;
                check_free(&before)?;
                if store::has_pending(&mut tx, before.id).await? {
                    return Err(ApiError::State(say(
                        "有调整待审核，审核后再申请",
                        "Adjustments await approval: ask once they are decided",
                    )));
                }
                let reason = body.reason.trim();
                Check::new()
                    .text("reason", reason, 1..=REASON)
                    .that("proofFileIds", !body.proof_file_ids.is_empty(), say("请上传凭证", "Upload a proof"))
                    .that("proofFileIds", body.proof_file_ids.len() <= MOST_PROOFS, say("最多 5 个", "At most 5"))
                    .done()?;
                if !proofs::take(&mut tx, (TARGET.kind, before.id), &PROOF, &body.proof_file_ids, (viewer.id, cx.now)).await? {
                    return Err(ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the proof again")));
                }
                let written = store::touch(&mut tx, before.key(), cx.stamp()?).await?;
                if written {
                    let row = store::find(&mut **tx, viewer.scope(), before.id).await?.ok_or(ApiError::Missing)?;
                    decision::write_down(&mut tx, &matter(&row, reason), Some(viewer.id), cx.now).await?;
                    notices::confirmation_waits(&mut tx, &row, reason, viewer.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /partner/statement/confirm/withdraw`: by the person who requested it.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<PartnerStatementVersion>) -> Result<PartnerStatementRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PartnerStatementRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(asked) = before.decision.as_ref() else { return Err(nothing_asked()) };
                if !asked.makers.contains(&viewer.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the requester can withdraw it")));
                }
                let written = store::touch(&mut tx, before.key(), cx.stamp()?).await?;
                if written {
                    end(&mut tx, before.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /partner/statement/audit`: by another person than the one who requested it.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<PartnerStatementRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PartnerStatementRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(asked) = before.decision.0.clone() else { return Err(nothing_asked()) };
                check_step(before.status, PartnerStatementStatus::Confirmed, NAME)?;
                let note = present(body.note.clone());
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
                let reason = asked.note.unwrap_or_default();
                let verdict = Verdict { by: Some(viewer.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                decision::decide(&mut tx, &matter(&before, &reason), &verdict).await?;
                let written = match body.approve {
                    true => store::confirm(&mut tx, before.key(), &reason, cx.stamp()?).await?,
                    false => {
                        release(&mut tx, before.id, cx.now).await?;
                        store::touch(&mut tx, before.key(), cx.stamp()?).await?
                    }
                };
                if written {
                    let by = (asked.makers, viewer.id);
                    notices::confirmation_decided(&mut tx, &before, body.approve, note.as_deref(), by, cx.now).await?;
                }
                if written && body.approve {
                    notices::STATEMENTS.close(&mut tx, before.id, cx.now).await?;
                }
                let note = note.map(|note| Change { field: "reviewNote".to_owned(), before: None, after: Some(note) });
                versioned::changed_with_within(cx, &mut tx, before, written, note.into_iter().collect()).await
            }
            .boxed()
        })
        .await
}

/// A confirmation as the subject of a decision: the present statement, with this reason and these proofs.
pub fn matter<'m>(row: &PartnerStatementRow, reason: &'m str) -> Matter<'m> {
    let proofs: Vec<i64> = row.proof_files.iter().map(|file| file.id).collect();
    let seen = json!({
        "no": row.statement_no, "channel": row.channel_id, "month": row.month, "items": row.items, "total": row.total_cents,
        "tax": row.tax_cents, "net": row.net_cents, "closing": row.closing_cents, "reason": reason, "proofs": proofs,
    });
    let (action, hash) = (DecisionAction::ConfirmPartnerStatement, decision::hash(&seen));
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash, payload: None, note: Some(reason) }
}

/// Refuses to change a statement while a confirmation of it waits, since that is about its present state.
pub(super) fn check_free(row: &PartnerStatementRow) -> Result<()> {
    match row.decision.is_none() {
        true => Ok(()),
        false => Err(ApiError::State(say(
            "已申请确认此对账单，审核或撤回后再操作",
            "A confirmation of this statement was requested: do this once it is decided or withdrawn",
        ))),
    }
}

/// Ends an open request, if there is one, with its proofs and its message.
pub(super) async fn end(tx: &mut Connection, id: i64, now: i64) -> Result<()> {
    if decision::withdraw(tx, TARGET.kind, id, now).await? {
        release(tx, id, now).await?;
        notices::CONFIRMATIONS.close(tx, id, now).await?;
    }
    Ok(())
}

async fn release(tx: &mut Connection, id: i64, now: i64) -> Result<()> {
    upload::release(tx, PROOF.biz_type, &[id], now).await?;
    Ok(store::drop_proofs(tx, id).await?)
}

fn nothing_asked() -> ApiError {
    ApiError::State(say("没有待审核的确认申请", "No confirmation awaits approval"))
}
