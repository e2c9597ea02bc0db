//! `/crm/moneyPage` and what belongs to it: entered, decided on by a second person, counted, voided.

use base::clock::DAY;
use serde_json::{Value, json};

use testing::crm::clue::follow;
use testing::crm::money::{decision, form};
use testing::crm::{clue, salesperson};
use testing::upload::png;
use testing::{Actor, TestApp, on_both};

/// A clue of `north.sales1`.
async fn own_clue(app: &TestApp) -> i64 {
    let sales = salesperson(app, "north.sales1").await;
    clue(app, "north", Some(sales)).await
}

async fn decide(who: &Actor, row: &Value, status: &str) -> Value {
    who.put("/crm/money/status", decision(row, status)).await.ok()
}

/// Money of a clue that the team lead entered and the manager confirmed.
pub async fn confirmed(app: &TestApp, clue_id: i64, changes: Value) -> Value {
    let row = app.sign_in("north.lead").await.post("/crm/addMoney", form(app, clue_id, changes)).await.ok();
    decide(&app.sign_in("north.manager").await, &row, "confirmed").await
}

async fn count(who: &Actor, body: Value) -> i64 {
    who.post("/crm/moneyPage", body).await.ok()["total"].as_i64().unwrap()
}

// S1.06 S7.27
on_both!(money_is_entered_seen_edited_and_deleted);
async fn money_is_entered_seen_edited_and_deleted(app: TestApp) {
    let clue_id = own_clue(&app).await;
    let (sales, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.manager").await);
    let row = sales.post("/crm/addMoney", form(&app, clue_id, json!({}))).await.ok();
    assert!(row["no"].as_str().unwrap().starts_with("MR20"), "{row}");
    let copied = (&row["orgId"], &row["subOrgId"], &row["salesId"], &row["status"], &row["version"]);
    let expected = (app.organisation("north").await, app.team("First team").await, app.account("north.sales1").await);
    assert_eq!(copied, (&json!(expected.0), &json!(expected.1), &json!(expected.2), &json!("pending"), &json!(1)));
    assert_eq!((&row["clueNo"], &row["nameMask"], &row["creatorName"]), (&json!("CL-0"), &json!("王*"), &json!("north north.sales1")));
    assert_eq!(sales.get(&format!("/crm/getMoney/{}", row["id"])).await.ok(), row);
    // The number of the clue does as well as its id.
    let by_number = sales.post("/crm/addMoney", form(&app, clue_id, json!({"clueId": null, "clueNo": "cl-0"}))).await.ok();
    assert_eq!(by_number["clueId"], clue_id);
    sales.delete(&format!("/crm/deleteMoney/{}", by_number["id"])).await.ok();
    sales.post("/crm/addMoney", form(&app, clue_id, json!({"clueId": null, "clueNo": "CL-9"}))).await.wrong("clueNo");
    sales.post("/crm/addMoney", form(&app, clue_id, json!({"clueId": null}))).await.wrong("clueId");

    // An old version is refused with the newest record; without a version the newest is edited, and the trail says so.
    let edit = form(&app, clue_id, json!({"id": row["id"], "version": 1, "amountCents": 310_000}));
    let edited = sales.post("/crm/updateMoney", edit.clone()).await.ok();
    assert_eq!((&edited["amountCents"], &edited["version"]), (&json!(310_000), &json!(2)));
    assert_eq!(sales.post("/crm/updateMoney", edit).await.refused("1005")["current"], edited);
    let mut unseen = edited.clone();
    unseen["remark"] = json!("二期");
    unseen.as_object_mut().unwrap().remove("version");
    let edited = sales.post("/crm/updateMoney", unseen).await.ok();
    assert_eq!((&edited["remark"], &edited["version"]), (&json!("二期"), &json!(3)), "a whole record may be sent back");
    let history = sales.get(&format!("/crm/money/history/{}", row["id"])).await.ok();
    let diff = history[0]["diff"].as_array().unwrap();
    assert!(diff.contains(&json!({"field": "version", "before": null, "after": "未指定，取最新"})), "{diff:?}");
    assert_eq!(history.as_array().unwrap().len(), 3);
    assert_eq!(
        app.count("SELECT COUNT(*) FROM operation_log WHERE module = 'clueMoney'").await,
        5,
        "and the other was entered and deleted"
    );

    // It is work for those who may confirm it, but not for the person who entered it.
    let waits = async |who: &Actor| {
        let queues = who.get("/workplace").await.ok()["queues"].as_array().unwrap().clone();
        queues.into_iter().find(|queue| queue["href"] == "/crm/money?awaits=decision")
    };
    let queue = waits(&manager).await.unwrap();
    assert_eq!((&queue["action"], &queue["count"], &queue["cents"]), (&json!("confirm"), &json!(1), &json!(310_000)));
    let own = manager.post("/crm/addMoney", form(&app, clue_id, json!({}))).await.ok();
    assert_eq!(waits(&manager).await.unwrap()["count"], 1);
    assert_eq!((count(&manager, json!({"awaits": "decision"})).await, count(&sales, json!({"awaits": "decision"})).await), (1, 2));
    assert_eq!(waits(&sales).await, None);
    manager.delete(&format!("/crm/deleteMoney/{}", own["id"])).await.ok();

    for keyword in [row["no"].as_str().unwrap().to_lowercase(), "cl-0".to_owned()] {
        assert_eq!(count(&manager, json!({"keyword": keyword})).await, 1);
    }
    assert_eq!(count(&manager, json!({"keyword": "CL-9"})).await, 0);
    sales.delete(&format!("/crm/deleteMoney/{}", row["id"])).await.ok();
    sales.get(&format!("/crm/getMoney/{}", row["id"])).await.refused("1004");
    assert_eq!(count(&manager, json!({})).await, 0);
}

on_both!(each_wrong_field_of_money_is_named);
async fn each_wrong_field_of_money_is_named(app: TestApp) {
    let clue_id = own_clue(&app).await;
    let sales = app.sign_in("north.sales1").await;
    for (field, value) in [
        ("clueId", json!(999_999)),
        ("amountCents", json!(0)),
        ("amountCents", json!(-5)),
        ("amountCents", json!(10_000_000_001i64)),
        ("loanCents", json!(0)),
        ("paidAt", json!(0)),
        ("paidAt", json!(app.now() + 3 * DAY)),
        ("proofFileIds", json!([999_999])),
        ("proofFileIds", json!([1, 2, 3, 4, 5, 6])),
        ("remark", json!("好".repeat(501))),
    ] {
        let answer = sales.post("/crm/addMoney", form(&app, clue_id, json!({ field: value }))).await;
        assert!(!answer.wrong(field).is_empty(), "{field}: {value}");
    }
    for changes in [json!({"type": "gift"}), json!({"payMethod": "gold"}), json!({"amountCents": "much"}), json!({"id": 1})] {
        sales.post("/crm/addMoney", form(&app, clue_id, changes)).await.refused("4000");
    }
    let refund = sales.post("/crm/addMoney", form(&app, clue_id, json!({"type": "refund"}))).await;
    assert!(!refund.wrong("loanCents").is_empty());
    assert_eq!(app.count("SELECT COUNT(*) FROM money_record").await, 0);
    // Money of a clue that is given up is refused with its stage.
    app.execute("UPDATE clue SET stage = 'lost'").await;
    let answer = sales.in_english().post("/crm/addMoney", form(&app, clue_id, json!({}))).await;
    answer.refused("1006");
    assert!(answer.desc().contains("Lost"), "{}", answer.desc());
}

// S7.27: each role sees and changes what its scope reaches.
on_both!(money_is_seen_within_the_scope);
async fn money_is_seen_within_the_scope(app: TestApp) {
    let clue_id = own_clue(&app).await;
    salesperson(&app, "north.sales2").await;
    let actor = async |name: &'static str| app.sign_in(name).await;
    let sales = actor("north.sales1").await;
    let row = sales.post("/crm/addMoney", form(&app, clue_id, json!({}))).await.ok();
    for (name, seen) in
        [("north.sales1", 1), ("north.sales2", 0), ("north.lead", 1), ("north.manager", 1), ("south.manager", 0), ("operator", 1)]
    {
        let who = actor(name).await;
        assert_eq!(count(&who, json!({})).await, seen, "{name}");
        let path = format!("/crm/getMoney/{}", row["id"]);
        match seen {
            1 => drop(who.get(&path).await.ok()),
            _ => drop(who.get(&path).await.refused("1004")),
        }
    }
    let (other, south) = (actor("north.sales2").await, actor("south.manager").await);
    other.post("/crm/addMoney", form(&app, clue_id, json!({}))).await.wrong("clueId");
    for who in [&other, &south] {
        who.post("/crm/updateMoney", form(&app, clue_id, json!({"id": row["id"]}))).await.refused("1004");
        who.delete(&format!("/crm/deleteMoney/{}", row["id"])).await.refused("1004");
    }
    south.put("/crm/money/status", decision(&row, "confirmed")).await.refused("1004");
    sales.put("/crm/money/status", decision(&row, "confirmed")).await.refused("1003");
    actor("nobody").await.post("/crm/moneyPage", json!({})).await.refused("1003");
    // A clue that changes hands takes its money into the new owner's list; it stays in the former owner's.
    app.execute("UPDATE clue SET owner_id = (SELECT id FROM administrator WHERE username = 'north.sales2')").await;
    assert_eq!((count(&sales, json!({})).await, count(&other, json!({})).await), (1, 1));
}

on_both!(a_second_person_confirms_money_and_hears_of_it);
async fn a_second_person_confirms_money_and_hears_of_it(app: TestApp) {
    let clue_id = own_clue(&app).await;
    let (sales, lead, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.lead").await, app.sign_in("north.manager").await);
    let todos = async |who: &Actor| {
        who.post("/message/page", json!({"type": "todo"})).await.ok()["list"].to_string().matches("收款记录待审").count()
    };
    let row = lead.post("/crm/addMoney", form(&app, clue_id, json!({}))).await.ok();
    assert_eq!((todos(&lead).await, todos(&manager).await, todos(&app.sign_in("south.manager").await).await), (0, 1, 0));
    assert_eq!(row["decision"]["makers"], json!([app.account("north.lead").await]));
    let own = lead.in_english().put("/crm/money/status", decision(&row, "confirmed")).await;
    own.refused("1006");
    assert!(own.desc().contains("that you entered or changed"), "{}", own.desc());
    manager.put("/crm/money/status", json!({"id": row["id"], "version": 1, "status": "rejected"})).await.wrong("note");
    let rejected = decide(&manager, &row, "rejected").await;
    assert_eq!((&rejected["status"], &rejected["reviewNote"]), (&json!("rejected"), &json!("对不上")));
    assert_eq!(todos(&manager).await, 0);
    assert!(lead.post("/message/page", json!({})).await.ok().to_string().contains("收款记录被驳回"));
    manager.put("/crm/money/status", decision(&rejected, "confirmed")).await.refused("1006");
    // Corrected, by the salesperson this time, it waits again; both have written it.
    let again = form(&app, clue_id, json!({"id": row["id"], "version": rejected["version"], "amountCents": 280_000}));
    let again = sales.post("/crm/updateMoney", again).await.ok();
    assert_eq!((&again["status"], &again["reviewNote"]), (&json!("pending"), &json!(null)));
    lead.put("/crm/money/status", decision(&again, "confirmed")).await.refused("1006");
    let answers = futures_util::future::join_all((0..3).map(|_| manager.put("/crm/money/status", decision(&again, "confirmed")))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1);
    let row = manager.get(&format!("/crm/getMoney/{}", row["id"])).await.ok();
    assert_eq!((&row["status"], &row["reviewerName"]), (&json!("confirmed"), &json!("north north.manager")));
    assert!(sales.post("/message/page", json!({})).await.ok().to_string().contains("收款记录已确认"));
    sales.post("/crm/updateMoney", form(&app, clue_id, json!({"id": row["id"]}))).await.refused("1006");
    sales.delete(&format!("/crm/deleteMoney/{}", row["id"])).await.refused("1006");
    let history = manager.get(&format!("/crm/money/history/{}", row["id"])).await.ok();
    assert_eq!(history[0]["action"], "money");
}

on_both!(a_third_person_voids_confirmed_money);
async fn a_third_person_voids_confirmed_money(app: TestApp) {
    let clue_id = own_clue(&app).await;
    let (sales, lead, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.lead").await, app.sign_in("north.manager").await);
    let row = sales.post("/crm/addMoney", form(&app, clue_id, json!({}))).await.ok();
    manager.put("/crm/money/status", decision(&row, "void")).await.refused("1006");
    let row = decide(&lead, &row, "confirmed").await;
    lead.put("/crm/money/status", decision(&row, "void")).await.refused("1006");
    manager
        .put("/crm/money/status", json!({"id": row["id"], "version": row["version"], "status": "void", "note": " "}))
        .await
        .wrong("note");
    let void = decide(&manager, &row, "void").await;
    assert_eq!((&void["status"], &void["reviewNote"], &void["decision"]), (&json!("void"), &json!("对不上"), &json!(null)));
    for who in [&sales, &lead] {
        assert!(who.post("/message/page", json!({})).await.ok().to_string().contains("收款记录已作废"));
    }
    manager.put("/crm/money/status", decision(&void, "confirmed")).await.refused("1006");
    let decided = app.text("SELECT action || ' ' || status || ' ' || makers FROM decision ORDER BY id DESC LIMIT 1").await;
    let makers = (app.account("north.sales1").await, app.account("north.lead").await);
    assert_eq!(decided, format!("void_money approved ,{},{},", makers.0, makers.1));
}

// Part of S7.28
on_both!(only_confirmed_money_counts_and_no_refund_exceeds_it);
async fn only_confirmed_money_counts_and_no_refund_exceeds_it(app: TestApp) {
    let clue_id = own_clue(&app).await;
    let (sales, lead, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.lead").await, app.sign_in("north.manager").await);
    let refund = |cents: i64| form(&app, clue_id, json!({"type": "refund", "loanCents": null, "amountCents": cents}));
    let fee = sales.post("/crm/addMoney", form(&app, clue_id, json!({}))).await.ok();
    assert_eq!(manager.post("/crm/orgMoney/list", json!({})).await.ok(), json!([]), "what waits does not count");
    assert_eq!(manager.post("/crm/moneyPage", json!({})).await.ok()["totals"]["amountCents"], 0);
    sales.post("/crm/addMoney", refund(1)).await.wrong("amountCents");
    let fee = decide(&lead, &fee, "confirmed").await;
    assert!(sales.in_english().post("/crm/addMoney", refund(300_001)).await.wrong("amountCents").contains("3,000"));
    // Two refunds of which both fit, but not together.
    let first = sales.post("/crm/addMoney", refund(200_000)).await.ok();
    let second = sales.post("/crm/addMoney", refund(200_000)).await.ok();
    let asked = lead.put("/crm/money/status", decision(&first, "confirmed")).await.wrong("anotherPayment");
    assert!(asked.contains(second["no"].as_str().unwrap()), "{asked}");
    let answer = testing::org::with(decision(&first, "confirmed"), json!({"anotherPayment": true}));
    lead.put("/crm/money/status", answer).await.ok();
    manager.put("/crm/money/status", decision(&second, "confirmed")).await.wrong("amountCents");
    manager.put("/crm/money/status", decision(&fee, "void")).await.refused("1006");
    let page = manager.post("/crm/moneyPage", json!({})).await.ok();
    assert_eq!((&page["totals"]["amountCents"], &page["totals"]["loanCents"]), (&json!(100_000), &json!(20_000_000)));
    let days = manager.post("/crm/orgMoney/list", json!({"orgId": app.organisation("north").await})).await.ok();
    let day = base::clock::day(app.now() - 3_600_000).to_string();
    let money = json!({"loanCents": 20_000_000, "feeCents": 300_000, "refundCents": 200_000, "netCents": 100_000, "count": 2});
    for (name, value) in money.as_object().unwrap() {
        assert_eq!(&days[0][name], value, "{name}");
    }
    assert_eq!((days.as_array().unwrap().len(), &days[0]["day"]), (1, &json!(day)));
    let until = manager.post("/crm/orgMoney/list", json!({"dayTo": day})).await.ok();
    assert_eq!((&until, until.as_array().unwrap().len()), (&days, 1));
    assert_eq!(manager.post("/crm/orgMoney/list", json!({"dayTo": "2020-01-01"})).await.ok(), json!([]));
    assert_eq!(app.sign_in("south.manager").await.post("/crm/orgMoney/list", json!({})).await.ok(), json!([]));
    manager.post("/crm/orgMoney/list", json!({"dayFrom": "2020-01-01", "dayTo": "2026-01-01"})).await.refused("4000");
    manager.post("/crm/orgMoney/list", json!({"dayTo": "2026-02-30"})).await.refused("4000");
    let csv = manager.export("/crm/moneyPage/export", json!({"format": "csv", "status": "confirmed"})).await;
    let csv = String::from_utf8_lossy(&csv.body).into_owned();
    assert!(csv.contains("-2000.00") && csv.contains("已确认合计") && csv.contains("服务费") && csv.contains("1000.00"), "{csv}");
    sales.post("/crm/moneyPage/export", json!({"format": "csv"})).await.refused("1003");
}

on_both!(proofs_of_money_are_seen_by_those_who_see_the_record);
async fn proofs_of_money_are_seen_by_those_who_see_the_record(app: TestApp) {
    let clue_id = own_clue(&app).await;
    salesperson(&app, "north.sales2").await;
    let sales = app.sign_in("north.sales1").await;
    let file = sales.upload("/common/upload", &[("bizType", "money_proof")], "回单.png", &png()).await.ok();
    let row = sales.post("/crm/addMoney", form(&app, clue_id, json!({"proofFileIds": [file["id"]]}))).await.ok();
    assert_eq!(row["proofFiles"][0]["name"], "回单.png");
    let path = format!("/common/file/{}", file["id"]);
    assert_eq!(app.sign_in("north.manager").await.get(&path).await.status, 200);
    for name in ["north.sales2", "south.manager"] {
        app.sign_in(name).await.get(&path).await.refused("1004");
    }
    // A client that names no files keeps them.
    let mut body = form(&app, clue_id, json!({"id": row["id"], "remark": "x"}));
    body.as_object_mut().unwrap().remove("proofFileIds");
    let kept = sales.post("/crm/updateMoney", body).await.ok();
    assert_eq!(kept["proofFiles"], row["proofFiles"]);
    sales.delete(&format!("/crm/deleteMoney/{}", row["id"])).await.ok();
    app.sign_in("north.manager").await.get(&path).await.refused("1004");
}

on_both!(money_that_others_stand_in_the_way_of_is_written_once);
async fn money_that_others_stand_in_the_way_of_is_written_once(app: TestApp) {
    let clue_id = own_clue(&app).await;
    let (sales, lead, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.lead").await, app.sign_in("north.manager").await);
    app.stand_in_the_way().await;
    let row = sales.post("/crm/addMoney", form(&app, clue_id, json!({}))).await.ok();
    let row =
        sales.post("/crm/updateMoney", form(&app, clue_id, json!({"id": row["id"], "version": row["version"], "remark": "y"}))).await.ok();
    let row = decide(&lead, &row, "confirmed").await;
    let row = decide(&manager, &row, "void").await;
    assert_eq!(app.trail("money_record", row["id"].as_i64().unwrap()).await.len(), 4, "each once");
    assert_eq!(app.count("SELECT COUNT(*) FROM money_record").await, 1);
}

on_both!(money_names_no_person_and_is_not_confirmed_for_a_lost_clue);
async fn money_names_no_person_and_is_not_confirmed_for_a_lost_clue(app: TestApp) {
    let clue_id = own_clue(&app).await;
    let (sales, manager) = (app.sign_in("north.sales1").await, app.sign_in("north.manager").await);
    let body = form(&app, clue_id, json!({"remark": "王小明 13800000000 已付"}));
    let row = sales.post("/crm/addMoney", body).await.ok();
    let text = row.to_string();
    assert!(!text.contains("王小明") && !text.contains("13800000000") && text.contains("已付"), "{text}");
    let rejected = manager
        .put("/crm/money/status", json!({"id": row["id"], "version": row["version"], "status": "rejected", "note": "问过 13800000000"}))
        .await
        .ok();
    assert!(!rejected.to_string().contains("13800000000"), "{rejected}");
    let body = form(&app, clue_id, json!({"id": row["id"], "version": rejected["version"], "remark": "再次 13800000000"}));
    let again = sales.post("/crm/updateMoney", body).await.ok();
    assert!(!again.to_string().contains("13800000000"), "{again}");
    follow(&sales, clue_id, json!({"status": "lost", "lostReason": "no_need"})).await;
    manager.put("/crm/money/status", decision(&again, "confirmed")).await.refused("1006");
    // A file of money needs the permission to list money, and an export.
    sales.post("/crm/moneyPage/export", json!({"format": "csv"})).await.refused("1003");
}
