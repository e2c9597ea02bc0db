//! Tries at a door, written down before anybody looks whether they are right, so that a thousand
//! sent at once do not outrun their limit.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::{Any, Executor, Row};
use strum::IntoStaticStr;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time;

use base::clock::DAY;
use base::db::{Connection, Db};

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
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

/// Strangers who ask for codes and new passwords and are looked up at once: the connections to the database
/// are there for pages too.
const STRANGERS_AT_ONCE: usize = 4;
/// How long one more waits for its turn.
const PATIENCE: Duration = Duration::from_secs(3);
/// Keys that are known to be shut, at most.
const MOST_SHUT: usize = 20_000;

/// What a process knows of the doors without asking the database, so that a flood costs nobody else his
/// connection to it.
#[derive(Debug)]
pub struct Doors {
    /// Until when a key of a door may not be tried, epoch milliseconds: as the database has said.
    shut: Mutex<HashMap<(Door, String), i64>>,
    strangers: Semaphore,
}

impl Default for Doors {
    fn default() -> Doors {
        Doors { shut: Mutex::default(), strangers: Semaphore::new(STRANGERS_AT_ONCE) }
    }
}

impl Doors {
    /// Seconds until a key of a door may be tried again, if it is known that it may not be now.
    pub fn known_wait(&self, door: Door, key: &str, now: i64) -> Option<i64> {
        let shut = self.shut.lock().unwrap_or_else(PoisonError::into_inner);
        let until = *shut.get(&(door, key.to_owned()))?;
        // A clock that was set back shuts no door for longer than a limit may.
        (until > now && until - now <= DAY).then(|| ((until - now) / 1000).max(1))
    }

    /// Remembers what [`wait`] has said of a key.
    pub fn shut(&self, door: Door, key: &str, seconds: i64, now: i64) {
        let mut shut = self.shut.lock().unwrap_or_else(PoisonError::into_inner);
        if shut.len() >= MOST_SHUT {
            shut.retain(|_, until| *until > now);
        }
        // Whoever finds no room is looked for in the database, as before.
        if shut.len() < MOST_SHUT {
            shut.insert((door, key.to_owned()), now + seconds * 1000);
        }
    }

    /// The turn of a stranger; none if too many wait.
    pub async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        time::timeout(PATIENCE, self.strangers.acquire()).await.ok()?.ok()
    }
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

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    /// S-H1: what the database has said of a key need not be asked again.
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

    /// S-H1: strangers take few connections, whatever they ask for.
    #[tokio::test]
    async fn strangers_take_turns() {
        let doors = Doors::default();
        let mut turns = Vec::new();
        for _ in 0..STRANGERS_AT_ONCE {
            turns.push(doors.turn().await.expect("there is room"));
        }
        let mut next = Box::pin(doors.turn());
        assert!(poll!(&mut next).is_pending());
        turns.pop();
        assert!(next.await.is_some());
    }
}
