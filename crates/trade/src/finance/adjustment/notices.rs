//! Messages about adjustments: that one waits for a decision, and how that ended.

use super::model::AdjustmentRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, Link, NewMessage};
use frame::terms;

/// What these messages are about.
const BIZ: &str = "account_adjustment";
/// Who decides.
const POINT: &str = "finance/account/audit";

/// Asks those who decide to review an adjustment.
pub(super) async fn waits(tx: &mut Connection, row: &AdjustmentRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    let (no, org, yuan, reason) = (&row.no, &row.org_name, terms::yuan(row.amount_cents), &row.reason);
    let title = say(format!("调账待审：{no}"), format!("Adjustment awaiting approval: {no}"));
    let content = say(
        format!("{org} 的账户申请调整 {yuan} 元：{reason}。请由申请人以外的人审核。"),
        format!("An adjustment of {org} by {yuan} CNY was requested: {reason}. It needs approval by someone other than the requester."),
    );
    message::to_overseers(tx, POINT, about(row, title, content, now).asked_by(by), now).await
}

/// There is nothing to decide any more.
pub(super) async fn ended(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, id, now).await
}

/// Tells the person who asked how it ended.
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
    let content = match note {
        Some(note) => say(note.to_owned(), note.to_owned()),
        None => say(format!("{org}，{yuan} 元。"), format!("{org}, {yuan} CNY.")),
    };
    message::decided(tx, row.created_by, by, about(row, title, content, now), now).await
}

fn about(row: &AdjustmentRow, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "financeAdjustments", query: vec![("keyword", row.no.clone())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(0, BIZ, title, content, now)
    }
}
