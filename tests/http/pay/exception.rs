//! Payments that fit no order as it is wait for a person, each once.

use serde_json::{Value, json};

use super::{FakeProvider, balance, begin, channel, now, order, paid, reachable, sweep_after, wrong};
use crate::org::with;
use crate::support::{TestApp, on_both};

async fn exceptions(app: &TestApp) -> Vec<Value> {
    app.sign_in("admin").await.post("/payException/page", json!({"sort": "createdAt", "order": "asc"})).await.ok()["list"]
        .as_array()
        .unwrap()
        .clone()
}

fn settlement(row: &Value, resolution: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "resolution": resolution, "note": "已与机构核对"})
}

on_both!(a_late_payment_is_accepted_by_a_person);
async fn a_late_payment_is_accepted_by_a_person(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    sweep_after(&app, 31 * 60_000).await;
    let operator = app.sign_in("operator").await;
    assert_eq!(now(&app, &made).await["status"], "closed");
    assert!(provider.pay(&made, 3).await);
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"], &rows[0]["orgName"]), (1, &json!("late"), &json!("北辰")));
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("closed"), 0));
    let messages = operator.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("收款异常待处理"), "{messages}");
    operator.put("/payException/settle", with(settlement(&rows[0], "accepted"), json!({"note": " "}))).await.wrong("note");
    let row = operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.ok();
    assert_eq!((&row["status"], &row["resolution"]), (&json!("settled"), &json!("accepted")));
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("success"), 500_000));
    operator.put("/payException/settle", settlement(&row, "accepted")).await.refused("1006");
    // Reported once more it is known.
    assert!(provider.pay(&made, 1).await);
    assert_eq!((exceptions(&app).await.len(), balance(&app).await), (1, 500_000));
    assert_eq!(wrong(&app).await, []);
}

on_both!(another_amount_is_credited_as_it_came_when_a_person_says_so);
async fn another_amount_is_credited_as_it_came_when_a_person_says_so(app: TestApp) {
    let (provider, operator) = (FakeProvider::start().await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    assert!(provider.pay_cents(&made, 499_999, 2).await);
    sweep_after(&app, 60_000).await;
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"], &rows[0]["amountCents"]), (1, &json!("amount"), &json!(499_999)));
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("paying"), 0));
    operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.ok();
    let row = now(&app, &made).await;
    assert_eq!((&row["status"], &row["paidCents"], balance(&app).await), (&json!("success"), &json!(499_999), 499_999));
    assert_eq!(wrong(&app).await, []);
}

on_both!(an_order_is_closed_when_what_came_for_it_was_handled_outside);
async fn an_order_is_closed_when_what_came_for_it_was_handled_outside(app: TestApp) {
    let (provider, operator) = (FakeProvider::start().await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({"dayCapCents": 5_000_000})).await;
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    assert!(provider.pay_cents(&made, 1, 1).await);
    let rows = exceptions(&app).await;
    operator.put("/payException/settle", settlement(&rows[0], "handled")).await.ok();
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("closed"), 0));
    assert_eq!(app.count("SELECT cents FROM payee_channel_day").await, 0);
}

on_both!(a_second_payment_of_a_paid_order_is_handled_outside);
async fn a_second_payment_of_a_paid_order_is_handled_outside(app: TestApp) {
    let (provider, operator) = (FakeProvider::start().await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    assert!(provider.pay(&made, 1).await);
    app.execute("UPDATE payment_order SET channel_order_no = 'another'").await;
    assert!(provider.pay(&made, 2).await);
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"]), (1, &json!("twice")));
    operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.refused("1006");
    app.sign_in("north.manager").await.put("/payException/settle", settlement(&rows[0], "handled")).await.refused("1003");
    operator.put("/payException/settle", settlement(&rows[0], "handled")).await.ok();
    assert_eq!(balance(&app).await, 500_000);
    let history = operator.get(&format!("/payException/history/{}", rows[0]["id"])).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 1);
}

on_both!(a_refund_without_a_record_is_an_exception_once);
async fn a_refund_without_a_record_is_an_exception_once(app: TestApp) {
    let (provider, operator) = (FakeProvider::start().await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = paid(&app, &provider, &channel, json!({})).await;
    for _ in 0..2 {
        assert!(provider.refund(&made, "BYHAND1", 12_300).await);
    }
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"], &rows[0]["amountCents"]), (1, &json!("refund"), &json!(12_300)));
    assert_eq!((balance(&app).await, now(&app, &made).await["refundedCents"].clone()), (500_000, json!(0)));
    let message = app.text("SELECT content_zh || content_en FROM message WHERE biz_type = 'payment_exception' LIMIT 1").await;
    assert!(message.contains("123 CNY refunded") && message.contains("已退款 123 元"), "{message}");
    operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.refused("1006");
    operator.put("/payException/settle", settlement(&rows[0], "handled")).await.ok();
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_refund_that_is_made_after_it_failed_is_an_exception);
async fn a_refund_that_is_made_after_it_failed_is_an_exception(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = paid(&app, &provider, &channel, json!({})).await;
    let wanted = json!({"paymentOrderId": made["id"], "amountCents": 500_000, "reason": "多付"});
    let asked = operator.post("/payRefund", wanted).await.ok();
    admin.put("/payRefund/audit", json!({"id": asked["id"], "version": asked["version"], "approve": true})).await.ok();
    provider.misbehave(json!({"refuseRefunds": true})).await;
    sweep_after(&app, 1000).await;
    let refund = admin.get(&format!("/payRefund/{}", asked["id"])).await.ok();
    assert_eq!((&refund["status"], balance(&app).await), (&json!("failed"), 500_000));
    assert!(provider.refund(&made, refund["no"].as_str().unwrap(), 500_000).await);
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"], &rows[0]["amountCents"]), (1, &json!("refund"), &json!(500_000)));
    let refund = admin.get(&format!("/payRefund/{}", asked["id"])).await.ok();
    assert_eq!((&refund["status"], balance(&app).await), (&json!("failed"), 500_000), "a person decides what follows");
    assert_eq!(wrong(&app).await, []);
}

on_both!(what_is_refunded_in_alipays_portal_is_an_exception_of_its_amount);
async fn what_is_refunded_in_alipays_portal_is_an_exception_of_its_amount(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    let made = paid(&app, &provider, &channel, json!({})).await;
    let amounts = || async { exceptions(&app).await.iter().map(|row| row["amountCents"].as_i64().unwrap()).collect::<Vec<_>>() };
    assert!(provider.refund(&made, "", 12_300).await);
    assert!(provider.refund(&made, "", 10_000).await);
    assert_eq!(amounts().await, [12_300, 10_000], "each part once");
    // A refund that we made is no exception, whether its report comes before its answer or after.
    let wanted = json!({"paymentOrderId": made["id"], "amountCents": 5_000, "reason": "多付"});
    let asked = operator.post("/payRefund", wanted).await.ok();
    admin.put("/payRefund/audit", json!({"id": asked["id"], "version": asked["version"], "approve": true})).await.ok();
    assert!(provider.refund(&made, asked["no"].as_str().unwrap(), 5_000).await);
    assert_eq!(admin.get(&format!("/payRefund/{}", asked["id"])).await.ok()["status"], "success");
    assert!(provider.refund(&made, asked["no"].as_str().unwrap(), 5_000).await);
    assert_eq!(amounts().await, [12_300, 10_000]);
    // The rest of it: the trade is closed by that.
    assert!(provider.refund(&made, "", 472_700).await);
    assert_eq!(amounts().await, [12_300, 10_000, 472_700]);
    let rows = exceptions(&app).await;
    assert!(rows.iter().all(|row| row["kind"] == "refund" && row["orderNo"] == made["no"]), "{rows:?}");
    let order = now(&app, &made).await;
    assert_eq!((&order["status"], &order["refundedCents"], balance(&app).await), (&json!("part_refunded"), &json!(5_000), 495_000));
    let messages = operator.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("已退款 4,727 元"), "{messages}");
    operator.put("/payException/settle", settlement(&rows[2], "accepted")).await.refused("1006");
    operator.put("/payException/settle", settlement(&rows[2], "handled")).await.ok();
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_refund_that_is_stuck_at_its_provider_is_shown_once);
async fn a_refund_that_is_stuck_at_its_provider_is_shown_once(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = paid(&app, &provider, &channel, json!({})).await;
    let asked = operator.post("/payRefund", json!({"paymentOrderId": made["id"], "amountCents": 5_000, "reason": "多付"})).await.ok();
    admin.put("/payRefund/audit", json!({"id": asked["id"], "version": asked["version"], "approve": true})).await.ok();
    provider.misbehave(json!({"abnormalRefunds": true})).await;
    for _ in 0..2 {
        sweep_after(&app, 60_000).await;
    }
    let refund = admin.get(&format!("/payRefund/{}", asked["id"])).await.ok();
    assert_eq!((&refund["status"], &refund["error"]), (&json!("processing"), &json!("ABNORMAL")));
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"], &rows[0]["amountCents"]), (1, &json!("refund_stuck"), &json!(5_000)));
    // It is counted on the first page of who settles exceptions, until it is settled.
    let waits = async || {
        let today = operator.get("/workplace").await.ok();
        let figures = today["figures"].as_array().unwrap().clone();
        figures
            .into_iter()
            .find(|figure| figure["href"] == "/payConfig/order-list/exceptions?status=open")
            .map(|figure| figure["value"].clone())
    };
    assert_eq!(waits().await, Some(json!(1)));
    operator.put("/payException/settle", settlement(&rows[0], "handled")).await.ok();
    assert!(waits().await.is_none_or(|count| count == 0));
    assert_eq!(wrong(&app).await, []);
}

on_both!(an_amount_that_no_order_can_have_is_dismissed_in_words);
async fn an_amount_that_no_order_can_have_is_dismissed_in_words(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let bank = channel(&app, "bank", "", json!({})).await;
    order(&app, &bank, json!({})).await;
    app.execute(
        "INSERT INTO payment_exception (payee_channel_id, payment_order_id, kind, order_no, channel_order_no, amount_cents, currency, paid_at, \
           status, created_at, updated_at) \
         SELECT r.payee_channel_id, r.id, 'amount', r.no, CAST(x.cents AS TEXT), x.cents, 'CNY', 0, 'open', 0, 0 FROM payment_order r \
         CROSS JOIN (SELECT -1000 AS cents UNION ALL SELECT 0 UNION ALL SELECT 10000000001 UNION ALL SELECT 9223372036854775807) x",
    )
    .await;
    assert_eq!(exceptions(&app).await.len(), 4);
    for row in exceptions(&app).await {
        operator.put("/payException/settle", settlement(&row, "accepted")).await.refused("1006");
        operator.put("/payException/settle", settlement(&row, "handled")).await.ok();
    }
}

// C1: the fee of a lead that was returned was taken as confirmed money.
on_both!(a_fee_of_a_clue_that_has_ended_waits_for_a_person);
async fn a_fee_of_a_clue_that_has_ended_waits_for_a_person(app: TestApp) {
    let (provider, operator) = (FakeProvider::start().await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    crate::crm::clue(&app, "north", None).await;
    let fee = json!({"bizType": "service_fee", "clueNo": app.text("SELECT no FROM clue").await, "amountCents": 80_000});
    let made = order(&app, &channel, fee.clone()).await;
    begin(&app, &made).await;
    app.execute("UPDATE clue SET stage = 'lost'").await;
    operator.post("/payOrder", super::order_form(&app, &channel, fee).await).await.refused("1006");
    assert!(provider.pay(&made, 3).await);
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"]), (1, &json!("ended_clue")));
    assert_eq!((now(&app, &made).await["status"].clone(), app.count("SELECT COUNT(*) FROM money_record").await), (json!("paying"), 0));
    operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.refused("1006");
    // A person who comes back may pay.
    app.execute("UPDATE clue SET stage = 'following'").await;
    operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.ok();
    assert_eq!((now(&app, &made).await["status"].clone(), app.count("SELECT COUNT(*) FROM money_record").await), (json!("success"), 1));
    assert_eq!(wrong(&app).await, []);
}
