//! Whose channels are whose.

use serde_json::{Value, json};

use super::changes::gone;
use super::{codes, rows};
use testing::channel::{form, make, with};
use testing::{TestApp, on_both};

on_both!(a_manager_sees_and_makes_only_their_own);
async fn a_manager_sees_and_makes_only_their_own(app: TestApp) {
    let (operator, manager, second) =
        (app.sign_in("operator").await, app.sign_in("channel.manager").await, app.sign_in("channel.second").await);
    let (own, other) = (app.account("channel.manager").await, app.account("channel.second").await);
    let mine = make(&manager, form("mine-0001")).await;
    let named = make(&manager, with(form("mine-0002"), json!({"ownerAdminId": own}))).await;
    let given = make(&operator, with(form("mine-0003"), json!({"ownerAdminId": own}))).await;
    let nobodys = make(&operator, form("nobodys-1")).await;
    let others = make(&second, form("others-01")).await;
    assert_eq!(manager.get(&format!("/channel/{mine}")).await.ok()["ownerAdminId"], own);

    assert_eq!(codes(&manager, json!({"sort": "code", "order": "asc"})).await, ["mine-0001", "mine-0002", "mine-0003"]);
    assert_eq!(codes(&manager, json!({"ownerAdminId": other})).await, Vec::<String>::new());
    assert_eq!(codes(&operator, json!({})).await.len(), 5);
    let options = manager.get("/channel/options").await.ok();
    assert_eq!(options.as_array().unwrap().iter().map(|option| &option["value"]).collect::<Vec<_>>(), [mine, named, given]);
    let file = manager.export("/channel/page/export", json!({"format": "csv"})).await;
    assert_eq!(file.header("x-total-rows"), Some("3"));
    assert!(!String::from_utf8_lossy(&file.body).contains("others-01"));
    gone(&manager, others).await;
    gone(&manager, nobodys).await;

    // The manager can neither make a channel for another person nor give one away.
    manager.post("/channel", with(form("mine-0004"), json!({"ownerAdminId": other}))).await.wrong("ownerAdminId");
    let away = json!({"id": mine, "version": 1, "ownerAdminId": other});
    manager.put("/channel", with(form("mine-0001"), away)).await.wrong("ownerAdminId");
    let kept = manager.put("/channel", with(form("mine-0001"), json!({"id": mine, "version": 1, "ownerAdminId": null}))).await.ok();
    assert_eq!(kept["ownerAdminId"], own);
    assert_eq!(rows(&app).await, 5);
}

on_both!(an_organisations_staff_see_no_channels);
async fn an_organisations_staff_see_no_channels(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    // Even with every point of channels, and owning one by mistake.
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code IN ('org_manager', 'team_lead', 'org_sales') AND m.path LIKE 'channel/%'",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    app.execute("UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'north.manager')").await;
    for name in ["north.manager", "north.lead", "north.sales1"] {
        let staff = app.sign_in(name).await;
        let page = staff.post("/channel/page", json!({})).await.ok();
        assert_eq!((&page["list"], &page["total"]), (&json!([]), &json!(0)), "{name}");
        assert_eq!(staff.get("/channel/options").await.ok(), json!([]));
        assert_eq!(staff.export("/channel/page/export", json!({"format": "csv"})).await.header("x-total-rows"), Some("0"));
        gone(&staff, id).await;
        staff.post("/channel", form("theirs-01")).await.refused("1003");
    }
    assert_eq!(rows(&app).await, 1);
}

on_both!(each_call_needs_its_point);
async fn each_call_needs_its_point(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    let auditor = app.sign_in("auditor").await;
    assert_eq!(codes(&auditor, json!({})).await, ["ads-xingmang-1"]);
    auditor.get(&format!("/channel/{id}")).await.ok();
    for answer in [
        auditor.post("/channel", form("ads-xingmang-2")).await,
        auditor.put("/channel", with(form("ads-xingmang-1"), json!({"id": id, "version": 1}))).await,
        auditor.put("/channel/status", json!({"id": id, "version": 1, "status": "paused"})).await,
        auditor.put("/channel/secret", json!({"id": id, "version": 1})).await,
        auditor.delete(&format!("/channel/{id}")).await,
        auditor.export("/channel/page/export", json!({"format": "csv"})).await,
    ] {
        assert_eq!(answer.refused("1003"), Value::Null);
    }
    app.stranger().post("/channel/page", json!({})).await.refused("2000");
}
