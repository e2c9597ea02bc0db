//! `/partner/statement/confirm`: a partner who confirms by other means than the link, with a proof and by two people.

use std::io::Cursor;

use calamine::{Reader, Xlsx};
use serde_json::{Value, json};

use super::{made, page};
use crate::finance::{refusal, wrong};
use testing::finance::approval;
use testing::partner::{answer, channel, confirmation, item, payout_form, sent, version};
use testing::{Actor, TestApp, on_both};

async fn row(who: &Actor, statement: &Value) -> Value {
    who.get(&format!("/partner/statement/{}", statement["id"])).await.ok()
}

on_both!(a_partner_who_never_answers_is_confirmed_by_two_people);
async fn a_partner_who_never_answers_is_confirmed_by_two_people(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let statement = made(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let path = sent(&admin, &statement).await;
    let waits = row(&admin, &statement).await;
    let ask = async |changes: Value| operator.put("/partner/statement/confirm", confirmation(&operator, &waits, changes).await).await;
    for (changes, field) in [
        (json!({"reason": " "}), "reason"),
        (json!({"reason": "x".repeat(501)}), "reason"),
        (json!({"proofFileIds": []}), "proofFileIds"),
        (json!({"proofFileIds": [99_999]}), "proofFileIds"),
    ] {
        ask(changes).await.wrong(field);
    }
    ask(json!({"version": statement["version"]})).await.refused("1005");
    let asked = ask(json!({})).await.ok();
    assert_eq!((&asked["status"], &asked["decision"]["note"]), (&json!("sent"), &json!("邮件确认")));
    assert_eq!(asked["proofFiles"][0]["name"], "确认函.png");
    assert_eq!(admin.post("/partner/statement/page", json!({"awaits": "decision"})).await.ok()["total"], 1);
    let today = admin.get("/workplace").await.ok();
    let is_counted = |queue: &&Value| queue["href"] == "/finance/partner?awaits=decision";
    assert_eq!(today["queues"].as_array().unwrap().iter().find(is_counted).unwrap()["count"], 1, "{today}");
    // Nothing else is done meanwhile.
    operator.put("/partner/statement/confirm", confirmation(&operator, &asked, json!({})).await).await.refused("1006");
    admin.post("/partner/statement/send", version(&asked)).await.refused("1006");
    admin.put("/partner/statement/withdraw", version(&asked)).await.refused("1006");
    operator.put("/partner/statement/audit", approval(&asked)).await.refused("1006");
    admin.put("/partner/statement/confirm/withdraw", version(&asked)).await.refused("1006");
    // Refused, and withdrawn: the proof is gone with the request.
    admin.put("/partner/statement/audit", json!({"id": asked["id"], "version": asked["version"], "approve": false})).await.wrong("note");
    let refused = admin.put("/partner/statement/audit", refusal(&asked)).await.ok();
    assert_eq!((&refused["status"], &refused["decision"], &refused["proofFiles"]), (&json!("sent"), &Value::Null, &json!([])));
    admin.put("/partner/statement/audit", approval(&refused)).await.refused("1006");
    let ask_again = async |now: &Value| {
        app.advance(10_000);
        operator.put("/partner/statement/confirm", confirmation(&operator, now, json!({})).await).await.ok()
    };
    let asked = ask_again(&refused).await;
    let withdrawn = operator.put("/partner/statement/confirm/withdraw", version(&asked)).await.ok();
    assert_eq!((&withdrawn["decision"], &withdrawn["proofFiles"]), (&Value::Null, &json!([])));
    let asked = ask_again(&withdrawn).await;
    let node = app.node().await;
    let second = node.sign_in("admin").await;
    let (one, other) =
        tokio::join!(admin.put("/partner/statement/audit", approval(&asked)), second.put("/partner/statement/audit", approval(&asked)));
    assert_eq!([&one, &other].iter().filter(|answer| answer.code() == "0000").count(), 1);
    let done = row(&admin, &statement).await;
    assert_eq!((&done["status"], &done["answerNote"], &done["answerIp"]), (&json!("confirmed"), &json!("邮件确认"), &Value::Null));
    assert!(done["confirmerName"].is_string() && done["answeredAt"].is_i64() && done["decision"].is_null(), "{done}");
    assert_eq!(done["proofFiles"][0]["name"], "确认函.png");
    let proof = format!("/common/file/{}", done["proofFiles"][0]["id"]);
    assert_eq!(admin.get(&proof).await.status.as_u16(), 200);
    app.sign_in("channel.second").await.get(&proof).await.refused("1004");
    let sheet = app.sign_in("admin").await.get(&format!("/partner/statement/sheet/{}", statement["id"])).await;
    let mut book = Xlsx::new(Cursor::new(sheet.body.as_ref())).expect("a workbook");
    let facts = book.worksheet_range("对账单").unwrap();
    let says = |text: &str| facts.rows().any(|row| row[1] == text);
    assert!(says("已确认（非链接确认）") && says("邮件确认"), "{facts:?}");
    let (status, text) = page(&app, &path).await;
    assert!(status == 200 && text.contains("非链接确认") && !text.contains("<form"), "{text}");
    assert!(page(&app, &format!("{path}?lang=en-US")).await.1.contains("by other means than the link"));
    assert_eq!(answer(&app, &path, &statement, "answer=dispute&note=x").await.status.as_u16(), 409);
    let history = admin.get(&format!("/partner/statement/history/{}", statement["id"])).await.ok();
    assert!(history.to_string().contains("confirmationAsked") && history.to_string().contains("对不上"), "{history}");
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'partner_confirmation' AND type = 'message'").await, 2);
    // It is paid, and the next statement follows.
    operator.post("/partner/payout", payout_form(&app, &done, json!({})).await).await.ok();
    item(&app, id, "sold", 200, "2026-02-02").await;
    super::go_to(&app, "2026-03-02");
    app.sign_in("admin").await.post("/partner/statement", json!({"channelId": id, "month": "2026-02"})).await.ok();
    assert_eq!(wrong(&app).await, []);
}

on_both!(an_answer_by_the_link_ends_the_request);
async fn an_answer_by_the_link_ends_the_request(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let statement = made(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let path = sent(&admin, &statement).await;
    let form = confirmation(&operator, &row(&admin, &statement).await, json!({})).await;
    operator.put("/partner/statement/confirm", form).await.ok();
    assert_eq!(answer(&app, &path, &statement, "answer=dispute&note=x").await.status.as_u16(), 303);
    let disputed = row(&admin, &statement).await;
    assert_eq!((&disputed["status"], &disputed["decision"], &disputed["proofFiles"]), (&json!("disputed"), &Value::Null, &json!([])));
    admin.put("/partner/statement/audit", approval(&disputed)).await.refused("1006");
    // A dispute that was settled by mail; an adjustment that waits stands in the way.
    let adjustment = json!({"statementId": statement["id"], "amountCents": -1, "reason": "x"});
    let adjustment = operator.post("/partner/adjust", adjustment.clone()).await.ok();
    operator.put("/partner/statement/confirm", confirmation(&operator, &disputed, json!({})).await).await.refused("1006");
    operator.put("/partner/adjust/withdraw", version(&adjustment)).await.ok();
    let asked = operator.put("/partner/statement/confirm", confirmation(&operator, &disputed, json!({})).await).await.ok();
    let form = json!({"statementId": statement["id"], "amountCents": -2, "reason": "x"});
    operator.post("/partner/adjust", form).await.refused("1006");
    assert_eq!(admin.put("/partner/statement/audit", approval(&asked)).await.ok()["status"], "confirmed");
    assert_eq!(wrong(&app).await, []);
    // A confirmation that no decision stands behind is found.
    app.execute("UPDATE partner_statement SET confirmed_by = confirmed_by + 1").await;
    assert!(wrong(&app).await.iter().any(|one| one.what == "partner"));
}
