//! What people are told of a receipt: that its voiding waits to be decided on, and how that ended.

use super::model::ReceiptRow;
use crate::api::say;
use crate::db::Connection;
use crate::message::{self, Link, NewMessage};
use crate::terms;

/// What these messages are about.
const BIZ: &str = "receipt_void";

/// Tells those who decide that somebody asks to take back what was credited.
pub(super) async fn void_asked(tx: &mut Connection, row: &ReceiptRow, by: i64, note: &str, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, row.id, now).await?;
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("收款单作废待审：{no}"), format!("A receipt is to be voided: {no}"));
    let content = say(
        format!("{org} 的收款 {yuan} 元申请作废：{note}。请由申请人以外的人审核。"),
        format!("{yuan} CNY of {org} are asked to be taken back: {note}. Somebody else than who asked decides."),
    );
    let about = NewMessage { link: link(row), biz_id: Some(row.id), ..NewMessage::to_person(0, BIZ, title, content, now) };
    message::to_overseers(tx, "org/receipt/audit", about.asked_by(by), now).await
}

/// Nobody has to decide any more; who asked is told how it ended, where somebody else did so.
pub(super) async fn void_ended(
    tx: &mut Connection,
    row: &ReceiptRow,
    voided: bool,
    note: &str,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, row.id, now).await?;
    let no = &row.no;
    let title = match voided {
        true => say(format!("收款单已作废：{no}"), format!("The receipt was voided: {no}")),
        false => say(format!("收款单作废被驳回：{no}"), format!("The receipt stays: {no}")),
    };
    for maker in row.decision.iter().flat_map(|decision| &decision.makers).filter(|maker| **maker != by) {
        let message = NewMessage {
            link: link(row),
            biz_id: Some(row.id),
            ..NewMessage::to_person(*maker, BIZ, title.clone(), say(note.to_owned(), note.to_owned()), now)
        };
        message::send(tx, &message, now).await?;
    }
    Ok(())
}

fn link(row: &ReceiptRow) -> Option<Link> {
    Some(Link { route: "orgReceipt", query: vec![("keyword", row.no.clone())] })
}
