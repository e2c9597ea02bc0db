//! Queries providers about open orders, until the result is known; closes expired unpaid ones.
//!
//! An order is leased, its provider is called outside any transaction, and the result is written if the order is
//! still open. A call without an answer changes nothing: the order is queried again.

use futures_util::FutureExt;

use super::model::{KnownBy, OrderStatus, PaymentOrderRow};
use super::paid;
use super::store::{self, OpenOrder};
use crate::channel::ChannelFee;
use crate::link;
use crate::provider::{self, Provider, Reply, Standing};
use base::clock::MINUTE;
use frame::access::Scope;
use frame::access::audit::Action;
use frame::api::versioned;
use frame::api::{ApiError, App};

/// Seconds until an order is queried again: after the first time, the second and so on; the last for all later ones.
const PAUSES: [i64; 8] = [5, 10, 15, 30, 60, 120, 300, 600];
/// Milliseconds until the next query of an order or a refund whose channel cannot be used.
pub const WITHOUT_PROVIDER: i64 = 5 * MINUTE;
/// The stored error in that case.
pub const NO_PROVIDER: &str = "channel_not_enabled";

/// The result of a query of an order.
enum Learnt {
    Paid(Box<provider::Payment>, ChannelFee),
    Unpaid(OrderStatus, Option<String>),
    /// Still open: when it is queried again, and why there was no answer.
    Open(i64, Option<String>),
}

/// The pause in milliseconds after so many queries of an order.
pub fn pause(tries: i64) -> i64 {
    base::outbox::pause_of(&PAUSES, 1000, tries.max(1))
}

/// Queries one order, if it is due and no other node does.
pub async fn look_at(app: &App, id: i64) -> Result<(), ApiError> {
    let now = app.clock.now();
    let leased = app.db.transact(|mut tx| async move { store::lease(&mut tx, id, now).await }.boxed()).await?;
    let Some(order) = leased else { return Ok(()) };
    let learnt = learn(app, &order).await?;
    write(app, &order, &learnt).await
}

async fn learn(app: &App, order: &OpenOrder) -> Result<Learnt, ApiError> {
    let now = app.clock.now();
    let is_over = order.cancel_asked || order.expires_at <= now;
    let ending = if order.cancel_asked { OrderStatus::Cancelled } else { OrderStatus::Closed };
    if !order.provider.is_online() || order.status == OrderStatus::Created {
        // An entered payment keeps its order open until it is decided on.
        return Ok(match is_over && !order.is_claimed {
            true => Learnt::Unpaid(ending, None),
            false => Learnt::Open(order.expires_at.max(now + MINUTE), None),
        });
    }
    let Some((fee, provider)) = provider::of_channel(app, order.payee_channel_id, now).await? else {
        return Ok(Learnt::Open(now + WITHOUT_PROVIDER, Some(NO_PROVIDER.to_owned())));
    };
    let again = now + pause(order.tries);
    Ok(match provider.standing(&order.no).await {
        Reply::Answer(Standing::Paid(payment)) => Learnt::Paid(Box::new(payment), fee),
        Reply::Answer(Standing::Closed) => Learnt::Unpaid(ending, None),
        Reply::Answer(Standing::Failed(why)) => Learnt::Unpaid(OrderStatus::Failed, Some(why)),
        Reply::Answer(Standing::Unpaid | Standing::Missing) if is_over => close(&*provider, order, ending, again).await,
        Reply::Answer(Standing::Unpaid | Standing::Missing) => Learnt::Open(again.min(order.expires_at.max(now + 1000)), None),
        Reply::Refused(why) | Reply::NotSent(why) | Reply::Unknown(why) => Learnt::Open(again, Some(why)),
    })
}

/// Closes an order at its provider, so that it cannot be paid any more. If the result is uncertain, the order stays
/// open, because it may have been paid meanwhile.
async fn close(provider: &dyn Provider, order: &OpenOrder, ending: OrderStatus, again: i64) -> Learnt {
    match provider.close(&order.no).await {
        Reply::Answer(()) => Learnt::Unpaid(ending, None),
        Reply::Refused(why) | Reply::NotSent(why) | Reply::Unknown(why) => Learnt::Open(again, Some(why)),
    }
}

async fn write(app: &App, order: &OpenOrder, learnt: &Learnt) -> Result<(), ApiError> {
    let (now, rest) = (app.clock.now(), link::rest(app).await?);
    let credited = app
        .db
        .transact(|mut tx| {
            async move {
                match learnt {
                    Learnt::Open(due_at, error) => {
                        store::ask_again(&mut tx, order.id, *due_at, error.as_deref()).await?;
                        Ok::<_, ApiError>(false)
                    }
                    Learnt::Paid(payment, fee) => {
                        let taken = paid::take(&mut tx, *fee, payment, KnownBy::Query, now).await?;
                        if !matches!(taken, paid::Taken::Paid { .. }) {
                            // Staff settle the exception. An order that is still open is queried at the usual pauses.
                            store::ask_again(&mut tx, order.id, now + pause(order.tries), Some("exception")).await?;
                        }
                        Ok(matches!(taken, paid::Taken::Paid { credits_account: true }))
                    }
                    Learnt::Unpaid(status, error) => {
                        versioned::hold::<PaymentOrderRow>(&mut tx, order.id).await?;
                        if let Some(before) = store::find(&mut **tx, Scope::All, order.id)
                            .await?
                            .filter(|row| row.status == order.status && row.claim.is_none())
                            && paid::end_unpaid(&mut tx, &before, (*status, error.as_deref()), rest, now).await?
                        {
                            paid::note(&mut tx, &before, Action::Update, now).await?;
                        }
                        Ok(false)
                    }
                }
            }
            .boxed()
        })
        .await?;
    if credited {
        app.credited.notify_one();
    }
    Ok(())
}
