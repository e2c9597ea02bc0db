//! Pictures that customers send by WeChat: the message is there at once, the picture is fetched by the worker.

use futures_util::FutureExt;
use sqlx::Row;

use super::{api, store};
use crate::conversation::{FILES, store as conversations, write};
use crate::feed;
use base::clock::MINUTE;
use base::db::Connection;
use frame::api::form::FormFile;
use frame::api::{ApiError, App, FileRule, Result};
use frame::upload::{self, StoredFile};

/// How long a node has for one picture.
const FETCHING: i64 = 3 * MINUTE;
/// Tries, and the longest pause between two, in milliseconds. WeChat keeps a picture for three days.
const MOST_TRIES: i64 = 12;
const LONGEST_PAUSE: i64 = 60 * MINUTE;
/// The text of a message before its picture is fetched, and after the fetch has failed.
pub const PENDING: &str = "[图片]";
const LOST: &str = "[图片未能获取]";

/// Queues the picture of a message to be fetched.
pub async fn queue(tx: &mut Connection, wechat_id: i64, message_id: i64, media_id: &str, now: i64) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO chat_wechat_media (message_id, wechat_id, media_id, due_at, at) VALUES ($1, $2, $3, $4, $5)")
        .bind(message_id)
        .bind(wechat_id)
        .bind(media_id)
        .bind(now)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// Pictures that are due.
pub async fn due(app: &App, limit: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar("SELECT message_id FROM chat_wechat_media WHERE due_at <= $1 ORDER BY due_at LIMIT $2")
        .bind(app.clock.now())
        .bind(limit)
        .fetch_all(app.db.read())
        .await?)
}

/// Fetches a picture. Returns false where it is not due any more or another node has it.
pub async fn fetch(app: &App, message_id: i64) -> Result<bool> {
    let Some((wechat_id, media_id, attempts)) = claim(app, message_id).await? else { return Ok(false) };
    let fetched = fetched(app, message_id, wechat_id, &media_id).await;
    match fetched {
        Ok(file) => end(app, message_id, file.as_ref().map(|file| (file.id, file.name.as_str()))).await?,
        Err(error) => retry(app, message_id, attempts, error).await?,
    }
    Ok(true)
}

/// The file of a picture; none where WeChat does not have it or it is no picture. Fails where another try may succeed.
async fn fetched(app: &App, message_id: i64, wechat_id: i64, media_id: &str) -> Result<Option<StoredFile>> {
    let Some(account) = store::account(app.db.read(), &app.keys, wechat_id).await? else { return Ok(None) };
    let bytes = match api::picture(app, &account, media_id).await? {
        api::Reply::Done(bytes) => bytes,
        api::Reply::Refused(..) => return Ok(None),
        api::Reply::NotSent(why) | api::Reply::Unknown(why) => {
            return Err(ApiError::Internal(anyhow::anyhow!("the picture of the message {message_id}: {why}")));
        }
    };
    let file = FormFile::of_bytes("picture", &bytes).map_err(|error| ApiError::Internal(error.into()))?;
    match upload::keep_from_customer(app, &FileRule { pictures_only: true, ..FILES }, &file, None).await {
        Ok(file) => Ok(Some(file)),
        Err(ApiError::WrongType(_) | ApiError::State(_)) => Ok(None),
        // The scanner or the storage may answer later.
        Err(error) => Err(error),
    }
}

async fn claim(app: &App, message_id: i64) -> Result<Option<(i64, String, i64)>> {
    let now = app.clock.now();
    app.db
        .transact(|mut tx| {
            async move {
                let row = sqlx::query(
                    "UPDATE chat_wechat_media SET attempts = attempts + 1, due_at = $1 WHERE message_id = $2 AND due_at <= $3 \
                     RETURNING wechat_id, media_id, attempts",
                )
                .bind(now + FETCHING)
                .bind(message_id)
                .bind(now)
                .fetch_optional(&mut **tx)
                .await?;
                let Some(row) = row else { return Ok(None) };
                Ok::<_, ApiError>(Some((row.try_get("wechat_id")?, row.try_get("media_id")?, row.try_get("attempts")?)))
            }
            .boxed()
        })
        .await
}

async fn retry(app: &App, message_id: i64, attempts: i64, why: ApiError) -> Result<()> {
    if attempts >= MOST_TRIES {
        tracing::warn!(message_id, ?why, "chat: a customer's picture could not be fetched");
        return end(app, message_id, None).await;
    }
    let due_at = app.clock.now() + LONGEST_PAUSE.min(5000 << attempts.clamp(0, 20));
    app.db
        .transact(|mut tx| {
            async move {
                sqlx::query("UPDATE chat_wechat_media SET due_at = $1 WHERE message_id = $2")
                    .bind(due_at)
                    .bind(message_id)
                    .execute(&mut **tx)
                    .await
                    .map(drop)
            }
            .boxed()
        })
        .await?;
    Ok(())
}

/// Puts a fetched picture into its message, or says that there is none.
async fn end(app: &App, message_id: i64, file: Option<(i64, &str)>) -> Result<()> {
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            // The conversation before its messages, like all that change them.
            let held = conversations::hold_of_message(&mut tx, message_id).await?;
            let done = sqlx::query("DELETE FROM chat_wechat_media WHERE message_id = $1").bind(message_id).execute(&mut **tx).await?;
            if done.rows_affected() == 0 {
                return Ok(());
            }
            let (file_id, content) = match file {
                Some((id, name)) if upload::take_from_customer(&mut tx, FILES.biz_type, message_id, id).await? => (Some(id), name),
                _ => (None, LOST),
            };
            sqlx::query("UPDATE chat_message SET file_id = $1, content = $2 WHERE id = $3")
                .bind(file_id)
                .bind(content)
                .bind(message_id)
                .execute(&mut **tx)
                .await?;
            if let Some(held) = held {
                events.push(write::message_event(&held, message_id));
            }
            Ok(())
        }
        .boxed()
    })
    .await
}
