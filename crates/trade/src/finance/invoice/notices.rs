//! Messages about invoices: that one waits to be approved, and what became of it; that an organisation is invoiced above what it
//! spent.

use super::model::{InvoiceColor, InvoiceRow, InvoiceSending, InvoiceStatus, InvoiceableRow};
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, Link, MessageKind, MessageState, NewMessage, Notices};
use frame::terms;

pub(super) const NOTICES: Notices = Notices { biz: "invoice", point: "finance/invoice/audit", route: "financeInvoice" };
/// What messages about organisations are about that are invoiced above what they spent.
pub(super) const OVER: &str = "over_invoiced";

/// What an invoice is called.
fn name(row: &InvoiceRow) -> (&'static str, &'static str) {
    match row.color {
        InvoiceColor::Blue => ("发票", "Invoice"),
        InvoiceColor::Red => ("红字发票", "Red-letter invoice"),
    }
}

/// Asks those who decide to review a request.
pub(super) async fn waits(tx: &mut Connection, row: &InvoiceRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan, (zh, en)) = (&row.no, &row.org_name, terms::yuan(row.amount_cents.abs()), name(row));
    let title = say(format!("{zh}待审：{no}"), format!("{en} awaiting approval: {no}"));
    let content = match (&row.red_of_no, row.refunded_cents) {
        (Some(of), _) => say(
            format!("{org} 的发票 {of} 申请红冲 {yuan} 元，请由申请人以外的人审核。"),
            format!("{yuan} CNY of invoice {of} of {org} are to be counted back. A second person must approve it."),
        ),
        (None, 1..) => {
            let less = terms::yuan(row.refunded_cents);
            say(
                format!("{org} 申请开票 {yuan} 元（可开票金额已扣除退款 {less} 元），请由申请人以外的人审核。"),
                format!(
                    "{org} requested an invoice of {yuan} CNY; refunds of {less} CNY were already taken off. A second person must approve it."
                ),
            )
        }
        (None, _) => say(
            format!("{org} 申请开票 {yuan} 元，请由申请人以外的人审核。"),
            format!("{org} requested an invoice of {yuan} CNY. A second person must approve it."),
        ),
    };
    NOTICES.ask(tx, about(row, title, content, now), by, now).await
}

/// Notifies the person who asked of the decision.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &InvoiceRow,
    to: InvoiceStatus,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, (zh, en)) = (&row.no, name(row));
    let title = match to {
        InvoiceStatus::Approved => say(format!("{zh}申请已通过：{no}"), format!("{en} approved: {no}")),
        InvoiceStatus::Void => say(format!("{zh}已作废：{no}"), format!("{en} voided: {no}")),
        _ => say(format!("{zh}申请被驳回：{no}"), format!("{en} refused: {no}")),
    };
    notify(tx, row, title, note.map_or_else(|| amount(row), Say::same), by, now).await
}

/// Notifies the person who asked that the invoice was issued.
pub(super) async fn issued(tx: &mut Connection, row: &InvoiceRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, (zh, en)) = (&row.no, name(row));
    let title = say(format!("{zh}已开具：{no}"), format!("{en} issued: {no}"));
    notify(tx, row, title, amount(row), by, now).await
}

/// Notifies the person who asked that the invoice was sent.
pub(super) async fn sent(tx: &mut Connection, row: &InvoiceRow, sending: &InvoiceSending, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, (zh, en)) = (&row.no, name(row));
    let title = say(format!("{zh}已寄出：{no}"), format!("{en} sent: {no}"));
    let content = match sending.courier.as_deref().zip(sending.tracking_no.as_deref()) {
        Some((courier, number)) => say(format!("{courier} {number}"), format!("{courier} {number}")),
        None => amount(row),
    };
    notify(tx, row, title, content, by, now).await
}

/// Notifies those who decide that an organisation is invoiced above what it spent.
pub(super) async fn over_invoiced(tx: &mut Connection, row: &InvoiceableRow, now: i64) -> Result<(), sqlx::Error> {
    let (org, yuan) = (&row.org_name, terms::yuan(row.over_cents));
    let title = say(format!("多开票：{org}"), format!("Over-invoiced: {org}"));
    let content = say(
        format!("{org} 退款后，已开票金额比消费多 {yuan} 元。请申请红字发票；不红冲的，由后续消费抵扣。"),
        format!(
            "After refunds {org} is invoiced {yuan} CNY above what it spent. Ask for a red-letter invoice; without one, later spending makes \
             up for it."
        ),
    );
    let message = NewMessage {
        kind: MessageKind::Todo,
        state: Some(MessageState::NotStarted),
        link: Some(Link { route: "financeInvoiceable", query: vec![("orgId", row.id.to_string())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(0, OVER, title, content, now)
    };
    message::to_overseers(tx, NOTICES.point, message, now).await
}

fn amount(row: &InvoiceRow) -> Say {
    let (org, yuan) = (&row.org_name, terms::yuan(row.amount_cents));
    say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY."))
}

async fn notify(tx: &mut Connection, row: &InvoiceRow, title: Say, content: Say, by: i64, now: i64) -> Result<(), sqlx::Error> {
    message::decided(tx, row.created_by, by, about(row, title, content, now), now).await
}

fn about(row: &InvoiceRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("keyword", row.no.clone()), title, content, now)
}
