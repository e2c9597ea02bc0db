//! `POST /visualization`, and its screen.

use std::collections::HashSet;

use serde_json::{Value, json};

use testing::world::PASSWORD;
use testing::{Actor, TestApp, on_both};

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
    let statuses = chart(&admin, "channels-by-status", json!({})).await;
    let colors = statuses["colors"].as_array().unwrap();
    assert_eq!(colors.len(), statuses["labels"].as_array().unwrap().len(), "each label has the colour of its tag");
    assert_eq!(chart(&admin, "sign-ins", json!({})).await["colors"], json!([]));
    app.sign_in("nobody").await.post("/visualization", json!({})).await.refused("1003");
}
