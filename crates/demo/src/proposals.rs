//! The demo's open proposals: an account of a payee, the payers' view of a channel, the credit terms and the delivery
//! settings of organisations. The operator proposed each; the demo's finance account approves them.

use futures_util::FutureExt;

use super::actor;
use super::people::{Account, of_role};
use base::clock::{HOUR, MINUTE};
use base::db::Tx;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, Stamp};
use frame::api::{ApiError, App, Versioned};
use pay::channel::model::ChannelProposal;
use pay::channel::{PayeeChannelRow, shown};
use trade::org::delivery::{self, OrgApi, OrgApiForm, OrgCrypto, pending};
use trade::org::payee::{PayeeRow, account};
use trade::org::terms::{self, OrgTerms};
use trade::org::{OrgRow, store as orgs};

/// Adds a proposal of each kind.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let by = of_role(accounts, "operator");
    app.db
        .transact(|mut tx| {
            async move {
                account(&mut tx, app, by, now - 3 * HOUR).await?;
                channel(&mut tx, by, now - 2 * HOUR).await?;
                terms(&mut tx, by, now - 90 * MINUTE).await?;
                delivery(&mut tx, app, by, now - HOUR).await
            }
            .boxed()
        })
        .await
}

/// The id that a query finds; none if the demo has no such record.
async fn first(tx: &mut Tx, query: &'static str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(query).fetch_optional(&mut **tx).await
}

/// Writes the trail's entry of a change of a record.
async fn record<R: Versioned>(tx: &mut Tx, by: &Account, before: &R, at: i64) -> Result<(), ApiError> {
    let after = R::find(tx, Scope::All, before.key().0, Locale::Chinese).await?;
    let changes = R::diff(Some(before), after.as_ref());
    Ok(audit::record(tx, &actor(by.id, by.role_id, at), R::TARGET.of(before.key().0), Action::Update, &changes).await?)
}

async fn account(tx: &mut Tx, app: &App, by: &Account, at: i64) -> Result<(), ApiError> {
    let query = "SELECT id FROM payee_organisation WHERE status = 'enabled' ORDER BY id DESC LIMIT 1";
    let Some(id) = first(tx, query).await? else { return Ok(()) };
    let before = PayeeRow::find(tx, Scope::All, id, Locale::Chinese).await?.ok_or(ApiError::Missing)?;
    account::submit(tx, &app.keys, &before, (&before.bank_name, "9900123456789001"), Stamp { admin_id: by.id, at }).await?;
    record(tx, by, &before, at).await
}

async fn channel(tx: &mut Tx, by: &Account, at: i64) -> Result<(), ApiError> {
    let Some(id) = first(tx, "SELECT id FROM payee_channel WHERE provider = 'unionpay' ORDER BY id LIMIT 1").await? else { return Ok(()) };
    let before = PayeeChannelRow::find(tx, Scope::All, id, Locale::Chinese).await?.ok_or(ApiError::Missing)?;
    let wanted = ChannelProposal {
        payee_org_id: before.payee_org_id,
        payee_org_name: before.payee_org_name.clone(),
        instructions: "请到营业部刷卡，并出示订单号。".to_owned(),
    };
    shown::submit(tx, &before, &wanted, Stamp { admin_id: by.id, at }).await?;
    record(tx, by, &before, at).await
}

/// Of an organisation that has no accounts, so that no work of the demo's buyers depends on it.
async fn terms(tx: &mut Tx, by: &Account, at: i64) -> Result<(), ApiError> {
    let query = "SELECT id FROM organisation o WHERE status = 'active' AND bill_mode = 'credit' \
                   AND NOT EXISTS (SELECT 1 FROM administrator a WHERE a.org_id = o.id) ORDER BY id LIMIT 1";
    let Some(id) = first(tx, query).await? else { return Ok(()) };
    let before = orgs::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    let wanted = OrgTerms { credit_limit_cents: before.credit_limit_cents * 2, ..OrgTerms::of_row(&before) };
    terms::submit(tx, &before, &wanted, Stamp { admin_id: by.id, at }).await?;
    record(tx, by, &before, at).await
}

async fn delivery(tx: &mut Tx, app: &App, by: &Account, at: i64) -> Result<(), ApiError> {
    let query = "SELECT c.org_id FROM org_api_config c JOIN organisation o ON o.id = c.org_id WHERE c.status = 'enabled' \
                   AND o.status = 'active' ORDER BY c.org_id DESC LIMIT 1";
    let Some(id) = first(tx, query).await? else { return Ok(()) };
    let org = orgs::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    let before = delivery::settings(&mut **tx, id, at).await?;
    let form = OrgApiForm {
        apply_url: Some(format!("https://leads.{}.example.com/apply", org.code)),
        crypto: OrgCrypto::Aes,
        key: Some(hex::encode(rand::random::<[u8; 16]>())),
        overlap_hours: 24,
        ..form_of(before.clone())
    };
    pending::propose(tx, &app.keys, (&org, &before), &form, Stamp { admin_id: by.id, at }).await?;
    let after = delivery::settings(&mut **tx, id, at).await?;
    let changes = delivery::diff(&before, &after, true);
    Ok(audit::record(tx, &actor(by.id, by.role_id, at), OrgRow::TARGET.of(id), Action::Update, &changes).await?)
}

/// The form that keeps settings as they are.
fn form_of(settings: OrgApi) -> OrgApiForm {
    OrgApiForm {
        id: settings.id,
        version: settings.version,
        match_url: settings.match_url,
        apply_url: settings.apply_url,
        query_url: settings.query_url,
        crypto: settings.crypto,
        key: None,
        overlap_hours: 0,
        field_map: settings.field_map,
        value_map: settings.value_map,
        match_ok_expr: settings.match_ok_expr,
        apply_ok_expr: settings.apply_ok_expr,
        query_ok_expr: settings.query_ok_expr,
        query_none_expr: settings.query_none_expr,
        known_expr: settings.known_expr,
        timeout_ms: settings.timeout_ms,
        retry_max: settings.retry_max,
        status: settings.status,
    }
}
