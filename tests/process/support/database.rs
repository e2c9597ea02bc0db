//! A database of one test, looked at from outside the program.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};
use tokio::runtime::Runtime;

/// Names the server that tests may fill with databases. It is this machine's alone.
const POSTGRES: &str = "LEADLANE_TEST_POSTGRES_URL";

/// Which engine a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// An empty database, gone when dropped.
pub struct Database {
    pub url: String,
    /// The server, and the database's name on it. A SQLite file goes with its folder.
    on_server: Option<(String, String)>,
    runtime: Runtime,
}

impl Database {
    /// Makes one; none when there is no server to make it on.
    pub fn create(engine: Engine, folder: &Path) -> Option<Database> {
        sqlx::any::install_default_drivers();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        if engine == Engine::Sqlite {
            return Some(Database { url: format!("sqlite:{}", folder.join("leadlane.db").display()), on_server: None, runtime });
        }
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let Ok(server) = std::env::var(POSTGRES) else {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{POSTGRES} must name a PostgreSQL server: half of the tests need one");
            println!("skipped: {POSTGRES} names no server");
            return None;
        };
        let name = format!("leadlane_test_{}_process_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let url = on(&server, &name);
        let database = Database { url, on_server: Some((server.clone(), name.clone())), runtime };
        database.run_on(&server, format!("CREATE DATABASE {name}"));
        Some(database)
    }

    /// The rows that a query answers.
    pub fn rows(&self, sql: &str) -> Vec<AnyRow> {
        self.runtime.block_on(async {
            let mut connection = AnyConnection::connect(&self.url).await.expect("the test's database opens");
            let rows = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(&mut connection).await.expect("a query");
            connection.close().await.unwrap();
            rows
        })
    }

    /// Changes the database behind the program's back.
    pub fn execute(&self, sql: &str) {
        self.run_on(&self.url, sql.to_owned());
    }

    fn run_on(&self, url: &str, sql: String) {
        self.runtime.block_on(async {
            let mut connection = AnyConnection::connect(url).await.expect("the test's database opens");
            connection.execute(AssertSqlSafe(sql)).await.expect("a statement");
            connection.close().await.unwrap();
        });
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some((server, name)) = self.on_server.take() {
            self.run_on(&server, format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

/// The server's address with another database.
fn on(server: &str, name: &str) -> String {
    let (address, query) = server.split_once('?').map_or((server, String::new()), |(address, query)| (address, format!("?{query}")));
    let host = address.rfind('/').map_or(address, |end| &address[..end]);
    format!("{host}/{name}{query}")
}
