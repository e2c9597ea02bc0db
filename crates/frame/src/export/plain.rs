//! Exports with whole numbers instead of masks, for the lists whose rows are revealed one by one. They need the
//! points `export-plain`, `reveal` and `export` of the list, a reason, and rows within the viewer's scope; a row that
//! the viewer could not reveal stays masked. The records count in the limits of reveals (`reveal`).
//!
//! The audit row, the counts and the message to people who oversee the audit trail are one transaction, before the
//! first byte.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use futures_util::FutureExt;

use crate::access::audit::{self, Action, Change, Target};
use crate::access::{Scope, Viewer};
use crate::api::export::Exported;
use crate::api::export::plain::{self, Beginning, Plain};
use crate::api::{Access, ApiError, Ctx, Exporting, ListQuery, Result, listing, say};
use crate::message::{self, Link, NewMessage};
use crate::{reveal, setting};
use base::crypto::Keys;
use base::db::{Connection, Db};
use base::locale::Locale::{Chinese, English};

/// Rows per statement.
const BATCH: usize = 500;

/// The whole name and numbers of the person of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    pub name: String,
    pub phone: String,
    pub id_no: Option<String>,
}

/// A row that its viewer may reveal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Revealable {
    pub row: i64,
    /// The record that counts as revealed.
    pub record: i64,
}

/// A list whose rows are revealed one by one, or together in a file.
pub trait PlainExporting: Exporting {
    /// The access to its export: the other points of its screen are beside this one.
    const EXPORT: Access;
    /// The audit name of the records that reveals of its rows show.
    const REVEALS: Target;

    /// Of some rows, those that a reveal would show within a scope.
    fn revealable(db: &Db, scope: Scope, rows: &[i64]) -> impl Future<Output = std::result::Result<Vec<Revealable>, sqlx::Error>> + Send;
    /// The persons of these rows, by the rows' ids.
    fn people(db: &Db, keys: &Keys, scope: Scope, rows: &[i64]) -> impl Future<Output = anyhow::Result<HashMap<i64, Person>>> + Send;
    /// The id of a row.
    fn id(row: &Self::Row) -> i64;
    /// Replaces the masks of a row by the person's data.
    fn unmask(row: &mut Self::Row, person: Person);
}

/// Whether a viewer may have whole numbers in files of the list with this access to its export.
pub fn lets(viewer: &Viewer, export: Access) -> bool {
    let Access::Point(point) = export else { return false };
    let Some((screen, _)) = point.rsplit_once('/') else { return false };
    export.lets(viewer) && ["export-plain", "reveal"].iter().all(|action| viewer.has(&format!("{screen}/{action}")))
}

/// `POST …/page/export`, with masks, or with whole numbers if the body says `"plain": true`.
pub async fn export<L: PlainExporting>(cx: Arc<Ctx>, query: ListQuery<L::Filters>) -> Result<Exported> {
    let Some(reason) = plain::reason(&query.rest)? else { return listing::export::<L>(cx, query).await };
    let viewer = cx.viewer()?;
    if !lets(viewer, L::EXPORT) {
        return Err(ApiError::Forbidden);
    }
    let (scope, most) = (viewer.scope(), cx.setting(&setting::EXPORT_PLAIN_ROWS).await?);
    // The rows that were counted: only these are shown, whatever changes meanwhile.
    let shown: Arc<OnceLock<HashSet<i64>>> = Arc::default();
    let begin = {
        let (cx, shown) = (cx.clone(), shown.clone());
        move |file| {
            let began = async move { begin::<L>(&cx, scope, file).await.map(|rows| drop(shown.set(rows))) };
            began.boxed()
        }
    };
    let finish = {
        let cx = cx.clone();
        move |rows| {
            let (cx, shown) = (cx.clone(), shown.clone());
            async move { unmasked::<L>(&cx, scope, shown.get(), rows).await }
        }
    };
    listing::export_with::<L, _, _>(cx, query, Some(Plain { reason, most, begin: Box::new(begin) }), finish).await
}

/// Counts the records of a file, writes its audit row and reports it. Returns the rows that are shown whole.
async fn begin<L: PlainExporting>(cx: &Ctx, scope: Scope, file: Beginning) -> Result<HashSet<i64>> {
    let mut revealable = Vec::new();
    for some in file.ids.chunks(BATCH) {
        revealable.extend(L::revealable(cx.db(), scope, some).await?);
    }
    let records: Vec<i64> = revealable.iter().map(|one| one.record).collect();
    let mut tx = reveal::in_file(cx, L::REVEALS, &records).await?;
    let revealed = Change { field: "revealed".to_owned(), before: None, after: Some(records.len().to_string()) };
    let changes: Vec<Change> = file.changes.iter().cloned().chain([revealed]).collect();
    audit::record(&mut tx, &cx.actor()?, L::sheet().target, Action::Export, &changes).await?;
    report(cx, &mut tx, &file, records.len()).await?;
    tx.commit().await?;
    Ok(revealable.iter().map(|one| one.row).collect())
}

/// Sends a message to people who oversee the audit trail.
async fn report(cx: &Ctx, tx: &mut Connection, file: &Beginning, records: usize) -> Result<()> {
    let viewer = cx.viewer()?;
    let (username, name, rows, reason) = (&viewer.username, &viewer.name, file.ids.len(), &file.reason);
    let title = say("导出了完整号码", "Whole numbers exported");
    let content = say(
        format!(
            "账号 {username}（{name}）导出了“{}”：共 {rows} 行，其中 {records} 行含完整姓名和号码。原因：{reason}",
            file.title.get(Chinese)
        ),
        format!(
            "The account {username} ({name}) exported \u{201c}{}\u{201d}: {rows} rows, {records} of them with whole names and numbers. \
             Reason: {reason}",
            file.title.get(English)
        ),
    );
    let link = Some(Link { route: "adminAudit", query: vec![("keyword", username.clone()), ("action", "export".to_owned())] });
    let message = NewMessage { link, ..NewMessage::to_person(viewer.id, "plain_export", title, content, cx.now) };
    Ok(message::to_overseers(tx, "admin/audit/list", message, cx.now).await?)
}

/// A batch of rows, without masks if they are counted and may still be revealed.
async fn unmasked<L: PlainExporting>(
    cx: &Ctx,
    scope: Scope,
    shown: Option<&HashSet<i64>>,
    mut rows: Vec<L::Row>,
) -> std::result::Result<Vec<L::Row>, sqlx::Error> {
    let ids: Vec<i64> = rows.iter().map(L::id).filter(|id| shown.is_some_and(|shown| shown.contains(id))).collect();
    let people = L::people(cx.db(), &cx.app.keys, scope, &ids).await;
    let mut people = people.map_err(|error| sqlx::Error::Decode(error.into()))?;
    for row in &mut rows {
        if let Some(person) = people.remove(&L::id(row)) {
            L::unmask(row, person);
        }
    }
    Ok(rows)
}
