//! Choices of pools.

use std::sync::Arc;

use serde::Deserialize;
use sqlx::Row;

use super::store;
use base::db::Sql;
use frame::access::versions::Table;
use frame::api::{self, Ctx, Query, SelectOption, options};

/// Conditions of the choices.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PoolQuery {
    /// One organisation's pools.
    pub org_id: Option<i64>,
    /// A part of a name.
    pub keyword: Option<String>,
}

/// `GET /crm/pool/options`: pools in use within the viewer's scope, in their order. For platform staff each label names
/// the organisation.
pub async fn pools(cx: Arc<Ctx>, Query(query): Query<PoolQuery>) -> api::Result<Arc<Vec<SelectOption>>> {
    let scope = cx.viewer()?.scope();
    let mut sql = Sql::new(
        "SELECT p.id, p.name, o.short_name FROM clue_pool p JOIN organisation o ON o.id = p.org_id \
         WHERE p.deleted_at IS NULL AND p.status = 'enabled'",
    );
    sql.and("p.org_id = ", query.org_id).and_contains(&["p.name"], query.keyword.as_deref());
    scope.apply(&mut sql, store::SCOPE);
    sql.push(" ORDER BY o.short_name, p.org_id, p.sort, p.id LIMIT ").bind(options::MOST);
    let option = |row: &sqlx::any::AnyRow| {
        let (name, org): (String, &str) = (row.try_get("name")?, row.try_get("short_name")?);
        Ok(SelectOption { value: row.try_get("id")?, label: if scope.is_platforms() { format!("{name} · {org}") } else { name } })
    };
    let read = async { sql.fetch_all(cx.db().read()).await?.iter().map(option).collect::<Result<Vec<_>, sqlx::Error>>() };
    const TABLES: &[Table] = &[Table::CluePool, Table::Organisation, Table::Salesperson, Table::SubOrganisation];
    cx.choices(TABLES, query.keyword.as_deref(), query.org_id, read).await
}
