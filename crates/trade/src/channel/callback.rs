//! The address for callbacks of a channel, on the outcome of its applicants.

use sqlx::{Any, Executor, Row};

use base::crypto::{Keys, WrongKey, place};

/// The address of a channel's server, and what is signed with.
pub struct ToldAt {
    pub url: String,
    pub app_key: String,
    secret_enc: String,
}

impl ToldAt {
    /// The channel's secret.
    pub fn secret(&self, keys: &Keys) -> Result<String, WrongKey> {
        keys.open(&place::CHANNEL_SECRET.of(&self.app_key), &self.secret_enc)
    }
}

/// Where a channel is told; nowhere when it has no address, is disabled or deleted.
pub async fn told_at<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<ToldAt>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT callback_url, app_key, app_secret_enc FROM channel WHERE id = $1 AND callback_url IS NOT NULL AND status <> 'disabled' \
           AND deleted_at IS NULL",
    )
    .bind(id)
    .fetch_optional(on)
    .await?;
    row.map(|row| {
        Ok(ToldAt { url: row.try_get("callback_url")?, app_key: row.try_get("app_key")?, secret_enc: row.try_get("app_secret_enc")? })
    })
    .transpose()
}
