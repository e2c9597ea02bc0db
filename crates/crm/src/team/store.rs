//! Teams in the database.

use sqlx::{Any, Executor, FromRow};

use super::form::Form;
use super::model::{TeamFilters, TeamRow};
use crate::quota;
use base::crypto::{Keys, place};
use base::db::{Connection, Db, Sql};
use base::mask;
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::api::{Say, say};
use frame::places;

/// The organisation's account manager, its own people, and the people of the team.
pub const SCOPE: ScopeColumns =
    ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("t.org_id"), sub_org: Some("t.id"), myself: None };

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT t.id, t.org_id, o.name AS org_name, t.name, t.city, t.address, t.manager_name, t.phone_mask, t.cities, t.accept_leads, \
     t.daily_cap, t.weight, t.sort, t.status, (SELECT COUNT(*) FROM salesperson s WHERE s.sub_org_id = t.id AND s.status <> 'left' \
       AND s.deleted_at IS NULL) AS people, t.version, t.created_at, t.updated_at \
     FROM sub_organisation t JOIN organisation o ON o.id = t.org_id WHERE t.deleted_at IS NULL";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT t.id FROM sub_organisation t JOIN organisation o ON o.id = t.org_id WHERE t.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &TeamFilters, scope: Scope) {
    let names = &["t.name", "t.manager_name"];
    match filters.keyword.as_deref().and_then(|keyword| places::read(keyword).ok()) {
        Some(city) => sql
            .push(" AND (t.city = ")
            .bind(city.code.clone())
            .push(" OR (1 = 1")
            .and_contains(names, filters.keyword.as_deref())
            .push("))"),
        None => sql.and_contains(names, filters.keyword.as_deref()),
    }
    .and("t.phone_hash = ", filters.phone_hash.clone())
    .and("t.org_id = ", filters.org_id)
    .and("t.status = ", filters.status);
    scope.apply(sql, SCOPE);
}

/// One team within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<TeamRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("t.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(TeamRow::from_row).transpose()
}

/// Adds the leads of today to rows.
pub async fn add_today(db: &Db, rows: &mut [TeamRow], now: i64) -> Result<(), sqlx::Error> {
    let ids = rows.iter().map(|row| row.id).collect::<Vec<_>>();
    let used = quota::team_leads_of(db, &ids, now).await?;
    for row in rows {
        row.assigned_today = Some(used.get(&row.id).copied().unwrap_or(0));
    }
    Ok(())
}

/// Adds a team, and returns its id. Its other fields come with [`write`]; until then its version is 0.
pub async fn insert(tx: &mut Connection, org_id: i64, name: &str, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO sub_organisation (org_id, name, version, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, 0, $3, $4, $5, $6) RETURNING id",
    )
    .bind(org_id)
    .bind(name)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes a team's fields over the given version. Returns whether the team had that version. If the form has no phone,
/// the stored one stays.
pub async fn write(tx: &mut Connection, keys: &Keys, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE sub_organisation SET name = ");
    sql.bind(form.name.clone()).push(", city = ").bind(form.city.clone()).push(", address = ").bind(form.address.clone());
    sql.push(", manager_name = ").bind(form.manager_name.clone()).push(", cities = ").bind(places::column(&form.cities));
    if let Some(phone) = &form.phone {
        sql.push(", phone_enc = ").bind(keys.seal(&place::TEAM_PHONE.of(id), phone));
        sql.push(", phone_hash = ").bind(keys.lookup_hash(phone));
        sql.push(", phone_mask = ").bind(mask::phone(phone));
    }
    sql.push(", accept_leads = ").bind(i64::from(form.accept_leads)).push(", daily_cap = ").bind(form.daily_cap);
    sql.push(", weight = ").bind(form.weight).push(", sort = ").bind(form.sort).push(", status = ").bind(form.status);
    stamped::over(sql, id, version, stamp, tx).await
}

/// What keeps a team from being disabled: people who work in it, open clues, and plans that send leads to it. Without
/// people, no salesperson would see its clues and leads.
const IN_USE: &[(&str, &str, &str)] = &[
    (
        "SELECT COUNT(*) FROM salesperson WHERE sub_org_id = $1 AND status <> 'left' AND deleted_at IS NULL",
        "名未离职的销售人员",
        "salespeople who have not left",
    ),
    ("SELECT COUNT(*) FROM clue WHERE sub_org_id = $1 AND stage NOT IN ('disbursed', 'invalid', 'lost')", "条进行中的线索", "open leads"),
    (
        "SELECT COUNT(*) FROM plan WHERE sub_org_id = $1 AND status NOT IN ('ended', 'rejected') AND deleted_at IS NULL",
        "个未结束的计划",
        "plans that have not ended",
    ),
];

/// Why a team cannot be disabled, if it cannot.
pub async fn in_use(tx: &mut Connection, id: i64) -> Result<Option<Say>, sqlx::Error> {
    let (mut chinese, mut english) = (Vec::new(), Vec::new());
    for (query, zh, en) in IN_USE {
        let found: i64 = sqlx::query_scalar(*query).bind(id).fetch_one(&mut *tx).await?;
        if found > 0 {
            chinese.push(format!("{found} {zh}"));
            english.push(format!("{found} {en}"));
        }
    }
    Ok((!chinese.is_empty()).then(|| {
        say(
            format!("团队还有{}，不能停用。如只是不再接收线索，请关闭“接收线索”", chinese.join("、")),
            format!("The team still has {} and cannot be disabled. To stop new leads only, turn off “Accepts leads”", english.join(", ")),
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::super::list::Teams;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Teams>("team");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Teams>(&[]).await;
    }

    #[tokio::test]
    async fn an_organisation_and_a_team_find_their_rows_by_an_index() {
        let plans = Plans::open().await;
        for scope in [Scope::Org(1), Scope::SubOrg(1)] {
            let plan = plan::<Teams>(&plans, TeamFilters::default(), scope).await;
            assert!(plan.contains("SEARCH t USING") || plan.contains("SCAN t USING INDEX sub_organisation_sort"), "{plan}");
        }
    }
}
