//! `/finance/statement`: months are closed in their order, statements sent, confirmed and disputed.

#[path = "../../../../crates/frame/src/pdf/reader.rs"]
mod pdf_reader;

use base::clock;
use serde_json::{Value, json};

use super::wrong;
use testing::finance::credited;
use testing::lead::{application, bring, channel, plan};
use testing::plan::begin;
use testing::{TestApp, on_both};

const DAY: i64 = 24 * 3_600_000;

/// Goes to the middle of a day.
fn go_to(app: &TestApp, day: &str) {
    app.advance(clock::day_start(day).unwrap() + DAY / 2 - app.now());
}

on_both!(months_are_closed_in_order_and_take_no_entry_any_more);
async fn months_are_closed_in_order_and_take_no_entry_any_more(app: TestApp) {
    go_to(&app, "2026-01-10");
    let (admin, north) = (app.sign_in("admin").await, app.sign_in("north.manager").await);
    assert_eq!(admin.get("/finance/statement/months").await.ok(), json!({"closed": null, "next": null}));
    credited(&app, json!({"giftCents": 20_000})).await;
    go_to(&app, "2026-02-10");
    credited(&app, json!({"amountCents": 700})).await;
    let south = app.organisation("south").await;
    credited(&app, json!({"orgId": south, "amountCents": 900})).await;
    let admin = app.sign_in("admin").await;
    assert_eq!(admin.get("/finance/statement/months").await.ok(), json!({"closed": null, "next": "2026-01"}));
    for (month, code) in [("2026-02", "1006"), ("2026-13", "1001"), ("2026", "1001"), ("2025-12", "1006")] {
        admin.put("/finance/statement/close", json!({ "month": month })).await.refused(code);
    }
    north.put("/finance/statement/close", json!({"month": "2026-01"})).await.refused("2000");
    let north = app.sign_in("north.manager").await;
    north.put("/finance/statement/close", json!({"month": "2026-01"})).await.refused("1003");
    let closings = futures_util::future::join_all((0..3).map(|_| admin.put("/finance/statement/close", json!({"month": "2026-01"})))).await;
    assert_eq!(closings.iter().filter(|answer| answer.code() == "0000").count(), 1);
    let page = admin.post("/finance/statement/page", json!({})).await.ok();
    let row = &page["list"][0];
    assert_eq!((&page["total"], &row["month"], &row["openingCents"]), (&json!(1), &json!("2026-01"), &json!(0)));
    assert_eq!((&row["rechargeCents"], &row["giftCents"], &row["closingCents"]), (&json!(500_000), &json!(20_000), &json!(520_000)));
    // Nothing is written into it, by whatever way.
    let mut tx = app.app.db.begin().await.unwrap();
    let late = "INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, at) \
                SELECT account_id, 99, 'recharge', 100, 0, 'recharge', ref_id, 'late', at FROM account_ledger WHERE seq = 1 AND amount_cents = 500000";
    assert!(sqlx::query(late).execute(&mut *tx).await.is_err());
    tx.rollback().await.unwrap();
    go_to(&app, "2026-03-01");
    let admin = app.sign_in("admin").await;
    admin.put("/finance/statement/close", json!({"month": "2026-02"})).await.ok();
    let page = admin.post("/finance/statement/page", json!({"month": "2026-02", "orgId": app.organisation("north").await})).await.ok();
    let row = &page["list"][0];
    assert_eq!((&row["openingCents"], &row["rechargeCents"], &row["closingCents"]), (&json!(520_000), &json!(700), &json!(520_700)));
    assert_eq!(admin.post("/finance/statement/page", json!({"month": "2026-02"})).await.ok()["total"], 2);
    assert_eq!(wrong(&app).await, []);
}

// B5: the month was refused for ever with 500.
on_both!(a_month_whose_last_entries_were_dated_in_the_wrong_order_closes_by_their_numbers);
async fn a_month_whose_last_entries_were_dated_in_the_wrong_order_closes_by_their_numbers(app: TestApp) {
    go_to(&app, "2026-01-10");
    for cents in [100, 20, 3] {
        credited(&app, json!({"amountCents": cents})).await;
    }
    go_to(&app, "2026-02-10");
    credited(&app, json!({"amountCents": 4000})).await;
    app.unguard_the_ledger().await;
    let february = clock::day_start("2026-02-01").unwrap();
    for (seq, at) in [(2, february + 5), (3, february - 5)] {
        app.execute(Box::leak(format!("UPDATE account_ledger SET at = {at} WHERE seq = {seq}").into_boxed_str())).await;
    }
    let admin = app.sign_in("admin").await;
    // A balance that does not follow from the entry before it closes nothing, and is named.
    app.execute("UPDATE account_ledger SET balance_after_cents = 124 WHERE seq = 3").await;
    let answer = admin.put("/finance/statement/close", json!({"month": "2026-01"})).await;
    answer.refused("1006");
    let north = app.text("SELECT name FROM organisation WHERE code = 'north'").await;
    assert!(answer.desc().contains(&north) && answer.desc().contains("第 3 号"), "{}", answer.desc());
    assert_eq!(app.count("SELECT COUNT(*) FROM closed_month").await, 0);
    app.execute("UPDATE account_ledger SET balance_after_cents = 123 WHERE seq = 3").await;
    admin.put("/finance/statement/close", json!({"month": "2026-01"})).await.ok();
    let row = admin.post("/finance/statement/page", json!({"month": "2026-01"})).await.ok()["list"][0].clone();
    assert_eq!((&row["openingCents"], &row["closingCents"], &row["entries"]), (&json!(0), &json!(123), &json!(3)));
    go_to(&app, "2026-03-10");
    let admin = app.sign_in("admin").await;
    admin.put("/finance/statement/close", json!({"month": "2026-02"})).await.ok();
    let row = admin.post("/finance/statement/page", json!({"month": "2026-02"})).await.ok()["list"][0].clone();
    assert_eq!((&row["openingCents"], &row["closingCents"], &row["entries"]), (&json!(123), &json!(4123), &json!(1)));
}

// B6: all later entries of the account were dated in the future as well, so that their month was without them.
on_both!(a_clock_that_was_wrong_once_dates_no_later_entry);
async fn a_clock_that_was_wrong_once_dates_no_later_entry(app: TestApp) {
    let ahead = app.node_wrong_by(40 * DAY).await;
    let month = clock::day(app.now()).to_string()[..7].to_owned();
    let began = app.now();
    credited(&ahead, json!({"amountCents": 100})).await;
    credited(&app, json!({"amountCents": 20})).await;
    assert!(app.count("SELECT at FROM account_ledger WHERE seq = 1").await >= began + 40 * DAY);
    let at = app.count("SELECT at FROM account_ledger WHERE seq = 2").await;
    assert!((began..=app.now()).contains(&at), "{began} {at}");
    assert_eq!(wrong(&app).await, []);
    app.advance(45 * DAY);
    credited(&app, json!({"amountCents": 3})).await;
    let admin = app.sign_in("admin").await;
    admin.put("/finance/statement/close", json!({ "month": month })).await.ok();
    let row = admin.post("/finance/statement/page", json!({ "month": month })).await.ok()["list"][0].clone();
    assert_eq!((&row["closingCents"], &row["entries"]), (&json!(120), &json!(2)), "the first two, by their numbers");
}

on_both!(a_statement_has_sales_and_returns_apart);
async fn a_statement_has_sales_and_returns_apart(app: TestApp) {
    begin(&app);
    credited(&app, json!({})).await;
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    for number in 1..=2 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    app.execute("UPDATE organisation SET return_allowed = 1, return_auto = 1, return_max_days = 9, return_max_bp = 10000").await;
    testing::returns::ask(&admin, app.count("SELECT MIN(id) FROM push_record").await, json!({})).await.ok();
    go_to(&app, "2027-02-03");
    let admin = app.sign_in("admin").await;
    admin.put("/finance/statement/close", json!({"month": "2027-01"})).await.ok();
    let page = admin.post("/finance/statement/page", json!({"orgId": app.organisation("north").await})).await.ok();
    let row = &page["list"][0];
    assert_eq!((&row["spendCents"], &row["refundCents"], &row["closingCents"]), (&json!(9000), &json!(4500), &json!(495_500)));
    assert_eq!(row["entries"], 4);
}

on_both!(a_statement_is_sent_and_answered_by_its_organisation);
async fn a_statement_is_sent_and_answered_by_its_organisation(app: TestApp) {
    go_to(&app, "2026-01-10");
    credited(&app, json!({})).await;
    go_to(&app, "2026-02-10");
    let (admin, north, south) = (app.sign_in("admin").await, app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    admin.put("/finance/statement/close", json!({"month": "2026-01"})).await.ok();
    let id = app.count("SELECT id FROM org_statement").await;
    let address = format!("/finance/statement/{id}");
    north.get(&address).await.refused("1004");
    for (ids, code) in [(json!([]), "1001"), (json!([999]), "1004")] {
        admin.put("/finance/statement/send", json!({ "ids": ids })).await.refused(code);
    }
    assert_eq!(admin.put("/finance/statement/send", json!({"ids": [id]})).await.ok()["sent"], 1);
    admin.put("/finance/statement/send", json!({"ids": [id]})).await.refused("1006");
    let messages = north.post("/message/page", json!({"kind": "todo"})).await.ok()["list"].to_string();
    assert!(messages.contains("对账单待确认"), "{messages}");
    let row = north.get(&address).await.ok();
    south.get(&address).await.refused("1004");
    south.get(&format!("/finance/statement/file/{id}")).await.refused("1004");
    let answer = |row: &Value, agree: bool, note: &str| json!({"id": row["id"], "version": row["version"], "agree": agree, "note": note});
    admin.put("/finance/statement/answer", answer(&row, true, "")).await.refused("1006");
    north.put("/finance/statement/answer", answer(&row, false, "")).await.wrong("note");
    let row = north.put("/finance/statement/answer", answer(&row, false, "少一笔充值")).await.ok();
    assert_eq!((&row["status"], &row["note"]), (&json!("disputed"), &json!("少一笔充值")));
    let messages = admin.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("有异议"), "{messages}");
    north.put("/finance/statement/answer", answer(&row, true, "")).await.refused("1006");
    admin.put("/finance/statement/send", json!({"ids": [id]})).await.ok();
    let row = north.get(&address).await.ok();
    let row = north.put("/finance/statement/answer", answer(&row, true, "")).await.ok();
    assert_eq!((&row["status"], &row["answeredName"]), (&json!("confirmed"), &json!("north north.manager")));
    let file = north.get(&format!("/finance/statement/file/{id}")).await;
    assert!(file.body.starts_with(b"%PDF-"), "a document");
    assert_eq!(north.get(&format!("/finance/statement/history/{id}")).await.ok().as_array().unwrap().len(), 4);
}

on_both!(a_statement_carries_the_newest_head_of_the_ledger_when_it_is_sent);
async fn a_statement_carries_the_newest_head_of_the_ledger_when_it_is_sent(app: TestApp) {
    go_to(&app, "2026-01-10");
    credited(&app, json!({})).await;
    go_to(&app, "2026-02-10");
    let (admin, north) = (app.sign_in("admin").await, app.sign_in("north.manager").await);
    admin.put("/finance/statement/close", json!({"month": "2026-01"})).await.ok();
    let head = server::head_watch::publish(&app.app).await.unwrap().expect("it is this node's night").to_string();
    assert!(head.starts_with("2026-02-10:"), "{head}");
    // One that was written by hand counts for nothing.
    app.execute("INSERT INTO ledger_head (day, digest, created_at) VALUES ('2026-02-09', 'x', 0), ('2099-01-01', 'x', 0)").await;
    let id = app.count("SELECT id FROM org_statement").await;
    assert_eq!(admin.get(&format!("/finance/statement/{id}")).await.ok()["ledgerHead"], json!(null));
    admin.put("/finance/statement/send", json!({"ids": [id]})).await.ok();
    assert_eq!(north.get(&format!("/finance/statement/{id}")).await.ok()["ledgerHead"], json!(head));
    let file = north.get(&format!("/finance/statement/file/{id}")).await;
    assert!(pdf_reader::lines(&file.body).iter().any(|line| line.ends_with(&head)));
    let csv = admin.export("/finance/statement/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&csv.body).contains(&head));
    assert_eq!(wrong(&app).await, []);
}
