//! The platform's owners of records: a channel's manager, an organisation's. And the rule that an organisation's
//! people see their records, while only the platform changes the terms.

use crate::access::{Scope, Viewer};
use crate::api::{ApiError, Ctx, Result, say};
use base::db::Connection;

/// The new owner of a record. It may stay the same; it may be an enabled account of the platform; viewers who see
/// only their own records cannot give them away.
pub async fn allowed(tx: &mut Connection, viewer: &Viewer, wanted: Option<i64>, before: Option<i64>) -> Result<Option<i64>> {
    let wrong = |message| Err(ApiError::field("ownerAdminId", message));
    match (viewer.scope(), wanted) {
        (Scope::Own(me), None) => Ok(Some(me)),
        (Scope::Own(me), Some(other)) if other != me => wrong(say("负责人只能是自己", "You can only make yourself the owner")),
        (Scope::Own(_) | Scope::All, wanted) if wanted == before => Ok(wanted),
        (Scope::Own(_) | Scope::All, Some(admin)) if !can_own(tx, admin).await? => {
            wrong(say("请选择启用中的平台账号", "Choose an enabled platform account"))
        }
        (Scope::Own(_) | Scope::All, wanted) => Ok(wanted),
        // No viewer would see a record made in another scope.
        _ => Err(ApiError::Forbidden),
    }
}

/// Refuses people of an organisation: they see their records, but only the platform changes the terms.
pub fn require_platform_staff(viewer: &Viewer) -> Result<()> {
    match viewer.scope().is_platforms() {
        true => Ok(()),
        false => Err(ApiError::Forbidden),
    }
}

/// Refuses viewers who do not see everything: what belongs to the whole platform is not theirs to make.
pub fn require_whole_scope(cx: &Ctx) -> Result<()> {
    match cx.viewer()?.scope() {
        Scope::All => Ok(()),
        _ => Err(ApiError::Forbidden),
    }
}

/// Whether an account may own records: an enabled one of the platform.
async fn can_own(tx: &mut Connection, admin_id: i64) -> std::result::Result<bool, sqlx::Error> {
    let row = sqlx::query("SELECT id FROM administrator WHERE id = $1 AND status = 'enabled' AND org_id IS NULL AND deleted_at IS NULL")
        .bind(admin_id)
        .fetch_optional(tx)
        .await?;
    Ok(row.is_some())
}
