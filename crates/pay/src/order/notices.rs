//! Messages about payment orders: that a payment waits for a second person, and how that ended.

use super::model::PaymentOrderRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, Link, NewMessage};
use frame::terms;

/// What these messages are about.
pub(super) const BIZ: &str = "payment_order";
/// Who decides.
const POINT: &str = "payConfig/order-list/confirm";

/// Notifies the approvers of an entered payment.
pub(super) async fn waits(tx: &mut Connection, row: &PaymentOrderRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("付款待确认：{no}"), format!("Payment awaiting confirmation: {no}"));
    let content = say(
        format!("{org} 的订单登记为已付 {yuan} 元，请由登记人以外的人确认。"),
        format!(
            "An order of {org} was entered as paid: {yuan} CNY. It needs confirmation by someone other than the person who entered it."
        ),
    );
    message::to_overseers(tx, POINT, about(row, title, content, now).asked_by(by), now).await
}

/// There is nothing to decide any more.
pub(super) async fn ended(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, id, now).await
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
    let content = match note {
        Some(note) => say(note.to_owned(), note.to_owned()),
        None => say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY.")),
    };
    let makers = row.decision.iter().flat_map(|decision| decision.makers.iter().copied());
    message::decided(tx, makers, by, about(row, title, content, now), now).await
}

fn about(row: &PaymentOrderRow, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "payConfigOrderList", query: vec![("keyword", row.no.clone())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(0, BIZ, title, content, now)
    }
}
