//! How a lead ends. Accepted: it is paid for and becomes a clue. Refused or given up: the held price and the room
//! under the caps are given back, and the next plan is looked for. Returned later: it is refunded. Each step belongs
//! to the transaction that ended the lead's delivery, so it happens once. For a test lead no money moves; the rest is
//! the same.

use super::notices;
use base::db::Tx;
use crm::{self, NewClue};
use frame::api::{ApiError, App, say};
use frame::sms::SmsKind;
use frame::terms::cap;
use trade::ledger::account::{self, SpendOrder};
use trade::ledger::journal;
use trade::ledger::{self, Entry, EntryKind, Posting};
use trade::org;
use trade::plan::DeliverMode;
use trade::plan::push::delivery;
use trade::plan::push::delivery::{Delivery, Stop};
use trade::plan::push::model::{PushRow, PushStatus};
use trade::plan::replacement;
use trade::user::rounds;
use trade::visit::lead;

/// The organisation has taken a lead: its price is paid from what was held.
pub async fn accept(app: &App, tx: &mut Tx, push: &Delivery, upstream_no: Option<&str>, at: i64) -> Result<(), ApiError> {
    delivery::accepted(tx, push.id, upstream_no, at).await?;
    if push.unconfirmed {
        notices::resolved(tx, push.id, at).await?;
    }
    arrived(app, tx, push, at).await?;
    if push.stopped == Some(Stop::Consent) {
        notices::consent_withdrawn(tx, (push.id, &push.no), (push.org_id, push.sub_org_id), at).await?;
    }
    if push.test {
        return Ok(());
    }
    // Last, since other payments from the account wait until the transaction ends.
    let key = idem_key(push.id);
    ledger::pay_held(tx, &entry(push, &key, at), push.held()).await?;
    Ok(())
}

/// Charges the organisation at once for a lead that needs no answer, if its balance allows it. Returns whether it did.
pub async fn charge(tx: &mut Tx, push: &Delivery, order: SpendOrder, at: i64) -> Result<bool, sqlx::Error> {
    if push.test {
        return Ok(true);
    }
    let key = idem_key(push.id);
    ledger::charge(tx, &entry(push, &key, at), order).await
}

/// Holds the price of a lead until its organisation has answered, if the balance allows it. Returns whether it did.
pub async fn hold(tx: &mut Tx, push: &Delivery, order: SpendOrder, at: i64) -> Result<bool, sqlx::Error> {
    if push.test {
        return Ok(true);
    }
    let Some(held) = account::hold(tx, push.org_id, push.price_cents, order, at).await? else { return Ok(false) };
    if held.gift_cents > 0 {
        delivery::held_of_gifts(tx, push.id, held.gift_cents).await?;
    }
    journal::hold_price(tx, (push.org_id, push.id), held, &idem_key(push.id), at).await?;
    Ok(true)
}

/// The key under which the price of a lead is posted.
fn idem_key(push_id: i64) -> String {
    format!("push-{push_id}-sold")
}

fn entry<'e>(push: &'e Delivery, idem_key: &'e str, at: i64) -> Entry<'e> {
    Entry {
        org_id: push.org_id,
        kind: EntryKind::LeadSale,
        amount_cents: -push.price_cents,
        gift_cents: 0,
        reference: ("push_record", push.id),
        idem_key,
        operator_id: None,
        remark: &push.no,
        at,
    }
}

/// Creates the clue, notifies the organisation's people, and counts the daily figures.
pub async fn arrived(app: &App, tx: &mut Tx, push: &Delivery, at: i64) -> Result<(), ApiError> {
    let clue = NewClue {
        user_id: push.user_id,
        push_id: push.id,
        org_id: push.org_id,
        sub_org_id: push.sub_org_id,
        name_mask: &push.name_mask,
        phone_mask: &push.phone_mask,
        city: &push.city,
    };
    crm::begin_clue(app, tx, &clue, at).await?;
    lead::sold(tx, push.id, push.channel_cost_cents, at).await?;
    if push.deliver_mode == DeliverMode::Sms {
        // The message does not name the applicant: readers sign in to see who it is.
        let params = [("leadNo", push.no.clone())];
        org::alert(app, tx, push.org_id, (SmsKind::NewLead, &params), &format!("push-{}-sms", push.id), at).await?;
    }
    Ok(())
}

/// Why a lead was not accepted, in the organisation's words or the platform's.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// `Rejected`, `Duplicate`, `Failed` or `Cancelled`.
    pub status: PushStatus,
    pub code: String,
    pub reason: String,
}

/// The organisation did not take a lead: another plan is looked for.
pub async fn refuse(tx: &mut Tx, push: &Delivery, refusal: &Refusal, at: i64) -> Result<(), ApiError> {
    delivery::refused(tx, push.id, refusal.status, &refusal.code, &refusal.reason, at).await?;
    if push.unconfirmed {
        notices::resolved(tx, push.id, at).await?;
    }
    if let Some(why) = refusal.status.not_taken() {
        lead::not_taken(tx, push.id, why).await?;
    }
    replacement::open_again(tx, push.id).await?;
    rounds::again(tx, push.user_id, at).await?;
    // Last and in this order, as in a sale.
    cap::counters::give_back(tx, push.id).await?;
    if !push.test {
        account::release(tx, push.org_id, push.held(), at).await?;
        journal::void_price(tx, push.id, at).await?;
    }
    Ok(())
}

/// The organisation returns a lead that it had accepted. Its price is refunded and its room under the caps given
/// back, once; its clue is closed. Its channel, if charged, gets nothing for the applicant.
pub async fn take_back(tx: &mut Tx, push: &PushRow, charge_channel: bool, operator_id: Option<i64>, at: i64) -> Result<(), ApiError> {
    if !delivery::returned(tx, push.id, at).await? {
        return Err(returned_before());
    }
    lead::returned(tx, push.id, charge_channel, at).await?;
    crm::end_clue(tx, push.id, at).await?;
    // Last and in this order, as in a sale.
    cap::counters::give_back(tx, push.id).await?;
    if !push.test {
        refund(tx, push, operator_id, at).await?;
    }
    Ok(())
}

/// Posts the refund of a lead, once.
async fn refund(tx: &mut Tx, push: &PushRow, operator_id: Option<i64>, at: i64) -> Result<(), ApiError> {
    let entry = Entry {
        org_id: push.org_id,
        kind: EntryKind::Refund,
        amount_cents: push.price_cents,
        // The part paid from gifts goes back to the gifts.
        gift_cents: ledger::gift_part(tx, &idem_key(push.id)).await?,
        reference: ("push_record", push.id),
        idem_key: &format!("push-{}-return", push.id),
        operator_id,
        remark: &push.no,
        at,
    };
    match ledger::post(tx, &entry).await? {
        Posting::Repeated => Err(returned_before()),
        Posting::Posted { .. } | Posting::Short { .. } => Ok(()),
    }
}

fn returned_before() -> ApiError {
    ApiError::State(say("这条线索不能再退回", "The lead can no longer be returned"))
}
