//! `/payStatement`: a day's statement is matched, its differences settled, and the day closed by two people.

use serde_json::{Value, json};

use testing::org::with;
use testing::pay::statement::{COLUMNS, bring};
use testing::pay::{channel, confirmed, order};
use testing::{Actor, TestApp, on_both};

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
    operator.put("/payStatement/close", version(&row)).await.ok();
    let todos = "SELECT COUNT(*) FROM message WHERE biz_type = 'payment_statement' AND type = 'todo' AND done_at IS NULL";
    assert!(app.count(todos).await > 0);
    // A new file withdraws the request to close the day, and its to-do.
    let row = bring(&app, &operator, id, &[], agrees).await.ok();
    assert_eq!((&row["decision"], app.count(todos).await), (&json!(null), 0));
    let row = operator.put("/payStatement/close", version(&row)).await.ok();
    admin.put("/payStatement/close/withdraw", version(&row)).await.refused("1006");
    let row = admin.put("/payStatement/audit", decide(&row, true)).await.ok();
    assert_eq!((&row["status"], &row["closerName"]), (&json!("closed"), &json!("platform admin")));
    bring(&app, &operator, id, &[], agrees).await.refused("1006");
    admin.put("/payStatement/close", version(&row)).await.refused("1006");
    let history = admin.get(&format!("/payStatement/history/{}", row["id"])).await.ok();
    assert!(history.as_array().unwrap().len() >= 6, "{history}");
}

fn version(row: &Value) -> Value {
    json!({"id": row["id"], "version": row["version"]})
}

fn approval(row: &Value) -> Value {
    json!({"id": row["id"], "version": row["version"], "approve": true})
}

/// The approval of a payment of the same amount as one before.
fn another(row: &Value) -> Value {
    with(approval(row), json!({"anotherPayment": true}))
}

/// An order of 5,000 yuan of a channel that the operator entered as paid today, under a number; another person is to confirm it.
async fn claimed(app: &TestApp, channel: &Value, number: &str) -> Value {
    let made = order(app, channel, json!({})).await;
    let claim = with(version(&made), json!({"channelOrderNo": number, "paidAt": app.now()}));
    app.sign_in("operator").await.put("/payOrder/claim", claim).await.ok()
}

/// The same, confirmed by the administrator.
async fn booked(app: &TestApp, channel: &Value, number: &str) -> Value {
    let row = claimed(app, channel, number).await;
    app.sign_in("admin").await.put("/payOrder/confirm", another(&row)).await.ok()
}

/// The statement as it is now.
async fn statement_now(actor: &Actor, row: &Value) -> Value {
    actor.get(&format!("/payStatement/{}", row["id"])).await.ok()
}

/// Settles all that differs.
async fn settle(actor: &Actor, statement: &Value) {
    for open in differences(actor, statement).await {
        actor.put("/payDifference/settle", with(version(&open), json!({"note": "已核实"}))).await.ok();
    }
}

/// Settles what differs, and has two people close the day.
async fn close(app: &TestApp, statement: &Value) -> Value {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    settle(&operator, statement).await;
    let row = operator.put("/payStatement/close", version(&statement_now(&admin, statement).await)).await.ok();
    admin.put("/payStatement/audit", approval(&row)).await.ok()
}

// B1: the day was closed with the numbers of the import.
on_both!(a_day_is_closed_with_what_is_in_the_book_by_then);
async fn a_day_is_closed_with_what_is_in_the_book_by_then(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let bank = channel(&app, "bank", "", json!({})).await;
    booked(&app, &bank, "A-1").await;
    let row = bring(&app, &operator, bank["id"].as_i64().unwrap(), COLUMNS, "流水号,金额\nA-1,5000\nA-3,5000\n").await.ok();
    assert_eq!((&row["ourCount"], &row["openCount"]), (&json!(1), &json!(1)));
    settle(&operator, &row).await;
    let row = operator.put("/payStatement/close", version(&statement_now(&admin, &row).await)).await.ok();
    // One that is not in the file, after the closing was asked for: the difference is written, and the request has ended.
    booked(&app, &bank, "A-2").await;
    admin.put("/payStatement/audit", approval(&row)).await.refused("1006");
    let row = statement_now(&admin, &row).await;
    assert_eq!((&row["status"], &row["decision"]), (&json!("open"), &json!(null)));
    assert_eq!((&row["ourCount"], &row["ourCents"], &row["openCount"]), (&json!(2), &json!(1_000_000), &json!(1)));
    let open = differences(&admin, &row).await;
    assert_eq!((&open[0]["kind"], &open[0]["number"]), (&json!("ours_only"), &json!("A-2")));
    // Before it is asked for: one that the file has makes no difference, but other numbers.
    settle(&operator, &row).await;
    booked(&app, &bank, "A-3").await;
    operator.put("/payStatement/close", version(&statement_now(&admin, &row).await)).await.refused("1006");
    let row = statement_now(&admin, &row).await;
    assert_eq!((&row["ourCount"], &row["matchedCount"], &row["openCount"]), (&json!(3), &json!(2), &json!(0)));
    let row = close(&app, &row).await;
    assert_eq!((&row["status"], &row["ourCents"]), (&json!("closed"), &json!(1_500_000)));
}

on_both!(a_payment_or_refund_that_is_dated_into_a_closed_day_opens_it_again);
async fn a_payment_or_refund_that_is_dated_into_a_closed_day_opens_it_again(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let bank = channel(&app, "bank", "", json!({})).await;
    let paid = booked(&app, &bank, "A-1").await;
    let row = bring(&app, &operator, bank["id"].as_i64().unwrap(), COLUMNS, "流水号,金额\nA-1,5000\n").await.ok();
    let row = close(&app, &row).await;
    assert_eq!(row["status"], "closed");
    booked(&app, &bank, "A-2").await;
    let row = statement_now(&admin, &row).await;
    assert_eq!((&row["status"], &row["closerName"], &row["closedAt"]), (&json!("open"), &json!(null), &json!(null)));
    assert_eq!((&row["ourCount"], &row["ourCents"], &row["openCount"]), (&json!(2), &json!(1_000_000), &json!(1)));
    let messages = operator.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("关账日已重新打开"), "{messages}");
    operator.put("/payStatement/close", version(&row)).await.refused("1006");
    let row = close(&app, &row).await;
    assert_eq!((&row["status"], &row["ourCount"]), (&json!("closed"), &json!(2)));
    let asked = json!({"paymentOrderId": paid["id"], "amountCents": 100_000, "reason": "多付"});
    let refund = operator.post("/payRefund", asked).await.ok();
    admin.put("/payRefund/audit", with(approval(&refund), json!({"channelRefundNo": "R-1"}))).await.ok();
    let row = statement_now(&admin, &row).await;
    assert_eq!((&row["status"], &row["ourCents"]), (&json!("open"), &json!(900_000)));
    let open = differences(&admin, &row).await;
    assert_eq!((open.len(), &open[0]["direction"], &open[0]["ourCents"]), (1, &json!("refund"), &json!(100_000)));
    let row = close(&app, &row).await;
    // A statement of an older program has no lines: its day opens again, and closes after another import.
    app.execute("DELETE FROM payment_statement_line").await;
    booked(&app, &bank, "A-4").await;
    let row = statement_now(&admin, &row).await;
    assert_eq!(row["status"], "open");
    operator.put("/payStatement/close", version(&row)).await.refused("1006");
    let row = bring(&app, &operator, bank["id"].as_i64().unwrap(), COLUMNS, "流水号,金额\nA-1,5000\n").await.ok();
    assert_eq!((&row["ourCount"], &row["openCount"]), (&json!(4), &json!(1)));
    assert_eq!(close(&app, &row).await["status"], "closed");
}

on_both!(a_payment_that_is_confirmed_while_its_day_is_closed_is_a_difference_of_the_day);
async fn a_payment_that_is_confirmed_while_its_day_is_closed_is_a_difference_of_the_day(app: TestApp) {
    let node = app.node().await;
    for pair in 0..6 {
        let (admin, operator, other) = (app.sign_in("admin").await, app.sign_in("operator").await, node.sign_in("admin").await);
        let bank = channel(&app, "bank", "", json!({"code": format!("bank-{pair}")})).await;
        booked(&app, &bank, &format!("A-{pair}")).await;
        let table = format!("流水号,金额\nA-{pair},5000\n");
        let row = bring(&app, &operator, bank["id"].as_i64().unwrap(), COLUMNS, &table).await.ok();
        let row = operator.put("/payStatement/close", version(&row)).await.ok();
        let late = claimed(&app, &bank, &format!("L-{pair}")).await;
        let (closing, paying) =
            tokio::join!(admin.put("/payStatement/audit", approval(&row)), other.put("/payOrder/confirm", another(&late)));
        paying.ok();
        let row = statement_now(&admin, &row).await;
        assert_eq!((&row["status"], &row["ourCount"], &row["openCount"]), (&json!("open"), &json!(2), &json!(1)), "{}", closing.code());
    }
}

on_both!(refunds_are_matched_below_zero_or_in_a_column_of_their_own);
async fn refunds_are_matched_below_zero_or_in_a_column_of_their_own(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let paid = confirmed(&app, json!({})).await;
    let id = paid["payeeChannelId"].as_i64().unwrap();
    let asked = json!({"paymentOrderId": paid["id"], "amountCents": 100_000, "reason": "多付"});
    let refund = operator.post("/payRefund", asked).await.ok();
    admin.put("/payRefund/audit", with(approval(&refund), json!({"channelRefundNo": "R-1"}))).await.ok();
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
    let day = base::clock::day(app.now()).to_string();
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
