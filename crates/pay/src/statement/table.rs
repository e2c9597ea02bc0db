//! A day's statement from an imported table: its channel, its columns, its payments and refunds.

use std::sync::Arc;

use futures_util::FutureExt;

use super::compare::reconcile;
use super::direction;
use super::list::STATEMENT;
use super::matching::StatementLine;
use super::model::{MoneyDirection, PaymentStatementRow, StatementColumns, StatementDayStatus, StatementFields};
use super::record::BIZ;
use super::store;
use super::totals::{self, ReadRow, ReadSums};
use crate::channel::store as channels;
use base::canonical;
use base::clock;
use base::form_limits;
use base::locale::Locale;
use frame::access::Scope;
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::versioned;
use frame::api::{ApiError, Check, Ctx, FileForm, Id, Result, Say, say};
use frame::decision;
use frame::import::{self, Column, Layout, Table};
use frame::message;

form_limits! {
    /// Of a statement.
    paymentStatement {
        /// Characters of a column's title, and of a number in it.
        COLUMN_TITLE: usize = 64,
        /// Lines of a statement, at most.
        MOST_LINES: usize = 20_000,
    }
}

/// `GET /payStatement/columns/{id}`, by the id of a channel: the last used columns of the channel's files, or those of
/// its provider.
pub async fn columns(cx: Arc<Ctx>, Id(id): Id) -> Result<StatementColumns> {
    let channel = channels::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(store::columns(cx.db().read(), channel.id).await?.unwrap_or_else(|| StatementColumns::of(channel.provider)))
}

/// `POST /payStatement/import`: matches a day's statement of a channel with our payments and refunds of that day. A
/// later import replaces the earlier one, until the day is closed.
pub async fn import(cx: Arc<Ctx>, form: FileForm<StatementFields>) -> Result<PaymentStatementRow> {
    let viewer = cx.viewer()?;
    require_platform_staff(viewer)?;
    cx.overseer()?;
    let fields = form.fields;
    let channel = match fields.payee_channel_id {
        Some(id) => channels::find(cx.db().read(), Scope::All, id).await?,
        None => None,
    };
    let Some(channel) = channel else {
        return Err(ApiError::field("payeeChannelId", say("请选择收款通道", "Choose a payee channel")));
    };
    let day = canonical::day_or_text(&fields.day);
    let start = clock::day_start(&day).filter(|start| *start <= cx.now);
    let Some(start) = start else {
        return Err(ApiError::field("day", say("请填写已到的日期", "Enter a day that is not in the future")));
    };
    let kept = store::columns(cx.db().read(), channel.id).await?.unwrap_or_else(|| StatementColumns::of(channel.provider));
    let named = StatementColumns {
        number_column: present(fields.number_column).unwrap_or_default(),
        amount_column: present(fields.amount_column).unwrap_or_default(),
        refund_column: present(fields.refund_column),
    };
    let columns = if named == StatementColumns::default() { kept } else { named };
    Check::new()
        .text("numberColumn", &columns.number_column, 1..=COLUMN_TITLE)
        .text("amountColumn", &columns.amount_column, 1..=COLUMN_TITLE)
        .text("refundColumn", columns.refund_column.as_deref().unwrap_or_default(), 0..=COLUMN_TITLE)
        .done()?;
    let wanted = columns.clone();
    let layout = Layout { columns: titles(&wanted), most: MOST_LINES, row_kind: Some(totals::row_kind) };
    let lines = import::read(form.file.clone(), layout, move |table| read(&table, &wanted)).await?;
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
                message::done(&mut tx, BIZ, id, cx.now).await?;
                match before {
                    None => versioned::created_within(cx, &mut tx, id).await,
                    Some(before) => versioned::changed_within(cx, &mut tx, before, true).await,
                }
            }
            .boxed()
        })
        .await
}

fn titles(columns: &StatementColumns) -> Vec<Column> {
    let column = |key: &'static str, title: &str| Column::titled(key, say(title.to_owned(), title.to_owned()), true);
    let mut all = vec![column("number", &columns.number_column), column("amount", &columns.amount_column)];
    all.extend(columns.refund_column.as_deref().map(|title| column("refund", title)));
    all.extend(totals::columns(columns));
    all
}

/// The payments and refunds of a table. A file that cannot be read in full, or whose own sums differ, is refused: a
/// missing part of a row would be a false difference, or a false match.
fn read(table: &Table, columns: &StatementColumns) -> Result<Vec<StatementLine>> {
    let mut all = Vec::new();
    let mut rows: Vec<ReadRow> = Vec::new();
    // The row of a sum without a label. Nothing may follow it.
    let mut end: Option<usize> = None;
    for index in 0..table.rows() {
        let line = table.line(index);
        let refused = |why: Say| totals::refusal(line.number, why);
        let of_column = |key: &str, why: &Say| {
            let title = |locale: Locale| table.title(key, locale);
            refused(say(
                format!("“{}”{}", title(Locale::Chinese), why.get(Locale::Chinese)),
                format!("“{}”: {}", title(Locale::English), why.get(Locale::English)),
            ))
        };
        if let Some((key, why)) = line.faults().into_iter().next() {
            return Err(of_column(&key, &why));
        }
        let number = totals::number(line.text("number")).to_owned();
        if number.chars().count() > COLUMN_TITLE {
            return Err(refused(say("流水号过长", "the number is too long")));
        }
        if is_shortened(&number) {
            return Err(refused(say(
                "流水号的末尾数字已被表格软件改为 0，请导入原文件",
                "a spreadsheet has replaced the last digits of the number by zeros: import the original file",
            )));
        }
        let no_amount = || say("不是金额，最多两位小数", "not an amount with at most two decimals");
        let cents = |key: &str| totals::amount(line.text(key)).map_err(|()| of_column(key, &no_amount()));
        let (amount, refund) = (cents("amount")?, cents("refund")?);
        if number.is_empty() {
            match (amount.filter(|cents| *cents != 0), refund.filter(|cents| *cents != 0)) {
                // A remark: it has neither number nor amount.
                (None, None) => {}
                (amount, refund) if end.is_none() && ReadSums::of(&rows).are(amount, refund) => end = Some(line.number),
                _ => return Err(refused(say("有金额，没有流水号", "an amount without a number"))),
            }
            continue;
        }
        if let Some(sum) = end {
            return Err(totals::refusal(sum, say("有金额，没有流水号", "an amount without a number")));
        }
        if amount.is_none() && refund.is_none() {
            return Err(refused(say(
                "有流水号，没有金额；如退款在另一列，请填写退款列名",
                "a number without an amount; name the column of refunds if they have one of their own",
            )));
        }
        let flow = direction::flow(&line, |key| table.has(key)).map_err(|(key, why)| of_column(key, &why))?;
        // Alipay marks refunds in a column of its own. A column with the direction has precedence.
        let is_refund = flow.is_none() && line.text("kind").contains("退款");
        let written = amount.unwrap_or_default();
        let net = if is_refund { -written.abs() } else { direction::signed(written, flow) };
        let refund = refund.unwrap_or_default().abs();
        rows.push(ReadRow { number: line.number, net, written: written.max(0), refund, flow });
        // A column of refunds has them above zero, or below.
        for cents in [net, -refund].into_iter().filter(|cents| *cents != 0) {
            let direction = if cents < 0 { MoneyDirection::Refund } else { MoneyDirection::Payment };
            all.push(StatementLine { number: number.clone(), direction, cents: cents.abs() });
        }
    }
    if all.is_empty() {
        return Err(ApiError::field("file", say("文件里没有一笔有金额的流水", "The file has no payment or refund with an amount")));
    }
    totals::check(table, columns, &rows)?;
    Ok(all)
}

/// Whether a spreadsheet has replaced the last digits of a long number by zeros.
fn is_shortened(number: &str) -> bool {
    number.len() >= 22 && number.bytes().all(|byte| byte.is_ascii_digit()) && number.bytes().skip(15).all(|byte| byte == b'0')
}
