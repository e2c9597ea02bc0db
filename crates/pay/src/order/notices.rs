//! Messages about payment orders: that a payment waits for a second person, and how that ended.

use super::model::PaymentOrderRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, NewMessage, Notices};
use frame::terms;

pub(super) const NOTICES: Notices = Notices { biz: "payment_order", point: "payConfig/order-list/confirm", route: "payConfigOrderList" };

/// Notifies the approvers of an entered payment.
pub(super) async fn waits(tx: &mut Connection, row: &PaymentOrderRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("付款待确认：{no}"), format!("Payment awaiting confirmation: {no}"));
    let content = say(
        format!("{org} 的订单登记为已付 {yuan} 元，请由登记人以外的人确认。"),
        format!("An order of {org} was entered as paid: {yuan} CNY. A second person must confirm it."),
    );
    NOTICES.ask(tx, about(row, title, content, now), by, now).await
}

/// Notifies the person who entered a payment of the decision.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &PaymentOrderRow,
    approved: bool,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = match approved {
        true => say(format!("付款已确认：{no}"), format!("Payment confirmed: {no}")),
        false => say(format!("付款登记被驳回：{no}"), format!("Payment rejected: {no}")),
    };
    let content = note.map_or_else(|| say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY.")), Say::same);
    message::decided(tx, row.decision.makers(), by, about(row, title, content, now), now).await
}

fn about(row: &PaymentOrderRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("keyword", row.no.clone()), title, content, now)
}
