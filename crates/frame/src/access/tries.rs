//! Tries, written before they are checked, so that a thousand sent at the same time do not pass their limit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::{Any, Executor, Row};
use strum::IntoStaticStr;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time;

use base::clock::DAY;
use base::db::{Connection, Db};

/// What a try is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Door {
    /// A new password by a code, after a lost one.
    Reset,
    /// A second factor.
    SecondFactor,
}

/// The number of free tries in a time.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub tries: i64,
    /// Milliseconds; at most a day, after which tries are deleted.
    pub within: i64,
}

/// Requests for codes and new passwords that are looked up at the same time: pages need the database connections,
/// too.
const LOOKUPS_AT_ONCE: usize = 4;
/// How long a further request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(3);
/// The most locked keys that are remembered.
const MOST_SHUT: usize = 20_000;

/// Locked keys that a process remembers without a query, so that a flood does not take the connections of other
/// requests.
#[derive(Debug)]
pub struct Doors {
    /// Until when a key may not be tried, epoch milliseconds, as read from the database.
    shut: Mutex<HashMap<(Door, String), i64>>,
    lookups: Semaphore,
}

impl Default for Doors {
    fn default() -> Doors {
        Doors { shut: Mutex::default(), lookups: Semaphore::new(LOOKUPS_AT_ONCE) }
    }
}

impl Doors {
    /// Seconds until a key may be tried again, if it is known to be locked.
    pub fn known_wait(&self, door: Door, key: &str, now: i64) -> Option<i64> {
        let shut = self.shut.lock().unwrap_or_else(PoisonError::into_inner);
        let until = *shut.get(&(door, key.to_owned()))?;
        // A clock that was set back locks a key no longer than a limit may.
        (until > now && until - now <= DAY).then(|| ((until - now) / 1000).max(1))
    }

    /// Remembers the result of [`wait`] for a key.
    pub fn shut(&self, door: Door, key: &str, seconds: i64, now: i64) {
        let mut shut = self.shut.lock().unwrap_or_else(PoisonError::into_inner);
        if shut.len() >= MOST_SHUT {
            shut.retain(|_, until| *until > now);
        }
        // A key that finds no room is looked up in the database, as before.
        if shut.len() < MOST_SHUT {
            shut.insert((door, key.to_owned()), now + seconds * 1000);
        }
    }

    /// A turn for a caller who is not signed in; none if too many wait.
    pub async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        time::timeout(PATIENCE, self.lookups.acquire()).await.ok()?.ok()
    }
}

/// Tries deleted in one transaction.
const SWEPT: i64 = 5000;

/// How long to wait until a key may be tried again, in seconds; none if it may be now.
pub async fn wait(
    connection: impl Executor<'_, Database = Any>,
    door: Door,
    key: &str,
    limit: Limit,
    now: i64,
) -> Result<Option<i64>, sqlx::Error> {
    // The limit's first try: when it is old enough, the key may be tried again.
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

/// Writes a try.
pub async fn write(tx: &mut Connection, door: Door, key: &str, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO door_try (door, tried, at) VALUES ($1, $2, $3)")
        .bind(<&str>::from(door))
        .bind(key)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Deletes the tries of a key after a right one.
pub async fn forget(tx: &mut Connection, door: Door, key: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM door_try WHERE door = $1 AND tried = $2").bind(<&str>::from(door)).bind(key).execute(tx).await.map(drop)
}

/// Deletes tries that no limit counts any more, in small transactions. Returns how many.
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

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    /// S-H1: a key that the database reported as locked is not queried again.
    #[test]
    fn a_shut_door_is_known_until_it_opens() {
        let doors = Doors::default();
        assert_eq!(doors.known_wait(Door::Reset, "a", 1000), None);
        doors.shut(Door::Reset, "a", 60, 1000);
        assert_eq!(doors.known_wait(Door::Reset, "a", 1000), Some(60));
        assert_eq!(doors.known_wait(Door::Reset, "a", 60_900), Some(1));
        assert_eq!(doors.known_wait(Door::Reset, "a", 61_000), None, "it is open again");
        assert_eq!(doors.known_wait(Door::Reset, "b", 1000), None);
        assert_eq!(doors.known_wait(Door::SecondFactor, "a", 1000), None);
        assert_eq!(doors.known_wait(Door::Reset, "a", 1000 - 2 * DAY), None, "a clock that was wrong shuts nobody out");
    }

    #[test]
    fn so_many_are_known_and_room_is_made_by_those_that_are_open() {
        let doors = Doors::default();
        for key in 0..MOST_SHUT + 5 {
            doors.shut(Door::Reset, &key.to_string(), 60, 0);
        }
        assert_eq!(doors.shut.lock().unwrap().len(), MOST_SHUT);
        doors.shut(Door::Reset, "later", 60, 60_000);
        assert_eq!(doors.shut.lock().unwrap().len(), 1);
    }

    /// S-H1: callers who are not signed in take few connections.
    #[tokio::test]
    async fn lookups_by_unknown_callers_take_turns() {
        let doors = Doors::default();
        let mut turns = Vec::new();
        for _ in 0..LOOKUPS_AT_ONCE {
            turns.push(doors.turn().await.expect("there is room"));
        }
        let mut next = Box::pin(doors.turn());
        assert!(poll!(&mut next).is_pending());
        turns.pop();
        assert!(next.await.is_some());
    }
}
