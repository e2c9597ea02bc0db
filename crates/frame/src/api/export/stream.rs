//! Streams a file: the rows are read in batches, and the audit trail notes the beginning and the end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream;
use sha2::{Digest, Sha256};
use tokio::sync::{Semaphore, mpsc};

use super::cell::Cell;
use super::columns::Head;
use super::plain::{Beginning, Plain};
use super::{Format, Making, csv, xlsx};
use crate::access::audit::{self, Action, Change, Target};
use crate::access::session;
use crate::api::ctx::Ctx;
use crate::api::disposition::Disposition;
use crate::api::{self, ApiError};
use base::clock;
use base::say::Say;

/// Rows read at a time.
const BATCH: usize = 500;
/// Exports that read from the database at the same moment; the other connections stay free for pages.
pub static READING: Semaphore = Semaphore::const_new(2);
/// The cells of the rows of some ids.
pub type ReadCells = Box<dyn Fn(Vec<i64>) -> BoxFuture<'static, anyhow::Result<Vec<Vec<Cell>>>> + Send>;

/// A file to be made. The type of its rows is hidden, so that the code that makes files is compiled once.
pub struct File {
    pub target: Target,
    pub title: Say,
    pub format: Format,
    pub heads: Vec<Head>,
    pub ids: Vec<i64>,
    pub read: ReadCells,
    pub last: Option<Vec<Cell>>,
}

/// Notes in the audit trail that a file begins, and answers with it.
pub async fn start(cx: Arc<Ctx>, file: File, mut filters: Vec<Change>, plain: Option<Plain>) -> api::Result<Response<Body>> {
    let File { target, title, format, heads, ids, read, last } = file;
    if let Some(Plain { reason, .. }) = &plain {
        filters.retain(|change| !["plain", "reason"].contains(&change.field.as_str()));
        filters.splice(0..0, [change("plain", "true".to_owned()), change("plainReason", reason.clone())]);
    }
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    let time = clock::date_time(cx.now).replace(['-', ':'], "").replace(' ', "-");
    let named = |name: &str| format!("{name}-{time}.{}", <&str>::from(format));
    let name = named(title.get(cx.locale));
    headers.insert(header::CONTENT_DISPOSITION, Disposition::Attachment.of(&named(target.module.into()), &name));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(HeaderName::from_static("x-total-rows"), HeaderValue::from(ids.len()));

    let mut changes = begun(format, filters.clone());
    changes.push(change("started", ids.len().to_string()));
    match plain {
        Some(Plain { reason, begin, .. }) => begin(Beginning { ids: ids.clone(), title: title.clone(), reason, changes }).await?,
        None => record(&cx, target, &changes).await.map_err(ApiError::Internal)?,
    }

    let making = Making { name, total: ids.len(), rows: Arc::default() };
    response.extensions_mut().insert(making.clone());

    let (sender, pieces) = mpsc::channel(1);
    let locale = cx.locale;
    let title = title.get(locale).to_owned();
    tokio::spawn(async move {
        let mut sink = Sink { sender, hash: Sha256::new(), rows: 0 };
        let rows = Walk { cx: cx.clone(), ids, position: 0, read, last, rows: making.rows };
        let ended = match format {
            Format::Csv => csv::write(rows, heads, locale, &mut sink).await,
            Format::Xlsx => xlsx::write(rows, heads, locale, title, &mut sink).await,
        };
        close(&cx, target, format, filters, sink, ended).await;
    });
    *response.body_mut() = body(pieces);
    Ok(response)
}

/// Why a file ended before its last byte.
pub enum Stop {
    /// The reader has left.
    Left,
    /// The rights of the viewer ended or changed.
    Rights,
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Failed(error.into())
    }
}

/// The rows still to come, a batch at a time.
pub struct Walk {
    cx: Arc<Ctx>,
    ids: Vec<i64>,
    position: usize,
    read: ReadCells,
    /// The line below them all; it counts as no row.
    last: Option<Vec<Cell>>,
    /// Rows read, for [`Making`].
    rows: Arc<AtomicUsize>,
}

impl Walk {
    pub async fn next(&mut self) -> Result<Option<Vec<Vec<Cell>>>, Stop> {
        if !has_same_rights(&self.cx).await? {
            return Err(Stop::Rights);
        }
        let batch = &self.ids[self.position..(self.position + BATCH).min(self.ids.len())];
        if batch.is_empty() {
            return Ok(self.last.take().map(|last| vec![last]));
        }
        let _turn = READING.acquire().await.expect("never closed");
        let rows = (self.read)(batch.to_vec()).await?;
        self.position += batch.len();
        self.rows.fetch_add(rows.len(), Ordering::Relaxed);
        Ok(Some(rows))
    }
}

/// Whether session, account, role and scope of the viewer are those that the export began with. A worker's viewer has no
/// session.
async fn has_same_rights(cx: &Ctx) -> Result<bool, Stop> {
    let (app, before) = (&cx.app, cx.viewer().map_err(|_| anyhow::anyhow!("an export without a viewer"))?);
    let now = match before.session_id {
        0 => session::standing(&app.db, &app.roles, before.id, before.role.id).await?,
        _ => session::viewer_again(app.gate(), before, &cx.origin, app.clock.now()).await?,
    };
    Ok(now.is_some_and(|now| now.has_same_rights_as(before)))
}

/// A part of the file, or its proper end.
enum Piece {
    Bytes(Bytes),
    End,
}

/// Where a file's bytes go, counted and hashed on their way.
pub struct Sink {
    sender: mpsc::Sender<Piece>,
    hash: Sha256,
    rows: usize,
}

impl Sink {
    /// Hands over a part that ends `rows` more rows; waits until the reader has room.
    pub async fn send(&mut self, bytes: Bytes, rows: usize) -> Result<(), Stop> {
        let permit = self.sender.reserve().await.map_err(|_| Stop::Left)?;
        self.hash.update(&bytes);
        self.rows += rows;
        permit.send(Piece::Bytes(bytes));
        Ok(())
    }

    /// Whether the reader has left.
    pub fn is_left(&self) -> bool {
        self.sender.is_closed()
    }
}

/// The answer's body: it ends well only with [`Piece::End`], so that a file cut short by a fault
/// is a broken download and never a file that looks whole.
fn body(pieces: mpsc::Receiver<Piece>) -> Body {
    Body::from_stream(stream::unfold(Some(pieces), |pieces| async {
        let mut pieces = pieces?;
        match pieces.recv().await {
            Some(Piece::Bytes(bytes)) => Some((Ok(bytes), Some(pieces))),
            Some(Piece::End) => None,
            None => Some((Err(io::Error::other("the export failed")), None)),
        }
    }))
}

/// Writes the audit row, and only then the end of the file, so that the trail has an entry of every whole file.
async fn close(cx: &Ctx, target: Target, format: Format, filters: Vec<Change>, sink: Sink, ended: Result<(), Stop>) {
    let mut changes = begun(format, filters);
    changes.push(change("rows", sink.rows.to_string()));
    changes.push(change("sha256", hex::encode(sink.hash.finalize())));
    match &ended {
        Ok(()) => {}
        Err(Stop::Left) => changes.push(change("ended", "left".to_owned())),
        Err(Stop::Rights) => changes.push(change("ended", "rights".to_owned())),
        Err(Stop::Failed(_)) => changes.push(change("ended", "failed".to_owned())),
    }
    let recorded = record(cx, target, &changes).await.map_err(Stop::Failed);
    for cause in [recorded.err(), ended.err()].into_iter().flatten() {
        match cause {
            Stop::Left => {}
            Stop::Rights => return,
            Stop::Failed(cause) => {
                tracing::error!(request.id = cx.request_id, cause = format!("{cause:#}"), "an export failed");
                return;
            }
        }
    }
    // It fails where the reader has left, and then the end is not needed.
    let _ = sink.sender.send(Piece::End).await;
}

/// What both entries of an export say.
fn begun(format: Format, filters: Vec<Change>) -> Vec<Change> {
    [change("format", <&str>::from(format).to_owned())].into_iter().chain(filters).collect()
}

fn change(field: &str, after: String) -> Change {
    Change { field: field.to_owned(), before: None, after: Some(after) }
}

async fn record(cx: &Ctx, target: Target, changes: &[Change]) -> anyhow::Result<()> {
    let actor = audit::Actor { at: cx.app.clock.now(), ..cx.actor().map_err(|_| anyhow::anyhow!("an export without a viewer"))? };
    let mut tx = cx.db().begin().await?;
    audit::record(&mut tx, &actor, target, Action::Export, changes).await?;
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_cut_short_is_a_broken_download() {
        let (sender, pieces) = mpsc::channel(2);
        sender.send(Piece::Bytes(Bytes::from_static(b"half"))).await.ok();
        drop(sender);
        assert!(axum::body::to_bytes(body(pieces), 100).await.is_err());

        let (sender, pieces) = mpsc::channel(2);
        sender.send(Piece::Bytes(Bytes::from_static(b"whole"))).await.ok();
        sender.send(Piece::End).await.ok();
        assert_eq!(axum::body::to_bytes(body(pieces), 100).await.unwrap(), "whole");
    }
}
