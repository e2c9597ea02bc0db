//! Whose organisations are whose.

use serde_json::{Value, json};

use super::codes;
use testing::org::{edit, form, make, with};
use testing::{TestApp, on_both};

/// Gives the roles of organisations' people every point of organisations.
async fn with_all_points(app: &TestApp) {
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code IN ('org_manager', 'team_lead', 'org_sales', 'channel_manager') AND m.path LIKE 'org/%'",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
}

on_both!(an_organisations_people_see_their_own_and_set_nothing);
async fn an_organisations_people_see_their_own_and_set_nothing(app: TestApp) {
    with_all_points(&app).await;
    app.execute("UPDATE organisation SET credit_limit_cents = 777700, bill_mode = 'credit' WHERE code = 'south'").await;
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    let manager = app.sign_in("north.manager").await;
    assert_eq!(codes(&manager, json!({})).await, ["north"]);
    let file = manager.export("/org/page/export", json!({"format": "csv"})).await;
    assert!(!String::from_utf8_lossy(&file.body).contains("7777"), "never another's limit");
    manager.get(&format!("/org/{north}")).await.ok();
    for path in ["/org", "/org/history", "/org/reveal", "/org/api"] {
        assert_eq!(manager.get(&format!("{path}/{south}")).await.refused("1004"), Value::Null);
    }
    let api = |id: i64| json!({"id": id, "version": 0, "crypto": "none", "timeoutMs": 5000, "retryMax": 1, "status": "disabled"});
    for (id, code) in [(south, "1004"), (north, "1003")] {
        let row = if id == north { "north" } else { "south" };
        manager.put("/org", edit(row, id, 1, json!({}))).await.refused(code);
        manager.put("/org/status", json!({"id": id, "version": 1, "status": "paused"})).await.refused(code);
        manager.put("/org/api", api(id)).await.refused(code);
        manager.delete(&format!("/org/{id}")).await.refused(code);
    }
    manager.post("/org", form("theirs")).await.refused("1003");
    // Payees are the platform's.
    assert_eq!(manager.post("/org/payee/page", json!({})).await.ok()["total"], 0);
    assert_eq!(manager.get("/org/payee/options").await.ok(), json!([]));
    manager.post("/org/payee", testing::org::payee::form("北辰收款")).await.refused("1004");
    for name in ["north.lead", "north.sales1"] {
        let staff = app.sign_in(name).await;
        assert_eq!(codes(&staff, json!({})).await, Vec::<String>::new(), "{name}");
        staff.get(&format!("/org/{north}")).await.refused("1004");
    }
}

on_both!(an_account_manager_keeps_their_own);
async fn an_account_manager_keeps_their_own(app: TestApp) {
    with_all_points(&app).await;
    let (admin, manager) = (app.sign_in("admin").await, app.sign_in("channel.manager").await);
    let (own, other) = (app.account("channel.manager").await, app.account("channel.second").await);
    let id = make(&manager, form("own-org")).await;
    assert_eq!(manager.get(&format!("/org/{id}")).await.ok()["ownerAdminId"], own);
    let others = make(&admin, with(form("others"), json!({"ownerAdminId": other}))).await;
    assert_eq!(codes(&manager, json!({})).await, ["own-org"]);
    manager.get(&format!("/org/{others}")).await.refused("1004");
    manager.put("/org", edit("own-org", id, 1, json!({"ownerAdminId": other}))).await.wrong("ownerAdminId");
}

on_both!(each_call_needs_its_point);
async fn each_call_needs_its_point(app: TestApp) {
    let north = app.organisation("north").await;
    let auditor = app.sign_in("auditor").await;
    assert_eq!(codes(&auditor, json!({})).await.len(), 2);
    auditor.get(&format!("/org/{north}")).await.ok();
    for answer in [
        auditor.get(&format!("/org/reveal/{north}")).await,
        auditor.get(&format!("/org/api/{north}")).await,
        auditor.post("/org", form("another")).await,
        auditor.put("/org/status", json!({"id": north, "version": 1, "status": "paused"})).await,
        auditor.delete(&format!("/org/{north}")).await,
        auditor.export("/org/page/export", json!({"format": "csv"})).await,
        auditor.post("/org/payee", json!({})).await,
    ] {
        assert_eq!(answer.refused("1003"), Value::Null);
    }
}
