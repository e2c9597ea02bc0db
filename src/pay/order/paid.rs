//! A payment of an order: taken once however often and in whatever order it is told of; what does not fit the order as it is
//! goes to the list of exceptions.

use crate::access::Scope;
use crate::access::audit::{self, Action};
use crate::api::versioned;
use crate::api::{Result, say};
use crate::db::Connection;
use crate::message::{self, Link, NewMessage};
use crate::pay::channel::ChannelFee;
use crate::pay::exception::{self, ExceptionKind};
use crate::pay::link;
use crate::pay::provider::Payment;
use crate::{crm, decision, finance, terms};

use super::list::TARGET;
use super::model::{KnownBy, OrderBiz, OrderStatus, PaymentOrderRow};
use super::store;

/// What came of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The order is paid.
    Paid { credits_account: bool },
    /// It was known.
    Known,
    /// It fits no order as it is, and people settle it.
    Exception(ExceptionKind),
}

/// Takes a payment that a channel's provider tells of.
pub async fn take(tx: &mut Connection, channel: ChannelFee, payment: &Payment, known_by: KnownBy, at: i64) -> Result<Taken> {
    let found = store::by_number(&mut *tx, &payment.order_no).await?.filter(|(_, channel_id)| *channel_id == channel.id);
    let Some((id, _)) = found else {
        return except(tx, channel.id, None, payment, ExceptionKind::UnknownOrder, at).await;
    };
    versioned::hold::<PaymentOrderRow>(tx, id).await?;
    let Some(order) = store::find(&mut *tx, Scope::All, id).await? else { return Ok(Taken::Known) };
    if order.channel_order_no.as_deref() == Some(payment.channel_order_no.as_str()) {
        return Ok(Taken::Known);
    }
    let kind = if order.status.is_paid() {
        Some(ExceptionKind::Twice)
    } else if payment.currency != "CNY" {
        Some(ExceptionKind::Currency)
    } else if payment.cents != order.amount_cents {
        Some(ExceptionKind::Amount)
    } else if !order.status.is_open() {
        Some(ExceptionKind::Late)
    } else {
        None
    };
    if let Some(kind) = kind {
        return except(tx, channel.id, Some(&order), payment, kind, at).await;
    }
    let taken = accept(tx, channel, &order, payment, known_by, at).await?;
    note(tx, &order, Action::Money, at).await?;
    Ok(taken)
}

/// A refund that its provider has made.
pub struct Repaid<'r> {
    pub no: &'r str,
    /// The provider's number of it.
    pub channel_no: &'r str,
    /// 0 where it is not known.
    pub cents: i64,
}

/// A refund that none of ours is goes to the list of exceptions.
pub async fn refund_of_nothing(tx: &mut Connection, channel_id: i64, order_no: &str, refund: &Repaid<'_>, at: i64) -> Result<()> {
    let order = match store::by_number(&mut *tx, order_no).await?.filter(|(_, channel)| *channel == channel_id) {
        Some((id, _)) => store::find(&mut *tx, Scope::All, id).await?,
        None => None,
    };
    refund_unfit(tx, channel_id, order.as_ref(), order_no, refund, at).await
}

/// A refund that does not fit what we know of it goes to the list of exceptions.
pub async fn refund_unfit(
    tx: &mut Connection,
    channel_id: i64,
    order: Option<&PaymentOrderRow>,
    order_no: &str,
    refund: &Repaid<'_>,
    at: i64,
) -> Result<()> {
    let told = Payment {
        order_no: order_no.to_owned(),
        channel_order_no: if refund.channel_no.is_empty() { refund.no.to_owned() } else { format!("{} {}", refund.channel_no, refund.no) },
        cents: refund.cents,
        currency: "CNY".to_owned(),
        paid_at: at,
        payer_mask: String::new(),
    };
    except(tx, channel_id, order, &told, ExceptionKind::Refund, at).await.map(drop)
}

/// Makes an order that is held and not paid a paid one, and posts what follows.
pub async fn accept(
    tx: &mut Connection,
    channel: ChannelFee,
    order: &PaymentOrderRow,
    payment: &Payment,
    known_by: KnownBy,
    at: i64,
) -> Result<Taken> {
    if !order.status.is_open() {
        // What the order took of its day was given back when it ended.
        super::take_day_again(tx, order).await?;
    }
    if !store::set_paid(tx, order.id, payment, channel.fee_of(payment.cents), known_by, at).await? {
        return Ok(Taken::Known);
    }
    link::used(tx, order.id, at).await?;
    decision::withdraw(tx, TARGET.kind, order.id, at).await?;
    message::done(tx, super::notices::BIZ, order.id, at).await?;
    match order.biz_type {
        OrderBiz::Recharge => {
            let online = finance::recharge::PaidOnline {
                order_id: order.id,
                org_id: order.org_id,
                cents: payment.cents,
                pay_method: order.provider.pay_method(),
            };
            finance::recharge::paid_online(tx, &online, at).await?;
        }
        OrderBiz::ServiceFee => {
            if let Some(clue_id) = order.clue_id {
                let fee = crm::OnlineMoney {
                    clue_id,
                    is_refund: false,
                    cents: payment.cents,
                    pay_method: order.provider.pay_method(),
                    paid_at: payment.paid_at,
                    remark: &order.no,
                };
                crm::money_online(tx, &fee, at).await?;
            }
        }
        OrderBiz::Other => {}
    }
    Ok(Taken::Paid { credits_account: order.biz_type == OrderBiz::Recharge })
}

/// Ends an open order that is held and not paid, and gives back what it held.
pub async fn end_unpaid(tx: &mut Connection, order: &PaymentOrderRow, status: OrderStatus, error: Option<&str>, at: i64) -> Result<bool> {
    if !store::end(tx, order.id, status, error, at).await? {
        return Ok(false);
    }
    link::release(tx, order.id, at).await?;
    super::give_back_day(tx, order).await?;
    Ok(true)
}

/// Writes into the trail what the program did with an order by itself.
pub async fn note(tx: &mut Connection, before: &PaymentOrderRow, action: Action, at: i64) -> Result<()> {
    let after = store::find(&mut *tx, Scope::All, before.id).await?;
    let changes = super::record::told_changes(Some(before), after.as_ref());
    Ok(audit::record_own(tx, TARGET.of(before.id), action, &changes, at).await?)
}

async fn except(
    tx: &mut Connection,
    channel_id: i64,
    order: Option<&PaymentOrderRow>,
    payment: &Payment,
    kind: ExceptionKind,
    at: i64,
) -> Result<Taken> {
    let Some(id) = exception::add(tx, channel_id, order.map(|order| order.id), payment, kind, at).await? else { return Ok(Taken::Known) };
    let yuan = terms::yuan(payment.cents);
    let no = &payment.order_no;
    let title = say(format!("收款异常待处理：{no}"), format!("Payment exception: {no}"));
    let content = say(
        format!("{}：收到 {yuan} 元，请核实后处理。", kind.label(crate::locale::Locale::Chinese)),
        format!("{}: {yuan} CNY came in. Please check and settle it.", kind.label(crate::locale::Locale::English)),
    );
    let message = NewMessage {
        biz_id: Some(id),
        link: Some(Link { route: "payConfigExceptions", query: vec![("keyword", payment.channel_order_no.clone())] }),
        ..NewMessage::to_person(0, exception::BIZ, title, content, at)
    };
    message::to_overseers(tx, "payConfig/order-list/settle", message, at).await?;
    Ok(Taken::Exception(kind))
}
