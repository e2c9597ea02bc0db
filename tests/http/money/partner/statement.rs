//! `/partner/statement` and `/partner/adjust`: each item stands on one statement, and two people correct it.

use serde_json::{Value, json};
use trade::partner::make_monthly;

use super::{confirmed, go_to, made, page};
use crate::finance::{refusal, wrong};
use testing::finance::approval;
use testing::partner::{answer, channel, item, sent, version};
use testing::{TestApp, on_both};

on_both!(each_item_stands_on_one_statement_however_many_make_it);
async fn each_item_stands_on_one_statement_however_many_make_it(app: TestApp) {
    go_to(&app, "2026-01-20");
    let (one, other) = (channel(&app, "p-one").await, channel(&app, "p-two").await);
    for (kind, cents, day) in
        [("sold", 10_000, "2025-12-31"), ("sold", 5000, "2026-01-31"), ("returned", -3000, "2026-01-15"), ("visit", 700, "2026-01-02")]
    {
        item(&app, one, kind, cents, day).await;
    }
    item(&app, one, "sold", 999, "2026-02-01").await;
    item(&app, other, "registered", 100, "2026-01-05").await;
    let admin = app.sign_in("admin").await;
    admin.post("/partner/statement", json!({"channelId": one, "month": "2026-01"})).await.wrong("month");
    go_to(&app, "2026-02-02");
    app.set("partner.tax_bp", json!(600)).await;
    let admin = app.sign_in("admin").await;
    for month in ["2026-02", "2026-13", "january", ""] {
        admin.post("/partner/statement", json!({"channelId": one, "month": month})).await.wrong("month");
    }
    admin.post("/partner/statement", json!({"channelId": 9999, "month": "2026-01"})).await.refused("1004");
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_statement").await, 0);
    let node = app.node().await;
    let by_hand = json!({"channelId": one, "month": "2026-01"});
    let second = node.sign_in("operator").await;
    let (first, again, nightly, nightly_again) = tokio::join!(
        admin.post("/partner/statement", by_hand.clone()),
        second.post("/partner/statement", by_hand.clone()),
        make_monthly(&app.app),
        make_monthly(&node.app),
    );
    assert!([first.code(), again.code()].iter().all(|code| ["0000", "1006"].contains(&code.as_str())));
    assert_eq!([nightly.unwrap(), nightly_again.unwrap()].iter().flatten().count(), 1, "one node makes the night's");
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_statement").await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_item WHERE statement_id IS NULL").await, 1, "the item of February");
    let list = admin.post("/partner/statement/page", json!({"channelId": one})).await.ok();
    let row = &list["list"][0];
    for (field, cents) in [
        ("openingCents", 0),
        ("soldCents", 15_000),
        ("returnedCents", -3000),
        ("visitCents", 700),
        ("totalCents", 12_700),
        ("taxBp", 600),
        ("taxCents", 762),
        ("netCents", 11_938),
        ("closingCents", 12_700),
        ("items", 4),
    ] {
        assert_eq!(row[field], cents, "{field}: {row}");
    }
    assert_eq!(list["totals"]["totalCents"], 12_700);
    assert_eq!(admin.post("/partner/statement/page", json!({})).await.ok()["totals"]["totalCents"], 12_800);
    admin.post("/partner/statement", by_hand).await.refused("1006");
    let items = admin.post("/partner/statement/item/page", json!({"statementId": row["id"]})).await.ok();
    assert_eq!((&items["total"], &items["totals"]["amountCents"]), (&json!(4), &json!(12_700)));
    let shown = admin.get(&format!("/partner/statement/items/{}", row["id"])).await.ok();
    assert_eq!((shown.as_array().unwrap().len(), &shown[0]["day"]), (4, &json!("2025-12-31")));
    for path in ["/partner/statement/page/export", "/partner/statement/item/page/export"] {
        let file = admin.export(path, json!({"format": "csv"})).await;
        assert!(String::from_utf8_lossy(&file.body).contains("渠道 p-one"), "{path}");
    }
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_statement_follows_a_confirmed_one_and_begins_with_what_that_left);
async fn a_statement_follows_a_confirmed_one_and_begins_with_what_that_left(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let first = made(&app, id).await;
    item(&app, id, "returned", -12_000, "2026-02-03").await;
    go_to(&app, "2026-03-02");
    let admin = app.sign_in("admin").await;
    let next = json!({"channelId": id, "month": "2026-02"});
    let refusal = admin.post("/partner/statement", next.clone()).await;
    assert!(refusal.desc().contains("尚未确认"), "{}", refusal.desc());
    assert_eq!(make_monthly(&app.app).await.unwrap(), Some(0));
    let path = sent(&admin, &first).await;
    answer(&app, &path, &first, "answer=confirm").await;
    let second = admin.post("/partner/statement", next).await.ok();
    let cents = |row: &Value, field: &str| row[field].as_i64().unwrap();
    assert_eq!((cents(&second, "openingCents"), cents(&second, "totalCents"), cents(&second, "closingCents")), (10_000, -12_000, -2000));
    assert_eq!((cents(&second, "taxCents"), cents(&second, "netCents")), (0, -12_000));
    // What it came to below zero is taken off the next one.
    let path = sent(&admin, &second).await;
    answer(&app, &path, &second, "answer=confirm").await;
    item(&app, id, "sold", 20_000, "2026-03-02").await;
    go_to(&app, "2026-04-02");
    let third = app.sign_in("admin").await.post("/partner/statement", json!({"channelId": id, "month": "2026-03"})).await.ok();
    assert_eq!((cents(&third, "carriedCents"), cents(&third, "netCents"), cents(&third, "closingCents")), (-12_000, 8000, 18_000));
    assert_eq!(wrong(&app).await, []);
}

on_both!(no_statement_is_made_before_earlier_items_are_entered);
async fn no_statement_is_made_before_earlier_items_are_entered(app: TestApp) {
    let id = channel(&app, "p-one").await;
    item(&app, id, "sold", 10_000, "2026-01-20").await;
    go_to(&app, "2026-02-02");
    app.execute("DELETE FROM partner_progress WHERE source = 'done'").await;
    let form = json!({"channelId": id, "month": "2026-01"});
    let refusal = app.sign_in("admin").await.post("/partner/statement", form.clone()).await;
    refusal.refused("1006");
    assert!(refusal.desc().contains("补录"), "{}", refusal.desc());
    assert_eq!(make_monthly(&app.app).await.unwrap(), Some(0));
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_statement").await, 0);
    app.execute("INSERT INTO partner_progress (source, upto) VALUES ('done', 1)").await;
    app.sign_in("admin").await.post("/partner/statement", form).await.ok();
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_channel_that_fails_does_not_keep_the_others_from_their_statements);
async fn a_channel_that_fails_does_not_keep_the_others_from_their_statements(app: TestApp) {
    let (fails, other) = (channel(&app, "p-one").await, channel(&app, "p-two").await);
    // More than an integer holds.
    for day in ["2026-01-05", "2026-01-06"] {
        item(&app, fails, "sold", 5_000_000_000_000_000_000, day).await;
    }
    item(&app, other, "sold", 10_000, "2026-01-20").await;
    go_to(&app, "2026-02-02");
    assert!(make_monthly(&app.app).await.is_err());
    assert_eq!(app.count("SELECT MIN(channel_id) FROM partner_statement").await, other);
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_statement").await, 1);
    app.unguard_the_ledger().await;
    app.execute("UPDATE partner_item SET amount_cents = 1 WHERE amount_cents > 1000000").await;
    assert_eq!(make_monthly(&app.app).await.unwrap(), Some(1), "the task is tried again");
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_statement").await, 2);
}

on_both!(a_disputed_statement_is_corrected_by_two_people_and_sent_again);
async fn a_disputed_statement_is_corrected_by_two_people_and_sent_again(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = made(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let form = json!({"statementId": row["id"], "amountCents": -500, "reason": "多记一单"});
    let path = sent(&admin, &row).await;
    operator.post("/partner/adjust", form.clone()).await.refused("1006");
    assert_eq!(answer(&app, &path, &row, "answer=dispute&note=%E5%A4%9A%E8%AE%B0").await.status.as_u16(), 303);
    let disputed = admin.get(&format!("/partner/statement/{}", row["id"])).await.ok();
    assert_eq!((&disputed["status"], &disputed["answerNote"]), (&json!("disputed"), &json!("多记")));
    for (changes, field) in [(json!({"amountCents": 0}), "amountCents"), (json!({"reason": " "}), "reason")] {
        operator.post("/partner/adjust", testing::org::with(form.clone(), changes)).await.wrong(field);
    }
    let adjustment = operator.post("/partner/adjust", form.clone()).await.ok();
    let queues = admin.get("/workplace").await.ok()["queues"].as_array().unwrap().clone();
    let queue = queues.iter().find(|queue| queue["href"] == "/finance/partner/adjustments?status=pending").unwrap();
    assert_eq!((&queue["count"], &queue["cents"]), (&json!(1), &json!(-500)));
    admin.post("/partner/statement/send", version(&disputed)).await.refused("1006");
    operator.put("/partner/adjust/audit", approval(&adjustment)).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_item WHERE kind = 'adjust'").await, 0);
    let node = app.node().await;
    let second = node.sign_in("admin").await;
    let (one, other) =
        tokio::join!(admin.put("/partner/adjust/audit", approval(&adjustment)), second.put("/partner/adjust/audit", approval(&adjustment)));
    assert_eq!([one, other].iter().filter(|answer| answer.code() == "0000").count(), 1);
    let refused = operator.post("/partner/adjust", form.clone()).await.ok();
    admin.put("/partner/adjust/audit", refusal(&refused)).await.ok();
    let withdrawn = operator.post("/partner/adjust", form).await.ok();
    operator.put("/partner/adjust/withdraw", json!({"id": withdrawn["id"], "version": withdrawn["version"]})).await.ok();
    assert_eq!(admin.post("/partner/adjust/page", json!({"statementId": row["id"]})).await.ok()["total"], 3);
    let corrected = admin.get(&format!("/partner/statement/{}", row["id"])).await.ok();
    assert_eq!((&corrected["adjustCents"], &corrected["netCents"], &corrected["closingCents"]), (&json!(-500), &json!(9500), &json!(9500)));
    // What is sent is what was seen, and the dispute before is no answer to it.
    admin.post("/partner/statement/send", version(&disputed)).await.refused("1005");
    app.advance(10_000);
    let again = sent(&admin, &corrected).await;
    let waiting = admin.get(&format!("/partner/statement/{}", row["id"])).await.ok();
    assert_eq!((&waiting["answerNote"], &waiting["answeredAt"]), (&Value::Null, &Value::Null));
    let history = admin.get(&format!("/partner/statement/history/{}", row["id"])).await.ok();
    let kept =
        |entry: &Value| entry["diff"].as_array().unwrap().iter().any(|change| change["before"] == "多记" && change["after"].is_null());
    assert!(kept(&history[0]), "{history}");
    assert_ne!(again, path);
    assert_eq!(page(&app, &path).await.0, 404, "the link before answers no more");
    assert!(page(&app, &again).await.1.contains("95.00"));
    assert_eq!(answer(&app, &again, &row, "answer=confirm").await.status.as_u16(), 303);
    assert_eq!(admin.get(&format!("/partner/statement/{}", row["id"])).await.ok()["status"], "confirmed");
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_confirmed_statement_that_is_wrong_is_corrected_on_the_next_one);
async fn a_confirmed_statement_that_is_wrong_is_corrected_on_the_next_one(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let form = json!({"statementId": row["id"], "amountCents": -500, "reason": "多记一单"});
    let adjustment = operator.post("/partner/adjust", form.clone()).await.ok();
    assert_eq!(adjustment["onNext"], true);
    operator.put("/partner/adjust/audit", approval(&adjustment)).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_item WHERE kind = 'adjust'").await, 0);
    admin.put("/partner/adjust/audit", approval(&adjustment)).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM partner_item WHERE kind = 'adjust' AND statement_id IS NULL").await, 1);
    let after = admin.get(&format!("/partner/statement/{}", row["id"])).await.ok();
    assert_eq!(after, row, "it was confirmed as it is");
    assert_eq!(wrong(&app).await, []);
    // Nothing else has happened, and the next statement is made.
    go_to(&app, "2026-03-02");
    assert_eq!(make_monthly(&app.app).await.unwrap(), Some(1));
    let admin = app.sign_in("admin").await;
    let list = admin.post("/partner/statement/page", json!({"channelId": id, "month": "2026-02"})).await.ok();
    let next = &list["list"][0];
    for (field, cents) in [("openingCents", 10_000), ("adjustCents", -500), ("totalCents", -500), ("closingCents", 9500), ("items", 1)] {
        assert_eq!(next[field], cents, "{field}: {next}");
    }
    assert_eq!(wrong(&app).await, []);
    // What is wrong now is corrected on that one.
    let refused = app.sign_in("operator").await.post("/partner/adjust", form).await;
    refused.refused("1006");
    assert!(refused.desc().contains(next["statementNo"].as_str().unwrap()), "{}", refused.desc());
    app.execute("UPDATE partner_adjustment SET on_next = 0").await;
    assert!(wrong(&app).await.iter().any(|one| one.what == "partner"));
}

on_both!(a_channel_manager_sees_the_statements_of_own_channels);
async fn a_channel_manager_sees_the_statements_of_own_channels(app: TestApp) {
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code = 'channel_manager' AND m.name LIKE 'finance/partner/%' ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let payout = super::approved(&app, &row, json!({})).await;
    let (own, other) = (app.sign_in("channel.manager").await, app.sign_in("channel.second").await);
    for (path, id) in [("/partner/statement", &row["id"]), ("/partner/payout", &payout["id"])] {
        assert_eq!(own.post(&format!("{path}/page"), json!({})).await.ok()["total"], 1);
        assert_eq!(other.post(&format!("{path}/page"), json!({})).await.ok()["total"], 0);
        for call in [format!("{path}/{id}"), format!("{path}/history/{id}")] {
            own.get(&call).await.ok();
            other.get(&call).await.refused("1004");
        }
    }
    for call in ["/partner/statement/file", "/partner/statement/items", "/partner/payout/statement"] {
        other.get(&format!("{call}/{}", row["id"])).await.refused("1004");
    }
    assert_eq!(own.get(&format!("/partner/payout/statement/{}", row["id"])).await.ok()[0]["payoutNo"], payout["payoutNo"]);
    other.post("/partner/payout", testing::partner::payout_form(&app, &row, json!({})).await).await.refused("1004");
    app.sign_in("north.manager").await.post("/partner/statement/page", json!({})).await.refused("1003");
}

on_both!(each_change_of_statements_items_and_payouts_is_found);
async fn each_change_of_statements_items_and_payouts_is_found(app: TestApp) {
    let id = channel(&app, "p-one").await;
    let row = confirmed(&app, id).await;
    let payout = super::approved(&app, &row, json!({})).await;
    app.sign_in("operator").await.put("/partner/payout/paid", super::payment(&app, &payout, "B-1")).await.ok();
    app.unguard_the_ledger().await;
    assert_eq!(wrong(&app).await, []);
    for (change, back, kind) in [
        ("UPDATE partner_item SET amount_cents = 1", "UPDATE partner_item SET amount_cents = 10000", "partner"),
        ("UPDATE partner_item SET statement_id = NULL", "UPDATE partner_item SET statement_id = 1", "partner"),
        ("UPDATE partner_item SET kind = 'adjust'", "UPDATE partner_item SET kind = 'sold'", "partner"),
        (
            "UPDATE partner_statement SET opening_cents = 7, closing_cents = 10007",
            "UPDATE partner_statement SET opening_cents = 0, closing_cents = 10000",
            "partner",
        ),
        (
            "UPDATE partner_statement SET tax_cents = 1, net_cents = 9999",
            "UPDATE partner_statement SET tax_cents = 0, net_cents = 10000",
            "partner",
        ),
        ("UPDATE partner_statement SET paid_cents = 1", "UPDATE partner_statement SET paid_cents = 4000", "payout"),
        ("UPDATE partner_statement SET asked_cents = 9000", "UPDATE partner_statement SET asked_cents = 4000", "payout"),
        ("UPDATE partner_payout SET amount_cents = 5", "UPDATE partner_payout SET amount_cents = 4000", "journal"),
        ("UPDATE partner_payout SET amount_cents = 10001", "UPDATE partner_payout SET amount_cents = 4000", "payout"),
        ("UPDATE partner_payout SET bank_number = 'B-2'", "UPDATE partner_payout SET bank_number = 'B-1'", "outgoing"),
        ("UPDATE partner_payout SET paid_at = paid_at + 1", "UPDATE partner_payout SET paid_at = paid_at - 1", "outgoing"),
        ("UPDATE outgoing_payment SET number = 'B-2'", "UPDATE outgoing_payment SET number = 'B-1'", "outgoing"),
        ("UPDATE outgoing_payment SET number = NULL", "UPDATE outgoing_payment SET number = 'B-1'", "outgoing"),
        ("UPDATE partner_statement SET answered_at = NULL", "UPDATE partner_statement SET answered_at = sent_at", "partner"),
        ("UPDATE partner_statement SET sent_at = NULL", "UPDATE partner_statement SET sent_at = answered_at", "partner"),
        ("UPDATE partner_statement SET link_hash = NULL", "UPDATE partner_statement SET link_hash = 'x'", "partner"),
        (
            "UPDATE journal_transfer SET status = 'void' WHERE ref_type = 'partner_payout'",
            "UPDATE journal_transfer SET status = 'posted' WHERE ref_type = 'partner_payout'",
            "journal",
        ),
        (
            "UPDATE journal_transfer SET amount_cents = 1 WHERE ref_type = 'partner_item'",
            "UPDATE journal_transfer SET amount_cents = 10000 WHERE ref_type = 'partner_item'",
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

on_both!(a_payout_above_the_net_amount_and_a_dispute_without_words_are_named);
async fn a_payout_above_the_net_amount_and_a_dispute_without_words_are_named(app: TestApp) {
    let (one, other) = (channel(&app, "p-one").await, channel(&app, "p-two").await);
    let row = confirmed(&app, one).await;
    super::approved(&app, &row, json!({})).await;
    let disputed = made(&app, other).await;
    let path = sent(&app.sign_in("admin").await, &disputed).await;
    assert_eq!(answer(&app, &path, &disputed, "answer=dispute&note=x").await.status.as_u16(), 303);
    assert_eq!(wrong(&app).await, []);
    app.execute("UPDATE partner_payout SET amount_cents = 10001").await;
    let found = wrong(&app).await;
    let above = |one: &&trade::ledger::verify::Discrepancy| (one.what, one.id, one.found) == ("payout", row["id"].as_i64(), 10_001);
    assert_eq!(found.iter().find(above).map(|one| one.expected), Some(10_000), "{found:?}");
    app.execute("UPDATE partner_payout SET amount_cents = 4000").await;
    app.execute("UPDATE partner_statement SET answer_note = NULL").await;
    let found = wrong(&app).await;
    assert_eq!(found.iter().map(|one| (one.what, one.id)).collect::<Vec<_>>(), [("partner", disputed["id"].as_i64())]);
}
