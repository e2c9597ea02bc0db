//! Recharges that are paid online: what a provider confirms, or two people, is credited at once, and a refund takes it back.

use super::model::RechargeRow;
use super::{TARGET, number, store};
use crate::ledger::incoming::PayMethod;
use crate::ledger::{self, Entry, EntryKind, Posting};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action};
use frame::api::{ApiError, Result, say};
use frame::terms;

/// A payment that came in for a recharge.
pub struct PaidOnline {
    pub order_id: i64,
    pub org_id: i64,
    pub cents: i64,
    pub pay_method: PayMethod,
}

/// Adds the recharge of a paid order and credits the account, once for an order.
pub async fn paid_online(tx: &mut Connection, paid: &PaidOnline, at: i64) -> Result<()> {
    let Some(id) = store::insert_paid(tx, &number(at), paid, at).await? else { return Ok(()) };
    let row = store::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    super::credit(tx, &row, None, None, at).await?;
    let changes = audit::changes(None::<&RechargeRow>, Some(&row));
    Ok(audit::record_own(tx, TARGET.of(id), Action::Money, &changes, at).await?)
}

/// Posts a refund of a payment of a recharge, by its id and its number: below zero as the money leaves the account, above
/// zero where the refund could not be made and the money stays.
pub async fn refund_online(
    tx: &mut Connection,
    (refund_id, refund_no): (i64, &str),
    org_id: i64,
    amount_cents: i64,
    by: Option<i64>,
    at: i64,
) -> Result<()> {
    let step = if amount_cents < 0 { "made" } else { "failed" };
    let entry = Entry {
        org_id,
        kind: EntryKind::Reversal,
        amount_cents,
        gift_cents: 0,
        reference: ("payment_refund", refund_id),
        idem_key: &format!("payment-refund-{refund_id}-{step}"),
        operator_id: by,
        remark: refund_no,
        at,
    };
    match ledger::post(tx, &entry).await? {
        Posting::Posted { .. } | Posting::Repeated => Ok(()),
        Posting::Short { available_cents } => {
            let left = terms::yuan(available_cents);
            Err(ApiError::State(say(
                format!("机构可用的充值金额只有 {left} 元，不足以退款"),
                format!("The organisation has only {left} CNY of paid money available: not enough for the refund"),
            )))
        }
    }
}
