//! The counters of caps: what is taken, by whom, and what is given back.

use futures_util::future::join_all;
use leadlane::access::audit::Stamp;
use leadlane::clock::{DAY, HOUR, day_start};
use leadlane::terms::CapRule;
use leadlane::terms::cap::store::{give_back, of, set, take, used};
use leadlane::terms::cap::{CapWindow, StoredCap, Subject, Taking};

use crate::support::{TestApp, on_both};

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
    assert!(taken(&app, &caps, 1, 100, at).await);
    let mut tx = app.app.db.begin().await.unwrap();
    // Later, into the windows in which it was taken.
    give_back(&mut tx, &caps, 1, 100, at).await.unwrap();
    give_back(&mut tx, &caps, 1, 100, at).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(counts(&app, &caps, at).await, [(0, 0), (0, 0)], "never below nothing");
    assert!(taken(&app, &caps, 1, 100, at).await);
    // What was taken and not committed was not taken.
    let mut tx = app.app.db.begin().await.unwrap();
    give_back(&mut tx, &caps, 1, 100, at).await.unwrap();
    tx.rollback().await.unwrap();
    assert!(!taken(&app, &caps, 1, 0, at).await);
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
    // A cap that was taken away and given again begins anew, and Saturdays have their own.
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
