//! Two nodes on one database: what one leaves half-done, and what both do at the same moment.

use std::time::{Duration, Instant};

use base::clock::MINUTE;
use base::db::{self, Db, Engine, Tx};
use futures_util::FutureExt;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use trade::handoff::{Claimed, Handoff};
use trade::user::phone;

use testing::lead::deliver::by_api;
use testing::lead::{application, bring, channel};
use testing::open::{Call, Partner};
use testing::plan::begin;
use testing::world::PASSWORD;
use testing::{TestApp, on_both};

/// Brings somebody by one node.
async fn come(node: &TestApp, partner: &Partner, request_id: &str, nonce: &str, number: u32) -> Value {
    let user = application(number, json!({}));
    let call = Call { path: "/open/user", ..Call::of(node, partner, nonce, &json!({"requestId": request_id, "user": user})) };
    call.make(&node.stranger()).await.ok()
}

/// How many were let in.
fn accepted(answers: &[Value]) -> usize {
    answers.iter().filter(|answer| answer["accepted"] == true).count()
}

// H7: lock-then-read needs a snapshot that is taken after the lock, whatever the database's default is.
on_both!(a_phone_is_let_in_once_whatever_the_default_isolation);
async fn a_phone_is_let_in_once_whatever_the_default_isolation(app: TestApp) {
    if app.app.db.engine() == Engine::Postgres {
        app.execute(
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = ''repeatable read''', current_database()); \
               EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$",
        )
        .await;
    }
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let nodes = [app.node().await, app.node().await];
    for number in 1..=24 {
        let both = nodes.iter().enumerate().map(|(index, node)| {
            let (partner, id) = (&partner, format!("r-{number}-{index}"));
            async move { come(node, partner, &id, &id, number).await }
        });
        assert_eq!(accepted(&join_all(both).await), 1, "phone {number}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 24);
    if app.app.db.engine() == Engine::Postgres {
        let mut tx = nodes[0].app.db.begin().await.unwrap();
        for (setting, value) in [("synchronous_commit", "on"), ("transaction_isolation", "read committed"), ("lock_timeout", "2500ms")] {
            let set: String = sqlx::query_scalar("SELECT current_setting($1)").bind(setting).fetch_one(&mut *tx).await.unwrap();
            assert_eq!(set, value, "{setting}");
        }
    }
}

// C2: intake locks phones and the channel's numbers, not everybody.
on_both!(many_lots_on_two_nodes_let_each_phone_in_once);
async fn many_lots_on_two_nodes_let_each_phone_in_once(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({"caps": [{"window": "day", "weekday": null, "maxCount": 30, "maxCents": null}]})).await;
    let nodes = [app.node().await, app.node().await];
    // Forty people; each by four calls, two with the same number of the channel, on both nodes at once.
    let calls = (0..160u32).map(|call| {
        let (partner, node) = (&partner, &nodes[call as usize % 2]);
        let (number, twin) = (1 + call / 4, (call % 4) / 2);
        async move { come(node, partner, &format!("r-{number}-{twin}"), &format!("n-{call}"), number).await }
    });
    let answers = join_all(calls).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE status = 'matching'").await, 30, "as many as the cap has room for");
    assert_eq!(
        app.count("SELECT COUNT(*) FROM (SELECT phone_hash FROM applicant WHERE status = 'matching' GROUP BY phone_hash) AS p").await,
        30
    );
    assert_eq!(app.count("SELECT CAST(SUM(used_count) AS BIGINT) FROM cap_counter").await, 30);
    // A number of the channel is one applicant, whichever node gets it.
    for person in answers.chunks(4) {
        assert_eq!(person[0]["no"], person[1]["no"]);
        assert_eq!(person[2]["no"], person[3]["no"]);
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM (SELECT request_id FROM applicant GROUP BY request_id HAVING COUNT(*) > 1) AS r").await, 0);
}

// M5: another person under a number that was used is refused, and does not get the first one's answer.
on_both!(a_number_that_stands_for_somebody_else_is_refused);
async fn a_number_that_stands_for_somebody_else_is_refused(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let first = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let other = bring(&app, &partner, "r-1", application(2, json!({}))).await;
    assert_eq!((other.code().as_str(), other.desc().contains("requestId")), ("3006", true), "{}", other.desc());
    assert!(!String::from_utf8_lossy(&other.body).contains(first["no"].as_str().unwrap()));
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 1);
    // Both at once: one of them is taken, the other refused.
    let call = |nonce: &str, number: u32| {
        let body = json!({"requestId": "r-2", "user": application(number, json!({}))});
        Call { path: "/open/user", ..Call::of(&app, &partner, nonce, &body) }
    };
    let (here, there, stranger) = (call("here", 3), call("there", 4), app.stranger());
    let (one, two) = tokio::join!(here.make(&stranger), there.make(&stranger));
    let mut codes = [one.code(), two.code()];
    codes.sort();
    assert_eq!(codes, ["0000", "3006"]);
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 2);
    // The same again is the same.
    assert_eq!(bring(&app, &partner, "r-1", application(1, json!({}))).await.ok()["no"], first["no"]);
}

// C2: a call that waits for one person does not hold up calls for others.
on_both!(intake_does_not_wait_for_anothers_phone);
async fn intake_does_not_wait_for_anothers_phone(app: TestApp) {
    if app.app.db.engine() == Engine::Sqlite {
        // There one at a time writes.
        return;
    }
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let other = app.node().await;
    let mut held = other.app.db.begin().await.unwrap();
    phone::lock(&other.app.db, &mut held, &app.app.keys.lookup_hash(&testing::lead::phone(1))).await.unwrap();
    let first = async {
        let told = come(&other, &partner, "r-1", "n-1", 1).await;
        (told, Instant::now())
    };
    let second = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let began = Instant::now();
        assert_eq!(come(&app, &partner, "r-2", "n-2", 2).await["accepted"], true);
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        let let_go = Instant::now();
        held.commit().await.unwrap();
        let_go
    };
    let ((told, taken), let_go) = tokio::join!(first, second);
    assert_eq!(told["accepted"], true);
    assert!(taken > let_go, "who is held waits");
}

// C2: a node that stops within a transaction holds up the others for seconds, not for ever.
on_both!(a_transaction_that_is_left_open_lets_go);
async fn a_transaction_that_is_left_open_lets_go(app: TestApp) {
    if app.app.db.engine() == Engine::Sqlite {
        // There the open transaction has the file's lock for as long as its process lives.
        return;
    }
    let (here, there) = (app.app.db.clone(), Db::connect(&app.app.config.database_url).await.unwrap());
    let mut left = there.begin().await.unwrap();
    phone::lock(&there, &mut left, "x").await.unwrap();
    let began = Instant::now();
    let db = &here;
    here.transact(|mut tx| async move { phone::lock(db, &mut tx, "x").await }.boxed()).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    // Nothing comes of what was left, and its connection is not handed out again.
    let lost = sqlx::query("UPDATE administrator SET real_name = 'x'").execute(&mut *left).await.unwrap_err();
    assert!(db::is_lost(&lost), "{lost}");
    drop(left);
    for _ in 0..40 {
        let mut tx = there.begin().await.unwrap();
        sqlx::query("SELECT 1").execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }
    there.close().await;
}

on_both!(a_transaction_that_others_stand_in_the_way_of_is_done_again);
async fn a_transaction_that_others_stand_in_the_way_of_is_done_again(app: TestApp) {
    if app.app.db.engine() == Engine::Sqlite {
        return;
    }
    let ids = [app.account("operator").await, app.account("admin").await];
    let tries = std::sync::atomic::AtomicU32::new(0);
    let meet = tokio::sync::Barrier::new(2);
    let db = &app.app.db;
    let (tries, meet) = (&tries, &meet);
    // Each has one row and wants the other's: PostgreSQL gives one of them up.
    let work = |first: i64, second: i64| {
        db.transact(move |mut tx| {
            async move {
                const UPDATE: &str = "UPDATE administrator SET version = version + 1 WHERE id = $1";
                sqlx::query(UPDATE).bind(first).execute(&mut **tx).await?;
                if tries.fetch_add(1, std::sync::atomic::Ordering::SeqCst) < 2 {
                    meet.wait().await;
                }
                sqlx::query(UPDATE).bind(second).execute(&mut **tx).await.map(drop)
            }
            .boxed()
        })
    };
    let before = app.count("SELECT CAST(SUM(version) AS BIGINT) FROM administrator").await;
    let (one, two): (Result<(), sqlx::Error>, Result<(), sqlx::Error>) = tokio::join!(work(ids[0], ids[1]), work(ids[1], ids[0]));
    one.unwrap();
    two.unwrap();
    // On a crowded machine both may be given up once.
    assert!(tries.load(std::sync::atomic::Ordering::SeqCst) >= 3);
    assert_eq!(app.count("SELECT CAST(SUM(version) AS BIGINT) FROM administrator").await, before + 4);
}

// C2: what people do is done again where another holds what it needs for longer than a lock is waited for.
on_both!(people_are_not_told_of_a_lock_that_lets_go);
async fn people_are_not_told_of_a_lock_that_lets_go(app: TestApp) {
    if app.app.db.engine() == Engine::Sqlite {
        return;
    }
    channel(&app, json!({})).await;
    app.set("lead.max_buyers", json!(2)).await;
    let admin = app.sign_in("admin").await;
    let row = admin.post("/channel/page", json!({})).await.ok()["list"][0].clone();
    let other = Db::connect(&app.app.config.database_url).await.unwrap();
    let mut left = other.begin().await.unwrap();
    other.lock(&mut left, "sign-in:operator").await.unwrap();
    for held in ["UPDATE channel SET remark = remark", "UPDATE general_setting SET version = version"] {
        sqlx::query(held).execute(&mut *left).await.unwrap();
    }
    let began = Instant::now();
    let lets_go = async {
        tokio::time::sleep(Duration::from_millis(5000)).await;
        left.rollback().await.unwrap();
    };
    let pause = json!({"id": row["id"], "version": row["version"], "status": "paused"});
    let setting = json!({"changes": [{"key": "lead.max_buyers", "value": 3, "version": 1}]});
    let stranger = app.stranger();
    let (_, paused, set, signed_in) = tokio::join!(
        lets_go,
        admin.put("/channel/status", pause),
        admin.put("/setting", setting),
        stranger.post("/admin/login", json!({"username": "operator", "password": PASSWORD})),
    );
    assert!(began.elapsed() >= Duration::from_secs(5));
    assert_eq!(paused.ok()["status"], "paused");
    set.ok();
    signed_in.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM login_log WHERE username = 'operator'").await, 1, "a try that is done again is one");
    let trail = app.trail("channel", row["id"].as_i64().unwrap()).await;
    let paused = trail.iter().filter(|entry| entry.diff.iter().any(|change| change.after.as_deref() == Some("paused")));
    assert_eq!(paused.count(), 1);
    other.close().await;
}

// H8's sister: a call that is cut off in COMMIT does not answer that nothing was done, and is not done again.
on_both!(a_connection_that_is_lost_in_the_commit_leaves_it_open_what_was_done);
async fn a_connection_that_is_lost_in_the_commit_leaves_it_open_what_was_done(app: TestApp) {
    if app.app.db.engine() == Engine::Sqlite {
        return;
    }
    // A trigger at the commit ends its own session.
    app.execute("CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$")
        .await;
    app.execute(
        "CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON administrator DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cut()",
    )
    .await;
    let tries = std::sync::atomic::AtomicU32::new(0);
    let told = &tries;
    let done: Result<(), sqlx::Error> = app
        .app
        .db
        .transact(|mut tx| {
            async move {
                told.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                sqlx::query("UPDATE administrator SET version = version + 1").execute(&mut **tx).await.map(drop)
            }
            .boxed()
        })
        .await;
    let error = done.unwrap_err();
    assert!(db::is_unknown(&error) && !db::is_lost(&error), "{error}");
    assert_eq!(tries.load(std::sync::atomic::Ordering::SeqCst), 1);
    assert_eq!(frame::api::ApiError::from(error).code(), "5001");
}

// Reads keep connections for the next reads: a server that has ended them is noticed, and transactions find room beside them.
on_both!(reads_notice_that_kept_connections_are_gone_and_leave_room_for_transactions);
async fn reads_notice_that_kept_connections_are_gone_and_leave_room_for_transactions(app: TestApp) {
    if app.app.db.engine() == Engine::Sqlite {
        return;
    }
    let read = async || sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM role").fetch_one(app.app.db.read()).await;
    let (a, b, c, d) = tokio::join!(read(), read(), read(), read());
    assert!([a, b, c, d].iter().all(Result::is_ok));
    app.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
        .await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    for _ in 0..6 {
        read().await.unwrap();
    }
    assert_eq!(app.app.db.connections().in_use, 0, "kept ones wait for the next read");

    // More at the same time than the pool has besides the kept ones.
    let mut open = Vec::new();
    for _ in 0..16 {
        let began = Instant::now();
        open.push(app.app.db.begin().await.unwrap());
        assert!(began.elapsed() < Duration::from_secs(3));
        if open.len() < 16 {
            read().await.unwrap();
        }
    }
    // All are in use: the first read that ends makes room for the transaction that waits.
    open.truncate(12);
    tokio::time::sleep(Duration::from_millis(200)).await;
    const SLOW: &str = "SELECT COUNT(*) FROM (SELECT pg_sleep(0.5)) AS slept";
    let slow = async || sqlx::query_scalar::<_, i64>(SLOW).fetch_one(app.app.db.read()).await.unwrap();
    let waits = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let began = Instant::now();
        app.app.db.begin().await.unwrap();
        began.elapsed()
    };
    let (.., waited) = tokio::join!(slow(), slow(), slow(), slow(), waits);
    assert!(waited < Duration::from_secs(3), "{waited:?}");
}

// M8: an applicant that the hand-over refused gets their turn while it is full.
on_both!(who_waits_in_the_database_is_looked_at_under_load);
async fn who_waits_in_the_database_is_looked_at_under_load(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let stop = CancellationToken::new();
    // No such applicant: their round ends as soon as it has its turn.
    let unknown = Claimed { user_id: -1, until: 0, fresh: true };
    let channel_id = app.count("SELECT MAX(id) FROM channel").await;
    let fill = || (0..4000).for_each(|_| app.app.service::<Handoff>().applicant(channel_id, unknown));
    fill();
    assert_eq!(come(&app, &partner, "r-1", "n-1", 1).await["accepted"], true);
    const DUE: &str = "SELECT COALESCE(due_at, 0) FROM applicant";
    let refused = app.count(DUE).await;
    // All turns are taken for a while, as by those who wait for slow answers.
    let turns = app.app.service::<Handoff>().rounds.clone().acquire_many_owned(64).await.unwrap();
    let working = tokio::spawn(lead::distribution::work(app.app.clone(), stop.clone()));
    let seen = async |what: &str, sql: &'static str, past: i64| {
        let began = Instant::now();
        while app.count(sql).await <= past {
            assert!(began.elapsed() < Duration::from_secs(5), "{what}");
            fill();
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    for _ in 0..20 {
        fill();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    app.advance(MINUTE + 1000);
    seen("the applicant is taken though others wait for their turns", DUE, refused).await;
    drop(turns);
    seen("the applicant has their turn", "SELECT COUNT(*) FROM applicant WHERE rounds > 0", 0).await;
    stop.cancel();
    working.await.unwrap();
}

// C2: a node whose clock is wrong measures leases by the database's.
on_both!(leases_are_measured_by_one_clock);
async fn leases_are_measured_by_one_clock(app: TestApp) {
    app.advance(7 * MINUTE);
    let wrong = app.app.clock.wrong_by(2 * MINUTE);
    let mut tx = app.app.db.begin().await.unwrap();
    let (by_one, by_other) = (tx.now(&app.app.clock).await.unwrap(), tx.now(&wrong).await.unwrap());
    assert!((by_one - app.now()).abs() < MINUTE, "the test's clock is ahead of both");
    match app.app.db.engine() {
        Engine::Postgres => assert!((by_other - by_one).abs() < MINUTE, "{}", by_other - by_one),
        Engine::Sqlite => assert!(by_other - by_one >= 2 * MINUTE),
    }
}

// C2: a node whose clock is wrong takes nothing that another has, has nothing taken from it, and waits for
// nothing that is due.
on_both!(a_wrong_clock_neither_steals_a_lease_nor_starves);
async fn a_wrong_clock_neither_steals_a_lease_nor_starves(app: TestApp) {
    if app.app.db.engine() == Engine::Sqlite {
        // All processes that write to its file are on one machine.
        return;
    }
    let (_, partner, buyer) = by_api(&app, json!({"retryMax": 0}), json!({})).await;
    buyer.hangs(true);
    for (number, off) in [2 * MINUTE + 5000, -2 * MINUTE - 5000].into_iter().enumerate() {
        let (number, wrong) = (2 * number as u32, app.node_wrong_by(off).await);
        for (turn, (one, other)) in [(&app, &wrong), (&wrong, &app)].into_iter().enumerate() {
            let number = number + turn as u32;
            assert_eq!(come(&app, &partner, &format!("r-{number}"), &format!("n-{number}"), number).await["accepted"], true);
            // One has the applicant: the other does not.
            let handed = app.app.service::<Handoff>().applicants();
            other.distribute().await;
            assert_eq!(buyer.keys().len(), 0, "off by {off}: the round is another's");
            app.app.service::<Handoff>().give_back(handed);
            lead::distribution::settle_handed(&app.app).await.unwrap();
            // One has the lead, and waits for an answer.
            let called = async {
                while buyer.keys().is_empty() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                other.distribute().await;
            };
            let both = async { tokio::join!(one.distribute(), called) };
            tokio::time::timeout(Duration::from_secs(20), both).await.expect("what is due is taken");
            assert_eq!(buyer.received().len(), 1, "off by {off}: the lead is another's");
        }
        // What a node with a wrong clock took in and left behind others find in time.
        let number = 10 + number;
        assert_eq!(come(&wrong, &partner, &format!("r-{number}"), &format!("n-{number}"), number).await["accepted"], true);
        app.advance(MINUTE + 1000);
        app.distribute().await;
        assert!(!buyer.received().is_empty(), "off by {off}: the applicant that the other left");
    }
}

// C2: what a node whose clock is wrong means by today, and by now, is what the others mean.
on_both!(a_wrong_clock_is_set_right);
async fn a_wrong_clock_is_set_right(app: TestApp) {
    app.advance(7 * MINUTE);
    for off in [-30 * MINUTE, 30 * MINUTE] {
        let wrong = app.app.clock.wrong_by(off);
        for _ in 0..2 {
            app.app.db.set_right(&wrong).await.unwrap();
        }
        let left = wrong.now() - app.now();
        match app.app.db.engine() {
            Engine::Postgres => assert!(left.abs() < 2000 && (wrong.correction() + off).abs() < 2000, "{off}: {left}"),
            Engine::Sqlite => assert_eq!(wrong.correction(), 0, "{left}"),
        }
    }
    // One that is right is left alone.
    app.app.db.set_right(&app.app.clock).await.unwrap();
    assert_eq!(app.app.clock.correction(), 0);
}

// C2: a flood of one kind of work leaves the other its own connections.
on_both!(workers_leave_pages_their_connections);
async fn workers_leave_pages_their_connections(app: TestApp) {
    if app.app.db.engine() == Engine::Sqlite {
        return;
    }
    let workers = app.app.for_workers();
    let mut taken = Vec::new();
    for _ in 0..16 {
        taken.push(workers.db.begin().await.unwrap());
    }
    let connections = app.app.db.connections();
    assert!(connections.in_use >= 16 && connections.most == 32, "{connections:?}");
    // Well before the pool would say that it ran out.
    let mut tx = tokio::time::timeout(Duration::from_secs(4), app.app.db.begin()).await.expect("pages have their own").unwrap();
    async fn limit(tx: &mut Tx) -> String {
        sqlx::query_scalar("SELECT current_setting('statement_timeout')").fetch_one(&mut **tx).await.unwrap()
    }
    assert_eq!(limit(&mut tx).await, "15s");
    assert_eq!(limit(&mut taken[0]).await, "10min");
}
