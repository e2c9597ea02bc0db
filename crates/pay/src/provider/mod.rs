//! Providers of payments: how an order is shown to the payer, queried, closed and refunded there, and how reports are
//! verified. Each follows the protocol of its public documents. A report only leads to a query; the provider's answer
//! decides what was paid or refunded.
//!
//! Not here: what follows from an answer (`pay::order`, `pay::refund`).

pub mod alipay;
pub mod key;
pub mod wechat;

use async_trait::async_trait;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};

pub use alipay::signed_text;

use super::channel::{ChannelFee, ChannelKeys, MOST_CENTS, PayProvider, store};
use base::mask;
use base::outside::{Caller, Fault};
use frame::api::{ApiError, App};

/// Characters that are kept of an error's reason.
const LONGEST_WHY: usize = 200;

/// The result of a call to a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<T> {
    /// The provider answered, and the answer is verified.
    Answer(T),
    /// It refused for good. Why.
    Refused(String),
    /// Nothing was done: the request was not sent, or it was refused because of a key, an address or too many calls.
    /// With the reason.
    NotSent(String),
    /// The result is unknown. With the reason.
    Unknown(String),
}

impl<T> Reply<T> {
    /// Continues with an answer; any other result stays as it is.
    fn then<U>(self, follow: impl FnOnce(T) -> Reply<U>) -> Reply<U> {
        match self {
            Reply::Answer(answer) => follow(answer),
            Reply::Refused(why) => Reply::Refused(why),
            Reply::NotSent(why) => Reply::NotSent(why),
            Reply::Unknown(why) => Reply::Unknown(why),
        }
    }
}

/// The data of an order for the request of a payment.
#[derive(Clone, Debug)]
pub struct Charge<'c> {
    pub no: &'c str,
    pub subject: &'c str,
    pub cents: i64,
    /// Epoch milliseconds.
    pub expires_at: i64,
    /// The address for reports of the payment; none without a public address.
    pub notify_url: Option<&'c str>,
}

/// The data of a refund for its request.
#[derive(Clone, Debug)]
pub struct Repayment<'r> {
    pub order_no: &'r str,
    pub refund_no: &'r str,
    pub reason: &'r str,
    pub cents: i64,
    /// The paid amount of the order.
    pub paid_cents: i64,
    pub notify_url: Option<&'r str>,
}

/// The status of an order at its provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is not paid, and may still be.
    Unpaid,
    /// The provider does not know it: it was never requested, or its code was not scanned.
    Missing,
    /// It will not be paid any more.
    Closed,
    /// It could not be paid.
    Failed(String),
    Paid(Payment),
}

/// The status of a refund at its provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefundStanding {
    Processing,
    Done,
    /// It was not made. Why.
    Failed(String),
    /// It is stuck until people complete it at the provider. Why.
    Abnormal(String),
    /// The provider does not know it.
    Missing,
}

/// A refund in a provider's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundFound {
    /// The provider's number of it.
    pub no: Option<String>,
    /// Fen; none where the answer does not say.
    pub cents: Option<i64>,
    /// When the money was back with the payer, epoch milliseconds; none where the answer does not say.
    pub done_at: Option<i64>,
    pub standing: RefundStanding,
}

impl RefundFound {
    /// The result for a refund that the provider does not know.
    fn missing() -> RefundFound {
        RefundFound::without_number(RefundStanding::Missing)
    }

    /// A refund of which only the standing is known.
    pub fn without_number(standing: RefundStanding) -> RefundFound {
        RefundFound { no: None, cents: None, done_at: None, standing }
    }
}

/// A payment in a provider's answer or report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    pub order_no: String,
    /// The provider's number of it.
    pub channel_order_no: String,
    pub cents: i64,
    /// ISO 4217.
    pub currency: String,
    /// Epoch milliseconds.
    pub paid_at: i64,
    /// The payer, masked.
    pub payer_mask: String,
    /// Whether the provider has refunded some or all of it.
    #[serde(default)]
    pub is_refunded: bool,
}

/// A provider's report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    Paid(Payment),
    /// A refund, by our number and the provider's.
    Refund {
        order_no: String,
        refund_no: String,
        channel_refund_no: String,
        /// 0 where it is not given.
        cents: i64,
        standing: RefundStanding,
    },
    /// The total of all refunds of a payment, made by us or in the provider's portal.
    Repaid {
        order_no: String,
        /// The provider's number of the payment.
        channel_order_no: String,
        /// The number of the refund that caused the report, from Leadlane or from another system; none if it was made in the
        /// provider's portal.
        refund_no: Option<String>,
        /// Fen of all refunds of the payment.
        total_cents: i64,
    },
    /// Something that changes nothing here: a code that was scanned, an order that was closed.
    Other {
        order_no: String,
    },
}

impl Report {
    /// The number of the order that it is about.
    pub fn order_no(&self) -> &str {
        match self {
            Report::Paid(payment) => &payment.order_no,
            Report::Refund { order_no, .. } | Report::Repaid { order_no, .. } | Report::Other { order_no } => order_no,
        }
    }
}

/// A report with a right signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The provider's number of it.
    pub no: String,
    pub report: Report,
}

/// Why a report is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNotice {
    #[error("it is not one of this provider")]
    Foreign,
    #[error("the signature is wrong")]
    Signature,
    #[error("the time is more than five minutes off")]
    Time,
    #[error("it cannot be read")]
    Unreadable,
}

/// A provider under the keys of one payee channel.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Requests a code that the payer scans.
    async fn charge(&self, charge: &Charge<'_>) -> Reply<String>;
    /// Queries the status of an order.
    async fn standing(&self, order_no: &str) -> Reply<Standing>;
    /// Closes an order, so that it cannot be paid any more.
    async fn close(&self, order_no: &str) -> Reply<()>;
    /// Requests a refund; a second request with the same number is the same refund.
    async fn refund(&self, repayment: &Repayment<'_>) -> Reply<RefundFound>;
    /// Queries the status of a refund.
    async fn refund_standing(&self, order_no: &str, refund_no: &str) -> Reply<RefundFound>;
    /// Verifies and reads a report.
    fn notice(&self, headers: &HeaderMap, body: &[u8], now: i64) -> Result<Notice, BadNotice>;
}

/// Whether a report may be for a channel, by its unsigned fields. Keys are only parsed for such channels.
pub fn may_be_for(channel: &ChannelKeys, headers: &HeaderMap, body: &[u8]) -> bool {
    let of = |name: &str| channel.params.get(name).map(String::as_str).unwrap_or_default();
    match channel.provider {
        PayProvider::Wechat => headers.get("wechatpay-serial").is_some_and(|serial| {
            [of("platformSerial"), of("oldPlatformSerial")].iter().any(|known| serial.as_bytes() == known.as_bytes())
        }),
        PayProvider::Alipay => {
            let wanted = format!("app_id={}", of("appId"));
            body.split(|byte| *byte == b'&').any(|field| field == wanted.as_bytes())
        }
        PayProvider::Unionpay | PayProvider::Bank | PayProvider::LinkPool => false,
    }
}

/// The provider of a channel; none where people confirm payments, or where its parameters are incomplete.
pub fn of(channel: &ChannelKeys, caller: Caller, now: i64) -> Option<Box<dyn Provider>> {
    let ChannelKeys { params, mch_no, gateway_url, .. } = channel;
    match channel.provider {
        PayProvider::Wechat => Some(Box::new(wechat::Wechat::new(channel, caller, now)?)),
        PayProvider::Alipay => Some(Box::new(alipay::Alipay::new(params, mch_no, gateway_url, caller, now)?)),
        PayProvider::Unionpay | PayProvider::Bank | PayProvider::LinkPool => None,
    }
}

/// The provider of a channel with its fee; none before the channel's parameters were checked, or where [`of`] has none.
pub async fn of_channel(app: &App, channel_id: i64, now: i64) -> Result<Option<(ChannelFee, Box<dyn Provider>)>, ApiError> {
    let Some(keys) = store::keys_of(app.db.read(), &app.keys, channel_id).await? else { return Ok(None) };
    let fee = ChannelFee { id: keys.id, fee_bp: keys.fee_bp };
    Ok(of(&keys, Caller { private: app.config.private_calls }, now).map(|provider| (fee, provider)))
}

/// The result of a call without an answer.
fn no_answer<T>(fault: Fault) -> Reply<T> {
    match fault {
        Fault::NotPublic => Reply::NotSent("not_public".to_owned()),
        Fault::Unreachable => Reply::NotSent("unreachable".to_owned()),
        Fault::TooLate => Reply::Unknown("too_late".to_owned()),
        Fault::TooLarge => Reply::Unknown("too_large".to_owned()),
        Fault::Cut => Reply::Unknown("cut".to_owned()),
    }
}

/// Whether a text may be sent to a provider unchanged. Signed texts join fields by `&` and `=`: a text that contains
/// these could be read as fields of its own.
pub(crate) fn is_plain(text: &str) -> bool {
    !text.chars().any(|c| c == '&' || c == '=' || c.is_control())
}

/// A text in the form for a provider, of at most so many characters: `&` and `=` as their full-width forms, control
/// characters as blanks. For texts of older orders, and for texts with names.
fn plain(text: &str, most: usize) -> String {
    let fit = |c: char| match c {
        '&' => '＆',
        '=' => '＝',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(fit).take(most).collect()
}

/// Whether a text has the form of an order's or a payment's number, of this or another system or of the provider.
fn is_number(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-|*@".contains(&byte))
}

/// Fen of a payment, if an order can have as many.
fn payable(cents: i64) -> Option<i64> {
    (1..=MOST_CENTS).contains(&cents).then_some(cents)
}

/// A provider's text as it may be stored: without whole phone or account numbers, and shortened.
fn kept_words(words: &str) -> String {
    mask::beginning(words, LONGEST_WHY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_to_a_provider_cannot_be_read_as_fields_of_its_own() {
        for text in ["a&b", "a=b", "a\nb", "a\u{7f}"] {
            assert!(!is_plain(text) && is_plain(&plain(text, 100)), "{text:?}");
        }
        assert!(is_plain("账户充值 <1> + 2%"));
        assert_eq!(plain("x&out_trade_no=1\n", 16), "x＆out_trade_no＝1");
    }

    #[test]
    fn amounts_and_numbers_have_bounds() {
        assert_eq!([-1000, 0, 1, MOST_CENTS, MOST_CENTS + 1, i64::MAX].map(payable), [None, None, Some(1), Some(MOST_CENTS), None, None]);
        assert!(is_number("PO20260131ABCDEFGH") && is_number("4200|*@-_"));
        for text in ["", "9&total_amount=1", "../x", "a b", &"9".repeat(65)] {
            assert!(!is_number(text), "{text}");
        }
    }
}
