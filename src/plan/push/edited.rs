//! What the buyer of a push gets in place of what its applicant said: kept with the push, sealed.

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::{Any, Executor, Row};

use crate::crypto::{self, Keys, place};

/// A name, a province and the answers of an applicant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edited {
    pub name: String,
    pub province: String,
    pub said: Map<String, Value>,
}

impl Edited {
    /// Seals it for the push of this number.
    pub fn sealed(&self, keys: &Keys, no: &str) -> String {
        keys.seal(&place::PUSH_EDITED.of(no), &serde_json::to_string(self).expect("texts and numbers serialise"))
    }

    /// The city that lists show.
    pub fn city(&self) -> &str {
        self.said.get("city").and_then(Value::as_str).unwrap_or_default()
    }

    /// The name as lists show it.
    pub fn name_mask(&self) -> String {
        crypto::mask_name(&self.name)
    }
}

/// What a push has in place of what its applicant said; none where nothing was edited, and once the applicant is erased.
pub async fn of<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, push_id: i64) -> anyhow::Result<Option<Edited>> {
    let row = sqlx::query("SELECT no, edited_enc FROM push_record WHERE id = $1").bind(push_id).fetch_one(on).await?;
    let Some(sealed) = row.try_get::<Option<String>, _>("edited_enc")? else { return Ok(None) };
    let opened = keys.open(&place::PUSH_EDITED.of(row.try_get::<String, _>("no")?), &sealed)?;
    serde_json::from_str(&opened).context("the edited data of a push").map(Some)
}
