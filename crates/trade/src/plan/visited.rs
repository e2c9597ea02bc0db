//! What visits read of plans.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use crate::org::OrgMode;
use base::db::{self, Sql};

/// The data of a plan for its exposures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    pub id: i64,
    pub no: String,
    pub org_id: i64,
    pub product_id: Option<i64>,
    /// Its organisation is in test mode: its exposures and visitors count as test ones.
    pub test: bool,
    pub running: bool,
}

const SELECT: &str = "SELECT p.id, p.no, p.org_id, p.product_id, p.status, o.mode FROM plan p JOIN organisation o ON o.id = p.org_id \
    WHERE p.deleted_at IS NULL AND ";

/// The plans with these numbers, without deleted ones.
pub async fn visited<'e>(on: impl Executor<'e, Database = Any>, numbers: &[String]) -> Result<Vec<Visited>, sqlx::Error> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Sql::new(SELECT);
    sql.push("p.no IN (");
    for (index, no) in numbers.iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind(no.clone());
    }
    sql.push(")");
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// The running plans of products, by their ids.
pub async fn running_of<'e>(on: impl Executor<'e, Database = Any>, product_ids: &[i64]) -> Result<Vec<Visited>, sqlx::Error> {
    if product_ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Sql::new(SELECT);
    sql.push("p.status = 'running' AND p.product_id IN ").ids(product_ids.iter().copied()).push(" ORDER BY p.id");
    sql.fetch_all(on).await?.iter().map(read).collect()
}

fn read(row: &AnyRow) -> Result<Visited, sqlx::Error> {
    Ok(Visited {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        org_id: row.try_get("org_id")?,
        product_id: row.try_get("product_id")?,
        test: db::code::<OrgMode>(row, "mode")? == OrgMode::Test,
        running: row.try_get::<&str, _>("status")? == "running",
    })
}
