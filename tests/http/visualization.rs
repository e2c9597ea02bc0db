//! `POST /visualization`, and its screen.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::pages::browser::Browser;
use crate::support::world::PASSWORD;
use crate::support::{Actor, TestApp, on_both};

async fn chart(who: &Actor, id: &str, query: Value) -> Value {
    let answer = who.post("/visualization", query).await.ok();
    let charts = answer["charts"].as_array().unwrap();
    charts.iter().find(|chart| chart["id"] == id).unwrap_or_else(|| panic!("no {id} in {answer}")).clone()
}

/// Values by label of a chart's series.
fn values(chart: &Value, series: usize) -> Vec<(&str, i64)> {
    let labels = chart["labels"].as_array().unwrap().iter().map(|label| label.as_str().unwrap());
    labels.zip(chart["series"][series]["values"].as_array().unwrap().iter().map(|value| value.as_i64().unwrap())).collect()
}

fn sum(chart: &Value, series: usize) -> i64 {
    values(chart, series).iter().map(|(_, value)| value).sum()
}

// S1.12
on_both!(what_happened_stands_at_its_day);
async fn what_happened_stands_at_its_day(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (name, password) in [("north.sales1", PASSWORD), ("admin", PASSWORD), ("admin", "wrong password")] {
        app.stranger().post("/admin/login", json!({"username": name, "password": password})).await;
    }
    admin.export("/admin/page/export", json!({"format": "csv"})).await;
    let sign_ins = chart(&admin, "sign-ins", json!({"days": "7"})).await;
    assert_eq!((sign_ins["labels"].as_array().unwrap().len(), &sign_ins["kind"]), (7, &json!("line")));
    let today = |chart: &Value, series| values(chart, series).last().unwrap().1;
    assert_eq!((today(&sign_ins, 0), today(&sign_ins, 1), sum(&sign_ins, 0), sum(&sign_ins, 1)), (2, 1, 2, 1));
    let operations = chart(&admin, "operations", json!({})).await;
    assert_eq!((operations["labels"].as_array().unwrap().len(), sum(&operations, 0)), (30, 2), "an export begins and ends");
    assert_eq!(operations["series"][0]["name"], "管理员");
    // Days of the past hold none of it.
    let earlier = chart(&admin, "sign-ins", json!({"from": "2026-01-05", "to": "2026-01-06"})).await;
    assert_eq!(values(&earlier, 0), [("2026-01-05", 0), ("2026-01-06", 0)]);
}

on_both!(a_chart_counts_what_its_viewer_may_see);
async fn a_chart_counts_what_its_viewer_may_see(app: TestApp) {
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('org_manager', 'channel_manager') AND m.name = 'visualization/list'").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let (admin, north) = (app.sign_in("admin").await, app.sign_in("north.manager").await);
    for name in ["north.sales1", "south.sales1"] {
        app.stranger().post("/admin/login", json!({"username": name, "password": PASSWORD})).await;
    }
    assert_eq!(sum(&chart(&admin, "sign-ins", json!({})).await, 0), 2);
    assert_eq!(sum(&chart(&north, "sign-ins", json!({})).await, 0), 1);
    let accounts = app.count("SELECT COUNT(*) FROM administrator WHERE org_id = (SELECT id FROM organisation WHERE code = 'north')").await;
    assert_eq!(values(&chart(&north, "accounts-by-organisation", json!({})).await, 0), [("北辰", accounts)]);
    assert!(sum(&chart(&admin, "accounts-by-organisation", json!({})).await, 0) > accounts);

    // Each chart follows the point of its list, and the page its own.
    let ids = async |who: &str| -> HashSet<String> {
        let answer = app.sign_in(who).await.post("/visualization", json!({})).await.ok();
        answer["charts"].as_array().unwrap().iter().map(|chart| chart["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("channel.manager").await, ["channels-by-type", "channels-by-status", "channels-by-mode"].map(str::to_owned).into());
    assert!(!ids("north.manager").await.iter().any(|id| id.starts_with("channels")));
    assert_eq!(ids("admin").await.len(), 7);
    app.sign_in("nobody").await.post("/visualization", json!({})).await.refused("1003");
}

on_both!(days_that_are_none_are_refused);
async fn days_that_are_none_are_refused(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for nonsense in [
        json!({"days": 0}),
        json!({"days": "many"}),
        json!({"days": 100_000}),
        json!({"from": "2026-02-30", "to": "2026-03-01"}),
        json!({"from": "2026-03-02", "to": "2026-03-01"}),
        json!({"from": "2016-03-02", "to": "2026-03-01"}),
        json!([]),
    ] {
        admin.post("/visualization", nonsense).await.refused("4000");
    }
    assert_eq!(Browser::of(&app, "admin").await.get("/visualization?days=x").await.status, 400);
}

// S1.12: pictures and tables are in the document, in both languages.
on_both!(the_pictures_come_with_the_document);
async fn the_pictures_come_with_the_document(app: TestApp) {
    let admin = Browser::of(&app, "admin").await;
    app.stranger().post("/admin/login", json!({"username": "admin", "password": PASSWORD})).await;
    for (browser, title, table) in [(admin.clone(), "每日登录", "数据表"), (admin.in_english(), "Logins per day", "Table")] {
        let page = browser.get("/visualization?days=30").await;
        page.is("visualization", 200);
        let html = page.root();
        assert!(html.contains(title) && html.contains(table), "{title}");
        if cfg!(feature = "v8") {
            assert!(html.contains(r#"viewBox="0 0 600 260""#) && html.contains("var(--chart-1)"), "no picture");
            assert_eq!(browser.get("/visualization?days=30").await.root(), html, "the same figures give the same bytes");
        }
        assert!(!html.contains(" style=") && !html.contains("<style"), "the page's policy would drop styles");
    }
}
