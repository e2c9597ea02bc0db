//! Who of the platform a record is to belong to: a channel's manager, an organisation's. And that an
//! organisation's own people see what is theirs, while its terms are the platform's to set.

use crate::access::{Scope, Viewer};
use crate::api::{ApiError, Result, say};
use base::db::Connection;

/// Who is to own a record. It may stay with whom it is; it may go to an enabled account of the
/// platform; and who sees only his own records keeps them his.
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
        // A record made in another scope would be nobody's to see.
        _ => Err(ApiError::Forbidden),
    }
}

/// Refuses an organisation's own people, who see what is theirs: its terms are the platform's to set.
pub fn require_platform_staff(viewer: &Viewer) -> Result<()> {
    match viewer.scope().is_platforms() {
        true => Ok(()),
        false => Err(ApiError::Forbidden),
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
