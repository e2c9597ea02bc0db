//! Tries at a door, written down before anybody looks whether they are right, so that a thousand
//! sent at once do not outrun their limit.

use sqlx::{Any, Executor, Row};
use strum::IntoStaticStr;

use crate::clock::DAY;
use crate::db::{Connection, Db};

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Door {
    /// A new password for a forgotten one, by a code.
    Reset,
    /// A second factor.
    SecondFactor,
}

/// So many tries of a door are free in a time.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub tries: i64,
    /// Milliseconds; at most a day, after which tries are forgotten.
    pub within: i64,
}

/// Tries forgotten in one transaction.
const SWEPT: i64 = 5000;

/// How long to wait until a key of a door may be tried again, in seconds; none when it may be now.
pub async fn wait(
    connection: impl Executor<'_, Database = Any>,
    door: Door,
    key: &str,
    limit: Limit,
    now: i64,
) -> Result<Option<i64>, sqlx::Error> {
    // Of as many tries as the limit has, the first is the one whose age opens the door again.
    let row = sqlx::query(
        "SELECT COUNT(*) AS tries, MIN(at) AS first FROM \
         (SELECT at FROM door_try WHERE door = $1 AND tried = $2 AND at > $3 ORDER BY at DESC, id DESC LIMIT $4) AS latest",
    )
    .bind(<&str>::from(door))
    .bind(key)
    .bind(now - limit.within)
    .bind(limit.tries)
    .fetch_one(connection)
    .await?;
    if row.try_get::<i64, _>("tries")? < limit.tries {
        return Ok(None);
    }
    let first = row.try_get::<Option<i64>, _>("first")?.unwrap_or(now);
    Ok(Some(((first + limit.within - now) / 1000).max(1)))
}

/// Writes a try down.
pub async fn write(tx: &mut Connection, door: Door, key: &str, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO door_try (door, tried, at) VALUES ($1, $2, $3)")
        .bind(<&str>::from(door))
        .bind(key)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Forgets the tries of a key: it has been opened rightly.
pub async fn forget(tx: &mut Connection, door: Door, key: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM door_try WHERE door = $1 AND tried = $2").bind(<&str>::from(door)).bind(key).execute(tx).await.map(drop)
}

/// Forgets tries that no limit counts any more, some at a time, and returns how many.
pub async fn sweep(db: &Db, now: i64) -> Result<u64, sqlx::Error> {
    let mut tx = db.begin().await?;
    let swept = sqlx::query("DELETE FROM door_try WHERE id IN (SELECT id FROM door_try WHERE at < $1 ORDER BY at LIMIT $2)")
        .bind(now - DAY)
        .bind(SWEPT)
        .execute(&mut *tx)
        .await?
        .rows_affected();
    tx.commit().await?;
    Ok(swept)
}
