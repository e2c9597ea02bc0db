//! One statement of a partner: view, making by hand, the files.

use std::sync::Arc;

use axum::body::Body as HttpBody;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use futures_util::FutureExt;

use super::list::TARGET;
use super::make::{self, Month};
use super::model::{PartnerItemRow, PartnerStatementForm, PartnerStatementRow};
use super::{pdf, sheet as xlsx, store};
use crate::channel;
use base::db::Connection;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::api::calls::Download;
use frame::api::export::Format;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, App, Body, Ctx, Id, Result, Say, say};
use frame::setting;

/// Items on the page of a statement; their list has all.
const MOST_SHOWN: i64 = 200;

impl Versioned for PartnerStatementRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PartnerStatementRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn diff(before: Option<&PartnerStatementRow>, after: Option<&PartnerStatementRow>) -> Vec<Change> {
        let mut changes = audit::changes_without(&["channelId", "decision", "hasEarlier"], before, after);
        let asked = |row: Option<&PartnerStatementRow>| row.and_then(|row| row.decision.as_ref()?.note.clone());
        let (before, after) = (asked(before), asked(after));
        if before != after {
            changes.push(Change { field: "confirmationAsked".to_owned(), before, after });
        }
        changes
    }
}

/// `GET /partner/statement/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PartnerStatementRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /partner/statement/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /partner/statement/items/{id}`: the first items of a statement, in the order of their days.
pub async fn items(cx: Arc<Ctx>, id: Id) -> Result<Vec<PartnerItemRow>> {
    let row = view(cx.clone(), id).await?;
    Ok(store::items_of(cx.db().read(), row.id, MOST_SHOWN).await?)
}

/// `GET /partner/statement/file/{id}`: the statement as a PDF, in the viewer's language.
pub async fn file(cx: Arc<Ctx>, id: Id) -> Result<Download> {
    let row = view(cx.clone(), id).await?;
    Ok(Download(as_pdf(&row, cx.locale)))
}

/// `GET /partner/statement/sheet/{id}`: the statement with its items as XLSX, in the viewer's language.
pub async fn sheet(cx: Arc<Ctx>, id: Id) -> Result<Download> {
    let row = view(cx.clone(), id).await?;
    let too_many = |most: i64| {
        say(format!("超过 {most} 行，请在明细列表中筛选后导出"), format!("More than {most} rows: narrow the list of items and export it"))
    };
    Ok(Download(as_xlsx(&cx.app, &row, cx.locale, too_many).await?))
}

/// A statement as a PDF.
pub(super) fn as_pdf(row: &PartnerStatementRow, locale: Locale) -> Response<HttpBody> {
    download(row, "application/pdf", "pdf", pdf::document(row, locale))
}

/// A statement with its items as XLSX, or `too_many` if it has more items than a file may have rows.
pub(super) async fn as_xlsx(
    app: &App,
    row: &PartnerStatementRow,
    locale: Locale,
    too_many: impl FnOnce(i64) -> Say,
) -> Result<Response<HttpBody>> {
    let most = app.settings.get(&app.db, &setting::EXPORT_ROW_CAP).await?;
    if row.items > most {
        return Err(ApiError::State(too_many(most)));
    }
    let items = store::items_of(app.db.read(), row.id, most).await?;
    let of = row.clone();
    let file = tokio::task::spawn_blocking(move || xlsx::document(&of, &items, locale))
        .await
        .map_err(|error| ApiError::Internal(error.into()))?
        .map_err(|error| ApiError::Internal(error.into()))?;
    Ok(download(row, Format::Xlsx.content_type(), "xlsx", file))
}

fn download(row: &PartnerStatementRow, kind: &'static str, ending: &str, file: Vec<u8>) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody::from(file));
    let name = format!("attachment; filename=\"{}.{ending}\"", row.statement_no);
    for (header, value) in [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_DISPOSITION, HeaderValue::from_str(&name).expect("numbers are plain text")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ] {
        response.headers_mut().insert(header, value);
    }
    response
}

/// `POST /partner/statement`: for a channel and a month that is over.
pub async fn create(cx: Arc<Ctx>, Body(form): Body<PartnerStatementForm>) -> Result<PartnerStatementRow> {
    let viewer = cx.viewer()?;
    let tax_bp = cx.setting(&setting::PARTNER_TAX_BP).await?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                if channel::find(&mut **tx, viewer.scope(), form.channel_id).await?.is_none() {
                    return Err(ApiError::Missing);
                }
                let month = Month::ended(&form.month, cx.now)?;
                let row = make::make(cx.db(), &mut tx, (form.channel_id, &month), tax_bp, Some(viewer.id), cx.now).await?;
                versioned::created_within(cx, &mut tx, row.id).await
            }
            .boxed()
        })
        .await
}
