//! Organisations and sub-organisations in the database.

use std::collections::HashMap;

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::form::Form;
use super::model::{OrgAwaits, OrgFilters, OrgNow, OrgRow, OrgStatus, RevealedOrg};
use super::terms::OrgTerms;
use crate::compliance::{Fact, Facts};
use crate::ledger::account::available;
use crate::ledger::invoiceable;
use base::crypto::{Keys, place};
use base::db::sql::typed;
use base::db::{self, Connection, Db, Sql};
use base::mask;
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::api::obstacle::{Obstacles, obstacle};
use frame::api::options::{self, SelectOption};
use frame::api::{self, Say};
use frame::decision::{self, DecisionAction};
use frame::places;
use frame::proposal;

/// Who sees an organisation: its account manager, and its own people.
pub(super) const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: None, myself: None };

/// A query of organisations, before [`narrow`], with further columns and their joins.
macro_rules! select {
    ($columns:expr, $joins:literal) => {
        concat!(
            "SELECT o.id, o.code, o.name, o.short_name, o.type, o.status, o.mode, o.licence_no, o.licence_expire_on, \
             o.licence_file_id, f.name AS licence_file_name, o.contact_name, o.contact_phone_mask, o.province, o.city, o.address, \
             o.bill_mode, o.credit_limit_cents, o.low_balance_cents, o.alert_phone_masks, o.return_allowed, o.return_max_days, \
             o.return_max_bp, o.return_auto, o.payee_org_id, p.name AS payee_org_name, o.owner_admin_id, a.real_name AS owner_name, \
             o.version, o.created_at, o.updated_at, (SELECT d.makers FROM decision d WHERE d.target_type = 'org_api_config' \
               AND d.target_id = o.id AND d.status = 'open') AS delivery_makers, ",
            $columns,
            decision::open_columns!("org/list/audit"),
            " FROM organisation o LEFT JOIN administrator a ON a.id = o.owner_admin_id \
             LEFT JOIN payee_organisation p ON p.id = o.payee_org_id LEFT JOIN file f ON f.id = o.licence_file_id",
            $joins,
            decision::open_join!("organisation", "o.id"),
            " WHERE o.deleted_at IS NULL"
        )
    };
}

/// The query of organisations.
pub const SELECT: &str = select!("", "");

/// The same with their balances.
pub const SELECT_WITH_BALANCES: &str = select!(
    concat!("COALESCE(m.balance_cents, 0) AS balance_cents, ", available!("m"), " AS available_cents, "),
    " LEFT JOIN org_account m ON m.org_id = o.id"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT o.id FROM organisation o WHERE o.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &OrgFilters, scope: Scope) {
    sql.and_contains(&["o.code", "o.name", "o.short_name", "o.contact_name"], filters.keyword.as_deref())
        .and("o.type = ", filters.kind.map(<&str>::from))
        .and("o.status = ", filters.status.map(<&str>::from))
        .and("o.mode = ", filters.mode.map(<&str>::from))
        .and("o.bill_mode = ", filters.bill_mode.map(<&str>::from))
        .and("o.city = ", typed(filters.city.as_deref()).map(places::code_or_text))
        .and("o.owner_admin_id = ", filters.owner_admin_id)
        .and("o.payee_org_id = ", filters.payee_org_id)
        .and("COALESCE(o.licence_expire_on, '') >= ", filters.licence_from.clone())
        .and("o.licence_expire_on <= ", filters.licence_to.clone())
        .and("o.created_at >= ", filters.created_from)
        .and("o.created_at < ", filters.created_to);
    match filters.awaits {
        Some(OrgAwaits::Terms) => {
            sql.push(concat!(" AND ", decision::open_exists!("organisation", "o.id", "change_org_terms")));
            decision::and_not_by(sql, "organisation", "o.id", filters.own_of);
        }
        Some(OrgAwaits::Delivery) => {
            sql.push(concat!(" AND ", decision::open_exists!("org_api_config", "o.id", "change_delivery")));
            decision::and_not_by(sql, "org_api_config", "o.id", filters.own_of);
        }
        None => {}
    }
    if let Some(hash) = &filters.phone_hash {
        sql.push(" AND (o.contact_phone_hash = ").bind(hash.clone());
        sql.push(" OR o.alert_phone_hashes LIKE ").bind(format!("%,{hash},%")).push(")");
    }
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<OrgRow, sqlx::Error> {
    let decision = decision::read(row)?;
    Ok(OrgRow {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        name: row.try_get("name")?,
        short_name: row.try_get("short_name")?,
        kind: db::code(row, "type")?,
        status: db::code(row, "status")?,
        mode: db::code(row, "mode")?,
        licence_no: row.try_get("licence_no")?,
        licence_expire_on: row.try_get("licence_expire_on")?,
        licence_file_id: row.try_get("licence_file_id")?,
        licence_file_name: row.try_get("licence_file_name")?,
        contact_name: row.try_get("contact_name")?,
        contact_phone_mask: row.try_get("contact_phone_mask")?,
        province: places::stored_province(row, "province")?,
        city: places::stored(row, "city")?,
        address: row.try_get("address")?,
        bill_mode: db::code(row, "bill_mode")?,
        credit_limit_cents: row.try_get("credit_limit_cents")?,
        low_balance_cents: row.try_get("low_balance_cents")?,
        alert_phones: db::json(row, "alert_phone_masks")?,
        return_allowed: db::flag(row, "return_allowed")?,
        return_max_days: row.try_get("return_max_days")?,
        return_max_bp: row.try_get("return_max_bp")?,
        return_auto: db::flag(row, "return_auto")?,
        payee_org_id: row.try_get("payee_org_id")?,
        payee_org_name: row.try_get("payee_org_name")?,
        owner_admin_id: row.try_get("owner_admin_id")?,
        owner_name: row.try_get("owner_name")?,
        proposed: proposal::proposed(decision.as_ref(), DecisionAction::ChangeOrgTerms)?,
        decision,
        delivery_makers: decision::makers(row, "delivery_makers")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// Reads a row of [`SELECT_WITH_BALANCES`].
pub fn read_with_balances(row: &AnyRow) -> Result<OrgNow, sqlx::Error> {
    Ok(OrgNow { org: read(row)?, balance_cents: row.try_get("balance_cents")?, available_cents: row.try_get("available_cents")? })
}

/// One organisation within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<OrgRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("o.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// The whole phones of an organisation.
pub async fn phones(on: &mut Connection, keys: &Keys, id: i64) -> api::Result<RevealedOrg> {
    let row = sqlx::query("SELECT contact_phone_enc, alert_phones_enc FROM organisation WHERE id = $1").bind(id).fetch_one(on).await?;
    let contact: Option<String> = row.try_get("contact_phone_enc")?;
    let alerts: Vec<String> = db::json(&row, "alert_phones_enc")?;
    let mut alert_phones = Vec::new();
    for sealed in &alerts {
        alert_phones.push(keys.open(&place::ORGANISATION_ALERT_PHONES.of(id), sealed)?);
    }
    Ok(RevealedOrg {
        contact_phone: contact.map(|sealed| keys.open(&place::ORGANISATION_PHONE.of(id), &sealed)).transpose()?,
        alert_phones,
    })
}

/// The hashes of alert phones as they are stored: `,a,b,`, empty without phones.
pub fn alert_phone_hashes(keys: &Keys, phones: &[String]) -> String {
    let hashes: String = phones.iter().map(|phone| format!("{},", keys.lookup_hash(phone))).collect();
    if hashes.is_empty() { hashes } else { format!(",{hashes}") }
}

/// The ids of organisations by their codes. Unknown codes are left out.
pub async fn by_codes(on: &db::Reads, codes: &[String]) -> Result<HashMap<String, i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT code, id FROM organisation WHERE deleted_at IS NULL AND code IN (");
    for (index, code) in codes.iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind(code.clone());
    }
    sql.push(")");
    sql.fetch_all(on).await?.iter().map(|row| Ok((row.try_get("code")?, row.try_get("id")?))).collect()
}

/// All organisations, by their codes.
pub async fn codes<'e>(on: impl Executor<'e, Database = Any>) -> Result<HashMap<String, i64>, sqlx::Error> {
    let sql = Sql::new("SELECT code, id FROM organisation WHERE deleted_at IS NULL");
    sql.fetch_all(on).await?.iter().map(|row| Ok((row.try_get("code")?, row.try_get("id")?))).collect()
}

/// The same within a scope.
pub async fn codes_within<'e>(on: impl Executor<'e, Database = Any>, scope: Scope) -> Result<HashMap<String, i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT o.code, o.id FROM organisation o WHERE o.deleted_at IS NULL");
    scope.apply(&mut sql, SCOPE);
    sql.fetch_all(on).await?.iter().map(|row| Ok((row.try_get("code")?, row.try_get("id")?))).collect()
}

/// Organisations whose name, short name or code contains a keyword, by name; only active ones or all.
pub async fn options(db: &Db, scope: Scope, active: bool, keyword: Option<&str>) -> Result<Vec<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new("SELECT o.id, o.name FROM organisation o WHERE o.deleted_at IS NULL");
    sql.and("o.status = ", active.then_some("active")).and_contains(&["o.name", "o.short_name", "o.code"], keyword);
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY o.name, o.id LIMIT ").bind(options::MOST);
    sql.fetch_all(db.read()).await?.iter().map(choice).collect()
}

/// One organisation, if it is within the scope.
pub async fn option(db: &Db, scope: Scope, id: i64) -> Result<Option<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new("SELECT o.id, o.name FROM organisation o WHERE o.deleted_at IS NULL");
    sql.and("o.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(db.read()).await?.as_ref().map(choice).transpose()
}

/// The sub-organisations of one organisation, by name.
pub async fn sub_options(db: &Db, scope: Scope, org_id: i64, keyword: Option<&str>) -> Result<Vec<SelectOption>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT s.id, s.name FROM sub_organisation s JOIN organisation o ON o.id = s.org_id AND o.deleted_at IS NULL \
         WHERE s.deleted_at IS NULL",
    );
    sql.and("s.org_id = ", Some(org_id)).and_contains(&["s.name"], keyword);
    scope.apply(&mut sql, ScopeColumns { sub_org: Some("s.id"), ..SCOPE });
    sql.push(" ORDER BY s.name, s.id LIMIT ").bind(options::MOST);
    sql.fetch_all(db.read()).await?.iter().map(choice).collect()
}

/// Whether a team belongs to an organisation, and is in use.
pub async fn has_sub<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, id: i64) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("SELECT s.id FROM sub_organisation s WHERE s.deleted_at IS NULL AND s.status = 'enabled'");
    sql.and("s.org_id = ", Some(org_id)).and("s.id = ", Some(id));
    Ok(sql.fetch_optional(on).await?.is_some())
}

/// A sub-organisation's name; none if it does not exist.
pub async fn sub_name(db: &Db, id: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT name FROM sub_organisation WHERE id = $1").bind(id).fetch_optional(db.read()).await
}

/// Reads a row of an id and a name as a choice.
pub fn choice(row: &AnyRow) -> Result<SelectOption, sqlx::Error> {
    Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? })
}

/// The data of an organisation for a compliance check: its name and facts within a scope; none if it does not exist.
pub async fn compliance_facts<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
) -> Result<Option<(String, Facts)>, sqlx::Error> {
    let Some(row) = find(on, scope, id).await? else { return Ok(None) };
    let mut facts = Facts::new();
    facts.extend(row.licence_no.map(|number| ("licenceNo", Fact::Value(number))));
    facts.extend(row.licence_expire_on.map(|day| ("licenceExpireOn", Fact::Day(day))));
    Ok(Some((row.name, facts)))
}

/// Adds an organisation without its phones and its licence's picture ([`write`] adds them), and returns its id. Its
/// version is 0 until then.
pub async fn insert(tx: &mut Connection, form: &Form, status: OrgStatus, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO organisation (code, name, short_name, type, status, version, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9) RETURNING id",
    )
    .bind(&form.code)
    .bind(&form.name)
    .bind(&form.short_name)
    .bind(<&str>::from(form.kind))
    .bind(<&str>::from(status))
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes an organisation's fields over the given version. Returns whether that version existed. Without a contact
/// phone the stored one stays.
pub async fn write(tx: &mut Connection, keys: &Keys, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let contact = form.contact_phone.as_deref();
    let json = |texts: Vec<String>| serde_json::to_string(&texts).expect("texts serialise");
    let mut sql = Sql::new("UPDATE organisation SET name = ");
    sql.bind(form.name.clone()).push(", short_name = ").bind(form.short_name.clone()).push(", type = ").bind(<&str>::from(form.kind));
    sql.push(", mode = ").bind(<&str>::from(form.mode)).push(", licence_no = ").bind(form.licence_no.clone());
    sql.push(", licence_expire_on = ").bind(form.licence_expire_on.clone()).push(", licence_file_id = ").bind(form.licence_file_id);
    sql.push(", contact_name = ").bind(form.contact_name.clone());
    if let Some(phone) = contact {
        sql.push(", contact_phone_enc = ").bind(keys.seal(&place::ORGANISATION_PHONE.of(id), phone));
        sql.push(", contact_phone_hash = ").bind(keys.lookup_hash(phone));
        sql.push(", contact_phone_mask = ").bind(mask::phone(phone));
    }
    sql.push(", province = ").bind(places::province_of(&form.city)).push(", city = ").bind(form.city.clone());
    sql.push(", address = ").bind(form.address.clone()).push(", bill_mode = ").bind(<&str>::from(form.bill_mode));
    sql.push(", credit_limit_cents = ").bind(form.credit_limit_cents).push(", low_balance_cents = ").bind(form.low_balance_cents);
    let alerts = form.alert_phones.iter().map(|phone| keys.seal(&place::ORGANISATION_ALERT_PHONES.of(id), phone));
    sql.push(", alert_phones_enc = ").bind(json(alerts.collect()));
    sql.push(", alert_phone_hashes = ").bind(alert_phone_hashes(keys, &form.alert_phones));
    sql.push(", alert_phone_masks = ").bind(json(form.alert_phones.iter().map(|phone| mask::phone(phone)).collect()));
    sql.push(", return_allowed = ").bind(i64::from(form.return_allowed)).push(", return_max_days = ").bind(form.return_max_days);
    sql.push(", return_max_bp = ").bind(form.return_max_bp).push(", return_auto = ").bind(i64::from(form.return_auto));
    sql.push(", payee_org_id = ").bind(form.payee_org_id).push(", owner_admin_id = ").bind(form.owner_admin_id);
    let written = stamped::over(sql, id, version, stamp, &mut *tx).await?;
    if written {
        invoiceable::payee_changed(tx, id, form.payee_org_id, stamp.at).await?;
    }
    Ok(written)
}

/// Sets the terms of an organisation. The caller has the approval of a second person.
pub(super) async fn set_terms(tx: &mut Connection, id: i64, terms: &OrgTerms) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE organisation SET bill_mode = $1, credit_limit_cents = $2, return_allowed = $3, return_max_days = $4, return_max_bp = $5, \
           return_auto = $6 WHERE id = $7",
    )
    .bind(<&str>::from(terms.bill_mode))
    .bind(terms.credit_limit_cents)
    .bind(i64::from(terms.return_allowed))
    .bind(terms.return_max_days)
    .bind(terms.return_max_bp)
    .bind(i64::from(terms.return_auto))
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Sets an organisation's status over the given version. Returns whether that version existed.
pub async fn set_status(tx: &mut Connection, id: i64, version: i64, status: OrgStatus, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::set_code(tx, ("organisation", "status"), id, version, status.into(), stamp).await
}

/// Removes an organisation from every list. Its row and its code stay, for the records that refer to them.
pub async fn delete(tx: &mut Connection, id: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::remove(tx, "organisation", id, stamp).await
}

/// Rows that prevent an organisation's deletion. An area that stores an organisation's id adds its line.
const REFERENCES: Obstacles = &[
    ("SELECT id FROM recharge WHERE org_id = $1", "机构还有充值，不能删除", "The organisation still has recharges and cannot be deleted"),
    (
        "SELECT id FROM account_adjustment WHERE org_id = $1",
        "机构还有调账，不能删除",
        "The organisation still has adjustments and cannot be deleted",
    ),
    ("SELECT id FROM invoice WHERE org_id = $1", "机构还有发票，不能删除", "The organisation still has invoices and cannot be deleted"),
    (
        "SELECT id FROM administrator WHERE org_id = $1 AND deleted_at IS NULL",
        "机构还有账号，不能删除",
        "The organisation still has accounts and cannot be deleted",
    ),
    (
        "SELECT id FROM sub_organisation WHERE org_id = $1 AND deleted_at IS NULL",
        "机构还有团队，不能删除",
        "The organisation still has teams and cannot be deleted",
    ),
    (
        "SELECT id FROM receipt WHERE org_id = $1 AND deleted_at IS NULL",
        "机构还有收款单，不能删除",
        "The organisation still has receipts and cannot be deleted",
    ),
    (
        "SELECT id FROM plan WHERE org_id = $1 AND deleted_at IS NULL",
        "机构还有计划，不能删除",
        "The organisation still has plans and cannot be deleted",
    ),
    (
        "SELECT id FROM blacklist_entry WHERE scope_id = $1 AND scope = 'organisation' AND deleted_at IS NULL",
        "有只对该机构生效的黑名单，不能删除",
        "Blacklist entries apply to this organisation only; it cannot be deleted",
    ),
];

/// Rows that prevent an organisation's termination: money that is not settled. The area that keeps balances adds its
/// line.
const UNSETTLED: Obstacles = &[
    (
        "SELECT id FROM org_account WHERE org_id = $1 AND (balance_cents <> 0 OR frozen_cents <> 0)",
        "机构账户还有余额或欠款，结清后才能终止",
        "The organisation's account has a balance or a debt: settle it before terminating",
    ),
    (
        "SELECT id FROM recharge WHERE org_id = $1 AND status = 'pending'",
        "机构还有待审核的充值，处理后才能终止",
        "The organisation has recharges awaiting approval: decide on them before terminating",
    ),
    (
        "SELECT id FROM account_adjustment WHERE org_id = $1 AND status = 'pending'",
        "机构还有待审核的调账，处理后才能终止",
        "The organisation has adjustments awaiting approval: decide on them before terminating",
    ),
    (
        "SELECT id FROM payment_order WHERE org_id = $1 AND status IN ('created', 'paying')",
        "机构还有未支付的订单，处理后才能终止",
        "The organisation has open payment orders: settle them before terminating",
    ),
    (
        "SELECT r.id FROM payment_refund r JOIN payment_order n ON n.id = r.payment_order_id WHERE n.org_id = $1 \
         AND r.status IN ('pending', 'processing')",
        "机构还有未完成的退款，处理后才能终止",
        "The organisation has refunds under way: wait for them before terminating",
    ),
    (
        "SELECT r.id FROM payment_exception r JOIN payment_order n ON n.id = r.payment_order_id WHERE n.org_id = $1 AND r.status = 'open'",
        "机构还有待处理的收款异常，处理后才能终止",
        "The organisation has open payment exceptions: settle them before terminating",
    ),
];

/// The label of a record that refers to an organisation, if there is one.
pub async fn referrer(tx: &mut Connection, id: i64) -> Result<Option<Say>, sqlx::Error> {
    obstacle(tx, REFERENCES, id).await
}

/// The label of an unsettled record of an organisation, if there is one.
pub async fn unsettled(tx: &mut Connection, id: i64) -> Result<Option<Say>, sqlx::Error> {
    obstacle(tx, UNSETTLED, id).await
}

/// Stores when an organisation was warned of its low balance; false if another node has changed it from `before`.
pub async fn set_low_balance_notified(tx: &mut Connection, id: i64, before: Option<i64>, after: Option<i64>) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE organisation SET low_balance_notified_at = $1 WHERE id = $2 AND COALESCE(low_balance_notified_at, 0) = $3")
        .bind(after)
        .bind(id)
        .bind(before.unwrap_or_default())
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Organisations;
    use super::super::model::{BillMode, OrgMode, OrgType};
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Organisations>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, OrgFilters::default);
        for (index, filters, scope) in [
            ("organisation_type", OrgFilters { kind: Some(OrgType::Bank), ..none() }, Scope::All),
            ("organisation_status", OrgFilters { status: Some(OrgStatus::Active), ..none() }, Scope::All),
            ("organisation_bill_mode", OrgFilters { bill_mode: Some(BillMode::Credit), ..none() }, Scope::All),
            ("organisation_mode", OrgFilters { mode: Some(OrgMode::Live), ..none() }, Scope::All),
            ("organisation_owner", OrgFilters { owner_admin_id: Some(1), ..none() }, Scope::All),
            ("organisation_payee", OrgFilters { payee_org_id: Some(1), ..none() }, Scope::All),
            ("organisation_owner", none(), Scope::Own(1)),
        ] {
            let plan = plan::<Organisations>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH o USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
