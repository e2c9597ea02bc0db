//! Pushes that people cancel and push again: `/plan/push/cancel`, `/plan/push/again`.

use base::db::Engine;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::deliver::frozen;
use testing::feedback::grant;
use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring, phone, plan, story};
use testing::{Actor, TestApp, on_both, run};

/// The pushes, the first first.
async fn pushes(admin: &Actor) -> Vec<Value> {
    admin.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok()["list"].as_array().unwrap().clone()
}

fn again(push: &Value) -> Value {
    json!({"id": push["id"], "status": push["status"]})
}

fn cancelled(push: &Value, note: &str) -> Value {
    json!({"id": push["id"], "status": push["status"], "note": note})
}

// The hold is released once, the plan is not offered the lead again by itself, and the next plan buys it.
on_both!(a_push_that_waits_is_cancelled_by_a_person);
async fn a_push_that_waits_is_cancelled_by_a_person(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    buyer.answers(401, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let push = pushes(&admin).await[0].clone();
    assert_eq!((&push["status"], frozen(&app).await), (&json!("retrying"), 4500));
    admin.put("/plan/push/cancel", cancelled(&push, " ")).await.refused("1001");
    app.sign_in("auditor").await.put("/plan/push/cancel", cancelled(&push, "x")).await.refused("1003");
    let other = json!({"id": push["id"], "status": "queued", "note": "x"});
    admin.put("/plan/push/cancel", other).await.refused("1005");
    grant(&app, "org_manager", "plan/push-list").await;
    app.sign_in("north.manager").await.put("/plan/push/cancel", cancelled(&push, "x")).await.refused("1003");
    app.sign_in("south.manager").await.put("/plan/push/cancel", cancelled(&push, "x")).await.refused("1004");

    let both = join_all((0..4).map(|_| admin.put("/plan/push/cancel", cancelled(&push, "机构 13812345678 来电"))));
    let codes: Vec<String> = both.await.iter().map(|answer| answer.code().to_owned()).collect();
    assert_eq!(codes.iter().filter(|code| *code == "0000").count(), 1, "{codes:?}");
    let after = pushes(&admin).await[0].clone();
    assert_eq!((&after["status"], &after["rejectReason"], frozen(&app).await), (&json!("cancelled"), &json!("by_hand"), 0));
    app.distribute().await;
    let all = pushes(&admin).await;
    assert_eq!((all.len(), &all[1]["planName"], &all[1]["status"]), (2, &json!("south"), &json!("accepted")));
    let seen = admin.get(&format!("/plan/push/{}", push["id"])).await.ok();
    assert_eq!(seen["verdicts"].as_array().unwrap().len(), 1);
    assert_eq!((&seen["verdicts"][0]["decision"], &seen["verdicts"][0]["note"]), (&json!("cancelled"), &json!("机构 138****5678 来电")));
    let theirs = app.sign_in("north.manager").await.get(&format!("/plan/push/{}", push["id"])).await.ok();
    assert!(!theirs.to_string().contains("来电"), "{theirs}");
    admin.put("/plan/push/cancel", cancelled(&after, "x")).await.refused("1006");
    books(&app).await;
}

// What is being sent, and what may have arrived, is neither cancelled nor pushed again.
on_both!(what_may_have_arrived_is_left_alone);
async fn what_may_have_arrived_is_left_alone(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"timeoutMs": 10_000}), json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let meets = buyer.waits();
    let meanwhile = async {
        buyer.until_it_has(1).await;
        let push = pushes(&admin).await[0].clone();
        assert_eq!(push["status"], "sending");
        admin.put("/plan/push/cancel", cancelled(&push, "x")).await.refused("1006");
        admin.post("/plan/push/again", again(&push)).await.refused("1006");
        buyer.answers_rubbish();
        meets.notify_one();
    };
    tokio::join!(app.distribute(), meanwhile);
    // What it answers was read before the call; the next is rubbish.
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    meets.notify_one();
    app.distribute().await;
    let push = pushes(&admin).await[1].clone();
    assert_eq!((&push["status"], frozen(&app).await), (&json!("unconfirmed"), 4500));
    admin.put("/plan/push/cancel", cancelled(&push, "x")).await.refused("1006");
    admin.post("/plan/push/again", again(&push)).await.refused("1006");
    admin.get(&format!("/plan/push/again/{}", push["id"])).await.refused("1006");
    assert_eq!((pushes(&admin).await.len(), frozen(&app).await), (2, 4500));
    books(&app).await;
}

/// Other sales of the same account wait for the end of a repetition alone, not for its trail.
#[tokio::test]
async fn a_repetition_holds_money_and_caps_last() {
    run(Engine::Postgres, |app| async move {
        let caps = json!([{"window": "day", "weekday": null, "maxCount": 10, "maxCents": null}]);
        let (admin, partner, buyer) = by_api(&app, json!({}), json!({"caps": caps})).await;
        buyer.answers(401, json!({}));
        bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
        app.distribute().await;
        let waiting = pushes(&admin).await[0].clone();
        let push = admin.put("/plan/push/cancel", cancelled(&waiting, "x")).await.ok();
        assert!(app.count("SELECT COUNT(*) FROM cap_counter").await > 0, "there is a counter to be held");
        let mut held = app.app.db.begin().await.unwrap();
        sqlx::query("LOCK TABLE operation_log IN EXCLUSIVE MODE").execute(&mut *held).await.unwrap();
        let meanwhile = async {
            app.until_somebody_waits().await;
            let mut other = app.app.db.begin().await.unwrap();
            for free in ["SELECT id FROM org_account FOR UPDATE NOWAIT", "SELECT rule_id FROM cap_counter FOR UPDATE NOWAIT"] {
                sqlx::query(free).fetch_all(&mut *other).await.expect(free);
            }
            other.rollback().await.unwrap();
            held.rollback().await.unwrap();
        };
        let (new, ()) = tokio::join!(admin.post("/plan/push/again", again(&push)), meanwhile);
        assert_eq!((&new.ok()["repeatsNo"], frozen(&app).await), (&push["no"], 4500));
        books(&app).await;
    })
    .await;
}

// A cancelled push goes to the same plan when a person says so, and by itself it does not.
on_both!(a_cancelled_push_is_pushed_again_by_a_person_alone);
async fn a_cancelled_push_is_pushed_again_by_a_person_alone(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(401, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let waiting = pushes(&admin).await[0].clone();
    let push = admin.put("/plan/push/cancel", cancelled(&waiting, "x")).await.ok();
    buyer.answers(200, json!({"code": "0000"}));
    app.distribute().await;
    app.advance(3 * 3_600_000);
    app.distribute().await;
    let admin = app.sign_in("admin").await;
    assert_eq!((pushes(&admin).await.len(), &story(&app, &admin).await["status"]), (1, &json!("unmatched")));
    let new = admin.post("/plan/push/again", again(&push)).await.ok();
    assert_eq!((&new["repeatsNo"], &new["edited"]), (&push["no"], &json!(false)));
    assert_eq!((&story(&app, &admin).await["status"], frozen(&app).await), (&json!("distributed"), 4500));
    app.distribute().await;
    let all = pushes(&admin).await;
    assert_eq!((&all[1]["status"], &all[0]["repeatedNo"], &all[0]["status"]), (&json!("accepted"), &new["no"], &json!("cancelled")));
    assert_eq!((all.len(), frozen(&app).await), (2, 0));
    books(&app).await;
}

// The buyer gets the edited data, by API and in the back-office; the applicant, the phone and the first push stay as they were.
on_both!(a_refused_push_is_pushed_again_with_edited_data);
async fn a_refused_push_is_pushed_again_with_edited_data(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(200, json!({"code": "NAME", "msg": "姓名有误"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let push = pushes(&admin).await[0].clone();
    assert_eq!(push["status"], "rejected");
    buyer.received();
    let path = format!("/plan/push/again/{}", push["id"]);
    app.sign_in("auditor").await.get(&path).await.refused("1003");
    let terms = admin.get(&path).await.ok();
    assert_eq!((&terms["planName"], &terms["priceCents"], &terms["applicant"]["age"]), (&json!("api"), &json!(4500), &json!(30)));
    assert!(!terms.to_string().contains("张小三") && !terms.to_string().contains(&phone(1)), "{terms}");

    let edited = |data: Value| json!({"id": push["id"], "status": "rejected", "edited": data});
    for (wrong, field) in [
        (json!({"applicant": {"age": 50}}), "edited.applicant.age"),
        (json!({"applicant": {"height": 180}}), "edited.applicant.height"),
        (json!({"applicant": {"star": 3}}), "edited.applicant"),
        (json!({"name": "x".repeat(33), "applicant": {}}), "edited.name"),
    ] {
        let answer = admin.post("/plan/push/again", edited(wrong)).await;
        assert!(answer.code() == "1001" && String::from_utf8_lossy(&answer.body).contains(field), "{field}: {:?}", answer.body);
    }
    admin.post("/plan/push/again", edited(json!({"phone": phone(2), "applicant": {}}))).await.refused("4000");
    buyer.answers(200, json!({"code": "0000", "data": {"orderNo": "B-7"}}));
    let said = json!({"age": 31, "sex": "male", "city": "杭州市", "applyAmountCents": 6_000_000, "house": "none"});
    let new = admin.post("/plan/push/again", edited(json!({"name": "张小四", "province": "浙江", "applicant": said}))).await.ok();
    assert_eq!((&new["status"], &new["city"], &new["edited"]), (&json!("queued"), &json!("330100"), &json!(true)));
    app.distribute().await;
    let sent = buyer.received();
    assert_eq!((&sent[0]["userName"], &sent[0]["mobile"], &sent[0]["city"]), (&json!("张小四"), &json!(phone(1)), &json!("杭州市")));
    assert_eq!((&sent[0]["amount"], &sent[0]["leadNo"]), (&json!(60_000), &new["no"]));
    let applicant = story(&app, &admin).await;
    assert_eq!(
        (&applicant["said"]["age"], &applicant["city"], applicant["money"].as_array().unwrap().len()),
        (&json!(30), &json!("310100"), 1)
    );
    grant(&app, "org_manager", "plan/push-list").await;
    let theirs = app.sign_in("north.manager").await.get(&format!("/plan/push/reveal/{}", new["id"])).await.ok();
    assert_eq!((&theirs["name"], &theirs["phone"]), (&json!("张小四"), &json!(phone(1))));
    assert_eq!((&theirs["applicant"]["age"], &theirs["applicant"]["said"]["city"]), (&json!(31), &json!("330100")));

    // Once each, and not what was sold.
    for (id, status) in [(&push["id"], "rejected"), (&new["id"], "accepted")] {
        admin.post("/plan/push/again", json!({"id": id, "status": status})).await.refused("1006");
    }
    let trail = app.text("SELECT diff FROM operation_log WHERE target_type = 'push_record' ORDER BY id DESC LIMIT 1").await;
    assert!(trail.contains("editedName") && trail.contains("330100") && !trail.contains("张小四"), "{trail}");
    admin.delete(&format!("/user/{}", applicant["id"])).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE edited_enc IS NOT NULL").await, 0);
    books(&app).await;
}

// Everything that a sale asks is asked again.
on_both!(what_keeps_a_sale_away_keeps_a_repetition_away);
async fn what_keeps_a_sale_away_keeps_a_repetition_away(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(200, json!({"code": "NO", "msg": "不符"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let push = pushes(&admin).await[0].clone();
    for (closed, open) in [
        ("UPDATE plan SET status = 'paused'", "UPDATE plan SET status = 'running'"),
        ("UPDATE consent_record SET revoked_at = 1", "UPDATE consent_record SET revoked_at = NULL"),
        ("UPDATE organisation SET status = 'paused'", "UPDATE organisation SET status = 'active'"),
        ("UPDATE plan SET ends_on = '2020-01-01'", "UPDATE plan SET ends_on = NULL"),
        ("UPDATE plan SET cities = '[\"北京市\"]'", "UPDATE plan SET cities = '[]'"),
        (
            "UPDATE org_account SET balance_cents = balance_cents - 90000000",
            "UPDATE org_account SET balance_cents = balance_cents + 90000000",
        ),
    ] {
        app.execute(closed).await;
        admin.post("/plan/push/again", again(&push)).await.refused("1006");
        admin.get(&format!("/plan/push/again/{}", push["id"])).await.refused("1006");
        app.execute(open).await;
    }
    let entry = json!({"kind": "phone", "value": phone(1), "scope": "global", "source": "manual", "reason": "x"});
    admin.post("/blacklist", entry).await.ok();
    admin.post("/plan/push/again", again(&push)).await.refused("1006");
    app.execute("DELETE FROM blacklist_entry").await;
    // The organisation has had the person meanwhile as another applicant, or another organisation has the person alone.
    app.execute(
        "INSERT INTO push_record (no, phone_hash, name_mask, phone_mask, city, plan_id, org_id, channel_id, sale_mode, price_cents, status, \
           attempts, created_at, updated_at) SELECT 'PS-2', phone_hash, name_mask, phone_mask, city, plan_id, org_id, channel_id, sale_mode, \
           price_cents, 'accepted', 1, created_at, updated_at FROM push_record",
    )
    .await;
    for taken in [
        "UPDATE push_record SET most_buyers = 1 WHERE no = 'PS-2'",
        "UPDATE push_record SET org_id = (SELECT id FROM organisation WHERE code = 'south') WHERE no = 'PS-2'",
    ] {
        app.execute(taken).await;
        admin.post("/plan/push/again", again(&push)).await.refused("1006");
    }
    assert_eq!((app.count("SELECT COUNT(*) FROM push_record").await, frozen(&app).await), (2, 0));
    app.execute("UPDATE push_record SET status = 'rejected' WHERE no = 'PS-2'").await;
    admin.post("/plan/push/again", again(&push)).await.ok();
    assert_eq!(frozen(&app).await, 4500);
}

// Two people who press at once make one push.
on_both!(two_presses_make_one_push);
async fn two_presses_make_one_push(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(200, json!({"code": "NO", "msg": "不符"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let push = pushes(&admin).await[0].clone();
    let people = [admin, app.sign_in("admin").await];
    let pressed = join_all((0..6).map(|number| {
        let (people, push) = (&people, &push);
        async move { people[number % 2].post("/plan/push/again", again(push)).await.code().to_owned() }
    }));
    let codes = pressed.await;
    assert_eq!(codes.iter().filter(|code| *code == "0000").count(), 1, "{codes:?}");
    assert_eq!((app.count("SELECT COUNT(*) FROM push_record").await, frozen(&app).await), (2, 4500));
    books(&app).await;
}

// What rules look at next is what was edited; what was sold stays as its buyer got it.
on_both!(an_applicant_is_edited_and_what_was_sold_stays);
async fn an_applicant_is_edited_and_what_was_sold_stays(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(401, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let applicant = story(&app, &admin).await;
    let said = admin.get(&format!("/user/said/{}", applicant["id"])).await.ok();
    assert_eq!((&said["applicant"]["age"], &said["province"]), (&json!(30), &json!("310000")));
    let with = |changes: Value| json!({"id": applicant["id"], "version": said["version"], "said": changes});
    let new = json!({"name": "张小四", "province": "浙江", "applicant": {"age": 31, "city": "杭州市", "applyAmountCents": 6_000_000}});
    app.sign_in("auditor").await.put("/user", with(new.clone())).await.refused("1003");
    for (wrong, field) in [(json!({"applicant": {"age": 50}}), "said.applicant.age"), (json!({"name": "x".repeat(33)}), "said.name")] {
        let answer = admin.put("/user", with(wrong)).await;
        assert!(answer.code() == "1001" && String::from_utf8_lossy(&answer.body).contains(field), "{field}: {:?}", answer.body);
    }
    admin.put("/user", with(json!({"idNo": "x"}))).await.refused("4000");
    let edited = admin.put("/user", with(new.clone())).await.ok();
    assert_eq!((&edited["city"], &edited["age"], &edited["amountCents"]), (&json!("330100"), &json!(31), &json!(6_000_000)));
    admin.put("/user", with(new)).await.refused("1005");

    // The push that waits goes out as it was sold, and the next buyer gets what holds now.
    buyer.answers(200, json!({"code": "NO", "msg": "不符"}));
    app.advance(5 * 60_000 + 1000);
    buyer.received();
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2, "cities": ["杭州市"]})).await;
    app.distribute().await;
    let sent = buyer.received();
    assert_eq!((&sent[0]["userName"], &sent[0]["city"]), (&json!("张小三"), &json!("上海市")));
    let all = pushes(&admin).await;
    assert_eq!((&all[1]["planName"], &all[1]["status"], &all[1]["city"]), (&json!("south"), &json!("accepted"), &json!("330100")));
    assert_eq!((&all[0]["edited"], &all[1]["edited"]), (&json!(true), &json!(false)));
    let person = admin.get(&format!("/plan/push/reveal/{}", all[1]["id"])).await.ok();
    assert_eq!((&person["name"], &person["applicant"]["said"]["age"]), (&json!("张小四"), &json!(31)));
    let history = admin.get(&format!("/user/history/{}", applicant["id"])).await.ok().to_string();
    assert!(history.contains("editedName") && history.contains("editedFacts") && !history.contains("张小四"), "{history}");
    admin.delete(&format!("/user/{}", applicant["id"])).await.ok();
    admin.get(&format!("/user/said/{}", applicant["id"])).await.refused("1006");
    books(&app).await;
}
