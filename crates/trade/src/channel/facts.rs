//! The data of a channel for a compliance check.

use sqlx::{Any, Executor};

use super::store;
use crate::compliance::{Fact, Facts};
use frame::access::Scope;

/// A channel's name and facts within a scope; none if there is no such channel.
pub async fn compliance_facts<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
) -> Result<Option<(String, Facts)>, sqlx::Error> {
    let Some(row) = store::find(on, scope, id).await? else { return Ok(None) };
    let mut facts = Facts::new();
    let values = [("owner", row.owner_name), ("landingUrl", row.landing_url), ("callbackUrl", row.callback_url)];
    for (name, value) in values {
        facts.extend(value.map(|value| (name, Fact::Value(value))));
    }
    facts.insert("remark", Fact::Text(row.remark));
    Ok(Some((row.name, facts)))
}
