//! A day's statement from an imported table: whose it is, its columns, its payments and refunds.

use std::sync::Arc;

use futures_util::FutureExt;
use tokio::task::spawn_blocking;

use super::list::STATEMENT;
use super::matching::{self, StatementLine};
use super::model::{MoneyDirection, PaymentStatementRow, StatementColumns, StatementDayStatus, StatementFields};
use super::store::{self, Outcome};
use crate::access::Scope;
use crate::access::audit::Stamp;
use crate::admin::ours_to_change;
use crate::api::check::present;
use crate::api::versioned;
use crate::api::{ApiError, Check, Ctx, FileForm, Id, Result, say};
use crate::clock::{self, DAY};
use crate::db::Connection;
use crate::decision;
use crate::import::{Column, Table, cell};
use crate::pay::channel::store as channels;

/// Lines of a statement, at most.
const MOST_LINES: usize = 20_000;
/// Characters of a column's title.
const LONGEST_TITLE: usize = 64;

/// `GET /payStatement/columns/{id}`, by the id of a channel: the columns of a channel's files as they were named last.
pub async fn columns(cx: Arc<Ctx>, Id(id): Id) -> Result<StatementColumns> {
    let channel = channels::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(store::columns(cx.db().read(), channel.id).await?)
}

/// `POST /payStatement/import`: matches a day's statement of a channel with our payments and refunds of that day. Brought
/// again, it takes the place of the earlier one, until the day is closed.
pub async fn import(cx: Arc<Ctx>, form: FileForm<StatementFields>) -> Result<PaymentStatementRow> {
    let viewer = cx.viewer()?;
    ours_to_change(viewer)?;
    cx.overseer()?;
    let fields = form.fields;
    let channel = match fields.payee_channel_id {
        Some(id) => channels::find(cx.db().read(), Scope::All, id).await?,
        None => None,
    };
    let Some(channel) = channel else {
        return Err(ApiError::field("payeeChannelId", say("请选择收款通道", "Choose a payee channel")));
    };
    let day = fields.day.trim().to_owned();
    let start = clock::day_start(&day).filter(|start| *start <= cx.now);
    let Some(start) = start else {
        return Err(ApiError::field("day", say("请填写已到的日期", "Enter a day that is not in the future")));
    };
    let kept = store::columns(cx.db().read(), channel.id).await?;
    let named = StatementColumns {
        number_column: present(fields.number_column).unwrap_or_default(),
        amount_column: present(fields.amount_column).unwrap_or_default(),
        refund_column: present(fields.refund_column),
    };
    let columns = if named == StatementColumns::default() { kept } else { named };
    Check::new()
        .text("numberColumn", &columns.number_column, 1..=LONGEST_TITLE)
        .text("amountColumn", &columns.amount_column, 1..=LONGEST_TITLE)
        .text("refundColumn", columns.refund_column.as_deref().unwrap_or_default(), 0..=LONGEST_TITLE)
        .done()?;
    let (file, wanted) = (form.file.clone(), columns.clone());
    let lines = spawn_blocking(move || {
        let table = Table::read(&file, titles(&wanted), MOST_LINES)?;
        read(&table)
    })
    .await
    .map_err(|_| ApiError::field("file", say("文件已损坏，无法读取", "The file is damaged and cannot be read")))??;
    let name: String = form.file.name.chars().take(100).collect();
    let (cx, day, columns, lines, name) = (&*cx, &day, &columns, &lines, &name);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = match store::of_day(&mut tx, channel.id, day).await? {
                    Some(id) => {
                        versioned::hold::<PaymentStatementRow>(&mut tx, id).await?;
                        store::find(&mut **tx, Scope::All, id).await?
                    }
                    None => None,
                };
                if before.as_ref().is_some_and(|row| row.status == StatementDayStatus::Closed) {
                    return Err(ApiError::State(say("该日已关账，不能再导入", "The day is closed: no statement can be imported")));
                }
                let id = reconcile(&mut tx, channel.id, start, lines, name, cx.stamp()?).await?;
                store::keep_columns(&mut tx, channel.id, columns).await?;
                // A request to close the day was for the earlier file.
                decision::withdraw(&mut tx, STATEMENT.kind, id, cx.now).await?;
                match before {
                    None => versioned::created_within(cx, &mut tx, id).await,
                    Some(before) => versioned::changed_within(cx, &mut tx, before, true).await,
                }
            }
            .boxed()
        })
        .await
}

/// Matches the lines of a statement with our records of the day that begins at `start` (epoch milliseconds), writes the
/// outcome, and returns the id of the statement.
pub(crate) async fn reconcile(
    tx: &mut Connection,
    channel_id: i64,
    start: i64,
    lines: &[StatementLine],
    file_name: &str,
    stamp: Stamp,
) -> std::result::Result<i64, sqlx::Error> {
    let entries = store::book_entries(tx, channel_id, start, start + DAY).await?;
    let (matched, differences) = matching::compare(&entries, lines);
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let signed = |direction: MoneyDirection, cents: i64| if direction == MoneyDirection::Refund { -cents } else { cents };
    let outcome = Outcome {
        file_name,
        our_count: count(entries.len()),
        our_cents: entries.iter().map(|entry| signed(entry.direction, entry.cents)).sum(),
        their_count: count(lines.len()),
        their_cents: lines.iter().map(|line| signed(line.direction, line.cents)).sum(),
        matched_count: count(matched),
    };
    let id = store::write(tx, channel_id, &clock::day(start).to_string(), &outcome, stamp).await?;
    store::replace_differences(tx, id, &differences, stamp.at).await?;
    Ok(id)
}

fn titles(columns: &StatementColumns) -> Vec<Column> {
    let column =
        |key: &'static str, title: &str| Column { key, title: say(title.to_owned(), title.to_owned()), former: None, required: true };
    let mut all = vec![column("number", &columns.number_column), column("amount", &columns.amount_column)];
    all.extend(columns.refund_column.as_deref().map(|title| column("refund", title)));
    all
}

/// The payments and refunds of a table. Rows without a number are sums and remarks, which such files end with.
fn read(table: &Table) -> Result<Vec<StatementLine>> {
    let mut all = Vec::new();
    for index in 0..table.rows() {
        let line = table.line(index);
        // Some providers put a mark before numbers, so that spreadsheets take them for texts.
        let number = line.text("number").trim_matches(['`', '\'', '\t', ' ']).to_owned();
        if number.is_empty() {
            continue;
        }
        let row = line.number;
        let wrong =
            || ApiError::field("file", say(format!("第 {row} 行的金额无法读取"), format!("The amount in row {row} cannot be read")));
        if number.chars().count() > LONGEST_TITLE {
            return Err(ApiError::field("file", say(format!("第 {row} 行的流水号过长"), format!("The number in row {row} is too long"))));
        }
        for (key, refunds) in [("amount", false), ("refund", true)] {
            let text = line.text(key).trim_matches(['`', '\'', '¥', '￥', '\t', ' ']);
            if text.is_empty() {
                continue;
            }
            let below = text.starts_with(['-', '−']);
            let cents = cell::cents(text.trim_start_matches(['-', '−', '+'])).ok_or_else(wrong)?;
            if cents > 0 {
                let direction = if refunds || below { MoneyDirection::Refund } else { MoneyDirection::Payment };
                all.push(StatementLine { number: number.clone(), direction, cents });
            }
        }
    }
    Ok(all)
}
