//! What people are told of a receipt: that it, or its voiding, waits to be decided on, and how that ended.

use super::model::ReceiptRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, Link, NewMessage};
use frame::terms;

/// What these messages are about.
const BIZ: &str = "receipt";
/// And those about its voiding.
const VOID: &str = "receipt_void";
/// Who decides.
const POINT: &str = "org/receipt/audit";

/// Tells those who decide that a receipt waits.
pub(super) async fn waits(tx: &mut Connection, row: &ReceiptRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, row.id, now).await?;
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("收款单待审：{no}"), format!("Receipt awaiting approval: {no}"));
    let content = say(
        format!("{org} 的收款 {yuan} 元已录入，请由录入人以外的人审核。"),
        format!("A payment of {yuan} CNY from {org} was entered. It needs approval by someone other than the person who entered it."),
    );
    message::to_overseers(tx, POINT, about(row, BIZ, title, content, now).asked_by(by), now).await
}

/// Nobody has to decide on it any more: it was deleted.
pub(super) async fn gone(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, id, now).await
}

/// Nobody has to decide on it any more; who wrote it is told how that ended.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &ReceiptRow,
    confirmed: bool,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = match confirmed {
        true => say(format!("收款单已确认：{no}"), format!("Receipt confirmed: {no}")),
        false => say(format!("收款单被驳回：{no}"), format!("Receipt rejected: {no}")),
    };
    let content = match note {
        Some(note) => say(note.to_owned(), note.to_owned()),
        None => say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY.")),
    };
    message::decided(tx, makers(row), by, about(row, BIZ, title, content, now), now).await
}

/// Tells those who decide that somebody asks to take back what was credited.
pub(super) async fn void_asked(tx: &mut Connection, row: &ReceiptRow, by: i64, note: &str, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, VOID, row.id, now).await?;
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("收款单作废待审：{no}"), format!("Void request awaiting approval: {no}"));
    let content = say(
        format!("{org} 的收款 {yuan} 元申请作废：{note}。请由申请人以外的人审核。"),
        format!("A void of {yuan} CNY from {org} was requested: {note}. It needs approval by someone other than the requester."),
    );
    message::to_overseers(tx, POINT, about(row, VOID, title, content, now).asked_by(by), now).await
}

/// Closes the todos about a void request, and notifies the people who asked of the decision.
pub(super) async fn void_ended(
    tx: &mut Connection,
    row: &ReceiptRow,
    voided: bool,
    note: &str,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let no = &row.no;
    let title = match voided {
        true => say(format!("收款单已作废：{no}"), format!("Receipt voided: {no}")),
        false => say(format!("收款单作废被驳回：{no}"), format!("Void request rejected: {no}")),
    };
    message::decided(tx, makers(row), by, about(row, VOID, title, say(note.to_owned(), note.to_owned()), now), now).await
}

/// Who asked for the decision that is open.
fn makers(row: &ReceiptRow) -> impl Iterator<Item = i64> {
    row.decision.iter().flat_map(|decision| decision.makers.iter().copied())
}

fn about(row: &ReceiptRow, biz: &'static str, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "orgReceipt", query: vec![("keyword", row.no.clone())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(0, biz, title, content, now)
    }
}
