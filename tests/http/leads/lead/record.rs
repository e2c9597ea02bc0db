//! `/user`: the list, one applicant, entered by hand, revealed, erased; and who may.

use base::db::Engine;
use serde_json::{Value, json};

use testing::feedback::grant;
use testing::lead::{application, bring, channel, id_no, id_no_aged, phone, plan, story};
use testing::open::supply;
use testing::plan::begin;
use testing::{TestApp, on_both, run};

// S7.05
on_both!(the_list_finds_and_narrows);
async fn the_list_finds_and_narrows(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    for number in 1..=3 {
        let city = if number == 3 { "杭州市" } else { "上海市" };
        let applicant = json!({"age": 20 + number, "city": city, "applyAmountCents": number * 1000});
        let id_no = if number == 1 { json!(id_no_aged(21)) } else { json!(null) };
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({"applicant": applicant, "idNo": id_no}))).await.ok();
        app.advance(1000);
    }
    let numbers = async |body: Value| {
        let page = admin.post("/user/page", body).await.ok();
        let masks = page["list"].as_array().unwrap().iter().map(|row| row["phoneMask"].as_str().unwrap().to_owned());
        masks.collect::<Vec<_>>().join(" ")
    };
    let mask = |number: u32| format!("100****{number:04}");
    assert_eq!(numbers(json!({})).await, [mask(3), mask(2), mask(1)].join(" "));
    assert_eq!(numbers(json!({"keyword": phone(2)})).await, mask(2));
    assert_eq!(numbers(json!({"keyword": id_no_aged(21).to_lowercase()})).await, mask(1));
    assert_eq!(numbers(json!({"keyword": "1000003"})).await, "", "a part of a phone finds nobody");
    assert_eq!(numbers(json!({"sort": "age", "order": "asc"})).await, [mask(1), mask(2), mask(3)].join(" "));
    let no = app.text("SELECT no FROM applicant WHERE id = (SELECT MAX(id) FROM applicant)").await;
    assert_eq!(numbers(json!({"keyword": format!(" {} ", no.to_lowercase())})).await, mask(3));
    assert_eq!(numbers(json!({"keyword": &no[..8]})).await, "", "nor does a part of a number");
    assert_eq!(numbers(json!({"city": "杭州市"})).await, mask(3));
    assert_eq!(numbers(json!({"ageMin": 22})).await, [mask(3), mask(2)].join(" "));
    assert_eq!(numbers(json!({"ageMin": "22", "ageMax": "22"})).await, mask(2));
    assert_eq!(numbers(json!({"amountMax": "20"})).await, [mask(2), mask(1)].join(" "), "fen are asked for in yuan");
    assert_eq!(numbers(json!({"amountMin": "¥20.00", "amountMax": "25.5"})).await, mask(2));
    assert_eq!(numbers(json!({"sex": "female"})).await, "");
    for wrong in [json!({"ageMin": "x"}), json!({"amountMin": "2万"}), json!({"amountMax": "-1"}), json!({"buyerId": "north"})] {
        admin.post("/user/page", wrong).await.refused("4000");
    }
    for (range, field) in [(json!({"ageMin": 23, "ageMax": 22}), "ageMax"), (json!({"amountMin": "5", "amountMax": "4.99"}), "amountMax")] {
        assert_eq!(admin.in_english().post("/user/page", range.clone()).await.wrong(field), "Must not be less than the minimum");
        admin.post("/user/page/export", range).await.wrong(field);
    }
    assert_eq!(numbers(json!({"status": "erased"})).await, "");
    assert_eq!(numbers(json!({"test": "yes"})).await, "");
    assert_eq!(numbers(json!({"sort": "amountCents", "order": "desc", "pageSize": 1})).await, mask(3));
    assert_eq!(numbers(json!({"channelId": partner.id, "createdFrom": "2027-01-08"})).await, "");
    admin.post("/user/page", json!({"sort": "phone_enc"})).await.refused("4000");

    // S7.15
    let file = admin.export("/user/page/export", json!({"format": "csv", "keyword": phone(1)})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.contains(&mask(1)) && !text.contains(&phone(1)) && !text.contains("张小三"), "{text}");
    let trail = app.text("SELECT diff FROM operation_log WHERE action = 'export'").await;
    assert!(trail.contains(&mask(1)) && !trail.contains(&phone(1)), "{trail}");
}

on_both!(applicants_are_found_by_their_buyer_within_what_the_viewer_sees);
async fn applicants_are_found_by_their_buyer_within_what_the_viewer_sees(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let partner = channel(&app, json!({"ownerAdminId": app.account("channel.manager").await})).await;
    plan(&app, &admin, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    bring(&app, &partner, "r-2", application(2, json!({"applicant": {"age": 20}}))).await.ok();
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    let found =
        async |who: &testing::Actor, buyer: i64| who.post("/user/page", json!({"buyerId": buyer})).await.ok()["total"].as_i64().unwrap();
    assert_eq!((found(&admin, north).await, found(&admin, south).await), (1, 0));
    // A channel's manager sees the applicants of the channel, and not which organisations bought them.
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code = 'channel_manager' AND m.path = 'user/list/list' ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let manager = app.sign_in("channel.manager").await;
    assert_eq!(manager.post("/user/page", json!({})).await.ok()["total"], 2);
    assert_eq!(found(&manager, north).await, 0);
    app.execute(
        "UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager') WHERE code = 'north'",
    )
    .await;
    assert_eq!(found(&manager, north).await, 1, "that of the manager's own organisation");
}

// The reason that stopped the most plans is kept when a round ends, and goes with a sale.
on_both!(the_list_shows_and_finds_why_no_plan_bought);
async fn the_list_shows_and_finds_why_no_plan_bought(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let older = json!({"all": [{"field": "age", "op": "gte", "value": 60}]});
    plan(&app, &admin, json!({"name": "older", "ruleSet": older})).await;
    for name in ["one", "two"] {
        plan(&app, &admin, json!({"name": name, "cities": ["杭州市"]})).await;
    }
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    bring(&app, &partner, "r-2", application(2, json!({"applicant": {"city": "杭州市"}}))).await.ok();
    app.distribute().await;
    let found = async |filters: Value| {
        let rows = admin.post("/user/page", filters).await.ok()["list"].as_array().unwrap().clone();
        rows.iter().map(|row| format!("{} {} {}", row["phoneMask"], row["status"], row["mainReason"]).replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(found(json!({"mainReason": "city"})).await, ["100****0001 unmatched city"]);
    assert_eq!(found(json!({"mainReason": "rules"})).await, [""; 0], "the reason of fewer plans");
    assert_eq!(found(json!({"status": "distributed"})).await, ["100****0002 distributed null"]);
    admin.post("/user/page", json!({"mainReason": "nothing"})).await.refused("4000");
    let mask = |number: u32| format!("100****{number:04}");
    let file = admin.export("/user/page/export", json!({"format": "csv", "mainReason": "city"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.contains("未匹配原因") && text.contains("城市不符") && !text.contains(&mask(2)), "{text}");

    // Of conditions, the field that they are about is kept too.
    assert_eq!(found(json!({"mainCondition": "age"})).await, [""; 0]);
    for (name, condition) in [
        ("oldest", json!({"field": "age", "op": "gte", "value": 70})),
        ("owners", json!({"field": "house", "op": "exists", "value": true})),
    ] {
        plan(&app, &admin, json!({"name": name, "ruleSet": {"all": [condition]}})).await;
    }
    bring(&app, &partner, "r-3", application(3, json!({"applicant": {"age": 30, "city": "上海市"}}))).await.ok();
    app.distribute().await;
    assert_eq!(found(json!({"mainCondition": "age"})).await, ["100****0003 unmatched rules"]);
    assert_eq!(found(json!({"mainCondition": "house"})).await, [""; 0], "the condition of fewer plans");
    let file = admin.export("/user/page/export", json!({"format": "csv", "mainCondition": "age"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.contains("条件不符：年龄") && !text.contains("城市不符"), "{text}");

    // The reasons of the story come with their plans, that of the most plans first.
    let id = app.count("SELECT MIN(id) FROM applicant").await;
    let story = admin.get(&format!("/user/{id}")).await.ok();
    let passed = story["matches"][0]["passedOver"].as_array().unwrap();
    let counts = passed.iter().map(|one| (one["reason"].as_str().unwrap(), one["plans"].as_array().unwrap().len())).collect::<Vec<_>>();
    assert_eq!(counts, [("city", 2), ("rules", 1)]);
    let plan_id = passed[1]["plans"][0]["id"].as_i64().unwrap();
    assert_eq!(passed[1]["conditions"], json!([{"text": "年龄 ≥ 60", "planIds": [plan_id]}]));
    assert_eq!(passed[0]["conditions"], json!([]));
    assert_eq!(
        (&passed[1]["plans"][0]["name"], admin.get(&format!("/plan/{plan_id}")).await.ok()["name"].as_str()),
        (&json!("older"), Some("older"))
    );

    // The manager of the channel sees the reason, and no conditions of plans of organisations that are not theirs.
    app.execute("UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager')").await;
    testing::feedback::grant(&app, "channel_manager", "user/match-list/").await;
    let round = story["matches"][0]["id"].as_i64().unwrap();
    let seen = app.sign_in("channel.manager").await.get(&format!("/user/match/{round}")).await.ok();
    assert_eq!((&seen["passedOver"][1]["reason"], &seen["passedOver"][1]["conditions"]), (&json!("rules"), &json!([])));

    // The reason ends with the data of the applicant.
    let third = app.count("SELECT MAX(id) FROM applicant").await;
    admin.delete(&format!("/user/{third}")).await.ok();
    assert_eq!(
        app.count("SELECT COUNT(*) FROM applicant WHERE status = 'erased' AND main_reason IS NULL AND main_condition IS NULL").await,
        1
    );

    // The next round is sold: no reason is left.
    plan(&app, &admin, json!({"name": "anyone"})).await;
    admin.put("/user/distribute", json!({"id": id, "version": story["version"]})).await.ok();
    app.distribute().await;
    assert_eq!(found(json!({"mainReason": "city"})).await, [""; 0]);
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE main_reason IS NULL AND status = 'distributed'").await, 2);
}

on_both!(of_many_only_the_newest_are_sorted);
async fn of_many_only_the_newest_are_sorted(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    bring(&app, &partner, "r-1", application(1, json!({"applicant": {"applyAmountCents": 99_900}}))).await.ok();
    // 10,002 more, each asking for a fen more than the one before; the first of all asked for the most.
    app.execute(
        "INSERT INTO applicant (no, phone_enc, phone_hash, phone_md5_hash, phone_mask, name_mask, province, city, amount_cents, said, channel_id, \
           payload_hash, system, client_ip, user_agent, test, status, checks, created_at, updated_at) \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10002) \
         SELECT 'X' || n.i, '', 'h' || n.i, '', '', '', '', '', n.i, '{}', a.channel_id, '', 'ios', '', '', 0, 'unmatched', '[]', \
           a.created_at + n.i, a.created_at FROM n, applicant a WHERE a.request_id = 'r-1'",
    )
    .await;
    let asked = async |body: Value| {
        let page = admin.post("/user/page", testing::org::with(json!({"sort": "amountCents"}), body)).await.ok();
        let amounts = page["list"].as_array().unwrap().iter().map(|row| row["amountCents"].as_i64().unwrap()).collect::<Vec<_>>();
        (amounts, page["total"].as_i64().unwrap(), page["totalIsExact"].as_bool().unwrap(), page["newest"].as_i64())
    };
    // The three oldest are left out, and it is said.
    assert_eq!(asked(json!({"pageSize": 2})).await, (vec![10_002, 10_001], 10_000, false, Some(10_000)));
    assert_eq!(asked(json!({"pageSize": 2, "order": "asc"})).await, (vec![3, 4], 10_000, false, Some(10_000)));
    let last = asked(json!({"pageSize": 150, "current": 67})).await;
    assert_eq!((last.0.len(), last.0.last(), last.1, last.2, last.3), (100, Some(&3), 10_000, false, Some(10_000)));
    assert_eq!(asked(json!({"pageSize": 150, "current": 68})).await, (vec![], 10_000, false, Some(10_000)));
    // By time, all are there.
    let by_time = admin.post("/user/page", json!({"current": 10_003, "pageSize": 1})).await.ok();
    assert_eq!((&by_time["list"][0]["amountCents"], &by_time["newest"]), (&json!(99_900), &json!(null)));
    // As many as can be sorted are sorted, all of them; a file holds whatever matches.
    app.execute("DELETE FROM applicant WHERE no IN ('X1', 'X2', 'X3')").await;
    assert_eq!(asked(json!({"pageSize": 2})).await, (vec![99_900, 10_002], 10_000, true, None));
    let last = asked(json!({"pageSize": 150, "current": 67})).await;
    assert_eq!((last.0.len(), last.0.last(), last.1, last.2, last.3), (100, Some(&4), 10_000, true, None));
    let file = admin.export("/user/page/export", json!({"format": "csv", "sort": "amountCents", "columns": ["no", "amountCents"]})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert_eq!(text.lines().count(), 10_001);
    assert!(text.lines().nth(1).unwrap().contains("999.00"), "{:?}", text.lines().nth(1));
}

/// Two transactions that wait for each other: PostgreSQL gives one up, which is done again.
#[tokio::test]
async fn of_two_that_wait_for_each_other_one_is_done_again() {
    run(Engine::Postgres, async |app: TestApp| {
        begin(&app);
        let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
        plan(&app, &admin, json!({})).await;
        bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
        app.distribute().await;
        let erasure = format!("/user/{}", app.count("SELECT id FROM applicant").await);
        let mut other = app.app.db.begin().await.unwrap();
        sqlx::query("UPDATE push_record SET attempts = attempts").execute(&mut *other).await.unwrap();
        let meets = async {
            // The erasure has the applicant, and waits for the push.
            app.until_somebody_waits().await;
            // The server ends the one that waits first, unless it had looked for a circle before there was one: then this one.
            match sqlx::query("UPDATE applicant SET rounds = rounds").execute(&mut *other).await {
                Ok(_) => other.commit().await.unwrap(),
                Err(error) => assert_eq!(error.as_database_error().and_then(|error| error.code()).as_deref(), Some("40P01"), "{error}"),
            }
        };
        let (answer, ()) = tokio::join!(admin.delete(&erasure), meets);
        answer.ok();
        assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE target_type = 'user' AND action = 'delete'").await, 1);
    })
    .await;
}

on_both!(an_applicant_is_entered_by_hand);
async fn an_applicant_is_entered_by_hand(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    let mut user = application(1, json!({}));
    user.as_object_mut().unwrap().remove("ip");
    let entered = admin.post("/user", json!({"channelId": partner.id, "user": user})).await.ok();
    assert_eq!((&entered["status"], &entered["failed"]), (&json!("matching"), &json!(null)));
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["status"], &told["enteredBy"].is_string(), &told["clientIp"]), (&json!("distributed"), &true, &json!("127.0.0.1")));
    assert_eq!(told["checks"][0]["noteEn"], "Entered by staff");
    admin.post("/user", json!({"channelId": 999_999, "user": application(2, json!({}))})).await.wrong("channelId");
    admin.post("/user", json!({"channelId": partner.id, "user": application(2, json!({"phone": "1"}))})).await.wrong("user.phone");
    app.advance(61_000);
    let again = admin.post("/user", json!({"channelId": partner.id, "user": application(1, json!({}))})).await.ok();
    assert_eq!((&again["status"], &again["failed"]), (&json!("duplicate"), &json!("dedup")));
}

on_both!(an_entry_by_hand_names_its_product);
async fn an_entry_by_hand_names_its_product(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let partner = channel(&app, json!({"ownerAdminId": app.account("channel.manager").await})).await;
    let (product, _) = supply(&app).await;
    let entry =
        |number: u32, id: Value, changes: Value| json!({"channelId": partner.id, "productId": id, "user": application(number, changes)});
    admin.post("/user", entry(1, json!(product), json!({}))).await.ok();
    assert_eq!(app.count("SELECT product_id FROM applicant").await, product);
    // Without an id the code counts.
    admin.post("/user", entry(2, Value::Null, json!({"product": "north-easy"}))).await.ok();
    assert_eq!(app.count("SELECT COUNT(product_id) FROM applicant").await, 2);
    assert_eq!(admin.in_english().post("/user", entry(3, json!(999_999), json!({}))).await.wrong("productId"), "Choose another product");
    admin.post("/user", entry(3, Value::Null, json!({"product": "nothing"}))).await.wrong("user.product");
    // A channel's manager enters applicants, but has no product of this organisation to choose.
    grant(&app, "channel_manager", "user/list").await;
    let manager = app.sign_in("channel.manager").await;
    assert_eq!(manager.get("/product/options").await.ok(), json!([]));
    manager.post("/user", entry(3, json!(product), json!({}))).await.wrong("productId");
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 2);
    manager.post("/user", entry(3, Value::Null, json!({}))).await.ok();
    assert_eq!(app.count("SELECT COUNT(product_id) FROM applicant").await, 2);
}

on_both!(an_applicants_identity_is_shown_to_few_and_written_down);
async fn an_applicants_identity_is_shown_to_few_and_written_down(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let id = app.count("SELECT id FROM applicant").await;
    let shown = admin.get(&format!("/user/reveal/{id}")).await.ok();
    assert_eq!(shown, json!({"phone": phone(1), "name": "张小三", "idNo": id_no(), "deviceId": null}));
    let trail = app.trail("user", id).await;
    assert_eq!((trail.len(), <&str>::from(trail[0].action)), (1, "reveal"));
    assert!(!serde_json::to_string(&trail[0].diff).unwrap().contains("1000003"));
    app.stranger().get(&format!("/user/reveal/{id}")).await.refused("2000");
    // People of organisations see leads that they bought, and no applicants here.
    let manager = app.sign_in("north.manager").await;
    assert!(["1003", "1004"].contains(&manager.get(&format!("/user/{id}")).await.code().as_str()));
}

// S7.06
on_both!(an_applicant_is_erased_and_the_money_stays);
async fn an_applicant_is_erased_and_the_money_stays(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let id = app.count("SELECT id FROM applicant").await;
    admin.delete(&format!("/user/{id}")).await.refused("1006");
    app.distribute().await;
    admin.delete(&format!("/user/{id}")).await.ok();
    let told = story(&app, &admin).await;
    assert_eq!((&told["status"], &told["phoneMask"], &told["said"]), (&json!("erased"), &json!("***"), &json!({})));
    assert_eq!((&told["pushes"][0]["phoneMask"], &told["money"][0]["amountCents"]), (&json!("***"), &json!(-4500)));
    for trace in ["张", "0001\"", "上海", "203.0.113.9"] {
        assert!(!told.to_string().contains(trace), "{trace}: {told}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE phone_enc IS NULL AND name_enc IS NULL AND id_no_enc IS NULL").await, 1);
    assert_eq!(app.text("SELECT name_mask || phone_mask || city FROM clue").await, "******");
    admin.get(&format!("/user/reveal/{id}")).await.refused("1006");
    admin.delete(&format!("/user/{id}")).await.refused("1006");
    admin.delete("/user/999999").await.refused("1004");
    // The hashes stay: an applicant who comes again is known by their phone.
    app.advance(61_000);
    assert_eq!(bring(&app, &partner, "r-2", application(1, json!({}))).await.ok()["status"], "matching", "the erased one does not count");
}

// S7.07, S7.13
on_both!(pushes_are_listed_with_the_applicants);
async fn pushes_are_listed_with_the_applicants(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(admin.post("/user/push/page", json!({"status": "accepted"})).await.ok()["total"], 1);
    let file = admin.export("/user/push/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&file.body).contains("100****0001"));
}
