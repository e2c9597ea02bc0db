//! Choices: members of the staff, and accounts that may become members of the staff.

use std::sync::Arc;

use serde::Deserialize;
use sqlx::Row;

use crate::SCOPE;
use base::db::Sql;
use frame::api::{self, Ctx, OptionsQuery, Query, SelectOption, options};

/// Conditions of the choices of staff.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChatStaffQuery {
    /// One group's staff.
    pub group_id: Option<i64>,
    /// A part of a nickname, of an account's name or of a user name.
    pub keyword: Option<String>,
    /// Also staff who are disabled: for filters.
    pub all: bool,
}

/// `GET /chat/manage/options`: enabled staff, by nickname; with `all`, every member of the staff.
pub async fn staff(cx: Arc<Ctx>, Query(query): Query<ChatStaffQuery>) -> api::Result<Vec<SelectOption>> {
    let mut sql = Sql::new(
        "SELECT s.id, s.nickname, a.real_name FROM chat_staff s JOIN administrator a ON a.id = s.admin_id WHERE s.deleted_at IS NULL",
    );
    if !query.all {
        sql.push(" AND s.status = 'enabled'");
    }
    if let Some(group_id) = query.group_id {
        sql.push(" AND EXISTS (SELECT 1 FROM chat_staff_group m WHERE m.staff_id = s.id AND m.group_id = ").bind(group_id).push(")");
    }
    sql.and_contains(&["s.nickname", "a.real_name", "a.username"], query.keyword.as_deref());
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    sql.push(" ORDER BY s.nickname, s.id LIMIT ").bind(options::MOST);
    let rows = sql.fetch_all(cx.db().read()).await?;
    let option = |row: &sqlx::any::AnyRow| {
        let (nickname, name): (&str, &str) = (row.try_get("nickname")?, row.try_get("real_name")?);
        Ok(SelectOption {
            value: row.try_get("id")?,
            label: if nickname == name { name.to_owned() } else { format!("{nickname} ({name})") },
        })
    };
    Ok(rows.iter().map(option).collect::<Result<_, sqlx::Error>>()?)
}

/// `GET /chat/manage/accounts`: enabled accounts of the platform that are not staff, by name.
pub async fn accounts(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> api::Result<Vec<SelectOption>> {
    let mut sql = Sql::new(
        "SELECT a.id, a.real_name, a.username FROM administrator a WHERE a.org_id IS NULL AND a.deleted_at IS NULL AND a.status = 'enabled' \
           AND NOT EXISTS (SELECT 1 FROM chat_staff s WHERE s.admin_id = a.id AND s.deleted_at IS NULL)",
    );
    sql.and_contains(&["a.real_name", "a.username"], query.keyword.as_deref());
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    sql.push(" ORDER BY a.real_name, a.id LIMIT ").bind(options::MOST);
    let rows = sql.fetch_all(cx.db().read()).await?;
    let option = |row: &sqlx::any::AnyRow| {
        let (name, username): (&str, &str) = (row.try_get("real_name")?, row.try_get("username")?);
        Ok(SelectOption { value: row.try_get("id")?, label: format!("{name} ({username})") })
    };
    Ok(rows.iter().map(option).collect::<Result<_, sqlx::Error>>()?)
}
