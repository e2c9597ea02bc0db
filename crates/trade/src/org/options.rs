//! Choices of organisations and sub-organisations, within the viewer's scope.

use std::sync::Arc;

use serde::Deserialize;

use super::store;
use frame::access::Scope;
use frame::access::versions::Table;
use frame::api::{Ctx, Query, Result, SelectOption};

/// Filters of organisations.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct OrgOptionsQuery {
    /// A part of a name, a short name or a code.
    pub keyword: Option<String>,
    /// Only those that a record may newly be given to.
    pub active: bool,
}

/// `GET /org/options`.
pub async fn organisations(cx: Arc<Ctx>, Query(query): Query<OrgOptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    let viewer = cx.viewer()?;
    // A team's account belongs to its organisation and may choose that one.
    let scope = match (viewer.scope(), viewer.org_id) {
        (Scope::SubOrg(_), Some(org)) => Scope::Org(org),
        (scope, _) => scope,
    };
    let keyword = query.keyword.as_deref();
    cx.choices(&[Table::Organisation], keyword, query.active, store::options(cx.db(), scope, query.active, keyword)).await
}

/// The organisation whose sub-organisations are requested.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubOptionsQuery {
    pub org_id: i64,
    /// A part of a name.
    pub keyword: Option<String>,
}

/// `GET /org/subOptions`.
pub async fn sub_organisations(cx: Arc<Ctx>, Query(query): Query<SubOptionsQuery>) -> Result<Vec<SelectOption>> {
    Ok(store::sub_options(cx.db(), cx.viewer()?.scope(), query.org_id, query.keyword.as_deref()).await?)
}
