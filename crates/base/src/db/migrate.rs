//! Migrations: the SQL files of `migrations/`, run in order at start and never edited once released.
//!
//! One text serves both engines: `{{id}}` is replaced by each engine's key with automatic numbers, and statements
//! that only one of them understands (triggers, for example) are between a line `-- @sqlite` or `-- @postgres` and a
//! line `-- @end`. Nodes with the previous version run beside new ones while these start, so a migration only
//! expands: tables, columns that are empty or have a default, indexes. Parts that the previous version still uses are
//! removed with a later version, in a migration that contracts, and that raises `least` of `schema_fence` in the same
//! file: a program that does not have so many migrations stops, and does not start again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, Executor, SqlSafeStr};
use tokio_util::sync::CancellationToken;

use super::{Db, Engine, is_contention};

/// A file of `migrations/`: its number, its name, and its text.
pub type File = (i64, &'static str, &'static str);

/// Every file of `migrations/`, in order (`build.rs`).
const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The first line of a file that PostgreSQL runs outside any transaction: indexes, which are built one after another
/// without blocking writers. SQLite, whose writers wait for each other anyway, builds them like any other.
const ALONE: &str = "-- @alone\n";

/// The lock for changes of the schema; a number without other uses.
pub const LOCK: i64 = 0x6c65_6164_6c61_6e65;
/// How often a node checks whether another is done with it.
const LOOK: Duration = Duration::from_millis(50);
/// How long a change of a table that others read and write is tried. Each try waits some seconds, since later
/// statements wait behind it as well.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often a serving node checks whether the database still allows its program.
const WATCH: Duration = Duration::from_secs(5);

/// The number of the newest migration that this program has.
pub fn newest() -> i64 {
    FILES.iter().map(|(version, ..)| *version).max().unwrap_or(0)
}

/// Why a program and a database do not fit.
#[derive(Debug)]
pub enum SchemaError {
    /// The program is older than the database allows.
    TooOld {
        newest: i64,
        least: i64,
    },
    /// The database is older than the program, which may not change it.
    Behind {
        at: i64,
        newest: i64,
    },
    Failed(MigrateError),
}

impl fmt::Display for SchemaError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemaError::TooOld { newest, least } => {
                write!(
                    out,
                    "the database requires a program that knows migration {least}, and this one knows only up to {newest}: install a newer one"
                )
            }
            SchemaError::Behind { at, newest } => {
                write!(out, "the database is at migration {at}, and this program needs {newest}: run `leadlane migrate` first")
            }
            SchemaError::Failed(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for SchemaError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SchemaError::Failed(error) => error.source(),
            SchemaError::TooOld { .. } | SchemaError::Behind { .. } => None,
        }
    }
}

impl From<MigrateError> for SchemaError {
    fn from(error: MigrateError) -> SchemaError {
        SchemaError::Failed(error)
    }
}

impl From<sqlx::Error> for SchemaError {
    fn from(error: sqlx::Error) -> SchemaError {
        SchemaError::Failed(error.into())
    }
}

/// Migrates the database to this program's schema, unless it is for newer programs. It may be called on several nodes
/// at the same time, and again after a crash half-way.
pub async fn run(db: &Db) -> Result<(), SchemaError> {
    fence(db).await?;
    run_files(db, FILES).await
}

/// Runs those of some files that the database lacks.
pub async fn run_files(db: &Db, files: &[File]) -> Result<(), SchemaError> {
    let migrator = migrator(files, db.engine());
    if has_all(db, &migrator).await {
        return Ok(());
    }
    let mut connection = db.read.pool().acquire().await?;
    if db.engine() == Engine::Sqlite {
        return Ok(migrator.run(&mut *connection).await?);
    }
    // A repeated query: a statement that waits for another node would be logged as a slow one.
    while sqlx::query_scalar::<_, i64>("SELECT CASE WHEN pg_try_advisory_lock($1) THEN 1::BIGINT ELSE 0 END")
        .bind(LOCK)
        .fetch_one(&mut *connection)
        .await?
        == 0
    {
        tokio::time::sleep(LOOK).await;
    }
    let ran = run_on_postgres(&mut connection, files, &migrator).await;
    // Closing it releases all locks, whatever the result.
    connection.close().await?;
    ran
}

/// Whether the database has every migration, with the same text, and none that was cut off: then a start has nothing to
/// run and waits for no other node. False also if the table of migrations cannot be read, as in a new database.
async fn has_all(db: &Db, migrator: &Migrator) -> bool {
    const APPLIED: &str = "SELECT version, checksum, CASE WHEN success THEN 1 ELSE 0 END AS succeeded FROM _sqlx_migrations";
    let Ok(applied) = sqlx::query_as::<_, (i64, Vec<u8>, i32)>(APPLIED).fetch_all(db.read()).await else { return false };
    let checksums: HashMap<i64, &[u8]> = applied.iter().map(|(version, checksum, _)| (*version, checksum.as_slice())).collect();
    applied.iter().all(|(.., succeeded)| *succeeded == 1)
        && migrator.iter().all(|migration| checksums.get(&migration.version) == Some(&&*migration.checksum))
}

async fn run_on_postgres(connection: &mut AnyConnection, files: &[File], migrator: &Migrator) -> Result<(), SchemaError> {
    const UNHURRIED: &str = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '3s'";
    connection.execute(UNHURRIED).await?;
    for (index, (version, _, text)) in files.iter().enumerate().filter(|(_, (.., text))| text.starts_with(ALONE)) {
        run_to(connection, migrator, Some(files[index - 1].0)).await?;
        let indexes = statements(text);
        for index in &indexes {
            drop_half_built(connection, index).await?;
        }
        // It waits for every older transaction, and nothing waits for it.
        connection.execute("SET lock_timeout = 0").await?;
        // PostgreSQL runs several statements that are sent together as one transaction.
        if indexes.len() > 1 && !is_applied(connection, *version).await? {
            for index in indexes {
                connection.execute(index).await?;
            }
        }
        run_to(connection, migrator, Some(*version)).await?;
        connection.execute("SET lock_timeout = '3s'").await?;
    }
    run_to(connection, migrator, None).await
}

/// Runs missing migrations, up to some number, each as soon as no lock is in the way.
async fn run_to(connection: &mut AnyConnection, migrator: &Migrator, version: Option<i64>) -> Result<(), SchemaError> {
    let began = Instant::now();
    loop {
        match migrator.run_direct(version, connection, false).await {
            Err(MigrateError::ExecuteMigration(error, _)) if is_contention(&error) && began.elapsed() < PATIENCE => {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            ran => return Ok(ran?),
        }
    }
}

/// Drops the index of a file if a crash left it half-built: PostgreSQL would accept it as the wanted one.
async fn drop_half_built(connection: &mut AnyConnection, text: &'static str) -> Result<(), SchemaError> {
    let name = index_of(text);
    let half = sqlx::query_scalar::<_, i64>(
        "SELECT COUNT(*) FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relname = $1 AND NOT i.indisvalid \
           AND pg_table_is_visible(c.oid)",
    )
    .bind(name)
    .fetch_one(&mut *connection)
    .await?;
    if half > 0 {
        connection.execute(AssertSqlSafe(format!("DROP INDEX CONCURRENTLY {name}"))).await?;
    }
    Ok(())
}

/// The statements of a file of indexes.
fn statements(text: &'static str) -> Vec<&'static str> {
    text.split_inclusive(';').filter(|statement| statement.contains("CONCURRENTLY")).collect()
}

async fn is_applied(connection: &mut AnyConnection, version: i64) -> Result<bool, sqlx::Error> {
    let applied = sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM _sqlx_migrations WHERE version = $1 AND success");
    Ok(applied.bind(version).fetch_one(connection).await? > 0)
}

/// The index that a statement makes.
fn index_of(text: &'static str) -> &'static str {
    let name = text.split_once("INDEX CONCURRENTLY IF NOT EXISTS ").and_then(|(_, rest)| rest.split_whitespace().next());
    name.expect("such a file makes an index that may be there")
}

/// The text of a migration for an engine: without the blocks of the other, with its own keys.
fn text_for(engine: Engine, text: &str) -> String {
    let key = match engine {
        // AUTOINCREMENT: an id is never used twice, not even after its row was deleted.
        Engine::Sqlite => "INTEGER PRIMARY KEY AUTOINCREMENT",
        Engine::Postgres => "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    };
    let mut whose = None;
    let mut read = String::with_capacity(text.len());
    // With their line ends: a text without marks stays exactly the same, and so does its checksum.
    for line in text.split_inclusive('\n') {
        match line.trim() {
            "-- @sqlite" => whose = Some(Engine::Sqlite),
            "-- @postgres" => whose = Some(Engine::Postgres),
            "-- @end" => whose = None,
            _ if whose.is_none_or(|whose| whose == engine) => read.push_str(line),
            _ => {}
        }
    }
    let read = read.replace("{{id}}", key);
    match engine {
        Engine::Sqlite => read.replace("INDEX CONCURRENTLY", "INDEX"),
        Engine::Postgres => read,
    }
}

fn migrator(files: &[File], engine: Engine) -> Migrator {
    let migrations = files.iter().map(|(version, description, text)| {
        let alone = text.starts_with(ALONE) && engine == Engine::Postgres;
        let sql = AssertSqlSafe(text_for(engine, text)).into_sql_str();
        let migration = Migration::new(*version, Cow::Borrowed(*description), MigrationType::Simple, sql, alone);
        match alone && statements(text).len() > 1 {
            // They are built by then.
            true => Migration { sql: "SELECT 1".into_sql_str(), ..migration },
            false => migration,
        }
    });
    // Additions of a newer program do not stop this one: the fence would.
    Migrator { migrations: migrations.collect(), locking: false, ignore_missing: true, ..Migrator::DEFAULT }
}

/// Whether the database has everything that this program needs, and allows it.
pub async fn check(db: &Db) -> Result<(), SchemaError> {
    fence(db).await?;
    let at = match has_table(db, "_sqlx_migrations").await? {
        true => sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations WHERE success").fetch_one(db.read()).await?,
        false => 0,
    };
    match at < newest() {
        true => Err(SchemaError::Behind { at, newest: newest() }),
        false => Ok(()),
    }
}

/// Whether the database allows this program.
async fn fence(db: &Db) -> Result<(), SchemaError> {
    if !has_table(db, "schema_fence").await? {
        return Ok(());
    }
    let least: i64 = sqlx::query_scalar("SELECT least FROM schema_fence WHERE id = 1").fetch_one(db.read()).await?;
    match newest() < least {
        true => Err(SchemaError::TooOld { newest: newest(), least }),
        false => Ok(()),
    }
}

async fn has_table(db: &Db, name: &str) -> Result<bool, SchemaError> {
    let asked = match db.engine() {
        Engine::Sqlite => "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1",
        Engine::Postgres => "SELECT COUNT(*) FROM pg_class WHERE relname = $1 AND relkind = 'r' AND pg_table_is_visible(oid)",
    };
    Ok(sqlx::query_scalar::<_, i64>(asked).bind(name).fetch_one(db.read()).await? > 0)
}

/// Checks regularly whether the database still allows this program. If it does not, stops the program and returns the
/// reason.
pub async fn watch(db: Db, stop: CancellationToken) -> Result<(), SchemaError> {
    loop {
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(WATCH) => {}
        }
        // A database that does not answer is not a reason to stop.
        if let Err(error @ SchemaError::TooOld { .. }) = fence(&db).await {
            stop.cancel();
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ALONE, Engine, FILES, text_for};

    #[test]
    fn each_engine_reads_its_own_blocks_alone() {
        let text = "CREATE TABLE a (id {{id}});\n-- @sqlite\nlite;\n-- @end\nboth;\n-- @postgres\nbig;\n-- @end\n-- a word\nlast;\n";
        assert_eq!(
            text_for(Engine::Sqlite, text),
            "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT);\nlite;\nboth;\n-- a word\nlast;\n"
        );
        assert_eq!(
            text_for(Engine::Postgres, text),
            "CREATE TABLE a (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY);\nboth;\nbig;\n-- a word\nlast;\n"
        );
    }

    /// The instructions for an upgrade name the migration at which older programs stop.
    #[test]
    fn the_upgrade_instructions_name_the_newest_fence() {
        let raised = FILES.iter().filter_map(|(_, _, text)| text.split_once("SET least = ")?.1.split_whitespace().next());
        let newest: i64 = raised.map(|number| number.parse().unwrap()).max().unwrap();
        let sentence = format!("The newest fence is migration {newest}.");
        assert!(include_str!("../../../../docs/operations.md").contains(&sentence), "{sentence}");
    }

    /// A mark that is misspelt or never ended would silently drop statements.
    #[test]
    fn every_mark_in_the_files_is_one_and_ended() {
        for (version, _, text) in FILES {
            let marks: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("-- @") && *line != ALONE.trim()).collect();
            for pair in marks.chunks(2) {
                assert!(matches!(pair, ["-- @sqlite" | "-- @postgres", "-- @end"]), "{version}: {pair:?}");
            }
        }
    }

    #[test]
    fn what_runs_alone_is_indexes_that_may_be_there() {
        for (version, _, text) in FILES {
            let alone = text.starts_with(ALONE);
            assert_eq!(alone, text.contains("CONCURRENTLY"), "{version}");
            if alone {
                let indexes = super::statements(text);
                assert_eq!(text.matches(';').count(), indexes.len(), "{version}");
                assert!(indexes.iter().all(|index| !super::index_of(index).is_empty()), "{version}");
            }
        }
    }

    /// C2: an index of a table with writers blocks them until it is built.
    #[test]
    fn a_table_that_was_there_gets_its_indexes_alone() {
        for (version, _, text) in FILES.iter().filter(|(version, ..)| *version >= 35) {
            // On SQLite writers wait for each other anyway.
            let text = text_for(Engine::Postgres, text);
            let words: Vec<&str> =
                text.lines().filter(|line| !line.trim_start().starts_with("--")).flat_map(str::split_whitespace).collect();
            let made: Vec<&str> = words.windows(3).filter(|three| three[..2] == ["CREATE", "TABLE"]).map(|three| three[2]).collect();
            let is_made = |place: usize| words[place] == "INDEX" && (place == 0 || words[place - 1] != "DROP");
            for place in (0..words.len()).filter(|place| is_made(*place)) {
                let table = words[place..].iter().skip_while(|word| **word != "ON").nth(1).expect("an index is one of a table");
                assert!(text.starts_with(ALONE) || made.contains(table), "{version}: {table} was there before");
            }
        }
    }
}
