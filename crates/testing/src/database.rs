//! A fresh database for each test, copied from one that is migrated and peopled once a run.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use base::db::{Db, Engine, migrate};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};
use tokio::sync::OnceCell;

use super::world;

/// Names the server that tests may fill with databases. It is this machine's alone.
const POSTGRES: &str = "LEADLANE_TEST_POSTGRES_URL";
/// What all databases of tests begin with, before the process's id.
const PREFIX: &str = "leadlane_test_";

/// A database of one test.
pub struct Database {
    pub url: String,
    /// Its name on the PostgreSQL server. A SQLite file goes with its folder.
    name: Option<String>,
}

/// Makes a database; none when there is no server to make it on.
pub async fn fresh(engine: Engine, folder: &Path) -> Option<Database> {
    match engine {
        Engine::Sqlite => Some(sqlite(folder).await),
        Engine::Postgres => postgres().await,
    }
}

async fn sqlite(folder: &Path) -> Database {
    static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
    let template = TEMPLATE
        .get_or_init(async || {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("template.db");
            prepare(&format!("sqlite:{}", file.display())).await;
            std::fs::read(file).unwrap()
        })
        .await;
    let file = folder.join("leadlane.db");
    std::fs::write(&file, template).unwrap();
    Database { url: format!("sqlite:{}", file.display()), name: None }
}

async fn postgres() -> Option<Database> {
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let Some(server) = server() else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{POSTGRES} must name a PostgreSQL server: half of the tests need one");
        println!("skipped: {POSTGRES} names no server");
        return None;
    };
    let template = TEMPLATE
        .get_or_init(async || {
            let name = format!("{PREFIX}{}_template", std::process::id());
            let mut connection = PgConnection::connect(&server).await.expect("the server of the tests answers");
            sweep(&mut connection).await;
            run(&mut connection, format!("CREATE DATABASE {name}")).await;
            prepare(&on(&server, &name)).await;
            name
        })
        .await;
    let name = format!("{PREFIX}{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let mut connection = PgConnection::connect(&server).await.expect("the server of the tests answers");
    // Files are copied faster than their pages are logged, and PostgreSQL's own caches come with them.
    run(&mut connection, format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")).await;
    Some(Database { url: on(&server, &name), name: Some(name) })
}

fn server() -> Option<String> {
    std::env::var(POSTGRES).ok().filter(|url| !url.is_empty())
}

impl Database {
    /// Removes it from its server.
    pub async fn drop(self) {
        if let (Some(name), Some(server)) = (self.name, server()) {
            let mut connection = PgConnection::connect(&server).await.unwrap();
            run(&mut connection, format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}

/// Removes what earlier runs have left behind: their templates, and databases of killed tests.
async fn sweep(connection: &mut PgConnection) {
    let rows = sqlx::query("SELECT datname::text AS name FROM pg_database").fetch_all(&mut *connection).await.unwrap();
    for name in rows.iter().map(|row| row.get::<String, _>("name")) {
        let process = name.strip_prefix(PREFIX).and_then(|rest| rest.split('_').next());
        if process.is_some_and(|id| !Path::new("/proc").join(id).exists()) {
            run(connection, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
        }
    }
}

async fn run(connection: &mut PgConnection, statement: String) {
    connection.execute(AssertSqlSafe(statement)).await.expect("the server of the tests makes and drops databases");
}

/// The server's address with another database.
fn on(server: &str, name: &str) -> String {
    let (address, query) = server.split_once('?').map_or((server, String::new()), |(address, query)| (address, format!("?{query}")));
    let host = address.rfind('/').map_or(address, |end| &address[..end]);
    format!("{host}/{name}{query}")
}

async fn prepare(url: &str) {
    let db = Db::connect(url).await.unwrap();
    migrate::run(&db).await.unwrap();
    world::people(&db).await;
    db.close().await;
}
