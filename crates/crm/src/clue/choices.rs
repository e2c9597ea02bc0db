//! Choices of the filters of clues: the channels and plans of clues within the viewer's scope.

use std::sync::Arc;
use std::time::Duration;

use super::store::SCOPE;
use base::db::{Db, Sql};
use frame::access::Scope;
use frame::access::versions::Table;
use frame::api::input::Sent;
use frame::api::options::{MOST, OptionsQuery, SelectOption};
use frame::api::{Ctx, Query, Result};
use sqlx::Row;

/// How long a first clue of a channel or plan may be missing from the choices: clues change too often to count their changes.
const OLDEST: Duration = Duration::from_secs(60);

/// `POST /crm/channel/list`.
pub async fn channels(cx: Arc<Ctx>, Sent(query): Sent<OptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    const CHANNELS: &str = "SELECT c.id, c.name FROM channel c WHERE c.id IN (SELECT k.channel_id FROM clue k WHERE 1 = 1";
    choices(&cx, Table::Channel, CHANNELS, &query).await
}

/// `GET /crm/channel/options`: the same.
pub async fn channel_options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    channels(cx, Sent(query)).await
}

/// `GET /crm/plan/options`: the same as `POST /crm/plan/list`.
pub async fn plan_options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    plans(cx, Sent(query)).await
}

/// `POST /crm/plan/list`.
pub async fn plans(cx: Arc<Ctx>, Sent(query): Sent<OptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    const PLANS: &str = "SELECT c.id, c.name FROM plan c WHERE c.id IN (SELECT k.plan_id FROM clue k WHERE 1 = 1";
    choices(&cx, Table::Plan, PLANS, &query).await
}

async fn choices(cx: &Ctx, table: Table, select: &'static str, query: &OptionsQuery) -> Result<Arc<Vec<SelectOption>>> {
    let (scope, keyword) = (cx.viewer()?.scope(), query.keyword.as_deref());
    cx.choices_kept_for(OLDEST, &[table], keyword, (), read(cx.db(), select, scope, keyword)).await
}

async fn read(db: &Db, select: &'static str, scope: Scope, keyword: Option<&str>) -> std::result::Result<Vec<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new(select);
    scope.apply(&mut sql, SCOPE);
    sql.push(")");
    sql.and_contains(&["c.name"], keyword);
    sql.push(" ORDER BY c.name, c.id LIMIT ").bind(MOST);
    let rows = sql.fetch_all(db.read()).await?;
    rows.iter().map(|row| Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? })).collect()
}
