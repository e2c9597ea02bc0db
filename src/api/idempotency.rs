//! `Idempotency-Key`: a second identical `POST` within 24 hours gets the first one's answer.

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderValue, Response, StatusCode};
use sqlx::Row;

use super::ctx::Ctx;
use super::error::{self, ApiError, say};
use crate::clock::DAY;
use crate::crypto;

/// Longest key.
const KEY_LENGTH: usize = 100;
/// A first try that left no answer within this time is taken to have died with its process.
const ABANDONED_AFTER: i64 = 60_000;

/// Runs a call unless the same viewer has made it before with this key. Only successes are kept:
/// after a refusal the same key may be tried again.
pub async fn once(
    cx: &Ctx,
    key: &HeaderValue,
    parts: &Parts,
    body: &[u8],
    run: impl Future<Output = super::Result<Response<Body>>>,
) -> super::Result<Response<Body>> {
    let key = key
        .to_str()
        .ok()
        .filter(|key| !key.is_empty() && key.len() <= KEY_LENGTH)
        .ok_or_else(|| ApiError::Malformed("Idempotency-Key".to_owned()))?;
    let admin_id = cx.viewer()?.id;
    let request_hash = crypto::sha256_hex(&[parts.method.as_str().as_bytes(), parts.uri.path().as_bytes(), b"\n", body].concat());

    let mut tx = cx.db().begin().await?;
    sqlx::query("DELETE FROM idempotency_key WHERE created_at < $1 OR (response IS NULL AND created_at < $2)")
        .bind(cx.now - DAY)
        .bind(cx.now - ABANDONED_AFTER)
        .execute(&mut *tx)
        .await?;
    let inserted = sqlx::query("INSERT INTO idempotency_key (admin_id, key, request_hash, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (admin_id, key) DO NOTHING")
        .bind(admin_id)
        .bind(key)
        .bind(&request_hash)
        .bind(cx.now)
        .execute(&mut *tx)
        .await?;
    let earlier = match inserted.rows_affected() {
        1 => None,
        _ => {
            sqlx::query("SELECT request_hash, response FROM idempotency_key WHERE admin_id = $1 AND key = $2")
                .bind(admin_id)
                .bind(key)
                .fetch_optional(&mut *tx)
                .await?
        }
    };
    tx.commit().await?;

    if let Some(row) = earlier {
        if row.try_get::<&str, _>("request_hash")? != request_hash {
            return Err(ApiError::field("Idempotency-Key", say("该幂等键已用于其他请求", "This key was used for another request")));
        }
        return match row.try_get::<Option<String>, _>("response")? {
            Some(answer) => Ok(error::json(StatusCode::OK, cx.app.keys.decrypt(&answer)?.into_bytes())),
            None => Err(ApiError::Busy),
        };
    }

    let outcome = run.await;
    let mut tx = cx.db().begin().await?;
    let answer = match outcome {
        Ok(response) => {
            let (parts, body) = response.into_parts();
            let bytes = axum::body::to_bytes(body, super::calls::MAX_BODY).await.map_err(|error| ApiError::Internal(error.into()))?;
            let text = String::from_utf8_lossy(&bytes);
            // Encrypted: an answer may show a secret that is shown once.
            sqlx::query("UPDATE idempotency_key SET response = $1 WHERE admin_id = $2 AND key = $3")
                .bind(cx.app.keys.encrypt(&text))
                .bind(admin_id)
                .bind(key)
                .execute(&mut *tx)
                .await?;
            Ok(Response::from_parts(parts, Body::from(bytes)))
        }
        Err(refusal) => {
            sqlx::query("DELETE FROM idempotency_key WHERE admin_id = $1 AND key = $2").bind(admin_id).bind(key).execute(&mut *tx).await?;
            Err(refusal)
        }
    };
    tx.commit().await?;
    answer
}
