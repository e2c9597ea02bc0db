//! Messages about statements of partners: that one is disputed or confirmed, and that a correction waits or was decided.

use super::model::{PartnerAdjustmentRow, PartnerStatementRow};
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, NewMessage, Notices};
use frame::terms;

/// Those about statements, on which partners decide; finance is notified.
pub(super) const STATEMENTS: Notices =
    Notices { biz: "partner_statement", point: "finance/partner/statement", route: "financePartnerStatement" };
/// Those about confirmations by other means.
pub(super) const CONFIRMATIONS: Notices =
    Notices { biz: "partner_confirmation", point: "finance/partner/audit", route: "financePartnerStatement" };
/// Those about corrections.
pub(super) const ADJUSTMENTS: Notices =
    Notices { biz: "partner_adjustment", point: "finance/partner/audit", route: "financePartnerAdjustments" };

/// Notifies finance of the partner's answer.
pub(super) async fn answered(tx: &mut Connection, row: &PartnerStatementRow, note: Option<&str>, now: i64) -> Result<(), sqlx::Error> {
    let (channel, month, net) = (&row.channel_name, &row.month, terms::yuan(row.net_cents));
    let (title, content) = match note {
        Some(note) => {
            (say(format!("{channel} 对 {month} 对账单有异议"), format!("{channel} disputes the statement of {month}")), Say::same(note))
        }
        None => (
            say(format!("{channel} 已确认 {month} 对账单"), format!("{channel} confirmed the statement of {month}")),
            say(format!("应付净额 {net} 元，可以申请付款。"), format!("{net} CNY net are payable: the payout can be requested.")),
        ),
    };
    message::to_overseers(tx, STATEMENTS.point, about(&STATEMENTS, row, title, content, now), now).await
}

fn about(of: &Notices, row: &PartnerStatementRow, title: Say, content: Say, now: i64) -> NewMessage {
    of.about(row.id, ("id", row.id.to_string()), title, content, now)
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
        format!("{channel}, {month}, {net} CNY net. How it was confirmed: {reason}. Check the proof. A second person must approve it."),
    );
    CONFIRMATIONS.ask(tx, about(&CONFIRMATIONS, row, title, content, now), by, now).await
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
    let content = note.map_or_else(|| say(format!("{channel}，{month}。"), format!("{channel}, {month}.")), Say::same);
    message::decided(tx, askers, by, about(&CONFIRMATIONS, row, title, content, now), now).await
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
        format!("An adjustment of {yuan} CNY on {place_in_english} of {channel} was requested: {reason}. A second person must approve it."),
    );
    ADJUSTMENTS.ask(tx, about_adjustment(row, title, content, now), by, now).await
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
    let content = note.map_or_else(|| say(format!("{channel}，{yuan} 元。"), format!("{channel}, {yuan} CNY.")), Say::same);
    message::decided(tx, row.created_by, by, about_adjustment(row, title, content, now), now).await
}

fn about_adjustment(row: &PartnerAdjustmentRow, title: Say, content: Say, now: i64) -> NewMessage {
    ADJUSTMENTS.about(row.id, ("keyword", row.adjustment_no.clone()), title, content, now)
}
