//! `GET /role/standard` and `POST /role/standard`: the standard roles that an installation lacks.

use serde_json::json;

use super::latest_change;
use testing::{Actor, TestApp, on_both};

async fn missing(who: &Actor) -> Vec<String> {
    let roles = who.get("/role/standard").await.ok();
    roles.as_array().unwrap().iter().map(|role| role["code"].as_str().unwrap().to_owned()).collect()
}

on_both!(missing_roles_are_offered_and_added);
async fn missing_roles_are_offered_and_added(app: TestApp) {
    let admin = app.sign_in("admin").await.in_english();
    // The others have the codes of standard ones.
    assert_eq!(missing(&admin).await, ["finance", "service", "director", "org_team_lead"]);
    let roles = admin.get("/role/standard").await.ok();
    assert_eq!((&roles[0]["name"], roles[0]["about"].as_str().unwrap().is_empty()), (&json!("Finance"), false));

    let ids = admin.post("/role/standard", json!({"codes": ["director", "service"]})).await.ok();
    assert_eq!(missing(&admin).await, ["finance", "org_team_lead"]);
    let director = admin.get(&format!("/role/{}", app.role("director").await)).await.ok();
    assert_eq!((&director["name"], &director["dataScope"], &director["editable"]), (&json!("业务总监"), &json!("all"), &json!(true)));
    assert_eq!(ids.as_array().unwrap().len(), 2);
    assert!(ids.as_array().unwrap().contains(&director["id"]), "{ids}");
    assert!(latest_change(&app, director["id"].as_i64().unwrap()).await.iter().any(|change| change == "code:  → director"));

    // It works: a colleague with the role alone may approve plans.
    app.execute("UPDATE admin_role SET role_id = (SELECT id FROM role WHERE code = 'director') WHERE admin_id = (SELECT id FROM administrator WHERE username = 'nobody')").await;
    app.sign_in("nobody").await.put("/plan/audit", json!({"id": 1, "version": 1, "approve": true})).await.refused("1004");

    // A role that was deleted is not missing, and none is added twice.
    app.execute("UPDATE role SET deleted_at = 1 WHERE code = 'service'").await;
    assert_eq!(missing(&admin).await, ["finance", "org_team_lead"]);
    for codes in [json!(["service"]), json!(["director"]), json!(["finance", "director"]), json!(["admin"]), json!(["nothing"])] {
        admin.post("/role/standard", json!({"codes": codes})).await.refused("1006");
    }
    for codes in [json!([]), json!(vec!["finance"; 40])] {
        admin.post("/role/standard", json!({"codes": codes})).await.refused("1001");
    }
    admin.post("/role/standard", json!({"codes": null})).await.refused("4000");
    assert_eq!(missing(&admin).await, ["finance", "org_team_lead"], "all or none are added");
}

on_both!(only_roles_that_the_viewer_may_grant_are_offered);
async fn only_roles_that_the_viewer_may_grant_are_offered(app: TestApp) {
    // The operator of the tests lacks one point, which finance has.
    let operator = app.sign_in("operator").await;
    app.execute("DELETE FROM role_menu WHERE menu_id = (SELECT id FROM menu_node WHERE path = 'finance/recharge/audit')").await;
    app.execute("UPDATE role SET version = version + 1").await;
    assert_eq!(missing(&operator).await, ["service", "org_team_lead"]);
    operator.post("/role/standard", json!({"codes": ["finance"]})).await.refused("1006");
    for who in ["auditor", "nobody", "north.manager"] {
        app.sign_in(who).await.get("/role/standard").await.refused("1003");
        app.sign_in(who).await.post("/role/standard", json!({"codes": ["service"]})).await.refused("1003");
    }
}
