//! The record of short messages in the database. Its rows follow the items of the outbox: a transaction that changes
//! both changes the item first, so that no two wait for each other in a circle.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::kind::SmsKind;
use super::model::{SmsFilters, SmsRow, SmsState, SmsWay};
use super::report::Delivery;
use crate::access::audit::Stamp;
use crate::access::{Scope, ScopeColumns};
use crate::old_rows::{Keep, OldRows};
use crate::setting;
use base::crypto::Keys;
use base::db::sql::typed;
use base::db::{self, Connection, Sql};
use base::mask;
use base::outbox::queue::PutOff;
use base::outbox::{self, Kind, State};

/// They belong to the platform: viewers who do not see everything see none.
const SCOPE: ScopeColumns = ScopeColumns { owner: None, org: None, sub_org: None, myself: None };

/// The error code of a message that waited in a backup.
const RESTORED: &str = "restored";

/// The longest number of a message, the platform's or a provider's.
pub const LONGEST_NO: usize = 64;

/// The query of the list, before [`narrow`].
pub const SELECT: &str = "SELECT s.id, s.no, s.kind, s.phone_mask, s.state, s.way, s.provider_no, s.last_error, s.tries, s.expires_at, \
     s.accepted_at, s.reported_at, a.real_name AS creator_name, s.version, s.created_at, s.updated_at FROM sms_message s \
     LEFT JOIN administrator a ON a.id = s.created_by WHERE 1 = 1";

/// The same rows, for the count.
pub const COUNT: &str = "SELECT s.id FROM sms_message s WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &SmsFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        // Numbers given by the platform are in capitals.
        sql.push(" AND (s.no = ").bind(keyword.to_uppercase()).push(" OR s.provider_no = ").bind(keyword.to_owned()).push(")");
    }
    sql.and("s.phone_hash = ", filters.keyword_hash.clone())
        .and("s.kind = ", filters.kind.map(<&str>::from))
        .and("s.state = ", filters.state.map(<&str>::from))
        .and("s.created_at >= ", filters.created_from)
        .and("s.created_at < ", filters.created_to);
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<SmsRow, sqlx::Error> {
    Ok(SmsRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        kind: db::code(row, "kind")?,
        phone_mask: row.try_get("phone_mask")?,
        state: db::code(row, "state")?,
        way: row.try_get::<Option<&str>, _>("way")?.and_then(|way| way.parse().ok()),
        provider_no: row.try_get("provider_no")?,
        last_error: row.try_get("last_error")?,
        tries: row.try_get("tries")?,
        expires_at: row.try_get("expires_at")?,
        accepted_at: row.try_get("accepted_at")?,
        reported_at: row.try_get("reported_at")?,
        creator_name: row.try_get("creator_name")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One message within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<SmsRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("s.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.map(|row| read(&row)).transpose()
}

/// Writes a new message under the number of its outbox item. Returns its id.
pub async fn insert(
    tx: &mut Connection,
    keys: &Keys,
    item_id: i64,
    (kind, phone): (SmsKind, &str),
    expires_at: Option<i64>,
    created_by: Option<i64>,
    now: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO sms_message (no, kind, phone_mask, phone_hash, state, expires_at, created_at, updated_at, created_by) \
         VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $8) RETURNING id",
    )
    .bind(no_of(item_id))
    .bind(<&str>::from(kind))
    .bind(mask::phone(phone))
    .bind(keys.lookup_hash(phone))
    .bind(expires_at)
    .bind(now)
    .bind(now)
    .bind(created_by)
    .fetch_one(tx)
    .await
}

/// The number of an item's message for the provider.
pub fn no_of(item_id: i64) -> String {
    format!("SMS-{item_id}")
}

/// The state of a message by the state of its item.
fn state_of(item: State) -> SmsState {
    match item {
        State::Waiting | State::Sending => SmsState::Waiting,
        State::Unconfirmed => SmsState::Unconfirmed,
        State::Done => SmsState::Accepted,
        State::Dead => SmsState::Failed,
        State::GivenUp => SmsState::GivenUp,
        State::Expired => SmsState::Expired,
    }
}

/// Counts a try, before it is made.
pub async fn begin_try(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE sms_message SET tries = tries + 1, version = version + 1, updated_at = $1 WHERE id = $2")
        .bind(now)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// What a try has shown about a message.
pub struct Tried<'t> {
    /// The new state of its item.
    pub state: State,
    /// The way, if it was sent or may have been.
    pub way: Option<SmsWay>,
    pub provider_no: Option<&'t str>,
    pub error: Option<&'t str>,
}

/// Sets a message's state after a try. A report that has come meanwhile stays.
pub async fn end_try(tx: &mut Connection, id: i64, tried: &Tried<'_>, now: i64) -> Result<(), sqlx::Error> {
    let state = state_of(tried.state);
    sqlx::query(
        "UPDATE sms_message SET state = $1, way = COALESCE($2, way), provider_no = COALESCE($3, provider_no), last_error = $4, \
           accepted_at = $5, version = version + 1, updated_at = $6 WHERE id = $7 AND state IN ('waiting', 'unconfirmed')",
    )
    .bind(<&str>::from(state))
    .bind(tried.way.map(<&str>::from))
    .bind(tried.provider_no)
    .bind(tried.error)
    .bind((state == SmsState::Accepted).then_some(now))
    .bind(now)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Sets a message's state after a failure of this program, unless the item only waits.
pub async fn put_off(tx: &mut Connection, put_off: &PutOff, now: i64) -> Result<(), sqlx::Error> {
    let (Some(id), true) = (put_off.ref_id, put_off.state != State::Waiting) else { return Ok(()) };
    end_try(tx, id, &Tried { state: put_off.state, way: None, provider_no: None, error: Some("own_fault") }, now).await
}

/// Marks the messages that would be sent as unconfirmed, after the database was restored from a backup: they may have
/// been sent since. A person sends them again, or gives them up. Returns how many there are.
pub async fn mark_restored(tx: &mut Connection, now: i64) -> Result<u64, sqlx::Error> {
    let marked = outbox::queue::doubt(&mut *tx, Kind::Sms, RESTORED, now).await?;
    sqlx::query(
        "UPDATE sms_message SET state = 'unconfirmed', last_error = $1, version = version + 1, updated_at = $2 \
         WHERE state IN ('waiting', 'unconfirmed') AND id IN (SELECT i.ref_id FROM outbox_item i \
           WHERE i.kind = 'sms' AND i.state = 'unconfirmed' AND i.last_error = $3 AND i.updated_at = $4)",
    )
    .bind(RESTORED)
    .bind(now)
    .bind(RESTORED)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(marked)
}

/// Stores the provider's number of a message that was ended in another way before its try ended.
pub async fn keep_provider_no(tx: &mut Connection, id: i64, way: Option<SmsWay>, provider_no: Option<&str>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE sms_message SET way = COALESCE(way, $1), provider_no = COALESCE(provider_no, $2) WHERE id = $3")
        .bind(way.map(<&str>::from))
        .bind(provider_no)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Sends a message again over the given version, until a moment. Returns whether that version existed. None if it is
/// being sent right now.
pub async fn again(tx: &mut Connection, row: &SmsRow, expires_at: Option<i64>, stamp: Stamp) -> Result<Option<bool>, sqlx::Error> {
    if !outbox::queue::again(tx, Kind::Sms, row.id, expires_at, stamp.at).await? {
        return Ok(None);
    }
    let written = sqlx::query(
        "UPDATE sms_message SET state = CASE WHEN state = 'failed' THEN 'waiting' ELSE state END, expires_at = $1, version = version + 1, \
           updated_at = $2 WHERE id = $3 AND version = $4 AND state IN ('failed', 'unconfirmed')",
    )
    .bind(expires_at)
    .bind(stamp.at)
    .bind(row.id)
    .bind(row.version)
    .execute(tx)
    .await?;
    Ok(Some(written.rows_affected() == 1))
}

/// Gives a message up over the given version. Returns whether that version existed.
pub async fn give_up(tx: &mut Connection, row: &SmsRow, stamp: Stamp) -> Result<bool, sqlx::Error> {
    outbox::queue::end(tx, Kind::Sms, row.id, State::GivenUp, stamp.at).await?;
    sqlx::query(
        "UPDATE sms_message SET state = 'given_up', version = version + 1, updated_at = $1 \
         WHERE id = $2 AND version = $3 AND state IN ('failed', 'unconfirmed')",
    )
    .bind(stamp.at)
    .bind(row.id)
    .bind(row.version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// The message of a number, the platform's or otherwise the provider's; none if it is not unique.
pub async fn numbered(tx: &mut Connection, no: Option<&str>, provider_no: Option<&str>) -> Result<Option<i64>, sqlx::Error> {
    let (statement, number) = match (no, provider_no) {
        (Some(no), _) => ("SELECT id FROM sms_message WHERE no = $1 LIMIT 2", no),
        (None, Some(no)) => ("SELECT id FROM sms_message WHERE provider_no = $1 LIMIT 2", no),
        (None, None) => return Ok(None),
    };
    if number.chars().count() > LONGEST_NO {
        return Ok(None);
    }
    let found: Vec<i64> = sqlx::query_scalar(statement).bind(number).fetch_all(tx).await?;
    Ok(<[i64; 1]>::try_from(found).ok().map(|[id]| id))
}

/// Stores a report on a message, unless there is a newer one, and ends its item: a report proves that the provider
/// has it. Returns whether it contains something new.
pub async fn reported(tx: &mut Connection, id: i64, delivery: &Delivery<'_>, now: i64) -> Result<bool, sqlx::Error> {
    outbox::queue::end(tx, Kind::Sms, id, State::Done, now).await?;
    sqlx::query(
        "UPDATE sms_message SET state = $1, last_error = $2, reported_at = $3, provider_no = COALESCE(provider_no, $4), \
           version = version + 1, updated_at = $5 WHERE id = $6 AND (reported_at IS NULL OR reported_at < $7)",
    )
    .bind(<&str>::from(delivery.state))
    .bind(delivery.error)
    .bind(delivery.at)
    .bind(delivery.provider_no)
    .bind(now)
    .bind(id)
    .bind(delivery.at)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Messages of a kind sent by people since a moment, to all phones and to one; and when the last of these was.
pub async fn sent_since(tx: &mut Connection, kind: SmsKind, phone_hash: &str, since: i64) -> Result<(i64, Option<i64>), sqlx::Error> {
    let row = sqlx::query(
        "SELECT COUNT(*) AS sent, MAX(CASE WHEN phone_hash = $1 THEN created_at END) AS last FROM sms_message \
         WHERE kind = $2 AND created_at > $3",
    )
    .bind(phone_hash)
    .bind(<&str>::from(kind))
    .bind(since)
    .fetch_one(tx)
    .await?;
    Ok((row.try_get("sent")?, row.try_get("last")?))
}

/// Short messages. Those that failed or are unconfirmed stay for staff to handle, except codes and tests, which have expired by then.
pub const OLD_MESSAGES: OldRows = OldRows {
    name: "short messages",
    keep: Keep::AsSet(&setting::SMS_KEEP_DAYS),
    statement: "DELETE FROM sms_message WHERE id IN (SELECT id FROM sms_message WHERE created_at < $1 AND state <> 'waiting' \
                AND (state NOT IN ('failed', 'unconfirmed') OR kind IN ('code', 'test')) ORDER BY created_at, id LIMIT $2)",
};

/// Their items.
pub const OLD_ITEMS: OldRows =
    OldRows { name: "what carried short messages", keep: Keep::AsSet(&setting::SMS_KEEP_DAYS), statement: outbox::queue::DELETE_OLD_SMS };

#[cfg(test)]
mod tests {
    use super::super::list::Messages;
    use super::*;
    use crate::api::list_checks::{every_sort_walks_an_index, plan};
    use base::db::plans::Plans;

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Messages>(&[]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, SmsFilters::default);
        for (index, filters) in [
            ("sms_message_state", SmsFilters { state: Some(SmsState::Failed), ..none() }),
            ("sms_message_kind", SmsFilters { kind: Some(SmsKind::Code), ..none() }),
            ("sms_message_phone", SmsFilters { keyword_hash: Some("h".into()), ..none() }),
        ] {
            let plan = plan::<Messages>(&plans, filters, Scope::All).await;
            assert!(plan.contains(&format!("SEARCH s USING COVERING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
