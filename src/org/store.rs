//! Organisations and sub-organisations in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Executor, Row};
use strum::IntoStaticStr;

use crate::access::{Scope, ScopeColumns};
use crate::api::options::{self, SelectOption};
use crate::compliance::{Fact, Facts};
use crate::db::{Db, Sql};

/// What kind of buyer an organisation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OrgType {
    Bank,
    ConsumerFinance,
    MicroLoan,
    Broker,
    Other,
}

/// How far the business with an organisation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OrgStatus {
    Pending,
    Active,
    Paused,
    Terminated,
}

/// An organisation to be added.
#[derive(Clone, Debug)]
pub struct NewOrganisation {
    pub code: String,
    pub name: String,
    pub short_name: String,
    pub kind: OrgType,
    pub status: OrgStatus,
    pub owner_admin_id: Option<i64>,
    /// Number of the licence to lend or to broker.
    pub licence_no: Option<String>,
    /// Its last day, `YYYY-MM-DD`.
    pub licence_expire_on: Option<String>,
}

/// Organisations whose name, short name or code begins with a keyword, by name.
pub async fn options(db: &Db, scope: Scope, keyword: Option<&str>) -> Result<Vec<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new("SELECT o.id, o.name FROM organisation o WHERE o.deleted_at IS NULL");
    sql.and_prefix(&["o.name", "o.short_name", "o.code"], keyword);
    scope.apply(&mut sql, ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), ..ScopeColumns::default() });
    sql.push(" ORDER BY o.name, o.id LIMIT ").bind(options::MOST);
    sql.fetch_all(db.read()).await?.iter().map(choice).collect()
}

/// One organisation, if it is within the scope.
pub async fn option(db: &Db, scope: Scope, id: i64) -> Result<Option<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new("SELECT o.id, o.name FROM organisation o WHERE o.deleted_at IS NULL");
    sql.and("o.id = ", Some(id));
    scope.apply(&mut sql, ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), ..ScopeColumns::default() });
    sql.fetch_optional(db.read()).await?.as_ref().map(choice).transpose()
}

/// The sub-organisations of one organisation, by name.
pub async fn sub_options(db: &Db, scope: Scope, org_id: i64, keyword: Option<&str>) -> Result<Vec<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT s.id, s.name FROM sub_organisation s JOIN organisation o ON o.id = s.org_id AND o.deleted_at IS NULL \
         WHERE s.deleted_at IS NULL",
    );
    sql.and("s.org_id = ", Some(org_id)).and_prefix(&["s.name"], keyword);
    let columns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: Some("s.id"), myself: None };
    scope.apply(&mut sql, columns);
    sql.push(" ORDER BY s.name, s.id LIMIT ").bind(options::MOST);
    sql.fetch_all(db.read()).await?.iter().map(choice).collect()
}

/// A sub-organisation's name; none when there is no such.
pub async fn sub_name(db: &Db, id: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT name FROM sub_organisation WHERE id = $1").bind(id).fetch_optional(db.read()).await
}

fn choice(row: &AnyRow) -> Result<SelectOption, sqlx::Error> {
    Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? })
}

/// What a compliance check gets to know of an organisation: its name and facts within a scope, or
/// nothing when there is none.
pub async fn compliance_facts<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
) -> Result<Option<(String, Facts)>, sqlx::Error> {
    let mut sql = Sql::new("SELECT o.name, o.licence_no, o.licence_expire_on FROM organisation o WHERE o.deleted_at IS NULL");
    sql.and("o.id = ", Some(id));
    scope.apply(&mut sql, ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), ..ScopeColumns::default() });
    let Some(row) = sql.fetch_optional(on).await? else { return Ok(None) };
    let mut facts = Facts::new();
    facts.extend(row.try_get::<Option<String>, _>("licence_no")?.map(|number| ("licenceNo", Fact::Value(number))));
    facts.extend(row.try_get::<Option<String>, _>("licence_expire_on")?.map(|day| ("licenceExpireOn", Fact::Day(day))));
    Ok(Some((row.try_get("name")?, facts)))
}

/// Adds an organisation and returns its id.
pub async fn insert(tx: &mut AnyConnection, org: &NewOrganisation, admin_id: Option<i64>, at: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO organisation (code, name, short_name, type, status, owner_admin_id, licence_no, licence_expire_on, created_at, updated_at, \
           created_by, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id",
    )
    .bind(&org.code)
    .bind(&org.name)
    .bind(&org.short_name)
    .bind(<&str>::from(org.kind))
    .bind(<&str>::from(org.status))
    .bind(org.owner_admin_id)
    .bind(&org.licence_no)
    .bind(&org.licence_expire_on)
    .bind(at)
    .bind(at)
    .bind(admin_id)
    .bind(admin_id)
    .fetch_one(tx)
    .await
}

/// Adds a sub-organisation, enabled, and returns its id.
pub async fn insert_sub(
    tx: &mut AnyConnection,
    org_id: i64,
    name: &str,
    city: &str,
    admin_id: Option<i64>,
    at: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO sub_organisation (org_id, name, city, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(org_id)
    .bind(name)
    .bind(city)
    .bind(at)
    .bind(at)
    .bind(admin_id)
    .bind(admin_id)
    .fetch_one(tx)
    .await
}
