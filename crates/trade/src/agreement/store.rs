//! Agreements in the database.

use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

pub use super::form::Form;
use super::form::{Consents, digest};
use super::model::{AgreementDetail, AgreementFilters, AgreementOption, AgreementRow, AgreementState};
use super::named::Held;
use base::db::{self, Connection, Db, Sql};
use frame::access::audit::Stamp;
use frame::access::stamped;
use frame::api::options;

/// The query of the list, before [`narrow`].
pub const SELECT: &str = "SELECT g.id, g.code, g.edition, g.name, g.digest, g.text_kept, g.valid_from, g.valid_to, \
     (SELECT COUNT(*) FROM consent_record k WHERE k.agreement_id = g.id) AS consents, g.version, g.created_at, g.updated_at \
     FROM agreement g WHERE 1 = 1";

/// The same rows, for the count.
pub const COUNT: &str = "SELECT g.id FROM agreement g WHERE 1 = 1";

/// The most agreements in one answer to a partner.
const MOST_OFFERED: i64 = 100;

/// The conditions of a list.
pub fn narrow(sql: &mut Sql, filters: &AgreementFilters) {
    sql.and_contains(&["g.code", "g.edition", "g.name"], filters.keyword.as_deref());
    match filters.state {
        None => {}
        Some(AgreementState::Ended) => _ = sql.push(" AND g.valid_to <= ").bind(filters.now),
        Some(AgreementState::Waiting) => {
            sql.push(" AND g.valid_from > ").bind(filters.now);
            sql.push(" AND (g.valid_to IS NULL OR g.valid_to > ").bind(filters.now).push(")");
        }
        Some(AgreementState::Valid) => valid(sql, filters.now),
    }
}

fn valid(sql: &mut Sql, now: i64) {
    sql.push(" AND g.valid_from <= ").bind(now).push(" AND (g.valid_to IS NULL OR g.valid_to > ").bind(now).push(")");
}

/// Reads a row of [`SELECT`], with its state at a moment.
pub fn read(row: &AnyRow, now: Option<i64>) -> Result<AgreementRow, sqlx::Error> {
    let (valid_from, valid_to) = (row.try_get("valid_from")?, row.try_get("valid_to")?);
    Ok(AgreementRow {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        edition: row.try_get("edition")?,
        name: row.try_get("name")?,
        digest: row.try_get("digest")?,
        text_kept: db::flag(row, "text_kept")?,
        valid_from,
        valid_to,
        state: now.map(|now| AgreementState::at(valid_from, valid_to, now)),
        consents: row.try_get("consents")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One agreement with its text, and its state at a moment.
pub async fn find(on: &mut Connection, id: i64, now: Option<i64>) -> Result<Option<AgreementDetail>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("g.id = ", Some(id));
    let Some(row) = sql.fetch_optional(&mut *on).await? else { return Ok(None) };
    let text = sqlx::query_scalar("SELECT text FROM agreement WHERE id = $1").bind(id).fetch_one(on).await?;
    Ok(Some(AgreementDetail { agreement: read(&row, now)?, text }))
}

/// The consents that name an agreement.
pub async fn consents(on: &mut Connection, id: i64) -> Result<Consents, sqlx::Error> {
    let row = sqlx::query("SELECT COUNT(*) AS consents, MAX(granted_at) AS granted_at FROM consent_record WHERE agreement_id = $1")
        .bind(id)
        .fetch_one(on)
        .await?;
    Ok(Consents { count: row.try_get("consents")?, last: row.try_get("granted_at")? })
}

/// An agreement as a choice, with the time in which it can be consented to.
#[derive(Debug, Serialize)]
pub struct Choice {
    id: i64,
    code: String,
    edition: String,
    name: String,
    valid_from: i64,
    valid_to: Option<i64>,
}

impl Choice {
    /// The choice at a moment.
    pub fn at(&self, now: i64) -> AgreementOption {
        let Choice { id, code, edition, name, valid_from, valid_to } = self;
        AgreementOption {
            value: *id,
            label: format!("{name} {code} {edition}"),
            code: code.clone(),
            edition: edition.clone(),
            valid: AgreementState::at(*valid_from, *valid_to, now) == AgreementState::Valid,
        }
    }
}

/// Choices for selects, newest first.
pub async fn choices(db: &Db, keyword: Option<&str>) -> Result<Vec<Choice>, sqlx::Error> {
    let mut sql = Sql::new("SELECT g.id, g.code, g.edition, g.name, g.valid_from, g.valid_to FROM agreement g WHERE 1 = 1");
    sql.and_contains(&["g.code", "g.edition", "g.name"], keyword);
    sql.push(" ORDER BY g.valid_from DESC, g.id DESC LIMIT ").bind(options::MOST);
    let rows = sql.fetch_all(db.read()).await?;
    let choice = |row: &AnyRow| {
        Ok(Choice {
            id: row.try_get("id")?,
            code: row.try_get("code")?,
            edition: row.try_get("edition")?,
            name: row.try_get("name")?,
            valid_from: row.try_get("valid_from")?,
            valid_to: row.try_get("valid_to")?,
        })
    };
    rows.iter().map(choice).collect()
}

const HELD: &str = "SELECT g.id, g.code, g.edition, g.digest, g.text_kept, g.valid_from, g.valid_to FROM agreement g";

fn read_held(row: &AnyRow) -> Result<Held, sqlx::Error> {
    Ok(Held {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        edition: row.try_get("edition")?,
        digest: row.try_get("digest")?,
        text_kept: db::flag(row, "text_kept")?,
        valid_from: row.try_get("valid_from")?,
        valid_to: row.try_get("valid_to")?,
    })
}

/// All editions of all codes.
pub(super) async fn held<'e>(on: impl Executor<'e, Database = Any>) -> Result<Vec<Held>, sqlx::Error> {
    sqlx::query(HELD).fetch_all(on).await?.iter().map(read_held).collect()
}

/// The agreements that are valid at a moment and have their texts, with name and text, newest first.
pub async fn offered(db: &Db, code: Option<&str>, now: i64) -> Result<Vec<(Held, String, String)>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT g.id, g.code, g.edition, g.digest, g.text_kept, g.valid_from, g.valid_to, g.name, g.text FROM agreement g WHERE g.text_kept = 1",
    );
    sql.and("g.code = ", code.map(str::to_owned));
    valid(&mut sql, now);
    sql.push(" ORDER BY g.valid_from DESC, g.id DESC LIMIT ").bind(MOST_OFFERED);
    let rows = sql.fetch_all(db.read()).await?;
    rows.iter().map(|row| Ok((read_held(row)?, row.try_get("name")?, row.try_get("text")?))).collect()
}

/// Adds an agreement and returns its id.
pub async fn insert(tx: &mut Connection, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO agreement (code, edition, name, text, digest, text_kept, valid_from, valid_to, created_at, updated_at, created_by, \
           updated_by) VALUES ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10, $11) RETURNING id",
    )
    .bind(&form.code)
    .bind(&form.edition)
    .bind(&form.name)
    .bind(&form.text)
    .bind(digest(&form.text))
    .bind(form.valid_from)
    .bind(form.valid_to)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes an agreement over the given version. Returns whether that version existed. Without a text it keeps its
/// digest.
pub async fn update(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE agreement SET code = ");
    sql.bind(form.code.clone()).push(", edition = ").bind(form.edition.clone());
    sql.push(", name = ").bind(form.name.clone());
    if !form.text.is_empty() {
        sql.push(", text_kept = 1, text = ").bind(form.text.clone()).push(", digest = ").bind(digest(&form.text));
    }
    sql.push(", valid_from = ").bind(form.valid_from).push(", valid_to = ").bind(form.valid_to);
    stamped::over_kept(sql, id, version, stamp, tx).await
}

/// Deletes an agreement that no consent names. Returns whether it did.
pub async fn delete(tx: &mut Connection, id: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("DELETE FROM agreement WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM consent_record k WHERE k.agreement_id = $2)")
        .bind(id)
        .bind(id)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Agreements;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Agreements>("agreement");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Agreements>(&[]).await;
    }
}
