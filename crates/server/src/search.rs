//! The search of the whole back office: `POST /search`. A text may be a phone, which must not stand in an address or in the log of a
//! proxy, so it is in the body.

use std::sync::Arc;

use serde::Deserialize;

use frame::api::search::{FoundGroup, Search};
use frame::api::{Access, Body, Calls, Ctx, Result};
use lead::push;
use trade::{channel, compliance, finance, match_log, org, partner, plan, product, user};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new().list("/search", Access::SignedIn, search)
}

/// A search.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SearchQuery {
    /// A number or its beginning, a whole phone, a part of a name, or first letters of its pinyin: 2 to 64 characters.
    pub q: String,
}

/// The records that the viewer may open, at most five of each kind.
async fn search(cx: Arc<Ctx>, Body(query): Body<SearchQuery>) -> Result<Vec<FoundGroup>> {
    let mut search = Search::new(&cx, "q", &query.q)?;
    user::search(&mut search).await?;
    match_log::search(&mut search).await?;
    crm::search(&mut search).await?;
    push::search(&mut search).await?;
    pay::search(&mut search).await?;
    finance::search(&mut search).await?;
    partner::search(&mut search).await?;
    org::search(&mut search).await?;
    org::payee::search(&mut search).await?;
    plan::search(&mut search).await?;
    channel::search(&mut search).await?;
    product::search(&mut search).await?;
    compliance::search(&mut search).await?;
    admin::search(&mut search).await?;
    search.menu(("菜单", "Menu"));
    Ok(search.found())
}
