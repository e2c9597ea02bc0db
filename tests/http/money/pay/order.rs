//! `/payOrder`: created, paid by provider or by two people, cancelled and closed; unknown outcomes are queried.

use serde_json::json;

use super::{balance, sweep_after, wrong};
use testing::org::{payee, with};
use testing::pay::{FakeProvider, begin, channel, now, order, order_form, paid, reachable};
use testing::{Actor, TestApp, on_both};

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;

on_both!(an_order_is_paid_and_credited_once_by_either_provider);
async fn an_order_is_paid_and_credited_once_by_either_provider(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    for (index, kind) in ["wechat", "alipay"].into_iter().enumerate() {
        let channel = channel(&app, kind, &provider.address, json!({})).await;
        let made = order(&app, &channel, json!({})).await;
        assert_eq!((&made["status"], &made["feeCents"]), (&json!("created"), &json!(0)));
        assert_eq!(begin(&app, &made).await.status, 303);
        assert_eq!(now(&app, &made).await["status"], "paying");
        assert!(provider.pay(&made, 3).await, "all reports are taken");
        let row = now(&app, &made).await;
        assert_eq!((&row["status"], &row["paidCents"], &row["feeCents"]), (&json!("success"), &json!(500_000), &json!(3_000)));
        assert_eq!((&row["knownBy"], row["rechargeNo"].is_string()), (&json!("confirmed"), true));
        assert_eq!(balance(&app).await, 500_000 * (index as i64 + 1));
        // What the provider says when it is asked as well changes nothing any more.
        sweep_after(&app, MINUTE).await;
        assert_eq!(balance(&app).await, 500_000 * (index as i64 + 1));
        let recharge = app.sign_in("admin").await.get(&format!("/finance/recharge/{}", row["rechargeId"])).await.ok();
        assert_eq!(
            (&recharge["status"], &recharge["payMethod"], &recharge["paymentOrderNo"]),
            (&json!("credited"), &json!(kind), &row["no"])
        );
        // It is refunded by its order.
        let ask = json!({"id": recharge["id"], "version": recharge["version"], "note": "x"});
        app.sign_in("admin").await.put("/finance/recharge/reverse", ask).await.refused("1006");
        let history = app.sign_in("admin").await.get(&format!("/payOrder/history/{}", row["id"])).await.ok();
        assert_eq!(history.as_array().unwrap().len(), 2, "made and paid: {history}");
    }
    tokio::time::timeout(std::time::Duration::from_secs(5), app.app.credited.notified()).await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_exception").await, 0);
    assert_eq!(wrong(&app).await, []);
}

on_both!(an_unknown_outcome_is_asked_for_until_it_is_known);
async fn an_unknown_outcome_is_asked_for_until_it_is_known(app: TestApp) {
    let provider = FakeProvider::start().await;
    for kind in ["wechat", "alipay"] {
        let channel = channel(&app, kind, &provider.address, json!({})).await;
        let made = order(&app, &channel, json!({})).await;
        provider.misbehave(json!({"loseAnswers": true})).await;
        begin(&app, &made).await;
        let row = now(&app, &made).await;
        assert_eq!((&row["status"], &row["error"]), (&json!("paying"), &json!("http_500")));
        // It was asked for under its number: asked again it is the same.
        provider.misbehave(json!({})).await;
        begin(&app, &made).await;
        assert_eq!(now(&app, &made).await["error"], json!(null));
        // Nothing is reported; the provider fails, then signs with another key, then answers.
        assert!(provider.pay(&made, 0).await);
        for bad in [json!({"fail": true}), json!({"wrongSignature": true})] {
            provider.misbehave(bad).await;
            sweep_after(&app, MINUTE).await;
            assert_eq!(now(&app, &made).await["status"], "paying");
        }
        provider.misbehave(json!({})).await;
        sweep_after(&app, MINUTE).await;
        let row = now(&app, &made).await;
        assert_eq!((&row["status"], &row["knownBy"], &row["error"]), (&json!("success"), &json!("query"), &json!(null)));
    }
    assert_eq!(balance(&app).await, 1_000_000);
    assert_eq!(wrong(&app).await, []);
}

on_both!(an_order_is_closed_when_its_time_is_over_and_the_provider_says_that_it_is_not_paid);
async fn an_order_is_closed_when_its_time_is_over_and_the_provider_says_that_it_is_not_paid(app: TestApp) {
    let provider = FakeProvider::start().await;
    let channel = channel(&app, "wechat", &provider.address, json!({"dayCapCents": 5_000_000})).await;
    let (begun, untouched) = (order(&app, &channel, json!({})).await, order(&app, &channel, json!({})).await);
    begin(&app, &begun).await;
    assert_eq!(app.count("SELECT cents FROM payee_channel_day").await, 1_000_000);
    provider.misbehave(json!({"fail": true})).await;
    sweep_after(&app, 31 * MINUTE).await;
    assert_eq!(now(&app, &begun).await["status"], "paying", "the outcome is unknown");
    assert_eq!(now(&app, &untouched).await["status"], "closed");
    provider.misbehave(json!({})).await;
    sweep_after(&app, 15 * MINUTE).await;
    assert_eq!(now(&app, &begun).await["status"], "closed");
    assert_eq!(app.count("SELECT cents FROM payee_channel_day").await, 0);
    // Paid in the last moment, it is paid.
    let last = order(&app, &channel, json!({})).await;
    begin(&app, &last).await;
    assert!(provider.pay(&last, 0).await);
    sweep_after(&app, 31 * MINUTE).await;
    assert_eq!(now(&app, &last).await["status"], "success");
}

on_both!(a_cancelled_order_is_cancelled_at_the_provider_first);
async fn a_cancelled_order_is_cancelled_at_the_provider_first(app: TestApp) {
    let (provider, operator) = (FakeProvider::start().await, app.sign_in("operator").await);
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    let cancel = |row: &serde_json::Value| json!({"id": row["id"], "version": row["version"], "status": "cancelled"});
    let fresh = order(&app, &channel, json!({})).await;
    let row = operator.put("/payOrder/status", cancel(&fresh)).await.ok();
    assert_eq!(row["status"], "cancelled");
    operator.put("/payOrder/status", cancel(&row)).await.refused("1006");
    let begun = order(&app, &channel, json!({})).await;
    begin(&app, &begun).await;
    let row = operator.put("/payOrder/status", cancel(&now(&app, &begun).await)).await.ok();
    assert_eq!((&row["status"], &row["cancelAsked"]), (&json!("paying"), &json!(true)));
    operator.put("/payOrder/status", cancel(&row)).await.refused("1006");
    sweep_after(&app, SECOND).await;
    assert_eq!(now(&app, &begun).await["status"], "cancelled");
    // The payer was faster.
    let quick = order(&app, &channel, json!({})).await;
    begin(&app, &quick).await;
    assert!(provider.pay(&quick, 0).await);
    operator.put("/payOrder/status", cancel(&now(&app, &quick).await)).await.ok();
    sweep_after(&app, SECOND).await;
    assert_eq!(now(&app, &quick).await["status"], "success");
    let other = with(cancel(&quick), json!({"status": "success"}));
    operator.put("/payOrder/status", other).await.refused("1005");
}

on_both!(a_payment_by_bank_is_entered_by_one_and_confirmed_by_another);
async fn a_payment_by_bank_is_entered_by_one_and_confirmed_by_another(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let bank = channel(&app, "bank", "", json!({"feeBp": 0})).await;
    let made = order(&app, &bank, json!({})).await;
    let claim = json!({"id": made["id"], "version": made["version"], "channelOrderNo": "B-1", "paidAt": app.now()});
    operator.put("/payOrder/claim", with(claim.clone(), json!({"channelOrderNo": ""}))).await.wrong("channelOrderNo");
    operator.put("/payOrder/claim", with(claim.clone(), json!({"paidAt": app.now() + 10 * MINUTE}))).await.wrong("paidAt");
    let row = operator.put("/payOrder/claim", claim.clone()).await.ok();
    assert_eq!(row["claim"]["channelOrderNo"], "B-1");
    operator.put("/payOrder/claim", with(claim, json!({"version": row["version"]}))).await.refused("1006");
    let decide = |row: &serde_json::Value, approve: bool| json!({"id": row["id"], "version": row["version"], "approve": approve, "note": "对不上", "anotherPayment": true});
    operator.put("/payOrder/confirm", decide(&row, true)).await.refused("1006");
    // An order that waits for its decision does not expire.
    sweep_after(&app, 40 * MINUTE).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = admin.put("/payOrder/confirm", decide(&now(&app, &row).await, false)).await.ok();
    assert_eq!((&row["status"], &row["claim"]), (&json!("created"), &json!(null)));
    let again = json!({"id": row["id"], "version": row["version"], "channelOrderNo": "B-1", "paidAt": app.now()});
    let row = operator.put("/payOrder/claim", again).await.ok();
    let answers = futures_util::future::join_all((0..4).map(|_| admin.put("/payOrder/confirm", decide(&row, true)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1);
    assert_eq!(balance(&app).await, 500_000);
    // The number of a payment stands for one order.
    let other = order(&app, &bank, json!({})).await;
    let again = |row: &serde_json::Value, number: &str| json!({"id": row["id"], "version": row["version"], "channelOrderNo": number, "paidAt": app.now()});
    operator.put("/payOrder/claim", again(&other, "B-1")).await.wrong("channelOrderNo");
    let row = operator.put("/payOrder/claim", again(&other, "B-2")).await.ok();
    app.execute("UPDATE payment_order SET channel_order_no = 'B-2' WHERE channel_order_no = 'B-1'").await;
    admin.put("/payOrder/confirm", decide(&row, true)).await.refused("1006");
    let row = operator.put("/payOrder/claim/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
    assert_eq!(row["claim"], json!(null));
    assert_eq!((balance(&app).await, wrong(&app).await), (500_000, vec![]));
}

on_both!(a_payment_that_a_receipt_has_credited_pays_no_order);
async fn a_payment_that_a_receipt_has_credited_pays_no_order(app: TestApp) {
    let operator = app.sign_in("operator").await;
    testing::org::receipt::confirmed(&app).await;
    app.execute("UPDATE receipt SET bank_serial = 'B-7'").await;
    let bank = channel(&app, "bank", "", json!({})).await;
    let made = order(&app, &bank, json!({})).await;
    let claim = json!({"id": made["id"], "version": made["version"], "channelOrderNo": "B-7", "paidAt": app.now()});
    operator.put("/payOrder/claim", claim).await.wrong("channelOrderNo");
}

on_both!(an_organisation_pays_for_itself_and_sees_its_own_orders);
async fn an_organisation_pays_for_itself_and_sees_its_own_orders(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    // A channel of a payee that it does not pay is none of its own.
    north.post("/payOrder", order_form(&app, &channel, json!({})).await).await.wrong("payeeChannelId");
    app.execute("UPDATE organisation SET payee_org_id = (SELECT MIN(id) FROM payee_organisation)").await;
    assert_eq!(north.get("/payChannel/options").await.ok().as_array().unwrap().len(), 1);
    north.post("/payChannel/page", json!({})).await.refused("1003");
    let made = north.post("/payOrder", order_form(&app, &channel, json!({})).await).await.ok();
    south.post("/payOrder", order_form(&app, &channel, json!({})).await).await.wrong("orgId");
    for path in ["", "history/", "notices/"] {
        north.get(&format!("/payOrder/{path}{}", made["id"])).await.ok();
        south.get(&format!("/payOrder/{path}{}", made["id"])).await.refused("1004");
    }
    south.put("/payOrder/status", json!({"id": made["id"], "version": 1, "status": "cancelled"})).await.refused("1004");
    assert_eq!(south.post("/payOrder/page", json!({})).await.ok()["total"], 0);
    begin(&app, &made).await;
    assert!(provider.pay(&made, 1).await);
    let row = north.get(&format!("/payOrder/{}", made["id"])).await.ok();
    assert_eq!(row["status"], "success");
    assert_eq!(north.get(&format!("/payOrder/notices/{}", made["id"])).await.ok(), json!([]), "what the provider wrote is the platform's");
    north
        .put("/payOrder/claim", json!({"id": row["id"], "version": row["version"], "channelOrderNo": "x", "paidAt": 1}))
        .await
        .refused("1003");
}

// Parallel requests passed the count.
on_both!(an_organisation_has_twenty_open_orders_at_most_however_they_are_asked_for);
async fn an_organisation_has_twenty_open_orders_at_most_however_they_are_asked_for(app: TestApp) {
    let (provider, node) = (FakeProvider::start().await, app.node().await);
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    app.execute("UPDATE organisation SET payee_org_id = (SELECT MIN(id) FROM payee_organisation)").await;
    let here = app.sign_in("north.manager").await;
    for _ in 0..17 {
        here.post("/payOrder", order_form(&app, &channel, json!({})).await).await.ok();
    }
    let (there, form) = (node.with_token(here.token()), order_form(&app, &channel, json!({})).await);
    let answers = futures_util::future::join_all((0..8).map(|number| {
        let wanted = with(form.clone(), json!({"subject": format!("账户充值 {number}")}));
        let actor = if number % 2 == 0 { &here } else { &there };
        actor.post("/payOrder", wanted)
    }))
    .await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 3);
    assert!(answers.iter().all(|answer| ["0000", "1006"].contains(&answer.code().as_str())));
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_order WHERE status IN ('created', 'paying')").await, 20);
}

on_both!(what_is_no_order_is_refused);
async fn what_is_no_order_is_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let bank = channel(&app, "bank", "", json!({"dayCapCents": 6_000_000})).await;
    let form = order_form(&app, &bank, json!({})).await;
    for (field, changes) in [
        ("orgId", json!({"orgId": 999})),
        ("payeeChannelId", json!({"payeeChannelId": 999})),
        ("amountCents", json!({"amountCents": -1})),
        ("amountCents", json!({"amountCents": 99})),
        ("amountCents", json!({"amountCents": 5_000_001})),
        ("minutes", json!({"minutes": 1})),
        ("subject", json!({"subject": ""})),
        ("clueNo", json!({"clueNo": "CL1"})),
        ("clueNo", json!({"bizType": "service_fee"})),
        ("clueNo", json!({"bizType": "service_fee", "clueNo": "CL404"})),
    ] {
        operator.post("/payOrder", with(form.clone(), changes)).await.wrong(field);
    }
    for changes in [json!({"amountCents": 1.234}), json!({"bizType": "gold"}), json!({"status": "success"})] {
        operator.post("/payOrder", with(form.clone(), changes)).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_order").await, 0);
    // A day takes no more than its cap, also under concurrent requests.
    let wanted = with(form, json!({"amountCents": 2_500_000}));
    let answers = futures_util::future::join_all((0..5).map(|_| operator.post("/payOrder", wanted.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 2);
}

on_both!(a_channel_of_a_disabled_payee_takes_no_new_orders);
async fn a_channel_of_a_disabled_payee_takes_no_new_orders(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let bank = channel(&app, "bank", "", json!({})).await;
    let stopped = channel(&app, "link_pool", "", json!({})).await;
    operator.put("/payChannel/status", json!({"id": stopped["id"], "version": stopped["version"], "status": "disabled"})).await.ok();
    app.execute("UPDATE organisation SET payee_org_id = (SELECT MIN(id) FROM payee_organisation)").await;
    let north = app.sign_in("north.manager").await;
    let offered = async |who: &Actor, query: &str| who.get(&format!("/payChannel/options{query}")).await.ok().as_array().unwrap().len();
    assert_eq!((offered(&operator, "").await, offered(&operator, "?open=true").await, offered(&north, "?open=true").await), (2, 1, 1));
    let open = order(&app, &bank, json!({})).await;

    let row = admin.get(&format!("/org/payee/{}", bank["payeeOrgId"])).await.ok();
    let changes = json!({"id": row["id"], "version": row["version"], "bankAccount": null, "status": "disabled"});
    admin.put("/org/payee", with(payee::form("领航收款"), changes)).await.ok();
    for who in [&operator, &north] {
        let refused = who.post("/payOrder", order_form(&app, &bank, json!({})).await).await.wrong("payeeChannelId");
        assert!(refused.contains("收款主体已停用"), "{refused}");
        assert_eq!(offered(who, "?open=true").await, 0);
    }
    // What is open goes on.
    assert_eq!((now(&app, &open).await["status"].clone(), offered(&operator, "").await), (json!("created"), 2));
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_order").await, 1);
}

on_both!(a_service_fee_is_money_of_its_clue);
async fn a_service_fee_is_money_of_its_clue(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    testing::crm::clue(&app, "north", None).await;
    let no = app.text("SELECT no FROM clue").await;
    let row = paid(&app, &provider, &channel, json!({"bizType": "service_fee", "clueNo": no.to_lowercase(), "amountCents": 80_000})).await;
    assert_eq!((&row["clueNo"], &row["rechargeNo"]), (&json!(no), &json!(null)));
    assert_eq!(balance(&app).await, 0);
    let received =
        app.count("SELECT CAST(SUM(amount_cents) AS BIGINT) FROM money_record WHERE status = 'confirmed' AND type = 'service'").await;
    assert_eq!(received, 80_000);
}

on_both!(what_a_provider_is_given_holds_no_fields_of_its_own);
async fn what_a_provider_is_given_holds_no_fields_of_its_own(app: TestApp) {
    let (provider, operator) = (FakeProvider::start().await, app.sign_in("operator").await);
    reachable(&app).await;
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    // Nor a number that payers could take for the account to pay to.
    for text in ["充值&out_trade_no", "a=b", "a\nb", "a\u{7f}b", "请改付 工行 9900 1234 5678 0000", "账号６２２２０２１２３４５６７８９０"]
    {
        let answer = operator.post("/payOrder", order_form(&app, &channel, json!({"subject": text})).await).await;
        answer.wrong("subject");
    }
    // One that was made before the rule is paid all the same.
    let made = order(&app, &channel, json!({})).await;
    app.execute("UPDATE payment_order SET subject = 'a&b=c'").await;
    begin(&app, &made).await;
    assert!(provider.pay(&made, 1).await);
    let row = now(&app, &made).await;
    assert_eq!(row["status"], "success");
    let refund = json!({"paymentOrderId": row["id"], "amountCents": 1, "reason": "a&b=c"});
    operator.post("/payRefund", refund).await.wrong("reason");
}
