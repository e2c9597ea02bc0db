//! The states of a delivery: added, tried, accepted, refused, returned, stopped, erased.

use sqlx::{Any, Executor, Row};
use strum::{EnumString, IntoStaticStr};

use super::attempt;
use super::model::{AuthStatus, PushAttempt, PushStatus};
use crate::ledger::Held;
use crate::plan::{DeliverMode, PlanRow, SaleMode};
use base::db::{self, Connection, Sql};
use frame::old_rows::{Keep, OldRows};
use frame::places;
use frame::setting;

/// A new push.
pub struct NewPush<'n> {
    pub no: &'n str,
    pub name_mask: &'n str,
    pub phone_mask: &'n str,
    pub city: &'n str,
    pub plan_id: i64,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub channel_id: i64,
    pub product_id: Option<i64>,
    pub sale_mode: SaleMode,
    pub price_cents: i64,
    pub status: PushStatus,
    pub upstream_no: Option<&'n str>,
    pub reject: Option<(&'n str, &'n str)>,
    pub next_retry_at: Option<i64>,
    pub at: i64,
}

/// Adds a push with its tries. Returns its id.
pub async fn insert(tx: &mut Connection, push: &NewPush<'_>, tries: &[PushAttempt]) -> Result<i64, sqlx::Error> {
    let sold_at = matches!(push.status, PushStatus::Accepted | PushStatus::Returned).then_some(push.at);
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO push_record (no, name_mask, phone_mask, city, plan_id, org_id, sub_org_id, channel_id, product_id, sale_mode, price_cents, \
           status, attempts, next_retry_at, upstream_no, reject_code, reject_reason, sold_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) RETURNING id",
    )
    .bind(push.no)
    .bind(push.name_mask)
    .bind(push.phone_mask)
    .bind(push.city)
    .bind(push.plan_id)
    .bind(push.org_id)
    .bind(push.sub_org_id)
    .bind(push.channel_id)
    .bind(push.product_id)
    .bind(<&str>::from(push.sale_mode))
    .bind(push.price_cents)
    .bind(<&str>::from(push.status))
    .bind(tries.len() as i64)
    .bind(push.next_retry_at)
    .bind(push.upstream_no)
    .bind(push.reject.map(|(code, _)| code))
    .bind(push.reject.map(|(_, reason)| reason))
    .bind(sold_at)
    .bind(push.at)
    .bind(tries.last().map_or(push.at, |last| last.at))
    .fetch_one(&mut *tx)
    .await?;
    for attempt in tries {
        tried(tx, id, attempt).await?;
    }
    Ok(id)
}

/// A lead that a plan buys.
pub struct Lead<'l> {
    pub no: &'l str,
    /// Its buyer is a test organisation: it costs nothing.
    pub test: bool,
    pub user_id: i64,
    pub phone_hash: &'l str,
    pub name_mask: &'l str,
    pub phone_mask: &'l str,
    pub city: &'l str,
    pub plan: &'l PlanRow,
    pub channel_id: i64,
    /// Held from the account of its organisation.
    pub price_cents: i64,
    pub channel_cost_cents: i64,
    /// The most buyers of this person that the plan was promised: 1 if it is the only one.
    pub most_buyers: i64,
    /// The push that a person repeats by it.
    pub repeats_id: Option<i64>,
    /// The data that its buyer gets instead of the applicant's answers, sealed.
    pub edited_enc: Option<&'l str>,
    /// The deadline for the applicant's agreement on the organisation's page, and the page's address, sealed.
    pub auth: Option<(i64, &'l str)>,
    pub at: i64,
}

/// The first status of a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// It waits for its delivery, with its price held.
    Queued,
    /// No answer is needed: it is accepted and paid.
    AtOnce,
}

/// Adds a lead. Returns its push.
pub async fn add(tx: &mut Connection, lead: &Lead<'_>, start: Start) -> Result<Delivery, sqlx::Error> {
    let queued = start == Start::Queued;
    let held_cents = if queued { lead.price_cents } else { 0 };
    let id = sqlx::query_scalar(
        "INSERT INTO push_record (no, user_id, phone_hash, name_mask, phone_mask, city, plan_id, org_id, sub_org_id, channel_id, product_id, \
           sale_mode, price_cents, held_cents, channel_cost_cents, test, status, most_buyers, repeats_id, edited_enc, \
           auth_status, auth_until, auth_url_enc, sold_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26) RETURNING id",
    )
    .bind(lead.no)
    .bind(lead.user_id)
    .bind(lead.phone_hash)
    .bind(lead.name_mask)
    .bind(lead.phone_mask)
    .bind(lead.city)
    .bind(lead.plan.id)
    .bind(lead.plan.org_id)
    .bind(lead.plan.sub_org_id)
    .bind(lead.channel_id)
    .bind(lead.plan.product_id)
    .bind(<&str>::from(lead.plan.sale_mode))
    .bind(lead.price_cents)
    .bind(held_cents)
    .bind(lead.channel_cost_cents)
    .bind(i64::from(lead.test))
    .bind(<&str>::from(if queued { PushStatus::Queued } else { PushStatus::Accepted }))
    .bind(lead.most_buyers)
    .bind(lead.repeats_id)
    .bind(lead.edited_enc)
    .bind(lead.auth.map(|_| <&str>::from(AuthStatus::Waiting)))
    .bind(lead.auth.map(|(until, _)| until))
    .bind(lead.auth.map(|(_, url_enc)| url_enc))
    .bind((!queued).then_some(lead.at))
    .bind(lead.at)
    .bind(lead.at)
    .fetch_one(tx)
    .await?;
    Ok(Delivery {
        id,
        no: lead.no.to_owned(),
        user_id: lead.user_id,
        phone_hash: lead.phone_hash.to_owned(),
        name_mask: lead.name_mask.to_owned(),
        phone_mask: lead.phone_mask.to_owned(),
        city: lead.city.to_owned(),
        plan_id: lead.plan.id,
        deliver_mode: lead.plan.deliver_mode,
        org_id: lead.plan.org_id,
        sub_org_id: lead.plan.sub_org_id,
        price_cents: lead.price_cents,
        held_cents,
        held_gift_cents: 0,
        channel_cost_cents: lead.channel_cost_cents,
        test: lead.test,
        attempts: 0,
        unconfirmed: false,
        erased: false,
        stopped: None,
        auth_status: lead.auth.map(|_| AuthStatus::Waiting),
        auth_until: lead.auth.map(|(until, _)| until),
        edited_enc: lead.edited_enc.map(str::to_owned),
    })
}

/// The leads of an applicant that are on their way.
pub async fn ids_on_way<'e>(on: impl Executor<'e, Database = Any>, user_id: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT id FROM push_record WHERE user_id = $1 AND status IN ('queued', 'sending', 'retrying', 'unconfirmed') ORDER BY id",
    )
    .bind(user_id)
    .fetch_all(on)
    .await
}

/// A lead of an applicant that an organisation has: its id and number, its organisation and the team.
#[derive(Debug)]
pub struct Taken {
    pub id: i64,
    pub no: String,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
}

/// The leads of an applicant that organisations have.
pub async fn taken_of_user(tx: &mut Connection, user_id: i64) -> Result<Vec<Taken>, sqlx::Error> {
    let rows = sqlx::query("SELECT id, no, org_id, sub_org_id FROM push_record WHERE user_id = $1 AND status = 'accepted' ORDER BY id")
        .bind(user_id)
        .fetch_all(tx)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(Taken {
                id: row.try_get("id")?,
                no: row.try_get("no")?,
                org_id: row.try_get("org_id")?,
                sub_org_id: row.try_get("sub_org_id")?,
            })
        })
        .collect()
}

/// Why the data of an applicant may no longer be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Stop {
    /// A member of staff marked the applicant invalid.
    Invalid,
    /// The applicant withdrew the consent.
    Consent,
}

/// A lead on its way, with the data for deliveries and for its end.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: i64,
    pub no: String,
    pub user_id: i64,
    pub phone_hash: String,
    pub name_mask: String,
    pub phone_mask: String,
    pub city: String,
    pub plan_id: i64,
    pub deliver_mode: DeliverMode,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub price_cents: i64,
    pub held_cents: i64,
    /// The part of it from gifts.
    pub held_gift_cents: i64,
    /// What the channel gets if the lead is accepted, in fen: once for an applicant.
    pub channel_cost_cents: i64,
    /// Its buyer was a test organisation at the sale: no money moves.
    pub test: bool,
    pub attempts: i64,
    /// It is unknown whether its organisation has it.
    pub unconfirmed: bool,
    /// The applicant's identity is erased.
    pub erased: bool,
    /// Why it may not be sent any more, if so.
    pub stopped: Option<Stop>,
    /// Set if the applicant has to agree on the organisation's page first.
    pub auth_status: Option<AuthStatus>,
    pub auth_until: Option<i64>,
    /// The data that its organisation gets instead of the applicant's answers, sealed.
    pub edited_enc: Option<String>,
}

impl Delivery {
    /// The amount held from its organisation's account.
    pub fn held(&self) -> Held {
        Held { cents: self.held_cents, gift_cents: self.held_gift_cents }
    }
}

/// Locks a lead until the transaction ends. Its applicant is locked first, as everywhere where both are locked.
pub async fn hold(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    hold_applicant(&mut *tx, id).await?;
    let mut sql = Sql::new("SELECT h.id FROM push_record h WHERE h.id = ");
    sql.bind(id);
    tx.hold(&mut sql, "h");
    sql.fetch_optional(tx).await.map(drop)
}

async fn hold_applicant(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.id = (SELECT h.user_id FROM push_record h WHERE h.id = ");
    sql.bind(id).push(")");
    tx.hold(&mut sql, "u");
    sql.fetch_optional(tx).await.map(drop)
}

/// A lead that is on its way, locked as in [`hold`]; none once it has arrived or ended.
pub async fn find(tx: &mut Connection, id: i64) -> Result<Option<Delivery>, sqlx::Error> {
    hold_applicant(&mut *tx, id).await?;
    let mut sql = Sql::new(concat!(
        "SELECT h.id, h.no, h.user_id, h.phone_hash, h.name_mask, h.phone_mask, h.city, h.plan_id, p.deliver_mode, h.org_id, h.sub_org_id, \
           h.price_cents, h.held_cents, h.held_gift_cents, h.channel_cost_cents, h.test, h.attempts, h.status, h.auth_status, h.auth_until, h.edited_enc, h.created_at, \
           CASE WHEN u.status = 'erased' THEN 1 ELSE 0 END AS erased, \
           CASE WHEN u.status = 'invalid' THEN 'invalid' WHEN ",
        crate::plan::push::people::withdrawn_at!("u.id"),
        " IS NOT NULL THEN 'consent' END AS stopped FROM push_record h \
           JOIN plan p ON p.id = h.plan_id JOIN applicant u ON u.id = h.user_id \
         WHERE h.status IN ('queued', 'sending', 'retrying', 'unconfirmed') AND h.id = ",
    ));
    sql.bind(id);
    tx.hold(&mut sql, "h");
    let Some(row) = sql.fetch_optional(tx).await? else { return Ok(None) };
    Ok(Some(Delivery {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        user_id: row.try_get("user_id")?,
        phone_hash: row.try_get::<Option<String>, _>("phone_hash")?.unwrap_or_default(),
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        city: places::stored(&row, "city")?,
        plan_id: row.try_get("plan_id")?,
        deliver_mode: db::code(&row, "deliver_mode")?,
        org_id: row.try_get("org_id")?,
        sub_org_id: row.try_get("sub_org_id")?,
        price_cents: row.try_get("price_cents")?,
        held_cents: row.try_get("held_cents")?,
        held_gift_cents: row.try_get("held_gift_cents")?,
        channel_cost_cents: row.try_get("channel_cost_cents")?,
        test: db::flag(&row, "test")?,
        attempts: row.try_get("attempts")?,
        unconfirmed: row.try_get::<&str, _>("status")? == <&str>::from(PushStatus::Unconfirmed),
        erased: db::flag(&row, "erased")?,
        stopped: db::optional_code(&row, "stopped")?,
        auth_status: db::optional_code(&row, "auth_status")?,
        auth_until: row.try_get("auth_until")?,
        edited_enc: row.try_get("edited_enc")?,
    }))
}

/// Writes a try before anything is sent.
pub async fn begin_try(tx: &mut Connection, id: i64, attempt: &PushAttempt) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET status = 'sending', attempts = $1, updated_at = $2 WHERE id = $3")
        .bind(attempt.seq)
        .bind(attempt.at)
        .bind(id)
        .execute(&mut *tx)
        .await?;
    tried(tx, id, attempt).await
}

/// Writes the result of a try, whichever process has the lead by now. The answer is not stored if the applicant was
/// erased meanwhile.
pub async fn end_try(tx: &mut Connection, id: i64, attempt: &PushAttempt) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE push_attempt SET http_status = $1, resp_masked = CASE WHEN (SELECT u.status FROM push_record h JOIN applicant u \
           ON u.id = h.user_id WHERE h.id = $2) = 'erased' THEN NULL ELSE $3 END, cost_ms = $4, error = $5, outcome = $6 \
         WHERE push_id = $7 AND seq = $8",
    )
    .bind(attempt.http_status)
    .bind(id)
    .bind(attempt.response.as_deref())
    .bind(attempt.cost_ms)
    .bind(attempt.error.as_deref())
    .bind(attempt.outcome.map(<&str>::from))
    .bind(id)
    .bind(attempt.seq)
    .execute(tx)
    .await
    .map(drop)
}

/// Stores one try.
pub async fn tried(tx: &mut Connection, id: i64, attempt: &PushAttempt) -> Result<(), sqlx::Error> {
    const KEEP: &str = "INSERT INTO push_attempt (push_id, seq, url, req_masked, http_status, resp_masked, cost_ms, error, outcome, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    attempt::keep(tx, KEEP, id, attempt).await
}

/// Stores which part of the held price is from gifts.
pub async fn held_of_gifts(tx: &mut Connection, id: i64, gift_cents: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET held_gift_cents = $1 WHERE id = $2").bind(gift_cents).bind(id).execute(tx).await.map(drop)
}

/// Marks a lead as accepted by its organisation.
pub async fn accepted(tx: &mut Connection, id: i64, upstream_no: Option<&str>, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE push_record SET status = 'accepted', held_cents = 0, held_gift_cents = 0, next_retry_at = NULL, upstream_no = $1, sold_at = $2, updated_at = $3 \
         WHERE id = $4",
    )
    .bind(upstream_no)
    .bind(at)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Whether a lead was accepted by its organisation; it may have been returned since.
pub async fn is_accepted(tx: &mut Connection, id: i64) -> Result<bool, sqlx::Error> {
    let status: String = sqlx::query_scalar("SELECT status FROM push_record WHERE id = $1").bind(id).fetch_one(tx).await?;
    Ok(matches!(status.parse(), Ok(PushStatus::Accepted | PushStatus::Returned)))
}

/// Leads of a plan that wait for a try, up to a limit.
pub async fn waiting_of(tx: &mut Connection, plan_id: i64, most: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT id FROM push_record WHERE plan_id = $1 AND status IN ('queued', 'retrying') \
           AND COALESCE(auth_status, '') <> 'waiting' ORDER BY created_at DESC, id DESC LIMIT $2",
    )
    .bind(plan_id)
    .bind(most)
    .fetch_all(tx)
    .await
}

/// Marks a lead as not accepted by its organisation.
pub async fn refused(tx: &mut Connection, id: i64, status: PushStatus, code: &str, reason: &str, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE push_record SET status = $1, held_cents = 0, held_gift_cents = 0, next_retry_at = NULL, reject_code = $2, reject_reason = $3, updated_at = $4, \
           auth_url_enc = NULL, auth_status = CASE WHEN auth_status = 'waiting' THEN 'expired' ELSE auth_status END \
         WHERE id = $5",
    )
    .bind(<&str>::from(status))
    .bind(code)
    .bind(reason)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Marks an accepted lead as returned. Returns whether it was accepted.
pub async fn returned(tx: &mut Connection, id: i64, at: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE push_record SET status = 'returned', updated_at = $1 WHERE id = $2 AND status = 'accepted'")
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Stores a lead's last return and its status.
pub async fn set_return(tx: &mut Connection, id: i64, return_id: i64, status: &'static str, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET return_id = $1, return_status = $2, updated_at = $3 WHERE id = $4")
        .bind(return_id)
        .bind(status)
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Marks a lead as waiting for its next try, or for confirmation.
pub async fn waits(tx: &mut Connection, id: i64, status: PushStatus, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET status = $1, next_retry_at = NULL, updated_at = $2 WHERE id = $3")
        .bind(<&str>::from(status))
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Wipes the applicant's identity in the pushes; sales and payments stay.
pub async fn erase(tx: &mut Connection, user_id: i64, now: i64) -> Result<(), sqlx::Error> {
    // Reasons in the organisation's words may name the applicant, even if masked; the platform's own do not.
    sqlx::query(
        "UPDATE push_record SET name_mask = '***', phone_mask = '***', city = '', edited_enc = NULL, auth_url_enc = NULL, \
           reject_reason = CASE WHEN reject_reason IS NULL OR status = 'cancelled' OR reject_code IN ('no_delivery', 'not_there', 'auth_declined', 'auth_expired') \
             THEN reject_reason ELSE '***' END, \
           updated_at = CASE WHEN status IN ('rejected', 'duplicate', 'failed', 'returned', 'cancelled') THEN updated_at ELSE $1 END WHERE user_id = $2",
    )
    .bind(now)
    .bind(user_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "UPDATE push_attempt SET req_masked = '', resp_masked = NULL WHERE push_id IN (SELECT id FROM push_record WHERE user_id = $1)",
    )
    .bind(user_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Old tries of leads. Those of leads on their way or in doubt are kept, since people look at them.
pub const OLD_ATTEMPTS: OldRows = OldRows {
    name: "tries of leads",
    keep: Keep::AsSet(&setting::LEAD_TRIES_DAYS),
    statement: "DELETE FROM push_attempt WHERE id IN (SELECT t.id FROM push_attempt t JOIN push_record h ON h.id = t.push_id \
                WHERE t.at < $1 AND h.status NOT IN ('queued', 'sending', 'retrying', 'unconfirmed') ORDER BY t.at LIMIT $2)",
};
