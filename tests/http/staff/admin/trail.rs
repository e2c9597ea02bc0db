//! The chain of the audit trail: an entry that was changed, removed or inserted by SQL is found and named.

use base::clock::{self, DAY, HOUR};
use frame::access::trail::{self, ChainEnd, Fault};
use frame::access::trail_end;
use serde_json::json;
use server::trail_watch;
use tokio_util::sync::CancellationToken;

use testing::{TestApp, on_both};

/// Writes an entry: a phone is revealed.
async fn entry(app: &TestApp) -> i64 {
    app.sign_in("admin").await.get(&format!("/admin/reveal/{}", app.account("north.sales1").await)).await.ok();
    app.count("SELECT MAX(id) FROM operation_log").await
}

async fn append(app: &TestApp) -> u64 {
    trail_watch::append(&app.app, &CancellationToken::new()).await.unwrap()
}

async fn verified(app: &TestApp, noted: &[ChainEnd]) -> (Vec<Fault>, ChainEnd) {
    trail::verify(&app.app.db, &app.app.keys.trail_key(), app.now(), noted).await.unwrap()
}

async fn faults(app: &TestApp) -> Vec<Fault> {
    verified(app, &[]).await.0
}

/// Runs a statement with an id in the place of `ID`.
async fn execute(app: &TestApp, sql: &str, id: i64) {
    app.execute(Box::leak(sql.replace("ID", &id.to_string()).into_boxed_str())).await;
}

const COPY: &str = "INSERT INTO operation_log (id, admin_id, role_id, module, action, target_type, target_id, diff, request_id, ip, at, seal) \
    SELECT id + 1000, admin_id, role_id, module, action, target_type, target_id, diff, request_id, ip, at, seal FROM operation_log WHERE id = ID";

on_both!(the_trail_is_appended_to_and_nothing_else);
async fn the_trail_is_appended_to_and_nothing_else(app: TestApp) {
    let id = entry(&app).await;
    append(&app).await;
    for sql in
        ["UPDATE operation_log SET diff = '[]'", "DELETE FROM operation_log", "UPDATE trail_link SET at = at + 1", "DELETE FROM trail_link"]
    {
        let mut tx = app.app.db.begin().await.unwrap();
        let refused = sqlx::query(sql).execute(&mut *tx).await.unwrap_err();
        assert!(refused.to_string().contains("the audit trail"), "{sql}: {refused}");
    }
    assert_eq!((app.count("SELECT MAX(log_id) FROM trail_link").await, faults(&app).await), (id, vec![]));
}

on_both!(an_entry_that_was_changed_removed_or_inserted_is_named);
async fn an_entry_that_was_changed_removed_or_inserted_is_named(app: TestApp) {
    let ids = [entry(&app).await, entry(&app).await, entry(&app).await, entry(&app).await];
    assert_eq!(append(&app).await, 4);
    let last = entry(&app).await;
    let (clean, end) = verified(&app, &[]).await;
    assert_eq!((clean, end.seq), (vec![], 4), "one is not in the chain yet");
    app.unguard_the_trail().await;
    let second = ids[1];
    for (change, back) in [
        ("diff = diff || ' '", "diff = SUBSTR(diff, 1, LENGTH(diff) - 1)"),
        ("admin_id = admin_id + 1", "admin_id = admin_id - 1"),
        ("target_id = target_id + 1", "target_id = target_id - 1"),
        ("at = at + 1", "at = at - 1"),
        ("ip = ip || '1'", "ip = SUBSTR(ip, 1, LENGTH(ip) - 1)"),
    ] {
        for id in [second, last] {
            execute(&app, &format!("UPDATE operation_log SET {change} WHERE id = ID"), id).await;
            let fault = if id == second { Fault::Changed(id) } else { Fault::Inserted(id) };
            assert_eq!(faults(&app).await, [fault], "{change}");
            execute(&app, &format!("UPDATE operation_log SET {back} WHERE id = ID"), id).await;
            assert_eq!(faults(&app).await, [], "{back}");
        }
    }
    // A made-up entry, with a seal that is made without the key, and without a seal.
    for seal in ["'0011223344556677.' || '00'", "NULL"] {
        let sql = COPY.replace("at, seal FROM", &format!("at, {seal} FROM"));
        app.advance(2 * DAY);
        execute(&app, &sql, last).await;
        assert_eq!(faults(&app).await, [Fault::Inserted(last + 1000)], "{seal}");
        execute(&app, "DELETE FROM operation_log WHERE id = ID", last + 1000).await;
    }
    // A copy of a genuine one, also once it is in the chain.
    execute(&app, COPY, second).await;
    let copied = faults(&app).await;
    assert!(copied.contains(&Fault::Repeated(second + 1000)), "{copied:?}");
    append(&app).await;
    assert!(faults(&app).await.contains(&Fault::Repeated(second + 1000)));
}

on_both!(what_is_taken_out_of_the_chain_is_named);
async fn what_is_taken_out_of_the_chain_is_named(app: TestApp) {
    let ids = [entry(&app).await, entry(&app).await, entry(&app).await, entry(&app).await];
    append(&app).await;
    let end = verified(&app, &[]).await.1;
    assert_eq!(verified(&app, std::slice::from_ref(&end)).await.0, []);
    app.unguard_the_trail().await;
    execute(&app, "DELETE FROM operation_log WHERE id = ID", ids[1]).await;
    assert_eq!(faults(&app).await, [Fault::Removed(ids[1])]);
    // With its link, and with the numbers closed up.
    execute(&app, "DELETE FROM trail_link WHERE log_id = ID", ids[1]).await;
    assert_eq!(faults(&app).await, [Fault::Gap(2, 2)]);
    app.execute("UPDATE trail_link SET seq = 2 WHERE seq = 3").await;
    app.execute("UPDATE trail_link SET seq = 3 WHERE seq = 4").await;
    assert_eq!(faults(&app).await, [Fault::Broken(2), Fault::Broken(3)]);
    // Only the end that was noted elsewhere shows that the newest entries are gone.
    app.execute("DELETE FROM trail_link WHERE seq > 1").await;
    app.execute("DELETE FROM operation_log WHERE id > (SELECT MAX(log_id) FROM trail_link)").await;
    assert_eq!(faults(&app).await, []);
    assert_eq!(verified(&app, std::slice::from_ref(&end)).await.0, [Fault::Ends(end)]);
}

on_both!(entries_of_programs_from_before_are_taken_into_the_chain);
async fn entries_of_programs_from_before_are_taken_into_the_chain(app: TestApp) {
    let old = entry(&app).await;
    app.unguard_the_trail().await;
    app.execute("UPDATE operation_log SET seal = NULL").await;
    assert_eq!(faults(&app).await, []);
    append(&app).await;
    // A node of the program before goes on for a while.
    app.advance(HOUR);
    execute(&app, &COPY.replace("at, seal FROM", "at, NULL FROM"), old).await;
    append(&app).await;
    assert_eq!(faults(&app).await, []);
    execute(&app, "UPDATE operation_log SET diff = '[]' WHERE id = ID", old).await;
    assert_eq!(faults(&app).await, [Fault::Changed(old)]);
}

on_both!(an_entry_that_is_committed_late_is_taken_into_the_chain);
async fn an_entry_that_is_committed_late_is_taken_into_the_chain(app: TestApp) {
    let first = entry(&app).await;
    // Its id is given away, and the next entry is there before it.
    app.unguard_the_trail().await;
    execute(&app, "UPDATE operation_log SET id = ID + 5000 WHERE id = ID", first).await;
    append(&app).await;
    entry(&app).await;
    let late = app.count("SELECT id FROM operation_log WHERE id NOT IN (SELECT log_id FROM trail_link)").await;
    if app.app.db.engine() == base::db::Engine::Sqlite {
        // On SQLite ids are committed in their order.
        assert!(late > first + 5000);
        return;
    }
    assert!(late < first + 5000);
    append(&app).await;
    assert!(!faults(&app).await.contains(&Fault::Inserted(late)));
}

on_both!(a_chain_that_was_made_anew_is_not_the_one_of_the_night_before);
async fn a_chain_that_was_made_anew_is_not_the_one_of_the_night_before(app: TestApp) {
    let id = entry(&app).await;
    append(&app).await;
    assert_eq!(trail_watch::check(&app.app).await.unwrap(), Some(0));
    app.unguard_the_trail().await;
    execute(&app, "UPDATE operation_log SET diff = '[]' WHERE id = ID", id).await;
    app.execute("UPDATE operation_log SET seal = NULL").await;
    app.execute("DELETE FROM trail_link").await;
    append(&app).await;
    app.advance(clock::start(clock::day(app.now() + DAY)) + 4 * HOUR - app.now());
    assert_eq!(trail_watch::check(&app.app).await.unwrap(), Some(1), "the end of the night before is not in the chain");
    // The end is kept until the present trail is accepted.
    trail_end::forget(app.folder()).unwrap();
    app.advance(DAY);
    assert_eq!(trail_watch::check(&app.app).await.unwrap(), Some(0));
}

on_both!(the_trail_is_verified_every_night);
async fn the_trail_is_verified_every_night(app: TestApp) {
    let id = entry(&app).await;
    append(&app).await;
    assert_eq!(trail_watch::check(&app.app).await.unwrap(), Some(0));
    assert_eq!(trail_watch::check(&app.node().await.app).await.unwrap(), None, "once a night, by one node");
    app.unguard_the_trail().await;
    execute(&app, "UPDATE operation_log SET diff = '[]' WHERE id = ID", id).await;
    app.advance(clock::start(clock::day(app.now() + DAY)) + 4 * HOUR - app.now());
    assert_eq!(trail_watch::check(&app.app).await.unwrap(), Some(1));
    let message = app.sign_in("auditor").await.post("/message/page", json!({})).await.ok()["list"][0].to_string();
    assert!(message.contains("操作日志校验不通过") && message.contains("leadlane trail verify"), "{message}");
}
