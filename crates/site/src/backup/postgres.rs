//! PostgreSQL: saved and restored by its own tools, `pg_dump` and `pg_restore`.
//!
//! A restore moves the present content into another schema, restores the new content and checks it, and drops the old
//! one, or moves it back. After a killed restore, the next one moves it back.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail, ensure};
use percent_encoding::percent_decode_str;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};

use base::db::{Db, Engine};

use super::Figures;
use super::archive::{Draft, Pack};

/// The name of the part.
pub const PART: &str = "database.pgdump";
/// The schema for the previous content during a restore.
const ASIDE: &str = "leadlane_before_restore";
/// Bytes of a tool's standard error that are kept.
const MOST_SAID: u64 = 16 * 1024;
/// How long the connections of others may take to close.
const LINGER: Duration = Duration::from_secs(2);
/// The server's time-outs do not apply while a whole database is read or moved.
const PATIENT: &str = "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0; SET lock_timeout = 0";

/// Adds the database at one moment: the dump and the figures are from one snapshot.
pub async fn save(url: &str, draft: &mut Draft) -> anyhow::Result<Figures> {
    let mut connection = connect(url).await?;
    let tool = Tool::find("pg_dump", &mut connection).await?;
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let snapshot: String = sqlx::query_scalar("SELECT pg_export_snapshot()").fetch_one(&mut connection).await?;
    let schema: String = sqlx::query_scalar("SELECT current_schema()::TEXT").fetch_one(&mut connection).await?;
    let figures = Figures::read(Engine::Postgres, &mut connection).await?;
    let arguments = ["--format=custom", "--no-owner", "--no-privileges", &format!("--schema={schema}"), &format!("--snapshot={snapshot}")];
    let mut command = tool.command(url, &arguments);
    command.stdout(Stdio::piped());
    let mut running = Running::start(command)?;
    let mut dump = running.child.stdout.take().expect("piped");
    tokio::task::block_in_place(|| draft.put(PART, &mut dump, Pack::AsItIs))?;
    drop(dump);
    running.end("pg_dump")?;
    connection.close().await?;
    Ok(figures)
}

/// Refuses a database with an unfinished restore.
pub async fn ensure_whole(db: &Db) -> anyhow::Result<()> {
    if db.engine() == Engine::Sqlite {
        return Ok(());
    }
    let aside: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM pg_namespace WHERE nspname = $1").bind(ASIDE).fetch_one(db.read()).await?;
    ensure!(aside == 0, "a restore of this database was cut short: run `leadlane restore` again, which first puts back what there was");
    Ok(())
}

/// A database that is being replaced.
pub struct Replaced {
    connection: AnyConnection,
    tool: Tool,
    schema: String,
}

impl Replaced {
    /// Moves the present content aside. Refuses a database in use, and, without `force`, one with business data.
    pub async fn begin(url: &str, force: bool) -> anyhow::Result<Replaced> {
        let mut connection = connect(url).await?;
        let tool = Tool::find("pg_restore", &mut connection).await?;
        ensure_alone(&mut connection).await?;
        let schema: String = sqlx::query_scalar("SELECT current_schema()::TEXT").fetch_one(&mut connection).await?;
        let mut replaced = Replaced { connection, tool, schema };
        if replaced.is_aside().await? {
            replaced.back().await?;
        }
        let rows = Figures::read(Engine::Postgres, &mut replaced.connection).await?.rows;
        ensure!(force || super::restore::is_empty(&rows), "the database is not empty; --force replaces it");
        let schema = &replaced.schema;
        let mut sql = format!("BEGIN; ALTER SCHEMA \"{schema}\" RENAME TO {ASIDE}; CREATE SCHEMA \"{schema}\";");
        if schema == "public" {
            sql.push_str(" GRANT USAGE ON SCHEMA public TO PUBLIC;");
        }
        sql.push_str(" COMMIT");
        replaced.run(sql).await.context("putting aside what there is takes the rights of the database's owner")?;
        Ok(replaced)
    }

    /// Restores the dump. Returns its figures.
    pub async fn fill(&mut self, url: &str, dump: &Path) -> anyhow::Result<Figures> {
        let arguments = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", &format!("--schema={}", self.schema)];
        let mut command = self.tool.command(url, &arguments);
        command.arg(dump).stdout(Stdio::null());
        let running = Running::start(command)?;
        tokio::task::block_in_place(|| running.end("pg_restore"))?;
        Ok(Figures::read(Engine::Postgres, &mut self.connection).await?)
    }

    /// Drops the previous content.
    pub async fn keep(&mut self) -> anyhow::Result<()> {
        self.run(format!("DROP SCHEMA {ASIDE} CASCADE")).await
    }

    /// Moves the previous content back.
    pub async fn back(&mut self) -> anyhow::Result<()> {
        let schema = &self.schema;
        let sql = format!("BEGIN; DROP SCHEMA IF EXISTS \"{schema}\" CASCADE; ALTER SCHEMA {ASIDE} RENAME TO \"{schema}\"; COMMIT");
        self.run(sql).await.context("what there was before could not be put back; it is in the schema leadlane_before_restore")
    }

    async fn is_aside(&mut self) -> Result<bool, sqlx::Error> {
        let number: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM pg_namespace WHERE nspname = $1").bind(ASIDE).fetch_one(&mut self.connection).await?;
        Ok(number > 0)
    }

    async fn run(&mut self, sql: String) -> anyhow::Result<()> {
        self.connection.execute(AssertSqlSafe(sql)).await?;
        Ok(())
    }
}

/// Refuses a database in use. Connections of programs that have just ended may stay open for a moment.
async fn ensure_alone(connection: &mut AnyConnection) -> anyhow::Result<()> {
    let asked = Instant::now();
    loop {
        let others: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
        )
        .fetch_one(&mut *connection)
        .await?;
        if others == 0 {
            return Ok(());
        }
        ensure!(asked.elapsed() < LINGER, "the database is in use by {others} other connections: stop every Leadlane first");
        tokio::time::sleep(LINGER / 20).await;
    }
}

async fn connect(url: &str) -> anyhow::Result<AnyConnection> {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(url).await.context("the database")?;
    connection.execute(PATIENT).await?;
    Ok(connection)
}

/// A program of PostgreSQL that is not older than the server.
struct Tool(&'static str);

impl Tool {
    async fn find(name: &'static str, connection: &mut AnyConnection) -> anyhow::Result<Tool> {
        let server: i64 = sqlx::query_scalar("SELECT current_setting('server_version_num')::BIGINT / 10000").fetch_one(connection).await?;
        let missing = || {
            format!(
                "{name} is not on this machine; the server is PostgreSQL {server}: install its client programs, postgresql-client-{server}"
            )
        };
        let said = Command::new(name).arg("--version").stdin(Stdio::null()).output().with_context(missing)?;
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let Some(version) = major(&said) else { bail!("{name} does not say its version") };
        ensure!(
            version >= server,
            "{name} on this machine is of version {version}, older than the server's {server}: install postgresql-client-{server}"
        );
        Ok(Tool(name))
    }

    /// The command for a database; its password is not visible in the list of processes.
    fn command(&self, url: &str, arguments: &[&str]) -> Command {
        let (address, password) = without_password(url);
        let mut command = Command::new(self.0);
        command.args(arguments).arg(format!("--dbname={address}")).stdin(Stdio::null()).stderr(Stdio::piped());
        if let Some(password) = password {
            command.env("PGPASSWORD", password);
        }
        command
    }
}

/// `pg_dump (PostgreSQL) 15.18 (Debian …)`: 15.
fn major(said: &str) -> Option<i64> {
    said.split_once("(PostgreSQL) ")?.1.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

/// A database's address for PostgreSQL's tools, and its password.
fn without_password(url: &str) -> (String, Option<String>) {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = address.split_once("://").unwrap_or(("postgres", address));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (name, mut password) = user.split_once(':').map_or((user, None), |(name, password)| (name, Some(decoded(password))));
    let mut kept = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("password", value)) => password = Some(decoded(value)),
            // A parameter of our driver.
            Some(("statement-cache-capacity", _)) => {}
            _ => kept.push(pair),
        }
    }
    let at = if name.is_empty() { String::new() } else { format!("{name}@") };
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    (format!("{scheme}://{at}{host}/{path}{query}"), password)
}

/// A running program, ended when dropped.
struct Running {
    child: Child,
    /// Reads its standard error from the start: a program whose pipe is full waits, and so would the reader of its
    /// output.
    complaints: Option<JoinHandle<io::Result<Vec<u8>>>>,
}

impl Running {
    fn start(mut command: Command) -> anyhow::Result<Running> {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child = command.spawn().with_context(|| format!("{name} does not start"))?;
        let stderr = child.stderr.take().expect("piped");
        Ok(Running { child, complaints: Some(thread::spawn(move || first_of(stderr))) })
    }

    /// Waits for its end; the beginning of its standard error becomes the error.
    fn end(mut self, name: &str) -> anyhow::Result<()> {
        let status = self.child.wait()?;
        let read = self.complaints.take().expect("read once").join();
        let said = read.map_err(|_| anyhow!("the standard error of {name} could not be read"))??;
        let said = String::from_utf8_lossy(&said);
        ensure!(status.success(), "{name}: {}", said.split_whitespace().collect::<Vec<_>>().join(" "));
        Ok(())
    }
}

/// Reads a stream to its end, and keeps its beginning.
fn first_of(mut stream: impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    stream.by_ref().take(MOST_SAID).read_to_end(&mut first)?;
    io::copy(&mut stream, &mut io::sink())?;
    Ok(first)
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_taken_out_of_an_address() {
        for (url, address, password) in [
            ("postgres://ll:s%40fe@db:5433/leadlane?sslmode=require", "postgres://ll@db:5433/leadlane?sslmode=require", Some("s@fe")),
            ("postgresql://db/leadlane", "postgresql://db/leadlane", None),
            ("postgres://ll@db/leadlane?password=safe&statement-cache-capacity=0", "postgres://ll@db/leadlane", Some("safe")),
            ("postgres:///leadlane?host=/run/postgresql", "postgres:///leadlane?host=/run/postgresql", None),
        ] {
            assert_eq!(without_password(url), (address.to_owned(), password.map(str::to_owned)), "{url}");
        }
    }

    /// More than a pipe holds is read to its end while the program runs; its beginning becomes the error.
    #[test]
    fn what_a_tool_complains_of_is_read_and_bounded() {
        let mut command = Command::new("sh");
        command
            .args(["-c", "echo first >&2; head -c 1000000 /dev/zero | tr '\\0' x >&2; exit 1"])
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        let error = Running::start(command).unwrap().end("pg_dump").unwrap_err().to_string();
        assert!(error.starts_with("pg_dump: first xxx") && error.len() < 17_000, "{}", error.len());
    }

    #[test]
    fn a_version_is_read() {
        assert_eq!(major("pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"), Some(15));
        assert_eq!(major("pg_restore (PostgreSQL) 18beta1"), Some(18));
        assert_eq!(major("something else"), None);
    }
}
