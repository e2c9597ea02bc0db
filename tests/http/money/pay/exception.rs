//! Payments that fit no order as it is wait for a person, each once.

use serde_json::{Value, json};

use base::db::Engine;

use super::{balance, sweep_after, wrong};
use testing::finance::approval;
use testing::org::with;
use testing::pay::{FakeProvider, begin, channel, now, order, paid, reachable};
use testing::{TestApp, on_both, run};

async fn exceptions(app: &TestApp) -> Vec<Value> {
    app.sign_in("admin").await.post("/payException/page", json!({"sort": "createdAt", "order": "asc"})).await.ok()["list"]
        .as_array()
        .unwrap()
        .clone()
}

fn settlement(row: &Value, resolution: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "resolution": resolution, "note": "已与机构核对"})
}

/// The operator asks that a payment is accepted for its order, and the administrator confirms it.
pub async fn accept(app: &TestApp, row: &Value) -> Value {
    let asked = app.sign_in("operator").await.put("/payException/settle", settlement(row, "accepted")).await.ok();
    app.sign_in("admin").await.put("/payException/audit", approval(&asked)).await.ok()
}

/// A payment that came after its order was closed.
async fn late(app: &TestApp, provider: &FakeProvider) -> (Value, Value) {
    reachable(app).await;
    let channel = channel(app, "alipay", &provider.address, json!({})).await;
    let made = order(app, &channel, json!({})).await;
    begin(app, &made).await;
    sweep_after(app, 31 * 60_000).await;
    assert!(provider.pay(&made, 1).await);
    (exceptions(app).await[0].clone(), made)
}

on_both!(a_late_payment_is_accepted_by_two_people);
async fn a_late_payment_is_accepted_by_two_people(app: TestApp) {
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
    let asked = operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.ok();
    assert_eq!((&asked["status"], &asked["decision"]["note"]), (&json!("open"), &json!("已与机构核对")));
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("closed"), 0), "one person credits nothing");
    operator.put("/payException/audit", approval(&asked)).await.refused("1006");
    let row = app.sign_in("admin").await.put("/payException/audit", approval(&asked)).await.ok();
    assert_eq!((&row["status"], &row["resolution"], &row["note"]), (&json!("settled"), &json!("accepted"), &json!("已与机构核对")));
    assert_eq!((row["decision"].is_null(), row["settlerName"].is_null()), (true, false));
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("success"), 500_000));
    operator.put("/payException/settle", settlement(&row, "accepted")).await.refused("1006");
    // Reported once more it is known.
    assert!(provider.pay(&made, 1).await);
    assert_eq!((exceptions(&app).await.len(), balance(&app).await), (1, 500_000));
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_requested_acceptance_is_withdrawn_rejected_and_asked_for_again);
async fn a_requested_acceptance_is_withdrawn_rejected_and_asked_for_again(app: TestApp) {
    let provider = FakeProvider::start().await;
    let (row, made) = late(&app, &provider).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let version = |row: &Value| json!({"id": row["id"], "version": row["version"]});
    let waits = async || {
        let queues = admin.get("/workplace").await.ok()["queues"].as_array().unwrap().clone();
        let href = "/payConfig/order-list/exceptions?awaits=decision";
        queues.iter().find(|queue| queue["href"] == href).map_or(0, |queue| queue["count"].as_i64().unwrap())
    };
    let todos =
        async || app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'payment_exception' AND type = 'todo' AND done_at IS NULL").await;
    let refusal = json!({"approve": false, "note": "未到账"});
    assert_eq!((waits().await, todos().await), (0, 0));
    admin.put("/payException/audit", approval(&row)).await.refused("1006");
    operator.put("/payException/withdraw", version(&row)).await.refused("1006");

    let asked = operator.put("/payException/settle", settlement(&row, "accepted")).await.ok();
    assert!(waits().await == 1 && todos().await > 0);
    let listed = admin.post("/payException/page", json!({"awaits": "decision"})).await.ok();
    assert_eq!((listed["list"].as_array().unwrap().len(), &listed["list"][0]["decision"]["action"]), (1, &json!("accept_exception")));
    // While it waits it is settled in no other way, and withdrawn by the person who asked.
    operator.put("/payException/settle", settlement(&asked, "handled")).await.refused("1006");
    admin.put("/payException/settle", settlement(&asked, "accepted")).await.refused("1006");
    admin.put("/payException/withdraw", version(&asked)).await.refused("1006");
    let withdrawn = operator.put("/payException/withdraw", version(&asked)).await.ok();
    assert_eq!((withdrawn["decision"].is_null(), waits().await, todos().await), (true, 0, 0));
    admin.put("/payException/audit", approval(&withdrawn)).await.refused("1006");

    let asked = operator.put("/payException/settle", settlement(&withdrawn, "accepted")).await.ok();
    admin.put("/payException/audit", with(version(&asked), json!({"approve": false}))).await.wrong("note");
    let rejected = admin.put("/payException/audit", with(version(&asked), refusal)).await.ok();
    assert_eq!((&rejected["status"], rejected["decision"].is_null(), todos().await), (&json!("open"), true, 0));
    let said = app.text("SELECT content_zh FROM message WHERE biz_type = 'payment_exception' AND scope = 'person'").await;
    assert_eq!((said, balance(&app).await), ("未到账".to_owned(), 0));

    accept(&app, &rejected).await;
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("success"), 500_000));
    let history = operator.get(&format!("/payException/history/{}", row["id"])).await.ok().to_string();
    assert!(history.contains("acceptance") && history.contains("未到账"), "{history}");
    assert_eq!(wrong(&app).await, []);
}

/// Of two nodes whose people confirm an acceptance at once, one credits it. SQLite has one node.
#[tokio::test]
async fn of_two_nodes_one_accepts_a_payment() {
    run(Engine::Postgres, async |app: TestApp| {
        let provider = FakeProvider::start().await;
        let (row, _) = late(&app, &provider).await;
        let other = app.node().await;
        let (here, there) = (app.sign_in("admin").await, other.sign_in("admin").await);
        let asked = app.sign_in("operator").await.put("/payException/settle", settlement(&row, "accepted")).await.ok();
        let (one, two) =
            tokio::join!(here.put("/payException/audit", approval(&asked)), there.put("/payException/audit", approval(&asked)));
        let codes = [one.code(), two.code()];
        assert_eq!(codes.iter().filter(|code| code.as_str() == "0000").count(), 1, "{codes:?}");
        assert_eq!(balance(&app).await, 500_000);
        assert_eq!(wrong(&app).await, []);
    })
    .await;
}

on_both!(another_amount_is_credited_as_it_came_when_two_people_say_so);
async fn another_amount_is_credited_as_it_came_when_two_people_say_so(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    assert!(provider.pay_cents(&made, 499_999, 2).await);
    sweep_after(&app, 60_000).await;
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"], &rows[0]["amountCents"]), (1, &json!("amount"), &json!(499_999)));
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("paying"), 0));
    accept(&app, &rows[0]).await;
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
        let queues = today["queues"].as_array().unwrap().clone();
        queues.into_iter().find(|queue| queue["href"] == "/payConfig/order-list/exceptions?status=open").map(|queue| queue["count"].clone())
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
    testing::crm::clue(&app, "north", None).await;
    let fee = json!({"bizType": "service_fee", "clueNo": app.text("SELECT no FROM clue").await, "amountCents": 80_000});
    let made = order(&app, &channel, fee.clone()).await;
    begin(&app, &made).await;
    app.execute("UPDATE clue SET stage = 'lost'").await;
    operator.post("/payOrder", testing::pay::order_form(&app, &channel, fee).await).await.refused("1006");
    assert!(provider.pay(&made, 3).await);
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"]), (1, &json!("ended_clue")));
    assert_eq!((now(&app, &made).await["status"].clone(), app.count("SELECT COUNT(*) FROM money_record").await), (json!("paying"), 0));
    operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.refused("1006");
    // A person who comes back may pay.
    app.execute("UPDATE clue SET stage = 'following'").await;
    accept(&app, &rows[0]).await;
    assert_eq!((now(&app, &made).await["status"].clone(), app.count("SELECT COUNT(*) FROM money_record").await), (json!("success"), 1));
    assert_eq!(wrong(&app).await, []);
}

// A4: a payment that WeChat Pay calls refunded was credited in full.
on_both!(a_payment_that_was_given_back_before_it_was_known_waits_for_a_person);
async fn a_payment_that_was_given_back_before_it_was_known_waits_for_a_person(app: TestApp) {
    let (provider, operator) = (FakeProvider::start().await, app.sign_in("operator").await);
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    assert!(provider.pay(&made, 0).await);
    // Made in the portal, and reported to no address of this test.
    provider.refund(&made, "portal-1", 500_000).await;
    for _ in 0..3 {
        sweep_after(&app, 60_000).await;
    }
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("paying"), 0));
    let rows = exceptions(&app).await;
    assert_eq!((rows.len(), &rows[0]["kind"], &rows[0]["amountCents"]), (1, &json!("paid_and_refunded"), &json!(500_000)));
    assert_eq!(wrong(&app).await, []);
    operator.put("/payException/settle", settlement(&rows[0], "accepted")).await.refused("1006");
    operator.put("/payException/settle", settlement(&rows[0], "handled")).await.ok();
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("closed"), 0));
    // Nothing of it is left at the provider.
    let left = "SELECT CAST(COALESCE(SUM(CASE WHEN debit_kind = 'clearing' THEN amount_cents ELSE -amount_cents END), 0) AS BIGINT) \
        FROM journal_transfer WHERE 'clearing' IN (debit_kind, credit_kind)";
    assert_eq!(app.count(left).await, 0);
    assert_eq!(wrong(&app).await, []);
}
