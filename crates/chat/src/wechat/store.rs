//! Official accounts in the database.

use futures_util::FutureExt;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, FromRow, Row};

use super::form::Form;
use super::model::{WechatFilters, WechatKeys, WechatRow};
use crate::SCOPE;
use base::clock::MINUTE;
use base::codes::UseStatus;
use base::crypto::{Keys, place};
use base::db::{self, Connection, Db, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, stamped};
use frame::api::Result;

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT w.id, w.name, w.app_id, w.encrypted, w.group_id, g.name AS group_name, w.template_id, w.template_field, \
     w.template_text, w.verified_at, w.received_at, w.refused_at, w.refusal, w.token_error, \
     (SELECT COUNT(*) FROM chat_wechat_follower f WHERE f.wechat_id = w.id AND f.subscribed = 1) AS followers, \
     w.status, w.version, w.created_at, w.updated_at FROM chat_wechat w JOIN chat_group g ON g.id = w.group_id WHERE w.deleted_at IS NULL";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT w.id FROM chat_wechat w WHERE w.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &WechatFilters, scope: Scope) {
    sql.and_contains(&["w.name", "w.app_id"], filters.keyword.as_deref())
        .and("w.group_id = ", filters.group_id)
        .and("w.status = ", filters.status);
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> std::result::Result<WechatRow, sqlx::Error> {
    let row = WechatRow::from_row(row)?;
    Ok(WechatRow { callback_path: format!("/api/open/wechat/{}", row.id), ..row })
}

/// One account within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> std::result::Result<Option<WechatRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("w.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// Adds a disabled account without keys, and returns its id.
pub async fn insert(tx: &mut Connection, form: &Form, stamp: Stamp) -> std::result::Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "INSERT INTO chat_wechat (name, app_id, keys_enc, encrypted, group_id, template_id, template_field, template_text, status, created_at, \
           updated_at, created_by, updated_by) VALUES (",
    );
    sql.bind(form.name.clone()).then(form.app_id.clone()).then("").then(i64::from(form.encrypted)).then(form.group_id);
    sql.then(form.template_id.clone()).then(form.template_field.clone()).then(form.template_text.clone()).then(UseStatus::Disabled);
    sql.then(stamp.at).then(stamp.at).then(stamp.admin_id).then(stamp.admin_id).push(") RETURNING id");
    sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("id")
}

/// Writes an account's fields over the given version. Returns whether it had that version.
pub async fn write(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE chat_wechat SET name = ");
    sql.bind(form.name.clone()).push(", encrypted = ").bind(i64::from(form.encrypted)).push(", group_id = ").bind(form.group_id);
    sql.push(", template_id = ").bind(form.template_id.clone()).push(", template_field = ").bind(form.template_field.clone());
    sql.push(", template_text = ").bind(form.template_text.clone());
    stamped::over(sql, id, version, stamp, tx).await
}

/// Stores the keys that a form replaces, and drops the token that the old keys got. Returns the names of the replaced
/// keys.
pub async fn set_keys(tx: &mut Connection, seal: &Keys, id: i64, stored: WechatKeys, form: &Form) -> Result<Vec<&'static str>> {
    let mut keys = stored;
    let mut names = Vec::new();
    for (name, new, kept) in [
        ("appSecret", &form.keys.app_secret, &mut keys.app_secret),
        ("token", &form.keys.token, &mut keys.token),
        ("aesKey", &form.keys.aes_key, &mut keys.aes_key),
    ] {
        if !new.is_empty() {
            kept.clone_from(new);
            names.push(name);
        }
    }
    if names.is_empty() {
        return Ok(names);
    }
    sqlx::query("UPDATE chat_wechat SET keys_enc = $1, access_token_enc = NULL, token_expires_at = 0, token_error = '' WHERE id = $2")
        .bind(seal.seal(&place::CHAT_WECHAT_KEYS.of(id), &serde_json::to_string(&keys).expect("texts serialise")))
        .bind(id)
        .execute(tx)
        .await?;
    Ok(names)
}

/// The keys of an account.
pub async fn keys_of(tx: &mut Connection, seal: &Keys, id: i64) -> Result<WechatKeys> {
    let sealed: String = sqlx::query_scalar("SELECT keys_enc FROM chat_wechat WHERE id = $1").bind(id).fetch_one(tx).await?;
    open(seal, id, &sealed)
}

fn open(seal: &Keys, id: i64, sealed: &str) -> Result<WechatKeys> {
    if sealed.is_empty() {
        return Ok(WechatKeys::default());
    }
    let text = seal.open(&place::CHAT_WECHAT_KEYS.of(id), sealed)?;
    Ok(serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(error.into()))?)
}

/// Deletes the keys of an account.
pub async fn delete_keys(tx: &mut Connection, id: i64) -> std::result::Result<(), sqlx::Error> {
    sqlx::query("UPDATE chat_wechat SET keys_enc = '', access_token_enc = NULL WHERE id = $1").bind(id).execute(tx).await.map(drop)
}

/// An account with what calls to WeChat and deliveries need.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: i64,
    pub app_id: String,
    pub encrypted: bool,
    pub group_id: i64,
    pub template_id: String,
    pub template_field: String,
    pub status: UseStatus,
    pub keys: WechatKeys,
}

/// An account with its keys; none where it was deleted.
pub async fn account<'e>(on: impl Executor<'e, Database = Any>, seal: &Keys, id: i64) -> Result<Option<Account>> {
    let row = sqlx::query(
        "SELECT w.app_id, w.encrypted, w.group_id, w.template_id, w.template_field, w.status, w.keys_enc FROM chat_wechat w \
         WHERE w.deleted_at IS NULL AND w.id = $1",
    )
    .bind(id)
    .fetch_optional(on)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Account {
        id,
        app_id: row.try_get("app_id")?,
        encrypted: db::flag(&row, "encrypted")?,
        group_id: row.try_get("group_id")?,
        template_id: row.try_get("template_id")?,
        template_field: row.try_get("template_field")?,
        status: db::code(&row, "status")?,
        keys: open(seal, id, row.try_get("keys_enc")?)?,
    }))
}

/// Records that WeChat has checked an account's address.
pub async fn verified(db: &Db, id: i64, now: i64) -> std::result::Result<(), sqlx::Error> {
    db.transact(|mut tx| {
        async move {
            sqlx::query("UPDATE chat_wechat SET verified_at = $1 WHERE id = $2").bind(now).bind(id).execute(&mut **tx).await.map(drop)
        }
        .boxed()
    })
    .await
}

/// The shortest time between two notes of received or refused deliveries.
const NOTED_EVERY: i64 = MINUTE;

/// Notes that a delivery of WeChat was taken, once a minute.
pub async fn note_received(db: &Db, id: i64, now: i64) -> std::result::Result<(), sqlx::Error> {
    let noted = sqlx::query("SELECT id FROM chat_wechat WHERE id = $1 AND received_at > $2").bind(id).bind(now - NOTED_EVERY);
    if noted.fetch_optional(db.read()).await?.is_some() {
        return Ok(());
    }
    db.transact(|mut tx| {
        async move {
            sqlx::query("UPDATE chat_wechat SET received_at = $1 WHERE id = $2").bind(now).bind(id).execute(&mut **tx).await.map(drop)
        }
        .boxed()
    })
    .await
}

/// Notes that a delivery was refused and why, once a minute.
pub async fn note_refused(db: &Db, id: i64, why: &str, now: i64) -> std::result::Result<(), sqlx::Error> {
    db.transact(|mut tx| {
        async move {
            sqlx::query("UPDATE chat_wechat SET refused_at = $1, refusal = $2 WHERE id = $3 AND (refused_at IS NULL OR refused_at <= $4)")
                .bind(now)
                .bind(why)
                .bind(id)
                .bind(now - NOTED_EVERY)
                .execute(&mut **tx)
                .await
                .map(drop)
        }
        .boxed()
    })
    .await
}

/// The name of an enabled account whose conversations go to a group, if there is one.
pub async fn serves_group(tx: &mut Connection, group_id: i64) -> std::result::Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT w.name FROM chat_wechat w WHERE w.group_id = $1 AND w.status = 'enabled' AND w.deleted_at IS NULL LIMIT 1")
        .bind(group_id)
        .fetch_optional(tx)
        .await
}

#[cfg(test)]
mod tests {
    use super::super::list::Accounts;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Accounts>("wechat");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Accounts>(&[]).await;
    }
}
