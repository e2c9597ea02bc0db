//! `/payStatement`: a day's statement is matched, its differences settled, and the day closed by two people.

use serde_json::{Value, json};

use super::{channel, confirmed, order};
use crate::support::{Actor, Answer, TestApp, on_both};

/// Brings the statement of a channel for today.
async fn bring(app: &TestApp, actor: &Actor, channel_id: i64, columns: &[(&str, &str)], table: &str) -> Answer {
    let (id, day) = (channel_id.to_string(), leadlane::clock::day(app.now()).to_string());
    let mut fields = vec![("payeeChannelId", id.as_str()), ("day", day.as_str())];
    fields.extend_from_slice(columns);
    actor.upload("/payStatement/import", &fields, "账单.csv", table.as_bytes()).await
}

const COLUMNS: &[(&str, &str)] = &[("numberColumn", "流水号"), ("amountColumn", "金额")];

/// A statement of today with one difference under a number.
pub async fn of_today(app: &TestApp, channel_id: i64, number: &str) -> Value {
    bring(app, &app.sign_in("admin").await, channel_id, COLUMNS, &format!("流水号,金额\n{number},1\n")).await.ok()
}

/// A statement of a channel that agrees with its one payment under the number B-9, whose day the actor asks to close.
pub async fn closable(app: &TestApp, actor: &Actor, channel_id: i64) -> Value {
    let row = bring(app, actor, channel_id, COLUMNS, "流水号,金额\nB-9,4567\n").await.ok();
    actor.put("/payStatement/close", json!({"id": row["id"], "version": row["version"]})).await.ok()
}

async fn differences(actor: &Actor, statement: &Value) -> Vec<Value> {
    let page = actor.post("/payDifference/page", json!({"paymentStatementId": statement["id"], "status": "open"})).await.ok();
    page["list"].as_array().unwrap().clone()
}

on_both!(a_day_is_matched_settled_and_closed_by_two_people);
async fn a_day_is_matched_settled_and_closed_by_two_people(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    // 5,000 yuan under the number B-0.
    let paid = confirmed(&app, json!({})).await;
    let id = paid["payeeChannelId"].as_i64().unwrap();
    let table = "流水号,说明,金额\nB-9,多收,12.00\n`B-0,充值,4999.99\n,合计,5011.99\n";
    let row = bring(&app, &operator, id, COLUMNS, table).await.ok();
    assert_eq!((&row["ourCount"], &row["ourCents"], &row["matchedCount"]), (&json!(1), &json!(500_000), &json!(0)));
    assert_eq!((&row["theirCount"], &row["theirCents"], &row["openCount"]), (&json!(2), &json!(501_199), &json!(2)));
    let open = differences(&admin, &row).await;
    let kinds: Vec<&Value> = open.iter().map(|one| &one["kind"]).collect();
    assert!(kinds.contains(&&json!("amount")) && kinds.contains(&&json!("theirs_only")), "{open:?}");
    let version = |row: &Value| json!({"id": row["id"], "version": row["version"]});
    operator.put("/payStatement/close", version(&row)).await.refused("1006");
    // A file that agrees takes the place of the first; its columns are known.
    let agrees = "流水号,说明,金额\nB-0,充值,\"5,000.00\"\nB-9,多收,12.00\n";
    let row = bring(&app, &operator, id, &[], agrees).await.ok();
    assert_eq!((&row["matchedCount"], &row["openCount"]), (&json!(1), &json!(1)));
    let open = differences(&admin, &row).await;
    let settlement = |note: &str| json!({"id": open[0]["id"], "version": open[0]["version"], "note": note});
    operator.put("/payDifference/settle", settlement(" ")).await.wrong("note");
    let settled = operator.put("/payDifference/settle", settlement("付款人多付，已退")).await.ok();
    assert_eq!((&settled["status"], &settled["settlerName"]), (&json!("settled"), &json!("platform operator")));
    operator.put("/payDifference/settle", settlement("x")).await.refused("1005");
    // Brought again, what was settled stays settled.
    let row = bring(&app, &operator, id, &[], agrees).await.ok();
    assert_eq!(row["openCount"], 0);
    let row = operator.put("/payStatement/close", version(&row)).await.ok();
    assert_eq!(row["decision"]["action"], "close_statement");
    let decide = |row: &Value, approve: bool| json!({"id": row["id"], "version": row["version"], "approve": approve, "note": "再核"});
    operator.put("/payStatement/audit", decide(&row, true)).await.refused("1006");
    let row = admin.put("/payStatement/audit", decide(&row, false)).await.ok();
    assert_eq!((&row["status"], &row["decision"]), (&json!("open"), &json!(null)));
    let row = operator.put("/payStatement/close", version(&row)).await.ok();
    admin.put("/payStatement/close/withdraw", version(&row)).await.refused("1006");
    let row = admin.put("/payStatement/audit", decide(&row, true)).await.ok();
    assert_eq!((&row["status"], &row["closerName"]), (&json!("closed"), &json!("platform admin")));
    bring(&app, &operator, id, &[], agrees).await.refused("1006");
    admin.put("/payStatement/close", version(&row)).await.refused("1006");
    let history = admin.get(&format!("/payStatement/history/{}", row["id"])).await.ok();
    assert!(history.as_array().unwrap().len() >= 6, "{history}");
}

on_both!(refunds_are_matched_below_zero_or_in_a_column_of_their_own);
async fn refunds_are_matched_below_zero_or_in_a_column_of_their_own(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let paid = confirmed(&app, json!({})).await;
    let id = paid["payeeChannelId"].as_i64().unwrap();
    let asked = json!({"paymentOrderId": paid["id"], "amountCents": 100_000, "reason": "多付"});
    let refund = operator.post("/payRefund", asked).await.ok();
    admin.put("/payRefund/audit", json!({"id": refund["id"], "version": refund["version"], "approve": true})).await.ok();
    let row = bring(&app, &operator, id, COLUMNS, "流水号,金额\nB-0,5000\nB-0,-1000\n").await.ok();
    assert_eq!((&row["matchedCount"], &row["openCount"], &row["ourCents"]), (&json!(2), &json!(0), &json!(400_000)));
    let own = [COLUMNS, &[("refundColumn", "退款金额")]].concat();
    let table = format!("流水号,金额,退款金额\nB-0,5000,0\n{},0.00,1000.00\n", refund["no"].as_str().unwrap());
    let row = bring(&app, &operator, id, &own, &table).await.ok();
    assert_eq!((&row["matchedCount"], &row["openCount"]), (&json!(2), &json!(0)));
    // What only we have.
    let row = bring(&app, &operator, id, &own, "流水号,金额,退款金额\nB-0,5000,\n").await.ok();
    let open = differences(&admin, &row).await;
    assert_eq!((open.len(), &open[0]["kind"], &open[0]["direction"]), (1, &json!("ours_only"), &json!("refund")));
}

on_both!(what_is_no_statement_is_refused);
async fn what_is_no_statement_is_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let bank = channel(&app, "bank", "", json!({})).await;
    order(&app, &bank, json!({})).await;
    let id = bank["id"].as_i64().unwrap();
    let day = leadlane::clock::day(app.now()).to_string();
    for (field, changes) in [
        ("payeeChannelId", vec![("payeeChannelId", "999"), ("day", day.as_str())]),
        ("day", vec![("payeeChannelId", "1"), ("day", "2026-02-30")]),
        ("day", vec![("payeeChannelId", "1"), ("day", "2999-01-01")]),
        ("numberColumn", vec![("payeeChannelId", "1"), ("day", day.as_str()), ("amountColumn", "b")]),
    ] {
        operator.upload("/payStatement/import", &changes, "a.csv", b"a,b\n1,2\n").await.wrong(field);
    }
    for table in ["a,b\n1,2\n", "流水号,金额\nB-1,abc\n", "流水号,金额\nB-1,1.234\n", "流水号,流水号,金额\nB-1,B-1,1\n", ""]
    {
        bring(&app, &operator, id, COLUMNS, table).await.wrong("file");
    }
    let long = format!("流水号,金额\n{},1\n", "x".repeat(65));
    bring(&app, &operator, id, COLUMNS, &long).await.wrong("file");
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_statement").await, 0);
    for call in ["/payStatement/page", "/payDifference/page"] {
        assert_eq!(app.sign_in("north.manager").await.post(call, json!({})).await.ok()["total"], 0);
    }
}
