//! The queue of exports that are made later: asked for here, made by the worker (`crate::export`).
//!
//! A task is the call that asked for it, kept with who asked, in which role and language, from
//! where. Taking one is a conditional update under a lock, so that two nodes never make the same;
//! what a node takes it holds on a lease, and what it leaves behind when it dies is taken again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::Row;
use strum::{EnumString, IntoStaticStr};
use tokio::sync::Notify;

use super::Format;
use crate::api::ctx::Ctx;
use crate::api::error::ApiError;
use base::clock::{Clock, MINUTE};
use base::crypto::{Keys, Place, WrongKey, place};
use base::db::{self, Connection, Db, Tx};
use base::locale::Locale;
use base::say::{Say, say};
use base::storage;

/// Tasks of one account that wait or run, at most.
pub const MAX_WAITING: i64 = 10;
/// Tasks that run at the same moment, on all nodes together.
pub const MAX_RUNNING: i64 = 4;
/// How long a node holds a task without a sign of life.
pub const LEASE: i64 = MINUTE;
/// Times a task is begun before it counts as failed.
const TRIES: i64 = 3;
/// Pause before a task that broke is begun again, for each time it has broken.
const PAUSE: i64 = 5_000;

/// Wakes this process's worker: there may be a task for it.
pub static ADDED: Notify = Notify::const_new();

/// What has become of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum ExportStatus {
    Queued,
    Running,
    /// Its file is there.
    Success,
    Failed,
    /// By whoever asked for it.
    Stopped,
    /// Its file is gone.
    Expired,
}

/// A task that this process has taken.
#[derive(Clone, Debug)]
pub struct Task {
    pub id: i64,
    pub admin_id: i64,
    pub role_id: i64,
    /// Epoch milliseconds.
    pub asked_at: i64,
    /// The list's name.
    pub title: Say,
    /// Below `/api`.
    pub call: String,
    /// The body of the call, sealed.
    asked: String,
    pub locale: Locale,
    pub ip: String,
    pub request_id: String,
    /// Where its file goes.
    pub file_key: String,
    /// Where an earlier taking of it may have left something.
    pub left: Option<String>,
    /// Which taking of it this is: a later one makes this one void.
    taking: i64,
    /// How often it has broken.
    faults: i64,
    /// Its file has whole numbers.
    pub is_plain: bool,
}

impl Task {
    /// A schedule asked for it, not a person at a screen.
    pub fn is_scheduled(&self) -> bool {
        self.ip.is_empty()
    }
}

/// A finished file.
pub struct Made {
    pub name: String,
    pub rows: i64,
    pub size: i64,
    pub sha256: String,
    /// Whose rows it holds: how far its owner saw when it was made.
    pub scope: String,
}

/// Puts the call of `cx` into the queue, with the reason for whole numbers if its file has them, and returns the task's id.
pub(super) async fn add(
    cx: &Ctx,
    title: &Say,
    (format, plain_reason): (Format, Option<&str>),
    asked: &Map<String, Value>,
) -> Result<i64, ApiError> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    cx.db().lock(&mut tx, &format!("export:{}", viewer.id)).await?;
    let waiting: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM export_task WHERE admin_id = $1 AND ip <> '' AND status IN ('queued', 'running')")
            .bind(viewer.id)
            .fetch_one(&mut *tx)
            .await?;
    if waiting >= MAX_WAITING {
        return Err(ApiError::State(say(
            format!("您已有 {MAX_WAITING} 个导出任务未完成，请稍后再试"),
            format!("You already have {MAX_WAITING} unfinished exports, try again later"),
        )));
    }
    let (role_id, request_id) = (viewer.role.id, cx.request_id.as_str());
    let order = Scheduled { admin_id: viewer.id, role_id, call: cx.call, title, locale: cx.locale, request_id };
    let id = insert(&cx.app.keys, &mut tx, &order, (format, &cx.origin.ip, plain_reason), asked, cx.now).await?;
    tx.commit().await?;
    ADDED.notify_waiters();
    Ok(id)
}

/// An export that a schedule asks for, in the name of a person in a role.
#[derive(Clone, Copy, Debug)]
pub struct Scheduled<'s> {
    pub admin_id: i64,
    pub role_id: i64,
    /// Below `/api`.
    pub call: &'static str,
    pub title: &'s Say,
    pub locale: Locale,
    /// One of its own for each person and time.
    pub request_id: &'s str,
}

/// Puts such an export into the queue, as an Excel file; the person gets a message when it is ready.
pub async fn schedule(keys: &Keys, tx: &mut Tx, order: &Scheduled<'_>, asked: &Map<String, Value>, now: i64) -> Result<i64, sqlx::Error> {
    insert(keys, tx, order, (Format::Xlsx, "", None), asked, now).await
}

async fn insert(
    keys: &Keys,
    tx: &mut Tx,
    order: &Scheduled<'_>,
    (format, ip, plain_reason): (Format, &str, Option<&str>),
    asked: &Map<String, Value>,
    now: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO export_task (admin_id, role_id, resource, title_zh, title_en, format, asked, locale, ip, request_id, plain_reason, \
           status, next_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'queued', $12, $13) RETURNING id",
    )
    .bind(order.admin_id)
    .bind(order.role_id)
    .bind(order.call)
    .bind(order.title.get(Locale::Chinese))
    .bind(order.title.get(Locale::English))
    .bind(<&str>::from(format))
    // What was asked for may name a person.
    .bind(keys.seal(&place_of(order.admin_id, order.request_id), &Value::Object(asked.clone()).to_string()))
    .bind(order.locale.tag())
    .bind(ip)
    .bind(order.request_id)
    .bind(plain_reason)
    .bind(now)
    .bind(now)
    .fetch_one(&mut **tx)
    .await
}

/// Takes the task that is next, if any: queued, or left by a node that shows no sign of life; while fewer than
/// [`MAX_RUNNING`] run, and none of the same person and list. Scheduled tasks come after those of people who wait.
pub async fn take(db: &Db, clock: &Clock) -> Result<Option<Task>, sqlx::Error> {
    let mut tx = db.begin().await?;
    db.lock(&mut tx, "export_task").await?;
    let now = tx.now(clock).await?;
    let row = sqlx::query(
        "SELECT t.id, t.admin_id, t.role_id, t.created_at, t.title_zh, t.title_en, t.resource, t.asked, t.locale, t.ip, t.request_id, t.status, t.file_key, t.taking, t.faults, t.plain_reason \
         FROM export_task t \
         WHERE ((t.status = 'queued' AND t.next_at <= $1) OR (t.status = 'running' AND t.lease_until <= $2)) \
         AND (SELECT COUNT(*) FROM export_task r WHERE r.status = 'running' AND r.lease_until > $3) < $4 \
         AND NOT EXISTS (SELECT 1 FROM export_task s WHERE s.status = 'running' AND s.lease_until > $5 \
                         AND s.admin_id = t.admin_id AND s.resource = t.resource) \
         ORDER BY CASE WHEN t.ip = '' THEN 1 ELSE 0 END, t.id LIMIT 1",
    )
    .bind(now)
    .bind(now)
    .bind(now)
    .bind(MAX_RUNNING)
    .bind(now)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let (id, taking): (i64, i64) = (row.try_get("id")?, row.try_get("taking")?);
    // A task that a dead node has left counts as broken.
    let faults = row.try_get::<i64, _>("faults")? + i64::from(row.try_get::<&str, _>("status")? == "running");
    let file_key = storage::new_key("exports", now);
    let taken = sqlx::query(
        "UPDATE export_task SET status = 'running', taking = taking + 1, faults = $1, lease_until = $2, file_key = $3, row_count = 0, \
         started_at = $4 WHERE id = $5 AND taking = $6 AND status IN ('queued', 'running')",
    )
    .bind(faults)
    .bind(now + LEASE)
    .bind(&file_key)
    .bind(now)
    .bind(id)
    .bind(taking)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    if taken.rows_affected() == 0 {
        return Ok(None);
    }
    let task = Task {
        id,
        admin_id: row.try_get("admin_id")?,
        role_id: row.try_get("role_id")?,
        asked_at: row.try_get("created_at")?,
        title: say(row.try_get::<String, _>("title_zh")?, row.try_get::<String, _>("title_en")?),
        call: row.try_get("resource")?,
        asked: row.try_get("asked")?,
        locale: Locale::from_tag(Some(row.try_get("locale")?)),
        ip: row.try_get("ip")?,
        request_id: row.try_get("request_id")?,
        file_key,
        left: row.try_get("file_key")?,
        taking: taking + 1,
        faults,
        is_plain: row.try_get::<Option<String>, _>("plain_reason")?.is_some(),
    };
    if faults >= TRIES {
        task.fail(db, &broken(), now).await?;
        return Ok(None);
    }
    Ok(Some(task))
}

/// Where what was asked for stands.
fn place_of(admin_id: i64, request_id: &str) -> Place {
    place::EXPORT_ASKED.of(format!("{admin_id} {request_id}"))
}

fn broken() -> Say {
    say("导出多次中断，请重新导出", "The export was interrupted several times, start it again")
}

impl Task {
    /// The body of the call.
    pub fn asked(&self, keys: &Keys) -> std::result::Result<String, WrongKey> {
        keys.open(&place_of(self.admin_id, &self.request_id), &self.asked)
    }

    /// Shows a sign of life and how far it is. False when it is this node's no more: stopped, or
    /// taken by another.
    pub async fn progress(&self, db: &Db, rows: i64, total: Option<i64>, clock: &Clock) -> Result<bool, sqlx::Error> {
        let mut tx = db.begin().await?;
        let now = tx.now(clock).await?;
        let held = sqlx::query(
            "UPDATE export_task SET lease_until = $1, row_count = $2, total_rows = COALESCE($3, total_rows) \
             WHERE id = $4 AND taking = $5 AND status = 'running'",
        )
        .bind(now + LEASE)
        .bind(rows)
        .bind(total)
        .bind(self.id)
        .bind(self.taking)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(held.rows_affected() == 1)
    }

    /// Ends it well; its file is there for `kept` milliseconds. False when it is this node's no more; its file then belongs to nobody.
    pub async fn succeed(&self, db: &Db, made: &Made, kept: i64, now: i64) -> Result<bool, sqlx::Error> {
        let mut tx = db.begin().await?;
        let done = sqlx::query(
            "UPDATE export_task SET status = 'success', file_name = $1, row_count = $2, total_rows = $3, file_size = $4, file_sha256 = $5, \
             scope = $6, finished_at = $7, expires_at = $8, lease_until = NULL WHERE id = $9 AND taking = $10 AND status = 'running'",
        )
        .bind(&made.name)
        .bind(made.rows)
        .bind(made.rows)
        .bind(made.size)
        .bind(&made.sha256)
        .bind(&made.scope)
        .bind(now)
        .bind(now + kept)
        .bind(self.id)
        .bind(self.taking)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Ends it badly, with what its owner reads. Answers whether it was still there to be ended.
    pub async fn fail(&self, db: &Db, reason: &Say, now: i64) -> Result<bool, sqlx::Error> {
        let mut tx = db.begin().await?;
        let done = sqlx::query(
            "UPDATE export_task SET status = 'failed', reason = $1, finished_at = $2, lease_until = NULL \
             WHERE id = $3 AND taking = $4 AND status = 'running'",
        )
        .bind(reason.get(self.locale))
        .bind(now)
        .bind(self.id)
        .bind(self.taking)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Puts it back into the queue: this process ends, and that is not the task's fault.
    pub async fn put_back(&self, db: &Db) -> Result<(), sqlx::Error> {
        self.queue_again(db, self.faults, 0).await
    }

    /// Puts it back after something broke, or ends it when that has been often enough. Answers whether
    /// it has ended.
    pub async fn try_again(&self, db: &Db, now: i64) -> Result<bool, sqlx::Error> {
        match self.faults + 1 {
            faults if faults >= TRIES => self.fail(db, &broken(), now).await,
            faults => self.queue_again(db, faults, now + faults * PAUSE).await.map(|()| false),
        }
    }

    async fn queue_again(&self, db: &Db, faults: i64, next_at: i64) -> Result<(), sqlx::Error> {
        let mut tx = db.begin().await?;
        sqlx::query(
            "UPDATE export_task SET status = 'queued', faults = $1, next_at = $2, row_count = 0, lease_until = NULL \
             WHERE id = $3 AND taking = $4 AND status = 'running'",
        )
        .bind(faults)
        .bind(next_at)
        .bind(self.id)
        .bind(self.taking)
        .execute(&mut *tx)
        .await?;
        tx.commit().await
    }
}

/// Files whose time is over, or whose tasks came to nothing: ids and keys.
pub async fn spent(db: &Db, now: i64, limit: i64) -> Result<Vec<(i64, String)>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT id, file_key FROM export_task WHERE file_key IS NOT NULL \
         AND (status IN ('failed', 'stopped', 'expired') OR (status = 'success' AND expires_at <= $1)) ORDER BY id LIMIT $2",
    )
    .bind(now)
    .bind(limit)
    .fetch_all(db.read())
    .await?;
    rows.iter().map(|row| Ok((row.try_get("id")?, row.try_get("file_key")?))).collect()
}

/// Writes down that a spent file is gone.
pub async fn cleared(db: &Db, id: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    sqlx::query("UPDATE export_task SET file_key = NULL, status = CASE status WHEN 'success' THEN 'expired' ELSE status END WHERE id = $1")
        .bind(id)
        .execute(&mut *tx)
        .await?;
    tx.commit().await
}

/// Forgets tasks that ended before a time and have no file.
pub async fn forget(db: &Db, before: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    sqlx::query("DELETE FROM export_task WHERE created_at < $1 AND file_key IS NULL AND status IN ('failed', 'stopped', 'expired')")
        .bind(before)
        .execute(&mut *tx)
        .await?;
    tx.commit().await
}

/// Reads the format column.
pub fn format(row: &sqlx::any::AnyRow) -> Result<Format, sqlx::Error> {
    db::code(row, "format")
}

/// Counts that a file was fetched.
pub async fn count_download(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE export_task SET download_count = download_count + 1 WHERE id = $1").bind(id).execute(tx).await.map(drop)
}

/// Stops a task that waits or runs; false where it has ended.
pub async fn stop(tx: &mut Connection, id: i64, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE export_task SET status = 'stopped', finished_at = $1, lease_until = NULL WHERE id = $2 AND status IN ('queued', 'running')",
    )
    .bind(now)
    .bind(id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Deletes a task, and returns where its file is stored, if it has one.
pub async fn delete(tx: &mut Connection, id: i64) -> Result<Option<String>, sqlx::Error> {
    let key: Option<Option<String>> =
        sqlx::query_scalar("DELETE FROM export_task WHERE id = $1 RETURNING file_key").bind(id).fetch_optional(tx).await?;
    Ok(key.flatten())
}
