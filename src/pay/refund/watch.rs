//! Has providers make approved refunds, and asks until it is known what became of each.
//!
//! A refund is asked for under one number, so that asking again makes it no second time. What is not answered changes
//! nothing: it is asked again.

use futures_util::FutureExt;

use super::model::{PaymentRefundRow, RefundStatus};
use super::{notices, record, store};
use crate::access::Scope;
use crate::access::audit::{self, Action};
use crate::api::versioned;
use crate::api::{ApiError, App};
use crate::clock::MINUTE;
use crate::db::Connection;
use crate::outside::Caller;
use crate::pay::channel::store as channels;
use crate::pay::notify_url;
use crate::pay::order::model::{OrderBiz, PaymentOrderRow};
use crate::pay::order::paid::{self, Repaid};
use crate::pay::order::store as orders;
use crate::pay::order::watch::pause;
use crate::pay::provider::{self, RefundStanding, Repayment, Reply};
use crate::{finance, setting};

/// Milliseconds until a refund is asked for again whose channel may not be used for now.
const WITHOUT_KEYS: i64 = 5 * MINUTE;

/// Looks at one refund, if it is due and no other node does.
pub async fn look_at(app: &App, id: i64) -> Result<(), ApiError> {
    let now = app.clock.now();
    let leased = app.db.transact(|mut tx| async move { store::lease(&mut tx, id, now).await }.boxed()).await?;
    let Some(refund) = leased else { return Ok(()) };
    let (standing, no) = match ask(app, &refund).await? {
        Reply::Answer((no, standing)) => (standing, no),
        // It refused for good, and an earlier try was refused as well or did not arrive: that is asked for first.
        Reply::Refused(why) => (RefundStanding::Failed(why), None),
        Reply::NotSent(why) | Reply::Unknown(why) => {
            let due_at = app.clock.now() + if why == "channel_not_enabled" { WITHOUT_KEYS } else { pause(refund.tries) };
            let (why, tries) = (why.as_str(), refund.tries);
            return Ok(app
                .db
                .transact(|mut tx| async move { store::ask_again(&mut tx, id, due_at, Some(why), Some(tries)).await }.boxed())
                .await?);
        }
    };
    let (standing, no, tries) = (&standing, no.as_deref(), refund.tries);
    app.db
        .transact(|mut tx| {
            async move { end(&mut tx, id, standing, no, Some(tries), (app.clock.now(), app.clock.now() + pause(tries))).await }.boxed()
        })
        .await
}

/// Asks for a refund at its provider. After the first time, it is asked where it stands before it is asked for again.
async fn ask(app: &App, refund: &store::DueRefund) -> Result<Reply<(Option<String>, RefundStanding)>, ApiError> {
    let now = app.clock.now();
    let keys = channels::keys_of(app.db.read(), &app.keys, refund.payee_channel_id).await?;
    let provider = keys.as_ref().and_then(|keys| provider::of(keys, Caller { private: app.config.private_calls }, now));
    let Some(provider) = provider else { return Ok(Reply::NotSent("channel_not_enabled".to_owned())) };
    if refund.tries > 1 {
        match provider.refund_standing(&refund.order_no, &refund.no).await {
            Reply::Answer((_, RefundStanding::Missing)) => {}
            reply => return Ok(unless_refused(reply)),
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
    Ok(match provider.refund(&repayment).await {
        // A refusal of the first call is final; of a later one, an earlier call may have arrived.
        Reply::Refused(why) if refund.tries > 1 => match provider.refund_standing(&refund.order_no, &refund.no).await {
            Reply::Answer((_, RefundStanding::Missing)) => Reply::Refused(why),
            reply => unless_refused(reply),
        },
        reply => reply,
    })
}

/// That a question was refused says nothing of the refund.
fn unless_refused<T>(reply: Reply<T>) -> Reply<T> {
    match reply {
        Reply::Refused(why) => Reply::Unknown(why),
        reply => reply,
    }
}

/// Writes where a refund stands, if it is still open: as it was reported, or as it was answered in the given try, if no other
/// has followed.
pub async fn end(
    tx: &mut Connection,
    id: i64,
    standing: &RefundStanding,
    channel_refund_no: Option<&str>,
    tries: Option<i64>,
    (now, again_at): (i64, i64),
) -> Result<(), ApiError> {
    let (status, error) = match standing {
        RefundStanding::Done => (RefundStatus::Success, None),
        RefundStanding::Failed(why) => (RefundStatus::Failed, Some(why.as_str())),
        RefundStanding::Processing | RefundStanding::Missing => return Ok(store::ask_again(tx, id, again_at, None, tries).await?),
    };
    let Some(found) = store::find(&mut *tx, Scope::All, id).await? else { return Ok(()) };
    versioned::hold::<PaymentOrderRow>(tx, found.payment_order_id).await?;
    let order = orders::find(&mut *tx, Scope::All, found.payment_order_id).await?.ok_or(ApiError::Missing)?;
    if !store::end(tx, id, (status, channel_refund_no, error), tries, now).await? {
        // It was given up, and the provider has made it after all: the account has the money as well.
        if status == RefundStatus::Success && found.status == RefundStatus::Failed {
            let refund = Repaid { no: &found.no, channel_no: channel_refund_no.unwrap_or(&found.no), cents: found.amount_cents };
            paid::refund_unfit(tx, order.payee_channel_id, Some(&order), &order.no, &refund, now).await?;
        }
        return Ok(());
    }
    match status {
        RefundStatus::Success => record::made(tx, &found, &order, now).await?,
        _ => {
            orders::give_back_refund(tx, order.id, found.amount_cents, now).await?;
            if order.biz_type == OrderBiz::Recharge {
                finance::recharge::refund_online(tx, (found.id, &found.no), order.org_id, found.amount_cents, None, now).await?;
            }
        }
    }
    notices::ended_as(tx, &found, status, error, now).await?;
    let after = store::find(&mut *tx, Scope::All, id).await?;
    note(tx, &found, after.as_ref(), now).await
}

/// Writes into the trail what the program did with a refund by itself.
async fn note(tx: &mut Connection, before: &PaymentRefundRow, after: Option<&PaymentRefundRow>, now: i64) -> Result<(), ApiError> {
    let changes = record::told_changes(Some(before), after);
    Ok(audit::record_own(tx, super::TARGET.of(before.id), Action::Money, &changes, now).await?)
}
