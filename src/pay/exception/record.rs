//! One payment exception: seen and settled.

use std::sync::Arc;

use futures_util::FutureExt;

use super::list::TARGET;
use super::model::{ExceptionKind, ExceptionResolution, ExceptionStatus, PaymentExceptionRow, PaymentExceptionSettlement};
use super::store;
use crate::access::Scope;
use crate::access::audit::{self, Action, AuditEntry, Change, Target};
use crate::api::versioned::{self, Versioned};
use crate::api::{ApiError, Body, Check, Ctx, Id, Result, check_step, say};
use crate::db::Connection;
use crate::finance::{journal, recharge};
use crate::locale::Locale;
use crate::message;
use crate::pay::channel;
use crate::pay::order::model::{KnownBy, OrderBiz, OrderStatus, PaymentOrderRow};
use crate::pay::order::record::number_taken;
use crate::pay::order::{paid, store as orders};
use crate::pay::provider::Payment;

/// What its messages call it.
const NAME: (&str, &str) = ("收款异常", "payment exception");

impl Versioned for PaymentExceptionRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PaymentExceptionRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn told(before: Option<&PaymentExceptionRow>, after: Option<&PaymentExceptionRow>) -> Vec<Change> {
        audit::changes(before, after)
    }
}

/// `GET /payException/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PaymentExceptionRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /payException/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `PUT /payException/settle`: the order counts as paid by what came in, or the money was handled outside.
pub async fn settle(cx: Arc<Ctx>, Body(body): Body<PaymentExceptionSettlement>) -> Result<PaymentExceptionRow> {
    let note = body.note.trim().to_owned();
    Check::new().text("note", &note, 1..=200).done()?;
    let (cx, body, note) = (&*cx, &body, &note);
    let row = cx
        .db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PaymentExceptionRow>(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, ExceptionStatus::Settled, NAME)?;
                let written = store::settle(&mut tx, before.id, body.version, body.resolution, note, cx.stamp()?).await?;
                if written {
                    journal::enter(&mut tx, journal::Source::Exception, before.id, cx.now).await?;
                    match body.resolution {
                        ExceptionResolution::Accepted => accept(cx, &mut tx, &before).await?,
                        ExceptionResolution::Handled => close(cx, &mut tx, &before).await?,
                    }
                }
                message::done(&mut tx, super::BIZ, before.id, cx.now).await?;
                versioned::changed_as_within(cx, &mut tx, before, written, Action::Money).await
            }
            .boxed()
        })
        .await?;
    if row.resolution == Some(ExceptionResolution::Accepted) {
        cx.app.credited.notify_one();
    }
    Ok(row)
}

/// Makes the order a paid one, of the amount that came in.
async fn accept(cx: &Ctx, tx: &mut Connection, row: &PaymentExceptionRow) -> Result<()> {
    let Some(order_id) =
        row.payment_order_id.filter(|_| matches!(row.kind, ExceptionKind::Late | ExceptionKind::Amount | ExceptionKind::EndedClue))
    else {
        return Err(ApiError::State(say("该异常不能入账，请线下处理", "This payment cannot be accepted for an order: handle it outside")));
    };
    versioned::hold::<PaymentOrderRow>(tx, order_id).await?;
    let order = orders::find(&mut *tx, Scope::All, order_id).await?.ok_or(ApiError::Missing)?;
    if order.status.is_paid() {
        return Err(ApiError::State(say("订单已支付，请线下处理", "The order is paid already: handle this payment outside")));
    }
    let payment = Payment {
        order_no: row.order_no.clone(),
        channel_order_no: row.channel_order_no.clone(),
        cents: row.amount_cents,
        currency: row.currency.clone(),
        paid_at: row.paid_at,
        payer_mask: row.payer_mask.clone(),
    };
    // What came in under older rules may be no amount that an order can have.
    if !(1..=channel::MOST_CENTS).contains(&row.amount_cents) {
        return Err(ApiError::State(say("该金额不能入账，请线下处理", "This amount cannot be accepted: handle it outside")));
    }
    if order.biz_type == OrderBiz::Recharge {
        recharge::check_not_terminated(&mut *tx, order.org_id).await?;
    }
    let fee = channel::fee_of(&mut *tx, row.payee_channel_id).await?;
    paid::check_clue(&mut *tx, &order).await?;
    if let Some(other) = paid::claim(&mut *tx, &order, &payment, cx.now).await? {
        return Err(ApiError::State(other.refusal()));
    }
    paid::accept(tx, fee, &order, &payment, KnownBy::Staff, cx.now).await.map_err(number_taken)?;
    let after = orders::find(&mut *tx, Scope::All, order.id).await?;
    let changes = PaymentOrderRow::told(Some(&order), after.as_ref());
    Ok(audit::record(tx, &cx.actor()?, PaymentOrderRow::TARGET.of(order.id), Action::Money, &changes).await?)
}

/// Closes an order that is still open: what came in for it was handled outside.
async fn close(cx: &Ctx, tx: &mut Connection, row: &PaymentExceptionRow) -> Result<()> {
    let Some(order_id) = row.payment_order_id else { return Ok(()) };
    versioned::hold::<PaymentOrderRow>(tx, order_id).await?;
    let Some(order) = orders::find(&mut *tx, Scope::All, order_id).await?.filter(|order| order.status.is_open()) else { return Ok(()) };
    paid::end_unpaid(tx, &order, OrderStatus::Closed, None, cx.now).await?;
    let after = orders::find(&mut *tx, Scope::All, order.id).await?;
    let changes = PaymentOrderRow::told(Some(&order), after.as_ref());
    Ok(audit::record(tx, &cx.actor()?, PaymentOrderRow::TARGET.of(order.id), Action::Update, &changes).await?)
}
