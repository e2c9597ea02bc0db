//! Masks texts of older versions of the chat, which were stored in full: masks their long numbers and stores the whole
//! text sealed beside, in small transactions in the background. The progress is stored, so that another node can
//! continue.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::{AssertSqlSafe, Row};
use tokio_util::sync::CancellationToken;

use super::codes::ChatDirection;
use super::words::Words;
use base::clock::{self, MINUTE};
use base::crypto::{Column, place};
use base::db::{self, Connection};
use base::mask;
use frame::api::App;
use frame::daily_task::DailyTask;

/// Rows per transaction, and the pause after it. Few, because other writers wait meanwhile.
const BATCH: i64 = 500;
const PAUSE: Duration = Duration::from_millis(50);
/// How often the work is tried, and how long after the start for the first time: by then programs of the older version,
/// which still write full texts, have stopped.
const LOOK: Duration = Duration::from_secs(600);
/// A node that has masked nothing for so long is taken as stopped, and another continues.
const LEASE: i64 = 10 * MINUTE;

/// A text in the database.
#[derive(Clone, Copy)]
struct Text {
    table: &'static str,
    /// The column of the shown text.
    column: &'static str,
    /// The column of the sealed text; none if it is not kept.
    sealed: Option<Column>,
}

const fn sealed(place: Column, column: &'static str) -> Text {
    Text { table: place.table, column, sealed: Some(place) }
}

const fn masked(table: &'static str, column: &'static str) -> Text {
    Text { table, column, sealed: None }
}

const TEXTS: &[Text] = &[
    sealed(place::CHAT_MESSAGE, "content"),
    sealed(place::CHAT_LAST_TEXT, "last_text"),
    sealed(place::CHAT_CLOSE_NOTE, "close_note"),
    sealed(place::CHAT_RATING_NOTE, "rating_note"),
    sealed(place::CHAT_TRANSFER_NOTE, "note"),
    sealed(place::CHAT_CUSTOMER_REMARK, "remark"),
    masked("chat_customer", "nickname"),
    masked("chat_customer", "tags"),
];

/// Works until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => return,
        () = tokio::time::sleep(LOOK) => {}
    }
    clock::every(LOOK, stop.clone(), async || {
        if let Err(error) = mask(&app, &stop).await {
            tracing::error!(%error, "chat: texts from before were not masked");
        }
    })
    .await;
}

/// Masks all texts, unless another node is doing it or has done it today. Returns how many texts were masked.
pub async fn mask(app: &App, stop: &CancellationToken) -> Result<u64, sqlx::Error> {
    let Some(mut task) = DailyTask::start(app, "mask_chat", LEASE).await? else { return Ok(0) };
    let mut count = 0;
    let done = go_through(app, &mut task, stop, &mut count).await;
    task.leave(app, *done.as_ref().unwrap_or(&false)).await?;
    done.map(|_| count)
}

/// Returns whether all texts were gone through.
async fn go_through(app: &App, task: &mut DailyTask, stop: &CancellationToken, count: &mut u64) -> Result<bool, sqlx::Error> {
    for text in TEXTS {
        loop {
            if stop.is_cancelled() || !task.go_on(app).await? {
                return Ok(false);
            }
            let some = app.db.transact(|mut tx| async move { mask_some(app, &mut tx, *text).await }.boxed()).await?;
            let Some(some) = some else { break };
            *count += some;
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(true)
}

/// Masks some texts of a column; none when there are no more.
async fn mask_some(app: &App, tx: &mut Connection, text: Text) -> Result<Option<u64>, sqlx::Error> {
    let Text { table, column, sealed } = text;
    let name = format!("{table}.{column}");
    let done: Option<i64> = sqlx::query_scalar("SELECT upto FROM chat_masked WHERE name = $1").bind(&name).fetch_optional(&mut *tx).await?;
    let direction = if table == "chat_message" { "direction" } else { "'out'" };
    let (row, is_sealed) = match sealed {
        Some(sealed) => (sealed.row, format!("CASE WHEN {} IS NULL THEN 0 ELSE 1 END", sealed.name)),
        None => ("id", "0".to_owned()),
    };
    let select = format!(
        "SELECT id, CAST({row} AS TEXT) AS place, {direction} AS direction, {column} AS shown, {is_sealed} AS is_sealed FROM {table} \
         WHERE id > $1 ORDER BY id LIMIT $2"
    );
    let rows = sqlx::query(AssertSqlSafe(select)).bind(done.unwrap_or(0)).bind(BATCH).fetch_all(&mut *tx).await?;
    let Some(last) = rows.last() else { return Ok(None) };
    let last: i64 = last.try_get("id")?;
    let mut count = 0;
    for row in rows {
        let (id, place, shown): (i64, String, String) = (row.try_get("id")?, row.try_get("place")?, row.try_get("shown")?);
        if db::flag(&row, "is_sealed")? {
            continue;
        }
        // A text that was changed meanwhile is masked already.
        let written = match sealed {
            Some(sealed) => {
                let words = Words::of_message(&app.keys, &sealed.of(place), db::code::<ChatDirection>(&row, "direction")?, &shown);
                if words.sealed.is_none() {
                    continue;
                }
                let name = sealed.name;
                let update = format!("UPDATE {table} SET {column} = $1, {name} = $2 WHERE id = $3 AND {column} = $4 AND {name} IS NULL");
                sqlx::query(AssertSqlSafe(update)).bind(words.shown).bind(words.sealed).bind(id).bind(shown).execute(&mut *tx).await?
            }
            None => {
                let masked = mask::numbers(&shown);
                if masked == shown {
                    continue;
                }
                let update = format!("UPDATE {table} SET {column} = $1 WHERE id = $2 AND {column} = $3");
                sqlx::query(AssertSqlSafe(update)).bind(masked).bind(id).bind(shown).execute(&mut *tx).await?
            }
        };
        count += written.rows_affected();
    }
    sqlx::query("INSERT INTO chat_masked (name, upto) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET upto = excluded.upto")
        .bind(name)
        .bind(last)
        .execute(tx)
        .await?;
    Ok(Some(count))
}
