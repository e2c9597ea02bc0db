//! Plans in the database.

use std::collections::{BTreeSet, HashMap};

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::approval::{self, PlanTerms};
use super::form::Form;
use super::model::{PauseReason, PlanFilters, PlanRow, PlanStatus, StoppedBy};
use base::clock;
use base::db::sql::typed;
use base::db::{self, Connection, Db, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::api::options::{self, SelectOption};
use frame::decision::{self, Awaits};
use frame::places;
use frame::terms::cap;
use frame::terms::cap::Subject;
use frame::terms::cap::counters::cap_column;

/// Who sees a plan: its organisation, its team, and the organisation's account manager.
pub(super) const SCOPE: ScopeColumns =
    ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("p.org_id"), sub_org: Some("p.sub_org_id"), myself: None };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT p.id, p.no, p.name, p.org_id, o.name AS org_name, p.sub_org_id, s.name AS sub_org_name, p.product_id, \
     d.name AS product_name, p.deliver_mode, p.sale_mode, p.max_buyers, p.price_cents, p.price_rules, p.method_priority, p.weight, \
     p.exposure_weight, p.cities, p.channel_allow, p.channel_deny, p.rule_set, p.dedup_days, p.schedule, p.out_of_schedule, \
     p.starts_on, p.ends_on, p.match_required, p.own_price_least_cents, p.own_price_most_cents, p.own_day_most, p.own_hours, \
     p.own_cities, p.own_pause, p.paused_by_org, p.status, p.pause_reason, p.reject_note, p.remark, p.version, p.created_at, p.updated_at, ",
    cap_column!("plan", "p.id"),
    ", ",
    decision::open_columns!("plan/list/audit"),
    " FROM plan p JOIN organisation o ON o.id = p.org_id LEFT JOIN sub_organisation s ON s.id = p.sub_org_id \
     LEFT JOIN product d ON d.id = p.product_id",
    decision::open_join!("plan", "p.id"),
    " WHERE p.deleted_at IS NULL"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT p.id FROM plan p JOIN organisation o ON o.id = p.org_id WHERE p.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PlanFilters, scope: Scope) {
    sql.and_named(&["p.name"], &["p.no"], filters.keyword.as_deref())
        .and("p.org_id = ", filters.org_id)
        .and("p.sub_org_id = ", filters.sub_org_id)
        .and("p.product_id = ", filters.product_id)
        .and("p.status = ", filters.status.map(<&str>::from))
        .and("p.pause_reason = ", filters.pause_reason.map(<&str>::from))
        .and("p.deliver_mode = ", filters.deliver_mode.map(<&str>::from))
        .and("p.sale_mode = ", filters.sale_mode.map(<&str>::from))
        .and("p.created_at >= ", filters.created_from)
        .and("p.created_at < ", filters.created_to);
    if let Some(city) = typed(filters.city.as_deref()) {
        sql.push(" AND (p.cities = '[]' OR p.cities LIKE ").bind(places::listed(&places::code_or_text(city))).push(" ESCAPE '!')");
    }
    if let Some(channel) = filters.channel_id {
        // `[1,2]` as `,1,2,`.
        let number = format!("%,{channel},%");
        sql.push(" AND (p.channel_allow = '[]' OR REPLACE(REPLACE(p.channel_allow, '[', ','), ']', ',') LIKE ").bind(number.clone());
        sql.push(") AND REPLACE(REPLACE(p.channel_deny, '[', ','), ']', ',') NOT LIKE ").bind(number);
    }
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(" AND (p.status = 'pending' OR ", decision::open_exists!("plan", "p.id", "change_plan"), ")"));
        decision::and_not_by(sql, "plan", "p.id", filters.own_of);
    }
    if filters.caps_full.is_some() {
        sql.push(" AND p.status = 'running'");
        // The lowest price of a plan with price rules is in JSON: such a plan counts when its cap is used up.
        let cents = "CASE WHEN p.price_rules = '[]' THEN p.price_cents ELSE 1 END";
        cap::counters::and_full(sql, "plan", "p.id", cents, filters.now);
    }
    match filters.stopped_by {
        Some(StoppedBy::Organisation) => {
            sql.push(" AND p.status = 'running' AND o.status <> 'active'");
        }
        Some(StoppedBy::Licence) => {
            sql.push(" AND p.status = 'running' AND (o.licence_no IS NULL OR COALESCE(o.licence_expire_on, '') < ");
            sql.bind(clock::day(filters.now).to_string()).push(")");
        }
        None => {}
    }
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<PlanRow, sqlx::Error> {
    let mut plan = PlanRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        name: row.try_get("name")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        sub_org_id: row.try_get("sub_org_id")?,
        sub_org_name: row.try_get("sub_org_name")?,
        product_id: row.try_get("product_id")?,
        product_name: row.try_get("product_name")?,
        status: db::code(row, "status")?,
        pause_reason: db::optional_code(row, "pause_reason")?,
        reject_note: row.try_get("reject_note")?,
        deliver_mode: db::code(row, "deliver_mode")?,
        sale_mode: db::code(row, "sale_mode")?,
        max_buyers: row.try_get("max_buyers")?,
        price_cents: row.try_get("price_cents")?,
        price_rules: db::json(row, "price_rules")?,
        method_priority: row.try_get("method_priority")?,
        weight: row.try_get("weight")?,
        exposure_weight: row.try_get("exposure_weight")?,
        cities: places::stored_list(row, "cities")?,
        channel_allow: db::json(row, "channel_allow")?,
        channel_deny: db::json(row, "channel_deny")?,
        rule_set: row.try_get::<Option<&str>, _>("rule_set")?.map(|_| db::json(row, "rule_set")).transpose()?,
        dedup_days: row.try_get("dedup_days")?,
        schedule: row.try_get::<Option<&str>, _>("schedule")?.map(|_| db::json(row, "schedule")).transpose()?,
        out_of_schedule: db::code(row, "out_of_schedule")?,
        starts_on: row.try_get("starts_on")?,
        ends_on: row.try_get("ends_on")?,
        caps: cap::counters::read(row)?,
        match_required: db::flag(row, "match_required")?,
        own_price_least_cents: row.try_get("own_price_least_cents")?,
        own_price_most_cents: row.try_get("own_price_most_cents")?,
        own_day_most: row.try_get("own_day_most")?,
        own_hours: db::flag(row, "own_hours")?,
        own_cities: db::flag(row, "own_cities")?,
        own_pause: db::flag(row, "own_pause")?,
        paused_by_org: db::flag(row, "paused_by_org")?,
        remark: row.try_get("remark")?,
        decision: decision::read(row)?,
        change: None,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    };
    plan.change = approval::asked(&plan);
    Ok(plan)
}

/// One plan within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PlanRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("p.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// The names of teams and products, by id.
pub struct ChangeNames {
    pub teams: HashMap<i64, String>,
    pub products: HashMap<i64, String>,
}

/// The names for the open changes of some plans.
pub async fn names_of_changes(db: &Db, plans: &[PlanRow]) -> Result<ChangeNames, sqlx::Error> {
    let changes = || plans.iter().filter_map(|plan| plan.change.as_ref());
    let teams = team_names(db, changes().filter_map(|change| change.sub_org_id).collect()).await?;
    let products = product_names(db, changes().filter_map(|change| change.product_id).collect()).await?;
    Ok(ChangeNames { teams, products })
}

/// The names of teams, including deleted ones.
pub async fn team_names(db: &Db, ids: BTreeSet<i64>) -> Result<HashMap<i64, String>, sqlx::Error> {
    names(db, "SELECT id, name FROM sub_organisation WHERE id IN ", ids).await
}

/// The names of products, including deleted ones.
pub async fn product_names(db: &Db, ids: BTreeSet<i64>) -> Result<HashMap<i64, String>, sqlx::Error> {
    names(db, "SELECT id, name FROM product WHERE id IN ", ids).await
}

async fn names(db: &Db, select: &'static str, ids: BTreeSet<i64>) -> Result<HashMap<i64, String>, sqlx::Error> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut sql = Sql::new(select);
    sql.ids(ids);
    sql.fetch_all(db.read()).await?.iter().map(|row| Ok((row.try_get("id")?, row.try_get("name")?))).collect()
}

/// The plans of a list that changed last.
pub async fn latest<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    filters: &PlanFilters,
    most: i64,
) -> Result<Vec<PlanRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    narrow(&mut sql, filters, scope);
    sql.push(" ORDER BY p.updated_at DESC, p.id DESC LIMIT ").bind(most);
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// Choices for selects, by name.
pub async fn options(db: &Db, scope: Scope, keyword: Option<&str>) -> Result<Vec<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new("SELECT p.id, p.name FROM plan p JOIN organisation o ON o.id = p.org_id WHERE p.deleted_at IS NULL");
    sql.and_named(&["p.name"], &["p.no"], keyword);
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY p.name, p.id LIMIT ").bind(options::MOST);
    let rows = sql.fetch_all(db.read()).await?;
    rows.iter().map(|row| Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? })).collect()
}

/// Running plans for the sweep, which looks for those that may no longer run, by id from one on.
pub async fn running(on: &mut Connection, after: i64, most: i64) -> Result<Vec<PlanRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("p.status = ", Some("running")).and("p.id > ", Some(after)).push(" ORDER BY p.id LIMIT ").bind(most);
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// Plans that were paused because their organisation could not pay, by id from one on.
pub async fn short_of_money(db: &Db, after: i64, most: i64) -> Result<Vec<PlanRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("p.status = ", Some("paused"))
        .and("p.pause_reason = ", Some("no_balance"))
        .and("p.id > ", Some(after))
        .push(" ORDER BY p.id LIMIT ")
        .bind(most);
    sql.fetch_all(db.read()).await?.iter().map(read).collect()
}

/// All running plans, by id.
pub async fn on_sale(db: &Db, most: i64) -> Result<Vec<PlanRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("p.status = ", Some("running")).push(" ORDER BY p.id LIMIT ").bind(most);
    sql.fetch_all(db.read()).await?.iter().map(read).collect()
}

/// Whether any plan of a test organisation runs.
pub async fn has_test_plan(tx: &mut Connection) -> Result<bool, sqlx::Error> {
    let found = sqlx::query(
        "SELECT p.id FROM organisation o JOIN plan p ON p.org_id = o.id \
         WHERE o.mode = 'test' AND p.status = 'running' AND p.deleted_at IS NULL LIMIT 1",
    );
    Ok(found.fetch_optional(tx).await?.is_some())
}

/// Plans that may have run since a moment.
pub async fn on_sale_since(db: &Db, since: i64, most: i64) -> Result<Vec<PlanRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push(" AND (p.status = 'running' OR (p.status IN ('paused', 'ended') AND p.updated_at >= ").bind(since);
    sql.push(")) ORDER BY p.id LIMIT ").bind(most);
    sql.fetch_all(db.read()).await?.iter().map(read).collect()
}

/// Which of these plans are within a scope.
pub async fn within(db: &Db, scope: Scope, ids: &[i64]) -> Result<BTreeSet<i64>, sqlx::Error> {
    let mut sql = Sql::new(COUNT);
    sql.push(" AND p.id IN ").ids(ids.iter().copied());
    scope.apply(&mut sql, SCOPE);
    sql.fetch_all(db.read()).await?.iter().map(|row| row.try_get("id")).collect()
}

/// Counts a failed delivery, or a successful one. Returns how many in a row have failed.
pub async fn delivered(tx: &mut Connection, id: i64, well: bool) -> Result<i64, sqlx::Error> {
    let sql = match well {
        true => "UPDATE plan SET delivery_errors = 0 WHERE id = $1 AND delivery_errors > 0 RETURNING delivery_errors",
        false => "UPDATE plan SET delivery_errors = delivery_errors + 1 WHERE id = $1 RETURNING delivery_errors",
    };
    Ok(sqlx::query_scalar(sql).bind(id).fetch_optional(tx).await?.unwrap_or_default())
}

/// Whether its last delivery failed.
pub async fn has_errors(db: &Db, id: i64) -> Result<bool, sqlx::Error> {
    let failed = sqlx::query("SELECT id FROM plan WHERE id = $1 AND delivery_errors > 0").bind(id).fetch_optional(db.read()).await?;
    Ok(failed.is_some())
}

/// Stores that a plan bought, for plans that take turns.
pub async fn bought(tx: &mut Connection, id: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO plan_turn (plan_id, sold_at) VALUES ($1, $2) ON CONFLICT (plan_id) DO UPDATE SET sold_at = excluded.sold_at")
        .bind(id)
        .bind(at)
        .execute(tx)
        .await
        .map(drop)
}

/// When plans bought last, by id.
pub async fn turns(db: &Db) -> Result<HashMap<i64, i64>, sqlx::Error> {
    let rows = sqlx::query("SELECT plan_id, sold_at FROM plan_turn").fetch_all(db.read()).await?;
    rows.iter().map(|row| Ok((row.try_get("plan_id")?, row.try_get("sold_at")?))).collect()
}

/// Adds a plan and returns its id.
pub async fn insert(tx: &mut Connection, no: &str, form: &Form, status: PlanStatus, stamp: Stamp) -> Result<i64, sqlx::Error> {
    let id = sqlx::query_scalar(
        "INSERT INTO plan (no, name, org_id, deliver_mode, sale_mode, max_buyers, price_cents, method_priority, weight, exposure_weight, \
           out_of_schedule, match_required, status, version, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, $14, $15, $16, $17) RETURNING id",
    )
    .bind(no)
    .bind(&form.name)
    .bind(form.org_id)
    .bind(<&str>::from(form.terms.deliver_mode))
    .bind(<&str>::from(form.terms.sale_mode))
    .bind(form.terms.max_buyers)
    .bind(form.terms.price_cents)
    .bind(form.terms.method_priority)
    .bind(form.terms.weight)
    .bind(form.terms.exposure_weight)
    .bind(<&str>::from(form.terms.out_of_schedule))
    .bind(i64::from(form.terms.match_required))
    .bind(<&str>::from(status))
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(&mut *tx)
    .await?;
    write(tx, id, 0, form, stamp).await?;
    Ok(id)
}

/// Writes a plan's fields over the given version. Returns whether that version existed.
pub async fn write(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE plan SET name = ");
    sql.bind(form.name.clone()).push(", remark = ").bind(form.remark.clone()).push(", ");
    over(sql, id, version, &form.terms, stamp, tx).await
}

/// Writes the approved terms of a plan over the given version. Returns whether that version existed.
pub async fn write_terms(tx: &mut Connection, id: i64, version: i64, terms: &PlanTerms, stamp: Stamp) -> Result<bool, sqlx::Error> {
    over(Sql::new("UPDATE plan SET "), id, version, terms, stamp, tx).await
}

async fn over(mut sql: Sql, id: i64, version: i64, terms: &PlanTerms, stamp: Stamp, tx: &mut Connection) -> Result<bool, sqlx::Error> {
    sql.push("sub_org_id = ").bind(terms.sub_org_id).push(", product_id = ").bind(terms.product_id);
    sql.push(", deliver_mode = ").bind(<&str>::from(terms.deliver_mode)).push(", sale_mode = ").bind(<&str>::from(terms.sale_mode));
    sql.push(", max_buyers = ").bind(terms.max_buyers).push(", price_cents = ").bind(terms.price_cents);
    sql.push(", price_rules = ").bind(json(&terms.price_rules)).push(", method_priority = ").bind(terms.method_priority);
    sql.push(", weight = ").bind(terms.weight).push(", exposure_weight = ").bind(terms.exposure_weight);
    sql.push(", cities = ").bind(json(&terms.cities)).push(", channel_allow = ").bind(json(&terms.channel_allow));
    sql.push(", channel_deny = ").bind(json(&terms.channel_deny)).push(", rule_set = ").bind(terms.rule_set.as_ref().map(json));
    sql.push(", dedup_days = ").bind(terms.dedup_days).push(", schedule = ").bind(terms.schedule.as_ref().map(json));
    sql.push(", out_of_schedule = ").bind(<&str>::from(terms.out_of_schedule)).push(", starts_on = ").bind(terms.starts_on.clone());
    sql.push(", ends_on = ").bind(terms.ends_on.clone()).push(", match_required = ").bind(i64::from(terms.match_required));
    sql.push(", own_price_least_cents = ").bind(terms.own_price_least_cents);
    sql.push(", own_price_most_cents = ").bind(terms.own_price_most_cents).push(", own_day_most = ").bind(terms.own_day_most);
    sql.push(", own_hours = ").bind(i64::from(terms.own_hours)).push(", own_cities = ").bind(i64::from(terms.own_cities));
    sql.push(", own_pause = ").bind(i64::from(terms.own_pause));
    if !stamped::over(sql, id, version, stamp, &mut *tx).await? {
        return Ok(false);
    }
    cap::counters::set(tx, subject(id), &terms.caps, stamp).await?;
    Ok(true)
}

/// A step of a plan: its status, and the reason.
#[derive(Clone, Debug)]
pub struct Step<'s> {
    pub status: PlanStatus,
    pub pause_reason: Option<PauseReason>,
    /// Its organisation takes the step.
    pub by_org: bool,
    pub reject_note: Option<&'s str>,
}

/// Makes a step over the given version. Returns whether that version existed.
pub async fn step(tx: &mut Connection, id: i64, version: i64, step: Step<'_>, at: i64, by: Option<i64>) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE plan SET status = $1, pause_reason = $2, reject_note = $3, paused_by_org = $4, version = version + 1, updated_at = $5, \
           updated_by = $6 WHERE id = $7 AND version = $8 AND deleted_at IS NULL",
    )
    .bind(<&str>::from(step.status))
    .bind(step.pause_reason.map(<&str>::from))
    .bind(step.reject_note)
    .bind(i64::from(step.by_org && step.status == PlanStatus::Paused))
    .bind(at)
    .bind(by)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Removes a plan from every list; its row and its number stay.
pub async fn delete(tx: &mut Connection, id: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::remove(tx, "plan", id, stamp).await
}

/// The key of a plan's caps.
pub(super) fn subject(id: i64) -> Subject {
    Subject { kind: "plan", id }
}

fn json<Value: serde::Serialize>(value: &Value) -> String {
    serde_json::to_string(value).expect("terms serialise")
}

#[cfg(test)]
mod tests {
    use super::super::list::Plans;
    use super::super::model::{DeliverMode, SaleMode};
    use super::*;
    use base::db::plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Plans>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (plans::Plans::open().await, PlanFilters::default);
        for (index, filters, scope) in [
            ("plan_org", PlanFilters { org_id: Some(1), ..none() }, Scope::All),
            ("plan_sub_org", PlanFilters { sub_org_id: Some(1), ..none() }, Scope::All),
            ("plan_product", PlanFilters { product_id: Some(1), ..none() }, Scope::All),
            ("plan_status", PlanFilters { status: Some(PlanStatus::Running), ..none() }, Scope::All),
            ("plan_pause_reason", PlanFilters { pause_reason: Some(PauseReason::Manual), ..none() }, Scope::All),
            ("plan_deliver_mode", PlanFilters { deliver_mode: Some(DeliverMode::Api), ..none() }, Scope::All),
            ("plan_sale_mode", PlanFilters { sale_mode: Some(SaleMode::Shared), ..none() }, Scope::All),
            ("plan_org", none(), Scope::Org(1)),
        ] {
            let plan = plan::<Plans>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH p USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
