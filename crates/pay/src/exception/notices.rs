//! Messages about payment exceptions: that an acceptance waits for a second person, and how that ended.

use super::BIZ;
use super::model::PaymentExceptionRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, NewMessage, Notices};
use frame::terms;

pub(super) const NOTICES: Notices = Notices { biz: BIZ, point: "payConfig/order-list/settle", route: "payConfigException" };

/// Notifies the approvers of a requested acceptance.
pub(super) async fn waits(tx: &mut Connection, row: &PaymentExceptionRow, note: &str, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, yuan) = (&row.order_no, terms::yuan(row.amount_cents));
    let title = say(format!("收款异常待确认入账：{no}"), format!("Payment exception awaiting confirmation: {no}"));
    let content = say(
        format!("申请将收到的 {yuan} 元入账到订单 {no}：{note}。请由申请人以外的人确认。"),
        format!("Acceptance of {yuan} CNY for order {no} was requested: {note}. A second person must confirm it."),
    );
    NOTICES.ask(tx, about(row, title, content, now), by, now).await
}

/// Notifies the person who asked for an acceptance of the decision.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &PaymentExceptionRow,
    approved: bool,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, yuan) = (&row.order_no, terms::yuan(row.amount_cents));
    let title = match approved {
        true => say(format!("收款异常已入账：{no}"), format!("Payment exception accepted: {no}")),
        false => say(format!("收款异常入账被驳回：{no}"), format!("Acceptance of a payment exception rejected: {no}")),
    };
    let content = note.map_or_else(|| say(format!("收到 {yuan} 元。"), format!("{yuan} CNY received.")), Say::same);
    message::decided(tx, row.decision.makers(), by, about(row, title, content, now), now).await
}

fn about(row: &PaymentExceptionRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("id", row.id.to_string()), title, content, now)
}
