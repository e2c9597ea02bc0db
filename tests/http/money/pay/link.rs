//! `/payPool`: links come in by a table, and no two orders ever have one.

use base::clock::{self, MINUTE};
use serde_json::{Value, json};

use super::sweep_after;
use testing::org::with;
use testing::pay::link::bring;
use testing::pay::{channel, order_form};
use testing::{TestApp, on_both};

const TABLE: &str = "通道编码,链接,金额（元）,有效期至,备注\n\
    link_pool-1,https://pay.example.com/l/0001,5000,,\n\
    link_pool-1,https://pay.example.com/l/0002,,2099-12-31,任意金额\n\
    link_pool-1,https://pay.example.com/l/0001,5000,,重复\n\
    link_pool-1,javascript:alert(1),1,,\n\
    link_pool-1,https://pay.example.com/l/0003,1.234,,\n\
    nowhere,https://pay.example.com/l/0004,1,,\n";

/// A pool with two links: one of 5,000 yuan, one of any amount.
pub async fn pool(app: &TestApp) -> Value {
    let row = channel(app, "link_pool", "", json!({})).await;
    bring(&app.sign_in("operator").await, false, TABLE).await;
    approve(app).await;
    row
}

/// The administrator approves the newest import.
pub async fn approve(app: &TestApp) -> Value {
    let id = app.count("SELECT MAX(id) FROM payment_link_import").await;
    let batch = app.sign_in("admin").await.get(&format!("/payPool/batch/{id}")).await.ok();
    app.approve("/payPool/batch", &batch).await
}

on_both!(links_are_used_once_a_second_person_approves_their_import);
async fn links_are_used_once_a_second_person_approves_their_import(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = channel(&app, "link_pool", "", json!({})).await;
    bring(&operator, false, TABLE).await;
    let form = order_form(&app, &row, json!({})).await;
    operator.post("/payOrder", form.clone()).await.wrong("amountCents");
    let links = operator.post("/payPool/page", json!({"status": "proposed"})).await.ok();
    assert_eq!((&links["total"], &links["list"][0]["decision"]["action"]), (&json!(2), &json!("add_payment_links")));
    // One of them is neither enabled nor deleted alone.
    let link = &links["list"][0];
    let step = json!({"id": link["id"], "version": link["version"], "status": "free"});
    admin.put("/payPool/status", step).await.refused("1006");
    admin.delete(&format!("/payPool/{}", link["id"])).await.refused("1006");
    let batch = admin.get(&format!("/payPool/batch/{}", link["batchId"])).await.ok();
    assert_eq!((&batch["links"], &batch["cents"]), (&json!(2), &json!(500_000)));
    assert_eq!(batch["hosts"], json!([{"host": "https://pay.example.com", "links": 2, "channels": ["link_pool 主商户 (link_pool-1)"]}]));
    let decision = json!({"id": batch["id"], "version": batch["version"], "approve": true});
    operator.put("/payPool/batch/audit", decision.clone()).await.refused("1006");
    app.sign_in("north.manager").await.put("/payPool/batch/audit", decision.clone()).await.refused("1003");
    admin.put("/payPool/batch/audit", decision.clone()).await.ok();
    admin.put("/payPool/batch/audit", decision).await.refused("1005");
    operator.post("/payOrder", form).await.ok();
    // Rejected and withdrawn links are gone, and can be imported again.
    let table = "通道编码,链接\nlink_pool-1,https://other.example.com/l/1\n";
    for word in ["audit", "withdraw"] {
        assert_eq!(bring(&operator, false, table).await["good"], 1);
        let id = app.count("SELECT MAX(id) FROM payment_link_import").await;
        let batch = admin.get(&format!("/payPool/batch/{id}")).await.ok();
        let body = json!({"id": id, "version": batch["version"]});
        match word {
            "audit" => admin.put("/payPool/batch/audit", with(body, json!({"approve": false, "note": "主机不对"}))).await.ok(),
            _ => operator.put("/payPool/batch/withdraw", body).await.ok(),
        };
        assert_eq!(app.count("SELECT COUNT(*) FROM payment_link").await, 2);
    }
    assert_eq!(app.trail("payment_link_import", app.count("SELECT MAX(id) FROM payment_link_import").await).await.len(), 1);
}

// S7.32
on_both!(a_table_of_links_is_tried_and_taken);
async fn a_table_of_links_is_tried_and_taken(app: TestApp) {
    let operator = app.sign_in("operator").await;
    channel(&app, "link_pool", "", json!({})).await;
    let tried = bring(&operator, true, TABLE).await;
    assert_eq!((&tried["good"], &tried["duplicate"], &tried["wrong"]), (&json!(2), &json!(1), &json!(3)), "{tried}");
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_link").await, 0);
    let taken = bring(&operator, false, TABLE).await;
    assert!(taken["errorFile"].is_object());
    let again = bring(&operator, false, TABLE).await;
    assert_eq!((&again["good"], &again["duplicate"]), (&json!(0), &json!(3)));
    let page = operator.post("/payPool/page", json!({})).await.ok();
    assert_eq!(page["total"], 2);
    assert!(!page.to_string().contains("/l/0001") && page.to_string().contains("…0001"), "{page}");
    assert!(!app.text("SELECT url_enc FROM payment_link WHERE amount_cents IS NULL").await.contains("example"));
    operator.get("/payPool/template").await;
    app.sign_in("north.manager").await.post("/payPool/page", json!({})).await.refused("1003");
}

on_both!(two_orders_never_get_one_link);
async fn two_orders_never_get_one_link(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let row = pool(&app).await;
    let form = order_form(&app, &row, json!({})).await;
    let answers = futures_util::future::join_all((0..4).map(|_| operator.post("/payOrder", form.clone()))).await;
    let made: Vec<Value> = answers.iter().filter(|answer| answer.code() == "0000").map(|answer| answer.ok()).collect();
    assert_eq!(made.len(), 2);
    assert!(answers.iter().any(|answer| answer.code() == "1001"));
    assert_eq!(app.count("SELECT COUNT(DISTINCT payment_order_id) FROM payment_link WHERE status = 'reserved'").await, 2);
    // Each payer sees their own link.
    let mut seen = Vec::new();
    for order in &made {
        let answer = app.stranger().ask(axum::http::Method::GET, &format!("/pay/{}", order["token"].as_str().unwrap()), Vec::new()).await;
        let page = String::from_utf8(answer.body.to_vec()).unwrap();
        seen.push(page.split("href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned());
    }
    assert_ne!(seen[0], seen[1]);
    // One is paid and its link used up; the other expires and its link is free again.
    let claim = json!({"id": made[0]["id"], "version": made[0]["version"], "channelOrderNo": "L-1", "paidAt": app.now()});
    let claimed = operator.put("/payOrder/claim", claim).await.ok();
    let decision = json!({"id": claimed["id"], "version": claimed["version"], "approve": true});
    app.sign_in("admin").await.put("/payOrder/confirm", decision).await.ok();
    sweep_after(&app, 31 * 60_000).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_link WHERE status = 'used'").await, 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_link WHERE status = 'free' AND payment_order_id IS NULL").await, 1);
    // Its payer has paid by it after all: no other order gets it.
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let late = testing::pay::now(&app, &made[1]).await;
    let claim = json!({"id": late["id"], "version": late["version"], "channelOrderNo": "L-2", "paidAt": app.now()});
    let claimed = operator.put("/payOrder/claim", claim).await.ok();
    let decision = json!({"id": claimed["id"], "version": claimed["version"], "approve": true, "anotherPayment": true});
    admin.put("/payOrder/confirm", decision).await.ok();
    assert_eq!(app.count("SELECT COUNT(DISTINCT payment_order_id) FROM payment_link WHERE status = 'used'").await, 2);
}

on_both!(a_link_rests_before_another_order_gets_it);
async fn a_link_rests_before_another_order_gets_it(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let row = channel(&app, "link_pool", "", json!({})).await;
    bring(&operator, false, "通道编码,链接\nlink_pool-1,https://pay.example.com/l/0001\n").await;
    approve(&app).await;
    let form = order_form(&app, &row, json!({})).await;
    let cancel = async |order: &Value| {
        let step = json!({"id": order["id"], "version": order["version"], "status": "cancelled"});
        app.sign_in("operator").await.put("/payOrder/status", step).await.ok()
    };
    let link = async || app.sign_in("operator").await.post("/payPool/page", json!({})).await.ok()["list"][0].clone();
    assert!(link().await["freeFrom"].is_null());
    let first = operator.post("/payOrder", form.clone()).await.ok();
    cancel(&first).await;
    // Its payer may have it open.
    let row = link().await;
    let from = row["freeFrom"].as_i64().unwrap();
    assert!(row["status"] == "free" && (29 * MINUTE..=30 * MINUTE).contains(&(from - app.now())), "{row}");
    let said = operator.post("/payOrder", form.clone()).await.wrong("amountCents");
    assert!(said.contains(&clock::date_time(from)), "{said}");
    let said = operator.delete(&format!("/payPool/{}", row["id"])).await;
    said.refused("1006");
    assert!(said.desc().contains(&clock::date_time(from)), "{}", said.desc());
    // Disabled and enabled again it rests all the same.
    let step = |row: &Value, status: &str| json!({"id": row["id"], "version": row["version"], "status": status});
    let row = operator.put("/payPool/status", step(&row, "disabled")).await.ok();
    operator.delete(&format!("/payPool/{}", row["id"])).await.refused("1006");
    operator.put("/payPool/status", step(&row, "free")).await.ok();
    app.advance(28 * MINUTE);
    let operator = app.sign_in("operator").await;
    operator.post("/payOrder", form.clone()).await.wrong("amountCents");
    app.advance(2 * MINUTE);
    let second = operator.post("/payOrder", form.clone()).await.ok();
    assert!(link().await["freeFrom"].is_null());
    // Without a rest the next order gets it at once.
    app.set("pay.link_rest_minutes", json!(0)).await;
    cancel(&second).await;
    app.sign_in("operator").await.post("/payOrder", form).await.ok();
    // One that expires rests as well, and is used if its payer has paid after all.
    app.set("pay.link_rest_minutes", json!(60)).await;
    sweep_after(&app, 31 * MINUTE).await;
    let operator = app.sign_in("operator").await;
    let last = operator.post("/payOrder/page", json!({})).await.ok()["list"][0].clone();
    let from = link().await["freeFrom"].as_i64().unwrap();
    assert!(last["status"] == "closed" && (59 * MINUTE..=60 * MINUTE).contains(&(from - app.now())), "{last}");
    let claim = json!({"id": last["id"], "version": last["version"], "channelOrderNo": "L-1", "paidAt": app.now()});
    let claimed = operator.put("/payOrder/claim", claim).await.ok();
    let decision = json!({"id": claimed["id"], "version": claimed["version"], "approve": true});
    app.sign_in("admin").await.put("/payOrder/confirm", decision).await.ok();
    let row = link().await;
    assert_eq!((&row["status"], row["freeFrom"].is_null()), (&json!("used"), true));
}

on_both!(a_link_is_deleted_once_it_has_rested);
async fn a_link_is_deleted_once_it_has_rested(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let row = channel(&app, "link_pool", "", json!({})).await;
    bring(&operator, false, "通道编码,链接\nlink_pool-1,https://pay.example.com/l/0001\n").await;
    approve(&app).await;
    let order = operator.post("/payOrder", order_form(&app, &row, json!({})).await).await.ok();
    operator.put("/payOrder/status", json!({"id": order["id"], "version": order["version"], "status": "cancelled"})).await.ok();
    let link = operator.post("/payPool/page", json!({})).await.ok()["list"][0].clone();
    let path = format!("/payPool/{}", link["id"]);
    operator.delete(&path).await.refused("1006");
    let declared = json!({"id": link["id"], "version": link["version"], "status": "invalid"});
    operator.put("/payPool/status", declared).await.ok();
    operator.delete(&path).await.refused("1006");
    app.advance(30 * MINUTE);
    let operator = app.sign_in("operator").await;
    operator.delete(&path).await.ok();
    operator.get(&path).await.refused("1004");
}

on_both!(a_link_is_retired_and_deleted_unless_an_order_has_it);
async fn a_link_is_retired_and_deleted_unless_an_order_has_it(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let row = pool(&app).await;
    operator.post("/payOrder", order_form(&app, &row, json!({})).await).await.ok();
    let rows = operator.post("/payPool/page", json!({})).await.ok()["list"].as_array().unwrap().clone();
    let of = |status: &str| rows.iter().find(|row| row["status"] == status).unwrap().clone();
    let (free, reserved) = (of("free"), of("reserved"));
    let step = |row: &Value, status: &str| json!({"id": row["id"], "version": row["version"], "status": status});
    operator.put("/payPool/status", step(&reserved, "disabled")).await.refused("1006");
    operator.delete(&format!("/payPool/{}", reserved["id"])).await.refused("1006");
    operator.put("/payPool/status", step(&free, "used")).await.refused("1006");
    let row2 = operator.put("/payPool/status", step(&free, "disabled")).await.ok();
    operator.post("/payOrder", with(order_form(&app, &row, json!({})).await, json!({"amountCents": 100}))).await.wrong("amountCents");
    let row2 = operator.put("/payPool/status", step(&row2, "free")).await.ok();
    operator.put("/payPool/status", with(step(&row2, "invalid"), json!({"version": 1}))).await.refused("1005");
    operator.put("/payPool/status", step(&row2, "invalid")).await.ok();
    operator.delete(&format!("/payPool/{}", free["id"])).await.ok();
    operator.get(&format!("/payPool/{}", free["id"])).await.refused("1004");
}

on_both!(an_import_is_approved_only_once_all_of_its_links_are_in);
async fn an_import_is_approved_only_once_all_of_its_links_are_in(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    channel(&app, "link_pool", "", json!({})).await;
    let lines: String = (0..250).map(|index| format!("link_pool-1,https://pay.example.com/l/{index:04}\n")).collect();
    bring(&operator, false, &format!("通道编码,链接\n{lines}")).await;
    let id = app.count("SELECT id FROM payment_link_import").await;
    let batch = admin.get(&format!("/payPool/batch/{id}")).await.ok();
    assert_eq!((&batch["links"], &batch["isComplete"]), (&json!(250), &json!(true)));
    // Each of the two lots raised the version, and so did the end.
    assert_eq!(batch["version"], 4);
    let sent = "SELECT COUNT(*) - COUNT(DISTINCT scope_id) FROM message WHERE biz_type = 'payment_link_import' AND done_at IS NULL";
    assert_eq!(app.count(sent).await, 0, "one message for each decider");
    let decision = |batch: &Value, approve: bool| json!({"id": id, "version": batch["version"], "approve": approve, "note": "x"});
    // A link that was not submitted.
    app.execute("UPDATE payment_link SET url_hash = 'another' WHERE id = (SELECT MAX(id) FROM payment_link)").await;
    admin.put("/payPool/batch/audit", decision(&batch, true)).await.refused("1006");
    // As an import is that runs, or that was cut off.
    bring(&operator, false, "通道编码,链接\nlink_pool-1,https://pay.example.com/l/9001\n").await;
    let cut = app.count("SELECT MAX(id) FROM payment_link_import").await;
    let batch = admin.get(&format!("/payPool/batch/{cut}")).await.ok();
    let to = json!({"no": batch["no"], "links": 1, "cents": 0});
    let hash = frame::decision::hash(&json!({"id": cut, "from": null, "to": to}));
    app.execute(format!("UPDATE payment_link_import SET links_hash = NULL WHERE id = {cut}").leak()).await;
    let kept = format!("UPDATE decision SET payload_hash = '{hash}' WHERE target_type = 'payment_link_import' AND target_id = {cut}");
    app.execute(kept.leak()).await;
    assert_eq!(admin.get(&format!("/payPool/batch/{cut}")).await.ok()["isComplete"], false);
    let body = |approve: bool| json!({"id": cut, "version": batch["version"], "approve": approve, "note": "x"});
    admin.put("/payPool/batch/audit", body(true)).await.refused("1006");
    admin.put("/payPool/batch/audit", body(false)).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_link WHERE status = 'free'").await, 0);
}

on_both!(a_decider_reads_every_link_whole);
async fn a_decider_reads_every_link_whole(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    channel(&app, "link_pool", "", json!({})).await;
    let lines: String = (1..=51).map(|index| format!("link_pool-1,https://qr.example.com/personal/{index},10.50\n")).collect();
    bring(&operator, false, &format!("通道编码,链接,金额（元）\n{lines}link_pool-1,https://qr.example.com/any,\n")).await;
    let id = app.count("SELECT id FROM payment_link_import").await;
    let batch = admin.get(&format!("/payPool/batch/{id}")).await.ok();
    assert_eq!((&batch["cents"], &batch["anyAmount"]), (&json!(51 * 1050), &json!(1)));
    let page = admin.get(&format!("/payPool/batch/reveal/{id}")).await.ok();
    let first = &page["list"][0];
    assert_eq!((&page["total"], page["list"].as_array().unwrap().len()), (&json!(52), 50));
    assert_eq!((&first["url"], &first["amountCents"]), (&json!("https://qr.example.com/personal/1"), &json!(1050)));
    assert_eq!(first["payeeChannelName"], "link_pool 主商户");
    assert!(!first["payeeOrgName"].as_str().unwrap().is_empty());
    let last = admin.get(&format!("/payPool/batch/reveal/{id}?current=2")).await.ok()["list"].clone();
    assert_eq!((&last[1]["url"], &last[1]["amountCents"]), (&json!("https://qr.example.com/any"), &json!(null)));
    let shown = "SELECT COUNT(*) FROM operation_log WHERE action = 'reveal' AND target_type = 'payment_link_import'";
    assert_eq!((app.count(shown).await, app.count("SELECT COUNT(*) FROM reveal").await), (2, 1));
    app.sign_in("north.manager").await.get(&format!("/payPool/batch/reveal/{id}")).await.refused("1003");
}

on_both!(imports_and_channels_that_wait_are_listed_and_counted);
async fn imports_and_channels_that_wait_are_listed_and_counted(app: TestApp) {
    const LINKS: &str = "/payConfig/pool-list?awaits=decision";
    const CHANNELS: &str = "/payConfig/list?awaits=decision";
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    pool(&app).await;
    let row = channel(&app, "bank", "", json!({})).await;
    let counted = async |href: &str| {
        let text = admin.get("/workplace").await.ok().to_string();
        text.contains(href)
    };
    let awaits = json!({"awaits": "decision"});
    for (page, href) in [("/payPool/page", LINKS), ("/payChannel/page", CHANNELS)] {
        assert_eq!((&admin.post(page, awaits.clone()).await.ok()["total"], counted(href).await), (&json!(0), false), "{href}");
    }
    bring(&operator, false, "通道编码,链接\nlink_pool-1,https://pay.example.com/l/7001\n").await;
    let message = "SELECT content_zh FROM message WHERE biz_type = 'payment_link_import' AND done_at IS NULL ORDER BY id DESC LIMIT 1";
    assert!(app.text(message).await.contains("由导入人以外的人审核"));
    let form = with(
        testing::pay::channel_form(&app, "bank", "").await,
        json!({"id": row["id"], "version": row["version"], "instructions": "另写"}),
    );
    operator.put("/payChannel", form).await.ok();
    for (page, href) in [("/payPool/page", LINKS), ("/payChannel/page", CHANNELS)] {
        assert_eq!((&admin.post(page, awaits.clone()).await.ok()["total"], counted(href).await), (&json!(1), true), "{href}");
    }
}
