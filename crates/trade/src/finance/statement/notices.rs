//! Messages about statements: to the organisation that one waits for its answer, and to finance that one is disputed.

use super::model::StatementRow;
use base::db::Connection;
use frame::api::{Say, say};
use frame::message::{self, Link, NewMessage};
use frame::terms;

/// What these messages are about.
const BIZ: &str = "org_statement";

/// Asks the organisation's people to answer a statement.
pub(super) async fn sent(tx: &mut Connection, row: &StatementRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, row.id, now).await?;
    let (month, closing) = (&row.month, terms::yuan(row.closing_cents));
    let title = say(format!("{month} 对账单待确认"), format!("Statement of {month} to confirm"));
    let content =
        say(format!("期末余额 {closing} 元，请核对后确认。"), format!("Closing balance {closing} CNY. Please check and confirm it."));
    message::to_holders(tx, "finance/account/confirm", (row.org_id, None), about(row, title, content, now).asked_by(by), now).await
}

/// Closes the todo of the statement, and notifies finance of a dispute.
pub(super) async fn answered(
    tx: &mut Connection,
    row: &StatementRow,
    agree: bool,
    note: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, row.id, now).await?;
    if agree {
        return Ok(());
    }
    let (month, org, note) = (&row.month, &row.org_name, note.unwrap_or_default());
    let title = say(format!("{org} 对 {month} 对账单有异议"), format!("{org} disputes the statement of {month}"));
    message::to_overseers(tx, "finance/account/statement", about(row, title, Say::same(note), now).asked_by(by), now).await
}

fn about(row: &StatementRow, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "financeStatement", query: vec![("id", row.id.to_string())] }),
        biz_id: Some(row.id),
        ..NewMessage::to_person(0, BIZ, title, content, now)
    }
}
