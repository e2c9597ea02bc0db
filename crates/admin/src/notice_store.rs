//! Announcements in the database: messages of type notice that staff write.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::notice::{NoticeFilters, NoticeRow, NoticeScope, NoticeStatus};
use base::db::Connection;
use base::db::page::{self, ListSource, Page};
use base::db::{self, Sql};
use base::locale::Locale;
use frame::access::{Scope, ScopeColumns};
use frame::api::{self, ApiError, Ctx, ListQuery, SelectOption};
use frame::message::change;

/// The kind of record in the row of an announcement.
pub const BIZ: &str = "announcement";

/// Who owns an announcement: the organisation within which it was written, otherwise its author.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("m.sender_id"), org: Some("m.org_id"), sub_org: None, myself: Some("m.sender_id") };

const SELECT: &str = "SELECT m.id, m.title_zh, m.title_en, m.content_zh, m.content_en, m.scope, m.scope_id, m.publish_at, m.expires_at, \
     m.withdrawn_at, m.version, m.created_at, m.updated_at, m.sender_id, a.real_name AS sender_name, o.name AS org_name, r.name AS role_zh, \
     r.name_en AS role_en \
     FROM message m \
     LEFT JOIN administrator a ON a.id = m.sender_id \
     LEFT JOIN organisation o ON m.scope = 'organisation' AND o.id = m.scope_id \
     LEFT JOIN role r ON m.scope = 'role' AND r.id = m.scope_id \
     WHERE m.biz_type = 'announcement'";
const COUNT: &str = "SELECT m.id FROM message m WHERE m.biz_type = 'announcement'";

fn read(row: &AnyRow, locale: Locale, now: i64) -> Result<NoticeRow, sqlx::Error> {
    let (publish_at, expires_at): (i64, Option<i64>) = (row.try_get("publish_at")?, row.try_get("expires_at")?);
    let withdrawn = row.try_get::<Option<i64>, _>("withdrawn_at")?.is_some();
    let scope = db::code(row, "scope")?;
    Ok(NoticeRow {
        id: row.try_get("id")?,
        title: row.try_get("title_zh")?,
        title_en: row.try_get("title_en")?,
        content: row.try_get("content_zh")?,
        content_en: row.try_get("content_en")?,
        scope,
        scope_id: Some(row.try_get("scope_id")?).filter(|_| scope != NoticeScope::All),
        audience: match scope {
            NoticeScope::All => None,
            NoticeScope::Organisation => row.try_get("org_name")?,
            NoticeScope::Role => row.try_get(locale.pick("role_zh", "role_en"))?,
        },
        status: match (withdrawn, expires_at) {
            (true, _) => NoticeStatus::Withdrawn,
            (_, Some(at)) if at <= now => NoticeStatus::Expired,
            _ if publish_at > now => NoticeStatus::Scheduled,
            _ => NoticeStatus::Published,
        },
        publish_at,
        expires_at,
        sender_id: row.try_get("sender_id")?,
        sender_name: row.try_get("sender_name")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

fn narrow(sql: &mut Sql, filters: &NoticeFilters, scope: Scope, now: i64) {
    sql.and_contains(&["m.title_zh", "m.title_en"], filters.keyword.as_deref())
        .and("m.scope = ", filters.scope.map(<&str>::from))
        .and("m.publish_at >= ", filters.publish_from)
        .and("m.publish_at < ", filters.publish_to);
    match filters.status {
        None => {}
        Some(NoticeStatus::Withdrawn) => _ = sql.push(" AND m.withdrawn_at IS NOT NULL"),
        Some(NoticeStatus::Expired) => _ = sql.push(" AND m.withdrawn_at IS NULL AND m.expires_at <= ").bind(now),
        Some(NoticeStatus::Scheduled) => {
            sql.push(" AND m.withdrawn_at IS NULL AND m.publish_at > ").bind(now);
            sql.push(" AND (m.expires_at IS NULL OR m.expires_at > ").bind(now).push(")");
        }
        Some(NoticeStatus::Published) => {
            sql.push(" AND m.withdrawn_at IS NULL AND m.publish_at <= ").bind(now);
            sql.push(" AND (m.expires_at IS NULL OR m.expires_at > ").bind(now).push(")");
        }
    }
    scope.apply(sql, SCOPE);
}

/// One page of the announcements within the viewer's scope.
pub async fn page(cx: &Ctx, query: &ListQuery<NoticeFilters>) -> api::Result<Page<NoticeRow>> {
    let scope = cx.viewer()?.scope();
    let filter = |sql: &mut Sql| narrow(sql, &query.filters, scope, cx.now);
    let source = ListSource { select: SELECT, count: COUNT, filter: &filter, ids_first: false, newest: None };
    Ok(page::page(cx.db(), &source, query.sort, query.current, query.page_size, |row| read(row, cx.locale, cx.now)).await?)
}

/// The announcement, if it is in the viewer's scope.
pub async fn find(on: &mut Connection, cx: &Ctx, id: i64) -> api::Result<NoticeRow> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.id = ", Some(id));
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    let row = sql.fetch_optional(on).await?.ok_or(ApiError::Missing)?;
    Ok(read(&row, cx.locale, cx.now)?)
}

/// Locks an announcement in the viewer's scope for a change, in the version that the viewer saw, until the
/// transaction ends. Returns it as it was.
pub async fn claim(tx: &mut Connection, cx: &Ctx, id: i64, version: i64) -> api::Result<NoticeRow> {
    let is_taken = change::take(tx, BIZ, id, version, cx.now).await?;
    let found = find(tx, cx, id).await?;
    if is_taken { Ok(found) } else { Err(ApiError::stale(&found)) }
}

/// The roles of the people of an organisation, or of all people.
pub async fn roles(cx: &Ctx, org: Option<i64>) -> Result<Vec<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new("SELECT r.id, r.name, r.name_en FROM role r WHERE r.deleted_at IS NULL AND r.status = 'enabled'");
    if let Some(org) = org {
        sql.push(" AND EXISTS (SELECT 1 FROM admin_role ar JOIN administrator a ON a.id = ar.admin_id WHERE ar.role_id = r.id");
        sql.push(" AND a.deleted_at IS NULL AND a.org_id = ").bind(org).push(")");
    }
    sql.push(" ORDER BY r.sort, r.id LIMIT 200");
    let rows = sql.fetch_all(cx.db().read()).await?;
    rows.iter().map(|row| Ok(SelectOption { value: row.try_get("id")?, label: row.try_get(cx.locale.pick("name", "name_en"))? })).collect()
}
