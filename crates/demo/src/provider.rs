//! A provider of payments to try things out with: it speaks WeChat Pay's and Alipay's protocols over HTTP under the demo's keys,
//! checks what it is sent as they do, and reports payments as they do. It runs in a process of its own
//! (`leadlane demo-provider`), also in tests.
//!
//! A scanned code opens `/scan/{no}`, where the payer pays or lets it fail. `POST /control` sets its faults.

mod alipay;
mod books;
mod control;
mod wechat;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use self::books::{Books, Misbehaviour};
use base::{clock, crypto};
use pay::provider::key::{self, PrivateKey, PublicKey};

/// The merchant's keys and the provider's, for demos and tests alone.
pub const MERCHANT_KEY: &str = include_str!("keys/merchant.pem");
pub const PROVIDER_PUBLIC_KEY: &str = include_str!("keys/provider.pub.pem");
const MERCHANT_PUBLIC_KEY: &str = include_str!("keys/merchant.pub.pem");
const PROVIDER_KEY: &str = include_str!("keys/provider.pem");
/// The demo's numbers at WeChat Pay and Alipay.
pub const MCH_NO: &str = "1900000001";
pub const SELLER_ID: &str = "2088000000000001";
pub const APP_ID: &str = "2021000000000001";
pub const WECHAT_APP_ID: &str = "wx0000000000000001";
pub const API_V3_KEY: &str = "demo-api-v3-key-0123456789abcdef";
/// The serial number of its certificate at WeChat Pay, and the ID of its public key: one key under two names.
pub const SERIAL: &str = "DEMOPLATFORM01";
pub const PUB_KEY_ID: &str = "PUB_KEY_ID_0119000000012026";
/// How long a call hangs where faults ask for it.
const HANGS: Duration = Duration::from_secs(60);
/// How long it waits for the answer to a report.
const WITHIN: Duration = Duration::from_secs(10);

struct Provider {
    books: Mutex<Books>,
    address: String,
    private: PrivateKey,
    merchant: PublicKey,
}

/// The provider at an address such as `http://127.0.0.1:7998`, by which its codes lead back to it.
pub fn router(address: &str) -> Router {
    let provider = Arc::new(Provider {
        books: Mutex::default(),
        address: address.to_owned(),
        private: key::private(PROVIDER_KEY).expect("the demo's key is one"),
        merchant: key::public(MERCHANT_PUBLIC_KEY).expect("the demo's key is one"),
    });
    Router::new()
        .route("/gateway.do", post(alipay::alipay))
        .route("/scan/{no}", get(control::scan).post(control::pay))
        .route("/control", post(control::control).get(control::calls))
        .route("/control/pay", post(control::pay_by_number))
        .route("/control/refund", post(control::refund_by_number))
        .fallback(wechat::wechat)
        .with_state(provider)
}

impl Provider {
    fn books(&self) -> std::sync::MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call, and returns the faults to play.
    fn called(&self) -> Misbehaviour {
        let mut books = self.books();
        books.calls += 1;
        books.misbehaviour.clone()
    }

    fn code_url(&self, no: &str) -> String {
        format!("{}/scan/{no}", self.address)
    }

    /// An answer or a report of WeChat Pay, signed under the name of its key that was asked for.
    fn signed(&self, serial: &'static str, status: StatusCode, body: &str, wrong: bool) -> Response {
        let (seconds, nonce) = (now() / 1000, crypto::random_text(32));
        let text = format!("{seconds}\n{nonce}\n{}\n", if wrong { "other" } else { body });
        let headers = [
            ("wechatpay-serial", serial.to_owned()),
            ("wechatpay-timestamp", seconds.to_string()),
            ("wechatpay-nonce", nonce),
            ("wechatpay-signature", key::sign(&self.private, &text)),
            ("content-type", "application/json".to_owned()),
        ];
        let mut response = (status, body.to_owned()).into_response();
        for (name, value) in headers {
            response.headers_mut().insert(name, value.parse().expect("a plain text"));
        }
        response
    }

    /// Whether the merchant has signed a request.
    fn is_merchants(&self, method: &Method, path: &str, headers: &HeaderMap, body: &str) -> bool {
        let said = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let field = |name: &str| {
            let (_, rest) = said.split_once(&format!("{name}=\""))?;
            rest.split_once('"').map(|(value, _)| value.to_owned())
        };
        let (Some(seconds), Some(nonce), Some(signature)) = (field("timestamp"), field("nonce_str"), field("signature")) else {
            return false;
        };
        let text = format!("{method}\n{path}\n{seconds}\n{nonce}\n{body}\n");
        field("mchid").as_deref() == Some(MCH_NO) && key::verifies(&self.merchant, text.as_bytes(), &signature)
    }
}

fn now() -> i64 {
    clock::Clock::default().now()
}

async fn misbehave(bad: &Misbehaviour) -> Option<Response> {
    if bad.hang {
        tokio::time::sleep(HANGS).await;
    }
    (bad.fail || bad.hang).then(|| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}
