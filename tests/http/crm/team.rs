//! `/crm/subOrgPage`, `/crm/addSubOrg`, `/crm/updateSubOrg`, `/crm/getSubOrg/{id}`: the teams of organisations.

use serde_json::{Value, json};

use testing::crm::team::form;
use testing::crm::{clue, salesperson};
use testing::{Actor, TestApp, on_both};

async fn names(actor: &Actor, filters: Value) -> Vec<String> {
    let page = actor.post("/crm/subOrgPage", filters).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

// S1.06 S7.21, S2.10 (part: teams)
on_both!(a_team_is_made_read_and_changed);
async fn a_team_is_made_read_and_changed(app: TestApp) {
    let (operator, manager) = (app.sign_in("operator").await, app.sign_in("north.manager").await);
    let north = app.organisation("north").await;
    operator.post("/crm/addSubOrg", form(json!({}))).await.wrong("orgId");
    let made = operator.post("/crm/addSubOrg", form(json!({"orgId": north.to_string(), "weight": "2"}))).await.ok();
    assert_eq!(
        (&made["orgName"], &made["phoneMask"], &made["cities"], &made["acceptLeads"], &made["status"], &made["version"]),
        (&json!("北辰"), &json!("138****0001"), &json!(["310100", "330100"]), &json!(true), &json!("enabled"), &json!(1))
    );
    assert!(!made.to_string().contains("13812340001"));
    assert_eq!(app.count("SELECT COUNT(*) FROM sub_organisation WHERE phone_enc LIKE '%13812340001%'").await, 0, "the phone is sealed");
    // An organisation's own people make teams of theirs.
    let theirs = manager.post("/crm/addSubOrg", form(json!({"name": "Third team"}))).await.ok();
    assert_eq!(theirs["orgId"], north);
    manager.post("/crm/addSubOrg", form(json!({"name": "Third team"}))).await.refused("1005");
    manager.post("/crm/addSubOrg", form(json!({"name": "Other", "orgId": app.organisation("south").await}))).await.wrong("orgId");

    // The record comes back as it was read: fields that are only read are let pass, and the phone stays.
    let path = format!("/crm/getSubOrg/{}", made["id"]);
    let mut record = manager.get(&path).await.ok();
    assert_eq!(record["assignedToday"], 0);
    record["managerName"] = json!("杜娟");
    record["dailyCap"] = json!("25");
    record["phone"] = json!("138****0001");
    let changed = manager.post("/crm/updateSubOrg", record.clone()).await.ok();
    assert_eq!((&changed["managerName"], &changed["dailyCap"], &changed["version"]), (&json!("杜娟"), &json!(25), &json!(2)));
    let current = manager.post("/crm/updateSubOrg", record.clone()).await.refused("1005");
    assert_eq!(current["current"]["version"], 2);
    // Without a version it is the newest, and the trail says so.
    record.as_object_mut().unwrap().remove("version");
    record["city"] = json!("");
    assert_eq!(manager.post("/crm/updateSubOrg", record).await.ok()["city"], "");
    let trail = app.trail("sub_organisation", made["id"].as_i64().unwrap()).await;
    assert_eq!(trail.len(), 3);
    let fields: Vec<&str> = trail[0].diff.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, ["city", "version"]);
    let history = manager.get(&format!("/crm/subOrg/history/{}", made["id"])).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 3);
    let other = manager.post("/crm/updateSubOrg", form(json!({"id": made["id"], "orgId": app.organisation("south").await}))).await;
    other.wrong("orgId");
}

on_both!(wrong_fields_of_a_team_are_named);
async fn wrong_fields_of_a_team_are_named(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    for (changes, field) in [
        (json!({"name": " "}), "name"),
        (json!({"name": "长".repeat(33)}), "name"),
        (json!({"phone": "12345"}), "phone"),
        (json!({"address": "长".repeat(201)}), "address"),
        (json!({"dailyCap": -1}), "dailyCap"),
        (json!({"weight": 0}), "weight"),
        (json!({"sort": 10_000}), "sort"),
        (json!({"cities": ["长".repeat(33)]}), "cities"),
        (json!({"city": "某地"}), "city"),
    ] {
        manager.post("/crm/addSubOrg", form(changes)).await.wrong(field);
    }
    manager.post("/crm/addSubOrg", form(json!({"weight": "x"}))).await.refused("4000");
    manager.post("/crm/addSubOrg", form(json!({"status": "closed"}))).await.refused("4000");
    manager.post("/crm/addSubOrg", form(json!({"id": 7}))).await.refused("4000");
    manager.post("/crm/updateSubOrg", form(json!({}))).await.refused("4000");
}

// S7.21
on_both!(each_sees_the_teams_of_their_scope);
async fn each_sees_the_teams_of_their_scope(app: TestApp) {
    let (operator, manager, lead) = (app.sign_in("operator").await, app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    let second = manager.post("/crm/addSubOrg", form(json!({}))).await.ok();
    assert_eq!(names(&operator, json!({})).await, ["First team", "Harbour team", "Second team"]);
    assert_eq!(names(&manager, json!({})).await, ["First team", "Second team"]);
    assert_eq!(names(&manager, json!({"sort": "name", "order": "desc"})).await, ["Second team", "First team"]);
    assert_eq!(names(&operator, json!({"keyword": "second"})).await, ["Second team"]);
    assert_eq!(names(&operator, json!({"status": "disabled"})).await, [""; 0]);
    assert_eq!(names(&lead, json!({})).await, ["First team"]);
    // A team's lead edits the own team alone, and makes none.
    let first = app.team("First team").await;
    lead.post("/crm/addSubOrg", form(json!({}))).await.refused("1003");
    assert_eq!(lead.post("/crm/updateSubOrg", json!({"id": first, "name": "First team", "city": "上海"})).await.ok()["city"], "310100");
    lead.post("/crm/updateSubOrg", form(json!({"id": second["id"]}))).await.refused("1004");
    lead.get(&format!("/crm/getSubOrg/{}", second["id"])).await.refused("1004");
    let south = app.sign_in("south.manager").await;
    south.get(&format!("/crm/getSubOrg/{first}")).await.refused("1004");
    south.post("/crm/updateSubOrg", form(json!({"id": first}))).await.refused("1004");
    for call in ["/crm/subOrgPage", "/crm/subOrgPage/export", "/crm/addSubOrg", "/crm/updateSubOrg"] {
        app.sign_in("north.sales1").await.post(call, json!({})).await.refused("1003");
    }
    let options = manager.get("/crm/subOrg/options").await.ok();
    assert_eq!(options, json!([{"value": first, "label": "First team"}, {"value": second["id"], "label": "Second team"}]));
    assert_eq!(operator.get("/crm/subOrg/options?keyword=har").await.ok()[0]["label"], "Harbour team · 南十字");
}

// Platform staff who own records reach the organisations that they look after.
on_both!(an_account_manager_reaches_their_organisations);
async fn an_account_manager_reaches_their_organisations(app: TestApp) {
    app.execute("UPDATE role SET data_scope = 'own', version = version + 1 WHERE code = 'operator'").await;
    app.execute("UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'operator') WHERE code = 'south'")
        .await;
    let operator = app.sign_in("operator").await;
    assert_eq!(names(&operator, json!({})).await, ["Harbour team"]);
    operator.post("/crm/addSubOrg", form(json!({"orgId": app.organisation("north").await}))).await.wrong("orgId");
    operator.post("/crm/addSubOrg", form(json!({"orgId": app.organisation("south").await}))).await.ok();
    operator.get(&format!("/crm/getSubOrg/{}", app.team("First team").await)).await.refused("1004");
}

on_both!(a_team_in_use_stays_enabled);
async fn a_team_in_use_stays_enabled(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    let first = app.team("First team").await;
    let disable = json!({"id": first, "name": "First team", "status": "disabled"});
    let sales = salesperson(&app, "north.sales1").await;
    clue(&app, "north", Some(sales)).await;
    let refusal = manager.in_english().post("/crm/updateSubOrg", disable.clone()).await;
    refusal.refused("1006");
    assert!(refusal.desc().contains("1 salespeople who have not left, 1 open leads"), "{}", refusal.desc());
    // Without new leads it stays in use.
    manager.post("/crm/updateSubOrg", json!({"id": first, "name": "First team", "acceptLeads": false})).await.ok();
    app.execute("UPDATE salesperson SET status = 'left'").await;
    manager.post("/crm/updateSubOrg", disable.clone()).await.refused("1006");
    app.execute("UPDATE clue SET stage = 'lost'").await;
    assert_eq!(manager.post("/crm/updateSubOrg", disable).await.ok()["status"], "disabled");
    let body = json!({"adminId": app.account("north.sales2").await, "subOrgId": first, "level": "junior", "weight": 1});
    // The account works there already: only another team has to be in use.
    manager.post("/crm/salesperson", body).await.ok();
}

on_both!(teams_are_exported_and_counted);
async fn teams_are_exported_and_counted(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    manager.post("/crm/addSubOrg", form(json!({}))).await.ok();
    salesperson(&app, "north.sales1").await;
    let team = app.team("First team").await;
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query("INSERT INTO crm_day_count (kind, subject_id, object_id, day, used) VALUES ('team_leads', $1, 0, $2, 3)")
        .bind(team)
        .bind(base::clock::day(app.now()).to_string())
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let page = manager.post("/crm/subOrgPage", json!({})).await.ok();
    assert_eq!((&page["list"][0]["people"], &page["list"][0]["assignedToday"]), (&json!(1), &json!(3)));
    assert_eq!(page["list"][1]["assignedToday"], 0);
    let columns = ["name", "orgName", "phoneMask", "cities", "acceptLeads", "dailyCap", "assignedToday", "people", "status"];
    let file = manager.export("/crm/subOrgPage/export", json!({"format": "csv", "columns": columns})).await;
    let text = String::from_utf8(file.body.to_vec()).unwrap();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "团队,机构,联系电话,接收城市,接收线索,每日上限,今日分配,销售人数,状态");
    assert_eq!(lines[1], "First team,北辰,,,是,,3,1,启用");
    assert_eq!(lines[2], "Second team,北辰,138****0001,\"上海市, 杭州市\",是,30,0,0,启用");
}
