//! Files of older versions, which are stored in clear, are encrypted one after the other in the background. The
//! encrypted copy gets its own place, so that the file can be read at every moment: the row names that place before
//! the copy is made, then the two are exchanged, and the copy in clear is deleted later.

use anyhow::{Context as _, ensure};
use futures_util::{FutureExt, TryStreamExt};
use sha2::{Digest, Sha256};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use super::record;
use super::store::{self, FileRow};
use crate::api::App;
use crate::daily_task::DailyTask;
use base::clock::{HOUR, MINUTE};
use base::crypto::place;
use base::storage::{self, FileKey};

/// Files per query, and the pause after each.
const BATCH: i64 = 20;
const PAUSE: Duration = Duration::from_millis(20);
/// After this long without an encrypted file, a node counts as stopped, and another one continues.
const LEASE: i64 = 10 * MINUTE;
/// How long the copy in clear stays: a running backup still reads the places that its database names.
const SPARE_KEPT: i64 = 6 * HOUR;

/// Encrypts all such files, unless another node does. Returns how many. Work that `stop` cuts off, or that fails, is
/// continued later.
pub async fn seal(app: &App, stop: &CancellationToken) -> anyhow::Result<usize> {
    let Some(mut task) = DailyTask::start(app, "seal_files", LEASE).await? else { return Ok(0) };
    let mut sealed = 0;
    let done = go_through(app, &mut task, stop, &mut sealed).await;
    task.leave(app, *done.as_ref().unwrap_or(&false)).await?;
    if sealed > 0 {
        tracing::info!(files = sealed, "uploads: files of before were encrypted");
    }
    done.map(|_| sealed)
}

/// Returns whether nothing is left for today.
async fn go_through(app: &App, task: &mut DailyTask, stop: &CancellationToken, sealed: &mut usize) -> anyhow::Result<bool> {
    let (mut after, mut done) = (0, true);
    loop {
        let files = store::unsealed(&app.db, after, BATCH).await?;
        let Some((last, _)) = files.last() else { return Ok(done) };
        after = last.id;
        for (file, sealed_at) in &files {
            if stop.is_cancelled() || !task.go_on(app).await? {
                return Ok(false);
            }
            match (&file.key_enc, &file.spare_key) {
                (Some(_), Some(spare)) if sealed_at.is_none_or(|at| at <= app.clock.now() - SPARE_KEPT) => {
                    app.storage.delete(spare).await?;
                    let id = file.id;
                    app.db.transact(|mut tx| async move { store::forget_spare(&mut tx, id, spare).await }.boxed()).await?;
                }
                (Some(_), _) => done = false,
                (None, _) => match seal_one(app, file).await {
                    Ok(true) => (*sealed, done) = (*sealed + 1, false),
                    Ok(false) => {}
                    // One failed file does not stop the others; it is tried again tomorrow.
                    Err(error) => tracing::error!(file = file.id, cause = format!("{error:#}"), "uploads: a file could not be encrypted"),
                },
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Encrypts one file; false if it was removed meanwhile.
async fn seal_one(app: &App, file: &FileRow) -> anyhow::Result<bool> {
    let (now, id) = (app.clock.now(), file.id);
    // A copy left by an interrupted run is overwritten.
    let place = &file.spare_key.clone().unwrap_or_else(|| storage::new_key("files", now));
    if !app.db.transact(|mut tx| async move { store::set_spare(&mut tx, id, place).await }.boxed()).await? {
        return Ok(false);
    }
    let file_key = FileKey::random();
    copy(app, file, &file_key, place).await?;
    let key_enc = &app.keys.seal(&place::FILE_KEY.of(place), &file_key.text());
    let exchanged = app.db.transact(|mut tx| async move { store::exchange(&mut tx, file, (place, key_enc), now).await }.boxed()).await?;
    if !exchanged {
        app.storage.delete(place).await?;
    }
    Ok(exchanged)
}

async fn copy(app: &App, file: &FileRow, file_key: &FileKey, place: &str) -> anyhow::Result<()> {
    let mut stored = record::stored(app, file).await?.context("nothing lies in the storage")?;
    let mut writer = app.storage.write_with(file_key, place).await?;
    let (mut hash, mut size) = (Sha256::new(), 0);
    while let Some(piece) = stored.bytes.try_next().await? {
        hash.update(&piece);
        size += piece.len() as i64;
        writer.put(piece).await?;
    }
    ensure!(size == file.size && hex::encode(hash.finalize()) == file.sha256, "its content is not the one that was brought");
    writer.finish().await
}
