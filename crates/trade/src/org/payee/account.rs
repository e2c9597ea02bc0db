//! The bank account of a payee. Payers transfer money to it, so the first one and every other hold once a second person agrees.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{PayeeForm, PayeeRow, mask};
use base::crypto::{Keys, place};
use base::db::{Connection, Sql, Tx};
use frame::access::audit::{Change, Stamp};
use frame::access::{Viewer, stamped};
use frame::api::versioned;
use frame::api::{ApiError, Body, Ctx, Result};
use frame::decision::{self, DecisionAction, DecisionForm};
use frame::message;
use frame::proposal::{self, Proposal, ProposalKind, ProposalVersion};

/// Who decides on accounts.
pub(super) const POINT: &str = "org/payee/audit";

/// Proposals of accounts.
const ACCOUNT: ProposalKind = ProposalKind {
    action: DecisionAction::ChangePayeeAccount,
    table: "payee_organisation",
    point: POINT,
    route: "orgPayee",
    name: ("收款账户", "Bank account"),
};

/// Who may see the whole accounts of every payee.
const REVEAL: &str = "org/payee/reveal";

/// A bank account, masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PayeeAccount {
    pub bank_name: String,
    pub bank_account_mask: String,
    /// Whether it is another account than the one in use: both may have the same mask.
    #[serde(default)]
    pub is_another_account: bool,
}

/// The account in use, unmasked; empty before the first one is approved.
pub(super) async fn current(tx: &mut Connection, keys: &Keys, id: i64) -> Result<String> {
    let sealed: String = sqlx::query_scalar("SELECT bank_account_enc FROM payee_organisation WHERE id = $1").bind(id).fetch_one(tx).await?;
    opened(keys, id, &sealed)
}

/// An account as it is stored, unmasked; empty before the first one is approved.
pub(super) fn opened(keys: &Keys, id: i64, sealed: &str) -> Result<String> {
    match sealed {
        "" => Ok(String::new()),
        sealed => Ok(keys.open(&place::PAYEE_ACCOUNT.of(id), sealed)?),
    }
}

/// The account that awaits approval, unmasked; none where the bank's name alone does.
pub(super) async fn proposed(tx: &mut Connection, keys: &Keys, id: i64) -> Result<Option<String>> {
    let sealed: Option<String> =
        sqlx::query_scalar("SELECT proposed_enc FROM payee_organisation WHERE id = $1").bind(id).fetch_one(tx).await?;
    Ok(sealed.map(|sealed| keys.open(&place::PAYEE_ACCOUNT_PROPOSED.of(id), &sealed)).transpose()?)
}

/// Refuses viewers who may not see the whole accounts of a payee. Those who may decide on the account that awaits approval may see
/// it and the one in use, also without the point of reveals.
pub(super) fn check_reveal(viewer: &Viewer, row: &PayeeRow) -> Result<()> {
    let decides = || viewer.has(POINT) && proposal::is_decidable(row.decision.as_ref(), &ACCOUNT, viewer.id);
    match viewer.has(REVEAL) || decides() {
        true => Ok(()),
        false => Err(ApiError::Forbidden),
    }
}

/// Sets the account of a payee. The callers have a second person's approval.
pub async fn set(tx: &mut Connection, keys: &Keys, id: i64, bank_name: &str, account: &str) -> std::result::Result<(), sqlx::Error> {
    sqlx::query("UPDATE payee_organisation SET bank_name = $1, bank_account_enc = $2, bank_account_mask = $3 WHERE id = $4")
        .bind(bank_name)
        .bind(keys.seal(&place::PAYEE_ACCOUNT.of(id), account))
        .bind(mask(account))
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Proposes the bank and the account of a form where they differ from those in use or proposed. Without an account the form keeps
/// the proposed one, else the one in use. Returns what the trail says beside the masks.
pub(super) async fn propose(cx: &Ctx, tx: &mut Tx, row: &PayeeRow, form: &PayeeForm) -> Result<Vec<Change>> {
    let keys = &cx.app.keys;
    let in_use = current(tx, keys, row.id).await?;
    let waiting = match row.proposed {
        Some(_) => proposed(tx, keys, row.id).await?,
        None => None,
    };
    let wanted = form.bank_account.clone().or_else(|| waiting.clone()).unwrap_or_else(|| in_use.clone());
    let is_kept = wanted == in_use;
    if is_kept && form.bank_name == row.bank_name {
        if row.proposed.is_some() {
            forget(tx, row.id, cx.now).await?;
        }
        return Ok(Vec::new());
    }
    let is_same_bank = row.proposed.as_ref().is_some_and(|account| account.bank_name == form.bank_name);
    if is_same_bank && waiting.as_ref().unwrap_or(&in_use) == &wanted {
        return Ok(Vec::new());
    }
    submit(tx, keys, row, (&form.bank_name, &wanted), cx.stamp()?).await?;
    // Another account may have the same mask.
    let shown = mask(&wanted);
    let same_mask =
        !is_kept && shown == row.proposed.as_ref().map_or(&row.bank_account_mask, |account| &account.bank_account_mask).as_str();
    let change = || Change { field: "asked.bankAccount".to_owned(), before: Some(shown.clone()), after: Some(shown.clone()) };
    Ok(same_mask.then(change).into_iter().collect())
}

/// Proposes a bank and an account.
pub async fn submit(tx: &mut Tx, keys: &Keys, row: &PayeeRow, (bank_name, wanted): (&str, &str), stamp: Stamp) -> Result<()> {
    let in_use = current(tx, keys, row.id).await?;
    keep(tx, keys, row.id, Some(wanted).filter(|wanted| *wanted != in_use)).await?;
    proposal::submit(tx, &of(keys, row, bank_name, &in_use, wanted), stamp).await
}

/// Forgets what is proposed.
pub(super) async fn forget(tx: &mut Connection, id: i64, at: i64) -> Result<()> {
    sqlx::query("UPDATE payee_organisation SET proposed_enc = NULL WHERE id = $1").bind(id).execute(&mut *tx).await?;
    decision::withdraw(tx, ACCOUNT.table, id, at).await?;
    Ok(message::done(tx, ACCOUNT.table, id, at).await?)
}

/// `PUT /org/payee/audit`: decides on the account that awaits approval.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<PayeeRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PayeeRow>(cx, &mut tx, body.id, body.version).await?;
                let keys = &cx.app.keys;
                let in_use = current(&mut tx, keys, before.id).await?;
                let account = before.proposed.clone().unwrap_or_else(|| PayeeAccount {
                    bank_name: before.bank_name.clone(),
                    bank_account_mask: before.bank_account_mask.clone(),
                    is_another_account: false,
                });
                let wanted = proposed(&mut tx, keys, before.id).await?.unwrap_or_else(|| in_use.clone());
                let proposal = of(keys, &before, &account.bank_name, &in_use, &wanted);
                proposal::decide(cx, &mut tx, &proposal, before.decision.as_ref(), body).await?;
                if body.approve {
                    set(&mut tx, keys, before.id, &account.bank_name, &wanted).await?;
                }
                let written = end(&mut tx, cx, body.id, body.version).await?;
                versioned::changed_with_within(cx, &mut tx, before, written, proposal::decided(body)).await
            }
            .boxed()
        })
        .await
}

/// `PUT /org/payee/withdraw`: takes back the account that awaits approval.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<ProposalVersion>) -> Result<PayeeRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PayeeRow>(cx, &mut tx, body.id, body.version).await?;
                proposal::withdraw(cx, &mut tx, &ACCOUNT, before.id, before.decision.as_ref()).await?;
                let written = end(&mut tx, cx, body.id, body.version).await?;
                versioned::changed_with_within(cx, &mut tx, before, written, proposal::withdrawn()).await
            }
            .boxed()
        })
        .await
}

/// Ends a proposal; tells whether there was the version.
async fn end(tx: &mut Connection, cx: &Ctx, id: i64, version: i64) -> Result<bool> {
    Ok(stamped::over(Sql::new("UPDATE payee_organisation SET proposed_enc = NULL"), id, version, cx.stamp()?, tx).await?)
}

async fn keep(tx: &mut Connection, keys: &Keys, id: i64, account: Option<&str>) -> std::result::Result<(), sqlx::Error> {
    sqlx::query("UPDATE payee_organisation SET proposed_enc = $1 WHERE id = $2")
        .bind(account.map(|account| keys.seal(&place::PAYEE_ACCOUNT_PROPOSED.of(id), account)))
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// A change of the account as something to be decided on.
fn of<'p>(keys: &Keys, row: &'p PayeeRow, bank_name: &str, in_use: &str, wanted: &str) -> Proposal<'p> {
    let shown = |bank: &str, account: &str| json!({ "bankName": bank, "bankAccountMask": mask(account), "bankAccountHash": keys.lookup_hash(account) });
    Proposal { kind: &ACCOUNT, id: row.id, record: &row.name, from: shown(&row.bank_name, in_use), to: shown(bank_name, wanted) }
}
