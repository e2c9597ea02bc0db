//! `/crm/pool`: the pools of organisations.

use serde_json::{Value, json};

use testing::crm::pool::form;
use testing::crm::{clue, salesperson};
use testing::{Actor, TestApp, on_both};

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
    assert_eq!(refusal.desc(), "The pool still has 1 open leads and cannot be deleted");
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
    let second = manager.post("/crm/addSubOrg", testing::crm::team::form(json!({}))).await.ok();
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

// Whose level is too low neither claims a pool's clues nor is assigned them.
on_both!(a_pool_asks_for_a_least_level);
async fn a_pool_asks_for_a_least_level(app: TestApp) {
    let (junior, senior) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    let level = async |id: i64, level: &str| {
        let sql = format!("UPDATE salesperson SET level = '{level}' WHERE id = {id}");
        app.execute(Box::leak(sql.into_boxed_str())).await;
    };
    level(junior, "junior").await;
    level(senior, "senior").await;
    let (manager, claims) = (app.sign_in("north.manager").await, app.sign_in("north.sales1").await);
    let pool = manager.post("/crm/pool", form(json!({"newDelayMinutes": 0, "minLevel": "senior"}))).await.ok();
    assert_eq!(pool["minLevel"], "senior");
    let clues = [clue(&app, "north", None).await, clue(&app, "north", None).await, clue(&app, "north", None).await];

    // Claimed.
    let refusal = claims.in_english().post("/crm/clue/claim", json!({"id": clues[0]})).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "Leads of this pool are only for salespeople of the level Senior or above");
    assert_eq!(app.count("SELECT COUNT(*) FROM crm_day_count").await, 0, "a claim that is refused is not counted");
    // Assigned, to one and in turns.
    let left = manager.in_english().post("/crm/assign", json!({"ids": [clues[0]], "salespersonId": junior})).await.ok();
    assert_eq!((&left["done"], left["left"].to_string().contains("Senior or above")), (&json!(0), true), "{left}");
    let turns = manager.post("/crm/assign", json!({"ids": [clues[0], clues[1]], "salespersonIds": [junior, senior]})).await.ok();
    assert_eq!(turns["done"], 2);
    assert_eq!(app.count("SELECT held FROM salesperson WHERE level = 'senior'").await, 2);
    // Handed on by transfer.
    let left = manager.post("/crm/assign", json!({"ids": [clues[0]], "salespersonId": junior})).await.ok();
    assert_eq!(left["done"], 0);
    app.sign_in("north.sales2").await.post("/crm/clue/claim", json!({"id": clues[2]})).await.ok();
    super::transfer::consistent(&app).await;

    // Without the requirement each may have them; the trail says what was changed.
    let changed = manager.put("/crm/pool", form(json!({"id": pool["id"], "version": 1, "newDelayMinutes": 0}))).await.ok();
    assert_eq!(changed["minLevel"], json!(null));
    assert_eq!(app.trail("clue_pool", pool["id"].as_i64().unwrap()).await[0].diff[0].field, "minLevel");
    let last = clue(&app, "north", None).await;
    claims.post("/crm/clue/claim", json!({"id": last})).await.ok();
    manager.post("/crm/pool", form(json!({"name": "x", "minLevel": "chief"}))).await.refused("4000");
}

on_both!(a_new_clue_goes_to_salespeople_of_the_level_of_its_pool);
async fn a_new_clue_goes_to_salespeople_of_the_level_of_its_pool(app: TestApp) {
    testing::plan::begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, testing::lead::channel(&app, json!({"dedupDays": 0})).await);
    testing::lead::plan(&app, &admin, json!({"dedupDays": 0})).await;
    let (junior, senior) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    app.execute("UPDATE salesperson SET receiving = 1, level = 'junior', sub_org_id = NULL").await;
    let manager = app.sign_in("north.manager").await;
    let pool = manager.post("/crm/pool", form(json!({"minLevel": "lead"}))).await.ok();
    let owner = async |number: u32| {
        let user = testing::lead::application(number, json!({}));
        testing::lead::bring(&app, &partner, &format!("r-{number}"), user).await.ok();
        app.distribute().await;
        app.count("SELECT COALESCE(owner_id, 0) FROM clue ORDER BY id DESC LIMIT 1").await
    };
    assert_eq!(owner(1).await, 0, "no salesperson has the level: it waits in the pool");
    let promote = format!("UPDATE salesperson SET level = 'lead' WHERE id = {senior}");
    app.execute(Box::leak(promote.into_boxed_str())).await;
    assert_eq!([owner(2).await, owner(3).await], [senior, senior]);
    manager.put("/crm/pool", form(json!({"id": pool["id"], "version": pool["version"]}))).await.ok();
    let shared = [owner(4).await, owner(5).await, owner(6).await];
    assert!(shared.contains(&junior), "{shared:?}");
}
