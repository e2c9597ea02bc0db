//! Login tokens and the session rows behind them.
//!
//! A token is a JWT (HS256) that names an account and a session row. The row decides: it is read with every request,
//! so logging out, a new password, a disabled account or a changed role end a token at once on every node. The
//! settings apply, too: a session ends when it has been idle, or open, for too long, and while they refuse the
//! address at which it began or the one of the request.

use std::sync::LazyLock;

use jsonwebtoken::{Algorithm, Header, Validation};
use serde::{Deserialize, Serialize};
use sqlx::{Any, Executor, Row};

use super::network::AddressRules;
use super::online::StillOpen;
use super::versions::{Table, Versions};
use super::{Gate, Viewer};
use crate::old_rows::{Keep, OldRows};
use crate::setting;
use base::clock::{DAY, HOUR, MINUTE};
use base::crypto::Keys;
use base::db::{self, Connection, Db, Sql};

/// How long an unused token is valid until its renewal.
pub const LIFETIME: i64 = 12 * HOUR;
/// A token older than this is renewed by the next answer.
pub const RENEW_AFTER: i64 = HOUR;
/// The last use is written at most this often.
pub(super) const SEEN_EVERY: i64 = MINUTE;
/// The most open sessions of one account; the oldest ends when another one begins.
const SESSIONS_PER_ACCOUNT: i64 = 20;

/// The claims of a token. Times are epoch seconds, as in the JWT standard.
#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    /// The account.
    sub: i64,
    /// The session row.
    sid: i64,
    iat: i64,
    exp: i64,
}

/// The origin of a sign-in.
#[derive(Clone, Debug)]
pub struct Origin {
    pub ip: String,
    pub user_agent: String,
}

/// Whether a request shows that a person is at the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A person works.
    Active,
    /// A page polls: that keeps no session open.
    Quiet,
}

/// Opens a session in a role and returns its token.
pub async fn open(tx: &mut Connection, keys: &Keys, admin_id: i64, role_id: i64, origin: &Origin, now: i64) -> Result<String, sqlx::Error> {
    sqlx::query(
        "UPDATE admin_session SET revoked_at = $1 WHERE admin_id = $2 AND revoked_at IS NULL AND id NOT IN \
         (SELECT id FROM admin_session WHERE admin_id = $2 AND revoked_at IS NULL ORDER BY id DESC LIMIT $3)",
    )
    .bind(now)
    .bind(admin_id)
    .bind(SESSIONS_PER_ACCOUNT - 1)
    .execute(&mut *tx)
    .await?;
    let session: i64 = sqlx::query_scalar(
        "INSERT INTO admin_session (admin_id, role_id, ip, user_agent, created_at, last_seen_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(admin_id)
    .bind(role_id)
    .bind(&origin.ip)
    .bind(&origin.user_agent)
    .bind(now)
    .bind(now)
    .bind(now + LIFETIME)
    .fetch_one(tx)
    .await?;
    Ok(issue(keys, admin_id, session, now))
}

/// Signs a token for a session.
pub fn issue(keys: &Keys, admin_id: i64, session_id: i64, now: i64) -> String {
    let claims = Claims { sub: admin_id, sid: session_id, iat: now / 1000, exp: (now + LIFETIME) / 1000 };
    jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &keys.signing).expect("numbers serialise")
}

/// The viewer of a token. None if it is forged, expired, revoked, idle or open for too long, if its account or role
/// has changed, or if it may not be used from the origin of the request.
pub async fn viewer(gate: Gate<'_>, token: &str, using: Use, origin: &Origin, now: i64) -> Result<Option<Viewer>, sqlx::Error> {
    Ok(viewer_with(gate, token, using, origin, now, None).await?.map(|(viewer, _)| viewer))
}

/// The viewer of a token, with a number that is read in the same statement: an expression over the session `s`, the
/// account `a` and the role `r`. None if the expression is null. Sessions with a number are read together with those
/// of other polls, see [`PolledSessions`](super::polled::PolledSessions).
pub async fn viewer_with(
    gate: Gate<'_>,
    token: &str,
    using: Use,
    origin: &Origin,
    now: i64,
    number: Option<&'static str>,
) -> Result<Option<(Viewer, Option<i64>)>, sqlx::Error> {
    let Gate { db, keys, polled, .. } = gate;
    let Some(claims) = verify(keys, token, now) else { return Ok(None) };
    let row = match number {
        Some(number) => polled.read(db, claims.sid, number, now).await?,
        None => select([claims.sid], None, now).fetch_optional(db.read()).await?,
    };
    let Some(row) = row else { return Ok(None) };
    let Some(viewer) = viewer_of(gate, &row, claims.sub, claims.iat * 1000, origin, now).await? else { return Ok(None) };
    if using == Use::Active && now - row.try_get::<i64, _>("last_seen_at")? > SEEN_EVERY {
        seen(db, claims.sid, now).await?;
    }
    Ok(Some((viewer, row.try_get("number")?)))
}

/// The current viewer of a call from `origin` that goes on; none if the session has ended. Sessions of many such
/// calls are read together, see [`PolledSessions`](super::polled::PolledSessions).
pub async fn viewer_again(gate: Gate<'_>, viewer: &Viewer, origin: &Origin, now: i64) -> Result<Option<Viewer>, sqlx::Error> {
    const NO_NUMBER: &str = "CAST(NULL AS BIGINT)";
    match gate.polled.read(gate.db, viewer.session_id, NO_NUMBER, now).await? {
        Some(row) => viewer_of(gate, &row, viewer.id, viewer.token_issued_at, origin, now).await,
        None => Ok(None),
    }
}

/// The viewer of an open session. None if it is another account's, idle or open for too long, or if the settings
/// refuse the address at which it began or is used.
async fn viewer_of(
    gate: Gate<'_>,
    row: &sqlx::any::AnyRow,
    admin_id: i64,
    token_issued_at: i64,
    origin: &Origin,
    now: i64,
) -> Result<Option<Viewer>, sqlx::Error> {
    let Gate { db, roles, settings, .. } = gate;
    if row.try_get::<i64, _>("admin_id")? != admin_id {
        return Ok(None);
    }
    let versions = row.try_get::<Option<&str>, _>("versions")?.map(Versions::parse).unwrap_or_default();
    let settings = settings.values_at(db, versions.of(Table::GeneralSetting)).await?;
    let (began, last_seen): (i64, i64) = (row.try_get("created_at")?, row.try_get("last_seen_at")?);
    if !StillOpen::by(&settings, now).holds(began, last_seen) {
        return Ok(None);
    }
    let (rules, role): (AddressRules<'_>, &str) = (AddressRules::of(&settings), row.try_get("role_code")?);
    if rules.refuse(role, row.try_get("ip")?) || rules.refuse(role, &origin.ip) {
        return Ok(None);
    }
    let password_age = now - row.try_get::<i64, _>("pwd_changed_at")?;
    let password_days = settings.get(&setting::SECURITY_PASSWORD_DAYS);
    let of_platform = row.try_get::<Option<i64>, _>("org_id")?.is_none();
    let owing = settings.get(&setting::SECURITY_SECOND_FACTOR_ROLES);
    Ok(Some(Viewer {
        id: admin_id,
        session_id: row.try_get("session_id")?,
        username: row.try_get("username")?,
        name: row.try_get("real_name")?,
        avatar: row.try_get("avatar")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        sub_org_id: row.try_get("sub_org_id")?,
        must_change_password: db::flag(row, "must_change_pwd")? || password_days > 0 && password_age > password_days * DAY,
        must_enrol: of_platform && row.try_get::<Option<i64>, _>("confirmed_at")?.is_none() && owing.iter().any(|code| code == role),
        role: roles.get(db, row.try_get("role_id")?, row.try_get("role_version")?).await?,
        token_issued_at,
        versions,
    }))
}

/// The statement that reads open sessions with their accounts and roles, a number for each, and the versions of tables.
pub(super) fn select(sessions: impl IntoIterator<Item = i64>, number: Option<&'static str>, now: i64) -> Sql {
    let mut sql = Sql::new(
        "SELECT s.id AS session_id, s.admin_id, s.role_id, s.ip, s.created_at, s.last_seen_at, a.username, a.real_name, a.avatar, a.org_id, a.sub_org_id, \
                a.must_change_pwd, a.pwd_changed_at, o.name AS org_name, r.code AS role_code, r.version AS role_version, f.confirmed_at, ",
    );
    sql.push(Versions::EXPRESSION).push(" AS versions, ").push(number.unwrap_or("CAST(NULL AS BIGINT)")).push(
        " AS number \
         FROM admin_session s \
         JOIN administrator a ON a.id = s.admin_id AND a.status = 'enabled' AND a.deleted_at IS NULL \
         JOIN admin_role ar ON ar.admin_id = s.admin_id AND ar.role_id = s.role_id \
         JOIN role r ON r.id = s.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL \
         LEFT JOIN organisation o ON o.id = a.org_id \
         LEFT JOIN second_factor f ON f.admin_id = a.id \
         WHERE s.revoked_at IS NULL AND s.expires_at > ",
    );
    sql.bind(now).push(" AND s.id IN ").ids(sessions);
    sql
}

/// The viewer that an account would be in one of its roles, for work in the background; none if the account or the
/// role has changed. It has no session.
pub async fn standing(db: &Db, roles: &super::Roles, admin_id: i64, role_id: i64) -> Result<Option<Viewer>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT a.username, a.real_name, a.avatar, a.org_id, a.sub_org_id, a.must_change_pwd, o.name AS org_name, r.version AS role_version \
         FROM administrator a \
         JOIN admin_role ar ON ar.admin_id = a.id AND ar.role_id = $1 \
         JOIN role r ON r.id = ar.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL \
         LEFT JOIN organisation o ON o.id = a.org_id \
         WHERE a.id = $2 AND a.status = 'enabled' AND a.deleted_at IS NULL",
    )
    .bind(role_id)
    .bind(admin_id)
    .fetch_optional(db.read())
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Viewer {
        id: admin_id,
        session_id: 0,
        username: row.try_get("username")?,
        name: row.try_get("real_name")?,
        avatar: row.try_get("avatar")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        sub_org_id: row.try_get("sub_org_id")?,
        must_change_password: db::flag(&row, "must_change_pwd")?,
        // Work without a session belongs to an account that has signed in completely.
        must_enrol: false,
        role: roles.get(db, role_id, row.try_get("role_version")?).await?,
        token_issued_at: 0,
        versions: Versions::default(),
    }))
}

fn verify(keys: &Keys, token: &str, now: i64) -> Option<Claims> {
    static SIGNATURE: LazyLock<Validation> = LazyLock::new(|| {
        let mut validation = Validation::new(Algorithm::HS256);
        // Expiry is checked below, by the program's clock.
        validation.validate_exp = false;
        validation.required_spec_claims.clear();
        validation
    });
    let claims = keys.checking().find_map(|key| jsonwebtoken::decode::<Claims>(token, key, &SIGNATURE).ok())?.claims;
    (claims.exp > now / 1000).then_some(claims)
}

async fn seen(db: &Db, session_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    sqlx::query("UPDATE admin_session SET last_seen_at = $1, expires_at = $2 WHERE id = $3 AND revoked_at IS NULL")
        .bind(now)
        .bind(now + LIFETIME)
        .bind(session_id)
        .execute(&mut *tx)
        .await?;
    tx.commit().await
}

/// The address at which a session began; none if there is no such session.
pub async fn address<'e>(on: impl Executor<'e, Database = Any>, session_id: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT ip FROM admin_session WHERE id = $1").bind(session_id).fetch_optional(on).await
}

/// Ends one session.
pub async fn revoke(tx: &mut Connection, session_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE admin_session SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL")
        .bind(now)
        .bind(session_id)
        .execute(tx)
        .await
        .map(drop)
}

/// Ends all sessions of an account, except one that may go on.
pub async fn revoke_all(tx: &mut Connection, admin_id: i64, except: Option<i64>, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE admin_session SET revoked_at = $1 WHERE admin_id = $2 AND revoked_at IS NULL AND id <> $3")
        .bind(now)
        .bind(admin_id)
        .bind(except.unwrap_or(0))
        .execute(tx)
        .await
        .map(drop)
}

/// Sessions that have ended.
pub const OLD_SESSIONS: OldRows = OldRows {
    name: "sessions",
    keep: Keep::Days(90),
    statement: "DELETE FROM admin_session WHERE id IN (SELECT id FROM admin_session WHERE expires_at < $1 ORDER BY id LIMIT $2)",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_expired_and_foreign_tokens_are_nobody() {
        let keys = Keys::new(b"a secret of this test, long enough", &[0; 32]);
        let now = 1_800_000_000_000;
        let token = issue(&keys, 1, 2, now);
        assert_eq!(verify(&keys, &token, now).map(|claims| (claims.sub, claims.sid)), Some((1, 2)));
        assert!(verify(&keys, &token, now + LIFETIME + 1000).is_none(), "expired");
        assert!(verify(&Keys::new(b"another", &[0; 32]), &token, now).is_none(), "foreign");
        let (head, rest) = token.split_once('.').unwrap();
        assert!(verify(&keys, &format!("{head}.{}x", rest), now).is_none(), "forged");
        // {"alg":"none"} with the same claims and no signature.
        let claims = rest.split_once('.').unwrap().0;
        assert!(verify(&keys, &format!("eyJhbGciOiJub25lIn0.{claims}."), now).is_none(), "unsigned");
        assert!(verify(&keys, "", now).is_none());
    }
}
