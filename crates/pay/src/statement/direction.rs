//! Columns with the direction of the money, for files in which all amounts are positive: WeChat Pay's fund bills, and
//! files of banks.

use super::totals::number;
use frame::api::{Say, say};
use frame::import::{Column, Line, title};

/// Their usual titles, by their keys here. The sides of banks are the merchant's: a credit is money that came in.
const COLUMNS: &[(&str, &str)] = &[
    ("flowType", "收支类型"),
    ("flowInOrOut", "收/支"),
    ("flow", "收支"),
    ("flowDirection", "收支方向"),
    ("flowMark", "收支标志"),
    ("sideMark", "借贷标志"),
    ("sideMark2", "借贷标记"),
    ("sideMark3", "借贷标识"),
    ("sideDirection", "借贷方向"),
    ("sideName", "借贷"),
    ("sideOr", "借/贷"),
    ("moneyDirection", "方向"),
    ("drCr", "Dr/Cr"),
    ("dOrC", "D/C"),
    ("debitOrCredit", "Debit/Credit"),
    ("directionOfMoney", "Direction"),
];
const IN: &[&str] = &["收入", "收", "收款", "入", "入账", "进", "来账", "贷", "贷方", "贷记", "in", "c", "cr", "credit", "+"];
const OUT: &[&str] = &["支出", "支", "付", "付款", "出", "出账", "往账", "借", "借方", "借记", "out", "d", "dr", "debit", "-"];

/// The direction of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    In,
    Out,
}

/// The optional columns, without those that are read already.
pub(super) fn columns(is_read: impl Fn(&str) -> bool) -> impl Iterator<Item = Column> {
    COLUMNS.iter().filter(move |(_, name)| !is_read(name)).map(|(key, name)| title(key, name, name))
}

/// The direction in the columns of a row; none if the file has none of these columns. `Err` has the column's key and
/// the error.
pub(super) fn flow(line: &Line<'_>, has: impl Fn(&str) -> bool) -> Result<Option<Flow>, (&'static str, Say)> {
    let mut flow = None;
    for (key, _) in COLUMNS.iter().filter(|(key, _)| has(key)) {
        let word = number(line.text(key)).to_lowercase();
        let found = match word.as_str() {
            word if IN.contains(&word) => Flow::In,
            word if OUT.contains(&word) => Flow::Out,
            _ => return Err((key, say("应为收入或支出、贷或借", "must be in or out, credit or debit"))),
        };
        if flow.is_some_and(|other| other != found) {
            return Err((key, say("与另一列的收支方向相反", "contradicts another column")));
        }
        flow = Some(found);
    }
    Ok(flow)
}

/// A negative amount for money that went out. A negative amount of money that came in reverses an entry, and stays as
/// it is.
pub(super) fn signed(cents: i64, flow: Option<Flow>) -> i64 {
    if flow == Some(Flow::Out) { -cents.abs() } else { cents }
}
