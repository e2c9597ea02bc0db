//! `/crm/pushPage`, `/crm/clue`, `/crm/progress`, `/crm/board`: clues are listed, opened and followed up.

use serde_json::{Value, json};

use testing::crm::clue::follow;
use testing::crm::{clue, salesperson};
use testing::{Actor, TestApp, on_both};

const DAY: i64 = 86_400_000;

async fn page(actor: &Actor, filters: Value) -> i64 {
    actor.post("/crm/pushPage", filters).await.ok()["total"].as_i64().unwrap()
}

// S1.06 S7.22: salespeople see their own clues, team leads their team's, managers their organisation's.
on_both!(each_role_lists_the_clues_of_its_scope);
async fn each_role_lists_the_clues_of_its_scope(app: TestApp) {
    let (one, two) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    let south = salesperson(&app, "south.sales1").await;
    for (org, owner) in [("north", Some(one)), ("north", Some(one)), ("north", Some(two)), ("north", None), ("south", Some(south))] {
        clue(&app, org, owner).await;
    }
    let of = async |who: &str| page(&app.sign_in(who).await, json!({})).await;
    assert_eq!((of("north.sales1").await, of("north.sales2").await, of("south.sales1").await), (2, 1, 1));
    assert_eq!((of("north.lead").await, of("north.manager").await, of("south.manager").await), (3, 4, 1));
    assert_eq!((of("admin").await, of("operator").await), (5, 5));
    app.sign_in("nobody").await.post("/crm/pushPage", json!({})).await.refused("1003");
    let file = app.sign_in("north.manager").await.export("/crm/pushPage/export", json!({"format": "csv"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert_eq!((text.lines().count(), text.contains("13800000000")), (5, false), "phones are masked in the file: {text}");
}

on_both!(filters_narrow_the_list);
async fn filters_narrow_the_list(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let (first, second) = (clue(&app, "north", Some(owner)).await, clue(&app, "north", Some(owner)).await);
    clue(&app, "north", None).await;
    let (sales, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.manager").await);
    follow(&sales, first, json!({"nextAt": app.now() + DAY / 24, "level": "a", "star": 2})).await;
    follow(&sales, second, json!({"status": "lost", "lostReason": "no_need"})).await;
    for (filters, count) in [
        (json!({"stage": "following"}), 1),
        (json!({"state": "open"}), 2),
        (json!({"state": "closed"}), 1),
        (json!({"holder": "pool"}), 1),
        (json!({"holder": "owned"}), 2),
        (json!({"level": "a"}), 1),
        (json!({"star": "2"}), 1),
        (json!({"ownerId": owner.to_string()}), 2),
        (json!({"due": "week"}), 1),
        (json!({"due": "overdue"}), 0),
        (json!({"due": "none"}), 0),
        (json!({"keyword": "CL-0"}), 1),
        (json!({"keyword": "13800000001"}), 1),
        (json!({"keyword": "nothing"}), 0),
        (json!({"createdTo": "2000-01-01"}), 0),
        (json!({"orgId": app.organisation("north").await}), 3),
        (json!({"orgId": app.organisation("south").await}), 0),
        (json!({"subOrgId": app.team("First team").await}), 2),
        (json!({"poolId": app.count("SELECT id FROM clue_pool").await}), 1),
        (json!({"planId": 1}), 0),
        (json!({"channelId": app.count("SELECT id FROM channel").await}), 3),
        (json!({"channelId": 999}), 0),
        (json!({"assignedFrom": "2000-01-01"}), 2),
        (json!({"assignedTo": "2000-01-01"}), 0),
        (json!({"followedBy": owner}), 2),
        (json!({"followedFrom": "2000-01-01", "followedTo": "2001-01-01"}), 0),
    ] {
        assert_eq!(page(&manager, filters.clone()).await, count, "{filters}");
    }
    app.advance(DAY / 12);
    let manager = app.sign_in("north.manager").await;
    assert_eq!(page(&manager, json!({"due": "overdue"})).await, 1);
    manager.post("/crm/pushPage", json!({"stage": "unknown"})).await.refused("4000");
}

// S7.23
on_both!(a_follow_up_moves_a_clue_on);
async fn a_follow_up_moves_a_clue_on(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(owner)).await;
    let sales = app.sign_in("north.sales1").await;
    let next_at = app.now() + 2 * DAY;
    let row = follow(&sales, id, json!({"nextAt": next_at})).await;
    assert_eq!((&row["stage"], &row["followCount"], &row["nextFollowAt"]), (&json!("following"), &json!(1), &json!(next_at)));
    assert!(row["firstFollowAt"].is_i64() && row["reclaimAt"].as_i64().unwrap() > app.now() + 6 * DAY);
    let row = follow(&sales, id, json!({"status": "signed", "version": row["version"]})).await;
    assert!(
        row["visitedAt"].is_i64() && row["signedAt"].is_i64() && row["reclaimAt"].is_null(),
        "a signed clue stays with its owner: {row}"
    );
    follow(&sales, id, json!({"status": "visited", "note": "客户要求重签"})).await;
    let detail = sales.get(&format!("/crm/clue/{id}")).await.ok();
    assert_eq!(detail["follows"].as_array().unwrap().len(), 3);
    assert_eq!(detail["follows"][1]["stageTo"], "signed");
    assert_eq!(app.trail("clue", id).await.len(), 3);
    assert_eq!(sales.get(&format!("/crm/clue/history/{id}")).await.ok().as_array().unwrap().len(), 3);
}

// S7.23: bad input names its field and writes nothing.
on_both!(a_wrong_follow_up_writes_nothing);
async fn a_wrong_follow_up_writes_nothing(app: TestApp) {
    let (owner, south) = (salesperson(&app, "north.sales1").await, salesperson(&app, "south.sales1").await);
    let (id, theirs, pooled) =
        (clue(&app, "north", Some(owner)).await, clue(&app, "south", Some(south)).await, clue(&app, "north", None).await);
    let sales = app.sign_in("north.sales1").await;
    let refused = async |body: Value, code: &str| sales.post("/crm/progress", body).await.refused(code);
    assert!(refused(json!({"id": id, "note": "x".repeat(100_000)}), "1001").await["note"].is_string());
    assert!(refused(json!({"id": id, "note": "x", "nextAt": app.now() - 1}), "1001").await["nextAt"].is_string());
    assert!(refused(json!({"id": id, "note": "x", "nextAt": app.now() + 400 * DAY}), "1001").await["nextAt"].is_string());
    assert!(refused(json!({"id": id, "note": "x", "star": 4}), "1001").await["star"].is_string());
    assert!(refused(json!({"id": id, "note": "x", "status": "lost"}), "1001").await["lostReason"].is_string());
    assert!(refused(json!({"id": id, "note": "x", "status": "lost", "lostReason": "nonsense"}), "1001").await["lostReason"].is_string());
    assert!(refused(json!({"id": id, "note": "x", "fileIds": [99]}), "1001").await["fileIds"].is_string());
    refused(json!({"id": id, "note": "x", "status": "unknown"}), "4000").await;
    refused(json!({"id": id, "note": "x", "star": "many", "extra": 1}), "4000").await;
    refused(json!({"id": theirs, "note": "x"}), "1004").await;
    refused(json!({"id": pooled, "note": "x"}), "1004").await;
    refused(json!({"id": id, "note": "x", "version": 9}), "1005").await;
    app.sign_in("north.manager").await.post("/crm/progress", json!({"id": pooled, "note": "x"})).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_follow").await, 0);
    let row = follow(&sales, id, json!({"status": "signed"})).await;
    refused(json!({"id": id, "status": "visited", "version": row["version"]}), "1001").await;
    refused(json!({"id": id, "note": "x", "status": "following"}), "1006").await;
}

on_both!(of_two_who_write_at_once_the_second_sees_the_first);
async fn of_two_who_write_at_once_the_second_sees_the_first(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(owner)).await;
    let (sales, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.manager").await);
    follow(&sales, id, json!({"version": 1})).await;
    let stale = manager.post("/crm/progress", json!({"id": id, "version": 1, "note": "x"})).await.refused("1005");
    assert_eq!(stale["current"]["stage"], "following");
    // A client that knows no versions writes over the newest, and the trail says so.
    follow(&manager, id, json!({})).await;
    assert!(app.trail("clue", id).await[0].diff.iter().any(|change| change.field == "version"));
}

on_both!(a_closed_clue_leaves_the_count_of_its_owner);
async fn a_closed_clue_leaves_the_count_of_its_owner(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let (one, two) = (clue(&app, "north", Some(owner)).await, clue(&app, "north", Some(owner)).await);
    let (sales, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.manager").await);
    follow(&sales, one, json!({"status": "disbursed"})).await;
    let lost = follow(&sales, two, json!({"status": "lost", "lostReason": "no_need"})).await;
    assert_eq!((&lost["lostReasonName"], &lost["labelColor"]), (&json!("无需求"), &json!("gray")));
    assert_eq!(app.count("SELECT held FROM salesperson").await, 0);
    sales.post("/crm/progress", json!({"id": two, "note": "x"})).await.refused("1006");
    sales.put("/crm/clue/reopen", json!({"id": two, "version": lost["version"], "note": "又有需求"})).await.refused("1003");
    let open = manager.put("/crm/clue/reopen", json!({"id": two, "version": lost["version"], "note": "又有需求"})).await.ok();
    assert_eq!((&open["stage"], &open["ownerId"]), (&json!("new"), &json!(owner)));
    assert_eq!(app.count("SELECT held FROM salesperson").await, 1);
    follow(&sales, one, json!({"status": "approved", "note": "放款被撤回"})).await;
    assert_eq!(app.count("SELECT held FROM salesperson").await, 2);
}

// A number in a note tells who the person is: it is masked there.
on_both!(a_note_keeps_no_phone_number);
async fn a_note_keeps_no_phone_number(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(owner)).await;
    let row = follow(&app.sign_in("north.sales1").await, id, json!({"note": "王小明 13800000000 约周五"})).await;
    let text = row["lastFollowText"].as_str().unwrap();
    assert!(!text.contains("13800000000") && !text.contains("王小明"), "{text}");
}

on_both!(a_clue_is_new_until_it_is_opened);
async fn a_clue_is_new_until_it_is_opened(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", None).await;
    let (sales, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.manager").await);
    manager.post("/crm/assign", json!({"ids": [id], "salespersonId": owner})).await.ok();
    assert_eq!(sales.get("/crm/getNewUserCount").await.ok(), 1);
    assert_eq!(page(&sales, json!({"unseen": "yes"})).await, 1);
    app.sign_in("admin").await.get(&format!("/crm/clue/{id}")).await.ok();
    assert_eq!(sales.get("/crm/getNewUserCount").await.ok(), 1, "platform staff who look do not count");
    assert_eq!(sales.get(&format!("/crm/clue/{id}")).await.ok()["isNew"], false);
    assert_eq!((sales.get("/crm/getNewUserCount").await.ok(), page(&sales, json!({"unseen": "yes"})).await), (json!(0), 0));
}

on_both!(the_board_counts_what_the_list_counts);
async fn the_board_counts_what_the_list_counts(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    for _ in 0..3 {
        clue(&app, "north", Some(owner)).await;
    }
    let id = clue(&app, "north", Some(owner)).await;
    let sales = app.sign_in("north.sales1").await;
    follow(&sales, id, json!({"status": "visited"})).await;
    app.execute("UPDATE applicant SET amount_cents = 5000000").await;
    app.advance(3 * DAY + 1_000);
    let sales = app.sign_in("north.sales1").await;
    follow(&sales, id, json!({})).await;
    let board = sales.post("/crm/board", json!({})).await.ok();
    assert_eq!(board.as_array().unwrap().len(), 10);
    for column in board.as_array().unwrap() {
        assert_eq!(column["total"], page(&sales, json!({"stage": column["stage"]})).await, "{}", column["stage"]);
    }
    let card = &board[3]["clues"][0];
    // A note leaves the clue in its stage.
    assert_eq!((&card["id"], &card["amountCents"], &card["stageDays"]), (&json!(id), &json!(5_000_000), &json!(3)));
    assert_eq!(sales.post("/crm/board", json!({"stage": "visited"})).await.ok().as_array().unwrap().len(), 1);
}

on_both!(the_next_clue_is_the_one_that_is_due_first);
async fn the_next_clue_is_the_one_that_is_due_first(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let (one, two, three) =
        (clue(&app, "north", Some(owner)).await, clue(&app, "north", Some(owner)).await, clue(&app, "north", Some(owner)).await);
    let sales = app.sign_in("north.sales1").await;
    follow(&sales, one, json!({"nextAt": app.now() + 2_000})).await;
    follow(&sales, two, json!({"nextAt": app.now() + 1_000})).await;
    follow(&sales, three, json!({"nextAt": app.now() + 30 * DAY})).await;
    app.advance(5_000);
    assert_eq!(sales.get("/crm/clue/next").await.ok(), two);
    assert_eq!(sales.get(&format!("/crm/clue/next?after={two}")).await.ok(), one);
    follow(&sales, one, json!({})).await;
    assert_eq!(sales.get(&format!("/crm/clue/next?after={two}")).await.ok(), Value::Null);
}

on_both!(other_clues_of_the_same_person_are_named);
async fn other_clues_of_the_same_person_are_named(app: TestApp) {
    let (one, two) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    let (mine, theirs) = (clue(&app, "north", Some(one)).await, clue(&app, "north", Some(two)).await);
    app.execute("UPDATE clue SET phone_hash = 'same'").await;
    let same = app.sign_in("north.sales1").await.get(&format!("/crm/clue/{mine}")).await.ok()["samePerson"].clone();
    assert_eq!((&same[0]["id"], &same[0]["isVisible"], same.as_array().unwrap().len()), (&json!(theirs), &json!(false), 1));
    let same = app.sign_in("north.lead").await.get(&format!("/crm/clue/{mine}")).await.ok()["samePerson"].clone();
    assert_eq!(same[0]["isVisible"], true);
}

// S7.28
on_both!(choices_are_those_of_the_viewers_clues);
async fn choices_are_those_of_the_viewers_clues(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    clue(&app, "north", Some(owner)).await;
    let names = async |who: &str, call: &str| app.sign_in(who).await.post(call, json!({})).await.ok().as_array().unwrap().len();
    assert_eq!((names("north.sales1", "/crm/channel/list").await, names("south.manager", "/crm/channel/list").await), (1, 0));
    assert_eq!(names("north.manager", "/crm/plan/list").await, 0, "the clue of the test has no plan");
    assert_eq!(app.sign_in("north.manager").await.get("/crm/channel/options").await.ok()[0]["label"], "CRM");
}
