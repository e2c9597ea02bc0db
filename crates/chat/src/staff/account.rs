//! Service staff and their accounts.

use super::list::TARGET;
use super::model::ChatStaffRow;
use super::store;
use crate::assign;
use base::codes::UseStatus;
use base::db::{Connection, Tx};
use frame::access::audit::{self, Action};
use frame::access::{Scope, stamped};
use frame::api::versioned::{self, Versioned};
use frame::api::{Ctx, Result};

/// Disables the record of a member of the service staff whose account is disabled or deleted, in the same transaction,
/// so that they get no more conversations. Returns how many they have. After the commit `chat::requeue_now` queues
/// these one at a time, because a conversation is locked before the lock of assignments.
pub async fn account_disabled(cx: &Ctx, tx: &mut Tx, admin_id: i64) -> Result<i64> {
    let Some(id) = of_account(tx, admin_id).await? else { return Ok(0) };
    cx.db().lock(tx, assign::LOCK).await?;
    versioned::hold::<ChatStaffRow>(tx, id).await?;
    let before = store::find(&mut **tx, Scope::All, id).await?;
    let Some(before) = before.filter(|row| row.status == UseStatus::Enabled) else { return Ok(0) };
    stamped::set_code(tx, (TARGET.kind, "status"), id, before.version, UseStatus::Disabled.into(), cx.stamp()?).await?;
    let after = store::find(&mut **tx, Scope::All, id).await?;
    audit::record(tx, &cx.actor()?, TARGET.of(id), Action::Update, &ChatStaffRow::diff(Some(&before), after.as_ref())).await?;
    Ok(store::unfinished(tx, id).await?)
}

/// How many open or snoozed conversations an account has as a member of the service staff.
pub async fn conversations_of_account(on: &mut Connection, admin_id: i64) -> std::result::Result<i64, sqlx::Error> {
    match of_account(on, admin_id).await? {
        Some(id) => store::unfinished(on, id).await,
        None => Ok(0),
    }
}

async fn of_account(on: &mut Connection, admin_id: i64) -> std::result::Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT s.id FROM chat_staff s WHERE s.admin_id = $1 AND s.deleted_at IS NULL")
        .bind(admin_id)
        .fetch_optional(on)
        .await
}
