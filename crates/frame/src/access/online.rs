//! Open sessions: changing the role, and ending them.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Gate, session};
use crate::setting::{self, Values};
use base::clock::{HOUR, MINUTE};
use base::db::{Connection, Db};
use base::locale::Locale;

/// A role that an account may be in.
#[derive(Clone, Debug)]
pub struct HeldRole {
    pub id: i64,
    pub version: i64,
    pub code: String,
    pub name_zh: String,
    pub name_en: String,
}

impl HeldRole {
    /// The role's name in one language.
    pub fn name(&self, locale: Locale) -> &str {
        locale.pick(&self.name_zh, &self.name_en)
    }
}

/// The enabled roles of an account, in their order.
pub async fn roles_of(db: &Db, admin_id: i64) -> Result<Vec<HeldRole>, sqlx::Error> {
    const HELD: &str = "SELECT r.id, r.version, r.code, r.name, r.name_en FROM admin_role ar JOIN role r ON r.id = ar.role_id \
                        WHERE ar.admin_id = $1 AND r.status = 'enabled' AND r.deleted_at IS NULL ORDER BY r.sort, r.id";
    let read = |row: &AnyRow| {
        Ok(HeldRole {
            id: row.try_get("id")?,
            version: row.try_get("version")?,
            code: row.try_get("code")?,
            name_zh: row.try_get("name")?,
            name_en: row.try_get("name_en")?,
        })
    };
    sqlx::query(HELD).bind(admin_id).fetch_all(db.read()).await?.iter().map(read).collect()
}

/// Changes the role of an open session; the account signs in with this role next time, too. Returns false if the
/// account does not hold the role, or the role is off.
pub async fn switch_role(tx: &mut Connection, admin_id: i64, session_id: i64, role_id: i64) -> Result<bool, sqlx::Error> {
    let switched = sqlx::query(
        "UPDATE admin_session SET role_id = $1 WHERE id = $2 AND admin_id = $3 AND revoked_at IS NULL AND EXISTS \
         (SELECT 1 FROM admin_role ar JOIN role r ON r.id = ar.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL \
          WHERE ar.admin_id = $3 AND ar.role_id = $1)",
    )
    .bind(role_id)
    .bind(session_id)
    .bind(admin_id)
    .execute(&mut *tx)
    .await?;
    if switched.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query("UPDATE administrator SET active_role_id = $1 WHERE id = $2").bind(role_id).bind(admin_id).execute(tx).await?;
    Ok(true)
}

/// Which sessions are open: the settings end sessions that have been idle, or open, for too long.
#[derive(Clone, Copy, Debug)]
pub struct StillOpen {
    /// Epoch milliseconds.
    pub now: i64,
    idle: i64,
    longest: i64,
}

impl StillOpen {
    /// By the current settings.
    pub async fn at(gate: Gate<'_>, now: i64) -> Result<StillOpen, sqlx::Error> {
        let settings = gate.settings.values(gate.db).await?;
        Ok(StillOpen::by(&settings, now))
    }

    /// By settings that are read already.
    pub fn by(settings: &Values, now: i64) -> StillOpen {
        // A use is written up to `SEEN_EVERY` late, so no session ends before its time.
        let idle = settings.get(&setting::SESSION_IDLE_MINUTES) * MINUTE + session::SEEN_EVERY;
        StillOpen { now, idle, longest: settings.get(&setting::SESSION_MAX_HOURS) * HOUR }
    }

    /// When an open session was last seen, at the earliest.
    pub fn seen_since(self) -> i64 {
        self.now - self.idle
    }

    /// The earliest beginning of an open session.
    pub fn begun_since(self) -> i64 {
        self.now - self.longest
    }

    /// Whether a session with these times is open.
    pub(super) fn holds(self, began: i64, seen: i64) -> bool {
        seen >= self.seen_since() && began >= self.begun_since()
    }

    /// When a session ends if nothing uses it.
    pub fn ends(self, began: i64, seen: i64, expires: i64) -> i64 {
        expires.min(seen + self.idle).min(began + self.longest)
    }
}

/// An open session, as its owner's list shows it.
#[derive(Clone, Debug)]
pub struct OpenSession {
    pub id: i64,
    pub role_zh: String,
    pub role_en: String,
    pub ip: String,
    pub user_agent: String,
    /// Epoch milliseconds, as the other times.
    pub created_at: i64,
    pub last_seen_at: i64,
    pub expires_at: i64,
}

/// An account's open sessions, the last used first. There are never many (`session::open`).
pub async fn sessions_of(db: &Db, admin_id: i64, open: StillOpen) -> Result<Vec<OpenSession>, sqlx::Error> {
    const OPEN: &str = "SELECT s.id, r.name, r.name_en, s.ip, s.user_agent, s.created_at, s.last_seen_at, s.expires_at \
                        FROM admin_session s JOIN role r ON r.id = s.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL \
                        JOIN admin_role ar ON ar.admin_id = s.admin_id AND ar.role_id = s.role_id \
                        WHERE s.admin_id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 \
                        AND s.last_seen_at >= $3 AND s.created_at >= $4 ORDER BY s.last_seen_at DESC, s.id DESC";
    let read = |row: &AnyRow| {
        let (began, seen) = (row.try_get("created_at")?, row.try_get("last_seen_at")?);
        Ok(OpenSession {
            id: row.try_get("id")?,
            role_zh: row.try_get("name")?,
            role_en: row.try_get("name_en")?,
            ip: row.try_get("ip")?,
            user_agent: row.try_get("user_agent")?,
            created_at: began,
            last_seen_at: seen,
            expires_at: open.ends(began, seen, row.try_get("expires_at")?),
        })
    };
    sqlx::query(OPEN)
        .bind(admin_id)
        .bind(open.now)
        .bind(open.seen_since())
        .bind(open.begun_since())
        .fetch_all(db.read())
        .await?
        .iter()
        .map(read)
        .collect()
}

/// Ends one open session of an account. Returns whether there was such a session.
pub async fn revoke_of(tx: &mut Connection, admin_id: i64, session_id: i64, now: i64) -> Result<bool, sqlx::Error> {
    let ended =
        sqlx::query("UPDATE admin_session SET revoked_at = $1 WHERE id = $2 AND admin_id = $3 AND revoked_at IS NULL AND expires_at > $4")
            .bind(now)
            .bind(session_id)
            .bind(admin_id)
            .bind(now)
            .execute(tx)
            .await?;
    Ok(ended.rows_affected() == 1)
}

/// Ends all sessions that are in a role.
pub async fn revoke_role(tx: &mut Connection, role_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE admin_session SET revoked_at = $1 WHERE role_id = $2 AND revoked_at IS NULL")
        .bind(now)
        .bind(role_id)
        .execute(tx)
        .await
        .map(drop)
}
