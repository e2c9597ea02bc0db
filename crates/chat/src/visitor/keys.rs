//! Who calls: the group by the key in the address, and the visitor by the cookie of their thread.

use axum::http::HeaderMap;
use sqlx::Row;

use crate::conversation::store::Held;
use crate::customer::model::CustomerStatus;
use crate::thread_key::Browser;
use base::clock::DAY;
use base::db::{self, Sql};
use frame::api::ctx::RequestInfo;
use frame::api::{ApiError, App, Result};
use frame::terms::Schedule;

/// Letters and digits of a page's key, at most.
const LONGEST_KEY: usize = 64;
/// How long the thread of a closed conversation can be opened. Afterwards the visitor begins a new one.
const OPENS_FOR: i64 = 7 * DAY;

/// A group as visitors see it.
pub(super) struct Group {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) page_key: String,
    pub(super) hours: Option<Schedule>,
    /// The sites that may show its page in a frame.
    pub(super) frame_sites: Vec<String>,
}

/// A visitor.
pub(super) struct Visitor {
    pub(super) id: i64,
    /// The key of their thread.
    pub(super) key: String,
    pub(super) nickname: String,
    pub(super) status: CustomerStatus,
    pub(super) phone_mask: String,
    /// Whether a code proved the number.
    pub(super) phone_verified: bool,
}

/// The visitor's last conversation.
pub(super) struct Last {
    pub(super) held: Held,
    pub(super) staff_name: Option<String>,
    pub(super) staff_read_id: i64,
    pub(super) rating: Option<i64>,
}

/// The hash by which a visitor is found: their key itself is not stored.
pub(super) fn key_hash(app: &App, key: &str) -> String {
    app.keys.lookup_hash(&format!("chat visitor {key}"))
}

/// The thread that a browser's keys open.
pub(super) enum Thread {
    Open(Visitor),
    /// A thread that was closed too long ago.
    Ended,
    /// No thread. The key that the browser holds for a new one, if any.
    None(Option<String>),
}

pub(super) async fn thread_of(app: &App, browser: &Browser) -> Result<Thread> {
    let (mut has_ended, mut unused) = (false, None);
    for key in &browser.keys {
        match visitor_by_key(app, key).await? {
            Some((visitor, true)) => return Ok(Thread::Open(visitor)),
            Some((_, false)) => has_ended = true,
            None => unused = Some(key.clone()),
        }
    }
    Ok(match unused {
        None if has_ended => Thread::Ended,
        unused => Thread::None(unused),
    })
}

/// The visitor whose thread a browser's keys open.
pub(super) async fn open_thread(app: &App, info: &RequestInfo, headers: &HeaderMap, page: &str) -> Result<Visitor> {
    check_page_key(app, info, page)?;
    let browser = Browser::of(headers, page, info.secure, &app.keys);
    count_guess(app, info, &browser)?;
    match thread_of(app, &browser).await? {
        Thread::Open(visitor) => Ok(visitor),
        _ => Err(ApiError::Missing),
    }
}

/// The group of a new thread by the key in an address, and the browser of the request.
pub(super) async fn at_beginning(app: &App, info: &RequestInfo, headers: &HeaderMap, page: &str) -> Result<(Group, Browser)> {
    check_page_key(app, info, page)?;
    let group = known(app, info, group_by_key(app, page).await)?;
    let browser = Browser::of(headers, page, info.secure, &app.keys);
    // Counts the guess, but ignores the limit: a new visitor must not suffer from others of their network.
    _ = count_guess(app, info, &browser);
    Ok((group, browser))
}

/// The group of a thread by the key in an address, and the browser of the request.
pub(super) async fn at_thread(app: &App, info: &RequestInfo, headers: &HeaderMap, page: &str) -> Result<(Group, Browser)> {
    check_page_key(app, info, page)?;
    let group = known(app, info, page_by_key(app, page).await)?;
    let browser = Browser::of(headers, page, info.secure, &app.keys);
    count_guess(app, info, &browser)?;
    Ok((group, browser))
}

/// Refuses a text that cannot be the key of a page, without a query.
pub(super) fn check_page_key(app: &App, info: &RequestInfo, page: &str) -> Result<()> {
    let is_key = (1..=LONGEST_KEY).contains(&page.len()) && page.bytes().all(|byte| byte.is_ascii_alphanumeric());
    known(app, info, if is_key { Ok(()) } else { Err(ApiError::Missing) })
}

/// Counts an unknown key by network, and refuses if there were too many; other results pass unchanged.
pub(super) fn known<T>(app: &App, info: &RequestInfo, found: Result<T>) -> Result<T> {
    if matches!(found, Err(ApiError::Missing)) {
        unknown_key(app, info)?;
    }
    found
}

/// Counts a key that the server has not made. A browser that also has a valid key is not counted.
pub(super) fn count_guess(app: &App, info: &RequestInfo, browser: &Browser) -> Result<()> {
    match browser.guesses && browser.keys.is_empty() {
        true => unknown_key(app, info),
        false => Ok(()),
    }
}

pub(super) fn unknown_key(app: &App, info: &RequestInfo) -> Result<()> {
    app.limits.unknown_key(&info.origin.ip, app.clock.now()).map_err(|retry_after| ApiError::TooMany { retry_after })
}

/// The visitor of a key, and whether their thread still opens.
pub(super) async fn visitor_by_key(app: &App, key: &str) -> Result<Option<(Visitor, bool)>> {
    let row = sqlx::query(
        "SELECT k.id, k.nickname, k.status, k.phone_mask, k.phone_verified_at, l.closed_at FROM chat_customer k \
         LEFT JOIN chat_conversation l ON l.id = (SELECT MAX(c.id) FROM chat_conversation c WHERE c.customer_id = k.id) WHERE k.visit_key_hash = $1",
    )
    .bind(key_hash(app, key))
    .fetch_optional(app.db.read())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let visitor = Visitor {
        id: row.try_get("id")?,
        key: key.to_owned(),
        nickname: row.try_get("nickname")?,
        status: db::code(&row, "status")?,
        phone_mask: row.try_get("phone_mask")?,
        phone_verified: row.try_get::<Option<i64>, _>("phone_verified_at")?.is_some(),
    };
    let closed_at: Option<i64> = row.try_get("closed_at")?;
    Ok(Some((visitor, closed_at.is_none_or(|closed| closed > app.clock.now() - OPENS_FOR))))
}

/// A group in use.
pub(super) async fn group_by_key(app: &App, key: &str) -> Result<Group> {
    group_where(app, |sql| {
        sql.push(" AND g.status = 'enabled' AND g.page_key = ").bind(key.to_owned());
    })
    .await
}

/// The group of a thread's address, including one that takes no new conversations.
pub(super) async fn page_by_key(app: &App, key: &str) -> Result<Group> {
    group_where(app, |sql| {
        sql.push(" AND g.page_key = ").bind(key.to_owned());
    })
    .await
}

pub(super) async fn group_by_id(app: &App, id: i64) -> Result<Group> {
    group_where(app, |sql| {
        sql.push(" AND g.id = ").bind(id);
    })
    .await
}

pub(super) async fn group_where(app: &App, narrow: impl FnOnce(&mut Sql)) -> Result<Group> {
    let mut sql = Sql::new("SELECT g.id, g.name, g.page_key, g.working_hours, g.frame_sites FROM chat_group g WHERE g.deleted_at IS NULL");
    narrow(&mut sql);
    group_row(&sql.fetch_optional(app.db.read()).await?.ok_or(ApiError::Missing)?)
}

pub(super) fn group_row(row: &sqlx::any::AnyRow) -> Result<Group> {
    let hours: Option<String> = row.try_get("working_hours")?;
    let hours = hours.map(|hours| serde_json::from_str(&hours)).transpose().map_err(|error| ApiError::Internal(error.into()))?;
    Ok(Group {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        page_key: row.try_get("page_key")?,
        hours,
        frame_sites: db::json(row, "frame_sites")?,
    })
}

/// A visitor's last conversation: each has one, because their first message makes it.
pub(super) async fn last_of(app: &App, customer_id: i64) -> Result<Last> {
    let row = sqlx::query(
        "SELECT c.id, c.customer_id, c.group_id, c.staff_id, c.status, CAST(NULL AS BIGINT) AS wechat_id, s.nickname, c.staff_read_id, c.rating FROM chat_conversation c \
         LEFT JOIN chat_staff s ON s.id = c.staff_id WHERE c.customer_id = $1 ORDER BY c.id DESC LIMIT 1",
    )
    .bind(customer_id)
    .fetch_optional(app.db.read())
    .await?
    .ok_or(ApiError::Missing)?;
    Ok(Last {
        held: sqlx::FromRow::from_row(&row)?,
        staff_name: row.try_get("nickname")?,
        staff_read_id: row.try_get("staff_read_id")?,
        rating: row.try_get("rating")?,
    })
}
