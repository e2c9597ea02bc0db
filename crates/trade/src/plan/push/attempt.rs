//! Stored calls to partners' servers: of pushes and of other messages.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::PushAttempt;
use base::db::{self, Connection};

/// Reads a row whose columns have the names of the fields, in lower snake case.
pub fn read(row: &AnyRow) -> Result<PushAttempt, sqlx::Error> {
    Ok(PushAttempt {
        seq: row.try_get("seq")?,
        url: row.try_get("url")?,
        request: row.try_get("request")?,
        http_status: row.try_get("http_status")?,
        response: row.try_get("response")?,
        cost_ms: row.try_get("cost_ms")?,
        error: row.try_get("error")?,
        outcome: db::optional_code(row, "outcome")?,
        at: row.try_get("at")?,
    })
}

/// Stores an attempt by a statement whose parameters are the owner's id and the fields, in order.
pub async fn keep(tx: &mut Connection, insert: &'static str, id: i64, attempt: &PushAttempt) -> Result<(), sqlx::Error> {
    sqlx::query(insert)
        .bind(id)
        .bind(attempt.seq)
        .bind(&attempt.url)
        .bind(&attempt.request)
        .bind(attempt.http_status)
        .bind(attempt.response.as_deref())
        .bind(attempt.cost_ms)
        .bind(attempt.error.as_deref())
        .bind(attempt.outcome.map(<&str>::from))
        .bind(attempt.at)
        .execute(tx)
        .await
        .map(drop)
}
