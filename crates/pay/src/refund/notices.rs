//! Messages about refunds: that one waits for a second person, that one is late, and how it ended.

use super::model::{PaymentRefundRow, RefundStatus};
use base::db::Connection;
use base::locale::Locale;
use frame::api::{Say, say};
use frame::message::{self, MessageKind, MessageState, NewMessage, Notices};
use frame::terms;
use trade::ledger::outgoing::Other;

pub(super) const NOTICES: Notices = Notices { biz: "payment_refund", point: "payConfig/order-list/refundAudit", route: "payConfigRefund" };
/// The permission of those who settle irregularities at a provider, such as payment exceptions.
pub(super) const SETTLES: &str = "payConfig/order-list/settle";

/// Notifies the approvers of a requested refund.
pub(super) async fn waits(tx: &mut Connection, row: &PaymentRefundRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan, reason) = (&row.no, &row.org_name, terms::yuan(row.amount_cents), &row.reason);
    let title = say(format!("退款待审核：{no}"), format!("Refund awaiting approval: {no}"));
    let content = say(
        format!("{org} 的订单申请退款 {yuan} 元：{reason}。请由申请人以外的人审核。"),
        format!("A refund of {yuan} CNY of an order of {org} was requested: {reason}. A second person must approve it."),
    );
    NOTICES.ask(tx, about(row, title, content, now), by, now).await
}

/// Notifies the person who requested a refund of its result.
pub(super) async fn ended_as(
    tx: &mut Connection,
    row: &PaymentRefundRow,
    to: RefundStatus,
    why: Option<&str>,
    now: i64,
) -> Result<(), sqlx::Error> {
    NOTICES.close(tx, row.id, now).await?;
    let Some(person) = row.created_by else { return Ok(()) };
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = match to {
        RefundStatus::Success => say(format!("退款成功：{no}"), format!("Refund made: {no}")),
        RefundStatus::Failed => say(format!("退款失败：{no}"), format!("Refund failed: {no}")),
        _ => say(format!("退款被驳回：{no}"), format!("Refund rejected: {no}")),
    };
    let content = why.map_or_else(|| say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY.")), Say::same);
    message::send(tx, &about(row, title, content, now).to(person), now).await.map(drop)
}

/// Notifies the approvers that the number of a refund, which its provider has made, was entered for another payment.
pub(super) async fn number_taken(tx: &mut Connection, row: &PaymentRefundRow, other: &Other, now: i64) -> Result<(), sqlx::Error> {
    let no = &row.no;
    let title = say(format!("退款流水号重复：{no}"), format!("Number of a refund entered before: {no}"));
    let refusal = other.refusal();
    let content = say(
        format!("渠道已退款 {no}，但{}。请核实是否登记了两次。", refusal.get(Locale::Chinese)),
        format!("The provider has made the refund {no}. {}: check whether it was entered twice.", refusal.get(Locale::English)),
    );
    message::to_overseers(tx, NOTICES.point, about(row, title, content, now), now).await
}

/// Notifies those who settle exceptions that a refund has been at its provider for more than a day.
pub(super) async fn late(tx: &mut Connection, row: &PaymentRefundRow, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan, channel) = (&row.no, &row.org_name, terms::yuan(row.amount_cents), &row.payee_channel_name);
    let title = say(format!("退款超过一天未完成：{no}"), format!("Refund on its way for more than a day: {no}"));
    let content = say(
        format!("{org} 的退款 {yuan} 元审核通过已超过一天，收款通道“{channel}”仍未完成。请到渠道商户平台核实，系统会继续查询结果。"),
        format!(
            "The refund of {yuan} CNY to {org} was approved more than a day ago, and the channel {channel} has not made it yet. Check it \
             in the provider's portal; the program goes on querying."
        ),
    );
    let message = NewMessage { kind: MessageKind::Todo, state: Some(MessageState::NotStarted), ..about(row, title, content, now) };
    message::to_overseers(tx, SETTLES, message, now).await
}

fn about(row: &PaymentRefundRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("id", row.id.to_string()), title, content, now)
}
