//! Choices: salespeople who may get clues, and accounts that may become salespeople.

use std::sync::Arc;

use serde::Deserialize;
use sqlx::Row;

use super::store;
use base::db::Sql;
use frame::access::versions::Table;
use frame::access::{Scope, ScopeColumns};
use frame::api::{self, Ctx, Query, SelectOption, options};

/// Conditions of both.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PeopleQuery {
    /// One organisation's people.
    pub org_id: Option<i64>,
    /// A part of a name or a user name.
    pub keyword: Option<String>,
    /// Also people who are away or have left: for filters.
    pub all: bool,
}

/// `GET /crm/salesperson/options`: active salespeople with an enabled account, by name; with `all`, every salesperson. A viewer who sees only their
/// own records sees colleagues if they may assign clues.
pub async fn salespeople(cx: Arc<Ctx>, Query(query): Query<PeopleQuery>) -> api::Result<Arc<Vec<SelectOption>>> {
    let viewer = cx.viewer()?;
    let scope = match (viewer.scope(), viewer.org_id) {
        (Scope::Myself(_), Some(org)) if viewer.has("crm/clue/assign") => Scope::Org(org),
        (scope, _) => scope,
    };
    let mut sql = Sql::new(
        "SELECT s.id, a.real_name AS name, t.name AS team FROM salesperson s JOIN administrator a ON a.id = s.id \
         JOIN organisation o ON o.id = s.org_id LEFT JOIN sub_organisation t ON t.id = s.sub_org_id \
         WHERE s.deleted_at IS NULL",
    );
    if !query.all {
        sql.push(" AND s.status = 'active' AND a.status = 'enabled' AND a.deleted_at IS NULL");
    }
    sql.and("s.org_id = ", query.org_id).and_contains(&["a.real_name", "a.username"], query.keyword.as_deref());
    scope.apply(&mut sql, store::SCOPE);
    sql.push(" ORDER BY a.real_name, s.id LIMIT ").bind(options::MOST);
    let option = |row: &sqlx::any::AnyRow| {
        let (name, team): (String, Option<String>) = (row.try_get("name")?, row.try_get("team")?);
        Ok(SelectOption { value: row.try_get("id")?, label: team.map_or(name.clone(), |team| format!("{name} · {team}")) })
    };
    let read = async { sql.fetch_all(cx.db().read()).await?.iter().map(option).collect::<Result<Vec<_>, sqlx::Error>>() };
    cx.choices(
        &[Table::Salesperson, Table::Administrator, Table::Organisation, Table::SubOrganisation],
        query.keyword.as_deref(),
        (scope, query.all, query.org_id),
        read,
    )
    .await
}

/// `GET /crm/salesperson/accounts`: enabled accounts of organisations that are not salespeople, by name.
pub async fn accounts(cx: Arc<Ctx>, Query(query): Query<PeopleQuery>) -> api::Result<Vec<SelectOption>> {
    let mut sql = Sql::new(
        "SELECT a.id, a.real_name, a.username FROM administrator a JOIN organisation o ON o.id = a.org_id AND o.deleted_at IS NULL \
         WHERE a.deleted_at IS NULL AND a.status = 'enabled' \
           AND NOT EXISTS (SELECT 1 FROM salesperson s WHERE s.id = a.id AND s.deleted_at IS NULL)",
    );
    sql.and("a.org_id = ", query.org_id).and_contains(&["a.real_name", "a.username"], query.keyword.as_deref());
    cx.viewer()?.scope().apply(&mut sql, ACCOUNTS);
    sql.push(" ORDER BY a.real_name, a.id LIMIT ").bind(options::MOST);
    let rows = sql.fetch_all(cx.db().read()).await?;
    let option = |row: &sqlx::any::AnyRow| {
        let (name, username): (&str, &str) = (row.try_get("real_name")?, row.try_get("username")?);
        Ok(SelectOption { value: row.try_get("id")?, label: format!("{name} ({username})") })
    };
    Ok(rows.iter().map(option).collect::<Result<_, sqlx::Error>>()?)
}

/// The scope columns of accounts: the organisation's account manager, its own people and the team see them.
pub(super) const ACCOUNTS: ScopeColumns =
    ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("a.org_id"), sub_org: Some("a.sub_org_id"), myself: None };
