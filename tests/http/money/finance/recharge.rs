//! `/finance/recharge`: applied for by one, confirmed by another, credited once, reversed by an entry.

use serde_json::json;

use super::{account, refusal, wrong};
use testing::finance::recharge::ask;
use testing::finance::{approval, credited, form};
use testing::org::{receipt, with};
use testing::{TestApp, on_both};

on_both!(a_recharge_is_credited_once_with_its_gift_apart);
async fn a_recharge_is_credited_once_with_its_gift_apart(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = operator.post("/finance/recharge", form(&app, json!({"giftCents": 20_000})).await).await.ok();
    assert_eq!((&row["status"], &row["orgName"], &row["creatorName"]), (&json!("pending"), &json!("北辰"), &json!("platform operator")));
    operator.put("/finance/recharge/audit", approval(&row)).await.refused("1006");
    let answers = futures_util::future::join_all((0..4).map(|_| admin.put("/finance/recharge/audit", approval(&row)))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1);
    let org_id = row["orgId"].as_i64().unwrap();
    let held = account(&admin, org_id).await;
    assert_eq!((&held["balanceCents"], &held["giftCents"], &held["availableCents"]), (&json!(520_000), &json!(20_000), &json!(520_000)));
    assert_eq!((&held["totalRechargeCents"], &held["totalGiftCents"]), (&json!(500_000), &json!(20_000)));
    let entries = admin.post("/finance/account/ledger/page", json!({"orgId": org_id})).await.ok();
    let shown: Vec<_> = entries["list"].as_array().unwrap().iter().map(|one| (one["kind"].clone(), one["giftPartCents"].clone())).collect();
    assert_eq!(shown, [(json!("gift"), json!(20_000)), (json!("recharge"), json!(0))]);
    assert_eq!((&entries["list"][0]["refType"], &entries["list"][0]["refNo"]), (&json!("recharge"), &row["no"]));
    assert_eq!(wrong(&app).await, []);
    let row = admin.get(&format!("/finance/recharge/{}", row["id"])).await.ok();
    assert_eq!((&row["status"], &row["reviewerName"]), (&json!("credited"), &json!("platform admin")));
    assert_eq!(admin.get(&format!("/finance/recharge/history/{}", row["id"])).await.ok().as_array().unwrap().len(), 2);
    admin.put("/finance/recharge/audit", approval(&row)).await.refused("1006");
}

on_both!(an_organisation_applies_for_its_own_recharges_without_a_gift);
async fn an_organisation_applies_for_its_own_recharges_without_a_gift(app: TestApp) {
    let (admin, north, south) = (app.sign_in("admin").await, app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    let wanted = form(&app, json!({})).await;
    app.execute("UPDATE organisation SET payee_org_id = (SELECT MIN(id) FROM payee_organisation)").await;
    north.post("/finance/recharge", with(wanted.clone(), json!({"giftCents": 1}))).await.wrong("giftCents");
    south.post("/finance/recharge", wanted.clone()).await.wrong("orgId");
    let row = north.post("/finance/recharge", wanted).await.ok();
    for call in [format!("/finance/recharge/{}", row["id"]), format!("/finance/recharge/history/{}", row["id"])] {
        north.get(&call).await.ok();
        south.get(&call).await.refused("1004");
    }
    assert_eq!(south.post("/finance/recharge/page", json!({})).await.ok()["total"], 0);
    assert_eq!(north.post("/finance/recharge/page", json!({"awaits": "decision"})).await.ok()["total"], 1);
    north.put("/finance/recharge/audit", approval(&row)).await.refused("1003");
    south.put("/finance/recharge/cancel", json!({"id": row["id"], "version": row["version"]})).await.refused("1004");
    admin.put("/finance/recharge/cancel", json!({"id": row["id"], "version": row["version"]})).await.refused("1006");
    let messages = admin.post("/message/page", json!({"kind": "todo"})).await.ok()["list"].to_string();
    assert!(messages.contains("充值待审"), "{messages}");
    admin.put("/finance/recharge/audit", json!({"id": row["id"], "version": row["version"], "approve": false})).await.wrong("note");
    let row = admin.put("/finance/recharge/audit", refusal(&row)).await.ok();
    assert_eq!((&row["status"], &row["reviewNote"]), (&json!("rejected"), &json!("对不上")));
    let messages = north.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("充值被驳回") && messages.contains("对不上"), "{messages}");
    let row = north.post("/finance/recharge", form(&app, json!({})).await).await.ok();
    let row = north.put("/finance/recharge/cancel", json!({"id": row["id"], "version": row["version"]})).await.ok();
    assert_eq!(row["status"], "cancelled");
    assert_eq!(app.count("SELECT COUNT(*) FROM account_ledger").await, 0);
}

on_both!(a_recharge_is_reversed_by_two_people);
async fn a_recharge_is_reversed_by_two_people(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = credited(&app, json!({"giftCents": 20_000})).await;
    let row = ask(&operator, &row).await;
    assert_eq!(row["decision"]["action"], "reverse_recharge");
    operator.put("/finance/recharge/audit", approval(&row)).await.refused("1006");
    admin.put("/finance/recharge/reverse/withdraw", json!({"id": row["id"], "version": row["version"]})).await.refused("1006");
    let row = admin.put("/finance/recharge/audit", refusal(&row)).await.ok();
    assert_eq!(row["status"], "credited");
    let row = ask(&operator, &row).await;
    let row = operator.put("/finance/recharge/reverse/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
    let row = ask(&operator, &row).await;
    // What was spent is not there to be taken back, and a gift is not taken back as money.
    app.execute("UPDATE org_account SET frozen_cents = 510000").await;
    admin.put("/finance/recharge/audit", approval(&row)).await.refused("1006");
    // Credit is not paid out.
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 1000000").await;
    let short = admin.put("/finance/recharge/audit", approval(&row)).await;
    assert!(short.code() == "1006" && short.desc().contains("只有 0 元"), "{}", short.desc());
    app.execute("UPDATE organisation SET bill_mode = 'prepaid', credit_limit_cents = 0").await;
    app.execute("UPDATE org_account SET frozen_cents = 10000, frozen_gift_cents = 10000").await;
    let desc = admin.put("/finance/recharge/audit", approval(&row)).await;
    assert!(desc.code() == "1006" && desc.desc().contains("100 元"), "{}", desc.desc());
    app.execute("UPDATE org_account SET frozen_cents = 0, frozen_gift_cents = 0").await;
    let row = admin.put("/finance/recharge/audit", approval(&row)).await.ok();
    assert_eq!(row["status"], "reversed");
    let held = account(&admin, row["orgId"].as_i64().unwrap()).await;
    assert_eq!((&held["balanceCents"], &held["giftCents"], &held["totalRechargeCents"]), (&json!(0), &json!(0), &json!(0)));
    assert_eq!(app.count("SELECT COUNT(*) FROM account_ledger WHERE type = 'reversal'").await, 2);
    assert_eq!(wrong(&app).await, []);
    admin.put("/finance/recharge/reverse", json!({"id": row["id"], "version": row["version"], "note": "x"})).await.refused("1006");
}

on_both!(a_receipt_that_brought_the_money_is_not_credited_again);
async fn a_receipt_that_brought_the_money_is_not_credited_again(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let paid = receipt::confirmed(&app).await;
    let row = operator.post("/finance/recharge", form(&app, json!({"giftCents": 100})).await).await.ok();
    let choices = admin.get(&format!("/finance/recharge/receipts/{}", row["id"])).await.ok();
    assert_eq!(choices.as_array().unwrap().len(), 1);
    assert_eq!(choices[0]["value"], paid["id"]);
    // One payment is not credited twice unseen: the reviewer says which receipt it was, or that it was none.
    admin.put("/finance/recharge/audit", approval(&row)).await.wrong("receiptId");
    admin.put("/finance/recharge/audit", with(approval(&row), json!({"receiptId": 999}))).await.wrong("receiptId");
    let row = admin.put("/finance/recharge/audit", with(approval(&row), json!({"receiptId": paid["id"]}))).await.ok();
    assert_eq!(row["receiptNo"], paid["no"]);
    assert_eq!(account(&admin, row["orgId"].as_i64().unwrap()).await["balanceCents"], 500_100);
    assert_eq!(wrong(&app).await, []);
    let other = operator.post("/finance/recharge", form(&app, json!({})).await).await.ok();
    assert_eq!(admin.get(&format!("/finance/recharge/receipts/{}", other["id"])).await.ok(), json!([]));
    admin.put("/finance/recharge/audit", with(approval(&other), json!({"receiptId": paid["id"]}))).await.wrong("receiptId");
    let other = admin.put("/finance/recharge/audit", with(approval(&other), json!({"receiptId": 0, "anotherPayment": true}))).await.ok();
    assert_eq!((&other["status"], &other["receiptNo"]), (&json!("credited"), &json!(null)));
    // Its receipt is voided after the recharge was reversed.
    let void = json!({"id": paid["id"], "version": paid["version"], "note": "x"});
    operator.put("/org/receipt/void", void.clone()).await.refused("1006");
    let row = ask(&operator, &row).await;
    admin.put("/finance/recharge/audit", approval(&row)).await.ok();
    let left = app.count("SELECT balance_cents FROM org_account WHERE seq > 0").await;
    assert_eq!(left, 1_000_000, "the gift is taken back, the receipt and the other recharge stay");
    operator.put("/org/receipt/void", void).await.ok();
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_receipt_is_not_voided_beside_its_recharge);
async fn a_receipt_is_not_voided_beside_its_recharge(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    for _ in 0..3 {
        let paid = receipt::confirmed(&app).await;
        let row = operator.post("/finance/recharge", form(&app, json!({"giftCents": 100})).await).await.ok();
        let asked = operator.put("/org/receipt/void", json!({"id": paid["id"], "version": paid["version"], "note": "x"})).await.ok();
        let void = json!({"id": asked["id"], "version": asked["version"], "status": "void"});
        let link = with(approval(&row), json!({"receiptId": paid["id"]}));
        let (void, link) = tokio::join!(admin.put("/org/receipt/status", void), admin.put("/finance/recharge/audit", link));
        assert_eq!(
            (void.code(), link.code()),
            ("0000".to_owned(), "1001".to_owned()),
            "a receipt whose voiding is asked for is not linked"
        );
        operator.put("/finance/recharge/cancel", json!({"id": row["id"], "version": row["version"]})).await.ok();
    }
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_terminated_organisation_gets_no_money);
async fn a_terminated_organisation_gets_no_money(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = operator.post("/finance/recharge", form(&app, json!({})).await).await.ok();
    app.execute("UPDATE organisation SET status = 'terminated' WHERE code = 'north'").await;
    admin.put("/finance/recharge/audit", approval(&row)).await.refused("1006");
    operator.post("/finance/recharge", form(&app, json!({})).await).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM account_ledger").await, 0);
}

on_both!(what_is_no_recharge_is_refused);
async fn what_is_no_recharge_is_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let wanted = form(&app, json!({})).await;
    for (field, value) in [
        ("amountCents", json!(0)),
        ("amountCents", json!(-1)),
        ("amountCents", json!(10_000_000_001_i64)),
        ("giftCents", json!(-1)),
        ("orgId", json!(999)),
        ("payeeOrgId", json!(999)),
        ("proofFileIds", json!([999])),
        ("remark", json!("x".repeat(501))),
    ] {
        operator.post("/finance/recharge", with(wanted.clone(), json!({ field: value }))).await.wrong(field);
    }
    for (field, value) in
        [("amountCents", json!(1.001)), ("amountCents", json!(1e30)), ("payMethod", json!("gold")), ("status", json!("credited"))]
    {
        operator.post("/finance/recharge", with(wanted.clone(), json!({ field: value }))).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM recharge").await, 0);
}

on_both!(plans_are_looked_at_again_as_soon_as_money_comes);
async fn plans_are_looked_at_again_as_soon_as_money_comes(app: TestApp) {
    credited(&app, json!({})).await;
    // The permit that wakes the watch over plans.
    tokio::time::timeout(std::time::Duration::from_secs(5), app.app.credited.notified()).await.unwrap();
}
