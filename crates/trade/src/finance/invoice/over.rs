//! The message about an organisation that is invoiced above what it spent: once while it lasts, however many leads it returns.

use std::collections::BTreeMap;

use sqlx::Row;

use super::invoiceable::Invoiceables;
use super::model::{InvoiceableFilters, InvoiceableRow, InvoiceableState};
use super::notices;
use crate::ledger::invoiceable;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::api::{ApiError, App, Listing};
use frame::message;

/// Sends finance staff a message about each organisation that is invoiced above what it spent, and closes the messages about
/// those that no longer are. Returns how many were sent.
pub async fn warn(app: &App) -> Result<usize, ApiError> {
    let mut sql = Sql::new(Invoiceables::SELECT);
    Invoiceables::narrow(
        &mut sql,
        &InvoiceableFilters { state: Some(InvoiceableState::Over), ..InvoiceableFilters::default() },
        Scope::All,
    );
    let rows = sql.fetch_all(app.db.read()).await?;
    let mut over: BTreeMap<i64, InvoiceableRow> = BTreeMap::new();
    for row in &rows {
        let row = Invoiceables::read(row, Locale::Chinese)?;
        // An amount invoiced too much with all payees together is in each of their rows.
        over.entry(row.id).and_modify(|most| most.over_cents = most.over_cents.max(row.over_cents)).or_insert(row);
    }
    let noted = Sql::new("SELECT a.org_id, a.over_invoiced_at FROM org_account a WHERE a.over_invoiced_at IS NOT NULL")
        .fetch_all(app.db.read())
        .await?
        .iter()
        .map(|row| Ok((row.try_get("org_id")?, row.try_get("over_invoiced_at")?)))
        .collect::<Result<BTreeMap<i64, i64>, sqlx::Error>>()?;
    let mut sent = 0;
    for (org_id, row) in over.iter().filter(|(org_id, _)| !noted.contains_key(org_id)) {
        let (mut tx, now) = (app.db.begin().await?, app.clock.now());
        // Of several nodes, one sends the message.
        if invoiceable::set_over_noted(&mut tx, *org_id, None, Some(now)).await? {
            notices::over_invoiced(&mut tx, row, now).await?;
            tx.commit().await?;
            sent += 1;
        }
    }
    for (org_id, at) in noted.iter().filter(|(org_id, _)| !over.contains_key(org_id)) {
        let mut tx = app.db.begin().await?;
        if invoiceable::set_over_noted(&mut tx, *org_id, Some(*at), None).await? {
            message::done(&mut tx, notices::OVER, *org_id, app.clock.now()).await?;
            tx.commit().await?;
        }
    }
    Ok(sent)
}
