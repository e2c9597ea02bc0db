//! Choices of the filters of clues: the channels and plans of clues within the viewer's scope.

use std::sync::Arc;

use super::store::SCOPE;
use base::db::{Db, Sql};
use frame::access::Scope;
use frame::api::input::Sent;
use frame::api::options::{MOST, OptionsQuery, SelectOption};
use frame::api::{Ctx, Query, Result};
use sqlx::Row;

/// `POST /crm/channel/list`.
pub async fn channels(cx: Arc<Ctx>, Sent(query): Sent<OptionsQuery>) -> Result<Vec<SelectOption>> {
    let mut sql = Sql::new("SELECT c.id, c.name FROM channel c WHERE c.id IN (SELECT k.channel_id FROM clue k WHERE 1 = 1");
    choices(cx.db(), &mut sql, cx.viewer()?.scope(), "c.name", &query).await
}

/// `GET /crm/channel/options`: the same.
pub async fn channel_options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Vec<SelectOption>> {
    channels(cx, Sent(query)).await
}

/// `GET /crm/plan/options`: the same as `POST /crm/plan/list`.
pub async fn plan_options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Vec<SelectOption>> {
    plans(cx, Sent(query)).await
}

/// `POST /crm/plan/list`.
pub async fn plans(cx: Arc<Ctx>, Sent(query): Sent<OptionsQuery>) -> Result<Vec<SelectOption>> {
    let mut sql = Sql::new("SELECT c.id, c.name FROM plan c WHERE c.id IN (SELECT k.plan_id FROM clue k WHERE 1 = 1");
    choices(cx.db(), &mut sql, cx.viewer()?.scope(), "c.name", &query).await
}

async fn choices(db: &Db, sql: &mut Sql, scope: Scope, name: &'static str, query: &OptionsQuery) -> Result<Vec<SelectOption>> {
    scope.apply(sql, SCOPE);
    sql.push(")");
    sql.and_contains(&[name], query.keyword.as_deref());
    sql.push(" ORDER BY c.name, c.id LIMIT ").bind(MOST);
    let rows = std::mem::replace(sql, Sql::new("")).fetch_all(db.read()).await?;
    Ok(rows
        .iter()
        .map(|row| Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? }))
        .collect::<std::result::Result<_, sqlx::Error>>()?)
}
