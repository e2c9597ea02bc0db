//! How connections to each engine are opened and set.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::any::AnyPoolOptions;
use sqlx::{Connection as _, Executor};

use super::sqlite;
use super::writer::Writer;

fn pool_options(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(8)).test_before_acquire(false)
}

/// How every connection to PostgreSQL is set, whatever its server, database or role says.
///
/// - No statement here takes as long as compiling it would, and disks of today read any page about as fast as the next one.
/// - A transaction that locks and then reads must see what others did before, as READ COMMITTED does. A write that was answered is
///   on the disk, and also on the disk of a standby where the server waits for one.
/// - A process that hangs (stopped, swapped out, cut off) does not hold up others for ever: the server ends a session that does
///   nothing within a transaction, before others have waited ten seconds for it, and connections whose other end is gone. A
///   statement that waits for a row waits twice, to be the next and for the one before: a waiting session of a process that hangs
///   gives up before the lock is released, so that it does not get the lock and hold it for as long again.
const POSTGRES_SETTINGS: &str = "SET jit = off; SET random_page_cost = 1.1; SET default_transaction_isolation = 'read committed'; \
    SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' \
      ELSE 'on' END, false); \
    SET lock_timeout = '2500ms'; SET idle_in_transaction_session_timeout = '6s'; SET tcp_keepalives_idle = 10; \
    SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = '20s'";
/// How long a statement of a call or a page may take.
pub const PAGE_SETTINGS: &str = "SET statement_timeout = '15s'";
/// How long a statement of a worker or a command may take: the figures of years, a million rows.
pub const WORKER_SETTINGS: &str = "SET statement_timeout = '10min'";
/// After this long without use a connection is asked whether it is still there: its server may have
/// ended it, or be another one by now.
pub const UNUSED: Duration = Duration::from_secs(1);

pub fn postgres_options(connections: u32, settings: &'static str) -> AnyPoolOptions {
    pool_options(connections)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                connection.execute(POSTGRES_SETTINGS).await?;
                connection.execute(settings).await.map(drop)
            })
        })
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for >= UNUSED {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// Opens the writing connection, as soon as another process that begins on a new file is done with that.
pub async fn open_writer(file: &Path) -> Result<Writer, sqlx::Error> {
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        match Writer::open(file, &format!("{SQLITE_SETTINGS}; {WRITER_SETTINGS}")) {
            Err(error) if sqlite::is_busy(&error) && Instant::now() < until => tokio::time::sleep(Duration::from_millis(20)).await,
            opened => return opened,
        }
    }
}

/// How every connection to SQLite is set.
const SQLITE_SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 5000; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY";
/// How the writing connection is set besides: it waits for other processes by itself, and keeps the
/// pages that inserts come back to.
const WRITER_SETTINGS: &str = "PRAGMA busy_timeout = 0; PRAGMA cache_size = -32000";

pub fn sqlite_options(connections: u32) -> AnyPoolOptions {
    pool_options(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(|connection, _| Box::pin(async move { connection.execute(SQLITE_SETTINGS).await.map(drop) }))
}

pub fn with_create_mode(url: &str) -> String {
    match url.contains("mode=") {
        true => url.to_owned(),
        false => format!("{url}{}mode=rwc", if url.contains('?') { '&' } else { '?' }),
    }
}
