//! Messages about invoices: that one waits to be approved, and what became of it.

use super::model::{InvoiceRow, InvoiceSending, InvoiceStatus};
use crate::api::{Say, say};
use crate::db::Connection;
use crate::message::{self, Link, NewMessage};
use crate::terms;

/// What these messages are about.
const BIZ: &str = "invoice";
/// Who decides.
const POINT: &str = "finance/invoice/audit";

/// Tells those who decide that a request waits.
pub(super) async fn waits(tx: &mut Connection, row: &InvoiceRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("发票待审：{no}"), format!("Invoice awaiting approval: {no}"));
    let content = say(
        format!("{org} 申请开票 {yuan} 元，请由申请人以外的人审核。"),
        format!("{org} asked for an invoice of {yuan} CNY. It needs approval by someone other than the applicant."),
    );
    message::to_overseers(tx, POINT, about(row, 0, title, content, now).asked_by(by), now).await
}

/// There is nothing to decide any more.
pub(super) async fn ended(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, id, now).await
}

/// Tells the person who asked what was decided.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &InvoiceRow,
    to: InvoiceStatus,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let no = &row.no;
    let title = match to {
        InvoiceStatus::Approved => say(format!("发票申请已通过：{no}"), format!("Invoice approved: {no}")),
        InvoiceStatus::Void => say(format!("发票已作废：{no}"), format!("Invoice voided: {no}")),
        _ => say(format!("发票申请被驳回：{no}"), format!("Invoice refused: {no}")),
    };
    tell(tx, row, title, note.map_or_else(|| amount(row), |note| say(note.to_owned(), note.to_owned())), by, now).await
}

/// Tells the person who asked that the invoice was issued.
pub(super) async fn issued(tx: &mut Connection, row: &InvoiceRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let title = say(format!("发票已开具：{}", row.no), format!("Invoice issued: {}", row.no));
    tell(tx, row, title, amount(row), by, now).await
}

/// Tells the person who asked that the invoice was sent.
pub(super) async fn sent(tx: &mut Connection, row: &InvoiceRow, sending: &InvoiceSending, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let title = say(format!("发票已寄出：{}", row.no), format!("Invoice sent: {}", row.no));
    let content = match sending.courier.as_deref().zip(sending.tracking_no.as_deref()) {
        Some((courier, number)) => say(format!("{courier} {number}"), format!("{courier} {number}")),
        None => amount(row),
    };
    tell(tx, row, title, content, by, now).await
}

fn amount(row: &InvoiceRow) -> Say {
    let (org, yuan) = (&row.org_name, terms::yuan(row.amount_cents));
    say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY."))
}

async fn tell(tx: &mut Connection, row: &InvoiceRow, title: Say, content: Say, by: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, row.id, now).await?;
    match row.created_by.filter(|person| *person != by) {
        Some(person) => message::send(tx, &about(row, person, title, content, now), now).await.map(drop),
        None => Ok(()),
    }
}

fn about(row: &InvoiceRow, admin_id: i64, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "financeInvoice", query: vec![("keyword", row.no.clone())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(admin_id, BIZ, title, content, now)
    }
}
