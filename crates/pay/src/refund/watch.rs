//! Requests approved refunds from their providers, and queries each until the result is known.
//!
//! Each refund is requested under one number, so that a repeated request does not make it twice. A call without an
//! answer changes nothing: it is repeated.

use futures_util::FutureExt;

use super::model::{PaymentRefundRow, RefundStatus};
use super::{notices, record, store};
use crate::notify_url;
use crate::order::model::{OrderBiz, PaymentOrderRow};
use crate::order::paid::{self, Repaid};
use crate::order::store as orders;
use crate::order::watch::{NO_PROVIDER, WITHOUT_PROVIDER, pause};
use crate::provider::{self, RefundFound, RefundStanding, Repayment, Reply};
use base::clock::DAY;
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, App};
use frame::setting;
use trade::finance;
use trade::ledger::journal;
use trade::ledger::outgoing::{self, Outgoing};

/// After this long at its provider, staff get a message about a refund.
const LATE: i64 = DAY;
/// Most late refunds that one sweep reports.
const MOST_LATE: i64 = 100;

/// Handles one refund if it is due and no other node has it.
pub async fn look_at(app: &App, id: i64) -> Result<(), ApiError> {
    let now = app.clock.now();
    let leased = app.db.transact(|mut tx| async move { store::lease(&mut tx, id, now).await }.boxed()).await?;
    let Some(refund) = leased else { return Ok(()) };
    let tries = refund.tries;
    let found = match ask(app, &refund).await? {
        None => return ask_later(app, id, WITHOUT_PROVIDER, NO_PROVIDER, tries).await,
        Some(Reply::NotSent(why) | Reply::Unknown(why)) => return ask_later(app, id, pause(tries), &why, tries).await,
        Some(Reply::Answer(found)) => found,
        // Refused for good: `ask` has made sure that no earlier try was accepted.
        Some(Reply::Refused(why)) => RefundFound::without_number(RefundStanding::Failed(why)),
    };
    let found = &found;
    app.db
        .transact(|mut tx| {
            async move { end(&mut tx, id, found, Some(tries), (app.clock.now(), app.clock.now() + pause(tries))).await }.boxed()
        })
        .await
}

/// Sends staff a message, once, of each refund that has been at its provider for more than a day.
pub async fn report_late(app: &App) -> Result<(), ApiError> {
    let now = app.clock.now();
    for id in store::late(app.db.read(), now - LATE, MOST_LATE).await? {
        app.db
            .transact(|mut tx| {
                async move {
                    if !store::note_late(&mut tx, id, now - LATE, now).await? {
                        return Ok::<(), ApiError>(());
                    }
                    let Some(row) = store::find(&mut **tx, Scope::All, id).await? else { return Ok(()) };
                    Ok(notices::late(&mut tx, &row, now).await?)
                }
                .boxed()
            })
            .await?;
    }
    Ok(())
}

/// Schedules the next try after so many milliseconds, and stores why this one had no result.
async fn ask_later(app: &App, id: i64, wait: i64, why: &str, tries: i64) -> Result<(), ApiError> {
    let due_at = app.clock.now() + wait;
    Ok(app.db.transact(|mut tx| async move { store::ask_again(&mut tx, id, due_at, Some(why), Some(tries)).await }.boxed()).await?)
}

/// Requests a refund from its provider; none where the channel cannot be used. A second try queries the refund first, and
/// requests it only where the provider does not know it.
async fn ask(app: &App, refund: &store::DueRefund) -> Result<Option<Reply<RefundFound>>, ApiError> {
    let Some((_, provider)) = provider::of_channel(app, refund.payee_channel_id, app.clock.now()).await? else { return Ok(None) };
    if refund.tries > 1 {
        match provider.refund_standing(&refund.order_no, &refund.no).await {
            Reply::Answer(RefundFound { standing: RefundStanding::Missing, .. }) => {}
            reply => return Ok(Some(unless_refused(reply))),
        }
    }
    let site = app.settings.get(&app.db, &setting::PAY_SITE_URL).await?;
    let url = notify_url(&site);
    let repayment = Repayment {
        order_no: &refund.order_no,
        refund_no: &refund.no,
        reason: &refund.reason,
        cents: refund.amount_cents,
        paid_cents: refund.paid_cents,
        notify_url: url.as_deref(),
    };
    Ok(Some(match provider.refund(&repayment).await {
        // This request or an earlier one may have been accepted all the same: it was not only if the provider does not
        // know the refund.
        Reply::Refused(why) => match provider.refund_standing(&refund.order_no, &refund.no).await {
            Reply::Answer(RefundFound { standing: RefundStanding::Missing, .. }) => Reply::Refused(why),
            reply => unless_refused(reply),
        },
        reply => reply,
    }))
}

/// A refused query does not tell the state of the refund.
fn unless_refused<T>(reply: Reply<T>) -> Reply<T> {
    match reply {
        Reply::Refused(why) => Reply::Unknown(why),
        reply => reply,
    }
}

/// Writes the state of a refund if it is still open. With `tries`, only if no later try has begun. A refund that was
/// made counts on the day on which its provider made it, as in statements.
pub async fn end(
    tx: &mut Connection,
    id: i64,
    answer: &RefundFound,
    tries: Option<i64>,
    (now, again_at): (i64, i64),
) -> Result<(), ApiError> {
    let channel_refund_no = answer.no.as_deref();
    let (status, error) = match &answer.standing {
        RefundStanding::Done => (RefundStatus::Success, None),
        RefundStanding::Failed(why) => (RefundStatus::Failed, Some(why.as_str())),
        RefundStanding::Abnormal(why) => {
            if let Some(found) = store::find(&mut *tx, Scope::All, id).await?.filter(|found| found.status == RefundStatus::Processing)
                && let Some(order) = orders::find(&mut *tx, Scope::All, found.payment_order_id).await?
            {
                paid::refund_stuck(tx, &order, &found.no, found.amount_cents, now).await?;
            }
            return Ok(store::ask_again(tx, id, again_at, Some(why), tries).await?);
        }
        RefundStanding::Processing | RefundStanding::Missing => return Ok(store::ask_again(tx, id, again_at, None, tries).await?),
    };
    let Some(found) = store::find(&mut *tx, Scope::All, id).await? else { return Ok(()) };
    let order_id = found.payment_order_id;
    versioned::hold::<PaymentOrderRow>(tx, order_id).await?;
    // Read again: the refund may have ended while the order was waited for.
    let Some(found) = store::find(&mut *tx, Scope::All, id).await? else { return Ok(()) };
    let order = orders::find(&mut *tx, Scope::All, order_id).await?.ok_or(ApiError::Missing)?;
    let done_at = answer.done_at.filter(|_| status == RefundStatus::Success).unwrap_or(now);
    if !store::end(tx, id, (status, channel_refund_no, error), tries, (done_at, now)).await? {
        // It had failed, so the account got the money back, but the provider has made it after all.
        if status == RefundStatus::Success && found.status == RefundStatus::Failed {
            let refund = Repaid { no: &found.no, channel_no: channel_refund_no.unwrap_or(&found.no), cents: found.amount_cents };
            paid::refund_unfit(tx, order.payee_channel_id, Some(&order), &order.no, &refund, now).await?;
        }
        return Ok(());
    }
    match status {
        RefundStatus::Success => {
            record::hold_clue(tx, &order).await?;
            let number = number_of(&found, &order, channel_refund_no);
            let payment = record::payment_of(tx, &found, Some(number), done_at).await?;
            if let Some(other) = outgoing::claim(tx, &payment).await? {
                // The provider has made it, whatever another record says.
                outgoing::claim(tx, &Outgoing { number: None, ..payment }).await?;
                notices::number_taken(tx, &found, &other, now).await?;
            }
            record::book(tx, &order, done_at, now).await?;
            record::made(tx, &found, &order, (done_at, now)).await?;
        }
        _ => {
            orders::give_back_refund(tx, order.id, found.amount_cents, now).await?;
            if order.biz_type == OrderBiz::Recharge {
                finance::recharge::refund_online(tx, (found.id, &found.no), order.org_id, found.amount_cents, None, now).await?;
            }
        }
    }
    journal::enter(tx, journal::Source::Refund, id, now).await?;
    notices::ended_as(tx, &found, status, error, now).await?;
    let after = store::find(&mut *tx, Scope::All, id).await?;
    note(tx, &found, after.as_ref(), now).await
}

/// The number of a refund at its provider. Alipay only returns the number of the payment: then it is our number, which
/// Alipay knows the refund by.
fn number_of<'n>(refund: &'n PaymentRefundRow, order: &PaymentOrderRow, answered: Option<&'n str>) -> &'n str {
    answered
        .or(refund.channel_refund_no.as_deref())
        .filter(|number| !number.is_empty() && order.channel_order_no.as_deref() != Some(*number))
        .unwrap_or(&refund.no)
}

/// Writes an audit row for an automatic change of a refund.
async fn note(tx: &mut Connection, before: &PaymentRefundRow, after: Option<&PaymentRefundRow>, now: i64) -> Result<(), ApiError> {
    let changes = PaymentRefundRow::diff(Some(before), after);
    Ok(audit::record_own(tx, super::TARGET.of(before.id), Action::Money, &changes, now).await?)
}
