//! Messages about payouts: that one waits for a decision, how that ended, and that the bank sent one back.

use super::model::PayoutRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, NewMessage, Notices};
use frame::terms;

const NOTICES: Notices = Notices { biz: "partner_payout", point: "finance/partner/audit", route: "financePayout" };

/// Asks those who decide to review a payout.
pub(super) async fn waits(tx: &mut Connection, row: &PayoutRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, channel, yuan, statement) = (&row.payout_no, &row.channel_name, terms::yuan(row.amount_cents), &row.statement_no);
    let title = say(format!("渠道付款待审：{no}"), format!("Payout awaiting approval: {no}"));
    let content = say(
        format!("对账单 {statement}，付给 {channel} {yuan} 元。请由申请人以外的人审核。"),
        format!("Statement {statement}: {yuan} CNY to {channel}. A second person must approve it."),
    );
    NOTICES.ask(tx, about(row, title, content, now), by, now).await
}

/// There is nothing to decide any more.
pub(super) async fn ended(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    NOTICES.close(tx, id, now).await
}

/// Notifies the person who asked of the decision.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &PayoutRow,
    approved: bool,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, channel, yuan) = (&row.payout_no, &row.channel_name, terms::yuan(row.amount_cents));
    let title = match approved {
        true => say(format!("渠道付款已通过：{no}"), format!("Payout approved: {no}")),
        false => say(format!("渠道付款被驳回：{no}"), format!("Payout refused: {no}")),
    };
    let content = note.map_or_else(|| say(format!("{channel}，{yuan} 元。"), format!("{channel}, {yuan} CNY.")), Say::same);
    message::decided(tx, row.created_by, by, about(row, title, content, now), now).await
}

/// Notifies the person who asked that the bank has sent the transfer back.
pub(super) async fn returned(tx: &mut Connection, row: &PayoutRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, channel, yuan) = (&row.payout_no, &row.channel_name, terms::yuan(row.amount_cents));
    let (number, reason) = (row.return_number.as_deref().unwrap_or_default(), row.return_reason.as_deref().unwrap_or_default());
    let title = say(format!("渠道付款被银行退回：{no}"), format!("Payout sent back by the bank: {no}"));
    let content = say(
        format!("{channel}，{yuan} 元，退回流水号 {number}：{reason}。可以重新申请付款。"),
        format!("{channel}, {yuan} CNY, sent back as {number}: {reason}. The payout can be requested again."),
    );
    message::decided(tx, row.created_by, by, about(row, title, content, now), now).await
}

fn about(row: &PayoutRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("id", row.id.to_string()), title, content, now)
}
