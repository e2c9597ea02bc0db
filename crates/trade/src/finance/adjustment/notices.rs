//! Messages about adjustments: that one waits for a decision, and how that ended.

use super::model::AdjustmentRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, NewMessage, Notices};
use frame::terms;

pub(super) const NOTICES: Notices = Notices { biz: "account_adjustment", point: "finance/account/audit", route: "financeAdjustment" };

/// Asks those who decide to review an adjustment.
pub(super) async fn waits(tx: &mut Connection, row: &AdjustmentRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan, reason) = (&row.no, &row.org_name, terms::yuan(row.amount_cents), &row.reason);
    let title = say(format!("调账待审：{no}"), format!("Adjustment awaiting approval: {no}"));
    let content = say(
        format!("{org} 的账户申请调整 {yuan} 元：{reason}。请由申请人以外的人审核。"),
        format!("An adjustment of {org} by {yuan} CNY was requested: {reason}. A second person must approve it."),
    );
    NOTICES.ask(tx, about(row, title, content, now), by, now).await
}

/// Closes the to-do, and sends the decision to the person who asked.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &AdjustmentRow,
    approved: bool,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, org, yuan) = (&row.no, &row.org_name, terms::yuan(row.amount_cents));
    let title = match approved {
        true => say(format!("调账已通过：{no}"), format!("Adjustment approved: {no}")),
        false => say(format!("调账被驳回：{no}"), format!("Adjustment rejected: {no}")),
    };
    let content = note.map_or_else(|| say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY.")), Say::same);
    message::decided(tx, row.created_by, by, about(row, title, content, now), now).await
}

fn about(row: &AdjustmentRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("id", row.id.to_string()), title, content, now)
}
