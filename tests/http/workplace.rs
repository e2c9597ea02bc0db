//! `GET /workplace`, and its screen, where everybody begins.

use serde_json::{Value, json};

use crate::pages::browser::Browser;
use crate::support::world::PASSWORD;
use crate::support::{TestApp, on_both};

fn figures(today: &Value) -> Vec<&str> {
    today["figures"].as_array().unwrap().iter().map(|figure| figure["href"].as_str().unwrap()).collect()
}

// S1.12
on_both!(each_part_is_for_who_may_see_it);
async fn each_part_is_for_who_may_see_it(app: TestApp) {
    let of = async |who: &str| app.sign_in(who).await.get("/workplace").await.ok();
    let (operator, manager, nobody) = (of("operator").await, of("channel.manager").await, of("nobody").await);
    assert!(figures(&operator).contains(&"/channel/list?status=enabled") && figures(&operator).contains(&"/admin/list?status=enabled"));
    assert!(figures(&manager).iter().all(|href| href.starts_with("/channel/list")) && !figures(&manager).is_empty());
    assert_eq!((figures(&nobody).len(), &nobody["operations"], &nobody["newLeads"]), (0, &Value::Null, &json!(0)));
    assert_eq!(operator["operations"], json!([]));
    app.stranger().get("/workplace").await.refused("2000");
}

on_both!(what_was_done_lately_is_shown_within_the_scope);
async fn what_was_done_lately_is_shown_within_the_scope(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    app.sign_in("operator").await.export("/channel/page/export", json!({"format": "csv"})).await;
    north.export("/admin/page/export", json!({"format": "csv"})).await;
    let seen = |today: Value| today["operations"].as_array().unwrap().iter().map(|row| row["username"].clone()).collect::<Vec<_>>();
    assert_eq!(seen(app.sign_in("admin").await.get("/workplace").await.ok()), ["north.manager", "operator"]);
    assert_eq!(seen(north.get("/workplace").await.ok()), ["north.manager"]);
}

on_both!(everyone_sees_the_attempts_on_his_own_name_and_no_others);
async fn everyone_sees_the_attempts_on_his_own_name_and_no_others(app: TestApp) {
    for (name, password) in [("nobody", PASSWORD), ("nobody", "wrong password"), ("admin", PASSWORD)] {
        app.stranger().post("/admin/login", json!({"username": name, "password": password})).await;
    }
    let today = app.sign_in("nobody").await.get("/workplace").await.ok();
    let results: Vec<&str> = today["signIns"].as_array().unwrap().iter().map(|row| row["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["wrong", "ok"]);
}

on_both!(the_workplace_is_everybodys_first_page);
async fn the_workplace_is_everybodys_first_page(app: TestApp) {
    for who in ["admin", "north.sales1", "nobody"] {
        let browser = Browser::of(&app, who).await;
        assert_eq!(browser.get("/").await.redirect(), "/dashboard/workplace");
        let page = browser.get("/dashboard/workplace").await;
        page.is("dashboardWorkplace", 200);
        assert!(page.root().contains(who), "it greets by name");
    }
}
