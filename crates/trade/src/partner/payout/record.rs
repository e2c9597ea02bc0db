//! One payout: seen, withdrawn and decided on. What it takes of its statement is taken with the request, and given back when nothing comes
//! of it or its money comes back. The channel is locked first, then the statement is held, then its payout, everywhere.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::list::TARGET;
use super::model::{PayoutRow, PayoutStatus, PayoutVersion};
use super::notices;
use super::payment::{enter_made, post};
use super::request::uncovered;
use super::store::{self, Step};
use crate::partner::lock_channel;
use crate::partner::statement::model::PartnerStatementRow;
use crate::partner::statement::store as statements;
use base::db::{Connection, Tx};
use base::form_limits;
use base::locale::Locale;
use base::{clock, crypto};
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Target};
use frame::api::check::present;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Check, Ctx, FileRule, Id, Result, check_step, say};
use frame::decision::{self, DecisionAction, DecisionForm, Matter, Verdict};

/// What its messages call it.
pub(super) const NAME: (&str, &str) = ("付款", "payout");

form_limits! {
    /// Of a payout.
    payout {
        /// Characters of the bank's number.
        pub(super) BANK_NUMBER: usize = 64,
        /// Most files that prove a transfer.
        pub(super) MOST_PROOFS: usize = 5,
        pub(super) REMARK: usize = 200,
    }
}

/// Files that prove a transfer: those who see the payout see them.
pub const PROOF: FileRule = FileRule { biz_type: "payout_proof", pictures_only: false, masks_names: false, sees: sees_proof };

fn sees_proof(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("finance/partner/list") && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for PayoutRow {
    const TARGET: Target = TARGET;
    const LEFT_OUT: &'static [&'static str] = &["decision", "statementId", "channelId", "payeeOrgId", "createdBy", "paidBy"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PayoutRow>, sqlx::Error> {
        store::find(tx, scope, id).await
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
                Check::new().text("note", note.as_deref().unwrap_or_default(), usize::from(!body.approve)..=decision::REASON).done()?;
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

/// A payout in the version that is meant, held after its channel and its statement.
pub(super) async fn held(cx: &Ctx, tx: &mut Tx, id: i64, version: i64) -> Result<PayoutRow> {
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

/// A number that no payout has: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("FK{}-{}", clock::day_compact(at), crypto::random_text(6))
}
