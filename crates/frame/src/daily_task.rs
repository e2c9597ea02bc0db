//! Work that one node does once a day: it begins with a lease, so that another node takes over work that failed, was
//! cut off, or stopped without a trace.
//!
//! Not here: the work itself and its time (`distribution::books`, [`server::retention`]).

use std::time::Duration;

use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use crate::api::App;
use crate::message::{self, NewMessage};
use crate::old_rows::{Keep, OldRows};
use base::clock;
use base::db::Tx;

/// How often a node looks whether nightly work is due.
const LOOK: Duration = Duration::from_secs(600);

/// Calls `work` every ten minutes from `at` on (milliseconds from midnight on Shanghai's clock) until the program stops. The
/// first call comes ten minutes after the start, so that a program that starts serves requests first.
pub async fn nightly<F: Future<Output = ()>>(app: &App, stop: CancellationToken, at: i64, work: impl Fn() -> F) {
    tokio::select! {
        () = stop.cancelled() => return,
        () = tokio::time::sleep(LOOK) => {}
    }
    clock::every(LOOK, stop, async || {
        let now = app.clock.now();
        if now >= clock::start(clock::day(now)) + at {
            work().await;
        }
    })
    .await;
}

/// A task of today that this node has begun.
#[derive(Clone, Debug)]
pub struct DailyTask {
    name: &'static str,
    /// YYYY-MM-DD, on Shanghai's clock.
    day: String,
    /// Since when the lease runs, epoch milliseconds: it distinguishes this node's lease from a later one.
    at: i64,
}

impl DailyTask {
    /// Begins a task, unless it is done today or another node began it within the last `lease` milliseconds.
    pub async fn begin(app: &App, tx: &mut Tx, name: &'static str, lease: i64) -> Result<Option<DailyTask>, sqlx::Error> {
        let at = tx.now(&app.clock).await?;
        let task = DailyTask { name, day: clock::day(at).to_string(), at };
        let begun = sqlx::query(
            "INSERT INTO daily_task (name, day, begun_at) VALUES ($1, $2, $3) ON CONFLICT (name, day) DO UPDATE SET \
               begun_at = excluded.begun_at WHERE daily_task.done_at IS NULL AND daily_task.begun_at <= $4",
        )
        .bind(name)
        .bind(&task.day)
        .bind(at)
        .bind(at - lease)
        .execute(&mut **tx)
        .await?;
        Ok((begun.rows_affected() == 1).then_some(task))
    }

    /// The same in its own transaction.
    pub async fn start(app: &App, name: &'static str, lease: i64) -> Result<Option<DailyTask>, sqlx::Error> {
        app.db.transact(|mut tx| async move { DailyTask::begin(app, &mut tx, name, lease).await }.boxed()).await
    }

    /// Ends the task for today and sends a message to people who hold a permission point in a role that sees
    /// everything, in one transaction; returns whether the task still was this node's. Otherwise no message is sent.
    pub async fn end_with(&self, app: &App, report: Option<(&str, NewMessage)>) -> Result<bool, sqlx::Error> {
        let report = &report;
        app.db
            .transact(|mut tx| {
                async move {
                    let held = self.end(app, &mut tx).await?;
                    if let (true, Some((point, message))) = (held, report) {
                        message::to_overseers(&mut tx, point, message.clone(), app.clock.now()).await?;
                    }
                    Ok(held)
                }
                .boxed()
            })
            .await
    }

    /// Renews the lease; false if the task is not this node's any more.
    pub async fn go_on(&mut self, app: &App) -> Result<bool, sqlx::Error> {
        let task = &*self;
        let renewed = app.db.transact(|mut tx| async move { task.renew(app, &mut tx).await }.boxed()).await?;
        Ok(renewed.map(|task| *self = task).is_some())
    }

    /// Ends the task for today if it is done, or leaves it to the next node.
    pub async fn leave(&self, app: &App, done: bool) -> Result<(), sqlx::Error> {
        app.db
            .transact(|mut tx| {
                async move {
                    match done {
                        true => self.end(app, &mut tx).await.map(drop),
                        false => self.give_back(&mut tx).await,
                    }
                }
                .boxed()
            })
            .await
    }

    /// The task under a renewed lease, once the transaction is committed; none if it is not this node's any more.
    pub async fn renew(&self, app: &App, tx: &mut Tx) -> Result<Option<DailyTask>, sqlx::Error> {
        // Never earlier: a lease is identified by its beginning.
        let at = tx.now(&app.clock).await?.max(self.at);
        let renewed = sqlx::query("UPDATE daily_task SET begun_at = $1 WHERE name = $2 AND day = $3 AND begun_at = $4 AND done_at IS NULL")
            .bind(at)
            .bind(self.name)
            .bind(&self.day)
            .bind(self.at)
            .execute(&mut **tx)
            .await?;
        Ok((renewed.rows_affected() == 1).then(|| DailyTask { at, ..self.clone() }))
    }

    /// Ends the task for today. Returns whether it still was this node's.
    pub async fn end(&self, app: &App, tx: &mut Tx) -> Result<bool, sqlx::Error> {
        let now = tx.now(&app.clock).await?;
        sqlx::query("UPDATE daily_task SET done_at = $1 WHERE name = $2 AND day = $3 AND begun_at = $4 AND done_at IS NULL")
            .bind(now)
            .bind(self.name)
            .bind(&self.day)
            .bind(self.at)
            .execute(&mut **tx)
            .await
            .map(|done| done.rows_affected() == 1)
    }

    /// Leaves the task to the next node.
    pub async fn give_back(&self, tx: &mut Tx) -> Result<(), sqlx::Error> {
        sqlx::query("DELETE FROM daily_task WHERE name = $1 AND day = $2 AND begun_at = $3 AND done_at IS NULL")
            .bind(self.name)
            .bind(&self.day)
            .bind(self.at)
            .execute(&mut **tx)
            .await
            .map(drop)
    }
}

/// The nights whose work was done.
pub const OLD_TASKS: OldRows = OldRows {
    name: "nights",
    keep: Keep::Days(100),
    statement: "DELETE FROM daily_task WHERE (name, day) IN (SELECT name, day FROM daily_task WHERE begun_at < $1 LIMIT $2)",
};
