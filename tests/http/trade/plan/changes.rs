//! `POST /plan`, `PUT /plan`, `DELETE /plan/{id}`, the list and its file.

use serde_json::{Value, json};

use testing::org::with;
use testing::plan::{begin, decide, form, make, running, step};
use testing::{Actor, TestApp, on_both, product};

on_both!(a_new_plan_is_a_draft_and_says_what_it_was_told);
async fn a_new_plan_is_a_draft_and_says_what_it_was_told(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let body = form(&app, json!({})).await;
    let row = admin.post("/plan", body.clone()).await.ok();
    assert_eq!((&row["status"], &row["orgName"], &row["subOrgName"]), (&json!("draft"), &json!("北辰"), &json!("First team")));
    assert!(row["no"].as_str().unwrap().starts_with("PL20270107-"), "{}", row["no"]);
    for (name, value) in body.as_object().unwrap() {
        assert_eq!(&row[name], value, "{name}");
    }
    let funds = json!({"balanceCents": 1_000_000, "giftCents": 0, "frozenCents": 0, "creditLimitCents": 0, "availableCents": 1_000_000});
    assert_eq!(admin.get(&format!("/plan/balance?orgId={}", row["orgId"])).await.ok(), funds);
    admin.get("/plan/balance?orgId=999999").await.refused("1004");
    let mut seen = admin.get(&format!("/plan/{}", row["id"])).await.ok();
    assert_eq!(seen["usage"], json!([{"cap": body["caps"][0], "usedCount": 0, "usedCents": 0}]));
    assert_eq!(seen["funds"], funds);
    seen.as_object_mut().unwrap().retain(|name, _| !["usage", "funds", "holds", "changeNames", "test"].contains(&name.as_str()));
    assert_eq!(seen, row);
    let history = admin.get(&format!("/plan/history/{}", row["id"])).await.ok();
    let told: Vec<&Value> = history[0]["diff"].as_array().unwrap().iter().collect();
    for (field, after) in [
        ("priceCents", "4500"),
        ("priceRules", "有房：60 元"),
        ("ruleSet", "年龄 22–55"),
        ("schedule", "周一 09:00–18:00"),
        ("caps", "每天最多 100 条"),
    ] {
        assert!(told.contains(&&json!({"field": field, "before": null, "after": after})), "{field}: {told:?}");
    }
    // S7.14
    let file = admin.export("/plan/page/export", json!({"format": "csv"})).await;
    let file = String::from_utf8_lossy(&file.body).into_owned();
    for text in [row["no"].as_str().unwrap(), "有房客户", "45.00", "年龄 22–55", "周一 09:00–18:00", "每天最多 100 条", "草稿"]
    {
        assert!(file.contains(text), "{text} in {file}");
    }
}

on_both!(each_wrong_field_is_named_and_nothing_is_written);
async fn each_wrong_field_is_named_and_nothing_is_written(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let harbour = app.team("Harbour team").await;
    let price = |cents: i64, rules: Value| json!([{"rules": rules, "priceCents": cents}]);
    let anybody = json!({"all": [{"field": "car", "op": "exists", "value": true}]});
    for (field, value) in [
        ("name", json!(" ")),
        ("name", json!("好".repeat(65))),
        ("orgId", json!(999_999)),
        ("subOrgId", json!(harbour)),
        ("productId", json!(999_999)),
        ("maxBuyers", json!(1)),
        ("maxBuyers", json!(6)),
        ("maxBuyers", json!(null)),
        ("priceCents", json!(0)),
        ("priceCents", json!(1_000_001)),
        ("priceRules", price(0, anybody.clone())),
        ("priceRules", price(100, json!({"all": []}))),
        ("priceRules", Value::from(vec![json!({"rules": anybody, "priceCents": 1}); 21])),
        ("methodPriority", json!(0)),
        ("methodPriority", json!(10_000)),
        ("weight", json!(0)),
        ("exposureWeight", json!(101)),
        ("cities", json!(["某地"])),
        ("channelAllow", json!([999_999])),
        ("channelDeny", json!([999_999])),
        ("ruleSet", json!({"all": [{"field": "none", "op": "eq", "value": 1}]})),
        ("dedupDays", json!(-1)),
        ("dedupDays", json!(3651)),
        ("schedule", json!({"8": [[0, 10]]})),
        ("schedule", json!({})),
        ("startsOn", json!("2026-02-30")),
        ("endsOn", json!("soon")),
        ("endsOn", json!("2025-12-31")),
        ("caps", json!([{"window": "day", "weekday": null, "maxCount": null, "maxCents": null}])),
        ("ownDayMost", json!(0)),
        ("remark", json!("好".repeat(501))),
    ] {
        let answer = admin.post("/plan", form(&app, json!({ field: value })).await).await;
        assert!(!answer.wrong(field).is_empty(), "{field}: {value}");
    }
    for changes in [
        json!({"status": "running"}),
        json!({"saleMode": "auction"}),
        json!({"id": 1}),
        json!({"matchRequired": 1}),
        json!({"priceCents": 1.5}),
        json!({"name": null}),
    ] {
        admin.post("/plan", form(&app, changes).await).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM plan").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM cap_rule").await, 0);
    // What an exclusive plan says of buyers does not count, and nothing is there twice.
    let row = make(&app, &admin, json!({"saleMode": "exclusive", "maxBuyers": 4, "cities": ["上海市", " 上海市 ", ""]})).await;
    assert_eq!((&row["maxBuyers"], &row["cities"]), (&json!(1), &json!(["310100"])));
}

on_both!(of_two_who_edit_one_plan_the_second_is_told_what_changed);
async fn of_two_who_edit_one_plan_the_second_is_told_what_changed(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let id = running(&app, &admin, json!({})).await;
    let version = admin.get(&format!("/plan/{id}")).await.ok()["version"].as_i64().unwrap();
    let edit = |changes: Value| {
        let base = json!({"id": id, "version": version});
        let app = &app;
        async move { with(form(app, base).await, changes) }
    };
    let row = admin.put("/plan", edit(json!({"methodPriority": 3, "cities": []})).await).await.ok();
    let asked = &row["change"];
    assert_eq!((&asked["methodPriority"], &asked["cities"], &row["status"]), (&json!(3), &json!([]), &json!("running")));
    assert_eq!((&row["methodPriority"], &row["cities"]), (&json!(10), &json!(["310100", "330100"])), "its terms are decided on");
    let stale = admin.put("/plan", edit(json!({"name": "second"})).await).await.refused("1005");
    assert_eq!(stale, json!({"current": row}));
    let history = admin.get(&format!("/plan/history/{id}")).await.ok();
    let diff = &history[0]["diff"];
    assert!(diff.as_array().unwrap().contains(&json!({"field": "asked.methodPriority", "before": null, "after": "3"})), "{diff}");
    assert!(diff.as_array().unwrap().contains(&json!({"field": "asked.cities", "before": "310100, 330100", "after": null})), "{diff}");

    // A plan stays with its organisation.
    let south = app.organisation("south").await;
    let body = json!({"version": version + 1, "orgId": south, "subOrgId": null});
    admin.put("/plan", edit(body).await).await.wrong("orgId");
    step(&admin, &id, "ended").await.ok();
    let ended = admin.get(&format!("/plan/{id}")).await.ok()["version"].clone();
    admin.put("/plan", edit(json!({"version": ended})).await).await.refused("1006");
}

on_both!(only_what_never_ran_is_deleted);
async fn only_what_never_ran_is_deleted(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let draft = make(&app, &admin, json!({})).await["id"].clone();
    let ran = running(&app, &admin, json!({"name": "ran"})).await;
    admin.delete(&format!("/plan/{ran}")).await.refused("1006");
    admin.delete(&format!("/plan/{draft}")).await.ok();
    admin.get(&format!("/plan/{draft}")).await.refused("1004");
    admin.delete(&format!("/plan/{draft}")).await.refused("1004");
    // An organisation with a plan stays.
    app.execute("UPDATE administrator SET deleted_at = 1 WHERE org_id IS NOT NULL").await;
    app.execute("UPDATE sub_organisation SET deleted_at = 1").await;
    admin.delete(&format!("/org/{}", app.organisation("north").await)).await.refused("1006");
}

async fn names(actor: &Actor, query: Value) -> Vec<String> {
    let page = actor.post("/plan/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

on_both!(the_list_is_narrowed_and_ordered);
async fn the_list_is_narrowed_and_ordered(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let south = app.organisation("south").await;
    make(&app, &admin, json!({"name": "aaa", "priceCents": 300})).await;
    let other = json!({
        "name": "bbb", "orgId": south, "subOrgId": null, "priceCents": 100, "deliverMode": "sms", "saleMode": "exclusive",
        "methodPriority": 1, "endsOn": null
    });
    let id = running(&app, &admin, other).await;
    step(&admin, &id, "paused").await.ok();
    let team = app.team("First team").await;
    let [allowed, denied, other] =
        ["tenfold-a", "tenfold-b", "tenfold-c"].map(|code| json!({"code": code, "name": code, "type": "h5", "settleMode": "none"}));
    let mut channels = Vec::new();
    for channel in [allowed, denied, other] {
        channels.push(admin.post("/channel", channel).await.ok()["id"].as_i64().unwrap());
    }
    // Ids that are parts of others must not be taken for them.
    app.execute("UPDATE plan SET channel_allow = '[' || (SELECT id FROM channel WHERE code = 'tenfold-a') || ',1000]' WHERE name = 'aaa'")
        .await;
    app.execute(
        "UPDATE plan SET channel_deny = '[' || (SELECT id FROM channel WHERE code = 'tenfold-b') || '0]', cities = '[]' WHERE name = 'bbb'",
    )
    .await;
    for (query, found) in [
        (json!({"channelId": channels[0]}), vec!["bbb", "aaa"]),
        (json!({"channelId": channels[1]}), vec!["bbb"]),
        (json!({"channelId": channels[1] * 10}), vec![]),
        (json!({"channelId": channels[2]}), vec!["bbb"]),
        (json!({"city": "杭州市"}), vec!["bbb", "aaa"]),
        (json!({"city": "北京市"}), vec!["bbb"]),
        (json!({"keyword": "AA"}), vec!["aaa"]),
        (json!({"keyword": "pl2027"}), vec!["bbb", "aaa"]),
        (json!({"orgId": south}), vec!["bbb"]),
        (json!({"subOrgId": team}), vec!["aaa"]),
        (json!({"productId": 1}), vec![]),
        (json!({"status": "draft"}), vec!["aaa"]),
        (json!({"pauseReason": "manual"}), vec!["bbb"]),
        (json!({"deliverMode": "sms"}), vec!["bbb"]),
        (json!({"saleMode": "shared"}), vec!["aaa"]),
        (json!({"createdFrom": "2027-01-07", "createdTo": "2027-01-07"}), vec!["bbb", "aaa"]),
        (json!({"createdTo": "2027-01-06"}), vec![]),
        (json!({"sort": "priceCents", "order": "asc"}), vec!["bbb", "aaa"]),
        (json!({"sort": "methodPriority", "order": "desc"}), vec!["aaa", "bbb"]),
        (json!({"sort": "endsOn", "order": "asc"}), vec!["bbb", "aaa"]),
        (json!({"sort": "name", "order": "asc"}), vec!["aaa", "bbb"]),
    ] {
        assert_eq!(names(&admin, query.clone()).await, found, "{query}");
    }
    admin.post("/plan/page", json!({"status": "gone"})).await.refused("4000");
    admin.post("/plan/page", json!({"sort": "orgName"})).await.refused("4000");
    let options = admin.get("/plan/options?keyword=b").await.ok();
    assert_eq!(options, json!([{"value": id, "label": "bbb"}]));
}

on_both!(what_a_plan_or_a_push_names_is_not_deleted);
async fn what_a_plan_or_a_push_names_is_not_deleted(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await.in_english();
    product::ready(&app).await;
    let product = product::make(&admin, product::form(&app, "named").await).await;
    let plan = make(&app, &admin, json!({"productId": product})).await;
    assert_eq!(plan["productName"], "好享贷");
    let refused = admin.delete(&format!("/product/{product}")).await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "Plans use this product; it cannot be deleted");
    admin.delete(&format!("/plan/{}", plan["id"])).await.ok();
    admin.delete(&format!("/product/{product}")).await.ok();
    // A product that is gone, and one of another organisation, cannot be chosen.
    admin.post("/plan", form(&app, json!({"productId": product})).await).await.wrong("productId");
    let south = app.organisation("south").await;
    let theirs = product::make(&admin, with(product::form(&app, "theirs").await, json!({"orgId": south}))).await;
    admin.post("/plan", form(&app, json!({"productId": theirs})).await).await.wrong("productId");
}

on_both!(a_plan_of_a_product_runs_while_that_is_online);
async fn a_plan_of_a_product_runs_while_that_is_online(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await.in_english();
    product::ready(&app).await;
    // Closed at this hour: the plan runs, and takes no lead before it opens.
    let product = product::make(&admin, product::form(&app, "online").await).await;
    let id = make(&app, &admin, json!({"productId": product, "schedule": null})).await["id"].clone();
    step(&admin, &id, "pending").await.ok();
    let operator = app.sign_in("operator").await.in_english();
    let refused = decide(&operator, &id, true).await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "The product is not online, so the plan cannot run");
    app.execute("UPDATE product SET status = 'online'").await;
    decide(&operator, &id, true).await.ok();
    assert_eq!(admin.get(&format!("/plan/{id}")).await.ok()["holds"], json!(["product"]));
    app.execute("UPDATE product SET online_from = NULL, online_to = NULL").await;
    assert_eq!(admin.get(&format!("/plan/{id}")).await.ok()["holds"], json!([]));
    app.execute("UPDATE product SET status = 'offline'").await;
    assert_eq!(admin.get(&format!("/plan/{id}")).await.ok()["holds"], json!(["product"]));
}
