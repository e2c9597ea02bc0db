//! The search for a buyer of an applicant: whose round is due, which process has leased them, and how a round ended.

use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::model::UserStatus;
use super::person::{KnownBy, read_known_by, stored_said};
use crate::match_log::PassedOver;
use crate::plan::push::people::withdrawn_at;
use crate::visit::System;
use base::clock::MINUTE;
use base::db::{self, Connection, Db, Sql, padded};
use frame::places;

/// The applicant has been sold, or is about to be.
pub(super) const IS_SOLD: &str = "EXISTS (SELECT 1 FROM push_record h WHERE h.user_id = applicant.id \
     AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted', 'returned'))";

/// The applicant of a round.
#[derive(Clone, Debug)]
pub struct RoundApplicant {
    pub id: i64,
    /// The hashes of the blacklist; the address is none if it is stored in clear, as in older rows.
    pub known_by: KnownBy,
    pub phone_mask: String,
    pub name_mask: String,
    pub city: String,
    pub province: String,
    pub said: Map<String, Value>,
    pub channel_id: i64,
    pub product_id: Option<i64>,
    /// From a channel in test mode.
    pub test: bool,
    /// What the channel gets once the lead is accepted, in fen.
    pub lead_cents: i64,
    /// The applicant's address in clear, in older rows; empty otherwise.
    pub client_ip: String,
    pub rounds: i64,
    pub system: System,
    pub no: String,
    pub came_at: i64,
    /// The consent that holds, if there is one.
    pub consent_id: Option<i64>,
    /// Organisations that the consent names.
    pub recipients: Vec<i64>,
    /// The consent names all partners.
    pub all_partners: bool,
}

/// Applicants who wait for a round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backlog {
    /// Applicants whose round should have begun by now.
    pub due: i64,
    /// Since when the oldest of them has been due.
    pub oldest_at: Option<i64>,
    /// Applicants whose rounds keep failing: two or more were begun since the last finished one, besides the one that
    /// begins at intake.
    pub failing: i64,
}

/// Counts the applicants who wait for a round.
pub async fn backlog<'e>(on: impl Executor<'e, Database = Any>, now: i64) -> Result<Backlog, sqlx::Error> {
    let row = sqlx::query(
        "SELECT COUNT(*) AS due, MIN(due_at) AS oldest, (SELECT COUNT(*) FROM applicant WHERE begun > 1) AS failing \
         FROM applicant WHERE due_at IS NOT NULL AND due_at <= $1",
    )
    .bind(now)
    .fetch_one(on)
    .await?;
    Ok(Backlog { due: row.try_get("due")?, oldest_at: row.try_get("oldest")?, failing: row.try_get("failing")? })
}

/// An applicant whose round is due.
#[derive(Clone, Copy, Debug)]
pub struct DueUser {
    pub id: i64,
    /// The due time as it was read. The claim checks that it is unchanged.
    pub seen: i64,
    /// Another process had leased the applicant until then and did not finish the round.
    pub lost: bool,
    /// Rounds begun since the last that was finished, besides the one that begins at intake.
    pub begun: i64,
}

/// Applicants whose round is due, oldest first.
pub async fn due<'e>(on: impl Executor<'e, Database = Any>, now: i64, most: i64) -> Result<Vec<DueUser>, sqlx::Error> {
    let rows = due_statement(now, most).fetch_all(on).await?;
    let read = |row: &AnyRow| {
        Ok(DueUser {
            id: row.try_get("id")?,
            seen: row.try_get("due_at")?,
            lost: db::code::<UserStatus>(row, "status")? == UserStatus::Matching,
            begun: row.try_get("begun")?,
        })
    };
    rows.iter().map(read).collect()
}

fn due_statement(now: i64, most: i64) -> Sql {
    let mut sql = Sql::new("SELECT id, due_at, status, begun FROM applicant WHERE due_at IS NOT NULL AND due_at <= ");
    sql.bind(now).push(" ORDER BY due_at, id LIMIT ").bind(most);
    sql
}

/// Begins a round: leases the applicant to this process until a moment, unless another process has begun a round since the
/// applicant was read as due. Returns whether it did.
pub async fn claim(tx: &mut Connection, id: i64, seen: i64, until: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE applicant SET status = 'matching', due_at = $1, begun = begun + 1 WHERE id = $2 AND due_at = $3")
        .bind(until)
        .bind(id)
        .bind(seen)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Renews the lease of an applicant while the round waits. Returns whether the process still had it.
pub async fn renew(tx: &mut Connection, id: i64, until: i64, next: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE applicant SET due_at = $1 WHERE id = $2 AND due_at = $3")
        .bind(next)
        .bind(id)
        .bind(until)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Ends the lease of an applicant whose round could not begin or go on. It does not count as a round that did not finish.
pub async fn give_back(tx: &mut Connection, id: i64, until: i64, due_at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE applicant SET due_at = $1, begun = CASE WHEN begun > 0 THEN begun - 1 ELSE 0 END WHERE id = $2 AND due_at = $3")
        .bind(due_at)
        .bind(id)
        .bind(until)
        .execute(tx)
        .await
        .map(drop)
}

/// How many rounds of a leased applicant were begun since the last finished one; none if the lease is over.
pub async fn begun(tx: &mut Connection, id: i64, until: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT begun FROM applicant WHERE id = $1 AND due_at = $2").bind(id).bind(until).fetch_optional(tx).await
}

/// Puts off the next round of a leased applicant whose round did not finish; by a minute at most, if another round
/// was asked for meanwhile. Until then the applicant may be erased.
pub async fn put_off(tx: &mut Connection, id: i64, until: i64, due_at: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE applicant SET status = 'completed', due_at = CASE WHEN look_again = 1 THEN $1 ELSE $2 END, look_again = 0, \
           version = version + 1, updated_at = $3 WHERE id = $4 AND due_at = $5 AND status = 'matching'",
    )
    .bind(due_at.min(now + MINUTE))
    .bind(due_at)
    .bind(now)
    .bind(id)
    .bind(until)
    .execute(tx)
    .await
    .map(drop)
}

/// Locks a leased applicant for a transaction. Returns whether the lease still holds.
pub async fn still_has(tx: &mut Connection, id: i64, until: i64) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.id = ");
    sql.bind(id).push(" AND u.due_at = ").bind(until);
    tx.hold(&mut sql, "u");
    Ok(sql.fetch_optional(tx).await?.is_some())
}

/// A leased applicant; none if the lease is over.
pub async fn claimed<'e>(on: impl Executor<'e, Database = Any>, id: i64, until: i64) -> Result<Option<RoundApplicant>, sqlx::Error> {
    read(on, id, Some(until)).await
}

/// An accepted applicant who is not erased, whether or not a round is under way.
pub async fn applicant<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<RoundApplicant>, sqlx::Error> {
    read(on, id, None).await
}

async fn read<'e>(on: impl Executor<'e, Database = Any>, id: i64, until: Option<i64>) -> Result<Option<RoundApplicant>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT u.id, u.no, u.phone_hash, u.id_no_hash, u.phone_mask, u.name_mask, u.city, u.province, u.said, u.channel_id, u.product_id, u.test, \
           u.client_ip, u.client_ip_hash, u.device_hash, u.rounds, u.system, u.created_at, k.id AS consent_id, k.recipients, k.all_partners, \
           CASE WHEN c.settle_mode = 'accepted_lead' AND u.test = 0 THEN c.unit_price_cents ELSE 0 END AS lead_cents \
         FROM applicant u JOIN channel c ON c.id = u.channel_id LEFT JOIN consent_record k ON k.id = \
           (SELECT MAX(n.id) FROM consent_record n WHERE n.user_id = u.id AND n.revoked_at IS NULL) WHERE u.id = ",
    );
    sql.bind(id);
    match until {
        Some(until) => sql.push(" AND u.due_at = ").bind(until),
        None => sql.push(" AND u.status IN ('completed', 'distributed', 'unmatched', 'matching')"),
    };
    let Some(row) = sql.fetch_optional(on).await? else { return Ok(None) };
    let recipients = match row.try_get::<Option<&str>, _>("recipients")? {
        Some(_) => db::json(&row, "recipients")?,
        None => Vec::new(),
    };
    Ok(Some(RoundApplicant {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        known_by: read_known_by(&row)?,
        phone_mask: row.try_get("phone_mask")?,
        name_mask: row.try_get("name_mask")?,
        city: places::stored(&row, "city")?,
        province: places::stored_province(&row, "province")?,
        said: stored_said(&row)?,
        channel_id: row.try_get("channel_id")?,
        product_id: row.try_get("product_id")?,
        test: db::flag(&row, "test")?,
        lead_cents: row.try_get("lead_cents")?,
        client_ip: row.try_get("client_ip")?,
        rounds: row.try_get("rounds")?,
        system: db::code(&row, "system")?,
        came_at: row.try_get("created_at")?,
        consent_id: row.try_get("consent_id")?,
        recipients,
        all_partners: row.try_get::<Option<i64>, _>("all_partners")?.unwrap_or_default() != 0,
    }))
}

/// An applicant of a past round.
#[derive(Debug)]
pub struct PastApplicant {
    pub id: i64,
    pub phone_hash: String,
    pub channel_id: i64,
    pub test: bool,
    /// JSON; none after erasure.
    pub said: Option<String>,
    pub recipients: Vec<i64>,
    pub all_partners: bool,
    /// What its channel got for the first accepted lead, or would get by its present terms; fen.
    pub paid_cents: Option<i64>,
    pub lead_cents: i64,
}

/// Past applicants, with the consent that holds now.
pub async fn past(db: &Db, ids: &[i64]) -> Result<Vec<PastApplicant>, sqlx::Error> {
    let mut found = Vec::with_capacity(ids.len());
    for some in padded(ids) {
        let mut sql = Sql::new(
            "SELECT u.id, u.phone_hash, u.channel_id, u.test, CASE WHEN u.status <> 'erased' THEN u.said END AS said, k.recipients, k.all_partners, \
               (SELECT p.cost_cents FROM lead_cost p WHERE p.user_id = u.id AND p.cost_cents <> 0) AS paid_cents, \
               CASE WHEN c.settle_mode = 'accepted_lead' AND u.test = 0 THEN c.unit_price_cents ELSE 0 END AS lead_cents \
             FROM applicant u JOIN channel c ON c.id = u.channel_id LEFT JOIN consent_record k ON k.id = \
               (SELECT MAX(n.id) FROM consent_record n WHERE n.user_id = u.id AND n.revoked_at IS NULL) WHERE u.id IN ",
        );
        sql.ids(some.copied());
        for row in sql.fetch_all(db.read()).await? {
            let recipients = row.try_get::<Option<&str>, _>("recipients")?.map(|_| db::json(&row, "recipients")).transpose()?;
            found.push(PastApplicant {
                id: row.try_get("id")?,
                phone_hash: row.try_get("phone_hash")?,
                channel_id: row.try_get("channel_id")?,
                test: db::flag(&row, "test")?,
                said: row.try_get("said")?,
                recipients: recipients.unwrap_or_default(),
                all_partners: row.try_get::<Option<i64>, _>("all_partners")?.unwrap_or_default() != 0,
                paid_cents: row.try_get("paid_cents")?,
                lead_cents: row.try_get("lead_cents")?,
            });
        }
    }
    Ok(found)
}

/// The state of a round.
#[derive(Clone, Copy, Debug)]
pub struct RoundEnd<'e> {
    pub status: UserStatus,
    /// When the next round is due, if at all; while the round goes on, the end of the lease.
    pub due_at: Option<i64>,
    /// It counts as a round.
    pub counts: bool,
    /// The reason that stopped the most plans, if it ended without a sale.
    pub main_reason: Option<PassedOver>,
    /// The applicant's field whose conditions did so, if they were the reason.
    pub main_condition: Option<&'e str>,
}

impl RoundEnd<'_> {
    /// The round goes on, with a lease until a moment.
    pub fn goes_on(lease_until: i64) -> RoundEnd<'static> {
        RoundEnd { status: UserStatus::Matching, due_at: Some(lease_until), counts: false, main_reason: None, main_condition: None }
    }
}

/// Ends a round of a leased applicant, or continues it. Returns whether the lease still held. If a lead was refused
/// meanwhile and the round ends, another round follows.
pub async fn end(tx: &mut Connection, id: i64, until: i64, end: RoundEnd<'_>, now: i64) -> Result<bool, sqlx::Error> {
    let goes_on = end.status == UserStatus::Matching;
    sqlx::query(
        "UPDATE applicant SET status = $1, rounds = rounds + $2, begun = CASE WHEN $3 = 1 THEN begun ELSE 0 END, \
           due_at = CASE WHEN look_again = 1 AND $4 = 0 THEN $5 ELSE $6 END, look_again = CASE WHEN $7 = 1 THEN look_again ELSE 0 END, \
           main_reason = CASE WHEN $8 = 1 THEN main_reason ELSE $9 END, main_condition = CASE WHEN $10 = 1 THEN main_condition ELSE $11 END, \
           version = version + 1, updated_at = $12 WHERE id = $13 AND due_at = $14",
    )
    .bind(<&str>::from(end.status))
    .bind(i64::from(end.counts))
    .bind(i64::from(goes_on))
    .bind(i64::from(goes_on))
    .bind(now)
    .bind(end.due_at)
    .bind(i64::from(goes_on))
    .bind(i64::from(goes_on))
    .bind(end.main_reason.map(<&str>::from))
    .bind(i64::from(goes_on))
    .bind(end.main_condition)
    .bind(now)
    .bind(id)
    .bind(until)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Makes another round due at once, unless the applicant is erased, invalid or has withdrawn the consent. A later
/// round comes now; after a round that is under way, another follows.
pub async fn again(tx: &mut Connection, id: i64, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(concat!(
        "UPDATE applicant SET due_at = CASE WHEN status = 'matching' THEN due_at ELSE $1 END, \
           look_again = CASE WHEN status = 'matching' THEN 1 ELSE look_again END, updated_at = $2 \
         WHERE id = $3 AND (due_at IS NULL OR due_at > $4 OR status = 'matching') \
           AND status IN ('completed', 'distributed', 'unmatched', 'matching') \
           AND ",
        withdrawn_at!("applicant.id"),
        " IS NULL"
    ))
    .bind(now)
    .bind(now)
    .bind(id)
    .bind(now)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// The applicant was sold by hand: a round that is due is not made.
pub async fn sold_by_hand(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE applicant SET status = 'distributed', due_at = NULL, main_reason = NULL, main_condition = NULL, version = version + 1, updated_at = $1 \
         WHERE id = $2 AND status IN ('completed', 'unmatched')",
    )
    .bind(now)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Locks an applicant until the transaction ends.
pub async fn hold(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.id = ");
    sql.bind(id);
    tx.hold(&mut sql, "u");
    sql.fetch_optional(tx).await.map(drop)
}

/// Stops all rounds; a round that is under way ends without effect. An applicant who has been sold, or is about to
/// be, gets the status distributed.
pub async fn stop_matching(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    let mut sql =
        Sql::new("UPDATE applicant SET status = CASE WHEN status NOT IN ('completed', 'matching', 'distributed') THEN status WHEN ");
    sql.push(IS_SOLD)
        .push(" THEN 'distributed' ELSE 'unmatched' END, main_reason = CASE WHEN ")
        .push(IS_SOLD)
        .push(" THEN NULL ELSE main_reason END, due_at = NULL, look_again = 0, begun = 0, version = version + 1, updated_at = ");
    sql.bind(now).push(" WHERE id = ").bind(id);
    sql.execute(tx).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn who_is_due_is_found_without_the_others() {
        let plans = Plans::open().await;
        let plan = plans.of(due_statement(1, 10)).await;
        assert!(plan.starts_with("SEARCH applicant USING INDEX applicant_due") && !plan.contains("TEMP B-TREE FOR ORDER BY"), "{plan}");
    }
}
