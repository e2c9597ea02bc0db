//! The address for callbacks of a channel, on the outcome of its applicants.

use sqlx::{Any, Executor, Row};

use base::crypto::{Keys, WrongKey, place};

/// The address of a channel's server, and the key for the signature.
pub struct CallbackAddress {
    pub url: String,
    pub app_key: String,
    secret_enc: String,
}

impl CallbackAddress {
    /// The channel's secret.
    pub fn secret(&self, keys: &Keys) -> Result<String, WrongKey> {
        keys.open(&place::CHANNEL_SECRET.of(&self.app_key), &self.secret_enc)
    }
}

/// The address for callbacks; none if the channel has no address, is disabled or deleted.
pub async fn callback_address<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<CallbackAddress>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT callback_url, app_key, app_secret_enc FROM channel WHERE id = $1 AND callback_url IS NOT NULL AND status <> 'disabled' \
           AND deleted_at IS NULL",
    )
    .bind(id)
    .fetch_optional(on)
    .await?;
    row.map(|row| {
        Ok(CallbackAddress {
            url: row.try_get("callback_url")?,
            app_key: row.try_get("app_key")?,
            secret_enc: row.try_get("app_secret_enc")?,
        })
    })
    .transpose()
}
