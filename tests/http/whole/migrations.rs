//! Migrations: several indexes in one file, and starts that have nothing to migrate.

use std::time::Duration;

use base::db::{Engine, migrate};

use testing::{TestApp, on_both};

/// A table, and indexes of it that are built beside those who write.
const FILES: &[migrate::File] = &[
    (9001, "thing", "CREATE TABLE thing (id {{id}}, a BIGINT, b BIGINT);\n"),
    (
        9002,
        "thing_indexes",
        "-- @alone\n-- By a.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS thing_a ON thing (a);\n-- By b.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS thing_b ON thing (b);\n",
    ),
];

async fn indexes(app: &TestApp) -> i64 {
    app.count(match app.app.db.engine() {
        Engine::Sqlite => "SELECT COUNT(*) FROM sqlite_master WHERE type = 'index' AND name IN ('thing_a', 'thing_b')",
        Engine::Postgres => "SELECT COUNT(*) FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relname IN ('thing_a', 'thing_b') AND i.indisvalid",
    })
    .await
}

on_both!(one_file_makes_several_indexes_once);
async fn one_file_makes_several_indexes_once(app: TestApp) {
    migrate::run_files(&app.app.db, FILES).await.unwrap();
    assert_eq!(indexes(&app).await, 2);
    // What a later version drops is not built again.
    app.execute("DROP INDEX thing_b").await;
    migrate::run_files(&app.app.db, FILES).await.unwrap();
    assert_eq!(indexes(&app).await, 1);
}

on_both!(a_start_on_an_up_to_date_database_waits_for_no_other_node);
async fn a_start_on_an_up_to_date_database_waits_for_no_other_node(app: TestApp) {
    migrate::run_files(&app.app.db, FILES).await.unwrap();
    // Another node that changes the schema.
    let mut other = None;
    if app.app.db.engine() == Engine::Postgres {
        let mut tx = app.app.db.begin().await.unwrap();
        let lock = sqlx::query("SELECT 1 FROM (SELECT pg_advisory_xact_lock($1)) AS held").bind(migrate::LOCK);
        lock.execute(&mut *tx).await.unwrap();
        other = Some(tx);
    }
    let twice = async { migrate::run_files(&app.app.db, FILES).await };
    tokio::time::timeout(Duration::from_secs(10), twice).await.expect("it waits for nothing").unwrap();
    drop(other);
}

on_both!(a_migration_that_was_edited_or_cut_off_stops_the_start);
async fn a_migration_that_was_edited_or_cut_off_stops_the_start(app: TestApp) {
    migrate::run_files(&app.app.db, FILES).await.unwrap();
    let edited = [(9001, "thing", "CREATE TABLE thing (id {{id}}, a BIGINT, b TEXT);\n"), FILES[1]];
    assert!(migrate::run_files(&app.app.db, &edited).await.is_err());
    app.execute("UPDATE _sqlx_migrations SET success = false WHERE version = 9002").await;
    assert!(migrate::run_files(&app.app.db, FILES).await.is_err());
}

on_both!(a_file_of_indexes_that_was_cut_off_is_finished);
async fn a_file_of_indexes_that_was_cut_off_is_finished(app: TestApp) {
    migrate::run_files(&app.app.db, FILES).await.unwrap();
    app.execute("DELETE FROM _sqlx_migrations WHERE version = 9002").await;
    app.execute("DROP INDEX thing_b").await;
    if app.app.db.engine() == Engine::Postgres {
        app.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'thing_a'::regclass").await;
    }
    migrate::run_files(&app.app.db, FILES).await.unwrap();
    assert_eq!(indexes(&app).await, 2);
}
