//! The data of a product for a compliance check.

use super::model::ProductRow;
use super::store;
use crate::compliance::{Fact, Facts};
use crate::org;
use base::db::Connection;
use frame::access::Scope;

/// A product's name and facts within a scope; none if it does not exist. Includes its organisation's licence.
pub async fn compliance_facts(on: &mut Connection, scope: Scope, id: i64) -> Result<Option<(String, Facts)>, sqlx::Error> {
    let Some(row) = store::find(&mut *on, scope, id).await? else { return Ok(None) };
    let mut facts = org::compliance_facts(on, Scope::All, row.org_id).await?.map(|(_, facts)| facts).unwrap_or_default();
    facts.extend(row.jump_url.clone().map(|address| ("jumpUrl", Fact::Value(address))));
    facts.insert("lenderName", Fact::Value(row.lender_name.clone()));
    facts.insert("annualRate", Fact::Text(annual_rate(&row)));
    facts.insert("wording", Fact::Text(wording(&row)));
    Ok(Some((row.name, facts)))
}

/// The rate as applicants read it; empty if there is none. Apart from the other texts, so that a number in them does
/// not count as a rate.
fn annual_rate(row: &ProductRow) -> String {
    let percent = |bp: i64| format!("{}.{:02}%", bp / 100, bp % 100);
    match row.annual_rate_max_bp {
        0 => String::new(),
        most => format!("年化利率（单利）{}–{}", percent(row.annual_rate_min_bp), percent(most)),
    }
}

/// The other texts that applicants read.
fn wording(row: &ProductRow) -> String {
    let mut lines = vec![row.name.as_str()];
    lines.extend(row.tags.iter().map(String::as_str));
    lines.push(&row.requirements);
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}
