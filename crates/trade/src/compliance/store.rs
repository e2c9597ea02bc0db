//! Rules and checks in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::model::{CheckItem, CheckResult, CheckRow, RuleForm, RuleKind, RuleRow, TargetType};
use base::db::{self, Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};

/// The most rules of one check.
const MOST_RULES: i64 = 200;
/// Who sees a check: viewers who see everything see all, others their own.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("k.checked_by"), org: None, sub_org: None, myself: None };

pub const SELECT_CHECKS: &str = "SELECT k.id, k.no, k.target_type, k.target_id, k.target_name, k.items, k.result, k.valid_until, \
     a.real_name AS checked_by_name, k.checked_at FROM compliance_check k LEFT JOIN administrator a ON a.id = k.checked_by WHERE 1 = 1";
pub const COUNT_CHECKS: &str = "SELECT k.id FROM compliance_check k WHERE 1 = 1";
pub const SELECT_RULES: &str = "SELECT r.id, r.code, r.title_zh, r.title_en, r.target_types, r.kind, r.params, r.severity, r.status, r.builtin, \
     r.sort, r.version, r.created_at, r.updated_at FROM compliance_rule r WHERE 1 = 1";
pub const COUNT_RULES: &str = "SELECT r.id FROM compliance_rule r WHERE 1 = 1";

/// Keeps a statement about checks inside a scope.
pub fn within(sql: &mut Sql, scope: Scope) {
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT_CHECKS`].
pub fn read_check(row: &AnyRow) -> Result<CheckRow, sqlx::Error> {
    Ok(CheckRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        target_type: db::code(row, "target_type")?,
        target_id: row.try_get("target_id")?,
        target_name: row.try_get("target_name")?,
        items: db::json(row, "items")?,
        result: db::code(row, "result")?,
        valid_until: row.try_get("valid_until")?,
        checked_by: row.try_get("checked_by_name")?,
        checked_at: row.try_get("checked_at")?,
    })
}

/// Reads a row of [`SELECT_RULES`].
pub fn read_rule(row: &AnyRow) -> Result<RuleRow, sqlx::Error> {
    Ok(RuleRow {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        title_zh: row.try_get("title_zh")?,
        title_en: row.try_get("title_en")?,
        target_types: db::json(row, "target_types")?,
        kind: db::code(row, "kind")?,
        params: db::json(row, "params")?,
        severity: db::code(row, "severity")?,
        status: db::code(row, "status")?,
        builtin: db::flag(row, "builtin")?,
        sort: row.try_get("sort")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One check within a scope.
pub async fn find_check<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<CheckRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_CHECKS);
    sql.and("k.id = ", Some(id));
    within(&mut sql, scope);
    sql.fetch_optional(on).await?.as_ref().map(read_check).transpose()
}

/// The latest check of a record, whoever made it.
pub async fn latest(tx: &mut Connection, target: TargetType, id: i64) -> Result<Option<CheckRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_CHECKS);
    sql.and("k.target_type = ", Some(<&str>::from(target))).and("k.target_id = ", Some(id));
    sql.push(" ORDER BY k.checked_at DESC, k.id DESC LIMIT 1");
    sql.fetch_optional(tx).await?.as_ref().map(read_check).transpose()
}

/// The fingerprint stored with a check, if any.
pub async fn facts_hash(tx: &mut Connection, id: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT facts_hash FROM compliance_check WHERE id = $1").bind(id).fetch_one(tx).await
}

/// A check to be stored.
pub struct NewCheck<'c> {
    pub no: &'c str,
    pub target: TargetType,
    pub target_id: Option<i64>,
    pub target_name: &'c str,
    pub items: &'c [CheckItem],
    pub result: CheckResult,
    pub valid_until: i64,
    /// For a record (`subject::fingerprint`).
    pub facts_hash: Option<&'c str>,
}

/// Stores a check and returns its id.
pub async fn insert_check(tx: &mut Connection, check: NewCheck<'_>, checked_by: i64, at: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO compliance_check (no, target_type, target_id, target_name, items, result, valid_until, facts_hash, checked_by, \
           checked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id",
    )
    .bind(check.no)
    .bind(<&str>::from(check.target))
    .bind(check.target_id)
    .bind(check.target_name)
    .bind(serde_json::to_string(check.items).expect("items serialise"))
    .bind(<&str>::from(check.result))
    .bind(check.valid_until)
    .bind(check.facts_hash)
    .bind(checked_by)
    .bind(at)
    .fetch_one(tx)
    .await
}

/// The enabled rules for a kind of target, in order.
pub async fn rules_for<'e>(on: impl Executor<'e, Database = Any>, target: TargetType) -> Result<Vec<RuleRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_RULES);
    sql.push(" AND r.status = 'enabled' ORDER BY r.sort, r.id LIMIT ").bind(MOST_RULES);
    let rules = sql.fetch_all(on).await?.iter().map(read_rule).collect::<Result<Vec<_>, _>>()?;
    Ok(rules.into_iter().filter(|rule| rule.target_types.contains(&target)).collect())
}

/// One rule.
pub async fn find_rule<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<RuleRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT_RULES);
    sql.and("r.id = ", Some(id));
    sql.fetch_optional(on).await?.as_ref().map(read_rule).transpose()
}

/// Target kinds and parameters in their stored form.
fn json(form: &RuleForm) -> (String, String) {
    let text = |value: serde_json::Result<String>| value.expect("codes and texts serialise");
    (text(serde_json::to_string(&form.target_types)), text(serde_json::to_string(&form.params)))
}

/// Adds a rule and returns its id.
pub async fn insert_rule(tx: &mut Connection, code: &str, kind: RuleKind, form: &RuleForm, stamp: Stamp) -> Result<i64, sqlx::Error> {
    let (target_types, params) = json(form);
    sqlx::query_scalar(
        "INSERT INTO compliance_rule (code, title_zh, title_en, target_types, kind, params, severity, status, sort, created_at, updated_at, \
           created_by, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id",
    )
    .bind(code)
    .bind(&form.title_zh)
    .bind(&form.title_en)
    .bind(target_types)
    .bind(<&str>::from(kind))
    .bind(params)
    .bind(<&str>::from(form.severity))
    .bind(<&str>::from(form.status))
    .bind(form.sort)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes a rule's fields over the given version. Returns whether that version existed.
pub async fn update_rule(tx: &mut Connection, id: i64, version: i64, form: &RuleForm, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let (target_types, params) = json(form);
    let written = sqlx::query(
        "UPDATE compliance_rule SET title_zh = $1, title_en = $2, target_types = $3, params = $4, severity = $5, status = $6, sort = $7, \
           version = version + 1, updated_at = $8, updated_by = $9 WHERE id = $10 AND version = $11",
    )
    .bind(&form.title_zh)
    .bind(&form.title_en)
    .bind(target_types)
    .bind(params)
    .bind(<&str>::from(form.severity))
    .bind(<&str>::from(form.status))
    .bind(form.sort)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// Removes a rule; earlier checks with it stay as they are.
pub async fn delete_rule(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM compliance_rule WHERE id = $1").bind(id).execute(tx).await.map(drop)
}
