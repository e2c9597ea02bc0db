//! Messages about money: a record waits for a decision, and how that ended.

use super::DECIDE;
use super::model::{MoneyRow, MoneyStatus};
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, NewMessage, Notices};
use frame::terms;

pub(super) const NOTICES: Notices = Notices { biz: "money_record", point: DECIDE, route: "crmMoneyDetail" };

/// Sends a to-do to the people of the organisation who may decide.
pub(super) async fn waits(tx: &mut Connection, row: &MoneyRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    NOTICES.close(tx, row.id, now).await?;
    let (no, clue, yuan) = (&row.no, &row.clue_no, terms::yuan(row.amount_cents));
    let (chinese, english) = (row.kind.label(base::locale::Locale::Chinese), row.kind.label(base::locale::Locale::English));
    let title = say(format!("收款记录待审：{no}"), format!("Lead payment awaiting approval: {no}"));
    let content = say(
        format!("线索 {clue} 的{chinese} {yuan} 元已录入，请由录入人以外的人审核。"),
        format!("{english} of {yuan} CNY was entered for the lead {clue}. A second person must confirm it."),
    );
    message::to_holders(tx, NOTICES.point, (row.org_id, row.sub_org_id), about(row, title, content, now).asked_by(by), now).await
}

/// Closes the to-do and sends the result to those who wrote the record. If it was voided, the person who confirmed it
/// gets the result too.
pub(super) async fn decided(
    tx: &mut Connection,
    row: &MoneyRow,
    status: MoneyStatus,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (no, clue, yuan) = (&row.no, &row.clue_no, terms::yuan(row.amount_cents));
    let title = match status {
        MoneyStatus::Confirmed => say(format!("收款记录已确认：{no}"), format!("Lead payment confirmed: {no}")),
        MoneyStatus::Void => say(format!("收款记录已作废：{no}"), format!("Lead payment voided: {no}")),
        MoneyStatus::Rejected | MoneyStatus::Pending => say(format!("收款记录被驳回：{no}"), format!("Lead payment rejected: {no}")),
    };
    let content = note.map_or_else(|| say(format!("线索 {clue}，{yuan} 元。"), format!("Lead {clue}, {yuan} CNY.")), Say::same);
    let askers: Vec<i64> = match row.decision.as_ref() {
        Some(open) => open.makers.clone(),
        None => row.created_by.into_iter().chain(row.reviewed_by).collect(),
    };
    message::decided(tx, askers, by, about(row, title, content, now), now).await
}

fn about(row: &MoneyRow, title: Say, content: Say, now: i64) -> NewMessage {
    NOTICES.about(row.id, ("id", row.id.to_string()), title, content, now)
}
