//! Payee channels in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, FromRow, Row};

use super::form::ChannelFormChecked;
use super::model::{ChannelKeys, PayProvider, PayeeChannelFilters, PayeeChannelRow, PayeeChannelStatus};
use super::params::Params;
use base::crypto::{Keys, place};
use base::db::{self, Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::api::Result;
use frame::decision::{self, Awaits, DecisionAction};
use frame::proposal;

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT c.id, c.code, c.name, c.provider, c.payee_org_id, p.name AS payee_org_name, c.mch_no, c.param_names, c.gateway_url, \
     c.instructions, c.fee_bp, c.min_cents, c.max_cents, c.day_cap_cents, c.sort, c.cert_expire_on, c.old_key_until, c.status, c.keys_by, \
     CAST(CASE WHEN EXISTS (SELECT 1 FROM payment_order po WHERE po.payee_channel_id = c.id) THEN 1 ELSE 0 END AS BIGINT) AS has_orders, \
     CAST(CASE WHEN p.status = 'enabled' THEN 1 ELSE 0 END AS BIGINT) AS payee_enabled, \
     c.version, c.created_at, c.updated_at, ",
    decision::open_columns!("payConfig/list/status"),
    " FROM payee_channel c JOIN payee_organisation p ON p.id = c.payee_org_id",
    decision::open_join!("payee_channel", "c.id"),
    " WHERE c.deleted_at IS NULL"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT c.id FROM payee_channel c WHERE c.deleted_at IS NULL";

/// The conditions of a list, within a scope: payee channels belong to no organisation and no account, and are seen by viewers who see
/// everything.
pub fn narrow(sql: &mut Sql, filters: &PayeeChannelFilters, scope: Scope) {
    sql.and_contains(&["c.code", "c.name"], filters.keyword.as_deref())
        .and("c.provider = ", filters.provider)
        .and("c.payee_org_id = ", filters.payee_org_id)
        .and("c.status = ", filters.status);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(" AND ", decision::open_exists!("payee_channel", "c.id", "change_payee_channel")));
        decision::and_not_by(sql, "payee_channel", "c.id", filters.own_of);
    }
    scope.apply(sql, ScopeColumns::default());
}

/// One payee channel within a scope.
pub async fn find<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
) -> std::result::Result<Option<PayeeChannelRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("c.id = ", Some(id));
    narrow(&mut sql, &PayeeChannelFilters::default(), scope);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> std::result::Result<PayeeChannelRow, sqlx::Error> {
    let mut channel = PayeeChannelRow::from_row(row)?;
    channel.proposed = proposal::proposed(channel.decision.as_ref(), DecisionAction::ChangePayeeChannel)?;
    Ok(channel)
}

/// Adds a disabled payee channel without parameters, and returns its id.
pub async fn insert(
    tx: &mut Connection,
    code: &str,
    provider: PayProvider,
    form: &ChannelFormChecked,
    stamp: Stamp,
) -> std::result::Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO payee_channel (code, provider, name, payee_org_id, mch_no, gateway_url, instructions, fee_bp, min_cents, max_cents, \
           day_cap_cents, sort, cert_expire_on, old_key_until, status, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'disabled', $15, $16, $17, $18) RETURNING id",
    )
    .bind(code)
    .bind(provider)
    .bind(&form.name)
    .bind(form.payee_org_id)
    .bind(&form.mch_no)
    .bind(&form.gateway_url)
    .bind(&form.instructions)
    .bind(form.fee_bp)
    .bind(form.min_cents)
    .bind(form.max_cents)
    .bind(form.day_cap_cents)
    .bind(form.sort)
    .bind(&form.cert_expire_on)
    .bind(&form.old_key_until)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes a form over the given version. Returns whether that version existed.
pub async fn update(
    tx: &mut Connection,
    id: i64,
    version: i64,
    form: &ChannelFormChecked,
    stamp: Stamp,
) -> std::result::Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE payee_channel SET name = ");
    sql.bind(form.name.clone()).push(", payee_org_id = ").bind(form.payee_org_id).push(", mch_no = ").bind(form.mch_no.clone());
    sql.push(", gateway_url = ").bind(form.gateway_url.clone()).push(", instructions = ").bind(form.instructions.clone());
    sql.push(", fee_bp = ").bind(form.fee_bp).push(", min_cents = ").bind(form.min_cents).push(", max_cents = ").bind(form.max_cents);
    sql.push(", day_cap_cents = ").bind(form.day_cap_cents).push(", sort = ").bind(form.sort);
    sql.push(", cert_expire_on = ").bind(form.cert_expire_on.clone());
    sql.push(", old_key_until = ").bind(form.old_key_until.clone());
    stamped::over(sql, id, version, stamp, tx).await
}

/// Sets the payee and the instructions that payers read. The caller must have a second person's approval.
pub async fn set_shown(tx: &mut Connection, id: i64, payee_org_id: i64, instructions: &str) -> std::result::Result<(), sqlx::Error> {
    sqlx::query("UPDATE payee_channel SET payee_org_id = $1, instructions = $2 WHERE id = $3")
        .bind(payee_org_id)
        .bind(instructions)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Adds parameters to the stored ones, or replaces them. Disables the channel until another person enables it.
pub async fn set_params(tx: &mut Connection, keys: &Keys, id: i64, new: &Params, by: i64) -> Result<()> {
    let mut params = params_of(tx, keys, id).await?;
    let kept: String = sqlx::query_scalar("SELECT keys_by FROM payee_channel WHERE id = $1").bind(id).fetch_one(&mut *tx).await?;
    let mut makers: Vec<i64> = serde_json::from_str(&kept).map_err(|error| sqlx::Error::Decode(error.into()))?;
    if !makers.contains(&by) {
        makers.push(by);
    }
    params.extend(new.clone());
    let names: Vec<&String> = params.keys().collect();
    sqlx::query(
        "UPDATE payee_channel SET params_enc = $1, param_names = $2, keys_by = $3, keys_checked = 0, status = 'disabled' WHERE id = $4",
    )
    .bind(keys.seal(&place::PAYEE_CHANNEL_PARAMS.of(id), &serde_json::to_string(&params).expect("texts serialise")))
    .bind(serde_json::to_string(&names).expect("texts serialise"))
    .bind(serde_json::to_string(&makers).expect("numbers serialise"))
    .bind(id)
    .execute(tx)
    .await?;
    Ok(())
}

async fn params_of(tx: &mut Connection, keys: &Keys, id: i64) -> Result<Params> {
    let sealed: String = sqlx::query_scalar("SELECT params_enc FROM payee_channel WHERE id = $1").bind(id).fetch_one(tx).await?;
    open(keys, id, &sealed)
}

fn open(keys: &Keys, id: i64, sealed: &str) -> Result<Params> {
    if sealed.is_empty() {
        return Ok(Params::new());
    }
    let text = keys.open(&place::PAYEE_CHANNEL_PARAMS.of(id), sealed)?;
    Ok(serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(error.into()))?)
}

/// Enables or disables over the given version. Returns whether that version existed.
pub async fn set_status(
    tx: &mut Connection,
    id: i64,
    version: i64,
    status: PayeeChannelStatus,
    stamp: Stamp,
) -> std::result::Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE payee_channel SET status = ");
    sql.bind(status);
    if status == PayeeChannelStatus::Enabled {
        sql.push(", keys_checked = 1, keys_by = '[]'");
    }
    stamped::over(sql, id, version, stamp, tx).await
}

/// Deletes over the given version. Returns whether that version existed.
pub async fn delete(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE payee_channel SET params_enc = '', param_names = '[]', deleted_at = ");
    sql.bind(stamp.at);
    stamped::over(sql, id, version, stamp, tx).await
}

/// The keys for calls to a channel's provider; none before a second person has enabled the channel with these
/// parameters. Open orders of a channel that is disabled later are still queried.
pub async fn keys_of<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, id: i64) -> Result<Option<ChannelKeys>> {
    Ok(all_keys(on, keys, Some(id), None).await?.pop())
}

/// [`keys_of`] for all channels of a provider.
pub async fn keys_by_provider<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, provider: PayProvider) -> Result<Vec<ChannelKeys>> {
    all_keys(on, keys, None, Some(provider)).await
}

async fn all_keys<'e>(
    on: impl Executor<'e, Database = Any>,
    keys: &Keys,
    id: Option<i64>,
    provider: Option<PayProvider>,
) -> Result<Vec<ChannelKeys>> {
    let mut sql = Sql::new(
        "SELECT id, provider, mch_no, gateway_url, fee_bp, params_enc, old_key_until FROM payee_channel WHERE deleted_at IS NULL AND keys_checked = 1",
    );
    sql.and("id = ", id).and("provider = ", provider).push(" ORDER BY id");
    let rows = sql.fetch_all(on).await?;
    rows.iter()
        .map(|row| {
            let id = row.try_get("id")?;
            Ok(ChannelKeys {
                id,
                provider: db::code(row, "provider")?,
                mch_no: row.try_get("mch_no")?,
                gateway_url: row.try_get("gateway_url")?,
                fee_bp: row.try_get("fee_bp")?,
                params: open(keys, id, row.try_get("params_enc")?)?,
                old_key_until: row.try_get("old_key_until")?,
            })
        })
        .collect()
}

/// Takes an amount of a channel's daily limit. Returns whether there was that much left.
pub async fn take_day(tx: &mut Connection, id: i64, day: &str, cents: i64) -> std::result::Result<bool, sqlx::Error> {
    sqlx::query("INSERT INTO payee_channel_day (payee_channel_id, day) VALUES ($1, $2) ON CONFLICT (payee_channel_id, day) DO NOTHING")
        .bind(id)
        .bind(day)
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "UPDATE payee_channel_day SET cents = cents + $1 WHERE payee_channel_id = $2 AND day = $3 \
         AND cents + $4 <= (SELECT COALESCE(c.day_cap_cents, 9000000000000000) FROM payee_channel c WHERE c.id = $5)",
    )
    .bind(cents)
    .bind(id)
    .bind(day)
    .bind(cents)
    .bind(id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Adds fen to the day's total of a channel, regardless of its limit; subtracts them if negative.
pub async fn add_to_day(tx: &mut Connection, id: i64, day: &str, cents: i64) -> std::result::Result<(), sqlx::Error> {
    sqlx::query("UPDATE payee_channel_day SET cents = cents + $1 WHERE payee_channel_id = $2 AND day = $3")
        .bind(cents)
        .bind(id)
        .bind(day)
        .execute(tx)
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::list::Channels;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Channels>("payeeChannel");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Channels>(&[]).await;
    }
}
