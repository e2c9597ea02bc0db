//! `/crm/pool`: the pools of organisations.

use serde_json::{Value, json};

use super::clue;
use crate::support::{Actor, TestApp, on_both};

/// A form that is accepted, with changes.
pub fn form(changes: Value) -> Value {
    let mut form = json!({
        "name": "公共池", "subOrgIds": [], "claimPerDay": 20, "formerOwnerDays": 3, "newDelayMinutes": 30, "reclaimDays": 7, "remindDays": 1, "sort": 1
    });
    form.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    form
}

async fn names(actor: &Actor, filters: Value) -> Vec<String> {
    let page = actor.post("/crm/pool/page", filters).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

fn change(row: &Value, status: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "status": status})
}

// S2.10 (part: pools)
on_both!(a_pool_is_made_changed_and_deleted);
async fn a_pool_is_made_changed_and_deleted(app: TestApp) {
    let (operator, manager) = (app.sign_in("operator").await, app.sign_in("north.manager").await);
    operator.post("/crm/pool", form(json!({}))).await.wrong("orgId");
    let whole = operator.post("/crm/pool", form(json!({"orgId": app.organisation("north").await}))).await.ok();
    assert_eq!((&whole["orgName"], &whole["status"], &whole["clues"]), (&json!("北辰"), &json!("enabled"), &json!(0)));
    manager.post("/crm/pool", form(json!({}))).await.refused("1005");
    let team = app.team("First team").await;
    let own = manager.post("/crm/pool", form(json!({"name": "一队", "subOrgIds": [team]}))).await.ok();
    assert_eq!((&own["subOrgIds"], &own["subOrgNames"]), (&json!([team]), &json!(["First team"])));
    let changed = manager.put("/crm/pool", form(json!({"id": own["id"], "version": 1, "name": "一队", "claimPerDay": 5}))).await.ok();
    assert_eq!((&changed["claimPerDay"], &changed["subOrgNames"], &changed["version"]), (&json!(5), &json!([]), &json!(2)));
    let stale = manager.put("/crm/pool", form(json!({"id": own["id"], "version": 1, "name": "一队"}))).await.refused("1005");
    assert_eq!(stale["current"]["version"], 2);
    let trail = app.trail("clue_pool", own["id"].as_i64().unwrap()).await;
    let fields: Vec<&str> = trail[0].diff.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, ["subOrgNames", "claimPerDay"]);
    manager.delete(&format!("/crm/pool/{}", own["id"])).await.ok();
    manager.get(&format!("/crm/pool/{}", own["id"])).await.refused("1004");
    assert_eq!(manager.get(&format!("/crm/pool/history/{}", whole["id"])).await.ok().as_array().unwrap().len(), 1);
    // The name is free again.
    manager.post("/crm/pool", form(json!({"name": "一队"}))).await.ok();
}

on_both!(wrong_fields_of_a_pool_are_named);
async fn wrong_fields_of_a_pool_are_named(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    for (changes, field) in [
        (json!({"name": ""}), "name"),
        (json!({"claimPerDay": -1}), "claimPerDay"),
        (json!({"reclaimDays": 3, "remindDays": 3}), "remindDays"),
        (json!({"subOrgIds": [app.team("Harbour team").await]}), "subOrgIds"),
        (json!({"subOrgIds": [999_999]}), "subOrgIds"),
        (json!({"orgId": app.organisation("south").await}), "orgId"),
    ] {
        manager.post("/crm/pool", form(changes)).await.wrong(field);
    }
    manager.post("/crm/pool", form(json!({"id": 1}))).await.refused("4000");
    manager.put("/crm/pool", form(json!({}))).await.refused("4000");
}

on_both!(an_organisation_keeps_a_pool_in_use);
async fn an_organisation_keeps_a_pool_in_use(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    let first = manager.post("/crm/pool", form(json!({}))).await.ok();
    manager.put("/crm/pool/status", change(&first, "disabled")).await.refused("1006");
    manager.delete(&format!("/crm/pool/{}", first["id"])).await.refused("1006");
    manager.put("/crm/pool/status", change(&first, "enabled")).await.refused("1006");
    clue(&app, "north", None).await;
    let second = manager.post("/crm/pool", form(json!({"name": "二池"}))).await.ok();
    let refusal = manager.in_english().delete(&format!("/crm/pool/{}", first["id"])).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "The pool still has 1 open clues and cannot be deleted");
    // Switched off it keeps its clues.
    let off = manager.put("/crm/pool/status", change(&first, "disabled")).await.ok();
    assert_eq!((&off["status"], &off["clues"]), (&json!("disabled"), &json!(1)));
    manager.put("/crm/pool/status", change(&second, "disabled")).await.refused("1006");
    app.execute("UPDATE clue SET stage = 'invalid'").await;
    manager.delete(&format!("/crm/pool/{}", first["id"])).await.ok();
    // Another organisation's pools do not count.
    let south = app.sign_in("south.manager").await;
    let other = south.post("/crm/pool", form(json!({}))).await.ok();
    south.put("/crm/pool/status", change(&other, "disabled")).await.refused("1006");
}

on_both!(each_sees_the_pools_of_their_scope);
async fn each_sees_the_pools_of_their_scope(app: TestApp) {
    let (operator, manager, lead) = (app.sign_in("operator").await, app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    let second = manager.post("/crm/addSubOrg", super::team::form(json!({}))).await.ok();
    let whole = manager.post("/crm/pool", form(json!({"name": "全体"}))).await.ok();
    manager.post("/crm/pool", form(json!({"name": "一队", "subOrgIds": [app.team("First team").await, second["id"]]}))).await.ok();
    let others = manager.post("/crm/pool", form(json!({"name": "二队", "subOrgIds": [second["id"]]}))).await.ok();
    let south = app.sign_in("south.manager").await;
    south.post("/crm/pool", form(json!({"name": "南"}))).await.ok();
    assert_eq!(names(&operator, json!({"order": "asc"})).await, ["全体", "一队", "二队", "南"]);
    assert_eq!(names(&operator, json!({"orgId": app.organisation("south").await})).await, ["南"]);
    assert_eq!(names(&manager, json!({"order": "asc"})).await, ["全体", "一队", "二队"]);
    assert_eq!(names(&lead, json!({"order": "asc"})).await, ["全体", "一队"]);
    lead.get(&format!("/crm/pool/{}", whole["id"])).await.ok();
    lead.get(&format!("/crm/pool/{}", others["id"])).await.refused("1004");
    south.put("/crm/pool/status", change(&whole, "disabled")).await.refused("1004");
    // With the point, a team's people still change no pool.
    lead.post("/crm/pool", form(json!({}))).await.refused("1003");
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'team_lead' AND m.name = 'crm/saleman/pool'",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    lead.put("/crm/pool/status", change(&whole, "disabled")).await.refused("1003");
    lead.delete(&format!("/crm/pool/{}", whole["id"])).await.refused("1003");
    lead.delete(&format!("/crm/pool/{}", others["id"])).await.refused("1004");
    let labels = async |actor: &Actor| {
        let options = actor.get("/crm/pool/options").await.ok();
        options.as_array().unwrap().iter().map(|option| option["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(labels(&lead).await, ["全体", "一队"]);
    assert!(labels(&operator).await.contains(&"南 · 南十字".to_owned()));
    app.sign_in("north.sales1").await.post("/crm/pool/page", json!({})).await.refused("1003");
}
