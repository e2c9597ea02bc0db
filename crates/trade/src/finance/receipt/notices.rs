//! Messages about receipts: that one, or its voiding, waits for a decision, and how that ended.

use super::model::ReceiptRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, NewMessage, Notices};
use frame::terms;

pub(super) const NOTICES: Notices = Notices { biz: "receipt", point: "org/receipt/audit", route: "orgReceipt" };
/// Those about the voiding of a receipt.
const VOIDS: Notices = Notices { biz: "receipt_void", ..NOTICES };

/// Asks those who decide to review a receipt.
pub(super) async fn waits(tx: &mut Connection, row: &ReceiptRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    NOTICES.close(tx, row.id, now).await?;
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("收款单待审：{no}"), format!("Receipt awaiting approval: {no}"));
    let content = say(
        format!("{org} 的收款 {yuan} 元已录入，请由录入人以外的人审核。"),
        format!("A payment of {yuan} CNY from {org} was entered. A second person must approve it."),
    );
    NOTICES.ask(tx, about(&NOTICES, row, title, content, now), by, now).await
}

/// Closes the to-do, and sends the decision to those who wrote the receipt.
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
    let content = note.map_or_else(|| say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY.")), Say::same);
    message::decided(tx, row.decision.makers(), by, about(&NOTICES, row, title, content, now), now).await
}

/// Asks those who decide whether what was credited is taken back.
pub(super) async fn void_asked(tx: &mut Connection, row: &ReceiptRow, by: i64, note: &str, now: i64) -> Result<(), sqlx::Error> {
    VOIDS.close(tx, row.id, now).await?;
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("收款单作废待审：{no}"), format!("Void request awaiting approval: {no}"));
    let content = say(
        format!("{org} 的收款 {yuan} 元申请作废：{note}。请由申请人以外的人审核。"),
        format!("A void of {yuan} CNY from {org} was requested: {note}. A second person must approve it."),
    );
    VOIDS.ask(tx, about(&VOIDS, row, title, content, now), by, now).await
}

/// Closes the to-do about a void request, and sends the decision to those who asked.
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
    message::decided(tx, row.decision.makers(), by, about(&VOIDS, row, title, Say::same(note), now), now).await
}

fn about(of: &Notices, row: &ReceiptRow, title: Say, content: Say, now: i64) -> NewMessage {
    of.about(row.id, ("keyword", row.no.clone()), title, content, now)
}
