//! The counters of caps: what is taken, by whom, and what is given back.

use futures_util::future::join_all;
use serde_json::json;

use base::clock::{DAY, HOUR, day_start};
use base::db::Engine;
use frame::access::audit::Stamp;
use frame::terms::CapRule;
use frame::terms::cap::counters::{give_back, keep, of, set, take, used};
use frame::terms::cap::{CapWindow, StoredCap, Subject, Taking};
use testing::lead::{application, bring, channel, plan};
use testing::plan::begin;
use testing::{TestApp, on_both};
use trade::plan::market::Market;

const CHANNEL: Subject = Subject { kind: "channel", id: 7 };
const PLAN: Subject = Subject { kind: "plan", id: 7 };

fn cap(window: CapWindow, max_count: Option<i64>, max_cents: Option<i64>) -> CapRule {
    CapRule { window, weekday: None, max_count, max_cents }
}

/// A Saturday, eleven in the evening.
fn saturday() -> i64 {
    day_start("2026-02-28").unwrap() + 23 * HOUR
}

/// Gives a subject its caps and returns them as they are kept.
async fn given(app: &TestApp, subject: Subject, caps: &[CapRule]) -> Vec<StoredCap> {
    let mut tx = app.app.db.begin().await.unwrap();
    set(&mut tx, subject, caps, Stamp { admin_id: 1, at: app.now() }).await.unwrap();
    tx.commit().await.unwrap();
    of(app.app.db.read(), subject).await.unwrap()
}

async fn taken(app: &TestApp, caps: &[StoredCap], count: i64, cents: i64, at: i64) -> bool {
    let mut tx = app.app.db.begin().await.unwrap();
    let taking = take(&mut tx, caps, count, cents, at).await.unwrap();
    tx.commit().await.unwrap();
    taking == Taking::Taken
}

async fn counts(app: &TestApp, caps: &[StoredCap], at: i64) -> Vec<(i64, i64)> {
    let mut counts = Vec::new();
    for cap in caps {
        counts.push(used(app.app.db.read(), cap, at).await.unwrap());
    }
    counts
}

on_both!(a_cap_is_taken_up_to_its_edge);
async fn a_cap_is_taken_up_to_its_edge(app: TestApp) {
    let caps = given(&app, CHANNEL, &[cap(CapWindow::Day, Some(3), Some(1000))]).await;
    let at = saturday();
    assert!(taken(&app, &caps, 2, 500, at).await);
    assert!(!taken(&app, &caps, 2, 0, at).await, "one too many");
    assert!(!taken(&app, &caps, 1, 501, at).await, "a fen too much");
    assert!(taken(&app, &caps, 1, 500, at).await);
    assert!(!taken(&app, &caps, 1, 0, at).await);
    assert_eq!(counts(&app, &caps, at).await, [(3, 1000)]);
}

on_both!(a_window_begins_anew);
async fn a_window_begins_anew(app: TestApp) {
    let one = Some(1);
    let windows = [CapWindow::Hour, CapWindow::Day, CapWindow::Week, CapWindow::Month, CapWindow::Total];
    // From Saturday the 28th of February: into the next hour and day and month, but not week.
    let sunday = saturday() + HOUR;
    for (number, (window, again)) in windows.into_iter().zip([true, true, false, true, false]).enumerate() {
        let subject = Subject { kind: "plan", id: number as i64 };
        let caps = given(&app, subject, &[cap(window, one, None)]).await;
        assert!(taken(&app, &caps, 1, 0, saturday()).await, "{window:?}");
        assert!(!taken(&app, &caps, 1, 0, sunday - 1).await, "{window:?}");
        assert_eq!(taken(&app, &caps, 1, 0, sunday).await, again, "{window:?}");
        assert_eq!(
            taken(&app, &caps, 1, 0, sunday + DAY).await,
            window != CapWindow::Month && window != CapWindow::Total,
            "{window:?} on Monday"
        );
    }
}

on_both!(all_caps_are_taken_or_none);
async fn all_caps_are_taken_or_none(app: TestApp) {
    let channel = given(&app, CHANNEL, &[cap(CapWindow::Hour, Some(5), None), cap(CapWindow::Total, None, Some(900))]).await;
    let plan = given(&app, PLAN, &[cap(CapWindow::Day, Some(2), None)]).await;
    let both: Vec<StoredCap> = channel.iter().chain(&plan).cloned().collect();
    let at = saturday();
    assert!(taken(&app, &both, 1, 300, at).await && taken(&app, &both, 1, 300, at).await);
    let mut tx = app.app.db.begin().await.unwrap();
    assert_eq!(take(&mut tx, &both, 1, 300, at).await.unwrap(), Taking::Full(plan[0].clone()));
    // The same transaction goes on, with another plan.
    assert_eq!(take(&mut tx, &channel, 1, 300, at).await.unwrap(), Taking::Taken);
    tx.commit().await.unwrap();
    assert_eq!(counts(&app, &both, at).await, [(3, 900), (3, 900), (2, 600)]);
}

on_both!(what_is_given_back_can_be_taken_again);
async fn what_is_given_back_can_be_taken_again(app: TestApp) {
    let caps = given(&app, CHANNEL, &[cap(CapWindow::Hour, Some(1), None), cap(CapWindow::Month, Some(1), Some(100))]).await;
    let at = saturday();
    let buys = async |push: i64| {
        let mut tx = app.app.db.begin().await.unwrap();
        let took = take(&mut tx, &caps, 1, 100, at).await.unwrap() == Taking::Taken;
        keep(&mut tx, push, &caps, 1, 100, at).await.unwrap();
        match took {
            true => tx.commit().await.unwrap(),
            false => tx.rollback().await.unwrap(),
        }
        took
    };
    assert!(buys(1).await && !buys(2).await);
    let mut tx = app.app.db.begin().await.unwrap();
    // Later, into the windows in which it was taken, and once: by who took it, and by nobody else.
    for push in [1, 1, 2, 3] {
        give_back(&mut tx, push).await.unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(counts(&app, &caps, at).await, [(0, 0), (0, 0)], "never below nothing");
    assert!(buys(4).await);
    // What was given back and not committed was not given back.
    let mut tx = app.app.db.begin().await.unwrap();
    give_back(&mut tx, 4).await.unwrap();
    tx.rollback().await.unwrap();
    assert!(!buys(5).await);
    assert_eq!(counts(&app, &caps, at).await, [(1, 100), (1, 100)]);
}

on_both!(eight_takers_at_once_never_exceed_a_cap);
async fn eight_takers_at_once_never_exceed_a_cap(app: TestApp) {
    let channel = given(&app, CHANNEL, &[cap(CapWindow::Day, Some(11), None), cap(CapWindow::Total, None, Some(10_000))]).await;
    let plan = given(&app, PLAN, &[cap(CapWindow::Hour, Some(13), None)]).await;
    let (at, app) = (saturday(), &app);
    // Each taker names the caps in an order of its own, and tries three times.
    let takers = (0..8).map(|number| {
        let mut caps: Vec<StoredCap> = channel.iter().chain(&plan).cloned().collect();
        if number % 2 == 0 {
            caps.reverse();
        }
        async move {
            let mut got = 0;
            for _ in 0..3 {
                got += i64::from(taken(app, &caps, 1, 100, at).await);
            }
            got
        }
    });
    let got: i64 = join_all(takers).await.into_iter().sum();
    assert_eq!(got, 11);
    assert_eq!(counts(app, &channel, at).await, [(11, 1100), (11, 1100)]);
    assert_eq!(counts(app, &plan, at).await, [(11, 1100)]);
}

on_both!(a_changed_cap_goes_on_counting);
async fn a_changed_cap_goes_on_counting(app: TestApp) {
    let at = saturday();
    let caps = given(&app, CHANNEL, &[cap(CapWindow::Day, Some(1), None), cap(CapWindow::Hour, Some(9), None)]).await;
    assert!(taken(&app, &caps, 1, 0, at).await);
    let raised = given(&app, CHANNEL, &[cap(CapWindow::Day, Some(2), None)]).await;
    assert_eq!((raised.len(), raised[0].id), (1, caps[0].id));
    assert!(taken(&app, &raised, 1, 0, at).await);
    assert!(!taken(&app, &raised, 1, 0, at).await);
    // A channel's cap that was taken away and given again begins anew, and Saturdays have their own.
    given(&app, CHANNEL, &[]).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM cap_counter").await, 0);
    let caps =
        given(&app, CHANNEL, &[cap(CapWindow::Day, Some(1), None), CapRule { weekday: Some(6), ..cap(CapWindow::Day, Some(2), None) }])
            .await;
    assert!(taken(&app, &caps, 2, 0, at).await);
    assert!(!taken(&app, &caps, 1, 0, at).await);
    assert!(taken(&app, &caps, 1, 0, at + HOUR).await, "Sunday is any day");
    assert!(!taken(&app, &caps, 1, 0, at + HOUR).await);
    assert!(taken(&app, &[], 1, 0, at).await, "no cap, no end");
}

on_both!(a_cap_counts_what_was_sold_before_it_was_made);
/// M2: a plan's cap of a day that is made after some sales of that day counts them, so do one that is deleted and
/// made anew, one of this weekday that comes to stand for it, and the first again once that is gone.
async fn a_cap_counts_what_was_sold_before_it_was_made(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let id = plan(&app, &admin, json!({})).await;
    let sells = async |numbers: std::ops::RangeInclusive<u32>| {
        let before = sold(&app).await;
        for number in numbers {
            bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        }
        app.distribute().await;
        sold(&app).await - before
    };
    let subject = Subject { kind: "plan", id };
    let day = |most| cap(CapWindow::Day, Some(most), None);
    assert_eq!(sells(1..=4).await, 4);
    let caps = given(&app, subject, &[day(2)]).await;
    assert_eq!(counts(&app, &caps, app.now()).await, [(4, 18_000)]);
    // The trial: two of those sold before are returned, which makes room for nothing: two are as many as the cap.
    app.execute("UPDATE organisation SET return_allowed = 1, return_auto = 1, return_max_days = 9, return_max_bp = 10000").await;
    let first = app.count("SELECT MIN(id) FROM push_record").await;
    for push in [first, first + 1] {
        testing::returns::ask(&admin, push, json!({})).await.ok();
    }
    assert_eq!(counts(&app, &caps, app.now()).await, [(2, 9_000)]);
    app.app.service::<Market>().forget().await;
    assert_eq!(sells(5..=8).await, 0);
    testing::returns::ask(&admin, first + 2, json!({})).await.ok();
    app.app.service::<Market>().forget().await;
    assert_eq!(sells(9..=12).await, 1);

    let again = given(&app, subject, &[]).await;
    assert!(again.is_empty());
    let caps = given(&app, subject, &[day(2), cap(CapWindow::Month, Some(9), None)]).await;
    assert_eq!(counts(&app, &caps, app.now()).await, [(2, 9_000), (2, 9_000)]);
    // The seventh of January 2027 is a Thursday.
    let thursday = CapRule { weekday: Some(4), ..day(3) };
    let caps = given(&app, subject, &[day(2), thursday]).await;
    let of_thursday = caps.iter().find(|cap| cap.rule.weekday.is_some()).unwrap().clone();
    assert_eq!(used(app.app.db.read(), &of_thursday, app.now()).await.unwrap(), (2, 9_000));
    app.app.service::<Market>().forget().await;
    assert_eq!(sells(13..=16).await, 1);
    let caps = given(&app, subject, &[day(5)]).await;
    assert_eq!(counts(&app, &caps, app.now()).await, [(3, 13_500)]);
    assert_eq!(app.count("SELECT COUNT(*) FROM cap_taken").await, 3);
    testing::lead::books(&app).await;
}

on_both!(a_cap_that_is_added_while_a_sale_is_on_its_way_counts_it);
/// The sale has looked which caps there are, and is not committed: the new cap neither sees it nor is seen by it.
async fn a_cap_that_is_added_while_a_sale_is_on_its_way_counts_it(app: TestApp) {
    begin(&app);
    let (admin, operator, partner) = (app.sign_in("admin").await, app.sign_in("operator").await, channel(&app, json!({})).await);
    let id = plan(&app, &admin, json!({})).await;
    let row = admin.get(&format!("/plan/{id}")).await.ok();
    let mut form = testing::plan::form(&app, json!({"id": id, "version": row["version"]})).await;
    for (name, value) in form.as_object_mut().unwrap() {
        *value = row[name].clone();
    }
    form["caps"] = json!([{"window": "day", "weekday": null, "maxCount": 1, "maxCents": null}]);
    let asked = admin.put("/plan", form).await.ok();
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let held = match app.app.db.engine() {
        // A sale and a new cap come one after the other.
        Engine::Sqlite => None,
        Engine::Postgres => {
            // The bill, which a sale settles last, waits.
            let mut held = app.app.db.begin().await.unwrap();
            sqlx::query("UPDATE org_account SET seq = seq").execute(&mut *held).await.unwrap();
            Some(held)
        }
    };
    let decided = std::sync::atomic::AtomicBool::new(false);
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let postgres = held.is_some();
    let decides = async {
        if postgres {
            app.until_somebody_waits().await;
        }
        operator.put("/plan/audit", json!({"id": id, "version": asked["version"], "approve": true, "note": ""})).await.ok();
        decided.store(true, std::sync::atomic::Ordering::SeqCst);
    };
    let lets_go = async {
        let Some(held) = held else { return };
        while !decided.load(std::sync::atomic::Ordering::SeqCst) && app.count(waiting).await < 2 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        held.commit().await.unwrap();
    };
    tokio::join!(app.distribute(), decides, lets_go);
    assert_eq!(sold(&app).await, 1);
    let caps = of(app.app.db.read(), Subject { kind: "plan", id }).await.unwrap();
    assert_eq!(counts(&app, &caps, app.now()).await, [(1, 4_500)]);
    app.app.service::<Market>().forget().await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(sold(&app).await, 1, "the cap is full");
}

on_both!(a_cap_of_money_without_room_for_the_next_is_passed_over);
/// M3: the cache of running plans knows that the next lead does not fit.
async fn a_cap_of_money_without_room_for_the_next_is_passed_over(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let caps = json!([{"window": "day", "weekday": null, "maxCount": null, "maxCents": 9100}]);
    let id = plan(&app, &admin, json!({"caps": caps})).await;
    for number in 1..=2 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(sold(&app).await, 2);
    assert_eq!(admin.get(&format!("/plan/{id}")).await.ok()["holds"], json!(["capped"]), "one yuan is left, a lead costs 45");
    app.app.service::<Market>().forget().await;
    let turned_back = app.count("SELECT COUNT(*) FROM push_record").await;
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, turned_back);
    // A special price that fits keeps it open.
    app.execute(
        r#"UPDATE plan SET price_rules = '[{"rules": {"all": [{"field": "house", "op": "exists", "value": true}]}, "priceCents": 100}]'"#,
    )
    .await;
    assert_eq!(admin.get(&format!("/plan/{id}")).await.ok()["holds"], json!([]));
}

async fn sold(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM push_record WHERE status IN ('accepted', 'returned')").await
}

on_both!(leads_of_before_count_as_if_they_had_been_kept);
/// M2: what the migration makes of a database in which nothing was kept of what pushes took.
async fn leads_of_before_count_as_if_they_had_been_kept(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let caps = json!([
        {"window": "hour", "weekday": null, "maxCount": 9, "maxCents": null},
        {"window": "month", "weekday": null, "maxCount": 9, "maxCents": null},
        {"window": "total", "weekday": null, "maxCount": 9, "maxCents": null}
    ]);
    let id = plan(&app, &admin, json!({"caps": caps})).await;
    let subject = Subject { kind: "plan", id };
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    let caps = of(app.app.db.read(), subject).await.unwrap();
    let kept = "SELECT COUNT(*) FROM cap_taken";
    assert_eq!(app.count(kept).await, 9);
    // As it was: nothing kept, a return counted where it should not have been, and a window that is over.
    app.execute("DELETE FROM cap_taken").await;
    app.execute("UPDATE cap_counter SET used_count = used_count - 2, used_cents = 0").await;
    app.execute("INSERT INTO cap_counter (rule_id, window_start, used_count, used_cents) SELECT rule_id, window_start - 3600000, 7, 7 FROM cap_counter WHERE window_start > 0").await;
    app.execute("UPDATE push_record SET status = 'rejected' WHERE id = (SELECT MIN(id) FROM push_record)").await;
    let migration = include_str!("../../../migrations/0039_cap_taken.sql");
    let (_, fills) = migration.split_once("(rule_id, window_start);").unwrap();
    app.migrate(fills).await;
    assert_eq!(counts(&app, &caps, app.now()).await, [(2, 9_000); 3]);
    assert_eq!((app.count(kept).await, app.count("SELECT COUNT(*) FROM cap_counter").await), (6, 3));
}

on_both!(who_keeps_nothing_of_what_a_push_takes_sells_no_more);
/// M2: what an older program sold took room of which nothing was kept, and nothing was given back.
async fn who_keeps_nothing_of_what_a_push_takes_sells_no_more(app: TestApp) {
    assert!(app.count("SELECT least FROM schema_fence").await >= 39);
}
