//! `/payRefund`: asked for by one, approved by another, never more than was paid, made once.

use serde_json::{Value, json};

use super::{balance, sweep_after, wrong};
use testing::crm::{clue, money};
use testing::org::with;
use testing::pay::{FakeProvider, channel, now, order, paid, reachable};
use testing::{Actor, TestApp, on_both};

const MINUTE: i64 = 60_000;

async fn ask(actor: &Actor, order: &Value, cents: i64) -> Value {
    actor.post("/payRefund", json!({"paymentOrderId": order["id"], "amountCents": cents, "reason": "多付"})).await.ok()
}

fn approval(row: &Value) -> Value {
    json!({"id": row["id"], "version": row["version"], "approve": true})
}

/// The approval of a refund that was made by bank, under the bank's number.
fn by_bank(row: &Value, number: &str) -> Value {
    with(approval(row), json!({"channelRefundNo": number}))
}

async fn refund(app: &TestApp, row: &Value) -> Value {
    app.sign_in("admin").await.get(&format!("/payRefund/{}", row["id"])).await.ok()
}

on_both!(a_payment_is_refunded_in_parts_and_never_above_what_was_paid);
async fn a_payment_is_refunded_in_parts_and_never_above_what_was_paid(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    for kind in ["wechat", "alipay"] {
        let channel = channel(&app, kind, &provider.address, json!({})).await;
        let before = balance(&app).await;
        let made = paid(&app, &provider, &channel, json!({})).await;
        let wanted = json!({"paymentOrderId": made["id"], "amountCents": 200_000, "reason": "多付"});
        let answers = futures_util::future::join_all((0..5).map(|_| operator.post("/payRefund", wanted.clone()))).await;
        let asked: Vec<Value> = answers.iter().filter(|answer| answer.code() == "0000").map(|answer| answer.ok()).collect();
        assert_eq!(asked.len(), 2, "of 5,000 yuan, 2,000 twice");
        operator.put("/payRefund/audit", approval(&asked[0])).await.refused("1006");
        let row = admin.put("/payRefund/audit", approval(&asked[0])).await.ok();
        assert_eq!((&row["status"], balance(&app).await), (&json!("processing"), before + 300_000), "it is gone at once");
        sweep_after(&app, 1000).await;
        assert_eq!(refund(&app, &row).await["status"], "success");
        let order = now(&app, &made).await;
        assert_eq!((&order["status"], &order["refundedCents"]), (&json!("part_refunded"), &json!(200_000)));
        admin.put("/payRefund/audit", with(approval(&asked[1]), json!({"approve": false}))).await.wrong("note");
        admin.put("/payRefund/audit", with(approval(&asked[1]), json!({"approve": false, "note": "不退"}))).await.ok();
        let rest = ask(&operator, &made, 300_000).await;
        operator.post("/payRefund", with(wanted, json!({"amountCents": 1}))).await.wrong("amountCents");
        admin.put("/payRefund/audit", approval(&rest)).await.ok();
        sweep_after(&app, 1000).await;
        let order = now(&app, &made).await;
        assert_eq!((&order["status"], balance(&app).await), (&json!("refunded"), before));
        assert_eq!(admin.get(&format!("/payRefund/order/{}", made["id"])).await.ok().as_array().unwrap().len(), 3);
        operator.post("/payRefund", json!({"paymentOrderId": made["id"], "amountCents": 1, "reason": "x"})).await.wrong("amountCents");
    }
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_refund_whose_answer_is_lost_is_made_once);
async fn a_refund_whose_answer_is_lost_is_made_once(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    for kind in ["wechat", "alipay"] {
        let channel = channel(&app, kind, &provider.address, json!({})).await;
        let made = paid(&app, &provider, &channel, json!({})).await;
        let row = ask(&operator, &made, 300_000).await;
        admin.put("/payRefund/audit", approval(&row)).await.ok();
        provider.misbehave(json!({"loseAnswers": true})).await;
        sweep_after(&app, 1000).await;
        let row = refund(&app, &row).await;
        assert_eq!((&row["status"], &row["error"]), (&json!("processing"), &json!("http_500")));
        provider.misbehave(json!({})).await;
        sweep_after(&app, MINUTE).await;
        assert_eq!(refund(&app, &row).await["status"], "success");
        assert_eq!(now(&app, &made).await["refundedCents"], 300_000);
    }
    assert_eq!((balance(&app).await, wrong(&app).await), (400_000, vec![]));
}

// B2: it stood on the day on which we learned of it.
on_both!(a_refund_counts_on_the_day_on_which_its_provider_made_it);
async fn a_refund_counts_on_the_day_on_which_its_provider_made_it(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    let mut rows = Vec::new();
    for kind in ["wechat", "alipay"] {
        let channel = channel(&app, kind, &provider.address, json!({})).await;
        let made = paid(&app, &provider, &channel, json!({})).await;
        let row = ask(&operator, &made, 300_000).await;
        admin.put("/payRefund/audit", approval(&row)).await.ok();
        rows.push(row);
    }
    // The provider makes them now, and its answers arrive a day and a half later.
    let begun = app.now();
    provider.misbehave(json!({"loseAnswers": true})).await;
    sweep_after(&app, 0).await;
    provider.misbehave(json!({})).await;
    sweep_after(&app, 36 * 60 * MINUTE).await;
    for row in rows {
        let select = "SELECT done_at FROM payment_refund WHERE status = 'success' AND id = $1";
        let done_at: i64 = sqlx::query_scalar(select).bind(row["id"].as_i64()).fetch_one(app.app.db.read()).await.unwrap();
        assert!((begun - MINUTE..=begun + 10 * MINUTE).contains(&done_at), "{begun} {done_at}");
    }
}

on_both!(a_refund_that_is_on_its_way_for_more_than_a_day_is_reported_once);
async fn a_refund_that_is_on_its_way_for_more_than_a_day_is_reported_once(app: TestApp) {
    const DAY: i64 = 24 * 60 * MINUTE;
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = paid(&app, &provider, &channel, json!({})).await;
    let row = ask(&operator, &made, 300_000).await;
    admin.put("/payRefund/audit", approval(&row)).await.ok();
    provider.misbehave(json!({"fail": true})).await;
    let todos = async |open: bool| {
        let messages = app.sign_in("operator").await.post("/message/page", json!({})).await.ok()["list"].as_array().unwrap().clone();
        let about = |message: &&Value| message["title"].as_str().unwrap().contains("退款超过一天未完成");
        let sent = messages.iter().filter(about).count();
        let done = "SELECT COUNT(*) FROM message WHERE biz_type = 'payment_refund' AND type = 'todo' AND done_at IS NULL";
        assert_eq!(app.count(done).await > 0, open);
        sent
    };
    let late = async || {
        let today = app.sign_in("operator").await.get("/workplace").await.ok();
        let queues = today["queues"].as_array().unwrap().clone();
        queues.into_iter().find(|queue| queue["href"] == "/payConfig/order-list/refunds?late=yes").map(|queue| queue["count"].clone())
    };
    sweep_after(&app, DAY - MINUTE).await;
    assert_eq!((todos(false).await, late().await), (0, None));
    for _ in 0..3 {
        sweep_after(&app, DAY).await;
    }
    assert_eq!((todos(true).await, late().await), (1, Some(json!(1))));
    let admin = app.sign_in("admin").await;
    assert_eq!(admin.post("/payRefund/page", json!({"late": "yes"})).await.ok()["list"][0]["no"], row["no"]);
    admin.post("/payRefund/page", json!({"late": "no"})).await.refused("4000");
    let north = app.sign_in("north.manager").await.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(!north.contains("退款超过一天未完成"), "{north}");

    provider.misbehave(json!({})).await;
    sweep_after(&app, DAY).await;
    assert_eq!(refund(&app, &row).await["status"], "success");
    todos(false).await;
    assert_eq!(late().await, None);
    assert_eq!(app.sign_in("admin").await.post("/payRefund/page", json!({"late": "yes"})).await.ok()["total"], 0);
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_refund_that_is_refused_leaves_the_money_where_it_was);
async fn a_refund_that_is_refused_leaves_the_money_where_it_was(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = paid(&app, &provider, &channel, json!({})).await;
    let row = ask(&operator, &made, 500_000).await;
    admin.put("/payRefund/audit", approval(&row)).await.ok();
    assert_eq!(balance(&app).await, 0);
    provider.misbehave(json!({"refuseRefunds": true})).await;
    sweep_after(&app, 1000).await;
    let row = refund(&app, &row).await;
    assert_eq!((&row["status"], balance(&app).await), (&json!("failed"), 500_000));
    assert!(row["error"].as_str().unwrap().contains("INVALID_REQUEST"), "{row}");
    let order = now(&app, &made).await;
    assert_eq!((&order["status"], &order["refundingCents"]), (&json!("success"), &json!(0)));
    // Slow ones stay open until the provider is done.
    provider.misbehave(json!({"slowRefunds": true})).await;
    let row = ask(&operator, &made, 500_000).await;
    admin.put("/payRefund/audit", approval(&row)).await.ok();
    for _ in 0..2 {
        sweep_after(&app, MINUTE).await;
        assert_eq!(refund(&app, &row).await["status"], "processing");
    }
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_refund_that_a_proxy_denies_is_asked_for);
async fn a_refund_that_a_proxy_denies_is_asked_for(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = paid(&app, &provider, &channel, json!({})).await;
    let row = ask(&operator, &made, 500_000).await;
    admin.put("/payRefund/audit", approval(&row)).await.ok();
    // It is made, and what is answered has no signature of the provider.
    provider.misbehave(json!({"refuseRefundsByProxy": true})).await;
    sweep_after(&app, 1000).await;
    let found = refund(&app, &row).await;
    assert_eq!((&found["status"], &found["error"], balance(&app).await), (&json!("processing"), &json!("unsigned_answer"), 0));
    provider.misbehave(json!({})).await;
    sweep_after(&app, 2 * MINUTE).await;
    assert_eq!((refund(&app, &row).await["status"].clone(), balance(&app).await), (json!("success"), 0));
    assert_eq!(wrong(&app).await, []);
}

on_both!(money_that_was_spent_is_not_refunded);
async fn money_that_was_spent_is_not_refunded(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let bank = channel(&app, "bank", "", json!({})).await;
    let made = order(&app, &bank, json!({})).await;
    operator.post("/payRefund", json!({"paymentOrderId": made["id"], "amountCents": 1, "reason": "x"})).await.refused("1006");
    let claim = json!({"id": made["id"], "version": made["version"], "channelOrderNo": "B-1", "paidAt": app.now()});
    let row = operator.put("/payOrder/claim", claim).await.ok();
    admin.put("/payOrder/confirm", approval(&row)).await.ok();
    let row = ask(&operator, &made, 300_000).await;
    app.execute("UPDATE org_account SET frozen_cents = 400000").await;
    let answer = admin.put("/payRefund/audit", by_bank(&row, "R-1")).await;
    assert!(answer.code() == "1006" && answer.desc().contains("1,000 元"), "{}", answer.desc());
    // Credit is not paid out.
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 1000000").await;
    let answer = admin.put("/payRefund/audit", by_bank(&row, "R-1")).await;
    assert!(answer.code() == "1006" && answer.desc().contains("1,000 元"), "{}", answer.desc());
    app.execute("UPDATE org_account SET frozen_cents = 0").await;
    // A bank is not called: the second person says that it is paid back.
    let row = admin.put("/payRefund/audit", by_bank(&row, "R-1")).await.ok();
    assert_eq!((&row["status"], balance(&app).await), (&json!("success"), 200_000));
    let row = ask(&operator, &made, 1).await;
    admin.put("/payRefund/withdraw", json!({"id": row["id"], "version": row["version"]})).await.refused("1006");
    operator.put("/payRefund/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
    assert_eq!(now(&app, &made).await["refundingCents"], 300_000);
    for (field, changes) in [("amountCents", json!({"amountCents": 0})), ("reason", json!({"reason": ""}))] {
        let form = with(json!({"paymentOrderId": made["id"], "amountCents": 1, "reason": "x"}), changes);
        operator.post("/payRefund", form).await.wrong(field);
    }
    assert_eq!(wrong(&app).await, []);
}

// A3: the payment and the CRM each gave the fee back.
on_both!(a_service_fee_is_refunded_through_its_payment_alone);
async fn a_service_fee_is_refunded_through_its_payment_alone(app: TestApp) {
    let (provider, admin, operator) = (FakeProvider::start().await, app.sign_in("admin").await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let clue_id = clue(&app, "north", None).await;
    let fee = json!({"bizType": "service_fee", "clueNo": app.text("SELECT no FROM clue").await, "amountCents": 80_000});
    let made = paid(&app, &provider, &channel, fee).await;
    let record = admin.get(&format!("/crm/getMoney/{}", app.count("SELECT id FROM money_record").await)).await.ok();
    assert_eq!(record["paymentOrderId"], made["id"]);
    // In the CRM it is neither voided nor refunded; what was entered by hand is.
    admin.put("/crm/money/status", money::decision(&record, "void")).await.refused("1006");
    let back = money::form(&app, clue_id, json!({"type": "refund", "amountCents": 1, "loanCents": null}));
    admin.post("/crm/addMoney", back.clone()).await.wrong("amountCents");
    let cash = money::form(&app, clue_id, json!({"amountCents": 1, "loanCents": null}));
    let cash = operator.post("/crm/addMoney", cash).await.ok();
    admin.put("/crm/money/status", money::decision(&cash, "confirmed")).await.ok();
    let back = operator.post("/crm/addMoney", back).await.ok();
    admin.put("/crm/money/status", money::decision(&back, "confirmed")).await.ok();
    // What older programs gave back in the CRM is not given back again.
    let received = "UPDATE money_record SET amount_cents = amount_cents + ";
    app.execute(Box::leak(format!("{received} 50000 WHERE id = {}", back["id"]).into_boxed_str())).await;
    let wanted = json!({"paymentOrderId": made["id"], "amountCents": 50_000, "reason": "多付"});
    operator.post("/payRefund", wanted).await.refused("1006");
    assert_eq!(now(&app, &made).await["refundingCents"], 0, "nothing is written");
    app.execute(Box::leak(format!("{received} -50000 WHERE id = {}", back["id"]).into_boxed_str())).await;
    let row = ask(&operator, &made, 80_000).await;
    admin.put("/payRefund/audit", approval(&row)).await.ok();
    sweep_after(&app, 1000).await;
    assert_eq!(refund(&app, &row).await["status"], "success");
    let received = "SELECT CAST(SUM(CASE type WHEN 'refund' THEN -amount_cents ELSE amount_cents END) AS BIGINT) FROM money_record";
    assert_eq!(app.count(received).await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM money_record WHERE type = 'refund' AND payment_order_id IS NOT NULL").await, 1);
}
