//! What visits ask of plans.

use sqlx::{Any, Executor, Row};

use crate::db::Sql;

/// A plan, so far as showing it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    pub id: i64,
    pub no: String,
    pub org_id: i64,
    pub product_id: Option<i64>,
    pub running: bool,
}

/// Those of the numbered plans that there are. Deleted ones are not.
pub async fn visited<'e>(on: impl Executor<'e, Database = Any>, numbers: &[String]) -> Result<Vec<Visited>, sqlx::Error> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Sql::new("SELECT id, no, org_id, product_id, status FROM plan WHERE deleted_at IS NULL AND no IN (");
    for (index, no) in numbers.iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind(no.clone());
    }
    sql.push(")");
    sql.fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            Ok(Visited {
                id: row.try_get("id")?,
                no: row.try_get("no")?,
                org_id: row.try_get("org_id")?,
                product_id: row.try_get("product_id")?,
                running: row.try_get::<&str, _>("status")? == "running",
            })
        })
        .collect()
}
