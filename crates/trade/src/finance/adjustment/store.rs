//! Adjustments in the database.

use sqlx::{Any, Executor, FromRow};

use super::model::{AdjustmentFilters, AdjustmentForm, AdjustmentRow, AdjustmentStatus};
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::decision;

/// Whose an adjustment is: its organisation's, and the account manager's of the organisation.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("j.org_id"), sub_org: None, myself: None };

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT j.id, j.no, j.org_id, o.name AS org_name, j.part, j.amount_cents, j.reason, j.proof_files, j.status, j.review_note, \
     v.real_name AS reviewer_name, j.reviewed_at, j.created_by, c.real_name AS creator_name, j.version, j.created_at, j.updated_at, ",
    decision::open_columns!("finance/account/audit"),
    " FROM account_adjustment j JOIN organisation o ON o.id = j.org_id LEFT JOIN administrator v ON v.id = j.reviewed_by \
     LEFT JOIN administrator c ON c.id = j.created_by",
    decision::open_join!("account_adjustment", "j.id"),
    " WHERE 1 = 1"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT j.id FROM account_adjustment j JOIN organisation o ON o.id = j.org_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &AdjustmentFilters, scope: Scope) {
    sql.and_prefix(&["j.no"], filters.keyword.as_deref())
        .and("j.org_id = ", filters.org_id)
        .and("j.status = ", filters.status)
        .and("j.part = ", filters.part);
    scope.apply(sql, SCOPE);
}

/// One adjustment within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<AdjustmentRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("j.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(AdjustmentRow::from_row).transpose()
}

/// Adds an adjustment that waits, and returns its id.
pub async fn insert(tx: &mut Connection, no: &str, form: &AdjustmentForm, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO account_adjustment (no, org_id, part, amount_cents, reason, status, version, created_at, updated_at, created_by, \
           updated_by) VALUES ($1, $2, $3, $4, $5, 'pending', 1, $6, $7, $8, $9) RETURNING id",
    )
    .bind(no)
    .bind(form.org_id)
    .bind(form.part)
    .bind(form.amount_cents)
    .bind(form.reason.trim())
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Ends an adjustment over the given version; tells whether there was such a one.
pub async fn end(
    tx: &mut Connection,
    id: i64,
    version: i64,
    status: AdjustmentStatus,
    note: Option<&str>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE account_adjustment SET status = ");
    sql.bind(status).push(", review_note = ").bind(note.map(str::to_owned));
    if status != AdjustmentStatus::Withdrawn {
        sql.push(", reviewed_by = ").bind(stamp.admin_id).push(", reviewed_at = ").bind(stamp.at);
    }
    sql.push(", version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version).push(" AND status = 'pending'");
    Ok(sql.execute(tx).await? == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Adjustments;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Adjustments>("adjustment");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Adjustments>(&[]).await;
    }
}
