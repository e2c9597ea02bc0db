//! The books of the provider: trades, refunds, and the faults that it plays.

use std::collections::HashMap;

use serde::Deserialize;

use super::{Provider, now};

/// The trades and refunds of the provider, and the faults it plays.
#[derive(Default)]
pub struct Books {
    pub trades: HashMap<String, Trade>,
    pub refunds: HashMap<String, Refund>,
    pub misbehaviour: Misbehaviour,
    /// Calls so far, of all kinds.
    pub calls: u64,
}

#[derive(Clone, Debug)]
pub struct Trade {
    pub cents: i64,
    pub subject: String,
    pub notify_url: String,
    pub is_wechat: bool,
    /// In WeChat Pay's words: `NOTPAY`, `SUCCESS`, `CLOSED`, `PAYERROR`.
    pub state: &'static str,
    pub trade_no: String,
    pub paid_cents: i64,
    pub refunded_cents: i64,
    pub paid_at: i64,
}

#[derive(Clone, Debug)]
pub struct Refund {
    pub order_no: String,
    pub cents: i64,
    pub refund_no: String,
    pub state: &'static str,
    /// When it was made, epoch milliseconds.
    pub done_at: i64,
}

/// The faults it plays until others are set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Misbehaviour {
    /// Calls hang.
    pub hang: bool,
    /// What is asked is done, and answered by 500.
    pub lose_answers: bool,
    /// Nothing is done, and 500 answered.
    pub fail: bool,
    /// Answers have another signature.
    pub wrong_signature: bool,
    /// Refunds are refused.
    pub refuse_refunds: bool,
    /// Refunds of WeChat Pay are made, and a proxy before it answers that they were not.
    pub refuse_refunds_by_proxy: bool,
    /// Refunds stay on their way.
    pub slow_refunds: bool,
    /// Refunds are stuck until people complete them.
    pub abnormal_refunds: bool,
    /// Payments are not reported.
    pub silent: bool,
}

/// Marks a trade as paid, or as paid once more.
pub fn paid(provider: &Provider, no: &str, cents: Option<i64>, again: bool) -> Option<Trade> {
    let mut books = provider.books();
    let trade = books.trades.get_mut(no)?;
    if again {
        trade.trade_no = trade_no(trade.is_wechat);
    }
    trade.paid_cents = cents.unwrap_or(trade.cents);
    trade.state = "SUCCESS";
    trade.paid_at = now();
    Some(trade.clone())
}

pub fn trade(cents: i64, subject: &str, notify_url: &str, is_wechat: bool) -> Trade {
    Trade {
        cents,
        subject: subject.to_owned(),
        notify_url: notify_url.to_owned(),
        is_wechat,
        state: "NOTPAY",
        trade_no: trade_no(is_wechat),
        paid_cents: cents,
        refunded_cents: 0,
        paid_at: 0,
    }
}

/// A number of the provider for a payment.
pub fn trade_no(is_wechat: bool) -> String {
    let digits = rand::random_range(10_i64.pow(17)..10_i64.pow(18));
    if is_wechat { format!("4200{digits}") } else { format!("2026{digits}") }
}

/// Takes a refund, once under its number; none where it is refused.
pub fn refund(books: &mut Books, order_no: &str, no: &str, cents: i64) -> Option<(Refund, bool)> {
    if let Some(known) = books.refunds.get(no) {
        return Some((known.clone(), false));
    }
    let state = match &books.misbehaviour {
        bad if bad.abnormal_refunds => "ABNORMAL",
        bad if bad.slow_refunds => "PROCESSING",
        _ => "SUCCESS",
    };
    let trade =
        books.trades.get_mut(order_no).filter(|trade| trade.state == "SUCCESS" && trade.refunded_cents + cents <= trade.paid_cents)?;
    trade.refunded_cents += cents;
    let refund = Refund {
        order_no: order_no.to_owned(),
        cents,
        refund_no: format!("5030{}", rand::random_range(10_i64.pow(15)..10_i64.pow(16))),
        state,
        done_at: now(),
    };
    books.refunds.insert(no.to_owned(), refund.clone());
    Some((refund, true))
}
