//! The calls on the viewer's own export tasks: progress, files, stopping and removing.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, Response, header};
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::plain;
use crate::access::audit::{self, Action, Change, Module, Target};
use crate::access::session;
use crate::api::calls::Download;
use crate::api::disposition::Disposition;
use crate::api::export::Format;
use crate::api::export::task::{self, ExportStatus};
use crate::api::{AccessOf, ApiError, Ctx, Id, ListFilters, ListQuery, Result, say};
use base::db::page::{self, ListSource, Page};
use base::db::{self, Sql};
use base::locale::Locale;

/// A task as its owner sees it. Times are epoch milliseconds.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ExportRow {
    pub id: i64,
    /// The list's name.
    pub title: String,
    pub format: Format,
    pub status: ExportStatus,
    /// Rows so far.
    pub row_count: i64,
    /// Rows in all, once known.
    pub total_rows: Option<i64>,
    pub file_name: Option<String>,
    /// Bytes.
    pub file_size: Option<i64>,
    pub file_sha256: Option<String>,
    /// Why it failed.
    pub reason: Option<String>,
    /// The reason for whole numbers in the file; none if it has masks.
    pub plain_reason: Option<String>,
    pub download_count: i64,
    pub created_at: i64,
    pub finished_at: Option<i64>,
    /// When the file is removed.
    pub expires_at: Option<i64>,
    /// The browser's address of the file: a path of this site. Only while the file exists.
    pub url: Option<String>,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ExportFilters {
    pub status: Option<ExportStatus>,
}

impl ListFilters for ExportFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "t.created_at")];
    const ID: &'static str = "t.id";
}

const SELECT: &str = "SELECT t.id, t.title_zh, t.title_en, t.format, t.status, t.row_count, t.total_rows, t.file_key, t.file_name, \
     t.file_size, t.file_sha256, t.reason, t.plain_reason, t.download_count, t.created_at, t.finished_at, t.expires_at, t.role_id, t.scope, t.resource \
     FROM export_task t WHERE 1 = 1";
const COUNT: &str = "SELECT t.id FROM export_task t WHERE 1 = 1";

fn read(row: &AnyRow, locale: Locale, now: i64) -> std::result::Result<ExportRow, sqlx::Error> {
    let (id, expires_at): (i64, Option<i64>) = (row.try_get("id")?, row.try_get("expires_at")?);
    let status = match db::code(row, "status")? {
        // Its file may still exist until the next sweep.
        ExportStatus::Success if expires_at.is_some_and(|at| at <= now) => ExportStatus::Expired,
        status => status,
    };
    Ok(ExportRow {
        id,
        title: row.try_get(locale.pick("title_zh", "title_en"))?,
        format: task::format(row)?,
        status,
        row_count: row.try_get("row_count")?,
        total_rows: row.try_get("total_rows")?,
        file_name: row.try_get("file_name")?,
        file_size: row.try_get("file_size")?,
        file_sha256: row.try_get("file_sha256")?,
        reason: row.try_get("reason")?,
        plain_reason: row.try_get("plain_reason")?,
        download_count: row.try_get("download_count")?,
        created_at: row.try_get("created_at")?,
        finished_at: row.try_get("finished_at")?,
        expires_at,
        url: (status == ExportStatus::Success).then(|| format!("/exports/{id}")),
    })
}

fn target(id: i64) -> Target {
    Target { module: Module::Export, kind: "export_task", id: Some(id) }
}

/// `POST /export/page`: the viewer's own tasks.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<ExportFilters>) -> Result<Page<ExportRow>> {
    let (owner, now) = (cx.viewer()?.id, cx.now);
    let filter = |sql: &mut Sql| {
        sql.push(" AND t.admin_id = ").bind(owner);
        match query.filters.status {
            // As in `read`.
            Some(ExportStatus::Success) => sql.push(" AND t.status = 'success' AND t.expires_at > ").bind(now),
            Some(ExportStatus::Expired) => {
                sql.push(" AND (t.status = 'expired' OR (t.status = 'success' AND t.expires_at <= ").bind(now).push("))")
            }
            status => sql.and("t.status = ", status.map(<&str>::from)),
        };
    };
    let source = ListSource { select: SELECT, count: COUNT, filter: &filter, ids_first: false, newest: None };
    Ok(page::page(cx.db(), &source, query.sort, query.current, query.page_size, |row| read(row, cx.locale, now)).await?)
}

/// The viewer's own task, with the fields that are not shown.
struct Own {
    task: ExportRow,
    /// Of its file.
    key: Option<String>,
    role_id: i64,
    /// The owner's scope when the task was made; none for tasks of older versions.
    scope: Option<String>,
    /// The call that makes it.
    call: String,
}

async fn find(cx: &Ctx, id: i64) -> Result<Own> {
    let mut sql = Sql::new(SELECT);
    sql.push(" AND t.id = ").bind(id).push(" AND t.admin_id = ").bind(cx.viewer()?.id);
    let row = sql.fetch_optional(cx.db().read()).await?.ok_or(ApiError::Missing)?;
    Ok(Own {
        task: read(&row, cx.locale, cx.now)?,
        key: row.try_get("file_key")?,
        role_id: row.try_get("role_id")?,
        scope: row.try_get("scope")?,
        call: row.try_get("resource")?,
    })
}

/// Whether the viewer could still make the file: in the role of the request, if it still holds the points and has the
/// same scope.
async fn may_still(cx: &Ctx, own: &Own, access_of: AccessOf) -> Result<bool> {
    let standing = session::standing(cx.db(), &cx.app.roles, cx.viewer()?.id, own.role_id).await?;
    Ok(standing.is_some_and(|viewer| {
        let is_plain = own.task.plain_reason.is_some();
        access_of(&own.call).is_some_and(|access| if is_plain { plain::lets(&viewer, access) } else { access.lets(&viewer) })
            && own.scope.as_ref().is_none_or(|scope| *scope == viewer.scope().code())
    }))
}

/// `GET /export/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ExportRow> {
    Ok(find(&cx, id).await?.task)
}

/// `GET /export/{id}/file`: for its owner alone, while it exists, and as long as the owner may make it.
pub async fn file(cx: Arc<Ctx>, Id(id): Id, access_of: AccessOf) -> Result<Download> {
    let own = find(&cx, id).await?;
    if !may_still(&cx, &own, access_of).await? {
        return Err(ApiError::Forbidden);
    }
    let Own { task, key, .. } = own;
    let gone = || ApiError::State(say("文件已过期，请重新导出", "The file has expired, export it again"));
    match task.status {
        ExportStatus::Success => {}
        ExportStatus::Expired => return Err(gone()),
        _ => return Err(ApiError::State(say("文件还没有生成", "The file is not ready yet"))),
    }
    let stored = cx.app.storage.read_sealed(&cx.app.keys, &key.ok_or_else(gone)?).await.map_err(ApiError::Internal)?.ok_or_else(gone)?;
    let change = |field: &str, after: Option<String>| Change { field: field.to_owned(), before: None, after };
    let changes = [
        change("title", Some(task.title.clone())),
        change("rows", Some(task.row_count.to_string())),
        change("sha256", task.file_sha256.clone()),
    ];
    let mut tx = cx.db().begin().await?;
    task::count_download(&mut tx, id).await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Download, &changes).await?;
    tx.commit().await?;

    let extension = <&str>::from(task.format);
    let mut response = Response::new(Body::from_stream(stored.bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(task.format.content_type()));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(stored.size));
    let name = task.file_name.unwrap_or_else(|| format!("export-{id}.{extension}"));
    headers.insert(header::CONTENT_DISPOSITION, Disposition::Attachment.of(&format!("export-{id}.{extension}"), &name));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(Download(response))
}

/// `DELETE /export/{id}`: stops a task that waits or runs; removes a finished one and its file.
pub async fn remove(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let Own { task, .. } = find(&cx, id).await?;
    let mut tx = cx.db().begin().await?;
    let is_stopped = task::stop(&mut tx, id, cx.now).await?;
    let was = Change { field: "title".to_owned(), before: Some(task.title), after: None };
    let target = target(id);
    if is_stopped {
        let change =
            Change { field: "status".to_owned(), before: Some(<&str>::from(task.status).to_owned()), after: Some("stopped".to_owned()) };
        audit::record(&mut tx, &cx.actor()?, target, Action::Update, &[was, change]).await?;
        return Ok(tx.commit().await?);
    }
    let key = task::delete(&mut tx, id).await?;
    audit::record(&mut tx, &cx.actor()?, target, Action::Delete, &[was]).await?;
    // The file goes before the row that names it.
    if let Some(key) = key {
        cx.app.storage.delete(&key).await.map_err(ApiError::Internal)?;
    }
    Ok(tx.commit().await?)
}
