//! Messages about invoices: that one waits to be approved, and what became of it.

use super::model::{InvoiceColor, InvoiceRow, InvoiceSending, InvoiceStatus};
use crate::api::{Say, say};
use crate::db::Connection;
use crate::message::{self, Link, NewMessage};
use crate::terms;

/// What these messages are about.
const BIZ: &str = "invoice";
/// Who decides.
const POINT: &str = "finance/invoice/audit";

/// What an invoice is called.
fn name(row: &InvoiceRow) -> (&'static str, &'static str) {
    match row.color {
        InvoiceColor::Blue => ("发票", "Invoice"),
        InvoiceColor::Red => ("红字发票", "Red-letter invoice"),
    }
}

/// Tells those who decide that a request waits.
pub(super) async fn waits(tx: &mut Connection, row: &InvoiceRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan, (zh, en)) = (&row.no, &row.org_name, terms::yuan(row.amount_cents.abs()), name(row));
    let title = say(format!("{zh}待审：{no}"), format!("{en} awaiting approval: {no}"));
    let content = match &row.red_of_no {
        Some(of) => say(
            format!("{org} 的发票 {of} 申请红冲 {yuan} 元，请由申请人以外的人审核。"),
            format!("{yuan} CNY of invoice {of} of {org} are to be counted back. It needs approval by someone other than the applicant."),
        ),
        None => say(
            format!("{org} 申请开票 {yuan} 元，请由申请人以外的人审核。"),
            format!("{org} asked for an invoice of {yuan} CNY. It needs approval by someone other than the applicant."),
        ),
    };
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
    let (no, (zh, en)) = (&row.no, name(row));
    let title = match to {
        InvoiceStatus::Approved => say(format!("{zh}申请已通过：{no}"), format!("{en} approved: {no}")),
        InvoiceStatus::Void => say(format!("{zh}已作废：{no}"), format!("{en} voided: {no}")),
        _ => say(format!("{zh}申请被驳回：{no}"), format!("{en} refused: {no}")),
    };
    tell(tx, row, title, note.map_or_else(|| amount(row), |note| say(note.to_owned(), note.to_owned())), by, now).await
}

/// Tells the person who asked that the invoice was issued.
pub(super) async fn issued(tx: &mut Connection, row: &InvoiceRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, (zh, en)) = (&row.no, name(row));
    let title = say(format!("{zh}已开具：{no}"), format!("{en} issued: {no}"));
    tell(tx, row, title, amount(row), by, now).await
}

/// Tells the person who asked that the invoice was sent.
pub(super) async fn sent(tx: &mut Connection, row: &InvoiceRow, sending: &InvoiceSending, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, (zh, en)) = (&row.no, name(row));
    let title = say(format!("{zh}已寄出：{no}"), format!("{en} sent: {no}"));
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
