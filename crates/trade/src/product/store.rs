//! Products in the database.

use std::collections::HashSet;

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::form::Form;
use super::model::{ProductFilters, ProductRow, ProductStatus};
use base::db::sql::typed;
use base::db::{self, Connection, Db, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::api::Say;
use frame::api::obstacle::{Obstacles, obstacle};
use frame::api::options::{self, SelectOption};
use frame::places;
use frame::terms::cap::counters::cap_column;
use frame::terms::cap::{self, Subject};

/// Who sees a product: its organisation's account manager, and its organisation's people.
pub(super) const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("p.org_id"), sub_org: None, myself: None };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT p.id, p.code, p.name, p.org_id, o.name AS org_name, p.logo_file_id, f.name AS logo_file_name, p.category, p.apply_mode, \
     p.jump_url, p.min_amount_cents, p.max_amount_cents, p.min_term_months, p.max_term_months, p.annual_rate_min_bp, p.annual_rate_max_bp, \
     p.lender_name, p.tags, p.requirements, p.uv_price_cents, p.sort, p.cities, p.rule_set, p.online_from, p.online_to, ",
    cap_column!("product", "p.id"),
    ", p.status, p.version, p.created_at, p.updated_at FROM product p LEFT JOIN organisation o ON o.id = p.org_id \
     LEFT JOIN file f ON f.id = p.logo_file_id WHERE p.deleted_at IS NULL"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT p.id FROM product p LEFT JOIN organisation o ON o.id = p.org_id WHERE p.deleted_at IS NULL";

/// Choices: an id and a name.
const CHOICES: &str = "SELECT p.id, p.name FROM product p LEFT JOIN organisation o ON o.id = p.org_id WHERE p.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &ProductFilters, scope: Scope) {
    sql.and_contains(&["p.code", "p.name", "p.lender_name"], filters.keyword.as_deref())
        .and("p.category = ", filters.category.map(<&str>::from))
        .and("p.apply_mode = ", filters.apply_mode.map(<&str>::from))
        .and("p.status = ", filters.status.map(<&str>::from))
        .and("p.org_id = ", filters.org_id)
        .and("p.created_at >= ", filters.created_from)
        .and("p.created_at < ", filters.created_to);
    if let Some(city) = typed(filters.city.as_deref()) {
        sql.push(" AND (p.cities = '[]' OR p.cities LIKE ").bind(places::listed(&places::code_or_text(city))).push(" ESCAPE '!')");
    }
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<ProductRow, sqlx::Error> {
    Ok(ProductRow {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        name: row.try_get("name")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        logo_file_id: row.try_get("logo_file_id")?,
        logo_file_name: row.try_get("logo_file_name")?,
        category: db::code(row, "category")?,
        apply_mode: db::code(row, "apply_mode")?,
        jump_url: row.try_get("jump_url")?,
        min_amount_cents: row.try_get("min_amount_cents")?,
        max_amount_cents: row.try_get("max_amount_cents")?,
        min_term_months: row.try_get("min_term_months")?,
        max_term_months: row.try_get("max_term_months")?,
        annual_rate_min_bp: row.try_get("annual_rate_min_bp")?,
        annual_rate_max_bp: row.try_get("annual_rate_max_bp")?,
        lender_name: row.try_get("lender_name")?,
        tags: db::json(row, "tags")?,
        requirements: row.try_get("requirements")?,
        uv_price_cents: row.try_get("uv_price_cents")?,
        sort: row.try_get("sort")?,
        cities: places::stored_list(row, "cities")?,
        rule_set: row.try_get::<Option<&str>, _>("rule_set")?.map(|_| db::json(row, "rule_set")).transpose()?,
        online_from: row.try_get("online_from")?,
        online_to: row.try_get("online_to")?,
        caps: cap::counters::read(row)?,
        status: db::code(row, "status")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One product within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<ProductRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("p.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// Codes of all products.
pub async fn codes<'e>(on: impl Executor<'e, Database = Any>) -> Result<HashSet<String>, sqlx::Error> {
    let sql = Sql::new("SELECT p.code FROM product p WHERE p.deleted_at IS NULL");
    sql.fetch_all(on).await?.iter().map(|row| row.try_get("code")).collect()
}

/// Products whose code or name contains a keyword, of one organisation or of any, by name.
pub async fn options(db: &Db, scope: Scope, org_id: Option<i64>, keyword: Option<&str>) -> Result<Vec<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new(CHOICES);
    sql.and("p.org_id = ", org_id).and_contains(&["p.code", "p.name"], keyword);
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY p.name, p.id LIMIT ").bind(options::MOST);
    let rows = sql.fetch_all(db.read()).await?;
    rows.iter().map(|row| Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? })).collect()
}

/// Adds a draft without its logo ([`write`] adds it), and returns its id. Its version is 0 until then.
pub async fn insert(tx: &mut Connection, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO product (code, name, org_id, category, apply_mode, min_amount_cents, max_amount_cents, min_term_months, \
           max_term_months, annual_rate_min_bp, annual_rate_max_bp, uv_price_cents, status, version, created_at, updated_at, created_by, \
           updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'draft', 0, $13, $14, $15, $16) RETURNING id",
    )
    .bind(&form.code)
    .bind(&form.name)
    .bind(form.org_id)
    .bind(<&str>::from(form.category))
    .bind(<&str>::from(form.apply_mode))
    .bind(form.min_amount_cents)
    .bind(form.max_amount_cents)
    .bind(form.min_term_months)
    .bind(form.max_term_months)
    .bind(form.annual_rate_min_bp)
    .bind(form.annual_rate_max_bp)
    .bind(form.uv_price_cents)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes a product's fields over the given version. Returns whether that version existed.
pub async fn write(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let json = |texts: &[String]| serde_json::to_string(texts).expect("texts serialise");
    let rules = form.rule_set.as_ref().map(|rules| serde_json::to_string(rules).expect("a rule set serialises"));
    let mut sql = Sql::new("UPDATE product SET name = ");
    sql.bind(form.name.clone()).push(", org_id = ").bind(form.org_id).push(", logo_file_id = ").bind(form.logo_file_id);
    sql.push(", category = ").bind(<&str>::from(form.category)).push(", apply_mode = ").bind(<&str>::from(form.apply_mode));
    sql.push(", jump_url = ").bind(form.jump_url.clone());
    sql.push(", min_amount_cents = ").bind(form.min_amount_cents).push(", max_amount_cents = ").bind(form.max_amount_cents);
    sql.push(", min_term_months = ").bind(form.min_term_months).push(", max_term_months = ").bind(form.max_term_months);
    sql.push(", annual_rate_min_bp = ").bind(form.annual_rate_min_bp).push(", annual_rate_max_bp = ").bind(form.annual_rate_max_bp);
    sql.push(", lender_name = ").bind(form.lender_name.clone()).push(", tags = ").bind(json(&form.tags));
    sql.push(", requirements = ").bind(form.requirements.clone()).push(", uv_price_cents = ").bind(form.uv_price_cents);
    sql.push(", sort = ").bind(form.sort).push(", cities = ").bind(json(&form.cities)).push(", rule_set = ").bind(rules);
    sql.push(", online_from = ").bind(form.online_from.clone()).push(", online_to = ").bind(form.online_to.clone());
    if !stamped::over(sql, id, version, stamp, &mut *tx).await? {
        return Ok(false);
    }
    cap::counters::set(tx, subject(id), &form.caps, stamp).await?;
    Ok(true)
}

/// Sets a product's status over the given version. Returns whether that version existed.
pub async fn set_status(tx: &mut Connection, id: i64, version: i64, status: ProductStatus, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::set_code(tx, ("product", "status"), id, version, status.into(), stamp).await
}

/// Removes a product from every list. Its row and its code stay, for the records that refer to them.
pub async fn delete(tx: &mut Connection, id: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::remove(tx, "product", id, stamp).await
}

/// Rows that name a product and prevent its deletion: a query (`$1` is the product's id), and a label. An area that
/// stores a product's id adds its line.
const REFERENCES: Obstacles = &[
    (
        "SELECT id FROM plan WHERE product_id = $1 AND deleted_at IS NULL",
        "有计划使用该产品，不能删除",
        "Plans use this product; it cannot be deleted",
    ),
    ("SELECT id FROM push_record WHERE product_id = $1", "有线索售出，不能删除", "Leads were sold for this product; it cannot be deleted"),
];

/// The label of a record that refers to a product, if there is one.
pub async fn referrer(tx: &mut Connection, id: i64) -> Result<Option<Say>, sqlx::Error> {
    obstacle(tx, REFERENCES, id).await
}

/// The key of a product's caps.
pub fn subject(id: i64) -> Subject {
    Subject { kind: "product", id }
}

#[cfg(test)]
mod tests {
    use super::super::list::Products;
    use super::super::model::{ApplyMode, ProductCategory};
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Products>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, ProductFilters::default);
        for (index, filters, scope) in [
            ("product_category", ProductFilters { category: Some(ProductCategory::Credit), ..none() }, Scope::All),
            ("product_apply_mode", ProductFilters { apply_mode: Some(ApplyMode::Jump), ..none() }, Scope::All),
            ("product_status", ProductFilters { status: Some(ProductStatus::Online), ..none() }, Scope::All),
            ("product_org", ProductFilters { org_id: Some(1), ..none() }, Scope::All),
            ("product_created", ProductFilters { created_from: Some(1), created_to: Some(2), ..none() }, Scope::All),
            ("product_org", none(), Scope::Org(1)),
        ] {
            let plan = plan::<Products>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH p USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
