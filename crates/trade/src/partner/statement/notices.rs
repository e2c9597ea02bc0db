//! Messages about statements of partners: that one is disputed or confirmed, and that a correction waits or was decided.

use super::model::{PartnerAdjustmentRow, PartnerStatementRow};
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, Link, NewMessage};
use frame::terms;

/// What messages about statements are about.
const BIZ: &str = "partner_statement";
/// What messages about confirmations by other means are about.
const CONFIRMATION: &str = "partner_confirmation";
/// What messages about corrections are about.
const ADJUSTMENT: &str = "partner_adjustment";

/// Notifies finance of the partner's answer.
pub(super) async fn answered(tx: &mut Connection, row: &PartnerStatementRow, note: Option<&str>, now: i64) -> Result<(), sqlx::Error> {
    let (channel, month, net) = (&row.channel_name, &row.month, terms::yuan(row.net_cents));
    let (title, content) = match note {
        Some(note) => (
            say(format!("{channel} 对 {month} 对账单有异议"), format!("{channel} disputes the statement of {month}")),
            say(note.to_owned(), note.to_owned()),
        ),
        None => (
            say(format!("{channel} 已确认 {month} 对账单"), format!("{channel} confirmed the statement of {month}")),
            say(format!("应付净额 {net} 元，可以申请付款。"), format!("{net} CNY net are payable: the payout can be requested.")),
        ),
    };
    message::to_overseers(tx, "finance/partner/statement", about(row, title, content, now), now).await
}

/// There is nothing to do about the statement any more.
pub(super) async fn ended(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, id, now).await
}

fn about(row: &PartnerStatementRow, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "financePartnerStatement", query: vec![("id", row.id.to_string())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(0, BIZ, title, content, now)
    }
}

/// Asks those who decide to review a confirmation by other means.
pub(super) async fn confirmation_waits(
    tx: &mut Connection,
    row: &PartnerStatementRow,
    reason: &str,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, channel, month, net) = (&row.statement_no, &row.channel_name, &row.month, terms::yuan(row.net_cents));
    let title = say(format!("对账单确认待审：{no}"), format!("Confirmation of a channel statement awaiting approval: {no}"));
    let content = say(
        format!("{channel} {month}，应付净额 {net} 元，确认方式：{reason}。请核对凭证，由申请人以外的人审核。"),
        format!(
            "{channel}, {month}, {net} CNY net. It was confirmed like this: {reason}. Check the proof; it needs approval by someone other than the requester."
        ),
    );
    let message = NewMessage { biz_type: CONFIRMATION, ..about(row, title, content, now) };
    message::to_overseers(tx, "finance/partner/audit", message.asked_by(by), now).await
}

/// No confirmation is to be decided any more.
pub(super) async fn confirmation_ended(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, CONFIRMATION, id, now).await
}

/// Notifies the people who asked of the decision on a confirmation.
pub(super) async fn confirmation_decided(
    tx: &mut Connection,
    row: &PartnerStatementRow,
    approved: bool,
    note: Option<&str>,
    (askers, by): (Vec<i64>, i64),
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, channel, month) = (&row.statement_no, &row.channel_name, &row.month);
    let title = match approved {
        true => say(format!("对账单确认已通过：{no}"), format!("Confirmation of a channel statement approved: {no}")),
        false => say(format!("对账单确认被驳回：{no}"), format!("Confirmation of a channel statement rejected: {no}")),
    };
    let content = match note {
        Some(note) => say(note.to_owned(), note.to_owned()),
        None => say(format!("{channel}，{month}。"), format!("{channel}, {month}.")),
    };
    let message = NewMessage { biz_type: CONFIRMATION, ..about(row, title, content, now) };
    message::decided(tx, askers, by, message, now).await
}

/// Asks those who decide to review a correction.
pub(super) async fn adjustment_waits(tx: &mut Connection, row: &PartnerAdjustmentRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, channel, yuan, reason) = (&row.adjustment_no, &row.channel_name, terms::yuan(row.amount_cents), &row.reason);
    let (place, place_in_english) = match row.on_next {
        true => ("下一份对账单", "the next statement"),
        false => ("对账单", "the statement"),
    };
    let title = say(format!("渠道对账单调整待审：{no}"), format!("Adjustment of a channel statement awaiting approval: {no}"));
    let content = say(
        format!("{channel} 的{place}申请调整 {yuan} 元：{reason}。请由申请人以外的人审核。"),
        format!(
            "An adjustment of {yuan} CNY on {place_in_english} of {channel} was requested: {reason}. It needs approval by someone other than the requester."
        ),
    );
    message::to_overseers(tx, "finance/partner/audit", about_adjustment(row, title, content, now).asked_by(by), now).await
}

/// There is nothing to decide any more.
pub(super) async fn adjustment_ended(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, ADJUSTMENT, id, now).await
}

/// Notifies the person who asked of the decision.
pub(super) async fn adjustment_decided(
    tx: &mut Connection,
    row: &PartnerAdjustmentRow,
    approved: bool,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, channel, yuan) = (&row.adjustment_no, &row.channel_name, terms::yuan(row.amount_cents));
    let title = match approved {
        true => say(format!("渠道对账单调整已通过：{no}"), format!("Adjustment of a channel statement approved: {no}")),
        false => say(format!("渠道对账单调整被驳回：{no}"), format!("Adjustment of a channel statement rejected: {no}")),
    };
    let content = match note {
        Some(note) => say(note.to_owned(), note.to_owned()),
        None => say(format!("{channel}，{yuan} 元。"), format!("{channel}, {yuan} CNY.")),
    };
    message::decided(tx, row.created_by, by, about_adjustment(row, title, content, now), now).await
}

fn about_adjustment(row: &PartnerAdjustmentRow, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "financePartnerAdjustments", query: vec![("keyword", row.adjustment_no.clone())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(0, ADJUSTMENT, title, content, now)
    }
}
