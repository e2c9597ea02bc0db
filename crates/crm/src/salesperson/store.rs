//! Salespeople in the database.

use sqlx::{Any, Executor, FromRow};

use super::form::Form;
use super::model::{SalesReceiving, SalespersonFilters, SalespersonRow};
use crate::model::SalesStatus;
use crate::quota;
use base::db::{Connection, Db, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::places;

/// The organisation's account manager, its own people, and the people of the team.
pub const SCOPE: ScopeColumns =
    ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("s.org_id"), sub_org: Some("s.sub_org_id"), myself: None };

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT s.id, a.real_name AS name, a.username, a.status AS account_status, s.org_id, o.name AS org_name, s.sub_org_id, \
     t.name AS sub_org_name, s.job_no, s.level, s.wechat, s.cities, s.weight, s.daily_cap, s.private_cap, s.receiving, s.status, s.left_at, s.held, \
     s.version, s.created_at, s.updated_at \
     FROM salesperson s JOIN administrator a ON a.id = s.id JOIN organisation o ON o.id = s.org_id \
     LEFT JOIN sub_organisation t ON t.id = s.sub_org_id WHERE s.deleted_at IS NULL";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT s.id FROM salesperson s JOIN administrator a ON a.id = s.id JOIN organisation o ON o.id = s.org_id \
     WHERE s.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &SalespersonFilters, scope: Scope) {
    sql.and_contains(&["a.real_name", "a.username", "s.job_no"], filters.keyword.as_deref())
        .and("s.org_id = ", filters.org_id)
        .and("s.sub_org_id = ", filters.sub_org_id)
        .and("s.status = ", filters.status)
        .and("s.level = ", filters.level)
        .and("s.receiving = ", filters.receiving.map(|receiving| i64::from(receiving == SalesReceiving::On)));
    if filters.employed.is_some() {
        sql.push(" AND s.status <> 'left'");
    }
    scope.apply(sql, SCOPE);
}

/// One salesperson within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<SalespersonRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("s.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(SalespersonRow::from_row).transpose()
}

/// Adds the leads of today to rows.
pub async fn add_today(db: &Db, rows: &mut [SalespersonRow], now: i64) -> Result<(), sqlx::Error> {
    let ids = rows.iter().map(|row| row.id).collect::<Vec<_>>();
    let used = quota::sales_leads_of(db, &ids, now).await?;
    for row in rows {
        row.assigned_today = Some(used.get(&row.id).copied().unwrap_or(0));
    }
    Ok(())
}

/// Holds a salesperson's row until the transaction ends. It does nothing where there is none.
pub async fn hold(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE salesperson SET version = version WHERE id = $1").bind(id).execute(tx).await.map(drop)
}

/// Makes an account a salesperson, also one that was a salesperson before. Returns false if it already is one. The
/// row's id is the account's.
pub async fn insert(
    tx: &mut Connection,
    id: i64,
    (org_id, sub_org_id): (i64, Option<i64>),
    form: &Form,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new(
        "INSERT INTO salesperson (id, org_id, sub_org_id, job_no, level, wechat, cities, weight, daily_cap, private_cap, receiving, status, \
           created_at, updated_at, created_by, updated_by) VALUES (",
    );
    sql.bind(id).then(org_id).then(sub_org_id).then(form.job_no.clone()).then(form.level).then(form.wechat.clone());
    sql.then(places::column(&form.cities)).then(form.weight).then(form.daily_cap).then(form.private_cap);
    sql.then(i64::from(form.receiving)).then(SalesStatus::Active).then(stamp.at).then(stamp.at).then(stamp.admin_id).then(stamp.admin_id);
    sql.push(
        ") ON CONFLICT (id) DO UPDATE SET org_id = excluded.org_id, sub_org_id = excluded.sub_org_id, job_no = excluded.job_no, \
           level = excluded.level, wechat = excluded.wechat, cities = excluded.cities, weight = excluded.weight, daily_cap = excluded.daily_cap, \
           private_cap = excluded.private_cap, receiving = excluded.receiving, status = excluded.status, left_at = NULL, deleted_at = NULL, \
           version = salesperson.version + 1, created_at = excluded.created_at, updated_at = excluded.updated_at, \
           created_by = excluded.created_by, updated_by = excluded.updated_by WHERE salesperson.deleted_at IS NOT NULL",
    );
    Ok(sql.execute(tx).await? == 1)
}

/// Writes a salesperson's fields over the given version. Returns whether that version existed.
pub async fn write(
    tx: &mut Connection,
    id: i64,
    version: i64,
    sub_org_id: Option<i64>,
    form: &Form,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE salesperson SET sub_org_id = ");
    sql.bind(sub_org_id).push(", job_no = ").bind(form.job_no.clone()).push(", level = ").bind(form.level);
    sql.push(", wechat = ").bind(form.wechat.clone()).push(", cities = ").bind(places::column(&form.cities));
    sql.push(", weight = ").bind(form.weight).push(", daily_cap = ").bind(form.daily_cap).push(", private_cap = ").bind(form.private_cap);
    sql.push(", receiving = ").bind(i64::from(form.receiving));
    stamped::over(sql, id, version, stamp, tx).await
}

/// Sets whether a salesperson takes leads, over the given version. Returns whether that version existed.
pub async fn set_receiving(tx: &mut Connection, id: i64, version: i64, receiving: bool, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE salesperson SET receiving = ");
    sql.bind(i64::from(receiving));
    stamped::over(sql, id, version, stamp, tx).await
}

/// Sets a status over the given version. Returns whether that version existed. An active salesperson takes leads; one
/// who is away or has left takes none.
pub async fn set_status(tx: &mut Connection, id: i64, version: i64, status: SalesStatus, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE salesperson SET status = ");
    sql.bind(status).push(", receiving = ").bind(i64::from(status == SalesStatus::Active));
    sql.push(", left_at = ").bind((status == SalesStatus::Left).then_some(stamp.at));
    stamped::over(sql, id, version, stamp, tx).await
}

/// Moves a salesperson to a team of the same organisation.
pub async fn set_team(tx: &mut Connection, id: i64, version: i64, sub_org_id: Option<i64>, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE salesperson SET sub_org_id = ");
    sql.bind(sub_org_id);
    stamped::over(sql, id, version, stamp, tx).await
}

/// How many open clues a salesperson owns.
pub async fn open_clues(tx: &mut Connection, id: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM clue WHERE owner_id = $1 AND stage NOT IN ('disbursed', 'invalid', 'lost')")
        .bind(id)
        .fetch_one(tx)
        .await
}

/// Whether a salesperson owned clues of another organisation.
pub async fn has_clues_elsewhere(tx: &mut Connection, id: i64, org_id: i64) -> Result<bool, sqlx::Error> {
    let found =
        sqlx::query("SELECT 1 FROM clue WHERE owner_id = $1 AND org_id <> $2 LIMIT 1").bind(id).bind(org_id).fetch_optional(tx).await?;
    Ok(found.is_some())
}

#[cfg(test)]
mod tests {
    use super::super::list::Salespeople;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Salespeople>("salesperson");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Salespeople>(&[]).await;
    }

    #[tokio::test]
    async fn an_organisation_and_a_team_are_found_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, SalespersonFilters::default);
        for (index, filters, scope) in [
            ("salesperson_org", SalespersonFilters { org_id: Some(1), ..none() }, Scope::All),
            ("salesperson_sub_org", SalespersonFilters { sub_org_id: Some(1), ..none() }, Scope::All),
            ("salesperson_org", none(), Scope::Org(1)),
            ("salesperson_sub_org", none(), Scope::SubOrg(1)),
        ] {
            let plan = plan::<Salespeople>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH s USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
