//! Items for amounts owed to channels before there were items, and shares of loans confirmed before: entered in small
//! transactions in the background. The progress is stored, so that another node continues after an interruption. The
//! keys are the same as for new bookings, so nothing is entered twice. All rows are read once more when older
//! versions have surely ended.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::{Any, AssertSqlSafe, Executor, Row, query_scalar};
use tokio_util::sync::CancellationToken;

use super::batch::day_of;
use super::lead;
use crate::ledger::partner_items::{self, Item, PartnerItemKind};
use base::clock::{self, MINUTE};
use base::db::{self, Connection, Db, Sql, Tx};
use frame::api::App;
use frame::daily_task::DailyTask;

/// Rows of one transaction, and the pause after it.
const BATCH: i64 = 1000;
const PAUSE: Duration = Duration::from_millis(20);
/// How often a node checks whether there is work.
const LOOK: Duration = Duration::from_secs(60);
/// After this long without a write, a node counts as stopped, and another one continues.
const LEASE: i64 = 10 * MINUTE;
/// How long after the first look older versions may still run: longer than any takes to stop.
const OVERLAP: i64 = 10 * MINUTE;
/// The rows of the progress that mark its beginning, the second pass, and its end.
const BEGUN: &str = "begun";
const AGAIN: &str = "again";
const DONE: &str = "done";

/// Tables with amounts owed to channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Earlier {
    Applicants,
    Leads,
    Loans,
}

impl Earlier {
    const ALL: [Earlier; 3] = [Earlier::Applicants, Earlier::Leads, Earlier::Loans];

    /// The table and the column that orders the pass.
    fn table(self) -> (&'static str, &'static str) {
        match self {
            Earlier::Applicants => ("applicant", "id"),
            Earlier::Leads => ("lead_cost", "user_id"),
            Earlier::Loans => ("money_record", "id"),
        }
    }
}

/// Works until all is entered, or the program stops.
pub async fn work_on_earlier(app: Arc<App>, stop: CancellationToken) {
    let ended = stop.child_token();
    clock::every(LOOK, ended.clone(), async || match enter_earlier(&app, &stop).await {
        Ok(true) => ended.cancel(),
        Ok(false) => {}
        Err(error) => tracing::error!(%error, "earlier costs of channels were not entered"),
    })
    .await;
}

/// Enters what is not entered yet, if no other node does. Returns whether all is.
pub async fn enter_earlier(app: &App, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    if progress(app.db.read(), DONE).await?.is_some() {
        return Ok(true);
    }
    let Some(mut task) = DailyTask::start(app, "earlier costs", LEASE).await? else { return Ok(false) };
    let done = go_through(app, &mut task, stop).await;
    task.leave(app, *done.as_ref().unwrap_or(&false)).await?;
    done
}

/// Returns whether it came to the end.
async fn go_through(app: &App, task: &mut DailyTask, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    let now = app.clock.now();
    let is_last = app.db.transact(|mut tx| async move { begin(&mut tx, now).await }.boxed()).await?;
    for earlier in Earlier::ALL {
        loop {
            if stop.is_cancelled() || !task.go_on(app).await? {
                return Ok(false);
            }
            if !app.db.transact(|mut tx| async move { enter_next(&app.db, &mut tx, earlier, now).await }.boxed()).await? {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
    if is_last {
        app.db.transact(|mut tx| async move { keep(&mut tx, DONE, now).await }.boxed()).await?;
    }
    Ok(is_last)
}

/// Stores when this began. Returns whether older versions have ended, so that this pass is the last.
async fn begin(tx: &mut Connection, now: i64) -> Result<bool, sqlx::Error> {
    let begun = progress(&mut *tx, BEGUN).await?;
    if begun.is_none() {
        keep(tx, BEGUN, now).await?;
    }
    let is_last = begun.is_some_and(|begun| begun + OVERLAP <= now);
    if is_last && progress(&mut *tx, AGAIN).await?.is_none() {
        sqlx::query("DELETE FROM partner_progress WHERE source NOT IN ($1, $2)").bind(BEGUN).bind(DONE).execute(&mut *tx).await?;
        keep(tx, AGAIN, now).await?;
    }
    Ok(is_last)
}

/// Enters the next rows of a table. Returns whether there were any.
async fn enter_next(db: &Db, tx: &mut Tx, earlier: Earlier, now: i64) -> Result<bool, sqlx::Error> {
    // A node whose lease is over may come after the one that has finished.
    if progress(&mut **tx, DONE).await?.is_some() {
        return Ok(false);
    }
    let (table, id) = earlier.table();
    let after = progress(&mut **tx, table).await?.unwrap_or(0);
    let last = format!("SELECT MAX(n.id) FROM (SELECT {id} AS id FROM {table} WHERE {id} > $1 ORDER BY {id} LIMIT {BATCH}) n");
    let Some(upto) = query_scalar::<_, Option<i64>>(AssertSqlSafe(last)).bind(after).fetch_one(&mut **tx).await? else {
        return Ok(false);
    };
    // Waiting events are booked before or after this, never at the same time.
    db.lock(tx, lead::EVENTS).await?;
    match earlier {
        Earlier::Applicants => {
            let mut sql = Sql::new(
                "SELECT 'registered' AS kind, a.id AS user_id, a.channel_id, CAST(NULL AS BIGINT) AS plan_id, CAST(NULL AS BIGINT) AS org_id, \
                   a.channel_cost_cents AS cents, a.created_at AS at FROM applicant a WHERE a.test = 0 AND a.channel_cost_cents <> 0 AND a.id > ",
            );
            sql.bind(after).push(" AND a.id <= ").bind(upto).push(" ORDER BY a.id");
            book(tx, sql, now).await?;
        }
        Earlier::Leads => {
            let mut sql = Sql::new(
                "SELECT 'sold' AS kind, k.user_id, h.channel_id, h.plan_id, h.org_id, k.cost_cents AS cents, COALESCE(h.sold_at, h.created_at) AS at \
                 FROM lead_cost k JOIN push_record h ON h.id = k.push_id WHERE h.test = 0 AND k.cost_cents <> 0 AND k.user_id > ",
            );
            sql.bind(after).push(" AND k.user_id <= ").bind(upto);
            sql.push(
                " UNION ALL SELECT 'returned', k.user_id, h.channel_id, h.plan_id, h.org_id, -k.charged_cents, \
                   COALESCE(r.reviewed_at, h.updated_at) FROM lead_cost k JOIN push_record h ON h.id = k.charged_push_id \
                 LEFT JOIN lead_return r ON r.push_id = h.id AND r.status = 'approved' WHERE h.test = 0 AND k.charged_cents <> 0 AND k.user_id > ",
            );
            sql.bind(after).push(" AND k.user_id <= ").bind(upto).push(" ORDER BY 2, 1");
            book(tx, sql, now).await?;
        }
        Earlier::Loans => share(tx, (after, upto)).await?,
    }
    keep(tx, table, upto).await?;
    Ok(true)
}

/// Books the rows of a select, on the days of their events.
async fn book(tx: &mut Connection, sql: Sql, now: i64) -> Result<(), sqlx::Error> {
    let rows = sql.fetch_all(&mut *tx).await?;
    let items = rows
        .iter()
        .map(|row| {
            let (kind, user_id): (PartnerItemKind, i64) = (db::code(row, "kind")?, row.try_get("user_id")?);
            Ok(Item {
                channel_id: row.try_get("channel_id")?,
                kind,
                amount_cents: row.try_get("cents")?,
                day: day_of(row.try_get("at")?),
                user_id: Some(user_id),
                plan_id: row.try_get("plan_id")?,
                org_id: row.try_get("org_id")?,
                money_id: None,
                visitors: 0,
                statement_id: None,
                idem_key: format!("{}-{user_id}", <&str>::from(kind)),
            })
        })
        .collect::<Result<Vec<_>, sqlx::Error>>()?;
    partner_items::book(tx, &items, now).await.map(drop)
}

/// Enters the shares of confirmed loans on the day of their confirmation. They are locked, so that none is voided
/// meanwhile.
async fn share(tx: &mut Connection, (after, upto): (i64, i64)) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT m.id, COALESCE(m.reviewed_at, m.updated_at) AS at FROM money_record m WHERE m.status = 'confirmed' AND m.deleted_at IS NULL \
         AND m.loan_cents > 0 AND m.id > ",
    );
    sql.bind(after).push(" AND m.id <= ").bind(upto).push(" ORDER BY m.id");
    tx.hold(&mut sql, "m");
    for row in sql.fetch_all(&mut *tx).await? {
        lead::shared(tx, row.try_get("id")?, row.try_get("at")?).await?;
    }
    Ok(())
}

async fn progress<'e>(on: impl Executor<'e, Database = Any>, source: &str) -> Result<Option<i64>, sqlx::Error> {
    query_scalar("SELECT upto FROM partner_progress WHERE source = $1").bind(source).fetch_optional(on).await
}

async fn keep(tx: &mut Connection, source: &str, upto: i64) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO partner_progress (source, upto) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET upto = excluded.upto")
        .bind(source)
        .bind(upto)
        .execute(tx)
        .await
        .map(drop)
}
