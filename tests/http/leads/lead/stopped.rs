//! Applicants who are sold no more: marked invalid by a member of staff, or their consent withdrawn.

use base::db::Engine;
use futures_util::future::join_all;
use lead::distribution;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::deliver::frozen;
use testing::feedback::grant;
use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring, channel, phone, plan, story};
use testing::open::{Call, Partner, partner};
use testing::plan::begin;
use testing::{Actor, Answer, TestApp, on_both, run};

fn invalid(user: &Value, changes: Value) -> Value {
    testing::org::with(json!({"id": user["id"], "version": user["version"], "reason": "wrong_number"}), changes)
}

fn withdrawal(user: &Value, every: bool) -> Value {
    json!({"id": user["id"], "version": user["version"], "everyApplication": every, "note": "来电要求撤回"})
}

/// A channel's server reports that a consent is withdrawn.
async fn report(app: &TestApp, partner: &Partner, body: Value) -> Answer {
    let nonce = format!("w-{}", app.count("SELECT COUNT(*) FROM nonce").await);
    Call { path: "/open/consent/withdraw", ..Call::of(app, partner, &nonce, &body) }.make(&app.stranger()).await
}

async fn listed(admin: &Actor, filters: Value) -> Vec<Value> {
    admin.post("/user/page", filters).await.ok()["list"].as_array().unwrap().clone()
}

async fn statuses(app: &TestApp) -> (String, String) {
    (app.text("SELECT status FROM push_record").await, app.text("SELECT status FROM applicant").await)
}

// The hold is released, no plan is looked for, and a person can take it back.
on_both!(an_invalid_applicant_is_sold_no_more_until_marked_valid);
async fn an_invalid_applicant_is_sold_no_more_until_marked_valid(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(401, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let user = story(&app, &admin).await;
    assert_eq!(frozen(&app).await, 4500);
    app.sign_in("auditor").await.put("/user/invalid", invalid(&user, json!({}))).await.refused("1003");
    admin.put("/user/invalid", invalid(&user, json!({"reason": "other"}))).await.wrong("note");
    admin.put("/user/invalid", invalid(&user, json!({"note": "长".repeat(201)}))).await.wrong("note");
    admin.put("/user/invalid", invalid(&user, json!({"reason": "tired"}))).await.refused("4000");
    admin.put("/user/invalid", invalid(&user, json!({"version": 0}))).await.refused("1005");
    admin.put("/user/valid", json!({"id": user["id"], "version": user["version"]})).await.refused("1006");

    let note = format!("{} 是空号，张小三", phone(1));
    let both = join_all((0..3).map(|_| admin.put("/user/invalid", invalid(&user, json!({ "note": note })))));
    let codes: Vec<String> = both.await.iter().map(|answer| answer.code().to_owned()).collect();
    assert_eq!(codes.iter().filter(|code| *code == "0000").count(), 1, "{codes:?}");
    assert_eq!((statuses(&app).await, frozen(&app).await), (("cancelled".to_owned(), "invalid".to_owned()), 0));
    assert_eq!(app.text("SELECT reject_reason FROM push_record").await, "invalid");
    let marked = story(&app, &admin).await;
    assert_eq!((&marked["invalidReason"], &marked["invalidNote"]), (&json!("wrong_number"), &json!("100****0001 是空号，张**")));
    assert_eq!(listed(&admin, json!({"invalidReason": "wrong_number"})).await.len(), 1);
    assert_eq!(listed(&admin, json!({"invalidReason": "no_demand"})).await.len(), 0);

    buyer.answers(200, json!({"code": "0000"}));
    app.distribute().await;
    let again = json!({"id": marked["id"], "version": marked["version"]});
    admin.put("/user/distribute", again.clone()).await.refused("1006");
    let push = admin.post("/plan/push/page", json!({})).await.ok()["list"][0].clone();
    admin.post("/plan/push/again", json!({"id": push["id"], "status": "cancelled"})).await.refused("1006");
    admin.put("/user/invalid", invalid(&marked, json!({}))).await.refused("1006");
    assert_eq!(statuses(&app).await.1, "invalid");

    // The number is still wrong when another channel brings it; who only wanted no loan may come again.
    let other = testing::open::partner(&app, "other-chan", json!({"dedupDays": 30})).await;
    assert_eq!(bring(&app, &other, "o-1", application(1, json!({}))).await.ok()["status"], "duplicate");
    app.execute("UPDATE applicant SET invalid_reason = 'no_demand' WHERE invalid_reason IS NOT NULL").await;
    assert_eq!(bring(&app, &other, "o-2", application(1, json!({"applicant": {"age": 29}}))).await.ok()["accepted"], true);
    app.execute("UPDATE applicant SET status = 'unmatched', due_at = NULL WHERE request_id = 'o-2'").await;

    let valid = admin.put("/user/valid", again).await.ok();
    assert_eq!((&valid["status"], &valid["invalidReason"]), (&json!("unmatched"), &Value::Null));
    admin.put("/user/distribute", json!({"id": valid["id"], "version": valid["version"]})).await.ok();
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'").await, 1);
    let history = admin.get(&format!("/user/history/{}", user["id"])).await.ok().to_string();
    assert!(history.contains("invalidNote") && !history.contains("张小三") && !history.contains(&phone(1)), "{history}");
    books(&app).await;
}

// A lead whose delivery is due is not sent once the mark or the withdrawal is there, however it came about.
on_both!(what_waits_to_be_sent_is_cancelled_when_it_is_due);
async fn what_waits_to_be_sent_is_cancelled_when_it_is_due(app: TestApp) {
    let (_, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(401, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    buyer.received();
    app.execute("UPDATE applicant SET status = 'invalid', invalid_reason = 'false_data', due_at = NULL WHERE request_id = 'r-1'").await;
    app.execute(
        "UPDATE consent_record SET revoked_at = 1, revoked_via = 'channel' WHERE user_id = (SELECT id FROM applicant WHERE request_id = 'r-2')",
    )
    .await;
    buyer.answers(200, json!({"code": "0000"}));
    app.advance(3_600_000);
    app.distribute().await;
    assert_eq!(app.text("SELECT MIN(reject_code) FROM push_record").await, "consent");
    assert_eq!(app.text("SELECT MAX(reject_code) FROM push_record").await, "invalid");
    assert_eq!((frozen(&app).await, buyer.received().len()), (0, 0));
    books(&app).await;
}

// What may have arrived is asked for still, and not sent again.
on_both!(an_unconfirmed_lead_of_a_withdrawn_consent_becomes_clear_by_the_question);
async fn an_unconfirmed_lead_of_a_withdrawn_consent_becomes_clear_by_the_question(app: TestApp) {
    let asked =
        json!({"queryUrl": "https://api.example.com/query", "queryOkExpr": "code == \"0000\"", "queryNoneExpr": "code == \"NONE\""});
    let (admin, partner, buyer) = by_api(&app, asked, json!({})).await;
    buyer.answers_rubbish();
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(app.text("SELECT status FROM push_record").await, "unconfirmed");
    buyer.received();
    report(&app, &partner, json!({"requestId": "r-1"})).await.ok();
    buyer.knows(200, json!({"code": "NONE"}));
    app.advance(3_600_000);
    app.distribute().await;
    app.advance(3_600_000);
    app.distribute().await;
    drop(admin);
    let admin = app.sign_in("admin").await;
    let push = admin.post("/plan/push/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!((&push["status"], &push["rejectCode"]), (&json!("cancelled"), &json!("consent")));
    assert_eq!((buyer.received().len(), frozen(&app).await), (0, 0));
    books(&app).await;
}

// The consent holds for the sale, the delivery, another round and a push by hand; the buyer gets a message; the register stays.
on_both!(a_withdrawn_consent_ends_every_sale);
async fn a_withdrawn_consent_ends_every_sale(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(401, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let user = story(&app, &admin).await;
    app.sign_in("auditor").await.put("/user/consent/withdraw", withdrawal(&user, false)).await.refused("1003");
    admin.put("/user/consent/withdraw", testing::org::with(withdrawal(&user, false), json!({"note": " "}))).await.wrong("note");
    admin.put("/user/consent/withdraw", testing::org::with(withdrawal(&user, false), json!({"version": 0}))).await.refused("1005");
    assert_eq!(listed(&admin, json!({"consent": "given"})).await.len(), 1);
    let after = admin.put("/user/consent/withdraw", withdrawal(&user, false)).await.ok();
    assert!(after["consentWithdrawnAt"].is_i64());
    assert_eq!((&after["status"], frozen(&app).await), (&json!("unmatched"), 0));
    assert_eq!(app.text("SELECT reject_code FROM push_record").await, "consent");
    assert_eq!(
        (listed(&admin, json!({"consent": "given"})).await.len(), listed(&admin, json!({"consent": "withdrawn"})).await.len()),
        (0, 1)
    );

    buyer.answers(200, json!({"code": "0000"}));
    app.distribute().await;
    app.advance(3 * 3_600_000);
    app.distribute().await;
    let admin = app.sign_in("admin").await;
    admin.put("/user/distribute", json!({"id": after["id"], "version": after["version"]})).await.refused("1006");
    let push = admin.post("/plan/push/page", json!({})).await.ok()["list"][0].clone();
    admin.post("/plan/push/again", json!({"id": push["id"], "status": "cancelled"})).await.refused("1006");
    admin.put("/user/consent/withdraw", withdrawal(&after, false)).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 1);
    let after_withdrawal = story(&app, &admin).await;
    assert_eq!(after_withdrawal["consents"][0]["revokedVia"], "staff");
    assert!(admin.get(&format!("/user/history/{}", user["id"])).await.ok().to_string().contains("来电要求撤回"));
    // Marked valid again, an applicant without consent is not looked at.
    let marked = admin.put("/user/invalid", invalid(&after_withdrawal, json!({}))).await.ok();
    let valid = admin.put("/user/valid", json!({"id": marked["id"], "version": marked["version"]})).await.ok();
    assert_eq!((&valid["status"], app.count("SELECT COUNT(*) FROM applicant WHERE due_at IS NOT NULL").await), (&json!("unmatched"), 0));
    books(&app).await;
}

on_both!(buyers_get_a_message_and_every_application_of_the_phone_is_meant);
async fn buyers_get_a_message_and_every_application_of_the_phone_is_meant(app: TestApp) {
    begin(&app);
    let (admin, first) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0, "dedupScope": "channel"})).await);
    let second = partner(
        &app,
        "second-chan",
        json!({"settleMode": "accepted_lead", "unitPriceCents": 1000, "dedupDays": 0, "dedupScope": "channel"}),
    )
    .await;
    plan(&app, &admin, json!({})).await;
    grant(&app, "org_manager", "plan/push-list").await;
    bring(&app, &first, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    bring(&app, &second, "r-2", application(1, json!({}))).await.ok();
    app.distribute().await;
    let users = listed(&admin, json!({})).await;
    assert_eq!(users.len(), 2);
    let before = app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'consent'").await;
    let sold = users.iter().find(|user| user["status"] == "distributed").unwrap();
    admin.put("/user/consent/withdraw", withdrawal(sold, true)).await.ok();
    assert_eq!(listed(&admin, json!({"consent": "withdrawn"})).await.len(), 2);
    assert!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'consent' AND org_id IS NOT NULL").await > before);
    let titles = app.sign_in("north.manager").await.post("/message/page", json!({})).await.ok().to_string();
    assert!(titles.contains("申请人已撤回授权"), "{titles}");
    // Who works on the clue sees it, and may send no texts.
    let clue = app.count("SELECT id FROM clue").await;
    let seen = admin.get(&format!("/crm/clue/{clue}")).await.ok();
    assert!(seen["applicant"]["consentWithdrawnAt"].is_i64(), "{seen}");
    // What was sold stays sold.
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'").await, 1);
    books(&app).await;
}

on_both!(a_channel_reports_a_withdrawal);
async fn a_channel_reports_a_withdrawal(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(401, json!({}));
    let no = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok()["no"].clone();
    app.distribute().await;
    let other = testing::open::partner(&app, "other-chan", json!({})).await;
    report(&app, &other, json!({"requestId": "r-1"})).await.wrong("requestId");
    report(&app, &other, json!({"no": no})).await.wrong("no");
    report(&app, &partner, json!({"requestId": "r-9"})).await.wrong("requestId");
    report(&app, &partner, json!({})).await.wrong("requestId");
    report(&app, &partner, json!({"requestId": "r-1", "no": no})).await.wrong("requestId");
    report(&app, &partner, json!({"requestId": "r-1", "phone": phone(1)})).await.refused("4000");
    let done = report(&app, &partner, json!({"requestId": "r-1"})).await.ok();
    assert_eq!((&done["no"], &done["cancelled"], &done["taken"], frozen(&app).await), (&no, &json!(1), &json!(0), 0));
    let again = report(&app, &partner, json!({"no": no})).await.ok();
    assert_eq!((&again["withdrawnAt"], &again["cancelled"]), (&done["withdrawnAt"], &json!(0)));
    assert_eq!(story(&app, &admin).await["consents"][0]["revokedVia"], "channel");
    // The same signed call counts once.
    let body = json!({"no": no});
    let call = || Call { path: "/open/consent/withdraw", ..Call::of(&app, &partner, "once", &body) };
    call().make(&app.stranger()).await.ok();
    call().make(&app.stranger()).await.refused("3004");
    books(&app).await;
}

/// Sales and withdrawals at once, on two nodes: what is sold after a withdrawal is not sent, and holds are released once.
#[tokio::test]
async fn a_withdrawal_and_a_sale_at_once_leave_no_lead_on_its_way() {
    run(Engine::Postgres, |app| async move {
        let (_, partner, buyer) = by_api(&app, json!({}), json!({})).await;
        buyer.answers(401, json!({}));
        let node = app.node().await;
        let stop = CancellationToken::new();
        let workers = [&app, &node].map(|app| tokio::spawn(distribution::work(app.app.clone(), stop.clone())));
        let withdrawn = join_all((1..=24).map(|number| {
            let (app, partner, node) = (&app, &partner, &node);
            async move {
                let request = format!("r-{number}");
                bring(app, partner, &request, application(number, json!({}))).await.ok();
                tokio::time::sleep(std::time::Duration::from_millis(u64::from(number % 8) * 7)).await;
                let nonce = format!("race-{number}");
                let body = json!({ "requestId": request });
                let call = Call { path: "/open/consent/withdraw", ..Call::of(node, partner, &nonce, &body) };
                call.make(&node.stranger()).await.code().to_owned()
            }
        }))
        .await;
        assert!(withdrawn.iter().all(|code| code == "0000"), "{withdrawn:?}");
        for _ in 0..600 {
            if app.count("SELECT COUNT(*) FROM applicant WHERE status = 'matching'").await == 0 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        stop.cancel();
        for worker in workers {
            worker.await.unwrap();
        }
        // What was sold a moment before the withdrawal is cancelled when it comes to be sent.
        app.advance(2 * 3_600_000);
        app.distribute().await;
        let left = "SELECT COALESCE(MAX(status || ' ' || COALESCE(reject_code, '')), '') FROM push_record WHERE status <> 'cancelled'";
        assert_eq!(app.text(left).await, "");
        assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE due_at IS NOT NULL").await, 0);
        assert_eq!(frozen(&app).await, 0);
        books(&app).await;
    })
    .await;
}
