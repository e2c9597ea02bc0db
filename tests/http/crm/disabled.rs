//! `PUT /admin/status`: the open clues of an account that is disabled.

use serde_json::json;

use super::transfer::consistent;
use testing::crm::{clue, salesperson};
use testing::{Actor, TestApp, on_both};

/// Sets the status of an account.
async fn set_status(who: &Actor, id: i64, status: &str) {
    let version = who.get(&format!("/admin/{id}")).await.ok()["version"].clone();
    who.put("/admin/status", json!({"id": id, "version": version, "status": status})).await.ok();
}

on_both!(open_clues_of_a_disabled_account_go_to_their_pools);
async fn open_clues_of_a_disabled_account_go_to_their_pools(app: TestApp) {
    let (manager, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    let (sales, other) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    for _ in 0..3 {
        clue(&app, "north", Some(sales)).await;
    }
    clue(&app, "north", Some(other)).await;
    clue(&app, "north", Some(sales)).await;
    app.execute("UPDATE clue SET stage = 'disbursed' WHERE id = (SELECT MAX(id) FROM clue)").await;
    app.execute("UPDATE salesperson SET held = 3 WHERE held = 4").await;
    app.execute("UPDATE clue SET escalate_at = 1 WHERE stage = 'new'").await;
    crm::run_clues(&app.app).await.unwrap();
    let todos = "SELECT COUNT(*) FROM message WHERE type = 'todo' AND done_at IS NULL";
    assert_eq!(app.count(todos).await, 4);

    // The numbers are for those who may disable the account.
    let path = format!("/admin/openWork/{sales}");
    assert_eq!(manager.get(&path).await.ok(), json!({"clues": 3, "conversations": 0}));
    south.get(&path).await.refused("1004");
    app.sign_in("north.sales2").await.get(&path).await.refused("1003");

    set_status(&manager, sales, "disabled").await;
    consistent(&app).await;
    assert_eq!(manager.get(&path).await.ok(), json!({"clues": 0, "conversations": 0}));
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE owner_id IS NULL AND pool_id IS NOT NULL").await, 3);
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_owner_log WHERE way = 'leave' AND to_pool IS NOT NULL").await, 3);
    assert_eq!(app.count("SELECT owner_id FROM clue WHERE stage = 'disbursed'").await, sales, "a closed clue keeps its owner");
    assert_eq!(app.count(todos).await, 1, "that of the other salesperson");
    let row = manager.get(&format!("/crm/salesperson/{sales}")).await.ok();
    assert_eq!(
        (&row["accountStatus"], &row["status"], &row["receiving"], &row["held"]),
        (&json!("disabled"), &json!("away"), &json!(false), &json!(0))
    );
    for (kind, after) in [("salesperson", "公海池: 3"), ("administrator", "3")] {
        let trail = app.trail(kind, sales).await;
        let handed = trail[0].diff.iter().find(|change| change.field == "handedOver").unwrap();
        assert_eq!(handed.after.as_deref(), Some(after), "{kind}");
    }
    let heard = manager.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert_eq!(heard.matches("的 3 条线索已退回公海").count(), 1, "{heard}");

    // It gets no clue any more, until the account is enabled and the salesperson is active again.
    let pooled = app.count("SELECT MIN(id) FROM clue WHERE owner_id IS NULL").await;
    let assign = json!({"ids": [pooled], "salespersonId": sales});
    manager.post("/crm/assign", assign.clone()).await.wrong("salespersonId");
    set_status(&manager, sales, "enabled").await;
    manager.post("/crm/assign", assign.clone()).await.wrong("salespersonId");
    let back = json!({"id": sales, "version": row["version"], "status": "active"});
    assert_eq!(manager.put("/crm/salesperson/status", back).await.ok()["receiving"], true);
    assert_eq!(manager.post("/crm/assign", assign).await.ok()["done"], 1);
    consistent(&app).await;
}

on_both!(an_account_without_work_is_disabled_as_before);
async fn an_account_without_work_is_disabled_as_before(app: TestApp) {
    let manager = app.sign_in("north.manager").await;
    let sales = app.account("north.sales1").await;
    assert_eq!(manager.get(&format!("/admin/openWork/{sales}")).await.ok(), json!({"clues": 0, "conversations": 0}));
    set_status(&manager, sales, "disabled").await;
    let trail = app.trail("administrator", sales).await;
    let fields: Vec<&str> = trail[0].diff.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, ["status"]);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'clue_hand_over'").await, 0);
}

// One assigns a clue to the account while another disables it, on two nodes.
on_both!(no_clue_is_left_with_an_account_that_is_disabled_meanwhile);
async fn no_clue_is_left_with_an_account_that_is_disabled_meanwhile(app: TestApp) {
    let sales = salesperson(&app, "north.sales1").await;
    let other = app.node().await;
    let (manager, assigner) = (app.sign_in("north.manager").await, other.sign_in("north.manager").await);
    for round in 0..6 {
        app.execute("UPDATE administrator SET status = 'enabled' WHERE username = 'north.sales1'").await;
        app.execute("UPDATE salesperson SET status = 'active', receiving = 1").await;
        let id = clue(&app, "north", None).await;
        let version = manager.get(&format!("/admin/{sales}")).await.ok()["version"].clone();
        let disabling = manager.put("/admin/status", json!({"id": sales, "version": version, "status": "disabled"}));
        let assigning = assigner.post("/crm/assign", json!({"ids": [id], "salespersonId": sales}));
        // Each is the first at times.
        let disabled = match round % 2 {
            0 => tokio::join!(disabling, assigning).0,
            _ => tokio::join!(assigning, disabling).1,
        };
        disabled.ok();
        let left = "SELECT COUNT(*) FROM clue k JOIN administrator a ON a.id = k.owner_id WHERE a.status = 'disabled'";
        assert_eq!(app.count(left).await, 0, "round {round}");
        consistent(&app).await;
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE pool_id IS NOT NULL").await, 6);
    other.app.db.close().await;
}
