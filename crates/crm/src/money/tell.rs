//! Messages about money: a record waits for a decision, and how that ended.

use super::DECIDE;
use super::model::{MoneyRow, MoneyStatus};
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, Link, NewMessage};
use frame::terms;

/// What these messages are about.
const BIZ: &str = "money_record";

/// Asks those of the organisation who decide.
pub(super) async fn waits(tx: &mut Connection, row: &MoneyRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, row.id, now).await?;
    let (no, clue, yuan) = (&row.no, &row.clue_no, terms::yuan(row.amount_cents));
    let (chinese, english) = (row.kind.label(base::locale::Locale::Chinese), row.kind.label(base::locale::Locale::English));
    let title = say(format!("收款记录待审：{no}"), format!("Money awaiting approval: {no}"));
    let content = say(
        format!("线索 {clue} 的{chinese} {yuan} 元已录入，请由录入人以外的人审核。"),
        format!("{english} of {yuan} CNY was entered for the clue {clue}. A person who did not enter it must review it."),
    );
    message::to_holders(tx, DECIDE, (row.org_id, row.sub_org_id), about(row, title, content, now).asked_by(by), now).await
}

/// Closes the to-do: the record was deleted.
pub(super) async fn gone(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, id, now).await
}

/// Closes the to-do, and sends the result to those who wrote the record; to the one who confirmed it as well if it
/// is void now.
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
        MoneyStatus::Confirmed => say(format!("收款记录已确认：{no}"), format!("Money confirmed: {no}")),
        MoneyStatus::Void => say(format!("收款记录已作废：{no}"), format!("Money voided: {no}")),
        MoneyStatus::Rejected | MoneyStatus::Pending => say(format!("收款记录被驳回：{no}"), format!("Money rejected: {no}")),
    };
    let content = match note {
        Some(note) => say(note.to_owned(), note.to_owned()),
        None => say(format!("线索 {clue}，{yuan} 元。"), format!("Clue {clue}, {yuan} CNY.")),
    };
    let askers: Vec<i64> = match row.decision.as_ref() {
        Some(open) => open.makers.clone(),
        None => row.created_by.into_iter().chain(row.reviewed_by).collect(),
    };
    message::decided(tx, askers, by, about(row, title, content, now), now).await
}

fn about(row: &MoneyRow, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "crmMoneyDetail", query: vec![("id", row.id.to_string())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(0, BIZ, title, content, now)
    }
}
