//! Entries of the blacklist in the database.

use std::collections::HashSet;

use sqlx::{Any, Executor, FromRow, Row};

use super::form::Form;
use super::model::{BlacklistFilters, BlacklistKind, BlacklistRow, BlacklistScope, BlacklistSource, BlacklistStatus};
use base::crypto::{Keys, place};
use base::db::{self, Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, stamped};

/// The query of the list, before [`narrow`].
pub const SELECT: &str = "SELECT b.id, b.kind, b.value_mask, b.scope, NULLIF(b.scope_id, 0) AS scope_id, COALESCE(c.name, o.name) AS scope_name, b.source, \
     b.reason, b.expires_at, b.status, b.lift_reason, b.hit_count, b.last_hit_at, a.real_name AS creator_name, b.version, b.created_at, \
     b.updated_at FROM blacklist_entry b \
     LEFT JOIN channel c ON b.scope = 'channel' AND c.id = b.scope_id \
     LEFT JOIN organisation o ON b.scope = 'organisation' AND o.id = b.scope_id \
     LEFT JOIN administrator a ON a.id = b.created_by WHERE b.deleted_at IS NULL";

/// The same rows, for the count.
pub const COUNT: &str = "SELECT b.id FROM blacklist_entry b WHERE b.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &BlacklistFilters, scope: Scope) {
    match (&filters.value_hash, filters.keyword.as_deref()) {
        (Some(hash), Some(keyword)) => {
            sql.push(" AND (b.value_hash = ").bind(hash.clone()).push(" OR (1 = 1").and_prefix(&["b.reason"], Some(keyword)).push("))")
        }
        (hash, keyword) => sql.and("b.value_hash = ", hash.clone()).and_prefix(&["b.reason"], keyword),
    };
    sql.and("b.kind = ", filters.kind)
        .and("b.scope = ", filters.scope)
        .and("b.source = ", filters.source)
        .and("b.status = ", filters.status)
        .and("b.created_at >= ", filters.created_from)
        .and("b.created_at < ", filters.created_to);
    within(sql, scope);
}

/// The blacklist belongs to the platform. Channel managers see entries for their channels, their own entries, and
/// entries for everywhere.
fn within(sql: &mut Sql, scope: Scope) {
    match scope {
        Scope::All => {}
        Scope::Own(me) => {
            sql.push(" AND (b.scope = 'global' OR b.created_by = ").bind(me);
            sql.push(" OR (b.scope = 'channel' AND b.scope_id IN (SELECT s.id FROM channel s WHERE s.owner_admin_id = ")
                .bind(me)
                .push(")))");
        }
        _ => _ = sql.push(" AND 1 = 0"),
    }
}

/// One entry within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<BlacklistRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("b.id = ", Some(id));
    within(&mut sql, scope);
    sql.fetch_optional(on).await?.as_ref().map(BlacklistRow::from_row).transpose()
}

/// An entry's whole value, for viewers who may see it.
pub async fn value(tx: &mut Connection, keys: &Keys, id: i64) -> frame::api::Result<String> {
    let row = sqlx::query("SELECT value_hash, value_enc FROM blacklist_entry WHERE id = $1").bind(id).fetch_one(tx).await?;
    let place = place::BLACKLIST_VALUE.of(row.try_get::<String, _>("value_hash")?);
    Ok(keys.open(&place, row.try_get("value_enc")?)?)
}

/// The key that no two active entries share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub value_hash: String,
    pub kind: &'static str,
    pub scope: &'static str,
    pub scope_id: i64,
}

/// A new entry.
#[derive(Clone, Debug)]
pub struct NewEntry {
    pub kind: BlacklistKind,
    pub value: String,
    pub value_hash: String,
    pub scope: BlacklistScope,
    pub scope_id: i64,
    pub source: BlacklistSource,
    pub reason: String,
    pub expires_at: Option<i64>,
}

impl NewEntry {
    /// A new entry from a form; none without a value.
    pub fn of(keys: &Keys, form: Form) -> Option<NewEntry> {
        let Form { kind, value, scope, scope_id, source, reason, expires_at, .. } = form;
        value.map(|value| NewEntry { kind, value_hash: keys.lookup_hash(&value), value, scope, scope_id, source, reason, expires_at })
    }

    /// Its key.
    pub fn place(&self) -> Place {
        Place { value_hash: self.value_hash.clone(), kind: self.kind.into(), scope: self.scope.into(), scope_id: self.scope_id }
    }
}

/// Which of these keys belong to an entry that has not expired.
pub async fn held<'e>(on: impl Executor<'e, Database = Any>, entries: &[NewEntry], now: i64) -> Result<HashSet<Place>, sqlx::Error> {
    let rows = find_held(entries, now).fetch_all(on).await?;
    rows.iter()
        .map(|row| {
            Ok(Place {
                value_hash: row.try_get("value_hash")?,
                kind: db::code::<BlacklistKind>(row, "kind")?.into(),
                scope: db::code::<BlacklistScope>(row, "scope")?.into(),
                scope_id: row.try_get("scope_id")?,
            })
        })
        .collect()
}

fn find_held(entries: &[NewEntry], now: i64) -> Sql {
    let mut sql = Sql::new("SELECT value_hash, kind, scope, scope_id FROM blacklist_entry WHERE status <> 'lifted' AND deleted_at IS NULL");
    sql.push(" AND (expires_at IS NULL OR expires_at > ").bind(now).push(") AND value_hash IN ");
    hashes(&mut sql, entries);
    sql
}

/// Lifts expired entries of some values, so that they can be entered again. Returns which.
pub async fn lift_expired(tx: &mut Connection, entries: &[NewEntry], stamp: Stamp) -> Result<Vec<i64>, sqlx::Error> {
    end_expired(entries, stamp).fetch_all(tx).await?.iter().map(|row| row.try_get("id")).collect()
}

fn end_expired(entries: &[NewEntry], stamp: Stamp) -> Sql {
    let mut sql = Sql::new("UPDATE blacklist_entry SET status = 'lifted', lift_reason = NULL, version = version + 1, updated_at = ");
    sql.bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE status <> 'lifted' AND deleted_at IS NULL AND expires_at <= ").bind(stamp.at).push(" AND value_hash IN ");
    hashes(&mut sql, entries);
    sql.push(" RETURNING id");
    sql
}

fn hashes(sql: &mut Sql, entries: &[NewEntry]) {
    sql.push("(''");
    for entry in entries {
        sql.push(", ").bind(entry.value_hash.clone());
    }
    sql.push(")");
}

/// Adds active entries and returns their ids. An entry whose key is taken by then is left out.
pub async fn insert(tx: &mut Connection, keys: &Keys, entries: &[NewEntry], stamp: Stamp) -> Result<Vec<i64>, sqlx::Error> {
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = Sql::new(
        "INSERT INTO blacklist_entry (kind, value_hash, value_enc, value_mask, scope, scope_id, source, reason, expires_at, status, \
           created_at, updated_at, created_by, updated_by) VALUES ",
    );
    for (index, entry) in entries.iter().enumerate() {
        sql.push(if index == 0 { "(" } else { ", (" }).bind(entry.kind);
        let sealed = keys.seal(&place::BLACKLIST_VALUE.of(&entry.value_hash), &entry.value);
        sql.push(", ").bind(entry.value_hash.clone()).push(", ").bind(sealed);
        sql.push(", ").bind(entry.kind.mask(&entry.value)).push(", ").bind(entry.scope).push(", ").bind(entry.scope_id);
        sql.push(", ").bind(entry.source).push(", ").bind(entry.reason.clone()).push(", ").bind(entry.expires_at);
        sql.push(", 'active', ").bind(stamp.at).push(", ").bind(stamp.at);
        sql.push(", ").bind(stamp.admin_id).push(", ").bind(stamp.admin_id).push(")");
    }
    sql.push(" ON CONFLICT DO NOTHING RETURNING id");
    sql.fetch_all(tx).await?.iter().map(|row| row.try_get("id")).collect()
}

/// Writes the fields of an entry that may change over the given version. Returns whether that version existed.
pub async fn write(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE blacklist_entry SET scope = ");
    sql.bind(form.scope).push(", scope_id = ").bind(form.scope_id);
    sql.push(", source = ").bind(form.source).push(", reason = ").bind(form.reason.clone());
    sql.push(", expires_at = ").bind(form.expires_at);
    stamped::over(sql, id, version, stamp, tx).await
}

/// Lifts an entry, or makes it active again, over the given version. Returns whether that version existed.
pub async fn set_status(
    tx: &mut Connection,
    id: i64,
    version: i64,
    status: BlacklistStatus,
    reason: Option<String>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE blacklist_entry SET status = ");
    sql.bind(status).push(", lift_reason = ").bind(reason);
    stamped::over(sql, id, version, stamp, tx).await
}

/// Removes an entry from every list.
pub async fn delete(tx: &mut Connection, id: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::remove(tx, "blacklist_entry", id, stamp).await
}

#[cfg(test)]
mod tests {
    use super::super::list::Blacklist;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Blacklist>("blacklist");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Blacklist>(&[]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, BlacklistFilters::default);
        for (index, filters) in [
            ("blacklist_entry_value", BlacklistFilters { value_hash: Some("a".into()), ..none() }),
            ("blacklist_entry_kind", BlacklistFilters { kind: Some(BlacklistKind::Phone), ..none() }),
            ("blacklist_entry_scope", BlacklistFilters { scope: Some(BlacklistScope::Channel), ..none() }),
            ("blacklist_entry_source", BlacklistFilters { source: Some(BlacklistSource::Risk), ..none() }),
            ("blacklist_entry_status", BlacklistFilters { status: Some(BlacklistStatus::Lifted), ..none() }),
            ("blacklist_entry_created", BlacklistFilters { created_from: Some(1), created_to: Some(2), ..none() }),
        ] {
            let plan = plan::<Blacklist>(&plans, filters, Scope::All).await;
            assert!(plan.contains(&format!("SEARCH b USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
        // The rows of a keyword are met in the list's order: the walk ends with the page's last row.
        for value_hash in [None, Some("a".to_owned())] {
            let keyword = BlacklistFilters { keyword: Some("a".into()), value_hash, ..none() };
            assert!(plan::<Blacklist>(&plans, keyword, Scope::All).await.starts_with("SCAN b USING INDEX blacklist_entry_created"));
        }
    }

    #[tokio::test]
    async fn what_is_held_is_found_by_its_hash() {
        let plans = Plans::open().await;
        let entry = NewEntry {
            kind: BlacklistKind::Ip,
            value: "203.0.113.9".to_owned(),
            value_hash: "a".to_owned(),
            scope: BlacklistScope::Global,
            scope_id: 0,
            source: BlacklistSource::Import,
            reason: String::new(),
            expires_at: None,
        };
        let entries = vec![entry; 200];
        for sql in [find_held(&entries, 1), end_expired(&entries, Stamp { admin_id: 1, at: 1 })] {
            let plan = plans.of(sql).await;
            assert!(plan.starts_with("SEARCH blacklist_entry USING INDEX") && plan.contains("(value_hash=?)"), "{plan}");
        }
    }

    #[tokio::test]
    async fn what_names_a_channel_or_an_organisation_is_found_by_an_index() {
        let plans = Plans::open().await;
        let sql = Sql::new("SELECT id FROM blacklist_entry WHERE scope_id = 1 AND scope = 'channel' AND deleted_at IS NULL");
        let plan = plans.of(sql).await;
        assert!(plan.contains("USING INDEX blacklist_entry_scope_id"), "{plan}");
    }
}
