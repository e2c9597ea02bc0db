//! WeChat Pay, API v3: requests signed by the merchant's key (`WECHATPAY2-SHA256-RSA2048`), answers and notifications
//! verified by the platform's, the content of notifications under AES-256-GCM with the API v3 key.
//!
//! Orders are taken by Native payment: the payer scans a code.

mod messages;

use std::time::Duration;

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, KeyInit, Nonce, Payload};
use async_trait::async_trait;
use axum::http::{HeaderMap, Method, Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::messages::{Envelope, Refund, Refusal, Resource, Transaction, refund_reply, standing_of};
use super::key::{self, PrivateKey, PublicKey};
use super::{
    BadNotice, Charge, Notice, Payment, Provider, RefundFound, Repayment, Reply, Report, Standing, is_number, no_answer, payable, plain,
};
use crate::channel::ChannelKeys;
use base::clock::{self, MINUTE};
use base::form_limits;
use base::outside::Caller;
use base::{crypto, mask};

/// Its public address.
const PUBLIC: &str = "https://api.mch.weixin.qq.com";
/// The time limit of a call.
const WITHIN: Duration = Duration::from_secs(10);
/// How far the clock of a notification may be off.
const CLOCK: i64 = 5 * MINUTE;
/// Refusals that may be temporary.
const PASSING: [&str; 6] = ["NO_AUTH", "NOT_ENOUGH", "SIGN_ERROR", "FREQUENCY_LIMITED", "FREQUENCY_LIMIT_EXCEED", "SYSTEM_ERROR"];
/// Characters that a subject may have.
const LONGEST_SUBJECT: usize = 40;

form_limits! {
    /// Of a payee channel.
    payeeChannel {
        /// Bytes of the API v3 key.
        API_KEY: usize = 32,
        /// Characters of a parameter that is no key.
        PARAM: usize = 64,
    }
}

/// The characters that are not escaped in a path.
const IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-');

/// WeChat Pay under one merchant's keys.
pub struct Wechat {
    base: String,
    mch_no: String,
    app_id: String,
    serial: String,
    private: PrivateKey,
    api_key: String,
    /// The platform's keys by their serial numbers or key IDs, the current one first. While a merchant changes from one
    /// to the other, reports may be signed by either.
    platform: Vec<(String, PublicKey)>,
    caller: Caller,
    /// Epoch milliseconds.
    now: i64,
}

impl Wechat {
    /// Whether a parameter has the form that it needs.
    pub fn accepts(name: &str, value: &str) -> bool {
        let plain =
            |text: &str| !text.is_empty() && text.len() <= PARAM && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match name {
            "privateKey" => key::private(value).is_some(),
            "platformKey" | "oldPlatformKey" => key::public(value).is_some(),
            "apiV3Key" => value.len() == API_KEY && value.is_ascii(),
            _ => plain(value),
        }
    }

    /// Makes it from complete parameters; none if one is missing or invalid.
    pub fn new(channel: &ChannelKeys, caller: Caller, now: i64) -> Option<Wechat> {
        let ChannelKeys { params, mch_no, gateway_url, old_key_until, .. } = channel;
        let text = |name: &str| params.get(name).cloned();
        let mut platform = vec![(text("platformSerial")?, key::public(params.get("platformKey")?)?)];
        let is_over = old_key_until.as_ref().is_some_and(|last| *last < clock::day(now).to_string());
        if let (false, Some(serial), Some(old)) = (is_over, text("oldPlatformSerial"), params.get("oldPlatformKey")) {
            platform.push((serial, key::public(old)?));
        }
        Some(Wechat {
            base: if gateway_url.is_empty() { PUBLIC.to_owned() } else { gateway_url.trim_end_matches('/').to_owned() },
            mch_no: mch_no.to_owned(),
            app_id: text("appId")?,
            serial: text("serialNo")?,
            private: key::private(params.get("privateKey")?)?,
            api_key: text("apiV3Key").filter(|key| key.len() == API_KEY)?,
            platform,
            caller,
            now,
        })
    }

    /// The platform's key that some headers name.
    fn platform_key(&self, headers: &HeaderMap) -> Option<&PublicKey> {
        let named = headers.get("wechatpay-serial")?.as_bytes();
        self.platform.iter().find(|(serial, _)| serial.as_bytes() == named).map(|(_, key)| key)
    }

    /// The header that signs a request; `path` with its query.
    fn authorization(&self, method: &str, path: &str, body: &str, nonce: &str) -> String {
        let seconds = self.now / 1000;
        let signature = key::sign(&self.private, &format!("{method}\n{path}\n{seconds}\n{nonce}\n{body}\n"));
        let (mch_no, serial) = (&self.mch_no, &self.serial);
        format!(
            "WECHATPAY2-SHA256-RSA2048 mchid=\"{mch_no}\",nonce_str=\"{nonce}\",signature=\"{signature}\",timestamp=\"{seconds}\",serial_no=\"{serial}\""
        )
    }

    /// Whether the platform signed a body with these headers.
    fn is_signed(&self, headers: &HeaderMap, body: &[u8]) -> bool {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut signed = format!("{}\n{}\n", text("wechatpay-timestamp"), text("wechatpay-nonce")).into_bytes();
        signed.extend_from_slice(body);
        signed.push(b'\n');
        self.platform_key(headers).is_some_and(|key| key::verifies(key, &signed, text("wechatpay-signature")))
    }

    /// Makes a call, and reads the answer. An answer without a body is read as `null`.
    async fn call<T: DeserializeOwned>(&self, method: Method, path: &str, body: Option<&Value>) -> Reply<T> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = Request::builder()
            .method(method.clone())
            .uri(format!("{}{path}", self.base))
            .header(header::AUTHORIZATION, self.authorization(method.as_str(), path, &body, &crypto::random_text(32)))
            .header(header::ACCEPT, "application/json")
            // The key that the answer is to be signed by.
            .header("Wechatpay-Serial", &self.platform[0].0)
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .body(body);
        let Ok(request) = request else { return Reply::NotSent("bad_address".to_owned()) };
        let answer = match self.caller.send(request, WITHIN).await {
            Ok(answer) => answer,
            Err(fault) => return no_answer(fault),
        };
        let (head, body) = answer.into_parts();
        let status = head.status.as_u16();
        match status {
            200..300 if !self.is_signed(&head.headers, &body) => Reply::Unknown("unsigned_answer".to_owned()),
            200..300 => {
                let text: &[u8] = if body.is_empty() { b"null" } else { &body };
                serde_json::from_slice(text).map_or_else(|_| Reply::Unknown("unreadable".to_owned()), Reply::Answer)
            }
            // A proxy may have answered instead: such an answer is no refusal by the provider.
            400..500 => match serde_json::from_slice::<Refusal>(&body) {
                Err(_) => Reply::Unknown(format!("http_{status}")),
                // The problem is not the order but a key, a permission, the merchant's balance, or too many calls.
                Ok(said) if status == 401 || status == 429 || PASSING.contains(&said.code.as_str()) => Reply::NotSent(said.words(status)),
                Ok(_) if !self.is_signed(&head.headers, &body) => Reply::Unknown("unsigned_answer".to_owned()),
                Ok(said) => Reply::Refused(said.words(status)),
            },
            _ => Reply::Unknown(format!("http_{status}")),
        }
    }

    /// The decrypted content of a notification.
    fn opened(&self, resource: &Resource) -> Option<Vec<u8>> {
        if resource.algorithm != "AEAD_AES_256_GCM" {
            return None;
        }
        let nonce = Nonce::<Aes256Gcm>::try_from(resource.nonce.as_bytes()).ok()?;
        let sealed = BASE64.decode(&resource.ciphertext).ok()?;
        let payload = Payload { msg: &sealed, aad: resource.associated_data.as_bytes() };
        Aes256Gcm::new_from_slice(self.api_key.as_bytes()).ok()?.decrypt(&nonce, payload).ok()
    }

    fn payment(&self, transaction: Transaction) -> Option<Payment> {
        let amount = transaction.amount?;
        let openid = transaction.payer.map(|payer| payer.openid).unwrap_or_default();
        Some(Payment {
            order_no: Some(transaction.out_trade_no).filter(|no| is_number(no))?,
            channel_order_no: Some(transaction.transaction_id).filter(|no| is_number(no))?,
            cents: payable(amount.total)?,
            currency: amount.currency.unwrap_or_else(|| "CNY".to_owned()),
            paid_at: clock::moment(&transaction.success_time).unwrap_or(self.now),
            payer_mask: mask::device(&openid),
            is_refunded: transaction.trade_state == "REFUND",
        })
    }
}

#[async_trait]
impl Provider for Wechat {
    async fn charge(&self, charge: &Charge<'_>) -> Reply<String> {
        #[derive(Deserialize)]
        struct Code {
            code_url: String,
        }
        let mut body = json!({
            "appid": self.app_id, "mchid": self.mch_no, "out_trade_no": charge.no,
            "description": plain(charge.subject, LONGEST_SUBJECT),
            "time_expire": rfc3339(charge.expires_at), "amount": { "total": charge.cents, "currency": "CNY" },
        });
        // The field is required. Without a public address no report arrives, and the order is only queried.
        body["notify_url"] = Value::from(charge.notify_url.unwrap_or("https://localhost/"));
        self.call::<Code>(Method::POST, "/v3/pay/transactions/native", Some(&body)).await.then(|code| Reply::Answer(code.code_url))
    }

    async fn standing(&self, order_no: &str) -> Reply<Standing> {
        let path = format!("/v3/pay/transactions/out-trade-no/{}?mchid={}", in_path(order_no), self.mch_no);
        match self.call::<Transaction>(Method::GET, &path, None).await {
            Reply::Refused(why) if why.contains("ORDER_NOT_EXIST") => Reply::Answer(Standing::Missing),
            reply => reply.then(|found| match found.trade_state.as_str() {
                _ if found.out_trade_no != order_no => Reply::Unknown("another_order".to_owned()),
                "SUCCESS" | "REFUND" => {
                    self.payment(found).map_or_else(|| Reply::Unknown("unreadable".to_owned()), |paid| Reply::Answer(Standing::Paid(paid)))
                }
                "NOTPAY" | "USERPAYING" | "ACCEPT" => Reply::Answer(Standing::Unpaid),
                "CLOSED" | "REVOKED" => Reply::Answer(Standing::Closed),
                "PAYERROR" => Reply::Answer(Standing::Failed(super::kept_words(&found.trade_state_desc))),
                _ => Reply::Unknown("unknown_state".to_owned()),
            }),
        }
    }

    async fn close(&self, order_no: &str) -> Reply<()> {
        let path = format!("/v3/pay/transactions/out-trade-no/{}/close", in_path(order_no));
        match self.call::<()>(Method::POST, &path, Some(&json!({ "mchid": self.mch_no }))).await {
            Reply::Refused(why) if why.contains("ORDER_NOT_EXIST") || why.contains("ORDER_CLOSED") => Reply::Answer(()),
            reply => reply,
        }
    }

    async fn refund(&self, repayment: &Repayment<'_>) -> Reply<RefundFound> {
        let mut body = json!({
            "out_trade_no": repayment.order_no, "out_refund_no": repayment.refund_no,
            "reason": plain(repayment.reason, LONGEST_SUBJECT),
            "amount": { "refund": repayment.cents, "total": repayment.paid_cents, "currency": "CNY" },
        });
        if let Some(url) = repayment.notify_url {
            body["notify_url"] = Value::from(url);
        }
        refund_reply(self.call::<Refund>(Method::POST, "/v3/refund/domestic/refunds", Some(&body)).await)
    }

    async fn refund_standing(&self, _: &str, refund_no: &str) -> Reply<RefundFound> {
        match self.call::<Refund>(Method::GET, &format!("/v3/refund/domestic/refunds/{}", in_path(refund_no)), None).await {
            Reply::Refused(why) if why.contains("RESOURCE_NOT_EXISTS") => Reply::Answer(RefundFound::missing()),
            Reply::Answer(refund) if refund.out_refund_no != refund_no => Reply::Unknown("another_refund".to_owned()),
            reply => refund_reply(reply),
        }
    }

    fn notice(&self, headers: &HeaderMap, body: &[u8], now: i64) -> Result<Notice, BadNotice> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if self.platform_key(headers).is_none() {
            return Err(BadNotice::Foreign);
        }
        if !self.is_signed(headers, body) {
            return Err(BadNotice::Signature);
        }
        let at = text("wechatpay-timestamp").parse::<i64>().ok().and_then(|seconds| seconds.checked_mul(1000));
        if at.and_then(|at| at.checked_sub(now)).and_then(i64::checked_abs).is_none_or(|off| off > CLOCK) {
            return Err(BadNotice::Time);
        }
        let Envelope { id, event_type, resource } = serde_json::from_slice(body).map_err(|_| BadNotice::Unreadable)?;
        // It was signed by the platform, but encrypted for another merchant.
        let content = self.opened(&resource).ok_or(BadNotice::Foreign)?;
        let report = match event_type.as_str() {
            "TRANSACTION.SUCCESS" => {
                let transaction: Transaction = serde_json::from_slice(&content).map_err(|_| BadNotice::Unreadable)?;
                if transaction.mchid != self.mch_no {
                    return Err(BadNotice::Foreign);
                }
                match transaction.trade_state.as_str() {
                    "SUCCESS" => Report::Paid(self.payment(transaction).ok_or(BadNotice::Unreadable)?),
                    _ => Report::Other { order_no: transaction.out_trade_no },
                }
            }
            event if event.starts_with("REFUND.") => {
                let refund: Refund = serde_json::from_slice(&content).map_err(|_| BadNotice::Unreadable)?;
                if refund.mchid != self.mch_no {
                    return Err(BadNotice::Foreign);
                }
                let standing = standing_of(&refund.status);
                let Refund { out_trade_no, out_refund_no, refund_id, amount, .. } = refund;
                let cents = amount.map_or(0, |amount| amount.refund);
                if !is_number(&out_trade_no) || !is_number(&out_refund_no) || payable(cents).is_none() {
                    return Err(BadNotice::Unreadable);
                }
                Report::Refund { order_no: out_trade_no, refund_no: out_refund_no, channel_refund_no: refund_id, cents, standing }
            }
            _ => {
                let value: Value = serde_json::from_slice(&content).map_err(|_| BadNotice::Unreadable)?;
                Report::Other { order_no: value["out_trade_no"].as_str().unwrap_or_default().to_owned() }
            }
        };
        Ok(Notice { no: id, report })
    }
}

/// A number as it stands in a path.
fn in_path(number: &str) -> impl std::fmt::Display {
    utf8_percent_encode(number, IN_PATHS)
}

/// A moment as its documents write it: `2026-01-31T12:00:00+08:00`.
fn rfc3339(at: i64) -> String {
    format!("{}+08:00", clock::date_time(at).replace(' ', "T"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rsa::RsaPrivateKey;
    use rsa::pkcs8::{EncodePrivateKey, EncodePublicKey, LineEnding};

    use super::*;
    use crate::channel::PayProvider;

    /// A merchant and its platform under one key that is made for the test.
    fn merchant() -> (Wechat, PublicKey) {
        let made = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048).unwrap();
        let params = BTreeMap::from([
            ("appId".to_owned(), "wx1".to_owned()),
            ("serialNo".to_owned(), "S1".to_owned()),
            ("privateKey".to_owned(), made.to_pkcs8_pem(LineEnding::LF).unwrap().to_string()),
            ("apiV3Key".to_owned(), "0123456789abcdef0123456789abcdef".to_owned()),
            ("platformSerial".to_owned(), "P1".to_owned()),
            ("platformKey".to_owned(), made.to_public_key().to_public_key_pem(LineEnding::LF).unwrap()),
        ]);
        let public = key::public(&params["platformKey"]).unwrap();
        let channel = ChannelKeys {
            id: 1,
            provider: PayProvider::Wechat,
            mch_no: "1900009191".to_owned(),
            gateway_url: String::new(),
            fee_bp: 0,
            params,
            old_key_until: None,
        };
        (Wechat::new(&channel, Caller { private: false }, 1_554_208_460_000).unwrap(), public)
    }

    /// The five lines that its documents say are signed of a request ("Constructing the signature string").
    #[test]
    fn a_request_is_signed_as_its_documents_say() {
        let (wechat, made) = merchant();
        let nonce = "593BEC0C930BF1AFEB40B4A08C8FB242";
        let header = wechat.authorization("GET", "/v3/certificates?a=1", "", nonce);
        assert!(
            header
                .starts_with("WECHATPAY2-SHA256-RSA2048 mchid=\"1900009191\",nonce_str=\"593BEC0C930BF1AFEB40B4A08C8FB242\",signature=\"")
        );
        assert!(header.ends_with("\",timestamp=\"1554208460\",serial_no=\"S1\""), "{header}");
        let signature = header.split("signature=\"").nth(1).unwrap().split('"').next().unwrap();
        let text = b"GET\n/v3/certificates?a=1\n1554208460\n593BEC0C930BF1AFEB40B4A08C8FB242\n\n";
        assert!(key::verifies(&made, text, signature));
    }

    #[test]
    fn content_opens_under_the_api_key_and_its_associated_data_alone() {
        let (wechat, _) = merchant();
        let cipher = Aes256Gcm::new_from_slice(b"0123456789abcdef0123456789abcdef").unwrap();
        let nonce = Nonce::<Aes256Gcm>::try_from(b"fdasflkja484".as_slice()).unwrap();
        let sealed = cipher.encrypt(&nonce, Payload { msg: b"{}", aad: b"transaction" }).unwrap();
        let resource = |algorithm: &str, data: &str| Resource {
            algorithm: algorithm.to_owned(),
            ciphertext: BASE64.encode(&sealed),
            associated_data: data.to_owned(),
            nonce: "fdasflkja484".to_owned(),
        };
        assert_eq!(wechat.opened(&resource("AEAD_AES_256_GCM", "transaction")), Some(b"{}".to_vec()));
        assert_eq!(wechat.opened(&resource("AEAD_AES_256_GCM", "refund")), None);
        assert_eq!(wechat.opened(&resource("AES", "transaction")), None);
    }

    /// Providers' gateways write what they do not have as `null`.
    #[test]
    fn null_fields_are_absent() {
        let transaction = r#"{"mchid":null,"out_trade_no":"A","transaction_id":null,"trade_state":"NOTPAY","trade_state_desc":null,
            "success_time":null,"amount":null,"payer":null}"#;
        assert_eq!(serde_json::from_str::<Transaction>(transaction).unwrap().transaction_id, "");
        let paid = r#"{"out_trade_no":"A","transaction_id":"1","trade_state":"SUCCESS","amount":{"total":1,"currency":null},"payer":{"openid":null}}"#;
        let payment = merchant().0.payment(serde_json::from_str(paid).unwrap()).unwrap();
        assert_eq!((payment.currency.as_str(), payment.cents), ("CNY", 1));
        let refund = r#"{"amount":{"refund":null},"mchid":null,"out_trade_no":null,"out_refund_no":null,"refund_id":null,"success_time":null,"status":"CLOSED"}"#;
        assert_eq!(serde_json::from_str::<Refund>(refund).unwrap().amount.unwrap().refund, 0);
        let envelope = r#"{"id":"1","event_type":"X","resource":{"algorithm":"A","ciphertext":"","associated_data":null,"nonce":""}}"#;
        assert_eq!(serde_json::from_str::<Envelope>(envelope).unwrap().resource.associated_data, "");
    }

    #[test]
    fn a_refund_has_the_time_of_its_provider() {
        let done_at = |refund: &str| match refund_reply(Reply::Answer(serde_json::from_str(refund).unwrap())) {
            Reply::Answer(found) => found.done_at,
            other => panic!("{other:?}"),
        };
        let refund = r#"{"refund_id":"5","out_refund_no":"R","status":"SUCCESS","success_time":"2019-04-02T20:34:20+08:00"}"#;
        assert_eq!(done_at(refund), Some(1_554_208_460_000));
        assert_eq!(done_at(r#"{"refund_id":"5","out_refund_no":"R","status":"PROCESSING"}"#), None);
    }

    #[test]
    fn moments_are_written_with_their_zone() {
        assert_eq!(rfc3339(1_554_208_460_000), "2019-04-02T20:34:20+08:00");
    }

    #[test]
    fn parameters_have_their_forms() {
        for (name, value) in [("appId", "wx 1"), ("appId", ""), ("apiV3Key", "short"), ("privateKey", "x"), ("platformKey", "x")] {
            assert!(!Wechat::accepts(name, value), "{name}");
        }
        assert!(Wechat::accepts("platformSerial", "PUB_KEY_ID_0119000091912024"));
    }
}
