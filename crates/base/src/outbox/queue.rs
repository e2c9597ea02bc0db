//! Items of the outbox in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::{Destination, Kind, LEASE, State};
use crate::clock::{Clock, DAY};
use crate::db::{self, Connection, Db, Sql};

/// How long a finished item is remembered by its key.
const REMEMBERED: i64 = 7 * DAY;

/// A new item.
#[derive(Clone, Debug)]
pub struct NewItem<'n> {
    pub kind: Kind,
    pub ref_id: Option<i64>,
    pub destination: Destination,
    /// Queued once for each key.
    pub idem_key: &'n str,
    pub payload_enc: Option<String>,
    /// Epoch milliseconds, as all moments here.
    pub due_at: i64,
    pub expires_at: Option<i64>,
}

/// Which items of a destination are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    All,
    /// Only items that end without a call: expired ones, except a lead that its organisation may have, which is
    /// queried, or sent again, even then.
    EndedWithoutCall,
}

/// An item that is due.
#[derive(Clone, Debug)]
pub struct Due {
    pub id: i64,
    pub kind: Kind,
    pub destination: String,
    /// When it was due as it was read. The lease requires that this is unchanged.
    pub seen: i64,
    /// Another process had it until then, and has not written its result.
    pub lost: bool,
}

/// An item leased by this process.
#[derive(Clone, Debug)]
pub struct Leased {
    pub id: i64,
    pub ref_id: Option<i64>,
    pub destination: String,
    pub idem_key: String,
    pub payload_enc: Option<String>,
    /// The end of the lease: it also identifies the lease.
    pub until: i64,
    /// Tries, including this one.
    pub tries: i64,
    /// Earlier tries of which it is unknown whether they arrived.
    pub unanswered: i64,
    pub expires_at: Option<i64>,
    pub created_at: i64,
}

impl Leased {
    /// Whether it is too late to send it.
    pub fn is_expired(&self, now: i64) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }
}

/// The state of an item after a try.
#[derive(Clone, Debug)]
pub struct Settled<'s> {
    pub state: State,
    /// When it is due next.
    pub due_at: Option<i64>,
    /// Tries without an answer, including this one if it had none.
    pub unanswered: i64,
    pub error: Option<&'s str>,
}

/// Queues an item; returns its id, or none if there is one with its key already.
pub async fn enqueue(tx: &mut Connection, item: &NewItem<'_>, now: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO outbox_item (kind, ref_id, destination, idem_key, payload_enc, state, due_at, expires_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7, $8, $9) ON CONFLICT (idem_key) DO NOTHING RETURNING id",
    )
    .bind(<&str>::from(item.kind))
    .bind(item.ref_id)
    .bind(item.destination.key())
    .bind(item.idem_key)
    .bind(item.payload_enc.as_deref())
    .bind(item.due_at)
    .bind(item.expires_at)
    .bind(now)
    .bind(now)
    .fetch_optional(tx)
    .await
}

/// Sets the record of a new item, if that is only known once the item exists.
pub async fn refer(tx: &mut Connection, id: i64, ref_id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE outbox_item SET ref_id = $1 WHERE id = $2").bind(ref_id).bind(id).execute(tx).await.map(drop)
}

/// Ends the wait of items that were never sent: their carriers then find another way.
pub async fn expire(tx: &mut Connection, kind: Kind, refs: Vec<i64>, now: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("UPDATE outbox_item SET expires_at = ");
    sql.bind(now).push(", due_at = ").bind(now).push(" WHERE state = 'waiting' AND unanswered = 0 AND kind = ").bind(<&str>::from(kind));
    sql.push(" AND ref_id IN ").ids(refs);
    sql.execute(tx).await.map(drop)
}

/// Destinations with due items, in order. Each is found by one step through the index, however many items earlier
/// ones have.
pub async fn destinations<'e>(on: impl Executor<'e, Database = Any>, now: i64) -> Result<Vec<String>, sqlx::Error> {
    let rows = destinations_statement(now).fetch_all(on).await?;
    rows.iter().map(|row| row.try_get("destination")).collect()
}

fn destinations_statement(now: i64) -> Sql {
    let mut sql = Sql::new(
        "WITH RECURSIVE d (destination) AS ( \
           SELECT MIN(destination) FROM outbox_item WHERE due_at IS NOT NULL \
           UNION ALL \
           SELECT (SELECT MIN(i.destination) FROM outbox_item i WHERE i.due_at IS NOT NULL AND i.destination > d.destination) FROM d \
           WHERE d.destination IS NOT NULL) \
         SELECT destination FROM d WHERE destination IS NOT NULL \
           AND (SELECT MIN(i.due_at) FROM outbox_item i WHERE i.destination = d.destination AND i.due_at IS NOT NULL) <= ",
    );
    sql.bind(now).push(" ORDER BY destination");
    sql
}

/// The due items of a destination, oldest first.
pub async fn due_for<'e>(
    on: impl Executor<'e, Database = Any>,
    destination: &str,
    what: What,
    now: i64,
    most: usize,
) -> Result<Vec<Due>, sqlx::Error> {
    due_statement(destination, what, now, most).fetch_all(on).await?.iter().map(read_due).collect()
}

fn due_statement(destination: &str, what: What, now: i64, most: usize) -> Sql {
    let mut sql = Sql::new("SELECT id, kind, destination, due_at, state FROM outbox_item WHERE destination = ");
    sql.bind(destination.to_owned()).push(" AND due_at IS NOT NULL AND due_at <= ").bind(now);
    if what == What::EndedWithoutCall {
        sql.push(" AND expires_at <= ").bind(now);
        sql.push(" AND (unanswered = 0 OR kind <> ").bind(<&str>::from(Kind::Delivery)).push(")");
    }
    sql.push(" ORDER BY due_at, id LIMIT ").bind(most as i64);
    sql
}

/// The due items of a kind, oldest first, for any destination: for tests, which run no worker.
pub async fn due_of<'e>(on: impl Executor<'e, Database = Any>, kind: Kind, now: i64) -> Result<Vec<Due>, sqlx::Error> {
    let mut sql = Sql::new("SELECT id, kind, destination, due_at, state FROM outbox_item WHERE kind = ");
    sql.bind(<&str>::from(kind)).push(" AND due_at <= ").bind(now).push(" ORDER BY due_at, id LIMIT 1000");
    sql.fetch_all(on).await?.iter().map(read_due).collect()
}

fn read_due(row: &AnyRow) -> Result<Due, sqlx::Error> {
    Ok(Due {
        id: row.try_get("id")?,
        kind: db::code(row, "kind")?,
        destination: row.try_get("destination")?,
        seen: row.try_get("due_at")?,
        lost: row.try_get::<&str, _>("state")? == "sending",
    })
}

/// Counts a try that failed in this program before any call was made, and puts the next one off.
pub async fn put_off(db: &Db, clock: &Clock, due: &Due, error: &str) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    let now = tx.now(clock).await?;
    put_off_or_end(&mut tx, due, error, i64::MAX, now).await?;
    tx.commit().await
}

/// An item that was put off, or that is not tried any more.
#[derive(Clone, Copy, Debug)]
pub struct PutOff {
    pub ref_id: Option<i64>,
    pub state: State,
    /// It is not tried again.
    pub ended: bool,
}

/// The same in a transaction; after so many tries, or once it has expired, the item is not tried again. None if
/// another process has the item by now.
pub async fn put_off_or_end(tx: &mut Connection, due: &Due, error: &str, most_tries: i64, now: i64) -> Result<Option<PutOff>, sqlx::Error> {
    let Some(item) = claim(&mut *tx, due, now + LEASE, now).await? else { return Ok(None) };
    let ended = item.tries >= most_tries || item.is_expired(now);
    let state = match (item.unanswered > 0, ended) {
        (true, _) => State::Unconfirmed,
        (false, true) => State::Dead,
        (false, false) => State::Waiting,
    };
    let due_at = (!ended).then(|| now + super::pause(item.tries));
    settle(tx, &item, &Settled { state, due_at, unanswered: item.unanswered, error: Some(error) }, now).await?;
    Ok(Some(PutOff { ref_id: item.ref_id, state, ended }))
}

/// Leases an item until a moment, if nothing has changed since it was read as due. The try counts as unanswered until
/// a result is written.
pub async fn claim(tx: &mut Connection, due: &Due, until: i64, now: i64) -> Result<Option<Leased>, sqlx::Error> {
    let row = sqlx::query(
        "UPDATE outbox_item SET state = 'sending', tries = tries + 1, unanswered = unanswered + 1, due_at = $1, updated_at = $2 \
         WHERE id = $3 AND due_at = $4 RETURNING id, ref_id, destination, idem_key, payload_enc, tries, unanswered, expires_at, created_at",
    )
    .bind(until)
    .bind(now)
    .bind(due.id)
    .bind(due.seen)
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        Ok(Leased {
            id: row.try_get("id")?,
            ref_id: row.try_get("ref_id")?,
            destination: row.try_get("destination")?,
            idem_key: row.try_get("idem_key")?,
            payload_enc: row.try_get("payload_enc")?,
            until,
            tries: row.try_get("tries")?,
            unanswered: row.try_get::<i64, _>("unanswered")? - 1,
            expires_at: row.try_get("expires_at")?,
            created_at: row.try_get("created_at")?,
        })
    })
    .transpose()
}

/// Ends a try of a leased item. Returns whether the lease still held. A finished item, or one that is not tried
/// again, drops its content.
pub async fn settle(tx: &mut Connection, item: &Leased, settled: &Settled<'_>, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE outbox_item SET state = $1, due_at = $2, unanswered = $3, last_error = $4, \
           payload_enc = CASE WHEN $5 = 1 THEN NULL ELSE payload_enc END, updated_at = $6 WHERE id = $7 AND due_at = $8 AND state = 'sending'",
    )
    .bind(<&str>::from(settled.state))
    .bind(settled.due_at)
    .bind(settled.unanswered)
    .bind(settled.error)
    .bind(i64::from(matches!(settled.state, State::Done | State::Expired | State::GivenUp)))
    .bind(now)
    .bind(item.id)
    .bind(item.until)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Ends the item of a row, also while a worker has it; its key stays taken. Returns how many of its tries have an unknown result,
/// or none if it had ended before.
pub async fn end(tx: &mut Connection, kind: Kind, ref_id: i64, state: State, now: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "UPDATE outbox_item SET state = $1, due_at = NULL, payload_enc = NULL, updated_at = $2 \
         WHERE kind = $3 AND ref_id = $4 AND state IN ('waiting', 'sending', 'unconfirmed', 'dead') RETURNING unanswered",
    )
    .bind(<&str>::from(state))
    .bind(now)
    .bind(<&str>::from(kind))
    .bind(ref_id)
    .fetch_optional(tx)
    .await
}

/// Gives up the item of a row, unless it is being sent or may have arrived; false in these cases, and if it has
/// ended.
pub async fn withdraw(tx: &mut Connection, kind: Kind, ref_id: i64, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE outbox_item SET state = 'given_up', due_at = NULL, payload_enc = NULL, updated_at = $1 \
         WHERE kind = $2 AND ref_id = $3 AND state = 'waiting' AND unanswered = 0",
    )
    .bind(now)
    .bind(<&str>::from(kind))
    .bind(ref_id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Marks waiting items of a kind, and those being sent, as unconfirmed for a person: it is unknown whether they
/// arrived. Expired ones end by themselves. Returns how many there are.
pub async fn doubt(tx: &mut Connection, kind: Kind, error: &str, now: i64) -> Result<u64, sqlx::Error> {
    sqlx::query(
        "UPDATE outbox_item SET state = 'unconfirmed', due_at = NULL, unanswered = unanswered + 1, last_error = $1, updated_at = $2 \
         WHERE kind = $3 AND due_at IS NOT NULL AND (expires_at IS NULL OR expires_at > $4)",
    )
    .bind(error)
    .bind(now)
    .bind(<&str>::from(kind))
    .bind(now)
    .execute(tx)
    .await
    .map(|done| done.rows_affected())
}

/// Starts the tries of a row's item again now, with the full number of tries and, if given, a new expiry. Returns
/// whether no process has it.
pub async fn again(tx: &mut Connection, kind: Kind, ref_id: i64, expires_at: Option<i64>, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE outbox_item SET state = CASE WHEN unanswered > 0 THEN 'unconfirmed' ELSE 'waiting' END, tries = 0, due_at = $1, \
           expires_at = $2, updated_at = $3 WHERE kind = $4 AND ref_id = $5 AND state IN ('waiting', 'unconfirmed', 'dead', 'expired')",
    )
    .bind(now)
    .bind(expires_at)
    .bind(now)
    .bind(<&str>::from(kind))
    .bind(ref_id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Why a row's item has not arrived: a code of the last failure; none once it has ended.
pub async fn last_error<'e>(on: impl Executor<'e, Database = Any>, kind: Kind, ref_id: i64) -> Result<Option<String>, sqlx::Error> {
    let error: Option<Option<String>> = sqlx::query_scalar(
        "SELECT last_error FROM outbox_item WHERE kind = $1 AND ref_id = $2 AND state IN ('waiting', 'sending', 'unconfirmed', 'dead') LIMIT 1",
    )
    .bind(<&str>::from(kind))
    .bind(ref_id)
    .fetch_optional(on)
    .await?;
    Ok(error.flatten())
}

/// Deletes items that were done long ago, up to a limit. Returns how many.
pub async fn forget(db: &Db, now: i64, most: i64) -> Result<u64, sqlx::Error> {
    let mut tx = db.begin().await?;
    let forgotten = sqlx::query(
        "DELETE FROM outbox_item WHERE id IN (SELECT id FROM outbox_item WHERE state IN ('done', 'expired', 'given_up') \
         AND updated_at < $1 ORDER BY updated_at, id LIMIT $2)",
    )
    .bind(now - REMEMBERED)
    .bind(most)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(forgotten.rows_affected())
}

/// The backlog of the outbox.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backlog {
    /// Items that wait for a try, or are being tried.
    pub waiting: i64,
    /// Those that should have been tried by now.
    pub due: i64,
    /// When the oldest of these was due, epoch milliseconds.
    pub oldest_at: Option<i64>,
    /// Items of which it is unknown whether they arrived.
    pub unconfirmed: i64,
    /// Items that are not tried any more.
    pub dead: i64,
    /// Leads of which it is unknown whether they arrived.
    pub leads_unconfirmed: i64,
    /// Callbacks that are not tried any more.
    pub callbacks_dead: i64,
    /// Short messages of which it is unknown whether they arrived.
    pub messages_unconfirmed: i64,
    /// Short messages that are not tried any more.
    pub messages_dead: i64,
}

/// Counts the backlog.
pub async fn backlog(db: &Db, now: i64) -> Result<Backlog, sqlx::Error> {
    let row = sqlx::query(
        "SELECT (SELECT COUNT(*) FROM outbox_item WHERE due_at IS NOT NULL) AS waiting, \
           (SELECT COUNT(*) FROM outbox_item WHERE due_at IS NOT NULL AND due_at <= $1) AS due, \
           (SELECT MIN(due_at) FROM outbox_item WHERE due_at IS NOT NULL AND due_at <= $2) AS oldest, \
           (SELECT COUNT(*) FROM outbox_item WHERE state = 'unconfirmed' OR (state = 'dead' AND unanswered > 0)) AS unconfirmed, \
           (SELECT COUNT(*) FROM outbox_item WHERE state = 'dead') AS dead, \
           (SELECT COUNT(*) FROM outbox_item WHERE kind = 'delivery' AND (state = 'unconfirmed' OR (state = 'dead' AND unanswered > 0))) \
             AS leads_unconfirmed, \
           (SELECT COUNT(*) FROM outbox_item WHERE kind = 'callback' AND state = 'dead') AS callbacks_dead, \
           (SELECT COUNT(*) FROM outbox_item WHERE kind = 'sms' AND state = 'unconfirmed') AS messages_unconfirmed, \
           (SELECT COUNT(*) FROM outbox_item WHERE kind = 'sms' AND state = 'dead') AS messages_dead",
    )
    .bind(now)
    .bind(now)
    .fetch_one(db.read())
    .await?;
    Ok(Backlog {
        waiting: row.try_get("waiting")?,
        due: row.try_get("due")?,
        oldest_at: row.try_get("oldest")?,
        unconfirmed: row.try_get("unconfirmed")?,
        dead: row.try_get("dead")?,
        leads_unconfirmed: row.try_get("leads_unconfirmed")?,
        callbacks_dead: row.try_get("callbacks_dead")?,
        messages_unconfirmed: row.try_get("messages_unconfirmed")?,
        messages_dead: row.try_get("messages_dead")?,
    })
}

/// Deletes finished items of short messages whose messages are deleted: `$1` is the moment before which items are
/// old, `$2` the limit.
pub const DELETE_OLD_SMS: &str = "DELETE FROM outbox_item WHERE id IN (SELECT i.id FROM outbox_item i WHERE i.kind = 'sms' AND i.state IN ('dead', 'unconfirmed') \
     AND i.due_at IS NULL AND i.updated_at < $1 AND i.ref_id IS NOT NULL \
     AND NOT EXISTS (SELECT 1 FROM sms_message s WHERE s.id = i.ref_id) LIMIT $2)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::plans::Plans;

    #[tokio::test]
    async fn what_is_due_is_found_by_steps_through_the_index() {
        let plans = Plans::open().await;
        let due = plans.of(due_statement("org:1", What::All, 1, 1)).await;
        assert!(due.contains("USING INDEX outbox_item_due (destination=? AND due_at") && !due.contains("TEMP B-TREE"), "{due}");
        let destinations = plans.of(destinations_statement(1)).await;
        assert!(!destinations.contains("SCAN outbox_item") && !destinations.contains("SCAN i"), "{destinations}");
    }
}
