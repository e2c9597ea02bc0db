//! Migrations: several indexes in one file.

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
