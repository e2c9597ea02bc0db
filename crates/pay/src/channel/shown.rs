//! The payee and the instructions of a channel, which payers read. If payers may see the channel, a change of them
//! needs the approval of a second person.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::json;

use super::form::ChannelFormChecked;
use super::model::{ChannelProposal, PayeeChannelRow};
use super::record::{ORDERS, check_payee};
use super::store;
use crate::channel::PayeeChannelStatus;
use base::db::{Connection, Tx};
use frame::access::audit::Stamp;
use frame::access::stamped;
use frame::api::obstacle::obstacle;
use frame::api::versioned;
use frame::api::{ApiError, Body, Ctx, Result, say};
use frame::decision::{self, DecisionAction, DecisionForm};
use frame::message;
use frame::proposal::{self, Proposal, ProposalKind, ProposalVersion};
use trade::org::payee;

/// Proposals of payees and instructions.
const SHOWN: ProposalKind = ProposalKind {
    action: DecisionAction::ChangePayeeChannel,
    table: "payee_channel",
    point: "payConfig/list/status",
    route: "payConfigList",
    name: ("收款方与付款说明", "Payee and instructions"),
};

/// Whether payers may see a channel's payee and instructions: it is enabled, or it has orders. Otherwise no approval is
/// needed, because a second person enables the channel.
pub(super) async fn is_shown(tx: &mut Connection, row: &PayeeChannelRow) -> Result<bool> {
    Ok(row.status == PayeeChannelStatus::Enabled || obstacle(tx, ORDERS, row.id).await?.is_some())
}

/// Proposes the payee and the instructions of a form where they differ from those in use or proposed.
pub(super) async fn propose(cx: &Ctx, tx: &mut Tx, row: &PayeeChannelRow, form: &ChannelFormChecked) -> Result<()> {
    let is_kept = (form.payee_org_id, &form.instructions) == (row.payee_org_id, &row.instructions);
    if is_kept {
        if row.proposed.is_some() {
            forget(tx, row.id, cx.now).await?;
        }
        return Ok(());
    }
    let payee_org_name = payee::details(tx, &cx.app.keys, form.payee_org_id).await?.name;
    let wanted = ChannelProposal { payee_org_id: form.payee_org_id, payee_org_name, instructions: form.instructions.clone() };
    if row.proposed.as_ref() == Some(&wanted) {
        return Ok(());
    }
    submit(tx, row, &wanted, cx.stamp()?).await
}

/// Proposes a payee and instructions of a channel.
pub async fn submit(tx: &mut Tx, row: &PayeeChannelRow, wanted: &ChannelProposal, stamp: Stamp) -> Result<()> {
    proposal::submit(tx, &of(row, wanted), stamp).await
}

/// Withdraws what is proposed of a channel, where nothing differs any more or the channel is deleted.
pub(super) async fn forget(tx: &mut Connection, id: i64, at: i64) -> Result<()> {
    decision::withdraw(tx, SHOWN.table, id, at).await?;
    Ok(message::done(tx, SHOWN.table, id, at).await?)
}

/// `PUT /payChannel/audit`: decides on the payee and the instructions that await approval.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<PayeeChannelRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PayeeChannelRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(wanted) = before.proposed.clone() else {
                    return Err(ApiError::State(say("没有待审核的修改", "No change awaits approval")));
                };
                proposal::decide(cx, &mut tx, &of(&before, &wanted), before.decision.as_ref(), body).await?;
                if body.approve {
                    // There may be orders by now, or the payee may have been disabled.
                    check_payee(&mut tx, viewer.scope(), &before, wanted.payee_org_id).await?;
                    store::set_shown(&mut tx, before.id, wanted.payee_org_id, &wanted.instructions).await?;
                }
                let written = stamped::touch(&mut tx, SHOWN.table, body.id, body.version, cx.stamp()?).await?;
                versioned::changed_with_within(cx, &mut tx, before, written, proposal::decided(body)).await
            }
            .boxed()
        })
        .await
}

/// `PUT /payChannel/withdraw`: takes back the payee and the instructions that await approval.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<ProposalVersion>) -> Result<PayeeChannelRow> {
    proposal::withdraw_from(&cx, &SHOWN, &body, |row: &PayeeChannelRow| row.decision.as_ref()).await
}

/// A change of payee and instructions as a proposal to decide on.
fn of<'p>(row: &'p PayeeChannelRow, wanted: &ChannelProposal) -> Proposal<'p> {
    let from = json!({ "payeeOrgId": row.payee_org_id, "instructions": row.instructions });
    let to = serde_json::to_value(wanted).expect("a proposal serialises");
    Proposal { kind: &SHOWN, id: row.id, record: &row.name, from, to }
}
