//! Feedback in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::form::Outcome;
use super::model::{CallbackStatus, FeedbackFilters, FeedbackRow, FeedbackSource, HandleStatus};
use base::clock::DAY;
use base::db::sql::typed;
use base::db::{self, Connection, Sql};
use base::locale::Locale;
use base::outbox::queue::PutOff;
use base::outbox::{self, Destination, Kind, NewItem, State};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::api::YesNo;
use frame::old_rows::{Keep, OldRows};
use frame::setting;
use trade::plan::push::attempt;
use trade::plan::push::model::PushAttempt;
use trade::plan::push::people;
use trade::visit::lead;

/// How long callbacks are tried.
const EXPIRES: i64 = 3 * DAY;

/// Who sees feedback: the platform, the manager of the applicant's channel, and an organisation's people for their
/// own leads.
const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("f.channel_id IN (SELECT m.id FROM channel m WHERE m.owner_admin_id = ?)"),
    org: Some("f.org_id"),
    sub_org: Some("f.sub_org_id"),
    myself: None,
};

/// The query of the list, before [`narrow`].
pub const SELECT: &str = "SELECT f.id, f.user_id, u.no AS user_no, u.name_mask, u.phone_mask, u.test, f.channel_id, c.name AS channel_name, f.push_id, \
     h.no AS push_no, f.org_id, o.name AS org_name, f.source, f.star, f.end_code, e.label_zh AS end_name_zh, e.label_en AS end_name_en, e.tag_color AS label_color, f.loan_cents, \
     f.content, f.handle_status, b.real_name AS handler_name, f.handled_at, f.reply, f.callback_status, f.callback_attempts, \
     f.sent_to_channel_at, a.real_name AS creator_name, f.version, f.created_at, f.updated_at FROM feedback f \
     JOIN applicant u ON u.id = f.user_id JOIN channel c ON c.id = f.channel_id LEFT JOIN push_record h ON h.id = f.push_id \
     LEFT JOIN organisation o ON o.id = f.org_id LEFT JOIN administrator a ON a.id = f.created_by \
     LEFT JOIN administrator b ON b.id = f.handled_by LEFT JOIN dict_type k ON k.code = 'feedback_end_code' \
     LEFT JOIN dict_item e ON e.type_id = k.id AND e.value = f.end_code WHERE 1 = 1";

/// The same rows, for the count.
pub const COUNT: &str = "SELECT f.id FROM feedback f WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &FeedbackFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        // Numbers given by the platform are in capitals.
        sql.push(" AND (f.user_id IN (SELECT n.id FROM applicant n WHERE n.no = ").bind(keyword.to_uppercase());
        sql.push(") OR f.push_id IN (SELECT n.id FROM push_record n WHERE n.no = ").bind(keyword.to_uppercase());
        sql.push(" OR n.upstream_no = ").bind(keyword.to_owned()).push("))");
    }
    if let Some(hash) = &filters.keyword_hash {
        sql.push(" AND f.user_id IN (SELECT n.id FROM applicant n WHERE n.phone_hash = ").bind(hash.clone()).push(")");
    }
    sql.and("f.user_id = ", filters.user_id)
        .and("f.push_id = ", filters.push_id)
        .and("f.org_id = ", filters.org_id)
        .and("f.channel_id = ", filters.channel_id)
        .and("f.source = ", filters.source.map(<&str>::from))
        .and("f.star = ", filters.star)
        .and("f.end_code = ", filters.end_code.clone())
        .and("f.handle_status = ", filters.handle_status.map(<&str>::from))
        .and("f.callback_status = ", filters.callback_status.map(<&str>::from))
        .and("f.created_at >= ", filters.created_from)
        .and("f.created_at < ", filters.created_to);
    match filters.test {
        Some(YesNo::Yes) => sql.push(" AND f.user_id IN ").push(people::TEST_USERS),
        Some(YesNo::No) => sql.push(" AND f.user_id NOT IN ").push(people::TEST_USERS),
        None => sql,
    };
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`], its outcome in one language.
pub fn read(row: &AnyRow, locale: Locale) -> Result<FeedbackRow, sqlx::Error> {
    Ok(FeedbackRow {
        id: row.try_get("id")?,
        user_id: row.try_get("user_id")?,
        user_no: row.try_get("user_no")?,
        name_mask: row.try_get("name_mask")?,
        phone_mask: row.try_get("phone_mask")?,
        channel_id: row.try_get("channel_id")?,
        channel_name: row.try_get("channel_name")?,
        test: db::flag(row, "test")?,
        push_id: row.try_get("push_id")?,
        push_no: row.try_get("push_no")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        source: db::code(row, "source")?,
        star: row.try_get("star")?,
        end_code: row.try_get("end_code")?,
        end_name: row.try_get(locale.pick("end_name_zh", "end_name_en"))?,
        label_color: db::optional_code(row, "label_color")?,
        loan_cents: row.try_get("loan_cents")?,
        content: row.try_get("content")?,
        handle_status: db::code(row, "handle_status")?,
        handler_name: row.try_get("handler_name")?,
        handled_at: row.try_get("handled_at")?,
        reply: row.try_get("reply")?,
        callback_status: db::code(row, "callback_status")?,
        callback_attempts: row.try_get("callback_attempts")?,
        sent_to_channel_at: row.try_get("sent_to_channel_at")?,
        creator_name: row.try_get("creator_name")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One piece of feedback within a scope.
pub async fn find<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
    locale: Locale,
) -> Result<Option<FeedbackRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("f.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.map(|row| read(&row, locale)).transpose()
}

/// The feedback on an applicant within a scope, oldest first.
pub async fn of_user<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    user_id: i64,
    locale: Locale,
) -> Result<Vec<FeedbackRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("f.user_id = ", Some(user_id));
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY f.created_at, f.id");
    sql.fetch_all(on).await?.iter().map(|row| read(row, locale)).collect()
}

/// Feedback to be stored.
pub struct NewFeedback<'n> {
    pub user_id: i64,
    pub channel_id: i64,
    /// The lead that it is about, with its organisation and team.
    pub push: Option<(i64, i64, Option<i64>)>,
    pub source: FeedbackSource,
    pub outcome: &'n Outcome,
    pub request_id: Option<&'n str>,
    /// The channel has an address for callbacks.
    pub to_channel: bool,
    pub created_by: Option<i64>,
    pub at: i64,
}

/// Stores open feedback and returns its id; none if the organisation has sent it under this number already.
pub async fn insert(tx: &mut Connection, new: &NewFeedback<'_>) -> Result<Option<i64>, sqlx::Error> {
    let callback = if new.to_channel { CallbackStatus::Waiting } else { CallbackStatus::None };
    let id: Option<i64> = sqlx::query_scalar(
        "INSERT INTO feedback (user_id, push_id, org_id, sub_org_id, channel_id, source, star, end_code, loan_cents, content, request_id, \
           handle_status, callback_status, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'open', $12, $13, $14, $15, $16) ON CONFLICT DO NOTHING RETURNING id",
    )
    .bind(new.user_id)
    .bind(new.push.map(|(id, ..)| id))
    .bind(new.push.map(|(_, org_id, _)| org_id))
    .bind(new.push.and_then(|(.., sub_org_id)| sub_org_id))
    .bind(new.channel_id)
    .bind(<&str>::from(new.source))
    .bind(new.outcome.star)
    .bind(&new.outcome.end_code)
    .bind(new.outcome.loan_cents)
    .bind(&new.outcome.content)
    .bind(new.request_id)
    .bind(<&str>::from(callback))
    .bind(new.at)
    .bind(new.at)
    .bind(new.created_by)
    .bind(new.created_by)
    .fetch_optional(&mut *tx)
    .await?;
    if let (Some(id), Some(star)) = (id, new.outcome.star) {
        lead::rated(tx, id, star, new.at).await?;
    }
    if let Some(id) = id.filter(|_| new.to_channel) {
        queue(tx, id, new.channel_id, new.at).await?;
    }
    Ok(id)
}

/// The last report of an organisation's server on a lead.
pub async fn last_reported(tx: &mut Connection, push_id: i64) -> Result<Option<Outcome>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT star, end_code, loan_cents, content FROM feedback WHERE push_id = $1 AND request_id IS NOT NULL \
         ORDER BY created_at DESC, id DESC LIMIT 1",
    )
    .bind(push_id)
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        Ok(Outcome {
            star: row.try_get("star")?,
            end_code: row.try_get("end_code")?,
            loan_cents: row.try_get("loan_cents")?,
            content: row.try_get("content")?,
        })
    })
    .transpose()
}

/// Makes a step in the handling of feedback, over the given version. Returns whether that version existed.
pub async fn handle(
    tx: &mut Connection,
    id: i64,
    version: i64,
    status: HandleStatus,
    reply: &str,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE feedback SET handle_status = $1, reply = $2, handled_by = $3, handled_at = $4, version = version + 1, updated_at = $5, \
           updated_by = $6 WHERE id = $7 AND version = $8",
    )
    .bind(<&str>::from(status))
    .bind(reply)
    .bind(stamp.admin_id)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Queues a failed callback again, over the given version. Returns whether that version existed.
pub async fn resend(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let channel: Option<i64> = sqlx::query_scalar(
        "UPDATE feedback SET callback_status = 'waiting', version = version + 1, updated_at = $1, updated_by = $2 \
         WHERE id = $3 AND version = $4 AND callback_status IN ('failed', 'unconfirmed') RETURNING channel_id",
    )
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(channel_id) = channel else { return Ok(false) };
    if !outbox::queue::again(tx, Kind::Callback, id, None, stamp.at).await? {
        // It was given up by a version without an outbox.
        queue(tx, id, channel_id, stamp.at).await?;
    }
    Ok(true)
}

/// Gives up a failed callback, over the given version. Returns whether that version existed.
pub async fn give_up(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let written = sqlx::query(
        "UPDATE feedback SET callback_status = 'given_up', version = version + 1, updated_at = $1, updated_by = $2 \
         WHERE id = $3 AND version = $4 AND callback_status IN ('failed', 'unconfirmed')",
    )
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(&mut *tx)
    .await?;
    outbox::queue::end(tx, Kind::Callback, id, State::GivenUp, stamp.at).await?;
    Ok(written.rows_affected() == 1)
}

/// Wipes the texts about an applicant; stars, outcomes and loans stay.
pub async fn erase(tx: &mut Connection, user_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE feedback SET content = '', reply = '', version = version + 1, updated_at = $1 WHERE user_id = $2")
        .bind(now)
        .bind(user_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query("UPDATE feedback_attempt SET response = NULL WHERE feedback_id IN (SELECT id FROM feedback WHERE user_id = $1)")
        .bind(user_id)
        .execute(tx)
        .await
        .map(drop)
}

/// Queues the callback in the outbox, under a number that stays the same in all tries.
async fn queue(tx: &mut Connection, id: i64, channel_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let item = NewItem {
        kind: Kind::Callback,
        ref_id: Some(id),
        destination: Destination::Channel(channel_id),
        idem_key: &format!("callback-{id}"),
        payload_enc: None,
        due_at: now,
        expires_at: Some(now + EXPIRES),
    };
    outbox::queue::enqueue(tx, &item, now).await.map(drop)
}

/// Sets the status of a callback that is not tried again after a failure of this program.
pub async fn put_off(tx: &mut Connection, put_off: &PutOff) -> Result<(), sqlx::Error> {
    if !put_off.ended {
        return Ok(());
    }
    let status = if put_off.state == State::Unconfirmed { CallbackStatus::Unconfirmed } else { CallbackStatus::Failed };
    sqlx::query("UPDATE feedback SET callback_status = $1 WHERE id = $2 AND callback_status = 'waiting'")
        .bind(<&str>::from(status))
        .bind(put_off.ref_id)
        .execute(tx)
        .await
        .map(drop)
}

/// The content of a callback.
pub struct CallbackContent {
    pub channel_id: i64,
    pub user_no: String,
    /// The channel's own number of the applicant.
    pub request_id: Option<String>,
    /// The applicant came from a channel in test mode.
    pub test: bool,
    pub star: Option<i64>,
    pub end_code: Option<String>,
    pub loan_cents: Option<i64>,
    pub at: i64,
    /// Tries so far, including this one.
    pub attempts: i64,
}

/// The current content of a callback.
pub async fn callback_content(tx: &mut Connection, id: i64) -> Result<CallbackContent, sqlx::Error> {
    let row = sqlx::query(
        "SELECT f.channel_id, u.no, u.request_id, u.test, f.star, f.end_code, f.loan_cents, f.created_at, f.callback_attempts + 1 AS attempts \
         FROM feedback f JOIN applicant u ON u.id = f.user_id WHERE f.id = $1",
    )
    .bind(id)
    .fetch_one(tx)
    .await?;
    Ok(CallbackContent {
        channel_id: row.try_get("channel_id")?,
        user_no: row.try_get("no")?,
        request_id: row.try_get("request_id")?,
        test: db::flag(&row, "test")?,
        star: row.try_get("star")?,
        end_code: row.try_get("end_code")?,
        loan_cents: row.try_get("loan_cents")?,
        at: row.try_get("created_at")?,
        attempts: row.try_get("attempts")?,
    })
}

/// Writes a try before anything is sent.
pub async fn begin_try(tx: &mut Connection, id: i64, made: &PushAttempt) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE feedback SET callback_attempts = $1 WHERE id = $2").bind(made.seq).bind(id).execute(&mut *tx).await?;
    const KEEP: &str = "INSERT INTO feedback_attempt (feedback_id, seq, url, request, http_status, response, cost_ms, error, outcome, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    attempt::keep(tx, KEEP, id, made).await
}

/// Writes the result of a try, and the status of the callback if this process still has the try.
pub async fn end_try(
    tx: &mut Connection,
    id: i64,
    status: Option<CallbackStatus>,
    made: &PushAttempt,
    now: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE feedback_attempt SET http_status = $1, response = $2, cost_ms = $3, error = $4, outcome = $5 WHERE feedback_id = $6 AND seq = $7",
    )
    .bind(made.http_status)
    .bind(made.response.as_deref())
    .bind(made.cost_ms)
    .bind(made.error.as_deref())
    .bind(made.outcome.map(<&str>::from))
    .bind(id)
    .bind(made.seq)
    .execute(&mut *tx)
    .await?;
    match status {
        Some(status) => set_callback_status(tx, id, status, now).await,
        None => Ok(()),
    }
}

/// Sets the status of a callback after a try, or when it has expired.
pub async fn set_callback_status(tx: &mut Connection, id: i64, status: CallbackStatus, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE feedback SET callback_status = $1, sent_to_channel_at = $2 WHERE id = $3")
        .bind(<&str>::from(status))
        .bind((status == CallbackStatus::Sent).then_some(now))
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// The tries of a callback, oldest first.
pub async fn tries<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<PushAttempt>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT seq, url, request, http_status, response, cost_ms, error, outcome, at FROM feedback_attempt WHERE feedback_id = $1 ORDER BY seq",
    )
    .bind(id)
    .fetch_all(on)
    .await?;
    rows.iter().map(attempt::read).collect()
}

/// Old tries of callbacks. Tries of feedback whose callback waits or failed are kept, since people look at them.
pub const OLD_ATTEMPTS: OldRows = OldRows {
    name: "tries to tell channels",
    keep: Keep::AsSet(&setting::LEAD_TRIES_DAYS),
    statement: "DELETE FROM feedback_attempt WHERE id IN (SELECT t.id FROM feedback_attempt t JOIN feedback f ON f.id = t.feedback_id \
                WHERE t.at < $1 AND f.callback_status NOT IN ('waiting', 'failed') ORDER BY t.at LIMIT $2)",
};

#[cfg(test)]
mod tests {
    use super::super::list::Feedback;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Feedback>(&[]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, FeedbackFilters::default);
        for (index, filters, scope) in [
            ("feedback_user", FeedbackFilters { user_id: Some(1), ..none() }, Scope::All),
            ("feedback_push", FeedbackFilters { push_id: Some(1), ..none() }, Scope::All),
            ("feedback_org", FeedbackFilters { org_id: Some(1), ..none() }, Scope::All),
            ("feedback_channel", FeedbackFilters { channel_id: Some(1), ..none() }, Scope::All),
            ("feedback_source", FeedbackFilters { source: Some(FeedbackSource::Staff), ..none() }, Scope::All),
            ("feedback_star", FeedbackFilters { star: Some(3), ..none() }, Scope::All),
            ("feedback_end_code", FeedbackFilters { end_code: Some("signed".into()), ..none() }, Scope::All),
            ("feedback_handle", FeedbackFilters { handle_status: Some(HandleStatus::Open), ..none() }, Scope::All),
            ("feedback_callback", FeedbackFilters { callback_status: Some(CallbackStatus::Failed), ..none() }, Scope::All),
            ("feedback_org", none(), Scope::Org(1)),
            ("feedback_sub_org", none(), Scope::SubOrg(1)),
        ] {
            let plan = plan::<Feedback>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH f USING COVERING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
