//! Saved views in the database.

use serde::Serialize;
use serde_json::{Map, Value};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::StatView;
use super::of_list::ListView;
use base::clock::{self, DAY, HOUR, MINUTE};
use base::db::{self, Connection, Db, Sql};
use base::locale::Locale;
use frame::access::Viewer;

/// After so many failures in a row the sending ends: about four hours.
const MOST_FAILURES: i64 = 10;

/// A view with its query.
#[derive(Clone, Debug)]
pub struct Stored {
    pub view: StatView,
    pub query: Map<String, Value>,
}

/// The audit data of a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sending {
    pub name: String,
    pub send_role_id: Option<i64>,
    pub send_minute: Option<i64>,
}

impl Stored {
    pub fn sending(&self) -> Sending {
        let StatView { name, send_role_id, send_minute, .. } = self.view.clone();
        Sending { name, send_role_id, send_minute }
    }
}

const SELECT: &str = "SELECT v.id, v.name, v.query, v.columns, v.is_default, v.send_role_id, v.send_minute, v.send_failures \
     FROM saved_view v ";

fn read(row: &AnyRow) -> Result<Stored, sqlx::Error> {
    let id: i64 = row.try_get("id")?;
    // If it cannot be read the owner sees a view without filters and can save it again.
    let query: Map<String, Value> = db::json(row, "query").unwrap_or_default();
    let mut pairs: Vec<(&str, &str)> = query.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect();
    let marker = id.to_string();
    pairs.push(("view", &marker));
    Ok(Stored {
        view: StatView {
            id,
            name: row.try_get("name")?,
            search: format!("?{}", serde_urlencoded::to_string(pairs).unwrap_or_default()),
            columns: db::json(row, "columns").unwrap_or_default(),
            is_default: db::flag(row, "is_default")?,
            send_role_id: row.try_get("send_role_id")?,
            send_minute: row.try_get("send_minute")?,
            send_failures: row.try_get("send_failures")?,
        },
        query,
    })
}

/// A person's views of a page, by name.
pub async fn of_person<'e>(on: impl Executor<'e, Database = Any>, admin_id: i64, page: &str) -> Result<Vec<Stored>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push("WHERE v.admin_id = ").bind(admin_id).push(" AND v.page = ").bind(page.to_owned()).push(" ORDER BY v.name, v.id");
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// A person's view.
pub async fn find(tx: &mut Connection, admin_id: i64, id: i64) -> Result<Option<Stored>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push("WHERE v.admin_id = ").bind(admin_id).push(" AND v.id = ").bind(id);
    sql.fetch_optional(tx).await?.as_ref().map(read).transpose()
}

/// The query part of the address of the view that a page opens with.
pub async fn default_of(db: &Db, admin_id: i64, page: &str) -> Result<Option<String>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push("WHERE v.is_default = 1 AND v.admin_id = ").bind(admin_id).push(" AND v.page = ").bind(page.to_owned());
    Ok(sql.fetch_optional(db.read()).await?.as_ref().map(read).transpose()?.map(|stored| stored.view.search))
}

/// Adds a view, or changes one. It may become the default of its page, which has only one. If its minute of today is
/// over, its files are sent from tomorrow on; earlier days are not made up for.
pub async fn write(tx: &mut Connection, admin_id: i64, page: &str, stored: &Stored, locale: Locale, now: i64) -> Result<(), sqlx::Error> {
    let Stored { view, query } = stored;
    if view.is_default {
        sqlx::query("UPDATE saved_view SET is_default = 0 WHERE admin_id = $1 AND page = $2 AND id <> $3")
            .bind(admin_id)
            .bind(page)
            .bind(view.id)
            .execute(&mut *tx)
            .await?;
    }
    let (day, minute) = (clock::day(now).to_string(), clock::minute_of_day(now));
    let sent_on = view.send_minute.map(|send| if send <= minute { day.clone() } else { before(now) });
    let query = Value::Object(query.clone()).to_string();
    let columns = serde_json::to_string(&view.columns).expect("texts serialise");
    let is_default = i64::from(view.is_default);
    if view.id == 0 {
        sqlx::query(
            "INSERT INTO saved_view (admin_id, page, name, query, columns, locale, is_default, send_role_id, send_minute, sent_on, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(admin_id)
        .bind(page)
        .bind(&view.name)
        .bind(query)
        .bind(columns)
        .bind(locale.tag())
        .bind(is_default)
        .bind(view.send_role_id)
        .bind(view.send_minute)
        .bind(sent_on)
        .bind(now)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
    } else {
        sqlx::query(
            "UPDATE saved_view SET name = $1, query = $2, columns = $3, locale = $4, is_default = $5, send_role_id = $6, \
               sent_on = CASE WHEN send_role_id = $7 AND sent_on = $8 THEN sent_on ELSE $9 END, send_minute = $10, updated_at = $11, send_failures = 0, \
               send_due_at = NULL \
             WHERE id = $12 AND admin_id = $13",
        )
        .bind(&view.name)
        .bind(query)
        .bind(columns)
        .bind(locale.tag())
        .bind(is_default)
        .bind(view.send_role_id)
        .bind(view.send_role_id)
        .bind(day)
        .bind(sent_on)
        .bind(view.send_minute)
        .bind(now)
        .bind(view.id)
        .bind(admin_id)
        .execute(tx)
        .await
        .map(drop)
    }
}

/// The most views of a list that one person has, with those of the role.
const MOST_SHARED: i64 = 500;

/// The views of a list: a person's own, and those that platform staff share with the role, by name.
pub async fn of_list<'e>(on: impl Executor<'e, Database = Any>, viewer: &Viewer, page: &str) -> Result<Vec<ListView>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT v.id, v.admin_id, v.name, v.query, v.columns, v.share_role_id FROM saved_view v JOIN administrator a ON a.id = v.admin_id          WHERE v.page = $1 AND (v.admin_id = $2 OR v.share_role_id = $3 AND a.status = 'enabled' AND a.deleted_at IS NULL AND a.org_id IS NULL)          ORDER BY v.name, v.id LIMIT $4",
    )
    .bind(page)
    .bind(viewer.id)
    .bind(viewer.role.id)
    .bind(MOST_SHARED)
    .fetch_all(on)
    .await?;
    let read = |row: &AnyRow| {
        let query: Map<String, Value> = db::json(row, "query").unwrap_or_default();
        let pairs: Vec<(&str, &str)> = query.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?))).collect();
        let search = serde_urlencoded::to_string(pairs).unwrap_or_default();
        Ok::<_, sqlx::Error>(ListView {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            search: if search.is_empty() { search } else { format!("?{search}") },
            columns: db::json(row, "columns").unwrap_or_default(),
            share_role_id: row.try_get("share_role_id")?,
            own: row.try_get::<i64, _>("admin_id")? == viewer.id,
        })
    };
    rows.iter().map(read).collect()
}

/// Shares a person's view with a role, or with no one any more.
pub async fn share(tx: &mut Connection, admin_id: i64, page: &str, name: &str, role_id: Option<i64>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE saved_view SET share_role_id = $1 WHERE admin_id = $2 AND page = $3 AND name = $4")
        .bind(role_id)
        .bind(admin_id)
        .bind(page)
        .bind(name)
        .execute(tx)
        .await
        .map(drop)
}

/// The role with which a view is shared.
pub async fn shared_with(tx: &mut Connection, id: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT share_role_id FROM saved_view WHERE id = $1").bind(id).fetch_one(tx).await
}

pub async fn delete(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM saved_view WHERE id = $1").bind(id).execute(tx).await.map(drop)
}

/// The day before that of a moment.
fn before(now: i64) -> String {
    clock::day(now - DAY).to_string()
}

/// A view whose file is due.
#[derive(Debug)]
pub struct Due {
    pub id: i64,
    /// The day for which it is sent: today or, if no node was running at its minute, the day before.
    pub day: String,
    pub is_made_up: bool,
    pub admin_id: i64,
    pub page: String,
    pub name: String,
    pub query: Map<String, Value>,
    pub columns: Vec<String>,
    pub locale: Locale,
    pub role_id: i64,
}

/// Due views of enabled accounts: those whose minute of today has come and that were not sent today, and those that
/// were not sent the day before. `Err` for a view that cannot be read.
pub async fn due(db: &Db, now: i64, most: i64) -> Result<Vec<(i64, Result<Due, sqlx::Error>)>, sqlx::Error> {
    let (today, before, minute) = (clock::day(now).to_string(), before(now), clock::minute_of_day(now));
    let rows = sqlx::query(
        "SELECT v.id, v.admin_id, v.page, v.name, v.query, v.columns, v.locale, v.send_role_id, v.send_minute FROM saved_view v \
         JOIN administrator a ON a.id = v.admin_id AND a.status = 'enabled' AND a.deleted_at IS NULL AND a.org_id IS NULL \
         WHERE v.send_role_id IS NOT NULL AND (v.send_minute <= $1 AND COALESCE(v.sent_on, '') < $2 OR v.send_minute > $3 AND v.sent_on < $4) \
         AND COALESCE(v.send_due_at, 0) <= $5 ORDER BY v.send_minute, v.id LIMIT $6",
    )
    .bind(minute)
    .bind(&today)
    .bind(minute)
    .bind(&before)
    .bind(now)
    .bind(most)
    .fetch_all(db.read())
    .await?;
    let read = |row: &AnyRow| {
        let is_made_up = row.try_get::<i64, _>("send_minute")? > minute;
        Ok::<_, sqlx::Error>(Due {
            id: row.try_get("id")?,
            day: if is_made_up { before.clone() } else { today.clone() },
            is_made_up,
            admin_id: row.try_get("admin_id")?,
            page: row.try_get("page")?,
            name: row.try_get("name")?,
            query: db::json(row, "query")?,
            columns: db::json(row, "columns")?,
            locale: Locale::from_tag(Some(row.try_get("locale")?)),
            role_id: row.try_get("send_role_id")?,
        })
    };
    rows.iter().map(|row| Ok((row.try_get("id")?, read(row)))).collect()
}

/// Claims the sending of a view for its day. Returns true once, for one node.
pub async fn claim(tx: &mut Connection, view: &Due) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE saved_view SET sent_on = $1, send_failures = 0, send_due_at = NULL WHERE id = $2 AND send_role_id = $3 AND COALESCE(sent_on, '') < $4")
        .bind(&view.day)
        .bind(view.id)
        .bind(view.role_id)
        .bind(&view.day)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// A view whose sending has ended.
pub struct Stopped {
    pub admin_id: i64,
    pub name: String,
    pub role_id: i64,
}

/// Notes that the files of a view could not be ordered. They are ordered again after a pause that doubles; after
/// [`MOST_FAILURES`] in a row the sending ends.
pub async fn failed(tx: &mut Connection, id: i64, now: i64) -> Result<Option<Stopped>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT admin_id, name, send_role_id, send_failures FROM saved_view \
         WHERE id = $1 AND send_role_id IS NOT NULL AND COALESCE(send_due_at, 0) <= $2",
    )
    .bind(id)
    .bind(now)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let before: i64 = row.try_get("send_failures")?;
    let noted = sqlx::query("UPDATE saved_view SET send_failures = $1, send_due_at = $2 WHERE id = $3 AND send_failures = $4")
        .bind(before + 1)
        .bind(now + pause(before))
        .bind(id)
        .bind(before)
        .execute(&mut *tx)
        .await?;
    if noted.rows_affected() == 0 || before + 1 < MOST_FAILURES {
        return Ok(None);
    }
    stop_sending(tx, id).await?;
    Ok(Some(Stopped { admin_id: row.try_get("admin_id")?, name: row.try_get("name")?, role_id: row.try_get("send_role_id")? }))
}

/// Milliseconds until the next try after so many failures before.
fn pause(before: i64) -> i64 {
    (MINUTE << before.clamp(0, 6)).min(HOUR)
}

/// Ends the sending of a view.
pub async fn stop_sending(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE saved_view SET send_role_id = NULL, send_minute = NULL WHERE id = $1").bind(id).execute(tx).await.map(drop)
}
