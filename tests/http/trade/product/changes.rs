//! `POST /product`, `PUT /product`, `DELETE /product/{id}`, the list, its file, and who sees what.

use serde_json::{Value, json};
use trade::product::{Named, visited};

use super::codes;
use testing::product::{form, make, ready, with};
use testing::upload::png;
use testing::{TestApp, on_both};

on_both!(a_new_product_is_a_draft_with_all_its_fields);
async fn a_new_product_is_a_draft_with_all_its_fields(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await;
    let row = admin.post("/product", form(&app, "haoxiang").await).await.ok();
    let id = row["id"].as_i64().unwrap();
    assert_eq!((&row["status"], &row["version"], &row["orgName"]), (&json!("draft"), &json!(1), &json!("北辰")));
    for (name, value) in form(&app, "haoxiang").await.as_object().unwrap() {
        assert_eq!(&row[name], value, "{name}");
    }
    let seen = admin.get(&format!("/product/{id}")).await.ok();
    for (name, value) in row.as_object().unwrap() {
        assert_eq!(&seen[name], value, "{name}");
    }
    let file = admin.export("/product/page/export", json!({"format": "csv"})).await;
    let file = String::from_utf8_lossy(&file.body).into_owned();
    for text in ["好享贷", "23.80%", "3.50", "每天最多 500", "上海市, 杭州市"] {
        assert!(file.contains(text), "{text}: {file}");
    }
    let history = admin.in_english().get(&format!("/product/history/{id}")).await.ok();
    let diff = history[0]["diff"].as_array().unwrap();
    let after = |field: &str| diff.iter().find(|change| change["field"] == field).map(|change| change["after"].clone());
    assert_eq!(after("orgName"), Some(json!("北辰")));
    assert_eq!(after("orgId"), None, "a name stands for its id");
    assert!(after("ruleSet").unwrap().as_str().unwrap().contains("22"), "in words");
    admin.post("/product", form(&app, "haoxiang").await).await.refused("1005");
}

on_both!(each_wrong_field_is_named_and_nothing_is_written);
async fn each_wrong_field_is_named_and_nothing_is_written(app: TestApp) {
    ready(&app).await;
    app.execute("UPDATE organisation SET status = 'paused' WHERE code = 'south'").await;
    let admin = app.sign_in("admin").await;
    let paused = app.organisation("south").await;
    for (field, value) in [
        ("code", json!("x")),
        ("name", json!("好".repeat(65))),
        ("orgId", json!(999_999)),
        ("orgId", json!(paused)),
        ("jumpUrl", json!(null)),
        ("jumpUrl", json!("http://127.0.0.1/apply")),
        ("jumpUrl", json!("ftp://example.com")),
        ("maxAmountCents", json!(1)),
        ("maxTermMonths", json!(601)),
        ("annualRateMaxBp", json!(700)),
        ("lenderName", json!("好".repeat(65))),
        ("tags", json!(["一", "一"])),
        ("requirements", json!("好".repeat(2001))),
        ("uvPriceCents", json!(-1)),
        ("sort", json!(1_000_000)),
        ("cities", json!(["某地"])),
        ("onlineTo", json!(null)),
        ("onlineTo", json!("25:00")),
        ("logoFileId", json!(999_999)),
        ("caps", json!([{"window": "day", "weekday": null, "maxCount": 0, "maxCents": null}])),
        ("ruleSet", json!({"all": [{"field": "shoeSize", "op": "eq", "value": 1}]})),
    ] {
        let answer = admin.post("/product", with(form(&app, "haoxiang").await, json!({ field: value }))).await;
        assert!(!answer.wrong(field).is_empty(), "{field}: {value}");
    }
    for changes in [json!({"status": "online"}), json!({"category": "gold"}), json!({"id": 1}), json!({"minTermMonths": "three"})] {
        admin.post("/product", with(form(&app, "haoxiang").await, changes)).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM product").await, 0);
}

on_both!(a_product_is_changed_and_its_history_tells);
async fn a_product_is_changed_and_its_history_tells(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await;
    let id = make(&admin, form(&app, "haoxiang").await).await;
    let edit = |version: i64, changes: Value| {
        let app = &app;
        async move { with(with(form(app, "haoxiang").await, json!({"id": id, "version": version})), changes) }
    };
    let row = admin.put("/product", edit(1, json!({"uvPriceCents": 420, "applyMode": "lead"})).await).await.ok();
    assert_eq!((&row["version"], &row["uvPriceCents"], &row["jumpUrl"]), (&json!(2), &json!(420), &Value::Null));
    let history = admin.get(&format!("/product/history/{id}")).await.ok();
    let diff = history[0]["diff"].as_array().unwrap();
    assert!(diff.contains(&json!({"field": "uvPriceCents", "before": "350", "after": "420"})), "{diff:?}");
    let stale = admin.put("/product", edit(1, json!({"name": "second"})).await).await.refused("1005");
    assert_eq!(stale, json!({"current": row}));
    admin.put("/product", edit(2, json!({"code": "other"})).await).await.wrong("code");
    // An organisation that business has ended with keeps what it has.
    app.execute("UPDATE organisation SET status = 'paused'").await;
    admin.put("/product", edit(2, json!({})).await).await.ok();
    admin.post("/product", form(&app, "another").await).await.wrong("orgId");
}

on_both!(the_list_is_narrowed_and_ordered);
async fn the_list_is_narrowed_and_ordered(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await;
    make(&admin, form(&app, "aaa").await).await;
    let south = app.organisation("south").await;
    let other = json!({"orgId": south, "category": "car", "applyMode": "api", "cities": [], "uvPriceCents": 900, "annualRateMaxBp": 1200, "sort": 1});
    make(&admin, with(form(&app, "bbb").await, other)).await;
    for (query, found) in [
        (json!({"keyword": "AA"}), vec!["aaa"]),
        (json!({"keyword": "北辰小额"}), vec!["bbb", "aaa"]),
        (json!({"category": "car"}), vec!["bbb"]),
        (json!({"applyMode": "jump"}), vec!["aaa"]),
        (json!({"orgId": south.to_string()}), vec!["bbb"]),
        (json!({"status": "online"}), vec![]),
        (json!({"city": "杭州"}), vec!["bbb", "aaa"]),
        (json!({"sort": "uvPriceCents", "order": "asc"}), vec!["aaa", "bbb"]),
        (json!({"sort": "annualRateMaxBp"}), vec!["aaa", "bbb"]),
        (json!({"sort": "sort", "order": "asc"}), vec!["bbb", "aaa"]),
    ] {
        assert_eq!(codes(&admin, query.clone()).await, found, "{query}");
    }
    admin.post("/product/page", json!({"sort": "jump_url"})).await.refused("4000");
    for unknown in ["州", "%"] {
        admin.post("/product/page", json!({"city": unknown})).await.refused("1001");
    }
    let options = admin.get(&format!("/product/options?orgId={south}")).await.ok();
    assert_eq!(options.as_array().unwrap().len(), 1);
}

on_both!(an_organisations_people_see_their_own_and_set_nothing);
async fn an_organisations_people_see_their_own_and_set_nothing(app: TestApp) {
    ready(&app).await;
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code IN ('org_manager', 'channel_manager') AND m.path LIKE 'product/%' ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let admin = app.sign_in("admin").await;
    let ours = make(&admin, form(&app, "ours").await).await;
    let theirs = make(&admin, with(form(&app, "theirs").await, json!({"orgId": app.organisation("south").await}))).await;
    let manager = app.sign_in("north.manager").await;
    assert_eq!(codes(&manager, json!({})).await, ["ours"]);
    manager.get(&format!("/product/{ours}")).await.ok();
    for path in ["/product", "/product/history"] {
        manager.get(&format!("{path}/{theirs}")).await.refused("1004");
    }
    for (id, code, refusal) in [(ours, "ours", "1003"), (theirs, "theirs", "1004")] {
        manager.put("/product", with(form(&app, code).await, json!({"id": id, "version": 1}))).await.refused(refusal);
        manager.put("/product/status", json!({"id": id, "version": 1, "status": "online"})).await.refused(refusal);
        manager.delete(&format!("/product/{id}")).await.refused(refusal);
    }
    manager.post("/product", form(&app, "mine").await).await.refused("1003");

    // An account manager sees the products of their own organisations, and gives them to no other.
    let keeper = app.sign_in("channel.manager").await;
    assert_eq!(codes(&keeper, json!({})).await, [""; 0]);
    keeper.post("/product", form(&app, "kept").await).await.wrong("orgId");
    app.execute(
        "UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager') WHERE code = 'north'",
    )
    .await;
    make(&keeper, form(&app, "kept").await).await;
    assert_eq!(codes(&keeper, json!({})).await, ["kept", "ours"]);
    keeper.put("/product/status", json!({"id": theirs, "version": 1, "status": "online"})).await.refused("1004");
}

on_both!(a_logo_is_its_products);
async fn a_logo_is_its_products(app: TestApp) {
    ready(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let file = admin.upload("/common/upload", &[("bizType", "product_logo")], "图标.png", &png()).await.ok()["id"].as_i64().unwrap();
    let path = format!("/common/file/{file}");
    operator.get(&path).await.refused("1004");
    let id = make(&admin, with(form(&app, "haoxiang").await, json!({"logoFileId": file}))).await;
    assert_eq!(admin.get(&format!("/product/{id}")).await.ok()["logoFileName"], "图标.png");
    assert_eq!(&operator.get(&path).await.body[..], png());
    app.sign_in("nobody").await.get(&path).await.refused("1004");
    app.sign_in("south.manager").await.get(&path).await.refused("1004");
}

on_both!(a_visit_learns_of_products_that_there_are);
async fn a_visit_learns_of_products_that_there_are(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await;
    let id = make(&admin, with(form(&app, "haoxiang").await, json!({"onlineFrom": null, "onlineTo": null}))).await;
    let gone = make(&admin, form(&app, "gone").await).await;
    admin.delete(&format!("/product/{gone}")).await.ok();
    admin.get(&format!("/product/{gone}")).await.refused("1004");
    admin.post("/product", form(&app, "gone").await).await.refused("1005");
    let online = async || {
        let codes = ["haoxiang".to_owned(), "gone".to_owned(), "nothing".to_owned()];
        let found = visited(app.app.db.read(), Named::Codes(&codes), app.now()).await.unwrap();
        let same = visited(app.app.db.read(), Named::Ids(&[id, gone]), app.now()).await.unwrap();
        assert_eq!((found.len(), &found), (1, &same));
        assert_eq!((found[0].id, found[0].uv_price_cents, found[0].jump_url.as_deref()), (id, 350, Some("https://h5.example.com/apply")));
        found[0].online
    };
    assert!(!online().await, "a draft");
    app.execute("UPDATE product SET status = 'online'").await;
    assert!(online().await);
    let minutes = |ahead: i64| base::clock::date_time(app.now() + ahead * 60_000)[11..16].to_owned();
    let window = |from: i64, to: i64| json!({"id": id, "version": 1, "onlineFrom": minutes(from), "onlineTo": minutes(to)});
    admin.put("/product", with(form(&app, "haoxiang").await, window(-5, 5))).await.ok();
    assert!(online().await, "within its hours");
    admin.put("/product", with(form(&app, "haoxiang").await, with(window(5, -5), json!({"version": 2})))).await.ok();
    assert!(!online().await, "out of its hours");
    admin
        .put("/product", with(form(&app, "haoxiang").await, json!({"id": id, "version": 3, "onlineFrom": null, "onlineTo": null})))
        .await
        .ok();
    app.execute("UPDATE organisation SET status = 'paused'").await;
    assert!(!online().await, "nothing of a paused organisation is shown");
}
