//! Choices of teams.

use std::sync::Arc;

use sqlx::Row;

use super::store;
use base::db::Sql;
use frame::access::versions::Table;
use frame::api::{self, Ctx, OptionsQuery, Query, SelectOption, options};

/// `GET /crm/subOrg/options`: teams within the viewer's scope, in their order. For platform staff each label names the
/// organisation.
pub async fn teams(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> api::Result<Arc<Vec<SelectOption>>> {
    let scope = cx.viewer()?.scope();
    let mut sql = Sql::new(
        "SELECT t.id, t.name, o.short_name FROM sub_organisation t JOIN organisation o ON o.id = t.org_id AND o.deleted_at IS NULL \
         WHERE t.deleted_at IS NULL",
    );
    sql.and_contains(&["t.name"], query.keyword.as_deref());
    scope.apply(&mut sql, store::SCOPE);
    sql.push(" ORDER BY o.short_name, t.org_id, t.sort, t.id LIMIT ").bind(options::MOST);
    let option = |row: &sqlx::any::AnyRow| {
        let (name, org): (String, &str) = (row.try_get("name")?, row.try_get("short_name")?);
        Ok(SelectOption { value: row.try_get("id")?, label: if scope.is_platforms() { format!("{name} · {org}") } else { name } })
    };
    let read = async { sql.fetch_all(cx.db().read()).await?.iter().map(option).collect::<Result<Vec<_>, sqlx::Error>>() };
    cx.choices(&[Table::SubOrganisation, Table::Organisation], query.keyword.as_deref(), (), read).await
}
