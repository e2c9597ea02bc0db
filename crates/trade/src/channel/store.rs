//! Channels in the database.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::form::Form;
use super::model::{ChannelFilters, ChannelMode, ChannelOption, ChannelRow, ChannelStatus};
use base::db::{self, Connection, Db, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::api::obstacle::{Obstacles, obstacle};
use frame::api::options;
use frame::api::{self, Ctx, Say, chart};
use frame::terms::cap::counters::cap_column;
use frame::terms::cap::{self, Subject};

/// Who sees a channel: its owner. Accounts of organisations see none.
pub(super) const SCOPE: ScopeColumns = ScopeColumns { owner: Some("c.owner_admin_id"), org: None, sub_org: None, myself: None };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT c.id, c.code, c.name, c.type, c.settle_mode, c.unit_price_cents, c.share_bp, c.landing_url, c.app_key, \
     c.old_secret_until, c.ip_allow, c.callback_url, c.mode, c.status, c.dedup_days, c.dedup_scope, c.required_fields, ",
    cap_column!("channel", "c.id"),
    ", c.filters, c.owner_admin_id, a.real_name AS owner_name, c.remark, c.version, c.created_at, c.updated_at \
     FROM channel c LEFT JOIN administrator a ON a.id = c.owner_admin_id WHERE c.deleted_at IS NULL"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT c.id FROM channel c WHERE c.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &ChannelFilters, scope: Scope) {
    sql.and_contains(&["c.code", "c.name"], filters.keyword.as_deref())
        .and("c.type = ", filters.kind.map(<&str>::from))
        .and("c.settle_mode = ", filters.settle_mode.map(<&str>::from))
        .and("c.mode = ", filters.mode.map(<&str>::from))
        .and("c.status = ", filters.status.map(<&str>::from))
        .and("c.owner_admin_id = ", filters.owner_admin_id)
        .and("c.created_at >= ", filters.created_from)
        .and("c.created_at < ", filters.created_to);
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<ChannelRow, sqlx::Error> {
    Ok(ChannelRow {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        name: row.try_get("name")?,
        kind: db::code(row, "type")?,
        settle_mode: db::code(row, "settle_mode")?,
        unit_price_cents: row.try_get("unit_price_cents")?,
        share_bp: row.try_get("share_bp")?,
        landing_url: row.try_get("landing_url")?,
        app_key: row.try_get("app_key")?,
        old_secret_until: row.try_get("old_secret_until")?,
        ip_allow: db::json(row, "ip_allow")?,
        callback_url: row.try_get("callback_url")?,
        mode: db::code(row, "mode")?,
        status: db::code(row, "status")?,
        dedup_days: row.try_get("dedup_days")?,
        dedup_scope: db::code(row, "dedup_scope")?,
        required_fields: db::json(row, "required_fields")?,
        caps: cap::counters::read(row)?,
        filters: row.try_get::<Option<&str>, _>("filters")?.map(|_| db::json(row, "filters")).transpose()?,
        owner_admin_id: row.try_get("owner_admin_id")?,
        owner_name: row.try_get("owner_name")?,
        remark: row.try_get("remark")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// One channel within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<ChannelRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("c.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// Choices for selects, by name.
pub async fn options(db: &Db, scope: Scope, keyword: Option<&str>) -> Result<Vec<ChannelOption>, sqlx::Error> {
    let mut sql = Sql::new("SELECT c.id, c.name, c.required_fields, c.mode FROM channel c WHERE c.deleted_at IS NULL");
    sql.and_contains(&["c.code", "c.name"], keyword);
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY c.name, c.id LIMIT ").bind(options::MOST);
    let rows = sql.fetch_all(db.read()).await?;
    let option = |row: &AnyRow| {
        Ok(ChannelOption {
            value: row.try_get("id")?,
            label: row.try_get("name")?,
            required_fields: db::json(row, "required_fields")?,
            test: db::code::<ChannelMode>(row, "mode")? == ChannelMode::Test,
        })
    };
    rows.iter().map(option).collect()
}

/// The names of some channels within a scope, including deleted ones.
pub async fn names(db: &Db, scope: Scope, ids: BTreeSet<i64>) -> Result<HashMap<i64, String>, sqlx::Error> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut sql = Sql::new("SELECT c.id, c.name FROM channel c WHERE c.id IN ");
    sql.ids(ids);
    scope.apply(&mut sql, SCOPE);
    sql.fetch_all(db.read()).await?.iter().map(|row| Ok((row.try_get("id")?, row.try_get("name")?))).collect()
}

/// Whether all of these channels exist.
pub async fn all_there<'e>(on: impl Executor<'e, Database = Any>, ids: &[i64]) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("SELECT c.id FROM channel c WHERE c.deleted_at IS NULL AND c.id IN ");
    sql.ids(ids.iter().copied());
    Ok(sql.fetch_all(on).await?.len() == ids.len())
}

/// The channels within a scope, by their codes.
pub async fn codes<'e>(on: impl Executor<'e, Database = Any>, scope: Scope) -> Result<HashMap<String, i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT c.id, c.code FROM channel c WHERE c.deleted_at IS NULL");
    scope.apply(&mut sql, SCOPE);
    sql.fetch_all(on).await?.iter().map(|row| Ok((row.try_get("code")?, row.try_get("id")?))).collect()
}

/// The column by which channels are counted.
#[derive(Clone, Copy)]
pub enum Group {
    Kind,
    Status,
    Mode,
}

/// How many channels there are of each code, largest first.
pub async fn count_by(cx: &Arc<Ctx>, scope: Scope, group: Group) -> api::Result<Vec<(String, i64)>> {
    let mut sql = Sql::new("SELECT ");
    sql.push(match group {
        Group::Kind => "c.type",
        Group::Status => "c.status",
        Group::Mode => "c.mode",
    });
    sql.push(" AS code, COUNT(*) AS entries FROM channel c WHERE c.deleted_at IS NULL");
    scope.apply(&mut sql, SCOPE);
    sql.push(" GROUP BY 1 ORDER BY 2 DESC, 1");
    chart::by_code(cx, sql).await
}

/// Key and encrypted secret of a channel.
pub struct Sealed<'s> {
    pub app_key: &'s str,
    pub app_secret_enc: &'s str,
}

/// Adds a channel in test mode and returns its id.
pub async fn insert(tx: &mut Connection, form: &Form, sealed: Sealed<'_>, status: ChannelStatus, stamp: Stamp) -> Result<i64, sqlx::Error> {
    let id = sqlx::query_scalar(
        "INSERT INTO channel (code, name, type, settle_mode, unit_price_cents, share_bp, landing_url, app_key, app_secret_enc, \
           ip_allow, callback_url, mode, status, dedup_days, dedup_scope, required_fields, filters, owner_admin_id, remark, \
           created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'test', $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) RETURNING id",
    )
    .bind(&form.code)
    .bind(&form.name)
    .bind(<&str>::from(form.kind))
    .bind(<&str>::from(form.settle_mode))
    .bind(form.unit_price_cents)
    .bind(form.share_bp)
    .bind(&form.landing_url)
    .bind(sealed.app_key)
    .bind(sealed.app_secret_enc)
    .bind(addresses(form))
    .bind(&form.callback_url)
    .bind(<&str>::from(status))
    .bind(form.dedup_days)
    .bind(<&str>::from(form.dedup_scope))
    .bind(required_fields(form))
    .bind(filters(form))
    .bind(form.owner_admin_id)
    .bind(&form.remark)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(&mut *tx)
    .await?;
    cap::counters::set(tx, subject(id), &form.caps, stamp).await?;
    Ok(id)
}

/// Writes a channel's fields over the given version. Returns whether that version existed.
pub async fn update(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "UPDATE channel SET name = $1, type = $2, settle_mode = $3, unit_price_cents = $4, share_bp = $5, landing_url = $6, \
           ip_allow = $7, callback_url = $8, dedup_days = $9, dedup_scope = $10, required_fields = $11, filters = $12, owner_admin_id = $13, \
           remark = $14, version = version + 1, updated_at = $15, updated_by = $16 WHERE id = $17 AND version = $18 AND deleted_at IS NULL",
    )
    .bind(&form.name)
    .bind(<&str>::from(form.kind))
    .bind(<&str>::from(form.settle_mode))
    .bind(form.unit_price_cents)
    .bind(form.share_bp)
    .bind(&form.landing_url)
    .bind(addresses(form))
    .bind(&form.callback_url)
    .bind(form.dedup_days)
    .bind(<&str>::from(form.dedup_scope))
    .bind(required_fields(form))
    .bind(filters(form))
    .bind(form.owner_admin_id)
    .bind(&form.remark)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(&mut *tx)
    .await?;
    if done.rows_affected() != 1 {
        return Ok(false);
    }
    cap::counters::set(tx, subject(id), &form.caps, stamp).await?;
    Ok(true)
}

/// Sets a channel's status over the given version. Returns whether that version existed.
pub async fn set_status(tx: &mut Connection, id: i64, version: i64, status: ChannelStatus, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::set_code(tx, ("channel", "status"), id, version, status.into(), stamp).await
}

/// Sets a channel's encrypted secret over the given version, and until when the previous one stays valid, if at all.
/// Returns whether that version existed.
pub async fn set_secret(
    tx: &mut Connection,
    id: i64,
    version: i64,
    secret_enc: &str,
    old_until: Option<i64>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE channel SET old_secret_enc = CASE WHEN $1 = 1 THEN app_secret_enc ELSE NULL END, old_secret_until = $2, \
           app_secret_enc = $3, version = version + 1, updated_at = $4, updated_by = $5 \
         WHERE id = $6 AND version = $7 AND deleted_at IS NULL",
    )
    .bind(i64::from(old_until.is_some()))
    .bind(old_until)
    .bind(secret_enc)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Ends a channel's old secret over the given version. Returns whether that version existed.
pub async fn end_old_secret(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE channel SET old_secret_enc = NULL, old_secret_until = NULL, version = version + 1, updated_at = $1, updated_by = $2 \
         WHERE id = $3 AND version = $4 AND deleted_at IS NULL",
    )
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Sets a channel's mode over the given version. Returns whether that version existed.
pub async fn set_mode(tx: &mut Connection, id: i64, version: i64, mode: ChannelMode, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::set_code(tx, ("channel", "mode"), id, version, mode.into(), stamp).await
}

/// Removes a channel from every list. Its row and its code stay, for the records that refer to them.
pub async fn delete(tx: &mut Connection, id: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE channel SET deleted_at = $1, status = 'disabled', version = version + 1, updated_at = $2, updated_by = $3 \
         WHERE id = $4 AND deleted_at IS NULL",
    )
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Rows that name a channel and prevent its deletion: a query (`$1` is the channel's id), and a label. An area that
/// stores a channel's id adds its line.
const REFERENCES: Obstacles = &[
    (
        "SELECT id FROM push_record WHERE channel_id = $1",
        "渠道带来的线索已售出，不能删除",
        "This channel has sold leads and cannot be deleted",
    ),
    (
        "SELECT id FROM blacklist_entry WHERE scope_id = $1 AND scope = 'channel' AND deleted_at IS NULL",
        "有只对该渠道生效的黑名单，不能删除",
        "Blacklist entries apply to this channel only; it cannot be deleted",
    ),
];

/// The label of a record that refers to a channel, if there is one.
pub async fn referrer(tx: &mut Connection, id: i64) -> Result<Option<Say>, sqlx::Error> {
    obstacle(tx, REFERENCES, id).await
}

/// The key of a channel's caps.
pub fn subject(id: i64) -> Subject {
    Subject { kind: "channel", id }
}

fn required_fields(form: &Form) -> String {
    serde_json::to_string(&form.required_fields).expect("texts serialise")
}

fn filters(form: &Form) -> Option<String> {
    form.filters.as_ref().map(|filters| serde_json::to_string(filters).expect("a rule set serialises"))
}

fn addresses(form: &Form) -> String {
    serde_json::to_string(&form.ip_allow).expect("texts serialise")
}

#[cfg(test)]
mod tests {
    use super::super::list::Channels;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Channels>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        use super::super::model::{ChannelType, SettleMode};
        let (plans, none) = (Plans::open().await, ChannelFilters::default);
        for (index, filters, scope) in [
            ("channel_type", ChannelFilters { kind: Some(ChannelType::Ads), ..none() }, Scope::All),
            ("channel_settle_mode", ChannelFilters { settle_mode: Some(SettleMode::Uv), ..none() }, Scope::All),
            ("channel_mode", ChannelFilters { mode: Some(ChannelMode::Live), ..none() }, Scope::All),
            ("channel_status", ChannelFilters { status: Some(ChannelStatus::Enabled), ..none() }, Scope::All),
            ("channel_owner", ChannelFilters { owner_admin_id: Some(1), ..none() }, Scope::All),
            ("channel_created", ChannelFilters { created_from: Some(1), created_to: Some(2), ..none() }, Scope::All),
            ("channel_owner", none(), Scope::Own(1)),
        ] {
            let plan = plan::<Channels>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH c USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
        // The rows of a keyword are met in the list's order: the walk ends with the page's last row.
        let keyword = ChannelFilters { keyword: Some("a".into()), ..none() };
        assert!(plan::<Channels>(&plans, keyword, Scope::All).await.starts_with("SCAN c USING INDEX channel_created"));
    }
}
