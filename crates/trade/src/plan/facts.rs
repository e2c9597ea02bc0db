//! The data of a plan for a compliance check.

use super::store;
use crate::compliance::{Fact, Facts};
use crate::org;
use base::db::Db;
use frame::access::Scope;

/// A plan's name and facts within a scope; none if there is no such plan. The licence is that of its organisation.
pub async fn compliance_facts(db: &Db, scope: Scope, id: i64) -> Result<Option<(String, Facts)>, sqlx::Error> {
    let Some(row) = store::find(db.read(), scope, id).await? else { return Ok(None) };
    let mut facts = org::compliance_facts(db.read(), Scope::All, row.org_id).await?.map(|(_, facts)| facts).unwrap_or_default();
    facts.insert("organisation", Fact::Value(row.org_name));
    facts.extend(row.product_name.map(|name| ("product", Fact::Value(name))));
    facts.insert("remark", Fact::Text(row.remark));
    Ok(Some((row.name, facts)))
}
