//! `/finance/journal`: what moves money is a transfer between two accounts, and all accounts add up to nothing.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use trade::ledger::{self, Entry, EntryKind, Held, journal};

use super::{account, wrong};
use crate::pay::sweep_after;
use testing::finance::credited;
use testing::lead::buyer::Buyer;
use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring, channel as partner_channel, plan};
use testing::org::with;
use testing::pay::{FakeProvider, channel, order, paid, reachable};
use testing::plan::begin;
use testing::{Actor, TestApp, on_both};

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The balances as an accountant sees them: kind, debit, credit and pending, in fen.
async fn balances(actor: &Actor, query: Value) -> Vec<(String, i64, i64, i64)> {
    let page = actor.post("/finance/journal/balance/page", with(json!({"pageSize": 100}), query)).await.ok();
    let cents = |row: &Value, key: &str| row[key].as_i64().unwrap();
    let rows: Vec<_> = page["list"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let kind = row["kind"].as_str().unwrap().to_owned();
            (kind, cents(row, "debitCents"), cents(row, "creditCents"), cents(row, "pendingCents"))
        })
        .collect();
    let totals = &page["totals"];
    assert_eq!(rows.iter().map(|row| row.1).sum::<i64>(), cents(totals, "debitCents"));
    rows
}

/// The same of all kinds, where debit and credit are equal.
async fn all_balances(actor: &Actor) -> Vec<(String, i64, i64, i64)> {
    let rows = balances(actor, json!({})).await;
    assert_eq!(rows.iter().map(|row| row.1).sum::<i64>(), rows.iter().map(|row| row.2).sum::<i64>());
    rows
}

fn row(kind: &str, debit: i64, credit: i64) -> (String, i64, i64, i64) {
    (kind.to_owned(), debit, credit, 0)
}

on_both!(recharges_gifts_sales_and_returns_are_transfers);
async fn recharges_gifts_sales_and_returns_are_transfers(app: TestApp) {
    begin(&app);
    credited(&app, json!({"amountCents": 6000, "giftCents": 5000})).await;
    let (admin, partner) = (app.sign_in("admin").await, partner_channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    for number in 1..=2 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    // Of two leads at 45 yuan, gifts paid 50 and what was paid 40.
    let expected = [row("org_paid", 0, 2000), row("cash", 6000, 0), row("lead_revenue", 0, 9000), row("gifts_given", 5000, 0)];
    assert_eq!(
        all_balances(&admin).await,
        [expected[0].clone(), row("org_gift", 0, 0), expected[1].clone(), expected[2].clone(), expected[3].clone()]
    );
    app.execute("UPDATE organisation SET return_allowed = 1, return_auto = 1, return_max_days = 9, return_max_bp = 10000").await;
    testing::returns::ask(&admin, app.count("SELECT MIN(id) FROM push_record").await, json!({})).await.ok();
    let after = all_balances(&admin).await;
    assert_eq!(after[1], row("org_gift", 0, 4500), "the first was paid with gifts");
    assert_eq!(after[3], row("lead_revenue", 0, 4500));
    books(&app).await;
    // The transfers of one organisation, each with what it was posted for.
    let north = app.organisation("north").await;
    let page = admin.post("/finance/journal/page", json!({"orgId": north, "sort": "at", "order": "asc"})).await.ok();
    let list = page["list"].as_array().unwrap();
    assert_eq!(page["total"], 6);
    assert!(list.iter().all(|row| row["status"] == "posted" && row["refNo"].is_string()), "{page}");
    let names: Vec<&Value> =
        list.iter().map(|row| if row["debitKind"] == "org_paid" { &row["debitName"] } else { &row["creditName"] }).collect();
    assert!(names.contains(&&json!("北辰")), "{names:?}");
    for (filters, total) in [
        (json!({"kind": "cash"}), 1),
        (json!({"kind": "lead_revenue"}), 4),
        (json!({"kind": "org_gift", "ownerId": north}), 4),
        (json!({"kind": "org_gift", "ownerId": 999}), 0),
        (json!({"status": "pending"}), 0),
        (json!({"atTo": "2020-01-01"}), 0),
    ] {
        assert_eq!(admin.post("/finance/journal/page", filters.clone()).await.ok()["total"], total, "{filters}");
    }
    admin.post("/finance/journal/page", json!({"kind": "nothing"})).await.refused("4000");
}

on_both!(a_price_that_is_held_is_pending_until_the_buyer_has_answered);
async fn a_price_that_is_held_is_pending_until_the_buyer_has_answered(app: TestApp) {
    let (_, partner, buyer): (Actor, _, Buyer) = by_api(&app, json!({}), json!({})).await;
    let north = app.organisation("north").await;
    let held = async || balances(&app.sign_in("admin").await, json!({"kind": "org_paid"})).await.iter().map(|row| row.3).sum::<i64>();
    buyer.answers(503, json!({}));
    let began = app.now();
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(held().await, 4500);
    books(&app).await;
    let waiting = app.now();
    app.advance(HOUR / 4);
    buyer.answers(200, json!({"code": "0000"}));
    app.distribute().await;
    assert_eq!(held().await, 0);
    buyer.answers(200, json!({"code": "AGE", "msg": "年龄不符"}));
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(held().await, 0);
    let statuses = app
        .text("SELECT MAX(CASE WHEN ref_id = 1 THEN status END) || ' ' || MAX(CASE WHEN ref_id = 2 THEN status END) FROM journal_transfer")
        .await;
    assert_eq!(statuses, "posted void");
    books(&app).await;
    // What was held at a moment can be asked for afterwards.
    let admin = app.sign_in("admin").await;
    for (at, cents) in [(began - 1000, 0), (waiting + 1000, 4500), (app.now(), 0)] {
        let answer = admin.get(&format!("/finance/account/{north}?at={at}")).await.ok();
        assert_eq!(answer["asOf"]["heldCents"], cents, "{at}");
    }
}

on_both!(an_account_is_shown_as_it_was_at_a_moment);
async fn an_account_is_shown_as_it_was_at_a_moment(app: TestApp) {
    let north = app.organisation("north").await;
    let began = app.now();
    app.advance(HOUR);
    credited(&app, json!({"amountCents": 100, "giftCents": 30})).await;
    let first = app.now();
    app.advance(HOUR);
    credited(&app, json!({"amountCents": 7})).await;
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 900000 WHERE code = 'north'").await;
    let admin = app.sign_in("admin").await;
    let held = async |at: i64| {
        let of = admin.get(&format!("/finance/account/{north}?at={at}")).await.ok()["asOf"].clone();
        (of["balanceCents"].clone(), of["paidCents"].clone(), of["giftCents"].clone(), of["entries"].clone())
    };
    assert_eq!(held(began).await, (json!(0), json!(0), json!(0), json!(0)));
    assert_eq!(held(first + 60_000).await, (json!(130), json!(100), json!(30), json!(2)));
    assert_eq!(held(app.now()).await, (json!(137), json!(107), json!(30), json!(3)));
    assert_eq!(account(&admin, north).await["asOf"], json!(null));
    admin.get(&format!("/finance/account/{north}?at=yesterday")).await.refused("4000");
    // An organisation sees its own account, and nothing of the journal.
    let manager = app.sign_in("north.manager").await;
    assert_eq!(manager.get(&format!("/finance/account/{north}?at={first}")).await.ok()["asOf"]["giftCents"], 30);
    app.sign_in("south.manager").await.get(&format!("/finance/account/{north}?at={first}")).await.refused("1004");
    for path in ["/finance/journal/page", "/finance/journal/balance/page", "/finance/journal/page/export"] {
        manager.post(path, json!({})).await.refused("1003");
    }
}

/// Payments of all kinds: of a recharge, of another purpose with a fee of the provider, one that fits no order, and a refund of each.
async fn payments(app: &TestApp) -> FakeProvider {
    let provider = FakeProvider::start().await;
    reachable(app).await;
    let wechat = channel(app, "wechat", &provider.address, json!({"feeBp": 60})).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let recharge = paid(app, &provider, &wechat, json!({"amountCents": 100_000})).await;
    let other = paid(app, &provider, &wechat, json!({"bizType": "other", "amountCents": 50_000})).await;
    for (order, cents) in [(&recharge, 10_000), (&other, 5000)] {
        let asked = json!({"paymentOrderId": order["id"], "amountCents": cents, "reason": "多付"});
        let refund = operator.post("/payRefund", asked).await.ok();
        admin.put("/payRefund/audit", testing::finance::approval(&refund)).await.ok();
    }
    let unpaid = order(app, &wechat, json!({"amountCents": 3000})).await;
    testing::pay::begin(app, &unpaid).await;
    assert!(provider.pay_cents(&unpaid, 2900, 1).await);
    provider
}

on_both!(payments_fees_refunds_and_exceptions_are_transfers);
async fn payments_fees_refunds_and_exceptions_are_transfers(app: TestApp) {
    let _provider = payments(&app).await;
    let admin = app.sign_in("admin").await;
    let on_way = [
        row("org_paid", 0, 90_000),
        row("clearing", 152_900 - 900, 0),
        row("provider_fees", 900, 0),
        row("other_income", 0, 45_000),
        row("refunds_on_way", 0, 15_000),
        row("suspense", 0, 2900),
    ];
    assert_eq!(all_balances(&admin).await, on_way);
    assert_eq!(wrong(&app).await, []);
    sweep_after(&app, 60_000).await;
    let made = all_balances(&admin).await;
    assert_eq!((&made[1], &made[4]), (&row("clearing", 137_000, 0), &row("refunds_on_way", 0, 0)));
    let exception = admin.post("/payException/page", json!({})).await.ok()["list"][0].clone();
    let handled = json!({"id": exception["id"], "version": exception["version"], "resolution": "handled", "note": "已退回付款人"});
    app.sign_in("operator").await.put("/payException/settle", handled).await.ok();
    let settled = all_balances(&admin).await;
    assert!(settled.contains(&row("adjustments", 0, 2900)) && settled.contains(&row("suspense", 0, 0)), "{settled:?}");
    assert_eq!(wrong(&app).await, []);
}

on_both!(what_an_older_program_booked_is_entered_once);
async fn what_an_older_program_booked_is_entered_once(app: TestApp) {
    let _provider = payments(&app).await;
    credited(&app, json!({"giftCents": 700})).await;
    let read = async || {
        app.text(
            "SELECT CAST(COUNT(*) AS TEXT) || ' ' || CAST(SUM(amount_cents) AS TEXT) || ' ' || MIN(debit_kind) || ' ' || MAX(credit_kind) || ' ' || \
             CAST(SUM(CASE WHEN debit_kind = 'clearing' OR credit_kind = 'suspense' THEN amount_cents ELSE 0 END) AS TEXT) FROM journal_transfer",
        )
        .await
    };
    let before = read().await;
    app.unguard_the_ledger().await;
    app.execute("DELETE FROM journal_transfer").await;
    assert!(wrong(&app).await.iter().any(|one| one.what == "journal"));
    app.execute("DELETE FROM journal_progress").await;
    assert_eq!(wrong(&app).await, [], "it is not compared before it is entered");
    let (stop, node) = (CancellationToken::new(), app.node().await);
    let (here, there) = tokio::join!(journal::enter_earlier(&app.app, &stop), journal::enter_earlier(&node.app, &stop));
    assert!(!here.unwrap() && !there.unwrap(), "programs from before may still book");
    assert_eq!(read().await, before);
    // What one of them booked after this is entered ten minutes later.
    app.execute("DELETE FROM journal_transfer WHERE debit_kind = 'gifts_given'").await;
    app.execute("UPDATE journal_transfer SET status = 'pending' WHERE credit_kind = 'org_paid'").await;
    app.advance(11 * 60_000);
    let node = app.node().await;
    let (here, there) = tokio::join!(journal::enter_earlier(&app.app, &stop), journal::enter_earlier(&node.app, &stop));
    assert!(here.unwrap() | there.unwrap());
    assert!(journal::enter_earlier(&node.app, &stop).await.unwrap());
    assert_eq!((read().await, wrong(&app).await), (before, vec![]));
    for sql in [
        "UPDATE journal_transfer SET credit_owner = 999 WHERE credit_kind = 'suspense'",
        "UPDATE journal_transfer SET debit_owner = 999 WHERE debit_kind = 'clearing' AND credit_kind = 'org_paid'",
        "UPDATE journal_transfer SET at = at + 1 WHERE credit_kind = 'org_gift'",
        "UPDATE journal_transfer SET ref_id = ref_id + 1 WHERE debit_kind = 'provider_fees'",
    ] {
        let before = wrong(&app).await.len();
        app.execute(sql).await;
        assert!(wrong(&app).await.len() > before, "{sql}");
    }
}

on_both!(the_database_keeps_transfers_as_they_were_written);
async fn the_database_keeps_transfers_as_they_were_written(app: TestApp) {
    credited(&app, json!({})).await;
    for sql in [
        "UPDATE journal_transfer SET amount_cents = amount_cents + 1",
        "UPDATE journal_transfer SET status = 'void'",
        "DELETE FROM journal_transfer",
        "INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, idem_key, begun_at, at) \
           VALUES ('cash', 1, 'org_paid', 1, 0, 'posted', 'receipt', 1, 'nothing', 0, 0)",
        "INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, idem_key, begun_at, at) \
           VALUES ('cash', 1, 'cash', 1, 5, 'posted', 'receipt', 1, 'itself', 0, 0)",
    ] {
        let mut tx = app.app.db.begin().await.unwrap();
        assert!(sqlx::query(sql).execute(&mut *tx).await.is_err(), "{sql}");
        tx.rollback().await.unwrap();
    }
    assert_eq!(wrong(&app).await, []);
}

/// What the journal and the account of North Star hold at the end of some days, and now.
async fn held(app: &TestApp, days: &[String]) -> Vec<String> {
    let (admin, north) = (app.sign_in("admin").await, app.organisation("north").await);
    let mut all = vec![format!("{:?}", all_balances(&admin).await)];
    for day in days {
        for query in [json!({"atTo": day}), json!({"atTo": day, "kind": "org_paid"}), json!({"atTo": day, "kind": "cash"})] {
            all.push(format!("{:?}", balances(&admin, query).await));
        }
        let at = base::clock::day_start(day).unwrap();
        all.push(admin.get(&format!("/finance/account/{north}?at={at}")).await.ok()["asOf"].to_string());
    }
    all
}

/// What the check of the books says of checkpoints.
async fn wrong_checkpoints(app: &TestApp) -> usize {
    wrong(app).await.iter().filter(|one| one.what == "checkpoint").count()
}

on_both!(balances_are_added_up_from_checkpoints);
async fn balances_are_added_up_from_checkpoints(app: TestApp) {
    let stop = CancellationToken::new();
    assert!(journal::write_checkpoints(&app.app, &stop).await.unwrap(), "there is nothing to write");
    let mut days = Vec::new();
    for (passed, cents) in [(0, 1000), (1, 200), (40, 30), (1, 4)] {
        app.advance(passed * DAY);
        credited(&app, json!({"amountCents": cents, "giftCents": 7})).await;
        days.push(base::clock::day(app.now()).to_string());
        days.push(base::clock::day(app.now() + DAY).to_string());
    }
    let before = held(&app, &days).await;
    app.advance(2 * DAY);
    let (stopped, node) = (CancellationToken::new(), app.node().await);
    stopped.cancel();
    assert!(!journal::write_checkpoints(&app.app, &stopped).await.unwrap());
    assert_eq!(app.count("SELECT COUNT(*) FROM journal_checkpoint_day").await, 0);
    let (here, there) = tokio::join!(journal::write_checkpoints(&app.app, &stop), journal::write_checkpoints(&node.app, &stop));
    assert!(here.unwrap() ^ there.unwrap(), "one node writes them");
    // Of each month the last stay.
    let months: std::collections::BTreeSet<&str> = days.iter().step_by(2).map(|day| &day[..7]).collect();
    assert_eq!(app.count("SELECT COUNT(*) FROM journal_checkpoint_day").await, months.len() as i64);
    assert_eq!((held(&app, &days).await, wrong(&app).await), (before.clone(), vec![]));
    // Balances begin at them, and the check of the books compares them with the transfers.
    app.execute("UPDATE journal_checkpoint SET debit_cents = debit_cents + 5 WHERE kind = 'cash'").await;
    assert_eq!(balances(&app.sign_in("admin").await, json!({"kind": "cash"})).await, [row("cash", 1239, 0)]);
    assert_eq!(wrong_checkpoints(&app).await, months.len());
    app.execute("UPDATE journal_checkpoint SET debit_cents = debit_cents - 5 WHERE kind = 'cash'").await;
    // They follow each other.
    credited(&app, json!({"amountCents": 9, "giftCents": 0})).await;
    let before = held(&app, &days).await;
    app.advance(2 * DAY);
    assert!(journal::write_checkpoints(&app.app, &stop).await.unwrap());
    assert!(!journal::write_checkpoints(&app.app, &stop).await.unwrap(), "once a night");
    assert_eq!((held(&app, &days).await, wrong(&app).await), (before, vec![]));
    app.execute("DELETE FROM journal_checkpoint WHERE kind = 'gifts_given'").await;
    assert!(wrong_checkpoints(&app).await > 0);
}

on_both!(a_transfer_that_is_dated_before_a_checkpoint_corrects_it);
async fn a_transfer_that_is_dated_before_a_checkpoint_corrects_it(app: TestApp) {
    let stop = CancellationToken::new();
    let began = app.now();
    credited(&app, json!({"amountCents": 1000})).await;
    app.advance(40 * DAY);
    credited(&app, json!({"amountCents": 200})).await;
    app.advance(2 * DAY);
    assert!(journal::write_checkpoints(&app.app, &stop).await.unwrap());
    let days = app.count("SELECT COUNT(*) FROM journal_checkpoint_day").await;
    let sum = "SELECT CAST(COALESCE(SUM(credit_cents - debit_cents), 0) AS BIGINT) FROM journal_checkpoint WHERE kind = 'suspense'";
    let add = async |status: &str, key: &str, at: i64| {
        let sql = format!(
            "INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, idem_key, \
               begun_at, at) VALUES ('clearing', 1, 'suspense', 1, 10, '{status}', 'payment_exception', 1, '{key}', {at}, {at})"
        );
        app.execute(Box::leak(sql.into_boxed_str())).await;
    };
    add("posted", "late", began).await;
    assert_eq!((app.count(sum).await, wrong_checkpoints(&app).await), (10 * days, 0));
    add("pending", "later", began).await;
    assert_eq!(app.count(sum).await, 10 * days);
    let post = format!("UPDATE journal_transfer SET status = 'posted', at = {} WHERE idem_key = 'later'", began + 1);
    app.execute(Box::leak(post.into_boxed_str())).await;
    assert_eq!((app.count(sum).await, wrong_checkpoints(&app).await), (20 * days, 0));
    add("posted", "now", app.now()).await;
    add("void", "nothing", began).await;
    assert_eq!((app.count(sum).await, wrong_checkpoints(&app).await), (20 * days, 0));
}

/// Of transfers that one node posts while another writes checkpoints, none is left out. SQLite has one node.
#[tokio::test]
async fn checkpoints_have_what_is_posted_beside_them() {
    testing::run(base::db::Engine::Postgres, async |app: TestApp| {
        let stop = CancellationToken::new();
        credited(&app, json!({"amountCents": 1000})).await;
        let began = app.now();
        for round in 0..6 {
            app.advance(2 * DAY);
            let node = app.node().await;
            let insert = |number: i64| {
                format!(
                    "INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, \
                       idem_key, begun_at, at) VALUES ('clearing', 1, 'suspense', 1, 10, 'posted', 'payment_exception', 1, 'r{round}-{number}', \
                       {began}, {began})"
                )
            };
            credited(&app, json!({"amountCents": 10 + round})).await;
            app.advance(2 * DAY);
            let posting = async {
                for number in 0..20 {
                    let mut tx = node.app.db.begin().await.unwrap();
                    sqlx::query(sqlx::AssertSqlSafe(insert(number))).execute(&mut *tx).await.unwrap();
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                    tx.commit().await.unwrap();
                }
            };
            let (written, ()) = tokio::join!(journal::write_checkpoints(&app.app, &stop), posting);
            assert!(written.unwrap());
            assert_eq!(wrong_checkpoints(&app).await, 0, "{round}");
        }
    })
    .await;
}

/// While checkpoints wait for a transaction that is open, other transactions enter transfers. SQLite has one writer.
#[tokio::test]
async fn bookings_do_not_wait_for_checkpoints() {
    testing::run(base::db::Engine::Postgres, async |app: TestApp| {
        let stop = CancellationToken::new();
        credited(&app, json!({"amountCents": 1000})).await;
        let began = app.now();
        app.advance(3 * DAY);
        let node = app.node().await;
        let insert = |key: String, at: i64| {
            sqlx::AssertSqlSafe(format!(
                "INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, idem_key, \
                   begun_at, at) VALUES ('clearing', 1, 'suspense', 1, 10, 'posted', 'payment_exception', 1, '{key}', {at}, {at})"
            ))
        };
        let mut open = node.app.db.begin().await.unwrap();
        sqlx::query(insert("open".to_owned(), began)).execute(&mut *open).await.unwrap();
        let booking = async {
            while node.count("SELECT upto FROM journal_checkpoint_due").await == 0 {
                tokio::task::yield_now().await;
            }
            for number in 0..20 {
                // Some are dated by a clock that is days behind.
                let at = if number % 4 == 0 { began } else { node.now() };
                let mut tx = node.app.db.begin().await.unwrap();
                sqlx::query(insert(format!("beside-{number}"), at)).execute(&mut *tx).await.unwrap();
                tx.commit().await.unwrap();
            }
            assert_eq!(node.count("SELECT COUNT(*) FROM journal_checkpoint_day").await, 0, "the first transaction is open");
            // What has entered a transfer goes on with anything else.
            sqlx::query("UPDATE org_account SET updated_at = updated_at").execute(&mut *open).await.unwrap();
            open.commit().await.unwrap();
        };
        let (written, ()) = tokio::join!(journal::write_checkpoints(&app.app, &stop), booking);
        assert!(written.unwrap());
        assert!(app.count("SELECT COUNT(*) FROM journal_checkpoint_day").await > 0);
        let suspense = "SELECT CAST(SUM(credit_cents) AS BIGINT) FROM journal_checkpoint WHERE kind = 'suspense' \
                        AND upto = (SELECT MAX(upto) FROM journal_checkpoint_day)";
        assert_eq!((app.count(suspense).await, wrong_checkpoints(&app).await), (60, 0));
    })
    .await;
}

on_both!(incomplete_balances_are_not_taken_for_whole_ones);
async fn incomplete_balances_are_not_taken_for_whole_ones(app: TestApp) {
    credited(&app, json!({})).await;
    let admin = app.sign_in("admin").await;
    let complete = async || admin.get("/finance/journal/progress").await.ok()["complete"].clone();
    assert_eq!(complete().await, true);
    app.unguard_the_ledger().await;
    app.execute("DELETE FROM journal_progress").await;
    assert_eq!(complete().await, false);
    let refused = admin.post("/finance/journal/balance/page/export", json!({"format": "csv"})).await;
    assert_eq!(refused.code(), "1006", "{}", refused.desc());
    assert!(!balances(&admin, json!({})).await.is_empty());
    assert!(!journal::write_checkpoints(&app.app, &CancellationToken::new()).await.unwrap(), "they would be incomplete, too");
    app.sign_in("north.manager").await.get("/finance/journal/progress").await.refused("1003");
}

on_both!(a_void_transfer_stays_void_and_nothing_is_posted_under_its_key);
async fn a_void_transfer_stays_void_and_nothing_is_posted_under_its_key(app: TestApp) {
    let (_, partner, buyer): (Actor, _, Buyer) = by_api(&app, json!({}), json!({})).await;
    let north = app.organisation("north").await;
    buyer.answers(200, json!({"code": "AGE", "msg": "年龄不符"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let push = app.count("SELECT ref_id FROM journal_transfer WHERE status = 'void'").await;
    let key = format!("push-{push}-sold");
    let entry = Entry {
        org_id: north,
        kind: EntryKind::LeadSale,
        amount_cents: -10,
        gift_cents: 0,
        reference: ("push_record", push),
        idem_key: &key,
        operator_id: None,
        remark: "x",
        at: app.now(),
    };
    let mut tx = app.app.db.begin().await.unwrap();
    assert!(ledger::post(&mut tx, &entry).await.is_err());
    tx.rollback().await.unwrap();
    let mut tx = app.app.db.begin().await.unwrap();
    let held = Held { cents: 10, gift_cents: 0 };
    assert!(journal::hold_price(&mut tx, (north, push), held, &key, app.now()).await.is_err());
    tx.rollback().await.unwrap();
    assert_eq!(app.text("SELECT MAX(status) FROM journal_transfer WHERE ref_type = 'push_record'").await, "void");
    books(&app).await;
}
