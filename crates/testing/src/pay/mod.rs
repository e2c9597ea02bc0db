//! Payment channels, orders, and a provider.

pub mod link;
pub mod statement;

use std::time::Duration;

use axum::http::Method;
use base::outside::Caller;
use demo::provider;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::org::{payee, with};
use crate::{Actor, Answer, TestApp};

/// A payment provider that a test controls.
pub struct FakeProvider {
    pub address: String,
}

impl FakeProvider {
    pub async fn start() -> FakeProvider {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let router = provider::router(&address);
        tokio::spawn(async move { axum::serve(listener, router).await });
        FakeProvider { address }
    }

    /// A call of its controls; returns the status that it answers.
    pub async fn post(&self, path: &str, body: Value) -> u16 {
        let address = format!("{}{path}", self.address);
        let (answer, _) = Caller { private: true }.post_json(&address, body.to_string(), None, Duration::from_secs(20)).await;
        answer.unwrap().status
    }

    /// How it misbehaves from now on.
    pub async fn misbehave(&self, how: Value) {
        assert_eq!(self.post("/control", how).await, 204);
    }

    /// An order is paid there, and reported so often; tells whether the reports were taken.
    pub async fn pay(&self, order: &Value, notices: usize) -> bool {
        self.post("/control/pay", json!({"no": order["no"], "notices": notices})).await == 204
    }

    /// The same with another amount than the order's.
    pub async fn pay_cents(&self, order: &Value, cents: i64, notices: usize) -> bool {
        self.post("/control/pay", json!({"no": order["no"], "cents": cents, "notices": notices})).await == 204
    }

    /// Makes a refund at the provider by hand, in its portal where it has no number; returns whether its report was taken.
    pub async fn refund(&self, order: &Value, refund_no: &str, cents: i64) -> bool {
        self.post("/control/refund", json!({"no": order["no"], "refundNo": refund_no, "cents": cents})).await == 204
    }
}

/// Serves an application at an address that providers report to.
pub async fn reachable(app: &TestApp) {
    app.set("pay.site_url", json!(app.serve().await)).await;
}

/// A payee that organisations pay.
pub async fn payee_id(app: &TestApp) -> i64 {
    if app.count("SELECT COUNT(*) FROM payee_organisation").await == 0 {
        let row = app.sign_in("admin").await.post("/org/payee", payee::form("领航收款")).await.ok();
        app.approve("/org/payee", &row).await;
    }
    app.count("SELECT MIN(id) FROM payee_organisation").await
}

/// The form of a channel of a provider; `gateway` is where the provider is.
pub async fn channel_form(app: &TestApp, kind: &str, gateway: &str) -> Value {
    let mch_no = if kind == "alipay" { provider::SELLER_ID } else { provider::MCH_NO };
    let (params, gateway) = match kind {
        "wechat" => (
            json!({
                "appId": provider::WECHAT_APP_ID, "serialNo": "DEMOMERCHANT01", "privateKey": provider::MERCHANT_KEY,
                "apiV3Key": provider::API_V3_KEY, "platformSerial": provider::SERIAL, "platformKey": provider::PROVIDER_PUBLIC_KEY,
            }),
            gateway.to_owned(),
        ),
        "alipay" => (
            json!({"appId": provider::APP_ID, "privateKey": provider::MERCHANT_KEY, "alipayPublicKey": provider::PROVIDER_PUBLIC_KEY}),
            format!("{gateway}/gateway.do"),
        ),
        _ => (json!({}), String::new()),
    };
    json!({
        "code": format!("{kind}-1"), "provider": kind, "name": format!("{kind} 主商户"), "payeeOrgId": payee_id(app).await,
        "mchNo": mch_no, "params": params, "gatewayUrl": gateway, "instructions": "", "feeBp": 60, "minCents": 100,
        "maxCents": 5_000_000, "dayCapCents": null, "sort": 0, "certExpireOn": null,
    })
}

/// A channel that the administrator has made and the operator has enabled.
pub async fn channel(app: &TestApp, kind: &str, gateway: &str, changes: Value) -> Value {
    let form = with(channel_form(app, kind, gateway).await, changes);
    let row = app.sign_in("admin").await.post("/payChannel", form).await.ok();
    enable(&app.sign_in("operator").await, &row).await
}

pub async fn enable(actor: &Actor, row: &Value) -> Value {
    actor.put("/payChannel/status", json!({"id": row["id"], "version": row["version"], "status": "enabled"})).await.ok()
}

/// The form of an order of North Star for a recharge of 5,000 yuan.
pub async fn order_form(app: &TestApp, channel: &Value, changes: Value) -> Value {
    let form = json!({
        "orgId": app.organisation("north").await, "payeeChannelId": channel["id"], "bizType": "recharge", "subject": "账户充值",
        "amountCents": 500_000, "minutes": 30, "remark": "",
    });
    with(form, changes)
}

pub async fn order(app: &TestApp, channel: &Value, changes: Value) -> Value {
    app.sign_in("operator").await.post("/payOrder", order_form(app, channel, changes).await).await.ok()
}

/// The payer presses the button of an order's page.
pub async fn begin(app: &TestApp, order: &Value) -> Answer {
    let select = "SELECT token FROM payment_order WHERE id = $1";
    let token: String = sqlx::query_scalar(select).bind(order["id"].as_i64()).fetch_one(app.app.db.read()).await.unwrap();
    let path = format!("/pay/{token}");
    app.stranger().ask(Method::POST, &path, Vec::new()).await
}

/// The order as it is now.
pub async fn now(app: &TestApp, order: &Value) -> Value {
    app.sign_in("admin").await.get(&format!("/payOrder/{}", order["id"])).await.ok()
}

/// A paid order of a channel: begun, paid at the provider and reported once.
pub async fn paid(app: &TestApp, provider: &FakeProvider, channel: &Value, changes: Value) -> Value {
    let made = order(app, channel, changes).await;
    begin(app, &made).await;
    assert!(provider.pay(&made, 1).await, "the report is taken");
    let row = now(app, &made).await;
    assert_eq!(row["status"], "success");
    row
}

/// An order by bank that the operator entered as paid and the administrator confirmed, also after a payment of the same amount.
pub async fn confirmed(app: &TestApp, changes: Value) -> Value {
    let bank = channel(app, "bank", "", json!({"code": "bank-paid"})).await;
    let made = order(app, &bank, changes).await;
    let claim = json!({"id": made["id"], "version": made["version"], "channelOrderNo": "B-0", "paidAt": app.now()});
    let row = app.sign_in("operator").await.put("/payOrder/claim", claim).await.ok();
    let decision = json!({"id": row["id"], "version": row["version"], "approve": true, "anotherPayment": true});
    app.sign_in("admin").await.put("/payOrder/confirm", decision).await.ok()
}

/// One record of each kind of North Star and the platform, whose texts hold a word.
pub async fn one_of_each(app: &TestApp, word: &str) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let order = confirmed(app, json!({"subject": word})).await;
    let refund = json!({"paymentOrderId": order["id"], "amountCents": 1, "reason": word});
    operator.post("/payRefund", refund).await.ok();
    channel(app, "link_pool", "", json!({"name": word})).await;
    let table = format!("通道编码,链接,备注\nlink_pool-1,https://pay.example.com/l/0001,{word}\n");
    link::bring(&admin, false, &table).await;
    statement::of_today(app, order["payeeChannelId"].as_i64().unwrap(), word).await;
    app.execute(
        "INSERT INTO payment_exception (payee_channel_id, payment_order_id, kind, order_no, channel_order_no, amount_cents, currency, paid_at, \
           status, note, created_at, updated_at) \
         SELECT payee_channel_id, id, 'late', 'zzours', 'zzours', 1, 'CNY', 0, 'open', 'zzours', 0, 0 FROM payment_order",
    )
    .await;
}
