//! `/partner/payout`: a confirmed statement is paid whole or in parts, each approved by a second person, and never above its net amount.
//! What the bank sends back can be paid again.

use serde_json::{Value, json};

use super::{approved, confirmed, made, payment};
use crate::finance::{refusal, wrong};
use testing::finance::approval;
use testing::partner::{channel, item, opening_form, payout_form};
use testing::{Actor, TestApp, on_both};

/// The balance of an account of the journal: credit, debit and pending.
async fn balance(admin: &Actor, kind: &str) -> (i64, i64, i64) {
    let page = admin.post("/finance/journal/balance/page", json!({"kind": kind})).await.ok();
    let cents = |key: &str| page["totals"][key].as_i64().unwrap();
    (cents("creditCents"), cents("debitCents"), cents("pendingCents"))
}

async fn statement(admin: &Actor, row: &Value) -> (i64, i64) {
    let row = admin.get(&format!("/partner/statement/{}", row["id"])).await.ok();
    (row["askedCents"].as_i64().unwrap(), row["paidCents"].as_i64().unwrap())
}

on_both!(a_statement_is_paid_in_parts_with_its_tax);
async fn a_statement_is_paid_in_parts_with_its_tax(app: TestApp) {
    app.set("partner.tax_bp", json!(601)).await;
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    assert_eq!((&row["taxCents"], &row["netCents"]), (&json!(601), &json!(9399)));
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    for (changes, field) in [
        (json!({"amountCents": 9400}), "amountCents"),
        (json!({"amountCents": 0}), "amountCents"),
        (json!({"amountCents": -1}), "amountCents"),
        (json!({"payeeOrgId": 9999}), "payeeOrgId"),
    ] {
        operator.post("/partner/payout", payout_form(&app, &row, changes).await).await.wrong(field);
    }
    assert_eq!((statement(&admin, &row).await, app.count("SELECT COUNT(*) FROM partner_payout").await), ((0, 0), 0));
    let first = operator.post("/partner/payout", payout_form(&app, &row, json!({"amountCents": 5000})).await).await.ok();
    assert_eq!(first["taxCents"], 319);
    operator.put("/partner/payout/audit", approval(&first)).await.refused("1006");
    operator.put("/partner/payout/paid", payment(&app, &first, "B-1")).await.refused("1006");
    assert_eq!(balance(&admin, "channel_payable").await, (10_000, 0, 0));
    let first = admin.put("/partner/payout/audit", approval(&first)).await.ok();
    assert_eq!(balance(&admin, "channel_payable").await, (10_000, 0, 5319), "held until the bank has paid");
    assert_eq!(wrong(&app).await, []);
    for (changes, field) in [
        (json!({"bankNumber": ""}), "bankNumber"),
        (json!({"bankNumber": "B 1/x"}), "bankNumber"),
        (json!({"paidAt": app.now() + 60_000}), "paidAt"),
        (json!({"paidAt": 0}), "paidAt"),
        (json!({"proofFileIds": [99]}), "proofFileIds"),
    ] {
        operator.put("/partner/payout/paid", testing::org::with(payment(&app, &first, "B-1"), changes)).await.wrong(field);
    }
    let paid = operator.put("/partner/payout/paid", payment(&app, &first, "b-1")).await.ok();
    assert_eq!((&paid["status"], &paid["bankNumber"]), (&json!("paid"), &json!("B-1")));
    assert_eq!(statement(&admin, &row).await, (5000, 5000));
    let second = approved(&app, &row, json!({"amountCents": 4399})).await;
    assert_eq!(second["taxCents"], 282, "the last part takes the last of the tax");
    let refusal = operator.put("/partner/payout/paid", payment(&app, &second, " B-1 ")).await.wrong("bankNumber");
    assert!(refusal.contains(paid["payoutNo"].as_str().unwrap()), "{refusal}");
    operator.put("/partner/payout/paid", payment(&app, &second, "B-2")).await.ok();
    operator.put("/partner/payout/paid", payment(&app, &second, "B-3")).await.refused("1005");
    assert_eq!(balance(&admin, "channel_payable").await, (0, 0, 0));
    assert_eq!((balance(&admin, "tax_withheld").await, balance(&admin, "cash").await), ((601, 0, 0), (9399, 0, 0)));
    assert_eq!(wrong(&app).await, []);
    // The next statement counts what was paid in its month.
    item(&app, id, "sold", 200, "2026-02-02").await;
    super::go_to(&app, "2026-03-02");
    let next = app.sign_in("admin").await.post("/partner/statement", json!({"channelId": id, "month": "2026-02"})).await.ok();
    assert_eq!((&next["openingCents"], &next["settledCents"], &next["closingCents"]), (&json!(10_000), &json!(10_000), &json!(200)));
    assert_eq!(wrong(&app).await, []);
    let history = app.sign_in("admin").await.get(&format!("/partner/payout/history/{}", paid["id"])).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 3);
}

on_both!(what_comes_to_nothing_is_given_back);
async fn what_comes_to_nothing_is_given_back(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let form = payout_form(&app, &row, json!({"amountCents": 10_000})).await;
    let waiting = operator.post("/partner/payout", form.clone()).await.ok();
    operator.post("/partner/payout", payout_form(&app, &row, json!({"amountCents": 1})).await).await.wrong("amountCents");
    admin.put("/partner/payout/withdraw", json!({"id": waiting["id"], "version": waiting["version"]})).await.refused("1006");
    operator.put("/partner/payout/withdraw", json!({"id": waiting["id"], "version": waiting["version"]})).await.ok();
    assert_eq!(statement(&admin, &row).await, (0, 0));
    app.advance(10_000);
    let refused = operator.post("/partner/payout", form.clone()).await.ok();
    admin.put("/partner/payout/audit", json!({"id": refused["id"], "version": refused["version"], "approve": false})).await.wrong("note");
    assert_eq!(admin.put("/partner/payout/audit", refusal(&refused)).await.ok()["status"], "refused");
    assert_eq!(statement(&admin, &row).await, (0, 0));
    let failed = approved(&app, &row, json!({"amountCents": 10_000})).await;
    let body = json!({"id": failed["id"], "version": failed["version"], "failure": "账号不符"});
    operator.put("/partner/payout/failed", testing::org::with(body.clone(), json!({"failure": " "}))).await.wrong("failure");
    let failed = operator.put("/partner/payout/failed", body).await.ok();
    assert_eq!((&failed["status"], statement(&admin, &row).await), (&json!("failed"), (0, 0)));
    assert_eq!(balance(&admin, "channel_payable").await, (10_000, 0, 0));
    assert_eq!(app.count("SELECT COUNT(*) FROM journal_transfer WHERE ref_type = 'partner_payout' AND status = 'void'").await, 1);
    operator.put("/partner/payout/paid", payment(&app, &failed, "B-1")).await.refused("1006");
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_payout_of_the_same_amount_within_thirty_days_needs_a_word);
async fn a_payout_of_the_same_amount_within_thirty_days_needs_a_word(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let other = channel(&app, "p-two").await;
    item(&app, other, "sold", 10_000, "2026-01-20").await;
    let admin = app.sign_in("admin").await;
    let other = admin.post("/partner/statement", json!({"channelId": other, "month": "2026-01"})).await.ok();
    testing::partner::confirm(&app, &other).await;
    let first = approved(&app, &row, json!({"amountCents": 2000})).await;
    let operator = app.sign_in("operator").await;
    let refusal =
        operator.post("/partner/payout", payout_form(&app, &row, json!({"amountCents": 2000})).await).await.wrong("anotherPayment");
    assert!(refusal.contains(first["payoutNo"].as_str().unwrap()) && refusal.contains("该渠道"), "{refusal}");
    let denied = json!({"amountCents": 2000, "anotherPayment": false});
    operator.post("/partner/payout", payout_form(&app, &row, denied).await).await.wrong("anotherPayment");
    assert_eq!((statement(&operator, &row).await, app.count("SELECT COUNT(*) FROM partner_payout").await), ((2000, 0), 1));
    operator.post("/partner/payout", payout_form(&app, &other, json!({"amountCents": 2000})).await).await.ok();
    operator.post("/partner/payout", payout_form(&app, &row, json!({"amountCents": 2001})).await).await.ok();
    let said = json!({"amountCents": 2000, "anotherPayment": true});
    let second = operator.post("/partner/payout", payout_form(&app, &row, said).await).await.ok();
    let history = operator.get(&format!("/partner/payout/history/{}", second["id"])).await.ok();
    let change = history[0]["diff"].as_array().unwrap().iter().find(|change| change["field"] == "anotherPayment").unwrap();
    assert!(change["after"].as_str().unwrap().contains(first["payoutNo"].as_str().unwrap()), "{change}");
    // Those before these 30 days are not asked about.
    operator.put("/partner/payout/paid", payment(&app, &first, "B-1")).await.ok();
    operator.put("/partner/payout/withdraw", json!({"id": second["id"], "version": second["version"]})).await.ok();
    app.advance(31 * super::DAY);
    let operator = app.sign_in("operator").await;
    operator.post("/partner/payout", payout_form(&app, &row, json!({"amountCents": 2000})).await).await.ok();
    assert_eq!(wrong(&app).await, []);
}

on_both!(only_a_confirmed_statement_is_paid);
async fn only_a_confirmed_statement_is_paid(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = made(&app, id).await;
    let operator = app.sign_in("operator").await;
    let form = payout_form(&app, &row, json!({})).await;
    operator.post("/partner/payout", form.clone()).await.refused("1006");
    let path = testing::partner::sent(&operator, &row).await;
    operator.post("/partner/payout", form.clone()).await.refused("1006");
    testing::partner::answer(&app, &path, &row, "answer=dispute&note=x").await;
    operator.post("/partner/payout", form).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_payout").await, 0);
}

on_both!(no_more_is_paid_than_the_channel_is_owed_in_all);
async fn no_more_is_paid_than_the_channel_is_owed_in_all(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    // Leads of January are returned after its statement was confirmed.
    item(&app, id, "returned", -7000, "2026-02-02").await;
    let asked = async |cents: i64| operator.post("/partner/payout", payout_form(&app, &row, json!({"amountCents": cents})).await).await;
    asked(3001).await.wrong("amountCents");
    assert_eq!((statement(&admin, &row).await, app.count("SELECT COUNT(*) FROM partner_payout").await), ((0, 0), 0));
    let waiting = asked(3000).await.ok();
    asked(1).await.wrong("amountCents");
    // More is returned while it waits.
    item(&app, id, "returned", -1000, "2026-02-02").await;
    admin.put("/partner/payout/audit", approval(&waiting)).await.refused("1006");
    assert_eq!(balance(&admin, "channel_payable").await, (2000, 0, 0));
    item(&app, id, "registered", 1000, "2026-02-02").await;
    admin.put("/partner/payout/audit", approval(&waiting)).await.ok();
    assert_eq!(wrong(&app).await, []);
}

on_both!(payouts_on_two_nodes_never_pass_the_net_amount);
async fn payouts_on_two_nodes_never_pass_the_net_amount(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let node = app.node().await;
    let (one, other) = (app.sign_in("operator").await, node.sign_in("operator").await);
    let mut forms = Vec::new();
    for part in 0..8 {
        forms.push(payout_form(&app, &row, json!({"amountCents": 3000 + part})).await);
    }
    let asked = forms.into_iter().zip([&one, &other].into_iter().cycle()).map(|(form, who)| who.post("/partner/payout", form));
    let answers = futures_util::future::join_all(asked).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 3);
    assert_eq!(wrong(&app).await, []);
    // One number is used once, and one payout is paid once.
    let admin = app.sign_in("admin").await;
    let waiting: Vec<Value> = answers.iter().filter(|answer| answer.code() == "0000").map(|answer| answer.ok()).collect();
    let mut rows = Vec::new();
    for row in &waiting[..2] {
        rows.push(admin.put("/partner/payout/audit", approval(row)).await.ok());
    }
    let (first, second) = tokio::join!(
        one.put("/partner/payout/paid", payment(&app, &rows[0], "B-9")),
        other.put("/partner/payout/paid", payment(&app, &rows[1], "B-9")),
    );
    assert_eq!([first, second].iter().filter(|answer| answer.code() == "0000").count(), 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_payout WHERE status = 'paid'").await, 1);
    assert_eq!(wrong(&app).await, []);
}

/// That the bank sent a payout back, by a number.
fn sent_back(app: &TestApp, row: &Value, number: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "bankNumber": number, "returnedAt": app.now(), "reason": "账号不符"})
}

on_both!(a_payout_that_the_bank_sends_back_is_paid_again);
async fn a_payout_that_the_bank_sends_back_is_paid_again(app: TestApp) {
    app.set("partner.tax_bp", json!(601)).await;
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let whole = json!({"amountCents": 9399});
    let payout = approved(&app, &row, whole.clone()).await;
    admin.put("/partner/payout/returned", sent_back(&app, &payout, "R-1")).await.refused("1006");
    let paid = operator.put("/partner/payout/paid", payment(&app, &payout, "B-1")).await.ok();
    // The person who entered the payment.
    operator.put("/partner/payout/returned", sent_back(&app, &paid, "R-1")).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM incoming_payment").await, 0);
    for (changes, field) in [
        (json!({"bankNumber": " "}), "bankNumber"),
        (json!({"bankNumber": "R 1/x"}), "bankNumber"),
        (json!({"bankNumber": "R".repeat(65)}), "bankNumber"),
        (json!({"returnedAt": app.now() + 60_000}), "returnedAt"),
        (json!({"returnedAt": paid["paidAt"].as_i64().unwrap() - 1}), "returnedAt"),
        (json!({"reason": " "}), "reason"),
        (json!({"reason": "x".repeat(201)}), "reason"),
    ] {
        admin.put("/partner/payout/returned", testing::org::with(sent_back(&app, &paid, "R-1"), changes)).await.wrong(field);
    }
    assert_eq!((statement(&admin, &row).await, wrong(&app).await), ((9399, 9399), vec![]));
    let back = admin.put("/partner/payout/returned", sent_back(&app, &paid, " r-1 ")).await.ok();
    assert_eq!(back["status"], "returned");
    assert_eq!((&back["bankNumber"], &back["returnNumber"], &back["returnReason"]), (&json!("B-1"), &json!("R-1"), &json!("账号不符")));
    assert_eq!(statement(&admin, &row).await, (0, 0));
    assert_eq!(balance(&admin, "channel_payable").await, (10_000, 0, 0), "payable again, its tax too");
    assert_eq!((balance(&admin, "tax_withheld").await, balance(&admin, "cash").await), ((0, 0, 0), (0, 0, 0)));
    assert_eq!(wrong(&app).await, []);
    admin.put("/partner/payout/returned", sent_back(&app, &back, "R-2")).await.refused("1006");
    admin.put("/partner/payout/returned", sent_back(&app, &paid, "R-3")).await.refused("1005");
    operator.put("/partner/payout/paid", payment(&app, &back, "B-5")).await.refused("1006");
    let history = admin.get(&format!("/partner/payout/history/{}", paid["id"])).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 4);
    // The number of the payment stays with the payout that was returned.
    let again = approved(&app, &row, whole).await;
    assert_eq!(again["taxCents"], 601);
    let refusal = operator.put("/partner/payout/paid", payment(&app, &again, "B-1")).await.wrong("bankNumber");
    assert!(refusal.contains(paid["payoutNo"].as_str().unwrap()) && refusal.contains("已退回"), "{refusal}");
    let again = operator.put("/partner/payout/paid", payment(&app, &again, "B-2")).await.ok();
    assert_eq!(statement(&admin, &row).await, (9399, 9399));
    assert_eq!((balance(&admin, "channel_payable").await, balance(&admin, "cash").await), ((0, 0, 0), (9399, 0, 0)));
    assert_eq!(wrong(&app).await, []);
    let refusal = admin.put("/partner/payout/returned", sent_back(&app, &again, "R-1")).await.wrong("bankNumber");
    assert!(refusal.contains(paid["payoutNo"].as_str().unwrap()), "{refusal}");
    let node = app.node().await;
    let second = node.sign_in("admin").await;
    let (one, other) = tokio::join!(
        admin.put("/partner/payout/returned", sent_back(&app, &again, "R-8")),
        second.put("/partner/payout/returned", sent_back(&app, &again, "R-9")),
    );
    assert_eq!([one, other].iter().filter(|answer| answer.code() == "0000").count(), 1);
    assert_eq!((statement(&admin, &row).await, wrong(&app).await), ((0, 0), vec![]));
}

on_both!(statements_net_out_what_came_back);
async fn statements_net_out_what_came_back(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let payout = approved(&app, &row, json!({})).await;
    let paid = operator.put("/partner/payout/paid", payment(&app, &payout, "B-1")).await.ok();
    // Paid and returned in one month: it counts for nothing.
    let payout = approved(&app, &row, json!({"amountCents": 1000})).await;
    let other = operator.put("/partner/payout/paid", payment(&app, &payout, "B-2")).await.ok();
    admin.put("/partner/payout/returned", sent_back(&app, &other, "R-1")).await.ok();
    item(&app, id, "sold", 200, "2026-02-02").await;
    super::go_to(&app, "2026-03-02");
    let admin = app.sign_in("admin").await;
    let cents = |row: &Value| ["openingCents", "settledCents", "closingCents"].map(|field| row[field].as_i64().unwrap());
    let february = admin.post("/partner/statement", json!({"channelId": id, "month": "2026-02"})).await.ok();
    assert_eq!(cents(&february), [10_000, 4000, 6200]);
    testing::partner::confirm(&app, &february).await;
    admin.put("/partner/payout/returned", sent_back(&app, &paid, "R-2")).await.ok();
    assert_eq!(wrong(&app).await, []);
    item(&app, id, "sold", 300, "2026-03-02").await;
    super::go_to(&app, "2026-04-02");
    let admin = app.sign_in("admin").await;
    let march = admin.post("/partner/statement", json!({"channelId": id, "month": "2026-03"})).await.ok();
    assert_eq!(cents(&march), [6200, -4000, 10_500]);
    assert_eq!(balance(&admin, "channel_payable").await, (10_500, 0, 0));
    assert_eq!(wrong(&app).await, []);
}

on_both!(each_change_of_a_return_is_found);
async fn each_change_of_a_return_is_found(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let payout = approved(&app, &row, json!({})).await;
    let paid = app.sign_in("operator").await.put("/partner/payout/paid", payment(&app, &payout, "B-1")).await.ok();
    app.sign_in("admin").await.put("/partner/payout/returned", sent_back(&app, &paid, "R-1")).await.ok();
    app.unguard_the_ledger().await;
    assert_eq!(wrong(&app).await, []);
    for (change, back, kind) in [
        ("UPDATE partner_payout SET return_number = 'R-2'", "UPDATE partner_payout SET return_number = 'R-1'", "incoming"),
        ("UPDATE incoming_payment SET amount_cents = 1", "UPDATE incoming_payment SET amount_cents = 4000", "incoming"),
        (
            "UPDATE outgoing_payment SET returned_at = returned_at + 1",
            "UPDATE outgoing_payment SET returned_at = returned_at - 1",
            "outgoing",
        ),
        (
            "UPDATE partner_statement SET asked_cents = 4000, paid_cents = 4000",
            "UPDATE partner_statement SET asked_cents = 0, paid_cents = 0",
            "payout",
        ),
        (
            "UPDATE journal_transfer SET status = 'void' WHERE idem_key LIKE '%-returned'",
            "UPDATE journal_transfer SET status = 'posted' WHERE idem_key LIKE '%-returned'",
            "journal",
        ),
    ] {
        app.execute(change).await;
        let found = wrong(&app).await;
        assert!(found.iter().any(|one| one.what == kind), "{change}: {found:?}");
        app.execute(back).await;
        assert_eq!(wrong(&app).await, [], "{back}");
    }
}

on_both!(a_payment_from_before_the_books_is_paid_once_approved);
async fn a_payment_from_before_the_books_is_paid_once_approved(app: TestApp) {
    app.set("partner.tax_bp", json!(600)).await;
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    for (changes, field) in [
        (json!({"amountCents": 0}), "amountCents"),
        (json!({"amountCents": 9401}), "amountCents"),
        (json!({"taxCents": -1}), "taxCents"),
        (json!({"taxCents": 601}), "taxCents"),
        (json!({"day": "2026-01-16"}), "day"),
        (json!({"day": "1999-12-31"}), "day"),
        (json!({"day": "january"}), "day"),
        (json!({"bankNumber": "O 1/x"}), "bankNumber"),
        (json!({"bankNumber": null}), "remark"),
        (json!({"remark": "x".repeat(201)}), "remark"),
        (json!({"payeeOrgId": 9999}), "payeeOrgId"),
        (json!({"proofFileIds": [99]}), "proofFileIds"),
    ] {
        operator.post("/partner/payout/opening", opening_form(&app, &row, changes).await).await.wrong(field);
    }
    assert_eq!((statement(&admin, &row).await, app.count("SELECT COUNT(*) FROM partner_payout").await), ((0, 0), 0));
    let form = opening_form(&app, &row, json!({"taxCents": 300, "bankNumber": " o-1 "})).await;
    let waiting = operator.post("/partner/payout/opening", form).await.ok();
    assert_eq!((&waiting["status"], &waiting["beforeBooks"], &waiting["taxCents"]), (&json!("waiting"), &json!(true), &json!(300)));
    assert_eq!((statement(&admin, &row).await, wrong(&app).await), ((6000, 0), vec![]));
    operator.put("/partner/payout/paid", payment(&app, &waiting, "B-1")).await.refused("1006");
    operator.put("/partner/payout/audit", approval(&waiting)).await.refused("1006");
    let paid = admin.put("/partner/payout/audit", approval(&waiting)).await.ok();
    assert_eq!((&paid["status"], &paid["bankNumber"]), (&json!("paid"), &json!("O-1")));
    assert_eq!(paid["paidAt"], base::clock::day_start("2026-01-10").unwrap());
    assert_eq!(statement(&admin, &row).await, (6000, 6000));
    assert_eq!(balance(&admin, "channel_payable").await, (3700, 0, 0));
    assert_eq!((balance(&admin, "tax_withheld").await, balance(&admin, "cash").await), ((300, 0, 0), (6000, 0, 0)));
    assert_eq!(wrong(&app).await, []);
    let file = admin.export("/partner/payout/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&file.body).contains("补录付款"));
    // Its number is used; a payment without one says how it was made.
    let used = opening_form(&app, &row, json!({"amountCents": 100})).await;
    operator.post("/partner/payout/opening", used).await.wrong("bankNumber");
    let near = opening_form(&app, &row, json!({"bankNumber": "O-2", "day": "2025-12-20", "amountCents": 6000 - 2600})).await;
    let refused = operator.post("/partner/payout/opening", near).await.ok();
    assert_eq!(admin.put("/partner/payout/audit", refusal(&refused)).await.ok()["status"], "refused");
    let cash = opening_form(&app, &row, json!({"bankNumber": null, "remark": "现金", "amountCents": 400})).await;
    let cash = operator.post("/partner/payout/opening", cash).await.ok();
    let cash = admin.put("/partner/payout/audit", approval(&cash)).await.ok();
    assert_eq!((&cash["status"], &cash["bankNumber"]), (&json!("paid"), &json!(null)));
    let again = opening_form(&app, &row, json!({"bankNumber": "O-2", "amountCents": 400})).await;
    operator.post("/partner/payout/opening", again).await.wrong("anotherPayment");
    assert_eq!(wrong(&app).await, []);
    // What is left is paid as ever, with the rest of the tax; the next statement counts all.
    let last = approved(&app, &row, json!({"amountCents": 3000})).await;
    assert_eq!(last["taxCents"], 300);
    item(&app, id, "sold", 200, "2026-02-02").await;
    super::go_to(&app, "2026-03-02");
    let next = app.sign_in("admin").await.post("/partner/statement", json!({"channelId": id, "month": "2026-02"})).await.ok();
    assert_eq!((&next["openingCents"], &next["settledCents"], &next["closingCents"]), (&json!(10_000), &json!(6700), &json!(3500)));
    assert_eq!(wrong(&app).await, []);
}

on_both!(two_payments_from_before_the_books_never_have_one_number);
async fn two_payments_from_before_the_books_never_have_one_number(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let mut waiting = Vec::new();
    for cents in [1000, 2000] {
        let form = opening_form(&app, &row, json!({"amountCents": cents})).await;
        waiting.push(operator.post("/partner/payout/opening", form).await.ok());
    }
    let paid = admin.put("/partner/payout/audit", approval(&waiting[0])).await.ok();
    let refusal = admin.put("/partner/payout/audit", approval(&waiting[1])).await;
    refusal.refused("1006");
    assert!(refusal.desc().contains(paid["payoutNo"].as_str().unwrap()), "{}", refusal.desc());
    assert_eq!((statement(&admin, &row).await, wrong(&app).await), ((3000, 1000), vec![]));
    // The bank sends it back: the person who approved it may enter that, the one who entered the payment may not.
    operator.put("/partner/payout/returned", sent_back(&app, &paid, "R-1")).await.refused("1006");
    admin.put("/partner/payout/returned", sent_back(&app, &paid, "R-1")).await.ok();
    assert_eq!((statement(&admin, &row).await, wrong(&app).await), ((2000, 0), vec![]));
}

on_both!(a_new_database_has_no_payments_from_before_the_books);
async fn a_new_database_has_no_payments_from_before_the_books(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let operator = app.sign_in("operator").await;
    let form = opening_form(&app, &row, json!({})).await;
    // The page offers it where there was business before.
    let has_earlier = async || operator.get(&format!("/partner/statement/{}", row["id"])).await.ok()["hasEarlier"].clone();
    assert_eq!(has_earlier().await, true);
    app.execute("UPDATE partner_progress SET upto = 0 WHERE source = 'done'").await;
    assert_eq!(has_earlier().await, false);
    operator.post("/partner/payout/opening", form.clone()).await.wrong("day");
    app.advance(10_000);
    app.execute("DELETE FROM partner_progress WHERE source = 'done'").await;
    operator.post("/partner/payout/opening", form).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_payout").await, 0);
}
