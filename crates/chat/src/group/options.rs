//! Choices of service groups.

use std::sync::Arc;

use serde::Deserialize;
use sqlx::Row;

use crate::SCOPE;
use base::db::Sql;
use frame::access::versions::Table;
use frame::api::{self, Ctx, Query, SelectOption, options};

/// Conditions of the choices.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct ChatGroupQuery {
    /// A part of a name.
    pub keyword: Option<String>,
    /// Also groups that are disabled: for filters.
    pub all: bool,
}

/// `GET /chat/group/options`: groups in use, in their order; with `all`, every group.
pub async fn groups(cx: Arc<Ctx>, Query(query): Query<ChatGroupQuery>) -> api::Result<Arc<Vec<SelectOption>>> {
    let mut sql = Sql::new("SELECT g.id, g.name FROM chat_group g WHERE g.deleted_at IS NULL");
    if !query.all {
        sql.push(" AND g.status = 'enabled'");
    }
    sql.and_contains(&["g.name"], query.keyword.as_deref());
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    sql.push(" ORDER BY g.sort, g.id LIMIT ").bind(options::MOST);
    let option = |row: &sqlx::any::AnyRow| Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? });
    let read = async { sql.fetch_all(cx.db().read()).await?.iter().map(option).collect::<Result<Vec<_>, sqlx::Error>>() };
    cx.choices(&[Table::ChatGroup], query.keyword.as_deref(), query.all, read).await
}
