//! `/crm/salesperson`: who works on clues, what each of them takes, and how one leaves.

use serde_json::{Value, json};

use testing::crm::{clue, salesperson};
use testing::{Actor, TestApp, on_both};

/// A form that is accepted, with changes.
fn form(changes: Value) -> Value {
    let mut form = json!({
        "jobNo": "N-7", "level": "senior", "wechat": "north-7", "cities": ["上海市"], "weight": 3, "dailyCap": 10, "privateCap": 40
    });
    form.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    form
}

async fn usernames(actor: &Actor, filters: Value) -> Vec<String> {
    let page = actor.post("/crm/salesperson/page", filters).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["username"].as_str().unwrap().to_owned()).collect()
}

async fn labels(actor: &Actor, path: &str) -> Vec<String> {
    let options = actor.get(path).await.ok();
    options.as_array().unwrap().iter().map(|option| option["label"].as_str().unwrap().to_owned()).collect()
}

fn status(row: &Value, status: &str, to: Option<i64>) -> Value {
    json!({"id": row["id"], "version": row["version"], "status": status, "handOverTo": to})
}

/// The count of open clues of a salesperson, in the row and counted.
async fn held(app: &TestApp, id: i64) -> (i64, i64) {
    let mut tx = app.app.db.begin().await.unwrap();
    let kept = sqlx::query_scalar("SELECT held FROM salesperson WHERE id = $1").bind(id).fetch_one(&mut *tx).await.unwrap();
    let counted = sqlx::query_scalar("SELECT COUNT(*) FROM clue WHERE owner_id = $1 AND stage NOT IN ('disbursed', 'invalid', 'lost')")
        .bind(id)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    (kept, counted)
}

// S1.06 S2.10 (part: salespeople)
on_both!(an_account_becomes_a_salesperson_and_is_changed);
async fn an_account_becomes_a_salesperson_and_is_changed(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    let sales = app.account("north.sales1").await;
    let accounts = labels(&manager, "/crm/salesperson/accounts?keyword=north.s").await;
    assert_eq!(accounts, ["north north.sales1 (north.sales1)", "north north.sales2 (north.sales2)"]);
    let made = manager.post("/crm/salesperson", form(json!({"adminId": sales}))).await.ok();
    assert_eq!(
        (&made["id"], &made["name"], &made["subOrgName"], &made["cities"], &made["status"], &made["receiving"], &made["held"]),
        (&json!(sales), &json!("north north.sales1"), &json!("First team"), &json!(["310100"]), &json!("active"), &json!(true), &json!(0))
    );
    assert_eq!(labels(&manager, "/crm/salesperson/accounts").await.len(), 3);
    manager.post("/crm/salesperson", form(json!({"adminId": sales}))).await.refused("1005");
    let path = format!("/crm/salesperson/{sales}");
    let row = manager.get(&path).await.ok();
    assert_eq!((&row["assignedToday"], &row["accountStatus"]), (&json!(0), &json!("enabled")));
    let change = form(json!({"id": sales, "version": 1, "dailyCap": null, "level": "lead"}));
    let changed = manager.put("/crm/salesperson", change.clone()).await.ok();
    assert_eq!((&changed["dailyCap"], &changed["level"], &changed["version"]), (&json!(null), &json!("lead"), &json!(2)));
    assert_eq!(manager.put("/crm/salesperson", change).await.refused("1005")["current"]["version"], 2);
    let off = manager.put("/crm/salesperson/receiving", json!({"id": sales, "version": 2, "receiving": false})).await.ok();
    assert_eq!(off["receiving"], false);
    let trail = app.trail("salesperson", sales).await;
    let fields: Vec<Vec<&str>> = trail.iter().map(|entry| entry.diff.iter().map(|change| change.field.as_str()).collect()).collect();
    assert_eq!(fields[0], ["receiving"]);
    assert_eq!(fields[1], ["level", "dailyCap"]);
    assert!(fields[2].contains(&"subOrgName") && !fields[2].contains(&"held"), "{:?}", fields[2]);
    assert_eq!(manager.get(&format!("/crm/salesperson/history/{sales}")).await.ok().as_array().unwrap().len(), 3);
}

on_both!(wrong_fields_of_a_salesperson_are_named);
async fn wrong_fields_of_a_salesperson_are_named(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    let sales = app.account("north.sales1").await;
    for (changes, field) in [
        (json!({}), "adminId"),
        (json!({"adminId": app.account("south.sales1").await}), "adminId"),
        (json!({"adminId": app.account("operator").await}), "adminId"),
        (json!({"adminId": sales, "weight": 0}), "weight"),
        (json!({"adminId": sales, "dailyCap": -1}), "dailyCap"),
        (json!({"adminId": sales, "privateCap": 0}), "privateCap"),
        (json!({"adminId": sales, "jobNo": "x".repeat(33)}), "jobNo"),
        (json!({"adminId": sales, "cities": ["长".repeat(33)]}), "cities"),
        (json!({"adminId": sales, "subOrgId": app.team("Harbour team").await}), "subOrgId"),
    ] {
        manager.post("/crm/salesperson", form(changes)).await.wrong(field);
    }
    manager.post("/crm/salesperson", form(json!({"adminId": sales, "level": "chief"}))).await.refused("4000");
    manager.post("/crm/salesperson", form(json!({"adminId": sales, "id": sales}))).await.refused("4000");
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'north.sales1'").await;
    manager.post("/crm/salesperson", form(json!({"adminId": sales}))).await.wrong("adminId");
    assert_eq!(app.count("SELECT COUNT(*) FROM salesperson").await, 0);
}

on_both!(each_sees_the_salespeople_of_their_scope);
async fn each_sees_the_salespeople_of_their_scope(app: TestApp) {
    for name in ["north.manager", "north.lead", "north.sales1", "north.sales2", "south.sales1"] {
        salesperson(&app, name).await;
    }
    app.execute(
        "UPDATE salesperson SET receiving = 0, level = 'senior' WHERE id = (SELECT id FROM administrator WHERE username = 'north.lead')",
    )
    .await;
    let (operator, manager, lead) = (app.sign_in("operator").await, app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    let asc = |mut filters: Value| {
        filters["order"] = json!("asc");
        filters
    };
    assert_eq!(usernames(&operator, asc(json!({}))).await.len(), 5);
    assert_eq!(usernames(&operator, asc(json!({"orgId": app.organisation("south").await}))).await, ["south.sales1"]);
    assert_eq!(usernames(&manager, asc(json!({}))).await, ["north.manager", "north.lead", "north.sales1", "north.sales2"]);
    let team = app.team("First team").await;
    assert_eq!(usernames(&manager, asc(json!({"subOrgId": team}))).await, ["north.lead", "north.sales1", "north.sales2"]);
    assert_eq!(usernames(&manager, json!({"receiving": "off"})).await, ["north.lead"]);
    assert_eq!(usernames(&manager, json!({"level": "senior", "status": "active"})).await, ["north.lead"]);
    assert_eq!(usernames(&manager, json!({"keyword": "NORTH.SALES2"})).await, ["north.sales2"]);
    assert_eq!(usernames(&manager, asc(json!({"sort": "held"}))).await.len(), 4);
    assert_eq!(usernames(&lead, asc(json!({}))).await, ["north.lead", "north.sales1", "north.sales2"]);
    let south = app.sign_in("south.manager").await;
    let sales = app.account("north.sales1").await;
    south.get(&format!("/crm/salesperson/{sales}")).await.refused("1004");
    south.put("/crm/salesperson", form(json!({"id": sales, "version": 1}))).await.refused("1004");
    south.put("/crm/salesperson/status", json!({"id": sales, "version": 1, "status": "left"})).await.refused("1004");
    lead.get(&format!("/crm/salesperson/{}", app.account("north.manager").await)).await.refused("1004");
    app.sign_in("north.sales1").await.post("/crm/salesperson/page", json!({})).await.refused("1003");
    // An account manager of the platform.
    app.execute("UPDATE role SET data_scope = 'own', version = version + 1 WHERE code = 'operator'").await;
    app.execute("UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'operator') WHERE code = 'south'")
        .await;
    assert_eq!(usernames(&app.sign_in("operator").await, json!({})).await, ["south.sales1"]);
}

on_both!(choices_are_active_people_of_the_scope);
async fn choices_are_active_people_of_the_scope(app: TestApp) {
    for name in ["north.manager", "north.lead", "north.sales1", "north.sales2", "south.sales1"] {
        salesperson(&app, name).await;
    }
    app.execute("UPDATE salesperson SET status = 'away' WHERE id = (SELECT id FROM administrator WHERE username = 'north.sales2')").await;
    let path = "/crm/salesperson/options";
    let (operator, manager, lead) = (app.sign_in("operator").await, app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    assert_eq!(labels(&operator, &format!("{path}?orgId={}", app.organisation("south").await)).await, ["south south.sales1"]);
    assert_eq!(labels(&manager, path).await, ["north north.lead · First team", "north north.manager", "north north.sales1 · First team"]);
    assert_eq!(labels(&manager, &format!("{path}?keyword=north.s")).await, ["north north.sales1 · First team"]);
    assert_eq!(labels(&lead, path).await, ["north north.lead · First team", "north north.sales1 · First team"]);
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'north.sales1'").await;
    assert_eq!(labels(&lead, path).await, ["north north.lead · First team"]);
    // A viewer who sees only their own records sees colleagues if they may assign clues.
    app.execute("UPDATE role SET data_scope = 'self', version = version + 1 WHERE code = 'team_lead'").await;
    assert_eq!(labels(&app.sign_in("north.lead").await, path).await, ["north north.lead · First team", "north north.manager"]);
    app.execute("DELETE FROM role_menu WHERE menu_id = (SELECT id FROM menu_node WHERE name = 'crm/clue/assign')").await;
    app.execute("UPDATE role SET version = version + 1").await;
    assert_eq!(labels(&app.sign_in("north.lead").await, path).await, [""; 0]);
}

on_both!(a_team_lead_edits_the_people_of_the_team_and_moves_nobody);
async fn a_team_lead_edits_the_people_of_the_team_and_moves_nobody(app: TestApp) {
    let (manager, lead) = (app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    let second = manager.post("/crm/addSubOrg", testing::crm::team::form(json!({}))).await.ok()["id"].as_i64().unwrap();
    let sales = app.account("north.sales1").await;
    lead.post("/crm/salesperson", form(json!({"adminId": sales, "subOrgId": second}))).await.wrong("subOrgId");
    lead.post("/crm/salesperson", form(json!({"adminId": app.account("north.manager").await}))).await.wrong("adminId");
    let row = lead.post("/crm/salesperson", form(json!({"adminId": sales, "subOrgId": app.team("First team").await}))).await.ok();
    lead.put("/crm/salesperson", form(json!({"id": sales, "version": row["version"], "subOrgId": second}))).await.wrong("subOrgId");
    let row = lead.put("/crm/salesperson", form(json!({"id": sales, "version": row["version"], "weight": 9}))).await.ok();
    assert_eq!((&row["weight"], &row["subOrgName"]), (&json!(9), &json!("First team")));

    // The manager moves the account with the salesperson and the open clues.
    let open = clue(&app, "north", Some(sales)).await;
    let person = app.sign_in("north.sales1").await;
    let moved = manager.put("/crm/salesperson", form(json!({"id": sales, "version": row["version"], "subOrgId": second}))).await.ok();
    assert_eq!(moved["subOrgName"], "Second team");
    assert_eq!(app.count("SELECT sub_org_id FROM administrator WHERE username = 'north.sales1'").await, second);
    assert_eq!(app.count("SELECT sub_org_id FROM clue").await, second, "clue {open}");
    person.get("/admin/me").await.refused("2000");
    let changed: Vec<String> = app.trail("administrator", sales).await[0].diff.iter().map(|change| change.field.clone()).collect();
    assert!(changed.contains(&"subOrgName".to_owned()), "{changed:?}");
    lead.get(&format!("/crm/salesperson/{sales}")).await.refused("1004");
    assert_eq!(held(&app, sales).await, (1, 1));
}

// What happens to the account happens to the salesperson.
on_both!(a_salesperson_follows_the_account);
async fn a_salesperson_follows_the_account(app: TestApp) {
    let (admin, manager) = (app.sign_in("admin").await, app.sign_in("north.manager").await);
    let sales = salesperson(&app, "north.sales1").await;
    let open = clue(&app, "north", Some(sales)).await;
    let second = manager.post("/crm/addSubOrg", testing::crm::team::form(json!({}))).await.ok()["id"].as_i64().unwrap();
    let account = async |org: Option<i64>, team: Option<i64>| {
        let row = admin.get(&format!("/admin/{sales}")).await.ok();
        let roles: Vec<&Value> = row["roles"].as_array().unwrap().iter().map(|role| &role["id"]).collect();
        json!({"id": sales, "version": row["version"], "realName": "Sales", "orgId": org, "subOrgId": team, "roleIds": roles})
    };
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    admin.put("/admin", account(Some(north), Some(second)).await).await.ok();
    let row = manager.get(&format!("/crm/salesperson/{sales}")).await.ok();
    assert_eq!((&row["subOrgName"], &row["name"]), (&json!("Second team"), &json!("Sales")));
    assert_eq!(app.count("SELECT sub_org_id FROM clue").await, second);
    assert_eq!(app.trail("salesperson", sales).await[0].diff[0].field, "subOrgName");
    // Open clues keep the account where it is.
    let refusal = admin.in_english().put("/admin", account(Some(south), None).await).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "This account owns 1 open leads: hand them over before it changes its organisation");
    admin.put("/admin", account(None, None).await).await.refused("1006");
    let refusal = admin.in_english().delete(&format!("/admin/{sales}")).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "This account owns 1 open leads: hand them over before it is deleted");
    assert_eq!(app.count("SELECT COUNT(*) FROM salesperson WHERE deleted_at IS NULL").await, 1);
    // Disabled, it keeps closed ones alone, and is no choice.
    let closed = clue(&app, "north", Some(sales)).await;
    app.execute("UPDATE clue SET stage = 'lost' WHERE id = (SELECT MAX(id) FROM clue)").await;
    app.execute("UPDATE salesperson SET held = 1").await;
    let version = admin.get(&format!("/admin/{sales}")).await.ok()["version"].clone();
    admin.put("/admin/status", json!({"id": sales, "version": version, "status": "disabled"})).await.ok();
    let row = manager.get(&format!("/crm/salesperson/{sales}")).await.ok();
    assert_eq!((&row["accountStatus"], &row["held"]), (&json!("disabled"), &json!(0)), "clue {open} is in its pool");
    assert_eq!(labels(&manager, "/crm/salesperson/options").await, [""; 0]);
    // Without open clues it may go, and is no salesperson any more; it may not come back elsewhere.
    let version = admin.get(&format!("/admin/{sales}")).await.ok()["version"].clone();
    admin.put("/admin/status", json!({"id": sales, "version": version, "status": "enabled"})).await.ok();
    admin.put("/admin", account(Some(south), None).await).await.ok();
    manager.get(&format!("/crm/salesperson/{sales}")).await.refused("1004");
    app.sign_in("south.manager").await.post("/crm/salesperson", form(json!({"adminId": sales}))).await.refused("1006");
    admin.put("/admin", account(Some(north), Some(second)).await).await.ok();
    assert_eq!(manager.post("/crm/salesperson", form(json!({"adminId": sales}))).await.ok()["status"], "active");
    admin.delete(&format!("/admin/{sales}")).await.ok();
    manager.get(&format!("/crm/salesperson/{sales}")).await.refused("1004");
    assert_eq!(app.count("SELECT owner_id FROM clue WHERE stage = 'lost'").await, sales, "clue {closed} keeps its owner");
}

on_both!(one_who_leaves_hands_every_open_clue_over);
async fn one_who_leaves_hands_every_open_clue_over(app: TestApp) {
    let (manager, lead) = (app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    let (leaver, receiver) = (salesperson(&app, "north.sales2").await, salesperson(&app, "north.sales1").await);
    let other = salesperson(&app, "south.sales1").await;
    for _ in 0..3 {
        clue(&app, "north", Some(leaver)).await;
    }
    clue(&app, "north", Some(receiver)).await;
    let closed = clue(&app, "north", Some(leaver)).await;
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query("UPDATE clue SET stage = 'disbursed' WHERE id = $1").bind(closed).execute(&mut *tx).await.unwrap();
    sqlx::query("UPDATE salesperson SET held = 3 WHERE id = $1").bind(leaver).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let row = manager.get(&format!("/crm/salesperson/{leaver}")).await.ok();
    for to in [leaver, other, 999_999] {
        manager.put("/crm/salesperson/status", status(&row, "left", Some(to))).await.wrong("handOverTo");
    }
    manager.put("/crm/salesperson/status", status(&row, "away", Some(receiver))).await.wrong("handOverTo");
    // Who has not room for all of them gets none.
    app.execute("UPDATE salesperson SET private_cap = 3").await;
    manager.put("/crm/salesperson/status", status(&row, "left", Some(receiver))).await.wrong("handOverTo");
    assert_eq!((held(&app, leaver).await, held(&app, receiver).await), ((3, 3), (1, 1)), "nothing was done");
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_owner_log").await, 0);
    app.execute("UPDATE salesperson SET private_cap = NULL").await;

    let left = lead.put("/crm/salesperson/status", status(&row, "left", Some(receiver))).await.ok();
    assert_eq!((&left["status"], &left["receiving"], &left["held"]), (&json!("left"), &json!(false), &json!(0)));
    assert!(left["leftAt"].as_i64().unwrap() <= app.now());
    assert_eq!((held(&app, leaver).await, held(&app, receiver).await), ((0, 0), (4, 4)));
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_owner_log WHERE way = 'leave'").await, 3);
    assert_eq!(app.count("SELECT owner_id FROM clue WHERE stage = 'disbursed'").await, leaver, "a closed clue keeps its owner");
    let trail = app.trail("salesperson", leaver).await;
    let handed = trail[0].diff.iter().find(|change| change.field == "handedOver").unwrap();
    assert_eq!(handed.after.as_deref(), Some("north north.sales1: 3"));
    let heard = app.sign_in("north.sales1").await.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert_eq!(heard.matches("移交了 3 条线索给您").count(), 1, "{heard}");
    // Gone is gone: leads, changes of status that are not allowed.
    manager.put("/crm/salesperson/receiving", json!({"id": leaver, "version": left["version"], "receiving": true})).await.refused("1006");
    manager.put("/crm/salesperson/status", status(&left, "away", None)).await.refused("1006");
    let back = manager.put("/crm/salesperson/status", status(&left, "active", None)).await.ok();
    assert_eq!((&back["receiving"], &back["leftAt"]), (&json!(true), &json!(null)));
}

on_both!(without_a_receiver_the_clues_go_to_the_pool);
async fn without_a_receiver_the_clues_go_to_the_pool(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    let leaver = salesperson(&app, "north.sales2").await;
    for _ in 0..2 {
        clue(&app, "north", Some(leaver)).await;
    }
    let row = manager.get(&format!("/crm/salesperson/{leaver}")).await.ok();
    let away = manager.put("/crm/salesperson/status", status(&row, "away", None)).await.ok();
    assert_eq!((&away["receiving"], &away["held"]), (&json!(false), &json!(2)), "one who is away keeps the clues");
    manager.put("/crm/salesperson/status", status(&row, "left", None)).await.refused("1005");
    manager.put("/crm/salesperson/status", status(&away, "left", None)).await.ok();
    assert_eq!(held(&app, leaver).await, (0, 0));
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE owner_id IS NULL AND pool_id IS NOT NULL").await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_pool").await, 1);
}

// What others stand in the way of is done again, and once.
on_both!(a_departure_that_others_stand_in_the_way_of_happens_once);
async fn a_departure_that_others_stand_in_the_way_of_happens_once(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    let (leaver, receiver) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    clue(&app, "north", Some(leaver)).await;
    let row = manager.get(&format!("/crm/salesperson/{leaver}")).await.ok();
    app.stand_in_the_way().await;
    manager.put("/crm/salesperson/status", status(&row, "left", Some(receiver))).await.ok();
    assert_eq!((held(&app, leaver).await, held(&app, receiver).await), ((0, 0), (1, 1)));
    assert_eq!(app.trail("salesperson", leaver).await.len(), 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_owner_log").await, 1);
}

on_both!(salespeople_are_exported);
async fn salespeople_are_exported(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    let sales = salesperson(&app, "north.sales1").await;
    app.execute("UPDATE salesperson SET daily_cap = 5, cities = '[\"上海\",\"杭州\"]'").await;
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query("INSERT INTO crm_day_count (kind, subject_id, object_id, day, used) VALUES ('sales_leads', $1, 0, $2, 2)")
        .bind(sales)
        .bind(base::clock::day(app.now()).to_string())
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let columns = ["name", "subOrgName", "level", "status", "receiving", "held", "assignedToday", "dailyCap", "cities"];
    let file = manager.export("/crm/salesperson/page/export", json!({"format": "csv", "columns": columns})).await;
    let text = String::from_utf8(file.body.to_vec()).unwrap();
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "姓名,团队,级别,状态,接收线索,持有线索,今日分配,每日上限,接收城市");
    assert_eq!(lines[1], "north north.sales1,First team,中级,在职,是,0,2,5,\"上海市, 杭州市\"");
    app.sign_in("north.sales1").await.export("/crm/salesperson/page/export", json!({})).await.refused("1003");
}
