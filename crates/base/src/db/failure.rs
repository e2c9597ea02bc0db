//! The meaning of a failed statement for its transaction: whether another try may succeed, whether anything may have
//! been written, and whether the disk is full.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::io::ErrorKind;

use rusqlite::ffi;
use sqlx::Error;

/// The connection was lost in `COMMIT`: it is unknown whether the transaction was committed. Repeating it may do the
/// work twice.
#[derive(Debug)]
pub struct OutcomeUnknown {
    cause: Error,
}

impl fmt::Display for OutcomeUnknown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the connection was lost in COMMIT, whose outcome is unknown: {}", self.cause)
    }
}

impl StdError for OutcomeUnknown {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.cause)
    }
}

/// Why a statement failed, as far as its whole transaction is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// Other transactions were in the way, or the connection was lost before anything was committed.
    Passing,
    /// It would fail again.
    Lasting,
}

impl Failure {
    pub(super) fn of(error: &Error) -> Failure {
        match is_contention(error) || is_lost(error) {
            true => Failure::Passing,
            false => Failure::Lasting,
        }
    }
}

/// The meaning of a failed `COMMIT` of PostgreSQL: a refusal, unless the connection was lost.
pub(super) fn of_commit(error: Error) -> Error {
    match is_lost(&error) {
        true => Error::AnyDriverError(Box::new(OutcomeUnknown { cause: error })),
        false => error,
    }
}

/// Whether it is unknown if a transaction was committed. It must not be repeated without a check.
pub fn is_unknown(error: &Error) -> bool {
    matches!(error, Error::AnyDriverError(cause) if cause.is::<OutcomeUnknown>())
}

/// Whether a transaction was aborted because of others. On PostgreSQL they could not be serialised (40001), were in a
/// deadlock (40P01), or a lock was held too long (55P03); on SQLite another process writes. Nothing was written, and
/// the next try may succeed.
pub fn is_contention(error: &Error) -> bool {
    state(error).is_some_and(|state| matches!(&*state, "40001" | "40P01" | "55P03") || sqlite(&state) == Some(ffi::SQLITE_BUSY))
}

/// Whether PostgreSQL cancelled a statement that took too long.
pub fn is_overlong(error: &Error) -> bool {
    state(error).as_deref() == Some("57014")
}

/// Whether the connection to PostgreSQL is gone, was not made, or its session was ended by the server. A proxy without a database
/// behind it closes new connections at once or answers what PostgreSQL would not, which the driver calls an error of the protocol.
pub fn is_lost(error: &Error) -> bool {
    match error {
        Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::WorkerCrashed => true,
        // 25P03: idle in a transaction for too long. 57P…: the server stops, or starts again.
        _ => state(error).is_some_and(|state| state.starts_with("08") || state.starts_with("57P") || state == "25P03"),
    }
}

/// Whether the disk of the database is full: reads work, and writes do again once there is room.
pub fn is_full(error: &Error) -> bool {
    match error {
        Error::Io(cause) => cause.kind() == ErrorKind::StorageFull,
        _ => state(error).is_some_and(|state| state == "53100" || sqlite(&state) == Some(ffi::SQLITE_FULL)),
    }
}

/// The kind of an error of SQLite, whose numbers are shorter than an SQLSTATE.
fn sqlite(state: &str) -> Option<i32> {
    state.parse::<i32>().ok().filter(|_| state.len() < 5).map(|number| number & 0xff)
}

/// The SQLSTATE of PostgreSQL, or the number of SQLite.
fn state(error: &Error) -> Option<Cow<'_, str>> {
    match error {
        Error::Database(cause) => cause.code(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection as _, PgConnection};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    // F3: partners treat 5000 as a fault of the program, and send again after 5003.
    #[tokio::test]
    async fn a_proxy_without_a_database_behind_it_is_passing() {
        for answer in [&b""[..], b"\0", b"HTTP/1.1 503 Service Unavailable\r\n\r\n"] {
            let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = proxy.local_addr().unwrap();
            let served = tokio::spawn(async move {
                let (mut line, _) = proxy.accept().await.unwrap();
                let mut asked = [0; 8];
                line.read_exact(&mut asked).await.unwrap();
                line.write_all(answer).await.unwrap();
            });
            let error = PgConnection::connect(&format!("postgres://user@{address}/leads")).await.unwrap_err();
            served.await.unwrap();
            assert_eq!(Failure::of(&error), Failure::Passing, "{error:?}");
        }
    }
}
