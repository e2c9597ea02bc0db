//! Pools in the database.

use std::collections::HashMap;

use sqlx::{Any, Executor, FromRow, Row};

use super::form::Form;
use super::model::{PoolFilters, PoolRow};
use base::codes::UseStatus;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};

/// The organisation's account manager, its own people, and the people of a team that uses the pool, a salesperson too.
pub const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("o.owner_admin_id"),
    org: Some("p.org_id"),
    sub_org: Some(
        "EXISTS (SELECT 1 FROM sub_organisation t WHERE t.id = ? AND t.org_id = p.org_id AND (p.sub_org_ids = '[]' \
           OR REPLACE(REPLACE(p.sub_org_ids, '[', ','), ']', ',') LIKE '%,' || CAST(t.id AS TEXT) || ',%'))",
    ),
    myself: Some(
        "EXISTS (SELECT 1 FROM salesperson t WHERE t.id = ? AND t.org_id = p.org_id AND t.status <> 'left' AND (p.sub_org_ids = '[]' \
           OR REPLACE(REPLACE(p.sub_org_ids, '[', ','), ']', ',') LIKE '%,' || CAST(COALESCE(t.sub_org_id, 0) AS TEXT) || ',%'))",
    ),
};

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT p.id, p.org_id, o.name AS org_name, p.name, p.sub_org_ids, p.claim_per_day, p.former_owner_days, p.new_delay_minutes, \
     p.reclaim_days, p.remind_days, p.min_level, p.sort, p.status, (SELECT COUNT(*) FROM clue k WHERE k.pool_id = p.id \
       AND k.stage NOT IN ('disbursed', 'invalid', 'lost')) AS clues, p.version, p.created_at, p.updated_at \
     FROM clue_pool p JOIN organisation o ON o.id = p.org_id WHERE p.deleted_at IS NULL";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT p.id FROM clue_pool p JOIN organisation o ON o.id = p.org_id WHERE p.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PoolFilters, scope: Scope) {
    sql.and_contains(&["p.name"], filters.keyword.as_deref()).and("p.org_id = ", filters.org_id).and("p.status = ", filters.status);
    scope.apply(sql, SCOPE);
}

/// One pool within a scope, without the names of its teams.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PoolRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("p.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(PoolRow::from_row).transpose()
}

/// Adds the names of teams to pools.
pub async fn add_team_names<'e>(on: impl Executor<'e, Database = Any>, rows: &mut [PoolRow]) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("SELECT t.id, t.name FROM sub_organisation t WHERE t.id IN ");
    sql.ids(rows.iter().flat_map(|row| row.sub_org_ids.iter().copied()));
    let mut names: HashMap<i64, String> = HashMap::new();
    for row in sql.fetch_all(on).await? {
        names.insert(row.try_get("id")?, row.try_get("name")?);
    }
    for row in rows {
        row.sub_org_names = row.sub_org_ids.iter().filter_map(|id| names.get(id).cloned()).collect();
    }
    Ok(())
}

/// How many of these teams are not teams in use of an organisation.
pub async fn other_teams(tx: &mut Connection, org_id: i64, ids: &[i64]) -> Result<usize, sqlx::Error> {
    let mut sql = Sql::new("SELECT t.id FROM sub_organisation t WHERE t.deleted_at IS NULL AND t.status = 'enabled' AND t.org_id = ");
    sql.bind(org_id).push(" AND t.id IN ").ids(ids.iter().copied());
    Ok(ids.len() - sql.fetch_all(tx).await?.len())
}

/// Adds a pool, and returns its id.
pub async fn insert(tx: &mut Connection, org_id: i64, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "INSERT INTO clue_pool (org_id, name, sub_org_ids, claim_per_day, former_owner_days, new_delay_minutes, reclaim_days, remind_days, \
           min_level, sort, status, created_at, updated_at, created_by, updated_by) VALUES (",
    );
    sql.bind(org_id).then(form.name.clone()).then(teams(form)).then(form.claim_per_day).then(form.former_owner_days);
    sql.then(form.new_delay_minutes).then(form.reclaim_days).then(form.remind_days).then(form.min_level);
    sql.then(form.sort).then(UseStatus::Enabled);
    sql.then(stamp.at).then(stamp.at).then(stamp.admin_id).then(stamp.admin_id).push(") RETURNING id");
    sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("id")
}

/// Writes a pool's fields over the given version. Returns whether the pool had that version.
pub async fn write(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE clue_pool SET name = ");
    sql.bind(form.name.clone()).push(", sub_org_ids = ").bind(teams(form)).push(", claim_per_day = ").bind(form.claim_per_day);
    sql.push(", former_owner_days = ").bind(form.former_owner_days).push(", new_delay_minutes = ").bind(form.new_delay_minutes);
    sql.push(", reclaim_days = ").bind(form.reclaim_days).push(", remind_days = ").bind(form.remind_days);
    sql.push(", min_level = ").bind(form.min_level).push(", sort = ").bind(form.sort);
    stamped::over(sql, id, version, stamp, tx).await
}

/// Whether an organisation has another pool in use. The organisation is held until the transaction ends: two pools are
/// not switched off at the same moment.
pub async fn has_another(tx: &mut Connection, org_id: i64, id: i64) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("SELECT o.id FROM organisation o WHERE o.id = ");
    sql.bind(org_id);
    tx.hold(&mut sql, "o");
    sql.fetch_optional(&mut *tx).await?;
    let mut sql = Sql::new("SELECT p.id FROM clue_pool p WHERE p.deleted_at IS NULL AND p.status = 'enabled'");
    sql.and("p.org_id = ", Some(org_id)).and("p.id <> ", Some(id));
    Ok(sql.fetch_optional(tx).await?.is_some())
}

fn teams(form: &Form) -> String {
    serde_json::to_string(&form.sub_org_ids).expect("ids serialise")
}

#[cfg(test)]
mod tests {
    use super::super::list::Pools;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Pools>(&[]).await;
    }

    #[tokio::test]
    async fn the_clues_of_a_pool_are_counted_by_an_index() {
        let plans = Plans::open().await;
        let plan = plan::<Pools>(&plans, PoolFilters::default(), Scope::All).await;
        assert!(plan.contains("SEARCH k USING COVERING INDEX clue_in_pool "), "{plan}");
    }
}
