//! Alipay's open platform: calls of one gateway, signed by RSA2 over their sorted parameters, answers verified over the
//! text of their content, notifications over their sorted fields.
//!
//! Orders are taken by `alipay.trade.precreate`: the payer scans a code.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use axum::http::{HeaderMap, Method, Request, header};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::key::{self, PrivateKey, PublicKey};
use super::{
    BadNotice, Charge, Notice, Payment, Provider, RefundFound, RefundStanding, Repayment, Reply, Report, Standing, is_number, no_answer,
    payable, plain,
};
use base::clock;
use base::mask;
use base::outside::Caller;
use frame::api::input::null_is_default;
use frame::import::cell;

/// Its public address.
const PUBLIC: &str = "https://openapi.alipay.com/gateway.do";
/// The time limit of a call.
const WITHIN: Duration = Duration::from_secs(10);
/// Characters of a report's number.
const LONGEST_NOTICE_NO: usize = 128;
/// Characters that a subject may have.
const LONGEST_SUBJECT: usize = 100;

/// Characters that a reason of a refund may have.
const LONGEST_REASON: usize = 256;

/// Fields of a report without `&`, `=` or control characters, so that the signed text can be split in one way only.
/// Others are free texts, JSON, or not known here.
const KNOWN: [&str; 27] = [
    "app_id",
    "auth_app_id",
    "buyer_id",
    "buyer_open_id",
    "buyer_pay_amount",
    "charset",
    "gmt_close",
    "gmt_create",
    "gmt_payment",
    "gmt_refund",
    "invoice_amount",
    "notify_id",
    "notify_time",
    "notify_type",
    "out_biz_no",
    "out_trade_no",
    "point_amount",
    "receipt_amount",
    "refund_fee",
    "seller_email",
    "seller_id",
    "send_back_fee",
    "sign_type",
    "total_amount",
    "trade_no",
    "trade_status",
    "version",
];

/// Alipay under one application's keys.
pub struct Alipay {
    gateway: String,
    app_id: String,
    /// The seller's number; reports of another seller are not taken.
    seller_id: String,
    private: PrivateKey,
    public: PublicKey,
    caller: Caller,
    /// Epoch milliseconds.
    now: i64,
}

/// The common beginning of every answer.
#[derive(Deserialize)]
struct Content {
    code: String,
    #[serde(default, deserialize_with = "null_is_default")]
    sub_code: String,
    #[serde(default, deserialize_with = "null_is_default")]
    sub_msg: String,
    #[serde(flatten)]
    rest: Value,
}

impl Alipay {
    /// Whether a parameter has the form that it needs.
    pub fn accepts(name: &str, value: &str) -> bool {
        match name {
            "privateKey" => key::private(value).is_some(),
            "alipayPublicKey" => key::public(value).is_some(),
            _ => (1..=32).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit()),
        }
    }

    /// Makes it from complete parameters; none if one is missing or invalid.
    pub fn new(params: &BTreeMap<String, String>, seller_id: &str, gateway_url: &str, caller: Caller, now: i64) -> Option<Alipay> {
        Some(Alipay {
            gateway: if gateway_url.is_empty() { PUBLIC.to_owned() } else { gateway_url.to_owned() },
            app_id: params.get("appId")?.clone(),
            seller_id: seller_id.to_owned(),
            private: key::private(params.get("privateKey")?)?,
            public: key::public(params.get("alipayPublicKey")?)?,
            caller,
            now,
        })
    }

    /// The body of a call.
    fn request(&self, method: &str, content: &Value, notify_url: Option<&str>) -> String {
        let mut fields = BTreeMap::from([
            ("app_id", self.app_id.clone()),
            ("biz_content", content.to_string()),
            ("charset", "utf-8".to_owned()),
            ("format", "JSON".to_owned()),
            ("method", method.to_owned()),
            ("sign_type", "RSA2".to_owned()),
            ("timestamp", clock::date_time(self.now)),
            ("version", "1.0".to_owned()),
        ]);
        if let Some(url) = notify_url {
            fields.insert("notify_url", url.to_owned());
        }
        let sign = key::sign(&self.private, &signed_text(fields.iter().map(|(name, value)| (*name, value.as_str()))));
        fields.insert("sign", sign);
        serde_urlencoded::to_string(&fields).expect("texts encode")
    }

    /// Calls a method, and reads the content of its answer.
    async fn call(&self, method: &str, content: &Value, notify_url: Option<&str>) -> Reply<Content> {
        let request = Request::builder()
            .method(Method::POST)
            .uri(&self.gateway)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded; charset=utf-8")
            .header(header::ACCEPT, "application/json")
            .body(self.request(method, content, notify_url));
        let Ok(request) = request else { return Reply::NotSent("bad_address".to_owned()) };
        let answer = match self.caller.send(request, WITHIN).await {
            Ok(answer) => answer,
            Err(fault) => return no_answer(fault),
        };
        match answer.status().as_u16() {
            200 => {}
            status @ (401 | 403 | 404 | 405 | 429) => return Reply::NotSent(format!("http_{status}")),
            status => return Reply::Unknown(format!("http_{status}")),
        }
        let Ok(parts) = serde_json::from_slice::<BTreeMap<String, &RawValue>>(answer.body()) else {
            return Reply::Unknown("unreadable".to_owned());
        };
        let name = format!("{}_response", method.replace('.', "_"));
        let sign = parts.get("sign").and_then(|sign| serde_json::from_str::<String>(sign.get()).ok()).unwrap_or_default();
        let Some(raw) = parts.get(name.as_str()).or_else(|| parts.get("error_response")) else {
            return Reply::Unknown("unreadable".to_owned());
        };
        let Ok(content) = serde_json::from_str::<Content>(raw.get()) else { return Reply::Unknown("unreadable".to_owned()) };
        let why = super::kept_words(&format!("{} {} {}", content.code, content.sub_code, content.sub_msg));
        match content.code.as_str() {
            // Errors of the connection, such as a wrong key or a missing permission. Alipay may be unable to sign these
            // answers.
            "20001" | "40001" | "40002" | "40003" | "40006" => Reply::NotSent(why),
            _ if !key::verifies(&self.public, raw.get().as_bytes(), &sign) => Reply::Unknown("unsigned_answer".to_owned()),
            "10000" => Reply::Answer(content),
            "40004" if content.sub_code.ends_with("SYSTEM_ERROR") => Reply::Unknown(why),
            "40004" => Reply::Refused(why),
            _ => Reply::Unknown(why),
        }
    }

    /// A payment of an answer or a notification, which name its fields alike.
    fn payment(&self, text: impl Fn(&str) -> String) -> Option<Payment> {
        Some(Payment {
            order_no: text("out_trade_no"),
            channel_order_no: Some(text("trade_no")).filter(|no| is_number(no))?,
            cents: fen(&text("total_amount"))?,
            currency: "CNY".to_owned(),
            paid_at: ["gmt_payment", "send_pay_date"].iter().find_map(|name| moment(&text(name))).unwrap_or(self.now),
            payer_mask: mask::beginning(&text("buyer_logon_id"), 64),
            is_refunded: false,
        })
    }
}

#[async_trait]
impl Provider for Alipay {
    async fn charge(&self, charge: &Charge<'_>) -> Reply<String> {
        let content = json!({
            "out_trade_no": charge.no, "total_amount": yuan(charge.cents),
            "subject": plain(charge.subject, LONGEST_SUBJECT), "time_expire": clock::date_time(charge.expires_at),
        });
        self.call("alipay.trade.precreate", &content, charge.notify_url).await.then(|content| match content.rest["qr_code"].as_str() {
            Some(code) => Reply::Answer(code.to_owned()),
            None => Reply::Unknown("unreadable".to_owned()),
        })
    }

    async fn standing(&self, order_no: &str) -> Reply<Standing> {
        match self.call("alipay.trade.query", &json!({ "out_trade_no": order_no }), None).await {
            Reply::Refused(why) if why.contains("TRADE_NOT_EXIST") => Reply::Answer(Standing::Missing),
            reply => reply.then(|Content { rest, .. }| {
                let text = |name: &str| rest[name].as_str().unwrap_or_default().to_owned();
                match text("trade_status").as_str() {
                    _ if text("out_trade_no") != order_no => Reply::Unknown("another_order".to_owned()),
                    "TRADE_SUCCESS" | "TRADE_FINISHED" => match self.payment(text) {
                        Some(payment) => Reply::Answer(Standing::Paid(payment)),
                        None => Reply::Unknown("unreadable".to_owned()),
                    },
                    "WAIT_BUYER_PAY" => Reply::Answer(Standing::Unpaid),
                    "TRADE_CLOSED" => Reply::Answer(Standing::Closed),
                    _ => Reply::Unknown("unknown_state".to_owned()),
                }
            }),
        }
    }

    async fn close(&self, order_no: &str) -> Reply<()> {
        match self.call("alipay.trade.close", &json!({ "out_trade_no": order_no }), None).await {
            Reply::Refused(why) if why.contains("TRADE_NOT_EXIST") || why.contains("TRADE_HAS_CLOSE") => Reply::Answer(()),
            reply => reply.then(|_| Reply::Answer(())),
        }
    }

    async fn refund(&self, repayment: &Repayment<'_>) -> Reply<RefundFound> {
        let content = json!({
            "out_trade_no": repayment.order_no, "out_request_no": repayment.refund_no, "refund_amount": yuan(repayment.cents),
            "refund_reason": plain(repayment.reason, LONGEST_REASON),
        });
        self.call("alipay.trade.refund", &content, None).await.then(|content| {
            // The number of the payment, because refunds have no number of their own.
            let no = content.rest["trade_no"].as_str().map(str::to_owned);
            // `N` says that this call moved nothing: an earlier one did, or the money is still on its way.
            let standing = if content.rest["fund_change"] == "Y" { RefundStanding::Done } else { RefundStanding::Processing };
            Reply::Answer(RefundFound { no, cents: None, done_at: refunded_at(&content.rest), standing })
        })
    }

    async fn refund_standing(&self, order_no: &str, refund_no: &str) -> Reply<RefundFound> {
        // The answer contains the time of a refund only if it is requested.
        let content = json!({ "out_trade_no": order_no, "out_request_no": refund_no, "query_options": ["gmt_refund_pay"] });
        match self.call("alipay.trade.fastpay.refund.query", &content, None).await {
            Reply::Refused(why) if why.contains("TRADE_NOT_EXIST") => Reply::Answer(RefundFound::missing()),
            reply => reply.then(|Content { rest, .. }| {
                let no = rest["trade_no"].as_str().map(str::to_owned);
                // An answer without a status means that there is no refund with this number.
                let standing = match rest["refund_status"].as_str() {
                    Some("REFUND_SUCCESS") => RefundStanding::Done,
                    Some(_) => RefundStanding::Processing,
                    None => RefundStanding::Missing,
                };
                let cents = rest["refund_amount"].as_str().and_then(fen);
                Reply::Answer(RefundFound { no, cents, done_at: refunded_at(&rest), standing })
            }),
        }
    }

    fn notice(&self, _: &HeaderMap, body: &[u8], _: i64) -> Result<Notice, BadNotice> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(body).map_err(|_| BadNotice::Foreign)?;
        let sent = pairs.len();
        let fields: BTreeMap<String, String> = pairs.into_iter().collect();
        let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
        if text("app_id") != self.app_id {
            return Err(BadNotice::Foreign);
        }
        let signed = fields.iter().filter(|(name, _)| name.as_str() != "sign_type").map(|(name, value)| (name.as_str(), value.as_str()));
        if text("sign_type") != "RSA2" || !key::verifies(&self.public, signed_text(signed).as_bytes(), &text("sign")) {
            return Err(BadNotice::Signature);
        }
        if text("seller_id") != self.seller_id {
            return Err(BadNotice::Foreign);
        }
        let (no, order_no) = (text("notify_id"), text("out_trade_no"));
        let is_split_anew = fields.len() != sent
            || fields.keys().any(|name| !is_name(name))
            || fields.iter().any(|(name, value)| KNOWN.contains(&name.as_str()) && !super::is_plain(value));
        if is_split_anew || no.is_empty() || no.len() > LONGEST_NOTICE_NO || !is_number(&order_no) {
            return Err(BadNotice::Unreadable);
        }
        let given = |name: &str| Some(text(name)).filter(|value| !value.is_empty());
        let report = match text("trade_status").as_str() {
            // A refund is reported as a change of the trade, with the sum of all refunds of the payment.
            "TRADE_SUCCESS" | "TRADE_CLOSED" | "TRADE_FINISHED" if given("refund_fee").is_some_and(|fee| cell::cents(&fee) != Some(0)) => {
                let refund_no = given("out_biz_no");
                if refund_no.as_deref().is_some_and(|no| !is_number(no)) {
                    return Err(BadNotice::Unreadable);
                }
                Report::Repaid {
                    order_no,
                    channel_order_no: given("trade_no").filter(|no| is_number(no)).ok_or(BadNotice::Unreadable)?,
                    refund_no,
                    total_cents: fen(&text("refund_fee")).ok_or(BadNotice::Unreadable)?,
                }
            }
            "TRADE_SUCCESS" | "TRADE_FINISHED" => Report::Paid(self.payment(text).ok_or(BadNotice::Unreadable)?),
            _ => Report::Other { order_no },
        };
        Ok(Notice { no, report })
    }
}

/// Whether a text is the name of a field.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Reads an amount such as `88.88` as fen; none if no order can have it.
fn fen(text: &str) -> Option<i64> {
    let is_amount = text.len() <= 12 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    cell::cents(text).filter(|_| is_amount).and_then(payable)
}

/// The signed text of some fields in the order of their names: `a=1&b=2`, without the signature and empty fields.
pub fn signed_text<'f>(fields: impl Iterator<Item = (&'f str, &'f str)>) -> String {
    let signed = fields.filter(|(name, value)| *name != "sign" && !value.is_empty()).map(|(name, value)| format!("{name}={value}"));
    signed.collect::<Vec<_>>().join("&")
}

/// When a refund was made, where an answer has it.
fn refunded_at(answer: &Value) -> Option<i64> {
    answer["gmt_refund_pay"].as_str().and_then(moment)
}

/// `2026-01-31 12:00:00`, on Shanghai's clock.
fn moment(text: &str) -> Option<i64> {
    clock::moment(&text.replace(' ', "T"))
}

/// `88.88`
pub fn yuan(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Sorted by their names, joined by `&`, without `sign` and without empty values" is how its documents say what is signed.
    #[test]
    fn sorted_fields_are_signed_without_the_signature_and_what_is_empty() {
        let fields =
            BTreeMap::from([("version", "1.0"), ("app_id", "2014072300007148"), ("sign", "x"), ("notify_url", ""), ("charset", "GBK")]);
        assert_eq!(signed_text(fields.into_iter()), "app_id=2014072300007148&charset=GBK&version=1.0");
    }

    #[test]
    fn amounts_are_in_yuan_with_two_decimals() {
        assert_eq!((yuan(8_888), yuan(7), yuan(100)), ("88.88".to_owned(), "0.07".to_owned(), "1.00".to_owned()));
        assert_eq!((cell::cents("88.88"), cell::cents("88.888"), cell::cents("-1.00")), (Some(8_888), None, None));
    }

    #[test]
    fn moments_are_shanghais() {
        assert_eq!(moment("2019-04-02 20:34:20"), Some(1_554_208_460_000));
        assert_eq!(moment("soon"), None);
    }
}
