//! Changes of a message by staff: an announcement is edited, withdrawn or deleted.

use base::db::Connection;

/// The texts of a message, its audience and its period.
pub struct Content<'a> {
    pub title: &'a str,
    pub title_en: &'a str,
    pub content: &'a str,
    pub content_en: &'a str,
    /// As it is stored.
    pub scope: &'a str,
    pub scope_id: Option<i64>,
    /// Epoch milliseconds.
    pub publish_at: i64,
    pub expires_at: Option<i64>,
}

/// Locks a message of a type for a change, in a version; false if it has another version by now.
pub async fn take(tx: &mut Connection, biz_type: &str, id: i64, version: i64, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE message SET version = version + 1, updated_at = $1 WHERE id = $2 AND version = $3 AND biz_type = $4")
        .bind(now)
        .bind(id)
        .bind(version)
        .bind(biz_type)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Writes the content of a message.
pub async fn write(tx: &mut Connection, id: i64, content: &Content<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE message SET title_zh = $1, title_en = $2, content_zh = $3, content_en = $4, scope = $5, scope_id = $6, publish_at = $7, \
         expires_at = $8 WHERE id = $9",
    )
    .bind(content.title)
    .bind(content.title_en)
    .bind(content.content)
    .bind(content.content_en)
    .bind(content.scope)
    .bind(content.scope_id.unwrap_or(0))
    .bind(content.publish_at)
    .bind(content.expires_at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Withdraws a message, so that it is no longer shown.
pub async fn withdraw(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE message SET withdrawn_at = $1 WHERE id = $2").bind(now).bind(id).execute(tx).await.map(drop)
}

/// Deletes a message that has not been shown yet.
pub async fn delete(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM message_receipt WHERE message_id = $1").bind(id).execute(&mut *tx).await?;
    sqlx::query("DELETE FROM message WHERE id = $1").bind(id).execute(tx).await.map(drop)
}
