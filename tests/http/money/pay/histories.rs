//! Random histories of orders: paid, lost, reported thrice and late, refused, refunded. After every step the books agree, and in
//! the end the accounts hold what the provider was paid, in any sequence of reports.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{balance, sweep_after, wrong};
use testing::pay::{FakeProvider, begin, channel, order, reachable};
use testing::{Actor, TestApp, on_both};

/// Steps of a history.
const STEPS: u64 = 60;

/// A plain generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % most as u64) as usize
    }
}

/// The invariants that hold after every step.
async fn consistent(app: &TestApp, step: u64) {
    assert_eq!(wrong(app).await, [], "step {step}");
    let unpaid = "SELECT COUNT(*) FROM payment_order WHERE refunding_cents > COALESCE(paid_cents, 0) OR refunded_cents > refunding_cents";
    assert_eq!(app.count(unpaid).await, 0, "step {step}");
    let uncredited = "SELECT COUNT(*) FROM payment_order p WHERE p.biz_type = 'recharge' AND (p.paid_cents IS NOT NULL) <> \
        EXISTS (SELECT 1 FROM recharge r WHERE r.payment_order_id = p.id AND r.status = 'credited' AND r.amount_cents = p.paid_cents)";
    assert_eq!(app.count(uncredited).await, 0, "step {step}");
}

async fn orders(actor: &Actor, status: &str) -> Vec<Value> {
    actor.post("/payOrder/page", json!({"status": status, "pageSize": 200, "sort": "no"})).await.ok()["list"].as_array().unwrap().clone()
}

on_both!(nothing_depends_on_the_order_in_which_it_is_told);
async fn nothing_depends_on_the_order_in_which_it_is_told(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let channels =
        [channel(&app, "wechat", &provider.address, json!({})).await, channel(&app, "alipay", &provider.address, json!({})).await];
    let (mut numbers, mut paid_cents, mut paid_nos) = (Numbers(11), 0, HashSet::new());
    for step in 0..STEPS {
        let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
        let open = [orders(&operator, "created").await, orders(&operator, "paying").await].concat();
        match numbers.below(8) {
            0 | 1 => {
                let cents = 100 * (1 + numbers.below(5000));
                order(&app, &channels[numbers.below(2)], json!({"amountCents": cents, "minutes": 5 + numbers.below(20)})).await;
            }
            2 | 3 if !open.is_empty() => drop(begin(&app, &open[numbers.below(open.len())]).await),
            4 if !open.is_empty() => {
                // Paid at the provider, and reported never, once or three times, under random faults.
                let one = &open[numbers.below(open.len())];
                provider.misbehave(json!({"loseAnswers": numbers.below(3) == 0, "silent": numbers.below(3) == 0})).await;
                if one["status"] == "paying" && one["error"].is_null() && paid_nos.insert(one["no"].to_string()) {
                    provider.pay(one, [0, 1, 3][numbers.below(3)]).await;
                    paid_cents += one["amountCents"].as_i64().unwrap();
                }
            }
            5 => {
                let paid = orders(&operator, "success").await;
                if let Some(one) = paid.get(numbers.below(paid.len().max(1))) {
                    let cents = 1 + numbers.below(one["amountCents"].as_u64().unwrap() as usize);
                    let body = json!({"paymentOrderId": one["id"], "amountCents": cents, "reason": "x"});
                    let asked = operator.post("/payRefund", body).await;
                    if asked.code() == "0000" {
                        let row = asked.ok();
                        admin.put("/payRefund/audit", json!({"id": row["id"], "version": row["version"], "approve": true})).await.ok();
                    }
                }
            }
            6 if !open.is_empty() => {
                let one = &open[numbers.below(open.len())];
                let step = json!({"id": one["id"], "version": one["version"], "status": "cancelled"});
                operator.put("/payOrder/status", step).await;
            }
            _ => sweep_after(&app, 60_000 * (1 + numbers.below(8) as i64)).await,
        }
        consistent(&app, step).await;
    }
    // Lost reports are recovered by queries; two people accept payments that came too late.
    provider.misbehave(json!({})).await;
    for _ in 0..6 {
        sweep_after(&app, 20 * 60_000).await;
    }
    let operator = app.sign_in("operator").await;
    for one in operator.post("/payException/page", json!({"status": "open", "pageSize": 200})).await.ok()["list"].as_array().unwrap() {
        super::exception::accept(&app, one).await;
    }
    consistent(&app, STEPS).await;
    assert_eq!(orders(&operator, "paying").await, Vec::<Value>::new(), "nothing is left unknown");
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_refund WHERE status = 'processing'").await, 0);
    let taken = app.count("SELECT CAST(COALESCE(SUM(paid_cents), 0) AS BIGINT) FROM payment_order").await;
    let refunded = app.count("SELECT CAST(COALESCE(SUM(refunded_cents), 0) AS BIGINT) FROM payment_order").await;
    assert_eq!(taken, paid_cents, "what the provider was paid");
    assert_eq!(balance(&app).await, taken - refunded);
    assert!(taken > 0 && refunded > 0, "the history has both: {taken} {refunded}");
}
