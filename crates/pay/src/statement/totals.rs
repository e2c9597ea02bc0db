//! The counts and sums in a statement, beside its rows, as Alipay, WeChat Pay and banks write them. They are compared
//! with the rows, so that a file that was cut or changed is refused.

use super::direction::{self, Flow};
use super::model::StatementColumns;
use base::locale::Locale;
use frame::api::{ApiError, Result, Say, say};
use frame::import::{Column, Note, Row, RowKind, Table, cell, same_title, title};

/// Columns of Alipay's and WeChat Pay's files that have a sum, by their keys here.
const SUMMED: &[(&str, &str)] = &[
    ("kind", "业务类型"),
    ("received", "商家实收（元）"),
    ("income", "收入金额（+元）"),
    ("outgo", "支出金额（-元）"),
    ("settled", "应结订单金额"),
    ("total", "总金额"),
    ("refunded", "退款金额"),
    ("ordered", "订单金额"),
    ("applied", "申请退款金额"),
];
/// Titles of sums below the rows of WeChat Pay's files, and the columns that they sum up.
const WECHAT_SUMS: &[(&str, &str)] = &[
    ("应结订单总金额", "settled"),
    ("总交易额", "total"),
    ("退款总金额", "refunded"),
    ("总退款金额", "refunded"),
    ("订单总金额", "ordered"),
    ("申请退款总金额", "applied"),
];
/// Titles of the count of rows in WeChat Pay's files, the first title of their sums; the second is that of fund bills.
const WECHAT_COUNTS: &[&str] = &["总交易单数", "资金流水总笔数"];
/// Titles of counts and sums below the rows of WeChat Pay's fund bills, by direction.
const FLOW_COUNTS: &[(&str, Flow)] = &[("收入笔数", Flow::In), ("支出笔数", Flow::Out)];
const FLOW_SUMS: &[(&str, Flow)] = &[("收入金额", Flow::In), ("支出金额", Flow::Out)];
/// The words of sums that people and banks write below the rows, and of those below a page.
const TOTAL: &[&str] = &["合计", "总计", "共计", "grand total", "total", "sum"];
const SUBTOTAL: &[&str] = &["小计", "本页小计", "本页合计", "本页", "subtotal", "sub total", "page total"];
/// The words that may follow such a word, before a count.
const AFTER_TOTAL: &[&str] = &["金额", "笔数", "人民币", "(元)", "（元）"];

/// The optional columns that have a sum, without those that are read already.
pub(super) fn columns(named: &StatementColumns) -> Vec<Column> {
    let is_read = |title: &str| key_of(named, title).is_some();
    let summed = SUMMED.iter().filter(|(_, title)| !is_read(title)).map(|(key, name)| title(key, name, name));
    summed.chain(direction::columns(is_read)).collect()
}

/// The key of one of the columns that a person has named, by its title.
fn key_of(named: &StatementColumns, title: &str) -> Option<&'static str> {
    let all = [("number", Some(&named.number_column)), ("amount", Some(&named.amount_column)), ("refund", named.refund_column.as_ref())];
    all.into_iter().find(|(_, own)| own.is_some_and(|own| same_title(own, title))).map(|(key, _)| key)
}

/// The kind of a row below the titles: a payment or a refund, or a count or sum of the file.
pub(super) fn row_kind(row: &Row<'_>) -> RowKind {
    let first = row.texts().next().unwrap_or_default();
    let named = number(row.text("number"));
    // Their sums have their own titles, which may be in the column of the rows' numbers.
    if WECHAT_COUNTS.contains(&number(first)) {
        return RowKind::End;
    }
    let is_remark = first.starts_with('#') && row.text("amount").is_empty() && row.text("refund").is_empty();
    let is_sum = |text: &str| is_named(text, TOTAL) || is_named(text, SUBTOTAL);
    let is_named_sum = is_sum(named) || named.is_empty() && row.texts().any(is_sum);
    if is_remark || is_named_sum { RowKind::Note } else { RowKind::Line }
}

/// Whether a text is one of these labels, followed by a count at most. Numbers of orders, names and remarks may begin
/// with a label.
fn is_named(text: &str, words: &[&str]) -> bool {
    let text = number(text).to_lowercase();
    words.iter().any(|word| text.strip_prefix(word).is_some_and(is_only_a_count))
}

/// Accepts an empty text, `：`, `金额：`, `（2笔）`, `共 3 笔`.
fn is_only_a_count(rest: &str) -> bool {
    let rest = AFTER_TOTAL.iter().find_map(|after| rest.strip_prefix(after)).unwrap_or(rest);
    let rest = rest.trim_matches([' ', ':', '：', '(', ')', '（', '）', '共']);
    rest.is_empty() || rest.strip_suffix(['笔', '条', '项']).is_some_and(|count| count.trim().parse::<u32>().is_ok())
}

/// A number without the mark that some providers put before it to make spreadsheets treat it as text.
pub(super) fn number(text: &str) -> &str {
    text.trim_matches(['`', '\'', '\t', ' '])
}

/// Fen with their sign; none of an empty cell. `Err` where a text is no amount.
pub(super) fn amount(text: &str) -> std::result::Result<Option<i64>, ()> {
    let text = number(text).trim_matches(['¥', '￥', ' ']);
    if text.is_empty() {
        return Ok(None);
    }
    let below = text.starts_with(['-', '−', '－']);
    let cents = cell::cents(text.trim_start_matches(['-', '−', '－', '+'])).ok_or(())?;
    Ok(Some(if below { -cents } else { cents }))
}

/// A row's values in the columns that the import names.
pub(super) struct ReadRow {
    /// The number of the row, counted from 1.
    pub number: usize,
    /// The amount; refunds and money that went out below zero.
    pub net: i64,
    /// The amount as it is written, if it is above zero.
    pub written: i64,
    /// The column of refunds.
    pub refund: i64,
    /// The direction of the money, if a column gives it.
    pub flow: Option<Flow>,
}

/// Sums of rows.
#[derive(Clone, Copy, Default)]
pub(super) struct ReadSums {
    net: i64,
    written: i64,
    refunds: i64,
}

impl ReadSums {
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r ReadRow>) -> ReadSums {
        rows.into_iter().fold(ReadSums::default(), |sums, row| ReadSums {
            net: sums.net.saturating_add(row.net),
            written: sums.written.saturating_add(row.written),
            refunds: sums.refunds.saturating_add(row.refund),
        })
    }

    /// Whether these are the sums that a row without number and label states for the columns of amounts and of refunds.
    pub fn are(&self, amount: Option<i64>, refund: Option<i64>) -> bool {
        let is_amount = amount.is_none_or(|stated| [self.net, self.written].contains(&stated));
        is_amount && refund.is_none_or(|stated| stated.abs() == self.refunds)
    }
}

/// Refuses a file whose own counts and sums differ from those of its rows.
pub(super) fn check(table: &Table, named: &StatementColumns, rows: &[ReadRow]) -> Result<()> {
    let file = File { table, named, rows };
    let mut notes = table.notes().iter();
    // The row after which the present page begins.
    let mut page = 0;
    while let Some(note) = notes.next() {
        let first = note.cells.first().map_or("", |(_, text)| text.as_str());
        if first.starts_with('#') {
            file.check_alipay(note.number, first)?;
        } else if WECHAT_COUNTS.contains(&number(first)) {
            let Some(values) = notes.next() else {
                return Err(refusal(note.number, say("文件末尾缺少汇总数据", "the sums at the end of the file are missing")));
            };
            file.check_wechat(note, values)?;
        } else if note.cells.iter().any(|(_, text)| is_named(text, SUBTOTAL)) {
            // The sum of all pages so far, or of this page.
            let so_far = ReadSums::of(rows.iter().filter(|row| row.number < note.number));
            if file.check_total(note, so_far).is_err() {
                file.check_total(note, ReadSums::of(rows.iter().filter(|row| (page..note.number).contains(&row.number))))?;
            }
            page = note.number;
        } else {
            file.check_total(note, ReadSums::of(rows))?;
        }
    }
    Ok(())
}

struct File<'f> {
    table: &'f Table,
    named: &'f StatementColumns,
    rows: &'f [ReadRow],
}

impl File<'_> {
    /// The text of a row in a column that has a sum.
    fn text(&self, index: usize, key: &str) -> &str {
        self.table.line(index).text(self.key(key))
    }

    fn key(&self, key: &str) -> &'static str {
        let (known, title) = SUMMED.iter().find(|(known, _)| *known == key).unwrap_or(&("", ""));
        key_of(self.named, title).unwrap_or(known)
    }

    /// The count and the sum of a column, over the rows that `counts` accepts; none if the file has no such column.
    fn sum(&self, key: &str, counts: impl Fn(usize, i64) -> bool) -> Result<Option<(i64, i64)>> {
        let own = self.key(key);
        if !self.table.has(own) {
            return Ok(None);
        }
        let (mut count, mut sum) = (0, 0_i64);
        for index in 0..self.table.rows() {
            let cents = amount(self.text(index, key)).map_err(|()| {
                let (chinese, english) = (self.table.title(own, Locale::Chinese), self.table.title(own, Locale::English));
                refusal(self.table.line(index).number, say(format!("“{chinese}”不是金额"), format!("“{english}” is not an amount")))
            })?;
            if counts(index, cents.unwrap_or_default()) {
                count += 1;
                sum = sum.saturating_add(cents.unwrap_or_default());
            }
        }
        Ok(Some((count, sum)))
    }

    /// `#交易合计：2笔，商家实收共57.00元，商家优惠共0.00元`.
    fn check_alipay(&self, row: usize, text: &str) -> Result<()> {
        let Some((label, stated)) = text.trim_start_matches('#').split_once(['：', ':']) else { return Ok(()) };
        let refunded = |index: usize| self.text(index, "kind").contains("退款");
        let read = match label {
            "交易合计" if self.table.has(self.key("kind")) => self.sum("received", |index, _| !refunded(index))?,
            "退款合计" if self.table.has(self.key("kind")) => self.sum("received", |index, _| refunded(index))?,
            "收入合计" => self.sum("income", |_, cents| cents != 0)?,
            "支出合计" => self.sum("outgo", |_, cents| cents != 0)?,
            _ => None,
        };
        let Some((count, sum)) = read else { return Ok(()) };
        let mut pieces = stated.split(['，', ',']);
        if let Some(stated) = pieces.next().and_then(|piece| piece.trim().strip_suffix('笔')?.trim().parse().ok()) {
            same_count(row, stated, count)?;
        }
        // The first sum is what the merchant receives; those of discounts are of other columns.
        let stated = pieces.next().and_then(|piece| piece.split_once('共')).map(|(_, sum)| sum.trim_end_matches('元'));
        match stated.map(amount) {
            Some(Ok(Some(stated))) => same_sum(row, label, stated, sum),
            _ => Ok(()),
        }
    }

    /// Checks a row of titles with the row of their sums below it.
    fn check_wechat(&self, titles: &Note, values: &Note) -> Result<()> {
        let value = |place: usize| values.cells.iter().find(|(at, _)| *at == place).map_or("", |(_, text)| number(text));
        let of_flow = |known: &[(&str, Flow)], title: &str| known.iter().find(|(known, _)| *known == title).map(|(_, flow)| *flow);
        for (place, title) in &titles.cells {
            let (title, value) = (without_unit(number(title)), value(*place));
            if WECHAT_COUNTS.contains(&title) {
                let count = i64::try_from(self.table.rows()).unwrap_or(i64::MAX);
                same_count(values.number, value.parse().unwrap_or(-1), count)?;
            } else if let Some(flow) = of_flow(FLOW_COUNTS, title) {
                let count = self.rows.iter().filter(|row| row.flow == Some(flow)).count();
                same_count(values.number, value.parse().unwrap_or(-1), i64::try_from(count).unwrap_or(i64::MAX))?;
            } else if let Some(flow) = of_flow(FLOW_SUMS, title) {
                let read = ReadSums::of(self.rows.iter().filter(|row| row.flow == Some(flow)));
                if let Ok(Some(stated)) = amount(value) {
                    same_sum(values.number, title, stated.abs(), read.net.abs())?;
                }
            } else if let Some((_, key)) = WECHAT_SUMS.iter().find(|(known, _)| *known == title)
                && let (Ok(Some(stated)), Some((_, read))) = (amount(value), self.sum(key, |_, _| true)?)
            {
                same_sum(values.number, title, stated.abs(), read.abs())?;
            }
        }
        Ok(())
    }

    /// Checks a row with sums in the columns of the amounts.
    fn check_total(&self, note: &Note, read: ReadSums) -> Result<()> {
        let stated = |key: &str| {
            let place = self.table.place(key)?;
            amount(&note.cells.iter().find(|(at, _)| *at == place)?.1).ok().flatten()
        };
        if let Some(stated) = stated("amount").filter(|stated| ![read.net, read.written].contains(stated)) {
            return same_sum(note.number, &self.named.amount_column, stated, read.net);
        }
        match stated("refund") {
            Some(stated) => {
                let column = self.named.refund_column.as_deref().unwrap_or_default();
                same_sum(note.number, column, stated.abs(), read.refunds)
            }
            None => Ok(()),
        }
    }
}

/// A title without the unit that some versions of a bill put behind it.
fn without_unit(title: &str) -> &str {
    title.trim_end_matches("（元）").trim_end_matches("(元)")
}

fn same_count(row: usize, stated: i64, read: i64) -> Result<()> {
    if stated == read {
        return Ok(());
    }
    Err(refusal(
        row,
        say(
            format!("文件写明 {stated} 笔，实际读到 {read} 笔；文件可能不完整或被改动，请重新下载"),
            format!("the file states {stated} entries and has {read}; it may be cut or changed: download it again"),
        ),
    ))
}

fn same_sum(row: usize, what: &str, stated: i64, read: i64) -> Result<()> {
    if stated == read {
        return Ok(());
    }
    let (stated, read) = (yuan(stated), yuan(read));
    Err(refusal(
        row,
        say(
            format!("“{what}”写明 {stated} 元，各行相加为 {read} 元；文件可能不完整或被改动，请重新下载"),
            format!("“{what}” states {stated} CNY, and the rows add up to {read}; the file may be cut or changed: download it again"),
        ),
    ))
}

/// `-12.50`.
fn yuan(cents: i64) -> String {
    format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

/// A refusal of the file because of a row.
pub(super) fn refusal(row: usize, why: Say) -> ApiError {
    let words = |locale: Locale| locale.pick(format!("第 {row} 行：{}", why.get(locale)), format!("Row {row}: {}", why.get(locale)));
    ApiError::field("file", say(words(Locale::Chinese), words(Locale::English)))
}
