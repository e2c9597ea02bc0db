//! Messages about recharges: that one, or its reversal, waits for a decision, and how that ended.

use super::model::{RechargeRow, RechargeStatus};
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, NewMessage, Notices};
use frame::terms;

pub(super) const NOTICES: Notices = Notices { biz: "recharge", point: "finance/recharge/audit", route: "financeRecharge" };

/// Asks those who decide to review a recharge.
pub(super) async fn waits(tx: &mut Connection, row: &RechargeRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("充值待审：{no}"), format!("Recharge awaiting approval: {no}"));
    let content = say(
        format!("{org} 申请充值 {yuan} 元，请由申请人以外的人审核。"),
        format!("{org} requested a recharge of {yuan} CNY. A second person must approve it."),
    );
    NOTICES.ask(tx, about(row, title, content, now), by, now).await
}

/// Asks those who decide to review the reversal of a recharge.
pub(super) async fn reversal_waits(tx: &mut Connection, row: &RechargeRow, by: i64, note: &str, now: i64) -> Result<(), sqlx::Error> {
    NOTICES.close(tx, row.id, now).await?;
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = say(format!("充值冲正待审：{no}"), format!("Recharge reversal awaiting approval: {no}"));
    let content = say(
        format!("{org} 的充值 {yuan} 元申请冲正：{note}。请由申请人以外的人审核。"),
        format!("A reversal of {yuan} CNY of {org} was requested: {note}. A second person must approve it."),
    );
    NOTICES.ask(tx, about(row, title, content, now), by, now).await
}

/// Closes the to-do, and sends the decision to those who asked; `to` is none where a reversal was refused.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &RechargeRow,
    to: Option<RechargeStatus>,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = match to {
        Some(RechargeStatus::Credited) => say(format!("充值已到账：{no}"), format!("Recharge credited: {no}")),
        Some(RechargeStatus::Reversed) => say(format!("充值已冲正：{no}"), format!("Recharge reversed: {no}")),
        Some(_) => say(format!("充值被驳回：{no}"), format!("Recharge rejected: {no}")),
        None => say(format!("充值冲正被驳回：{no}"), format!("Recharge reversal rejected: {no}")),
    };
    let content = note.map_or_else(|| say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY.")), Say::same);
    let askers = row.decision.makers().chain(row.created_by);
    message::decided(tx, askers, by, about(row, title, content, now), now).await
}

fn about(row: &RechargeRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("keyword", row.no.clone()), title, content, now)
}
