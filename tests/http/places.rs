//! Cities: one code however they are written, and refusals by name.

use serde_json::{Value, json};

use crate::lead::{application, bring, channel, plan};
use crate::open::Call;
use crate::plan::begin;
use crate::support::{TestApp, on_both};

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
    let plan = crate::plan::form(&app, json!({"cities": ["上海", "广东"]})).await;
    assert_eq!(admin.in_english().post("/plan", plan).await.wrong("cities"), "“广东” is a province. Name the city");
    let org = crate::org::with(crate::org::form("tianxuan"), json!({"city": "某地"}));
    assert_eq!(admin.post("/org", org).await.wrong("city"), "没有“某地”这个城市");
    let rules = json!({"all": [{"field": "city", "op": "eq", "value": "某地"}]});
    admin.post("/plan", crate::plan::form(&app, json!({"ruleSet": rules})).await).await.wrong("ruleSet");
}
