//! The lists of visits: `/channel/uv`, `/product/uv`, `/org/uv`, `/org/uv2`, `/plan/uv`, `/plan/exposure`.

use base::clock::{self, DAY};
use serde_json::{Value, json};

use testing::open::{Call, partner, sight, supply};
use testing::{Actor, TestApp, on_both};

const ALL: [&str; 6] = ["/channel/uv/page", "/product/uv/page", "/org/uv/page", "/org/uv2/page", "/plan/uv/page", "/plan/exposure/page"];

/// Two channels, two visitors of one and one of the other, who have seen everything.
async fn seen(app: &TestApp) -> (i64, i64) {
    let (ads, h5) = (partner(app, "ads-list-1", json!({})).await, partner(app, "h5-list-2", json!({"unitPriceCents": 50})).await);
    supply(app).await;
    let all = json!([
        {"type": "landing"}, {"type": "exposure", "plan": "P0001", "position": 1}, {"type": "click", "plan": "P0001"},
        {"type": "product", "code": "north-easy"}
    ]);
    for (by, visitor) in [(&ads, "a"), (&ads, "b"), (&h5, "c")] {
        let mut body = sight(visitor, all.clone());
        if visitor == "b" {
            body["userAgent"] = json!("Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0 Mobile");
        }
        Call::of(app, by, visitor, &body).make(&app.stranger()).await.ok();
    }
    (ads.id, h5.id)
}

fn column(page: &Value, field: &str) -> Vec<Value> {
    page["list"].as_array().unwrap().iter().map(|row| row[field].clone()).collect()
}

on_both!(lists_show_the_figures_and_their_totals);
async fn lists_show_the_figures_and_their_totals(app: TestApp) {
    let (ads, h5) = seen(&app).await;
    let operator = app.sign_in("operator").await;
    let today = clock::day(app.now()).to_string();

    let page = operator.post("/channel/uv/page", json!({"sort": "costCents", "order": "desc"})).await.ok();
    assert_eq!(column(&page, "subjectId"), [json!(ads), json!(h5)]);
    assert_eq!(column(&page, "costCents"), [json!(200), json!(50)]);
    assert_eq!(column(&page, "marginCents"), [json!(200), json!(150)]);
    assert_eq!((&page["totals"]["pv"], &page["totals"]["uv"], &page["totals"]["marginCents"]), (&json!(3), &json!(3), &json!(350)));
    assert_eq!(page["settled"]["dayTo"], json!(today));
    let month_ago = clock::day(app.now() - 29 * DAY).to_string();
    assert_eq!(page["settled"]["dayFrom"], json!(month_ago));

    // Every list narrows by day and system, and its totals follow.
    for path in ALL {
        let page = operator.post(path, json!({})).await.ok();
        let rows = page["list"].as_array().unwrap().len();
        assert!(rows > 0, "{path}");
        let android = operator.post(path, json!({"system": "android"})).await.ok();
        assert_eq!(android["totals"][if path.contains("exposure") { "visitors" } else { "uv" }], 1, "{path}");
        let asked = operator.post(path, json!({"dayFrom": today, "dayTo": today})).await.ok();
        assert_eq!((asked["list"].as_array().unwrap().len(), &asked["settled"]), (rows, &Value::Null), "{path}");
        let before = operator.post(path, json!({"dayFrom": "2020-01-01", "dayTo": "2020-12-31"})).await.ok();
        assert_eq!((before["total"].clone(), before["list"].as_array().unwrap().len()), (json!(0), 0), "{path}");
        for bad in [
            json!({"dayFrom": "yesterday"}),
            json!({"system": "symbian"}),
            json!({"subjectId": "x", "planId": "x"}),
            json!({"sort": "visitorKey"}),
        ] {
            operator.post(path, bad).await.refused("4000");
        }
    }
    for path in &ALL[1..5] {
        let by_channel = operator.post(path, json!({"channelId": h5})).await.ok();
        assert_eq!((&by_channel["totals"]["uv"], &by_channel["totals"]["exposurePv"]), (&json!(1), &json!(1)), "{path}");
        for sort in ["day", "pv", "uv", "exposurePv", "exposureUv", "costCents", "incomeCents", "marginCents"] {
            let few = operator.post(path, json!({"sort": sort, "order": "asc"})).await.ok();
            let many = operator.post(path, json!({"sort": sort, "order": "asc", "dayFrom": "2020-01-01"})).await.ok();
            assert_eq!(few["list"], many["list"], "{path} by {sort}");
        }
    }
    let products = operator.post("/product/uv/page", json!({})).await.ok();
    let row = &products["list"][0];
    assert_eq!((&row["incomeCents"], &row["clickBp"], &row["orgName"]), (&json!(600), &json!(10_000), &json!("北辰")));
    let plans = operator.post("/org/uv2/page", json!({})).await.ok();
    assert_eq!((&plans["list"][0]["subjectCode"], &plans["list"][0]["exposureUv"]), (&json!("P0001"), &json!(3)));

    let shown = operator.post("/plan/exposure/page", json!({"clicked": "yes", "channelId": ads})).await.ok();
    assert_eq!((shown["total"].clone(), &shown["totals"]), (json!(2), &Value::Null));
    let row = &shown["list"][0];
    assert_eq!((&row["clientIp"], &row["planNo"], &row["position"]), (&json!("203.0.113.*"), &json!("P0001"), &json!(1)));
    assert_eq!(row["visitor"].as_str().unwrap().len(), 8);
    let totals = &operator.post("/plan/exposure/page", json!({})).await.ok()["totals"];
    assert_eq!((&totals["pvCount"], &totals["visitors"], &totals["clicks"]), (&json!(3), &json!(3), &json!(3)));
}

on_both!(exposures_are_narrowed_to_test_or_live_ones);
async fn exposures_are_narrowed_to_test_or_live_ones(app: TestApp) {
    let (_, h5) = seen(&app).await;
    let test = partner(&app, "test-list-3", json!({})).await;
    app.execute("UPDATE channel SET mode = 'test' WHERE code = 'test-list-3'").await;
    let shown = json!([{"type": "exposure", "plan": "P0001", "position": 2}]);
    for visitor in ["d", "e"] {
        Call::of(&app, &test, visitor, &sight(visitor, shown.clone())).make(&app.stranger()).await.ok();
    }
    let operator = app.sign_in("operator").await;
    let page = async |filters: Value| operator.post("/plan/exposure/page", filters).await.ok();
    let (yes, no) = (page(json!({"test": "yes"})).await, page(json!({"test": "no"})).await);
    assert_eq!((column(&yes, "test"), column(&no, "test")), (vec![json!(true); 2], vec![json!(false); 3]));
    // The daily figures have no test exposures: those are not added up.
    assert_eq!((&yes["totals"], &no["totals"]["visitors"]), (&Value::Null, &json!(3)));
    assert_eq!(page(json!({})).await["total"], 5);
    assert_eq!(page(json!({"test": "yes", "channelId": h5})).await["total"], 0);
    operator.post("/plan/exposure/page", json!({"test": "maybe"})).await.refused("4000");
    for (test, count) in [("yes", 2), ("no", 3)] {
        let file =
            operator.export("/plan/exposure/page/export", json!({"format": "csv", "columns": ["planNo", "test"], "test": test})).await;
        assert_eq!(String::from_utf8_lossy(&file.body).lines().count(), count + 1, "{test}");
    }
}

on_both!(files_end_with_the_totals);
async fn files_end_with_the_totals(app: TestApp) {
    seen(&app).await;
    let operator = app.sign_in("operator").await;
    let file = operator
        .in_english()
        .export("/channel/uv/page/export", json!({"format": "csv", "columns": ["day", "subjectName", "uv", "costCents"]}))
        .await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!((lines.len(), lines[0], lines[3]), (4, "Day,Channel,Visitors,Cost (CNY)", "Total,,3,2.50"));
    assert_eq!(file.header("x-total-rows"), Some("2"), "the totals are no row");
    for path in ALL {
        let file = operator.export(&format!("{path}/export"), json!({"format": "xlsx"})).await;
        assert_eq!(file.status, 200, "{path}");
        assert!(file.body.len() > 1000, "{path}");
    }
    let trail = app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'export' AND target_type IN ('channel_uv', 'product_uv', 'org_uv', 'org_plan_uv', 'plan_uv', 'plan_exposure')").await;
    assert_eq!(trail, 14);
}

on_both!(each_viewer_sees_the_visits_of_their_scope);
async fn each_viewer_sees_the_visits_of_their_scope(app: TestApp) {
    let (ads, _) = seen(&app).await;
    let totals = async |who: &Actor, path: &str| {
        let page = who.post(path, json!({})).await.ok();
        let rows = page["list"].as_array().unwrap().len();
        assert_eq!(
            page["totals"][if path.contains("exposure") { "visitors" } else { "uv" }].as_i64().unwrap() > 0,
            rows > 0,
            "{path}: totals are of what they see"
        );
        rows
    };
    // Points are given to all, so that only the scope is in the way.
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.id > 0 ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let (north, south, manager) =
        (app.sign_in("north.manager").await, app.sign_in("south.manager").await, app.sign_in("channel.manager").await);
    for path in &ALL[1..] {
        assert!(totals(&north, path).await > 0, "{path}");
        assert_eq!(totals(&south, path).await, 0, "{path}");
        // Neither asking for another's organisation nor for its record helps.
        let org = app.organisation("north").await;
        assert_eq!(south.post(path, json!({"orgId": org})).await.ok()["total"], 0, "{path}");
    }
    assert_eq!(totals(&north, ALL[0]).await + totals(&manager, ALL[0]).await, 0);
    app.execute(
        "UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager') WHERE code = 'ads-list-1'",
    )
    .await;
    assert_eq!(column(&manager.post(ALL[0], json!({})).await.ok(), "subjectId"), [json!(ads)]);
}
