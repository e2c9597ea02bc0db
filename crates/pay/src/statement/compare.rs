//! Compares the statement of a day with our payments and refunds of that day: at its import, at the closing of the
//! day, and when a payment or refund is dated into a closed day.
//!
//! Locks, in this order: the order of a payment or refund; the clue of a service fee; the statement of the day, if
//! there is one ([`booked`]); the account. An import, a settlement and a closing lock only the statement. A closing
//! sees all payments and refunds that locked the statement before it. Those that lock it later find the day closed, and
//! open it again.

use super::list::STATEMENT;
use super::matching::{self, Difference, StatementLine};
use super::model::{MoneyDirection, PaymentStatementRow, StatementDayStatus};
use super::record::BIZ;
use super::store::{self, Numbers};
use base::clock::{self, DAY};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Stamp};
use frame::api::versioned::Versioned;
use frame::api::{ApiError, Result, say};
use frame::message::{self, Link, NewMessage};

/// Matches the lines of a statement with our records of the day that begins at `start` (epoch milliseconds), writes the
/// outcome, and returns the id of the statement.
pub async fn reconcile(
    tx: &mut Connection,
    channel_id: i64,
    start: i64,
    lines: &[StatementLine],
    file_name: &str,
    stamp: Stamp,
) -> std::result::Result<i64, sqlx::Error> {
    let (numbers, differences) = compared(tx, channel_id, start, lines).await?;
    let id = store::write(tx, channel_id, &clock::day(start).to_string(), file_name, &numbers, stamp).await?;
    store::replace_lines(tx, id, lines).await?;
    store::replace_differences(tx, id, &differences, stamp.at).await?;
    Ok(id)
}

async fn compared(
    tx: &mut Connection,
    channel_id: i64,
    start: i64,
    lines: &[StatementLine],
) -> std::result::Result<(Numbers, Vec<Difference>), sqlx::Error> {
    let entries = store::book_entries(tx, channel_id, start, start + DAY).await?;
    let (matched, differences) = matching::compare(&entries, lines);
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let signed = |direction: MoneyDirection, cents: i64| if direction == MoneyDirection::Refund { -cents } else { cents };
    let numbers = Numbers {
        our_count: count(entries.len()),
        our_cents: entries.iter().map(|entry| signed(entry.direction, entry.cents)).sum(),
        their_count: count(lines.len()),
        their_cents: lines.iter().map(|line| signed(line.direction, line.cents)).sum(),
        matched_count: count(matched),
    };
    Ok((numbers, differences))
}

/// Compares a locked statement with our present records. If these have changed since, writes its numbers and
/// differences. Returns whether they had.
pub(super) async fn compare_again(tx: &mut Connection, row: &PaymentStatementRow, at: i64) -> Result<bool> {
    let lines = store::lines(tx, row.id).await?;
    if lines.is_empty() {
        // Older versions did not store the lines.
        return Err(ApiError::State(say(
            "该对账单由旧版本导入，请重新导入后再关账",
            "An earlier version imported this statement: import it again, then close the day",
        )));
    }
    update_numbers(tx, row, &lines, at).await
}

async fn update_numbers(tx: &mut Connection, row: &PaymentStatementRow, lines: &[StatementLine], at: i64) -> Result<bool> {
    let start = clock::day_start(&row.day).ok_or(ApiError::Missing)?;
    let (numbers, differences) = compared(tx, row.payee_channel_id, start, lines).await?;
    // Payments and refunds are only added to a day, never removed: if the numbers are the same, the differences are
    // too.
    if (numbers.our_count, numbers.our_cents, numbers.matched_count) == (row.our_count, row.our_cents, row.matched_count) {
        return Ok(false);
    }
    store::renumber(tx, row.id, &numbers, at).await?;
    store::replace_differences(tx, row.id, &differences, at).await?;
    Ok(true)
}

/// Locks the statement of the day of a payment or refund. To be called once that is written, with its order, and the
/// clue of a service fee, locked and its account not yet. A closed day is compared again and opened, so that people
/// settle the difference and close it.
pub async fn booked(tx: &mut Connection, channel_id: i64, dated_at: i64, at: i64) -> Result<()> {
    let Some(id) = store::hold_day(tx, channel_id, &clock::day(dated_at).to_string()).await? else { return Ok(()) };
    let found = store::find(&mut *tx, Scope::All, id).await?;
    let Some(before) = found.filter(|row| row.status == StatementDayStatus::Closed) else { return Ok(()) };
    store::reopen(tx, id, at).await?;
    let lines = store::lines(tx, id).await?;
    if !lines.is_empty() {
        update_numbers(tx, &before, &lines, at).await?;
    }
    let after = store::find(&mut *tx, Scope::All, id).await?;
    audit::record_own(tx, STATEMENT.of(id), Action::Update, &PaymentStatementRow::diff(Some(&before), after.as_ref()), at).await?;
    let (name, day) = (&before.payee_channel_name, &before.day);
    let title = say(format!("关账日已重新打开：{name} {day}"), format!("Closed day is open again: {name} {day}"));
    let content = say(
        "关账后又有该日的收款或退款入账。请处理差异后重新关账。",
        "A payment or refund of that day was added after it was closed. Please settle the differences and close the day again.",
    );
    let message = NewMessage {
        biz_id: Some(id),
        link: Some(Link { route: "payConfigDifferences", query: vec![("paymentStatementId", id.to_string())] }),
        ..NewMessage::to_person(0, BIZ, title, content, at)
    };
    Ok(message::to_overseers(tx, "payConfig/order-list/reconcile", message, at).await?)
}
