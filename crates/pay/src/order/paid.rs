//! Payments of orders. A payment counts once, however often and in whatever order it is reported; a payment that does
//! not fit its order becomes an exception.

use crate::channel::{ChannelFee, store as channels};
use crate::exception::{self, ExceptionKind};
use crate::link;
use crate::provider::Payment;
use crate::statement;
use base::db::Connection;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Result, say};
use frame::message::{self, Link, NewMessage};
use frame::{decision, terms};
use trade::finance;
use trade::ledger::incoming::{self, Incoming, Source};
use trade::ledger::journal;

use super::list::TARGET;
use super::model::{KnownBy, OrderBiz, OrderStatus, PaymentOrderRow};
use super::store;

/// The result of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// The order is paid.
    Paid { credits_account: bool },
    /// The payment was known before.
    Known,
    /// The payment does not fit its order; staff settle it.
    Exception(ExceptionKind),
}

/// Takes a payment that a channel's provider reports.
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
    } else if payment.is_refunded {
        Some(ExceptionKind::PaidAndRefunded)
    } else if payment.currency != "CNY" {
        Some(ExceptionKind::Currency)
    } else if payment.cents != order.amount_cents {
        Some(ExceptionKind::Amount)
    } else if !order.status.is_open() {
        Some(ExceptionKind::Late)
    } else if has_ended_clue(tx, &order).await? {
        Some(ExceptionKind::EndedClue)
    } else if claim(tx, &order, payment, at).await?.is_some() {
        Some(ExceptionKind::AlreadyEntered)
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

/// The payment of an order, as an entry among incoming payments.
pub async fn payment_of<'p>(tx: &mut Connection, order: &PaymentOrderRow, payment: &'p Payment) -> Result<Incoming<'p>> {
    let channel = channels::find(&mut *tx, Scope::All, order.payee_channel_id).await?.ok_or(ApiError::Missing)?;
    Ok(Incoming {
        source: Source::Order(order.id),
        payee_org_id: channel.payee_org_id,
        number: Some(&payment.channel_order_no),
        org_id: order.org_id,
        amount_cents: payment.cents,
        paid_at: payment.paid_at,
    })
}

/// Enters the payment of an order, before [`accept`]; returns the record that has entered it before, if one has.
pub async fn claim(tx: &mut Connection, order: &PaymentOrderRow, payment: &Payment, at: i64) -> Result<Option<incoming::Other>> {
    let payment = payment_of(&mut *tx, order, payment).await?;
    incoming::claim(tx, &payment, at).await
}

/// Whether an order is a service fee of a clue that is given up. The clue is locked until the transaction ends.
async fn has_ended_clue(tx: &mut Connection, order: &PaymentOrderRow) -> Result<bool> {
    match order.fee_clue_id() {
        Some(clue_id) => Ok(crm::hold_paid_clue(tx, clue_id).await?),
        None => Ok(false),
    }
}

/// Refuses the service fee of a clue that is given up. Locks the clue, which must happen before the payment is entered.
pub async fn check_clue(tx: &mut Connection, order: &PaymentOrderRow) -> Result<()> {
    match has_ended_clue(tx, order).await? {
        false => Ok(()),
        true => Err(ApiError::State(say(
            "线索已结束，服务费不能入账，请退款给付款人",
            "The lead has ended: its service fee cannot be accepted, refund the payer",
        ))),
    }
}

/// A refund that its provider has made.
pub struct Repaid<'r> {
    pub no: &'r str,
    /// The provider's number of it.
    pub channel_no: &'r str,
    /// 0 where it is not known.
    pub cents: i64,
}

/// Puts a refund that has no record here on the list of exceptions.
pub async fn refund_of_nothing(tx: &mut Connection, channel_id: i64, order_no: &str, refund: &Repaid<'_>, at: i64) -> Result<()> {
    let order = match store::by_number(&mut *tx, order_no).await?.filter(|(_, channel)| *channel == channel_id) {
        Some((id, _)) => store::find(&mut *tx, Scope::All, id).await?,
        None => None,
    };
    refund_unfit(tx, channel_id, order.as_ref(), order_no, refund, at).await
}

/// Compares the total that the provider has refunded of a payment with our refunds of it. Any excess was refunded in
/// the provider's portal, and is added as an exception once. Returns whether there was no excess.
pub async fn repaid(
    tx: &mut Connection,
    channel_id: i64,
    order_no: &str,
    channel_order_no: &str,
    total_cents: i64,
    at: i64,
) -> Result<bool> {
    let order = match store::by_number(&mut *tx, order_no).await?.filter(|(_, channel)| *channel == channel_id) {
        Some((id, _)) => {
            versioned::hold::<PaymentOrderRow>(tx, id).await?;
            store::find(&mut *tx, Scope::All, id).await?
        }
        None => None,
    };
    let refunded = order.as_ref().map_or(0, |order| order.refunded_cents);
    let more = total_cents - refunded - exception::refunded(tx, channel_id, order_no).await?;
    if more <= 0 {
        return Ok(true);
    }
    // The sum distinguishes one report from the next: refunds made in the portal do not have our numbers.
    let total = terms::yuan(total_cents);
    let refund = Repaid { no: &total, channel_no: channel_order_no, cents: more };
    refund_unfit(tx, channel_id, order.as_ref(), order_no, &refund, at).await?;
    Ok(false)
}

/// Adds an exception for a refund that its provider cannot complete, once.
pub async fn refund_stuck(tx: &mut Connection, order: &PaymentOrderRow, refund_no: &str, cents: i64, at: i64) -> Result<()> {
    let payment = Payment {
        order_no: order.no.clone(),
        channel_order_no: refund_no.to_owned(),
        cents,
        currency: "CNY".to_owned(),
        paid_at: at,
        payer_mask: String::new(),
        is_refunded: false,
    };
    except(tx, order.payee_channel_id, Some(order), &payment, ExceptionKind::RefundStuck, at).await.map(drop)
}

/// Puts a refund that does not fit its record on the list of exceptions.
pub async fn refund_unfit(
    tx: &mut Connection,
    channel_id: i64,
    order: Option<&PaymentOrderRow>,
    order_no: &str,
    refund: &Repaid<'_>,
    at: i64,
) -> Result<()> {
    let payment = Payment {
        order_no: order_no.to_owned(),
        channel_order_no: if refund.channel_no.is_empty() { refund.no.to_owned() } else { format!("{} {}", refund.channel_no, refund.no) },
        cents: refund.cents,
        currency: "CNY".to_owned(),
        paid_at: at,
        payer_mask: String::new(),
        is_refunded: false,
    };
    except(tx, channel_id, order, &payment, ExceptionKind::Refund, at).await.map(drop)
}

/// Marks a locked, unpaid order as paid, and posts the results. The caller must have locked its clue ([`check_clue`])
/// and entered its payment ([`claim`]).
pub async fn accept(
    tx: &mut Connection,
    channel: ChannelFee,
    order: &PaymentOrderRow,
    payment: &Payment,
    known_by: KnownBy,
    at: i64,
) -> Result<Taken> {
    if !store::set_paid(tx, order.id, payment, channel.fee_of(payment.cents), known_by, at).await? {
        return Ok(Taken::Known);
    }
    statement::booked(tx, order.payee_channel_id, payment.paid_at, at).await?;
    journal::enter(tx, journal::Source::Order, order.id, at).await?;
    if !order.status.is_open() {
        // The order's amount was taken off the day's total when it ended: adds it again, regardless of the limit.
        super::add_to_day(tx, order, order.amount_cents).await?;
    }
    link::used(tx, order.id, at).await?;
    decision::withdraw(tx, TARGET.kind, order.id, at).await?;
    super::notices::NOTICES.close(tx, order.id, at).await?;
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
                    payment_order_id: order.id,
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

/// Ends a locked open order without payment, and releases what it reserved. Its link rests for `link_rest`
/// milliseconds.
pub async fn end_unpaid(
    tx: &mut Connection,
    order: &PaymentOrderRow,
    (status, error): (OrderStatus, Option<&str>),
    link_rest: i64,
    at: i64,
) -> Result<bool> {
    if !store::end(tx, order.id, status, error, at).await? {
        return Ok(false);
    }
    link::release(tx, order.id, link_rest, at).await?;
    super::add_to_day(tx, order, -order.amount_cents).await?;
    Ok(true)
}

/// Writes an audit row for an automatic change of an order.
pub async fn note(tx: &mut Connection, before: &PaymentOrderRow, action: Action, at: i64) -> Result<()> {
    let after = store::find(&mut *tx, Scope::All, before.id).await?;
    let changes = PaymentOrderRow::diff(Some(before), after.as_ref());
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
    journal::enter(tx, journal::Source::Exception, id, at).await?;
    let yuan = terms::yuan(payment.cents);
    let no = &payment.order_no;
    let title = say(format!("收款异常待处理：{no}"), format!("Payment exception: {no}"));
    let moved = match kind {
        ExceptionKind::Refund => ("已退款", "refunded"),
        ExceptionKind::RefundStuck => ("待退款", "to be refunded"),
        _ => ("收到", "received"),
    };
    let content = say(
        format!("{}：{} {yuan} 元，请核实后处理。", kind.label(Locale::Chinese), moved.0),
        format!("{}: {yuan} CNY {}. Please check and settle it.", kind.label(Locale::English), moved.1),
    );
    let message = NewMessage {
        biz_id: Some(id),
        link: Some(Link { route: "payConfigException", query: vec![("id", id.to_string())] }),
        ..NewMessage::to_person(0, exception::BIZ, title, content, at)
    };
    message::to_overseers(tx, "payConfig/order-list/settle", message, at).await?;
    Ok(Taken::Exception(kind))
}
