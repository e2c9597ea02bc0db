//! What channels are owed for what they bring: items, each once, with a transfer in the journal; and what organisations pay for visits.

use base::clock::{self, DAY};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use trade::visit::{self, lead};

use crate::finance::wrong;
use testing::channel::form;
use testing::crm::salesperson;
use testing::lead::{application, books, bring, channel, plan};
use testing::open::{Partner, partner};
use testing::org::with;
use testing::plan::begin;
use testing::returns::{ask, decide};
use testing::{Actor, TestApp, on_both};

/// All items as kind, fen and day, in the order in which they were booked.
pub async fn items(app: &TestApp) -> Vec<String> {
    sqlx::query_scalar("SELECT kind || ' ' || CAST(amount_cents AS TEXT) || ' ' || day FROM partner_item ORDER BY id")
        .fetch_all(app.app.db.read())
        .await
        .unwrap()
}

pub async fn add_up(app: &TestApp) {
    lead::add_up(&app.app.db, &app.app.clock).await.unwrap();
}

pub fn day(at: i64) -> String {
    clock::day(at).to_string()
}

/// What a channel is owed in all, was paid and is still to be paid, as its details show it.
pub async fn payable(who: &Actor, channel: &Partner) -> Value {
    who.get(&format!("/channel/{}", channel.id)).await.ok()["payable"].clone()
}

/// Rows of figures that a rebuilding of the last days corrects.
pub async fn corrected(app: &TestApp) -> usize {
    let (from, to) = (clock::day(app.now() - 3 * DAY), clock::day(app.now()));
    visit::rebuild(&app.app.db, &app.app.clock, from, to).await.unwrap().corrected
}

/// A channel that is paid two yuan for an applicant.
async fn by_head(app: &TestApp) -> Partner {
    partner(app, "paid-by-head", json!({"settleMode": "registered", "unitPriceCents": 200, "dedupDays": 30})).await
}

/// A channel that gets an eighth of each loan.
pub async fn by_share(app: &TestApp) -> Partner {
    partner(app, "paid-by-loan", json!({"settleMode": "share", "unitPriceCents": 0, "shareBp": 1250, "dedupDays": 30})).await
}

on_both!(what_is_payable_is_shown_to_those_who_see_the_journal_or_statements);
async fn what_is_payable_is_shown_to_those_who_see_the_journal_or_statements(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    app.execute("UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager')").await;
    let none = json!({"payableCents": 0, "paidCents": 0, "openCents": 0});
    assert_eq!(payable(&app.sign_in("channel.manager").await, &partner).await, json!(null));
    testing::feedback::grant(&app, "channel_manager", "finance/partner/list").await;
    assert_eq!(payable(&app.sign_in("channel.manager").await, &partner).await, none);
    app.execute("DELETE FROM role_menu WHERE menu_id IN (SELECT id FROM menu_node WHERE path = 'finance/partner/list')").await;
    testing::feedback::grant(&app, "channel_manager", "finance/account/journal").await;
    assert_eq!(payable(&app.sign_in("channel.manager").await, &partner).await, none);
}

on_both!(each_cost_becomes_payable_once);
async fn each_cost_becomes_payable_once(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let (leads, heads) = (channel(&app, json!({})).await, by_head(&app).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &heads, "r-1", application(1, json!({}))).await.ok();
    bring(&app, &leads, "r-2", application(2, json!({}))).await.ok();
    // One that is repeated costs nothing.
    bring(&app, &heads, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(items(&app).await, Vec::<String>::new(), "it is booked with the figures");
    books(&app).await;
    let node = app.node().await;
    tokio::join!(add_up(&app), add_up(&node));
    let today = day(app.now());
    let mut booked = items(&app).await;
    booked.sort();
    assert_eq!(booked, [format!("registered 200 {today}"), format!("sold 1000 {today}")]);
    books(&app).await;
    let owed = |cents: i64| json!({"payableCents": cents, "paidCents": 0, "openCents": cents});
    assert_eq!((payable(&admin, &leads).await, payable(&admin, &heads).await), (owed(1000), owed(200)));
    // Those who may not see the journal see nothing of it.
    app.execute("UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager')").await;
    assert_eq!(payable(&app.sign_in("channel.manager").await, &leads).await, Value::Null);
    let balances = admin.post("/finance/journal/balance/page", json!({"kind": "channel_payable", "pageSize": 100})).await.ok();
    let rows = balances["list"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["creditCents"].as_i64().unwrap()).collect::<Vec<_>>(), [1000, 200]);
    assert!(rows.iter().all(|row| row["name"].is_string()), "{balances}");
    let transfers = admin.post("/finance/journal/page", json!({"kind": "channel_cost", "ownerId": leads.id})).await.ok();
    assert_eq!(transfers["total"], 1);
    assert_eq!(transfers["list"][0]["refNo"], json!(app.text("SELECT no FROM applicant WHERE request_id = 'r-2'").await));
}

on_both!(what_is_returned_is_taken_back_once);
async fn what_is_returned_is_taken_back_once(app: TestApp) {
    begin(&app);
    let (admin, leads) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let shared = |name: &str| json!({"name": name, "saleMode": "shared", "maxBuyers": 2});
    plan(&app, &admin, shared("north")).await;
    plan(&app, &admin, with(shared("south"), json!({"orgId": app.organisation("south").await}))).await;
    bring(&app, &leads, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let sold_on = day(app.now());
    app.advance(DAY);
    app.set("lead.return_least", json!(100)).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let pushes = [app.count("SELECT MIN(id) FROM push_record").await, app.count("SELECT MAX(id) FROM push_record").await];
    assert_ne!(pushes[0], pushes[1], "two have bought");
    for push in pushes {
        let row = ask(&operator, push, json!({})).await.ok();
        decide(&admin, &row, true, json!({"chargeChannel": true})).await.ok();
    }
    add_up(&app).await;
    assert_eq!(items(&app).await, [format!("sold 1000 {sold_on}"), format!("returned -1000 {}", day(app.now()))]);
    assert_eq!(payable(&admin, &leads).await, json!({"payableCents": 0, "paidCents": 0, "openCents": 0}));
    books(&app).await;
    assert_eq!(corrected(&app).await, 0);
}

/// A clue of `north.sales1` about an applicant of a channel.
pub async fn clue_of(app: &TestApp, admin: &Actor, channel: &Partner) -> i64 {
    plan(app, admin, json!({"subOrgId": app.team("First team").await})).await;
    bring(app, channel, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let (owner, id) = (salesperson(app, "north.sales1").await, app.count("SELECT MAX(id) FROM clue").await);
    app.sign_in("north.manager").await.post("/crm/assign", json!({"ids": [id], "salespersonId": owner})).await.ok();
    id
}

on_both!(a_share_of_a_confirmed_loan_is_payable_until_it_is_void);
async fn a_share_of_a_confirmed_loan_is_payable_until_it_is_void(app: TestApp) {
    begin(&app);
    let (admin, loans) = (app.sign_in("admin").await, by_share(&app).await);
    let clue_id = clue_of(&app, &admin, &loans).await;
    // What was agreed when the applicant came holds.
    app.execute("UPDATE channel SET share_bp = 9999, settle_mode = 'none'").await;
    let money = testing::crm::money::form(&app, clue_id, json!({"loanCents": 1_000_004}));
    let row = app.sign_in("north.sales1").await.post("/crm/addMoney", money).await.ok();
    add_up(&app).await;
    assert_eq!(items(&app).await, Vec::<String>::new(), "it waits for a second person");
    let confirmed =
        app.sign_in("north.manager").await.put("/crm/money/status", testing::crm::money::decision(&row, "confirmed")).await.ok();
    let other = testing::crm::money::form(&app, clue_id, json!({"type": "deposit", "loanCents": null}));
    let other = app.sign_in("north.sales1").await.post("/crm/addMoney", other).await.ok();
    app.sign_in("north.manager").await.put("/crm/money/status", testing::crm::money::decision(&other, "confirmed")).await.ok();
    add_up(&app).await;
    let first = day(app.now());
    assert_eq!(items(&app).await, [format!("share 125001 {first}")], "12.5 % of 10,000.04, rounded half up");
    let cost = async |on: &str| {
        let page = admin.post("/channel/uv/page", json!({"subjectId": loans.id, "dayFrom": on, "dayTo": on})).await;
        page.ok()["totals"]["costCents"].as_i64().unwrap()
    };
    assert_eq!((cost(&first).await, corrected(&app).await), (125_001, 0));
    books(&app).await;
    app.advance(DAY);
    let admin = app.sign_in("admin").await;
    admin.put("/crm/money/status", testing::crm::money::decision(&confirmed, "void")).await.ok();
    assert_eq!(corrected(&app).await, 0, "what waits is not counted");
    add_up(&app).await;
    assert_eq!(items(&app).await, [format!("share 125001 {first}"), format!("share_back -125001 {}", day(app.now()))]);
    assert_eq!((payable(&admin, &loans).await["openCents"].clone(), corrected(&app).await), (json!(0), 0));
    books(&app).await;
    // A share of which nothing is known, of money that is not confirmed, one that is not there.
    for (change, back) in [
        ("UPDATE loan_share SET cents = cents + 1", "UPDATE loan_share SET cents = cents - 1"),
        ("UPDATE loan_share SET back_at = NULL", "UPDATE loan_share SET back_at = at + 86400000"),
        ("UPDATE applicant SET share_bp = 1", "UPDATE applicant SET share_bp = 1250"),
    ] {
        app.execute(change).await;
        assert!(wrong(&app).await.iter().any(|one| one.what == "share"), "{change}");
        app.execute(back).await;
    }
    books(&app).await;
}

// A clue may have several loans, each entered with its own record of money.
on_both!(each_loan_of_a_clue_is_shared);
async fn each_loan_of_a_clue_is_shared(app: TestApp) {
    begin(&app);
    let (admin, loans) = (app.sign_in("admin").await, by_share(&app).await);
    let clue_id = clue_of(&app, &admin, &loans).await;
    for changes in [json!({"loanCents": 1_000_000}), json!({"type": "deposit", "loanCents": 2_000_000})] {
        let money = testing::crm::money::form(&app, clue_id, changes);
        let row = app.sign_in("north.sales1").await.post("/crm/addMoney", money).await.ok();
        app.sign_in("north.manager").await.put("/crm/money/status", testing::crm::money::decision(&row, "confirmed")).await.ok();
    }
    add_up(&app).await;
    let mut shares = items(&app).await;
    shares.sort();
    let today = day(app.now());
    assert_eq!(shares, [format!("share 125000 {today}"), format!("share 250000 {today}")]);
    books(&app).await;
}

on_both!(a_test_channel_is_owed_nothing);
async fn a_test_channel_is_owed_nothing(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let channels = [channel(&app, json!({})).await, by_head(&app).await, by_share(&app).await];
    app.execute("UPDATE channel SET mode = 'test'").await;
    plan(&app, &admin, json!({})).await;
    for (number, channel) in (1..).zip(&channels) {
        bring(&app, channel, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    add_up(&app).await;
    assert_eq!(items(&app).await, Vec::<String>::new());
    assert_eq!(app.count("SELECT COALESCE(MAX(share_bp), -1) FROM applicant").await, 0);
    books(&app).await;
}

on_both!(an_item_that_is_changed_or_gone_is_found);
async fn an_item_that_is_changed_or_gone_is_found(app: TestApp) {
    begin(&app);
    let (admin, leads, heads) = (app.sign_in("admin").await, channel(&app, json!({})).await, by_head(&app).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &heads, "r-1", application(1, json!({}))).await.ok();
    bring(&app, &leads, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    add_up(&app).await;
    app.unguard_the_ledger().await;
    let kinds = async || {
        let mut kinds: Vec<_> =
            wrong(&app).await.iter().map(|one| one.what).filter(|what| !["balance", "running"].contains(what)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    };
    for (change, back, found) in [
        (
            "UPDATE partner_item SET amount_cents = amount_cents + 1",
            "UPDATE partner_item SET amount_cents = amount_cents - 1",
            vec!["journal", "partner"],
        ),
        ("UPDATE partner_item SET idem_key = 'x' || idem_key", "UPDATE partner_item SET idem_key = substr(idem_key, 2)", vec!["partner"]),
        ("UPDATE lead_cost SET cost_cents = cost_cents + 1", "UPDATE lead_cost SET cost_cents = cost_cents - 1", vec!["partner"]),
        (
            "UPDATE applicant SET channel_cost_cents = 1 WHERE channel_cost_cents = 0",
            "UPDATE applicant SET channel_cost_cents = 0 WHERE channel_cost_cents = 1",
            vec!["partner"],
        ),
    ] {
        app.execute(change).await;
        assert_eq!(kinds().await, found, "{change}");
        app.execute(back).await;
        assert_eq!(kinds().await, Vec::<&str>::new(), "{back}");
    }
    app.execute("DELETE FROM partner_item WHERE kind = 'sold'").await;
    assert_eq!(kinds().await, ["journal", "partner"]);
}

on_both!(the_database_keeps_items_as_they_were_booked);
async fn the_database_keeps_items_as_they_were_booked(app: TestApp) {
    let row = testing::partner::made_now(&app, "p-one").await;
    let open = testing::partner::item(&app, row["channelId"].as_i64().unwrap(), "sold", 200, "2026-01-02").await;
    let other = testing::partner::channel(&app, "p-two").await;
    let of_open = |change: &str| format!("UPDATE partner_item SET {change} WHERE id = {open}");
    let refused = async |sql: String| {
        let mut tx = app.app.db.begin().await.unwrap();
        assert!(sqlx::query(sqlx::AssertSqlSafe(sql.clone())).execute(&mut *tx).await.is_err(), "{sql}");
        tx.rollback().await.unwrap();
    };
    for change in [
        "amount_cents = 1",
        "kind = 'adjust'",
        "day = '2026-02-01'",
        "at = at + 1",
        &format!("channel_id = {other}"),
        "user_id = 1",
        "plan_id = 1",
        "org_id = 1",
        "money_id = 1",
        "visitors = 9",
        "idem_key = 'x'",
        "id = id + 900",
    ] {
        refused(of_open(change)).await;
    }
    // Once it is on a statement, it stays there.
    app.execute(Box::leak(of_open(&format!("statement_id = {}", row["id"])).into_boxed_str())).await;
    for change in ["statement_id = NULL", "statement_id = statement_id + 1", "visitors = 9"] {
        refused(of_open(change)).await;
    }
    refused("DELETE FROM partner_item".to_owned()).await;
    if app.app.db.engine() == base::db::Engine::Postgres {
        refused("TRUNCATE partner_item".to_owned()).await;
    }
    assert_eq!(app.count("SELECT CAST(SUM(amount_cents) AS BIGINT) FROM partner_item").await, 300);
}

on_both!(a_share_above_all_of_a_loan_is_refused);
async fn a_share_above_all_of_a_loan_is_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let share = |bp: Value| with(form("paid-by-loan"), json!({"settleMode": "share", "unitPriceCents": 0, "shareBp": bp}));
    for bp in [json!(10_001), json!(0), json!(-1)] {
        operator.post("/channel", share(bp)).await.refused("1001");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM channel").await, 0);
    operator.post("/channel", share(json!(10_000))).await.ok();
}

on_both!(what_was_owed_before_is_entered_once);
async fn what_was_owed_before_is_entered_once(app: TestApp) {
    begin(&app);
    let (admin, heads) = (app.sign_in("admin").await, by_head(&app).await);
    let clue_id = clue_of(&app, &admin, &heads).await;
    let sold = channel(&app, json!({})).await;
    bring(&app, &sold, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    let money = testing::crm::money::form(&app, clue_id, json!({"loanCents": 1_000_000}));
    let row = app.sign_in("north.sales1").await.post("/crm/addMoney", money).await.ok();
    app.sign_in("north.manager").await.put("/crm/money/status", testing::crm::money::decision(&row, "confirmed")).await.ok();
    add_up(&app).await;
    let (came, before) = (day(app.now()), items(&app).await);
    assert_eq!(before.len(), 2);
    // As a program before this one has left it: nothing is known of items and shares.
    app.unguard_the_ledger().await;
    app.execute("DELETE FROM journal_transfer WHERE ref_type = 'partner_item'").await;
    app.execute("DELETE FROM partner_item").await;
    app.execute("DELETE FROM partner_progress").await;
    app.execute("UPDATE applicant SET share_bp = NULL").await;
    app.execute("UPDATE channel SET settle_mode = 'share', share_bp = 500 WHERE code = 'paid-by-head'").await;
    books(&app).await;
    app.advance(DAY);
    let (stop, node) = (CancellationToken::new(), app.node().await);
    let (here, there) = tokio::join!(visit::enter_earlier(&app.app, &stop), visit::enter_earlier(&node.app, &stop));
    assert!(!here.unwrap() && !there.unwrap(), "programs from before may still run");
    add_up(&app).await;
    let mut all = before.clone();
    all.push(format!("share 50000 {came}"));
    all.sort();
    let sorted = async || {
        let mut items = items(&app).await;
        items.sort();
        items
    };
    assert_eq!(sorted().await, all);
    app.execute("DELETE FROM journal_transfer WHERE ref_type = 'partner_item' AND amount_cents = 1000").await;
    app.execute("DELETE FROM partner_item WHERE kind = 'sold'").await;
    app.advance(11 * 60_000);
    let node = app.node().await;
    let (here, there) = tokio::join!(visit::enter_earlier(&app.app, &stop), visit::enter_earlier(&node.app, &stop));
    assert!(here.unwrap() | there.unwrap());
    assert!(visit::enter_earlier(&node.app, &stop).await.unwrap());
    add_up(&app).await;
    assert_eq!(sorted().await, all);
    assert_eq!(corrected(&app).await, 0);
    books(&app).await;
}
