//! Cities: one code however they are written, refusals by name, and the names from before there were codes.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use trade::plan::market::Market;

use testing::lead::{application, bring, channel, plan};
use testing::open::Call;
use testing::plan::begin;
use testing::{TestApp, on_both};

fn lives_in(number: u32, city: &str) -> Value {
    application(number, json!({"applicant": {"age": 30, "city": city}}))
}

on_both!(a_plan_for_a_city_buys_it_however_it_is_written);
async fn a_plan_for_a_city_buys_it_however_it_is_written(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let rules = json!({"all": [{"field": "city", "op": "in", "value": ["上海市", "上海", "杭州"]}]});
    plan(&app, &admin, json!({"cities": ["上海"], "ruleSet": rules})).await;
    for (number, city) in ["上海", "上海市", "310100", "上海 市", "浦东新区"].into_iter().enumerate() {
        let number = number as u32 + 1;
        bring(&app, &partner, &format!("r-{number}"), lives_in(number, city)).await.ok();
    }
    bring(&app, &partner, "r-9", lives_in(9, "杭州市")).await.ok();
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE city = '310100'").await, 5);
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 5);
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE city = '310100' AND province = '310000' AND said LIKE '%310100%'").await, 5);
    for city in ["上海", "310100"] {
        assert_eq!(admin.post("/plan/push/page", json!({"city": city})).await.ok()["total"], 5);
        let page = admin.post("/user/page", json!({"city": city})).await.ok();
        assert_eq!(
            (&page["total"], &page["list"][0]["city"], &page["list"][0]["province"]),
            (&json!(5), &json!("310100"), &json!("310000"))
        );
    }
    let file =
        admin.in_english().export("/user/page/export", json!({"format": "csv", "city": "上海", "columns": ["province", "city"]})).await;
    assert!(String::from_utf8_lossy(&file.body).contains("Shanghai,Shanghai"));
}

on_both!(a_city_that_is_none_is_refused_by_name);
async fn a_city_that_is_none_is_refused_by_name(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let said = json!({"age": 30, "city": "某地"});
    for (nonce, path, body, field) in [
        ("1", "/open/user", json!({"requestId": "r-1", "user": lives_in(1, "某地")}), "user.applicant.city"),
        ("2", "/open/match", json!({"phoneMd5": "0".repeat(32), "applicant": said}), "applicant.city"),
        ("3", "/open/products", json!({"applicant": said}), "applicant.city"),
    ] {
        let call = Call { path, ..Call::of(&app, &partner, nonce, &body) };
        assert_eq!(call.make(&app.stranger().in_english()).await.wrong(field), "There is no city “某地”", "{path}");
    }
    for list in ["/plan/page", "/product/page", "/plan/push/page"] {
        let english = admin.in_english();
        assert_eq!(english.post(list, json!({"city": "某地"})).await.wrong("city"), "There is no city “某地”", "{list}");
        assert_eq!(english.post(list, json!({"city": "广东"})).await.wrong("city"), "“广东” is a province. Name the city", "{list}");
        english.post(list, json!({"city": " 上海 "})).await.ok();
    }
    let plan = testing::plan::form(&app, json!({"cities": ["上海", "广东"]})).await;
    assert_eq!(admin.in_english().post("/plan", plan).await.wrong("cities"), "“广东” is a province. Name the city");
    let org = testing::org::with(testing::org::form("tianxuan"), json!({"city": "某地"}));
    assert_eq!(admin.post("/org", org).await.wrong("city"), "没有“某地”这个城市");
    let rules = json!({"all": [{"field": "city", "op": "eq", "value": "某地"}]});
    admin.post("/plan", testing::plan::form(&app, json!({"ruleSet": rules})).await).await.wrong("ruleSet");
}

on_both!(names_from_before_become_codes);
async fn names_from_before_become_codes(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let id = plan(&app, &admin, json!({})).await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), lives_in(number, "杭州")).await.ok();
    }
    app.execute(
        "UPDATE applicant SET city = '上海', province = '', said = '{\"age\":30,\"city\":\"上海\"}' WHERE phone_mask = '100****0001'",
    )
    .await;
    app.execute(
        "UPDATE applicant SET city = '某地', province = '', said = '{\"age\":30,\"city\":\"某地\"}' WHERE phone_mask = '100****0002'",
    )
    .await;
    app.execute(
        "UPDATE plan SET cities = '[\"上海市\",\"某地\"]', rule_set = '{\"all\":[{\"field\":\"city\",\"op\":\"in\",\"value\":[\"上海\"]}]}'",
    )
    .await;
    app.app.service::<Market>().forget().await;
    // Before they are codes, the texts are compared as if they were.
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE city = '310100'").await, 1);
    assert_eq!(admin.get(&format!("/plan/{id}")).await.ok()["cities"], json!(["310100", "某地"]));

    // An interrupted run leaves the rest to the next.
    let stopped = CancellationToken::new();
    stopped.cancel();
    assert_eq!(server::city_codes::read(&app.app, &stopped).await.unwrap(), 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE city = '上海'").await, 1);
    assert_eq!(server::city_codes::read(&app.app, &CancellationToken::new()).await.unwrap(), 4, "a list, rules, a city and what was said");
    assert_eq!(app.text("SELECT cities FROM plan").await, r#"["310100","某地"]"#);
    assert_eq!(app.text("SELECT rule_set FROM plan").await, r#"{"all":[{"field":"city","op":"in","value":["310100"]}]}"#);
    assert_eq!(app.text("SELECT province || said FROM applicant WHERE city = '310100'").await, r#"310000{"age":30,"city":"310100"}"#);

    // What no city has stays, is reported once, and is found.
    let page = admin.post("/user/page", json!({"city": "unknown"})).await.ok();
    assert_eq!((&page["total"], &page["list"][0]["city"]), (&json!(1), &json!("某地")));
    let no = app.text("SELECT no FROM plan").await;
    assert_eq!(app.count("SELECT COUNT(DISTINCT title_zh) FROM message WHERE biz_type = 'places'").await, 2);
    assert!(app.text("SELECT content_en FROM message WHERE biz_type = 'places' AND link_route = 'planList'").await.contains(&no));
    assert!(app.text("SELECT link_query FROM message WHERE biz_type = 'places' AND link_route = 'userList'").await.contains("unknown"));
    let reported = app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'places'").await;
    app.advance(25 * 3600 * 1000);
    assert_eq!(server::city_codes::read(&app.app, &CancellationToken::new()).await.unwrap(), 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'places'").await, reported);
}
