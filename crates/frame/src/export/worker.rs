//! Makes the files of export tasks: the call that requested one is made again in process, as the same account, with
//! its current points and scope, and its stream goes into the storage. So a list needs nothing but its own export
//! call to have tasks.

use std::cell::OnceCell;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, header};
use futures_util::StreamExt;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::notice;
use crate::access::Scope;
use crate::access::session::{self, Origin};
use crate::api::calls::{Again, FILE, InProcess, MAX_BODY};
use crate::api::ctx::{App, RequestInfo};
use crate::api::export::Making;
use crate::api::export::task::{self, ADDED, Made, Task};
use crate::setting;
use base::clock::DAY;
use base::say::{Say, say};

/// Tasks that this process makes at the same moment.
const AT_ONCE: usize = 2;
/// How often a task renews its lease, and checks whether it was stopped.
const SIGN_EVERY: Duration = Duration::from_millis(500);
/// How often tasks of other nodes, new or abandoned, are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How often expired files are removed.
const SWEEP_EVERY: Duration = Duration::from_secs(600);
/// Expired files removed in one round.
const BATCH: i64 = 200;
/// A file with whole numbers is kept at most this long.
const PLAIN_KEPT: i64 = DAY;
/// Finished tasks are kept this long.
const REMEMBERED: i64 = 90 * DAY;

/// How the making of a file ended.
enum Ending {
    Made(Made),
    /// The call refused.
    Refused(Say),
    /// The task no longer belongs to this node.
    Lost,
    /// This process stops.
    Interrupted,
    /// A fault of this installation; a later try may succeed.
    Broken(anyhow::Error),
}

/// Makes files until the program stops, and then gives unfinished tasks back. `make_api` makes the router of all calls, for the first
/// task: most starts have none.
pub async fn work(app: Arc<App>, make_api: impl Fn() -> Router, stop: CancellationToken) {
    let api = OnceCell::new();
    let slots = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    let mut sweeping = interval(SWEEP_EVERY);
    while !stop.is_cancelled() {
        let added = ADDED.notified();
        let mut added = pin!(added);
        // From here on no new task is missed.
        added.as_mut().enable();
        while let Ok(slot) = slots.clone().try_acquire_owned() {
            match task::take(&app.db, &app.clock).await {
                Ok(Some(task)) => {
                    let (app, api, stop) = (app.clone(), api.get_or_init(&make_api).clone(), stop.clone());
                    running.spawn(async move {
                        run(&app, &api, &task, &stop).await;
                        drop(slot);
                    });
                }
                Ok(None) => break,
                Err(error) => {
                    tracing::error!(%error, "exports: no task could be taken");
                    break;
                }
            }
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = added => {}
            Some(_) = running.join_next() => {}
            () = sleep(LOOK_EVERY) => {}
            _ = sweeping.tick() => {
                if let Err(error) = sweep(&app).await {
                    tracing::error!(cause = format!("{error:#}"), "exports: a sweep failed");
                }
            }
        }
    }
    while running.join_next().await.is_some() {}
}

/// Makes the files of all due tasks, one after the other. Returns how many were taken.
pub async fn run_due(app: &Arc<App>, api: &Router) -> Result<usize, sqlx::Error> {
    let mut taken = 0;
    while let Some(task) = task::take(&app.db, &app.clock).await? {
        run(app, api, &task, &CancellationToken::new()).await;
        taken += 1;
    }
    Ok(taken)
}

/// Removes expired files, and deletes old tasks.
pub async fn sweep(app: &App) -> anyhow::Result<()> {
    loop {
        let spent = task::spent(&app.db, app.clock.now(), BATCH).await?;
        for (id, key) in &spent {
            app.storage.delete(key).await?;
            task::cleared(&app.db, *id).await?;
        }
        if (spent.len() as i64) < BATCH {
            break;
        }
    }
    Ok(task::forget(&app.db, app.clock.now() - REMEMBERED).await?)
}

async fn run(app: &Arc<App>, api: &Router, task: &Task, stop: &CancellationToken) {
    let ending = make(app, api, task, stop).await;
    let now = app.clock.now();
    let made = matches!(ending, Ending::Made(_));
    let written = match ending {
        Ending::Made(made) => match keep(app, task, &made, now).await {
            Ok(true) => Ok(true),
            // Stopped with its last byte: the file is not wanted.
            Ok(false) => app.storage.delete(&task.file_key).await.map(|()| false),
            Err(error) => Err(error),
        },
        Ending::Refused(reason) => task.fail(&app.db, &reason, now).await.map_err(Into::into),
        Ending::Lost => Ok(false),
        Ending::Interrupted => task.put_back(&app.db).await.map(|()| false).map_err(Into::into),
        Ending::Broken(cause) => {
            tracing::error!(request.id = task.request_id, export.id = task.id, cause = format!("{cause:#}"), "an export broke");
            task.try_again(&app.db, now).await.map_err(Into::into)
        }
    };
    let sent = match written {
        Ok(true) => notice::send(&app.db, task, made, now).await.map_err(Into::into),
        Ok(false) => Ok(()),
        // It stays with this node until its lease ends; then it is taken again.
        Err(error) => Err(error),
    };
    if let Err(error) = sent {
        tracing::error!(export.id = task.id, cause = format!("{error:#}"), "an export's end could not be written down");
    }
}

async fn keep(app: &App, task: &Task, made: &Made, now: i64) -> anyhow::Result<bool> {
    let days = app.settings.get(&app.db, &setting::EXPORT_KEEP_DAYS).await?;
    let kept = if task.is_plain { PLAIN_KEPT.min(days * DAY) } else { days * DAY };
    Ok(task.succeed(&app.db, made, kept, now).await?)
}

async fn make(app: &Arc<App>, api: &Router, task: &Task, stop: &CancellationToken) -> Ending {
    if let Some(key) = &task.left
        && let Err(error) = app.storage.delete(key).await
    {
        return Ending::Broken(error);
    }
    let viewer = match session::standing(&app.db, &app.roles, task.admin_id, task.role_id).await {
        Ok(Some(viewer)) => Arc::new(viewer),
        Ok(None) => return Ending::Refused(say("账号或角色已停用", "The account or its role is disabled")),
        Err(error) => return Ending::Broken(error.into()),
    };
    let info = RequestInfo {
        locale: task.locale,
        origin: Origin { ip: task.ip.clone(), user_agent: String::new() },
        request_id: task.request_id.clone(),
        secure: false,
    };
    let asked = match task.asked(&app.keys) {
        Ok(asked) => asked,
        Err(error) => return Ending::Broken(error.into()),
    };
    let request = Request::post(&task.call)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, FILE)
        .extension(InProcess(viewer.clone()))
        .extension(Again)
        .extension(info)
        .body(Body::from(asked));
    let Ok(request) = request else { return Ending::Broken(anyhow!("the call is no path")) };
    let answer = async { api.clone().oneshot(request).await.unwrap_or_else(|never| match never {}) };
    match watched(app, task, stop, answer, || (0, None)).await {
        Ok(response) => match response.extensions().get::<Making>().cloned() {
            Some(making) => {
                let total = Some(making.total as i64);
                let rows = making.rows.clone();
                let storing = store(app, task, response, &making, viewer.scope());
                watched(app, task, stop, storing, move || (rows.load(Ordering::Relaxed) as i64, total))
                    .await
                    .map_or_else(|ending| ending, |stored| stored.map_or_else(Ending::Broken, Ending::Made))
            }
            None => refusal(response).await,
        },
        Err(ending) => ending,
    }
}

/// Awaits work and renews the lease meanwhile, until the work is done, the task is stopped, or the process is.
async fn watched<T>(
    app: &App,
    task: &Task,
    stop: &CancellationToken,
    work: impl Future<Output = T>,
    far: impl Fn() -> (i64, Option<i64>),
) -> Result<T, Ending> {
    let mut work = pin!(work);
    let mut signs = interval(SIGN_EVERY);
    signs.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return Err(Ending::Interrupted),
            done = &mut work => return Ok(done),
            _ = signs.tick() => {
                let (rows, total) = far();
                match task.progress(&app.db, rows, total, &app.clock).await {
                    Ok(true) => {}
                    Ok(false) => return Err(Ending::Lost),
                    // The lease lasts longer than a short failure of the database.
                    Err(error) => tracing::warn!(%error, export.id = task.id, "an export could not tell how far it is"),
                }
            }
        }
    }
}

/// Writes the file into the storage, encrypted. If it is dropped half-way, nothing of it stays.
async fn store(app: &App, task: &Task, response: Response<Body>, making: &Making, scope: Scope) -> anyhow::Result<Made> {
    let mut pieces = response.into_body().into_data_stream();
    let mut writer = app.storage.write_sealed(&app.keys, &task.file_key).await?;
    let (mut hash, mut size) = (Sha256::new(), 0);
    while let Some(piece) = pieces.next().await {
        let piece = piece?;
        hash.update(&piece);
        size += piece.len() as i64;
        writer.put(piece).await?;
    }
    writer.finish().await?;
    let rows = making.rows.load(Ordering::Relaxed) as i64;
    Ok(Made { name: making.name.clone(), rows, size, sha256: hex::encode(hash.finalize()), scope: scope.code() })
}

/// The result of a call that returned no file.
async fn refusal(response: Response<Body>) -> Ending {
    let body = to_bytes(response.into_body(), MAX_BODY).await.context("an answer without a body");
    let envelope = body.and_then(|bytes| Ok(serde_json::from_slice::<Value>(&bytes)?));
    match envelope {
        Ok(envelope) => match envelope["code"].as_str() {
            None | Some("0000" | "5000" | "5003") => Ending::Broken(anyhow!("the call answered {envelope}")),
            Some(_) => {
                let desc = envelope["desc"].as_str().unwrap_or_default().to_owned();
                Ending::Refused(say(desc.clone(), desc))
            }
        },
        Err(error) => Ending::Broken(error),
    }
}
