//! Signed calls of partners.

use hmac::{Hmac, Mac};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::channel::{form, with};
use crate::{Actor, Answer, TestApp};

/// A browser that does not look like a robot.
pub const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5";

/// A channel and its secret.
pub struct Partner {
    pub id: i64,
    pub app_key: String,
    pub secret: String,
}

/// Makes a channel that is paid a yuan for a visitor, in live mode.
pub async fn partner(app: &TestApp, code: &str, changes: Value) -> Partner {
    let base = json!({"settleMode": "uv", "unitPriceCents": 100, "ipAllow": [], "callbackUrl": null});
    let made = app.sign_in("operator").await.post("/channel", with(with(form(code), base), changes)).await.ok();
    app.execute("UPDATE channel SET mode = 'live'").await;
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    Partner { id: made["id"].as_i64().unwrap(), app_key: text("appKey"), secret: text("appSecret") }
}

/// A signed call, before it is made.
pub struct Call {
    pub path: &'static str,
    pub app_id: String,
    pub secret: String,
    pub timestamp: i64,
    pub nonce: String,
    pub body: String,
}

impl Call {
    pub fn of(app: &TestApp, partner: &Partner, nonce: &str, body: &Value) -> Call {
        Call {
            path: "/open/uv",
            app_id: partner.app_key.clone(),
            secret: partner.secret.clone(),
            timestamp: app.now(),
            nonce: format!("a-nonce-{nonce}"),
            body: body.to_string(),
        }
    }

    /// The signature, made as a partner would: from the API's description alone.
    pub fn sign(&self) -> String {
        let body = hex::encode(Sha256::digest(self.body.as_bytes()));
        let text = ["POST", self.path, &self.app_id, &self.timestamp.to_string(), &self.nonce, &body].join("\n");
        let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(self.secret.as_bytes()).unwrap();
        mac.update(text.as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }

    pub async fn make(&self, who: &Actor) -> Answer {
        self.make_signed(who, &self.sign()).await
    }

    pub async fn make_signed(&self, who: &Actor, sign: &str) -> Answer {
        let Call { path, app_id, timestamp, nonce, .. } = self;
        let path = format!("{path}?appId={app_id}&timestamp={timestamp}&nonce={nonce}&sign={sign}");
        who.send(axum::http::Method::POST, &path, self.body.clone().into_bytes()).await
    }
}

/// What a visitor of a name has seen.
pub fn sight(visitor: &str, seen: Value) -> Value {
    json!({"visitor": visitor, "ip": "203.0.113.9", "userAgent": IPHONE, "seen": seen})
}

/// A product of North Star that is online at two yuan a visitor, and a running plan of it.
pub async fn supply(app: &TestApp) -> (i64, i64) {
    app.execute(
        "INSERT INTO product (code, name, org_id, category, apply_mode, jump_url, min_amount_cents, max_amount_cents, min_term_months, \
         max_term_months, annual_rate_min_bp, annual_rate_max_bp, lender_name, uv_price_cents, status, created_at, updated_at) \
         SELECT 'north-easy', '北辰易贷', id, 'credit', 'jump', 'https://north.example.com/apply', 100000, 2000000, 3, 24, 720, 1800, \
         '北辰银行', 200, 'online', 1, 1 FROM organisation WHERE code = 'north'",
    )
    .await;
    app.execute(
        "INSERT INTO plan (no, name, org_id, product_id, deliver_mode, sale_mode, max_buyers, price_cents, method_priority, weight, \
         exposure_weight, out_of_schedule, match_required, status, created_at, updated_at) \
         SELECT 'P0001', '北辰计划', org_id, id, 'crm', 'exclusive', 1, 5000, 1, 1, 1, 'skip', 0, 'running', 1, 1 FROM product",
    )
    .await;
    (app.count("SELECT id FROM product").await, app.count("SELECT id FROM plan").await)
}
