//! The terms of an organisation: its credit, and which returns are refunded. They move money without a further
//! question, so all but the initial ones, prepaid and without returns, need the approval of a second person.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::form::Form;
use super::model::{BillMode, OrgRow};
use super::store;
use base::db::{Connection, Tx};
use frame::access::audit::Stamp;
use frame::access::stamped;
use frame::api::{ApiError, Body, Ctx, Result, say, versioned};
use frame::decision::{self, DecisionAction, DecisionForm};
use frame::message;
use frame::proposal::{self, Proposal, ProposalKind, ProposalVersion};

/// Proposals of terms.
const TERMS: ProposalKind = ProposalKind {
    action: DecisionAction::ChangeOrgTerms,
    table: "organisation",
    point: "org/list/audit",
    route: "orgList",
    name: ("授信与退单条件", "Credit and return terms"),
};

/// Terms of an organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgTerms {
    pub bill_mode: BillMode,
    pub credit_limit_cents: i64,
    pub return_allowed: bool,
    pub return_max_days: i64,
    pub return_max_bp: i64,
    pub return_auto: bool,
}

impl OrgTerms {
    /// Before an organisation's first approval.
    pub(super) const FIRST: OrgTerms = OrgTerms {
        bill_mode: BillMode::Prepaid,
        credit_limit_cents: 0,
        return_allowed: false,
        return_max_days: 0,
        return_max_bp: 0,
        return_auto: false,
    };

    /// The present terms.
    pub fn of_row(row: &OrgRow) -> OrgTerms {
        let OrgRow { bill_mode, credit_limit_cents, return_allowed, return_max_days, return_max_bp, return_auto, .. } = *row;
        OrgTerms { bill_mode, credit_limit_cents, return_allowed, return_max_days, return_max_bp, return_auto }.tidied()
    }

    pub(super) fn of_form(form: &Form) -> OrgTerms {
        let Form { bill_mode, credit_limit_cents, return_allowed, return_max_days, return_max_bp, return_auto, .. } = *form;
        OrgTerms { bill_mode, credit_limit_cents, return_allowed, return_max_days, return_max_bp, return_auto }.tidied()
    }

    /// Without return limits, if no returns are allowed.
    fn tidied(self) -> OrgTerms {
        match self.return_allowed {
            true => self,
            false => OrgTerms { return_max_days: 0, return_max_bp: 0, return_auto: false, ..self },
        }
    }

    /// A form with these terms instead of its own.
    pub(super) fn in_form(self, form: &Form) -> Form {
        let OrgTerms { bill_mode, credit_limit_cents, return_allowed, return_max_days, return_max_bp, return_auto } = self;
        Form { bill_mode, credit_limit_cents, return_allowed, return_max_days, return_max_bp, return_auto, ..form.clone() }
    }
}

/// The form with the present terms: those of the row.
pub(super) fn kept(row: &OrgRow, form: &Form) -> Form {
    OrgTerms::of_row(row).in_form(form)
}

/// Proposes the terms of a form if they differ from the present or the proposed ones.
pub(super) async fn propose(cx: &Ctx, tx: &mut Tx, row: &OrgRow, form: &Form) -> Result<()> {
    let wanted = OrgTerms::of_form(form);
    if wanted == OrgTerms::of_row(row) {
        if row.proposed.is_some() {
            forget(tx, row.id, cx.now).await?;
        }
        return Ok(());
    }
    if row.proposed == Some(wanted) {
        return Ok(());
    }
    submit(tx, row, &wanted, cx.stamp()?).await
}

/// Stores proposed terms.
pub async fn submit(tx: &mut Tx, row: &OrgRow, wanted: &OrgTerms, stamp: Stamp) -> Result<()> {
    proposal::submit(tx, &of(row, wanted), stamp).await
}

/// Withdraws the proposal of an organisation, if nothing differs any more or it is deleted.
pub(super) async fn forget(tx: &mut Connection, id: i64, at: i64) -> Result<()> {
    decision::withdraw(tx, TERMS.table, id, at).await?;
    Ok(message::done(tx, TERMS.table, id, at).await?)
}

/// `PUT /org/audit`: decides on the proposed terms.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<OrgRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<OrgRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(wanted) = before.proposed else {
                    return Err(ApiError::State(say("没有待审核的修改", "No change awaits approval")));
                };
                proposal::decide(cx, &mut tx, &of(&before, &wanted), before.decision.as_ref(), body).await?;
                if body.approve {
                    store::set_terms(&mut tx, before.id, &wanted).await?;
                }
                let written = stamped::touch(&mut tx, TERMS.table, body.id, body.version, cx.stamp()?).await?;
                versioned::changed_with_within(cx, &mut tx, before, written, proposal::decided(body)).await
            }
            .boxed()
        })
        .await
}

/// `PUT /org/withdraw`: withdraws the proposed terms.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<ProposalVersion>) -> Result<OrgRow> {
    proposal::withdraw_from(&cx, &TERMS, &body, |row: &OrgRow| row.decision.as_ref()).await
}

/// A change of terms as the subject of a decision.
fn of<'p>(row: &'p OrgRow, wanted: &OrgTerms) -> Proposal<'p> {
    Proposal { kind: &TERMS, id: row.id, record: &row.name, from: json!(OrgTerms::of_row(row)), to: json!(wanted) }
}
