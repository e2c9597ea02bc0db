//! What visits of a day cost and bring, booked once when the day is over.

use axum::http::Method;
use base::clock::{self, DAY};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use tokio_util::sync::CancellationToken;
use trade::visit::{self, Recorder};

use super::go_to;
use super::items::{add_up, by_share, clue_of, corrected, day, items, payable};
use crate::finance::{account, wrong};
use testing::finance::{approval, credited};
use testing::lead::{application, books, bring, channel};
use testing::open::{Call, IPHONE, Partner, partner, sight, supply};
use testing::org::with;
use testing::plan::begin;
use testing::{Actor, TestApp, on_both};

const MINUTE: i64 = 60_000;

/// Two visitors of a channel, who both look at the product of North Star.
async fn visitors(app: &TestApp, code: &str) {
    let phone = app.stranger().with("user-agent", IPHONE);
    for who in [phone.from([10, 9, 8, 7]), phone.from([10, 9, 8, 6])] {
        assert_eq!(who.ask(Method::GET, &format!("/v/{code}"), Vec::new()).await.status.as_u16(), 302);
        assert_eq!(who.ask(Method::GET, &format!("/p/north-easy?c={code}"), Vec::new()).await.status.as_u16(), 302);
    }
    app.app.service::<Recorder>().record(None, Vec::new()).await.unwrap();
}

async fn book(app: &TestApp) {
    visit::book_days(&app.app, &CancellationToken::new()).await.unwrap();
}

/// Goes to so many milliseconds after the next midnight.
fn after_midnight(app: &TestApp, milliseconds: i64) {
    app.advance(clock::start(clock::day(app.now() + DAY)) + milliseconds - app.now());
}

/// Goes to where the visits of today are booked.
fn until_booked(app: &TestApp) {
    after_midnight(app, DAY + 11 * MINUTE);
}

/// A channel that is paid a yuan for a visitor, and a product at two yuan a visitor.
async fn business(app: &TestApp) -> (Actor, Partner) {
    begin(app);
    supply(app).await;
    let channel = partner(app, "ads-link-1", json!({})).await;
    (app.sign_in("admin").await, channel)
}

on_both!(visits_of_a_day_are_booked_once);
async fn visits_of_a_day_are_booked_once(app: TestApp) {
    let (_, channel) = business(&app).await;
    credited(&app, json!({"amountCents": 100, "giftCents": 150})).await;
    visitors(&app, "ads-link-1").await;
    let (first, seen_at) = (day(app.now()), app.now());
    book(&app).await;
    after_midnight(&app, 11 * MINUTE);
    book(&app).await;
    // A channel may report what was seen a day ago.
    let late = with(sight("late", json!([{"type": "landing"}])), json!({"at": seen_at}));
    assert_eq!(Call::of(&app, &channel, "late", &late).make(&app.stranger()).await.ok()["counted"], 1);
    app.advance(DAY - 3 * MINUTE);
    book(&app).await;
    assert_eq!(items(&app).await, Vec::<String>::new(), "more may be reported, or is not added up");
    app.advance(3 * MINUTE);
    let node = app.node().await;
    tokio::join!(book(&app), book(&node));
    assert_eq!(items(&app).await, [format!("visit 300 {first}")]);
    assert_eq!(app.count("SELECT visitors FROM partner_item").await, 3);
    let (admin, north) = (app.sign_in("admin").await, app.organisation("north").await);
    assert_eq!(payable(&admin, &channel).await, json!({"payableCents": 300, "paidCents": 0, "openCents": 300}));
    // Gifts go first, and what is missing is a debt.
    let of = account(&admin, north).await;
    assert_eq!((&of["balanceCents"], &of["giftCents"], &of["totalSpendCents"]), (&json!(-150), &json!(0), &json!(400)));
    let entry = admin.post("/finance/account/ledger/page", json!({"kind": "visit_charge"})).await.ok()["list"][0].clone();
    assert_eq!(
        (&entry["amountCents"], &entry["giftPartCents"], &entry["refNo"]),
        (&json!(-400), &json!(-150), &json!(format!("{first} UV 2")))
    );
    let month = admin.get("/finance/overview").await.ok()["month"].clone();
    assert_eq!((&month["visitCents"], &month["spendCents"]), (&json!(400), &json!(0)));
    let balances = admin.post("/finance/journal/balance/page", json!({"kind": "visit_revenue"})).await.ok();
    assert_eq!(balances["list"][0]["creditCents"], 400);
    assert_eq!((wrong(&app).await, corrected(&app).await), (vec![], 0));
    // What was booked stays, whatever becomes of the figures, and a day that was missed is made up.
    app.execute("UPDATE uv_event SET charge_cents = 999").await;
    app.advance(DAY);
    visitors(&app, "ads-link-1").await;
    let third = day(app.now());
    app.advance(4 * DAY);
    app.execute("DELETE FROM daily_task").await;
    book(&app).await;
    assert_eq!(items(&app).await, [format!("visit 300 {first}"), format!("visit 200 {third}")]);
    assert_eq!(account(&app.sign_in("admin").await, north).await["balanceCents"], -550);
    assert_eq!(wrong(&app).await, []);
}

on_both!(what_visits_have_cost_before_is_payable);
async fn what_visits_have_cost_before_is_payable(app: TestApp) {
    business(&app).await;
    let sold = channel(&app, json!({})).await;
    visitors(&app, "ads-link-1").await;
    testing::lead::plan(&app, &app.sign_in("admin").await, json!({})).await;
    bring(&app, &sold, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    add_up(&app).await;
    let first = day(app.now());
    // A day whose visits are gone, in the years before organisations were charged.
    app.execute("DELETE FROM uv_event").await;
    app.execute("UPDATE visit_charged_after SET day = '2027-01-07'").await;
    app.execute("INSERT INTO visit_kept (id, from_day) VALUES (1, '2027-01-08')").await;
    until_booked(&app);
    book(&app).await;
    assert_eq!(items(&app).await, [format!("sold 1000 {first}"), format!("visit 200 {first}")]);
    assert_eq!(app.count("SELECT COUNT(*) FROM visit_charge").await, 0);
    books(&app).await;
}

on_both!(visits_in_test_mode_are_never_charged);
async fn visits_in_test_mode_are_never_charged(app: TestApp) {
    business(&app).await;
    partner(&app, "ads-link-2", json!({})).await;
    app.execute("UPDATE channel SET mode = 'test' WHERE code = 'ads-link-1'").await;
    visitors(&app, "ads-link-1").await;
    app.execute("UPDATE channel SET settle_mode = 'none'").await;
    app.execute("UPDATE organisation SET mode = 'test' WHERE code = 'north'").await;
    visitors(&app, "ads-link-2").await;
    until_booked(&app);
    book(&app).await;
    assert_eq!(items(&app).await, Vec::<String>::new());
    assert_eq!(app.count("SELECT COUNT(*) FROM account_ledger").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM visit_booking").await, 1);
    books(&app).await;
}

on_both!(a_booked_day_that_is_changed_is_found);
async fn a_booked_day_that_is_changed_is_found(app: TestApp) {
    business(&app).await;
    visitors(&app, "ads-link-1").await;
    until_booked(&app);
    book(&app).await;
    assert_eq!(wrong(&app).await, []);
    app.unguard_the_ledger().await;
    for (change, back) in [
        ("UPDATE visit_charge SET amount_cents = amount_cents + 1", "UPDATE visit_charge SET amount_cents = amount_cents - 1"),
        ("UPDATE visit_charge SET day = '2027-01-01'", "UPDATE visit_charge SET day = '2027-01-07'"),
        ("UPDATE visit_booking SET org_cents = org_cents + 1", "UPDATE visit_booking SET org_cents = org_cents - 1"),
        ("UPDATE visit_booking SET partner_cents = partner_cents + 1", "UPDATE visit_booking SET partner_cents = partner_cents - 1"),
        ("UPDATE partner_item SET day = '2027-01-01'", "UPDATE partner_item SET day = '2027-01-07'"),
        ("UPDATE account_ledger SET idem_key = 'x' || idem_key", "UPDATE account_ledger SET idem_key = substr(idem_key, 2)"),
    ] {
        app.execute(change).await;
        assert!(wrong(&app).await.iter().any(|one| one.what == "visits"), "{change}");
        app.execute(back).await;
        assert_eq!(wrong(&app).await, [], "{back}");
    }
    // An item that is gone with its transfer.
    app.execute("DELETE FROM journal_transfer WHERE ref_type = 'partner_item'").await;
    app.execute("DELETE FROM partner_item").await;
    assert!(wrong(&app).await.iter().any(|one| one.what == "visits"));
}

// M2, M3: the margin of statistics and of the books was not the same.
on_both!(the_margin_of_statistics_is_that_of_the_journal);
async fn the_margin_of_statistics_is_that_of_the_journal(app: TestApp) {
    let (admin, _) = business(&app).await;
    app.execute("UPDATE plan SET status = 'ended', version = version + 1 WHERE no = 'P0001'").await;
    let (loans, sold) = (by_share(&app).await, channel(&app, json!({})).await);
    visitors(&app, "ads-link-1").await;
    let clue_id = clue_of(&app, &admin, &loans).await;
    bring(&app, &sold, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    let money = testing::crm::money::form(&app, clue_id, json!({"loanCents": 10_004}));
    let row = app.sign_in("north.sales1").await.post("/crm/addMoney", money).await.ok();
    app.sign_in("north.manager").await.put("/crm/money/status", testing::crm::money::decision(&row, "confirmed")).await.ok();
    add_up(&app).await;
    let first = day(app.now());
    until_booked(&app);
    book(&app).await;
    let admin = app.sign_in("admin").await;
    let balances = admin.post("/finance/journal/balance/page", json!({"pageSize": 100})).await.ok();
    let of = |kind: &str| {
        let row = balances["list"].as_array().unwrap().iter().find(|row| row["kind"] == kind).unwrap_or(&Value::Null);
        row["creditCents"].as_i64().unwrap_or(0) - row["debitCents"].as_i64().unwrap_or(0)
    };
    let (income, cost) = (of("lead_revenue") + of("visit_revenue"), -of("channel_cost"));
    // Two leads at 45 yuan and two visitors at 2; two visitors at a yuan, a lead at ten and 12.5 % of 100.04.
    assert_eq!((income, cost), (9000 + 400, 200 + 1000 + 1251));
    assert_eq!(of("channel_payable"), cost);
    let chart = admin.post("/chart/channel/page", json!({"dayFrom": first, "dayTo": first, "pageSize": 100})).await.ok()["totals"].clone();
    let figures = ["incomeCents", "costCents", "marginCents"].map(|key| chart[key].as_i64().unwrap());
    assert_eq!(figures, [income, cost, income - cost]);
    let overview = admin.post("/visualization", json!({})).await.ok()["overview"].clone();
    assert_eq!(overview["change"]["cents"].as_i64(), Some(income - cost), "{overview}");
    // A trial of what has happened has the same, and other terms change what the leads bring and what channels get for them.
    let plan_id = app.count("SELECT MAX(plan_id) FROM push_record").await;
    let trial = trial_of(&admin, plan_id).await;
    let tried = async |changes: Value| {
        let margin = admin.post("/plan/try", with(trial.clone(), changes)).await.ok()["margin"].clone();
        assert_eq!(margin["firstDay"], json!(first));
        ["was", "wouldBe"].map(|course| {
            ["IncomeCents", "CostCents", "MarginCents"].map(|key| margin[format!("{course}{key}")].as_i64().expect("an amount"))
        })
    };
    assert_eq!(tried(json!({})).await, [figures, figures]);
    assert_eq!(tried(json!({"priceCents": 5500})).await, [figures, [income + 2000, cost, income - cost + 2000]]);
    assert_eq!(tried(json!({"channelDeny": [sold.id]})).await, [figures, [income - 4500, cost - 1000, income - cost - 3500]]);
    // Who does not see it in statistics does not see it here.
    app.execute("DELETE FROM role_menu WHERE menu_id IN (SELECT id FROM menu_node WHERE path = 'chart/channel-list/list')").await;
    app.execute("UPDATE role SET version = version + 1").await;
    assert_eq!(app.sign_in("operator").await.post("/plan/try", trial.clone()).await.ok()["margin"], Value::Null);
    books(&app).await;
}

/// A trial of a plan with the terms that it has, on today and the two days before.
async fn trial_of(who: &Actor, plan_id: i64) -> Value {
    let plan = who.get(&format!("/plan/{plan_id}")).await.ok();
    let mut trial = json!({"id": plan_id, "days": 2});
    for term in [
        "priceCents",
        "priceRules",
        "methodPriority",
        "weight",
        "caps",
        "ruleSet",
        "cities",
        "channelAllow",
        "channelDeny",
        "schedule",
        "outOfSchedule",
    ] {
        trial[term] = plan[term].clone();
    }
    trial
}

// Corrections of statements were a cost in the journal and in no margin.
on_both!(the_margin_of_each_month_is_that_of_the_journal);
async fn the_margin_of_each_month_is_that_of_the_journal(app: TestApp) {
    let (admin, _) = business(&app).await;
    app.execute("UPDATE plan SET status = 'ended', version = version + 1 WHERE no = 'P0001'").await;
    let sold = channel(&app, json!({})).await;
    visitors(&app, "ads-link-1").await;
    clue_of(&app, &admin, &sold).await;
    add_up(&app).await;
    until_booked(&app);
    book(&app).await;
    go_to(&app, "2027-02-02");
    let month = json!({"channelId": sold.id, "month": "2027-01"});
    let statement = app.sign_in("admin").await.post("/partner/statement", month).await.ok();
    for (day, cents) in [("2027-02-02", -300), ("2027-03-05", 450)] {
        go_to(&app, day);
        let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
        let form = json!({"statementId": statement["id"], "amountCents": cents, "reason": "多记一单"});
        let adjustment = operator.post("/partner/adjust", form).await.ok();
        admin.put("/partner/adjust/audit", approval(&adjustment)).await.ok();
    }
    assert_eq!(corrected(&app).await, 0, "what is noted and not added up is still to come");
    add_up(&app).await;
    assert_eq!(corrected(&app).await, 0);
    // Days from before corrections counted get them when they are counted again.
    app.execute("DELETE FROM uv_stat_daily WHERE day = '2027-03-05'").await;
    assert!(corrected(&app).await > 0);
    app.advance(DAY);
    let admin = app.sign_in("admin").await;
    // A lead at 45 yuan and two visitors at 2; two visitors at a yuan and a lead at ten.
    for (first, last, margin) in
        [("2027-01-01", "2027-01-31", 4900 - 1200), ("2027-02-01", "2027-02-28", 300), ("2027-03-01", "2027-03-31", -450)]
    {
        let days = json!({"dayFrom": first, "dayTo": last, "pageSize": 100});
        let chart = admin.post("/chart/channel/page", days).await.ok()["totals"]["marginCents"].as_i64();
        assert_eq!((chart, journal_margin(&app, first, last).await), (Some(margin), margin), "{first}");
    }
    let overview = admin.post("/visualization", json!({"from": "2027-02-28", "to": "2027-03-06"})).await.ok()["overview"].clone();
    assert_eq!(overview["change"]["cents"], -450, "{overview}");
    books(&app).await;
}

/// Income less cost by the transfers that were posted on some days.
async fn journal_margin(app: &TestApp, first: &str, last: &str) -> i64 {
    let (from, to) = (clock::day_start(first).unwrap(), clock::day_start(last).unwrap() + DAY);
    let of = "IN ('lead_revenue', 'visit_revenue', 'channel_cost')";
    let sql = format!(
        "SELECT CAST(COALESCE(SUM(CASE WHEN credit_kind {of} THEN amount_cents ELSE 0 END - CASE WHEN debit_kind {of} THEN amount_cents ELSE 0 \
         END), 0) AS BIGINT) FROM journal_transfer WHERE status = 'posted' AND at >= {from} AND at < {to}"
    );
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(app.app.db.read()).await.unwrap()
}

on_both!(a_clock_that_is_ahead_books_no_visits_before_they_come);
async fn a_clock_that_is_ahead_books_no_visits_before_they_come(app: TestApp) {
    business(&app).await;
    let owed = async || app.count("SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM partner_item WHERE kind = 'visit'").await;
    visitors(&app, "ads-link-1").await;
    until_booked(&app);
    book(&app).await;
    assert_eq!(owed().await, 200);
    app.advance(40 * DAY);
    book(&app).await;
    app.advance(-39 * DAY);
    visitors(&app, "ads-link-1").await;
    until_booked(&app);
    book(&app).await;
    assert_eq!(owed().await, 400);
    books(&app).await;
}
