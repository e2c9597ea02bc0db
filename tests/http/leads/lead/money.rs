//! What leads cost, and that no organisation buys what it cannot pay.

use serde_json::json;
use trade::ledger::account::SpendOrder;
use trade::ledger::{self, Entry, EntryKind, Posting};

use testing::lead::{application, bring, channel, plan, story};
use testing::plan::begin;
use testing::{TestApp, on_both};

on_both!(no_organisation_buys_past_its_balance);
async fn no_organisation_buys_past_its_balance(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("UPDATE org_account SET balance_cents = 10000").await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE status = 'accepted'").await, 2);
    assert_eq!(app.count("SELECT balance_cents FROM org_account WHERE seq > 0").await, 1000);
    let told = story(&app, &admin).await;
    assert_eq!((&told["status"], &told["matches"][0]["passedOver"][0]["reason"]), (&json!("unmatched"), &json!("balance")));
}

on_both!(who_has_credit_may_go_below_nothing_that_far);
async fn who_has_credit_may_go_below_nothing_that_far(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("UPDATE org_account SET balance_cents = 0").await;
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 9000 WHERE code = 'north'").await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(app.count("SELECT MIN(balance_cents) FROM org_account").await, -9000);
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 2);
}

on_both!(a_frozen_account_buys_nothing);
async fn a_frozen_account_buys_nothing(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    app.execute("UPDATE org_account SET status = 'frozen'").await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["matches"][0]["passedOver"][0]["reason"], "balance");
}

on_both!(books_that_do_not_agree_are_told);
/// Each kind of discrepancy is found where it is planted, and nothing else with it.
async fn books_that_do_not_agree_are_told(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let caps = json!([{"window": "total", "weekday": null, "maxCount": 9, "maxCents": null}]);
    plan(&app, &admin, json!({"caps": caps})).await;
    app.execute("UPDATE org_account SET balance_cents = 0").await;
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 900000 WHERE code = 'north'").await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    testing::org::receipt::confirmed(&app).await;
    app.execute("UPDATE organisation SET return_allowed = 1, return_auto = 1, return_max_days = 9, return_max_bp = 10000").await;
    let first = app.count("SELECT MIN(id) FROM push_record").await;
    testing::returns::ask(&admin, first, json!({})).await.ok();
    let verify = || trade::ledger::verify::verify(&app.app.db);
    assert_eq!(verify().await.unwrap(), []);
    app.unguard_the_ledger().await;
    for (sql, back, what) in [
        (
            "UPDATE org_account SET balance_cents = balance_cents + 1",
            "UPDATE org_account SET balance_cents = balance_cents - 1",
            &["balance"][..],
        ),
        ("UPDATE org_account SET frozen_cents = 7 WHERE seq > 0", "UPDATE org_account SET frozen_cents = 0", &["frozen"][..]),
        (
            "UPDATE org_account SET total_spend_cents = total_spend_cents + 7 WHERE seq > 0",
            "UPDATE org_account SET total_spend_cents = total_spend_cents - 7 WHERE seq > 0",
            &["spend"],
        ),
        (
            "UPDATE org_account SET total_recharge_cents = total_recharge_cents - 7 WHERE seq > 0",
            "UPDATE org_account SET total_recharge_cents = total_recharge_cents + 7 WHERE seq > 0",
            &["recharge"],
        ),
        ("UPDATE org_account SET seq = seq + 1 WHERE seq > 0", "UPDATE org_account SET seq = seq - 1 WHERE seq > 0", &["seq"][..]),
        // In the middle of the chain: the last balance is right.
        (
            "UPDATE account_ledger SET balance_after_cents = balance_after_cents - 5 WHERE seq = 2",
            "UPDATE account_ledger SET balance_after_cents = balance_after_cents + 5 WHERE seq = 2",
            &["chain", "running"],
        ),
        ("UPDATE account_ledger SET seq = 50 WHERE seq = 5", "UPDATE account_ledger SET seq = 5 WHERE seq = 50", &["chain", "seq"][..]),
        // A lead that no buyer took was paid, and one that was taken was not.
        (
            "UPDATE push_record SET status = 'rejected' WHERE id = LAST",
            "UPDATE push_record SET status = 'accepted' WHERE id = LAST",
            &["cap", "sale"],
        ),
        (
            "UPDATE push_record SET price_cents = price_cents + 1 WHERE id = LAST",
            "UPDATE push_record SET price_cents = price_cents - 1 WHERE id = LAST",
            &["sale"],
        ),
        (
            "UPDATE account_ledger SET idem_key = 'x' || idem_key WHERE type = 'lead_sale' AND ref_id = LAST",
            "UPDATE account_ledger SET idem_key = substr(idem_key, 2) WHERE type = 'lead_sale' AND ref_id = LAST",
            &["chain", "journal", "sale"],
        ),
        (
            "UPDATE push_record SET status = 'accepted' WHERE status = 'returned'",
            "UPDATE push_record SET status = 'returned' WHERE return_status = 'approved'",
            &["refund"],
        ),
        (
            "UPDATE account_ledger SET idem_key = 'x' || idem_key WHERE type = 'refund'",
            "UPDATE account_ledger SET idem_key = substr(idem_key, 2) WHERE type = 'refund'",
            &["chain", "journal", "refund"],
        ),
        (
            "UPDATE receipt SET amount_cents = amount_cents * 10",
            "UPDATE receipt SET amount_cents = amount_cents / 10",
            &["incoming", "receipt"],
        ),
        ("UPDATE receipt SET status = 'waiting'", "UPDATE receipt SET status = 'confirmed'", &["incoming", "receipt"]),
        ("UPDATE receipt SET status = 'void'", "UPDATE receipt SET status = 'confirmed'", &["incoming", "receipt"]),
        ("UPDATE cap_counter SET used_count = used_count - 1", "UPDATE cap_counter SET used_count = used_count + 1", &["cap"]),
        ("UPDATE cap_counter SET used_cents = used_cents - 1", "UPDATE cap_counter SET used_cents = used_cents + 1", &["cap"]),
        (
            "UPDATE push_record SET held_cents = 4500 WHERE id = LAST",
            "UPDATE push_record SET held_cents = 0 WHERE id = LAST",
            &["frozen", "held", "journal"],
        ),
    ] {
        app.execute(of_last(sql)).await;
        assert_eq!(kinds(&app).await, what, "{sql}");
        app.execute(of_last(back)).await;
        assert_eq!(verify().await.unwrap(), [], "{back}");
    }
    // Of an account that is gone nothing is left to disagree with.
    app.execute("DELETE FROM org_account WHERE org_id = (SELECT id FROM organisation WHERE code = 'south')").await;
    assert_eq!(verify().await.unwrap(), []);
    app.execute(of_last("UPDATE push_record SET org_id = (SELECT id FROM organisation WHERE code = 'south') WHERE id = LAST")).await;
    assert_eq!(kinds(&app).await, ["account", "sale"]);
}

fn of_last(sql: &str) -> &'static str {
    Box::leak(sql.replace("LAST", "(SELECT MAX(id) FROM push_record)").into_boxed_str())
}

/// What does not agree, each kind once.
async fn kinds(app: &TestApp) -> Vec<&'static str> {
    let wrong = trade::ledger::verify::verify(&app.app.db).await.unwrap();
    let kinds: std::collections::BTreeSet<_> = wrong.iter().map(|one| one.what).collect();
    kinds.into_iter().collect()
}

on_both!(the_books_are_checked_by_one_node_and_told_once);
async fn the_books_are_checked_by_one_node_and_told_once(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    // Balances of tests fall from heaven.
    let checks = futures_util::future::join_all((0..3).map(|_| lead::distribution::check_books(&app.app))).await;
    let found: Vec<usize> = checks.into_iter().filter_map(Result::unwrap).collect();
    assert_eq!(found.len(), 1, "of three nodes one looked");
    assert!(found[0] > 0);
    let told = "SELECT COUNT(*) FROM message WHERE biz_type = 'ledger'";
    let first = app.count(told).await;
    assert_eq!(first, app.count("SELECT COUNT(DISTINCT scope_id) FROM message WHERE biz_type = 'ledger'").await);
    app.advance(24 * 3_600_000);
    assert!(lead::distribution::check_books(&app.app).await.unwrap().is_some(), "tomorrow again");
    assert_eq!(app.count(told).await, 2 * first);
}

// The night's check was taken for made once it was begun.
on_both!(a_check_that_fails_or_is_left_is_made_by_another);
async fn a_check_that_fails_or_is_left_is_made_by_another(app: TestApp) {
    use lead::distribution::check_books;
    let other = app.node().await;
    app.execute("ALTER TABLE cap_taken RENAME TO cap_taken_elsewhere").await;
    check_books(&app.app).await.unwrap_err();
    app.execute("ALTER TABLE cap_taken_elsewhere RENAME TO cap_taken").await;
    assert!(check_books(&other.app).await.unwrap().is_some(), "the same day by another");
    assert_eq!(check_books(&app.app).await.unwrap(), None);
    // A node that stops half-way has it for an hour.
    app.advance(24 * 3_600_000);
    app.execute("UPDATE daily_task SET done_at = NULL").await;
    assert!(check_books(&app.app).await.unwrap().is_some());
    app.execute("UPDATE daily_task SET done_at = NULL").await;
    assert_eq!(check_books(&other.app).await.unwrap(), None, "another may be at it");
    app.execute("UPDATE daily_task SET begun_at = begun_at - 3600001").await;
    assert!(check_books(&other.app).await.unwrap().is_some());
    assert_eq!(check_books(&app.app).await.unwrap(), None);
}

on_both!(the_database_keeps_the_ledger_as_it_was_written);
async fn the_database_keeps_the_ledger_as_it_was_written(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    for sql in [
        "UPDATE account_ledger SET amount_cents = -1",
        "UPDATE account_ledger SET remark = 'another'",
        "DELETE FROM account_ledger",
        "DELETE FROM org_account",
        "UPDATE org_account SET frozen_cents = -1",
        "INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, at) \
           SELECT id, 9, 'lead_sale', 1, 0, 'push_record', 1, 'k', 0 FROM org_account WHERE seq = 1",
        "INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, at) \
           SELECT id, 9, 'refund', -1, 0, 'push_record', 1, 'k', 0 FROM org_account WHERE seq = 1",
        "INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, at) \
           SELECT id, 9, 'reversal', 0, 0, 'push_record', 1, 'k', 0 FROM org_account WHERE seq = 1",
        "INSERT INTO org_account (org_id, frozen_cents, status, created_at, updated_at) SELECT MAX(org_id) + 1, -1, 'normal', 0, 0 FROM org_account",
    ] {
        let mut tx = app.app.db.begin().await.unwrap();
        assert!(sqlx::query(sql).execute(&mut *tx).await.is_err(), "{sql}");
        tx.rollback().await.unwrap();
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM account_ledger").await, 1);
}

on_both!(entries_are_in_the_order_of_their_times);
/// "The ledger against the best": a moment that was taken before the account was held is not written into it.
async fn entries_are_in_the_order_of_their_times(app: TestApp) {
    let org_id = app.organisation("north").await;
    let start = app.now();
    for (number, at) in [start, start - 60_000, start + 5, start + 4].into_iter().enumerate() {
        let mut tx = app.app.db.begin().await.unwrap();
        let entry = Entry {
            org_id,
            kind: if number == 2 { EntryKind::LeadSale } else { EntryKind::Recharge },
            amount_cents: if number == 2 { -1 } else { 100 },
            gift_cents: 0,
            reference: ("receipt", number as i64),
            idem_key: &format!("e-{number}"),
            operator_id: None,
            remark: "",
            at,
        };
        match number {
            2 => assert!(ledger::charge(&mut tx, &entry, SpendOrder::GiftFirst).await.unwrap()),
            _ => assert!(matches!(ledger::post(&mut tx, &entry).await.unwrap(), Posting::Posted { .. })),
        }
        tx.commit().await.unwrap();
    }
    let rows: Vec<i64> = sqlx::query_scalar("SELECT at FROM account_ledger ORDER BY seq").fetch_all(app.app.db.read()).await.unwrap();
    assert_eq!(rows, [start, start, start + 5, start + 5]);
}
