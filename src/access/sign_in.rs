//! Signing in: user name and password, the limits on guessing, the login log.

use sqlx::{AnyConnection, Row};

use super::session::{self, Origin};
use crate::clock::MINUTE;
use crate::crypto::{self, Keys};
use crate::db::Db;

/// Failures are counted over this long.
pub const WINDOW: i64 = 15 * MINUTE;
/// Failures that close an account's door for the rest of the window.
pub const ACCOUNT_FAILURES: i64 = 5;
/// Failures that close an address's door for the rest of the window.
pub const ADDRESS_FAILURES: i64 = 20;

/// How a sign-in ended.
#[derive(Debug)]
pub enum SignIn {
    Done {
        token: String,
        admin_id: i64,
    },
    /// Wrong name or password, a disabled account, an account without a role: not told apart.
    Wrong,
    /// Too many failures; seconds until the next try counts.
    TooMany {
        retry_after: i64,
    },
}

/// Signs an account in with its password.
///
/// Every try is written down as a failure before the password is looked at and turned into a
/// success afterwards, so that a thousand guesses sent at once do not outrun the limit.
pub async fn sign_in(db: &Db, keys: &Keys, username: &str, password: &str, origin: &Origin, now: i64) -> Result<SignIn, sqlx::Error> {
    let username = username.trim().to_lowercase();
    let mut tx = db.begin().await?;
    db.lock(&mut tx, &format!("sign-in:{username}")).await?;
    if let Some(retry_after) = closed_for(&mut tx, &username, &origin.ip, now).await? {
        return Ok(SignIn::TooMany { retry_after });
    }
    let account = sqlx::query(
        "SELECT a.id, a.password_hash, a.status, (SELECT ar.role_id FROM admin_role ar JOIN role r ON r.id = ar.role_id \
           AND r.status = 'enabled' AND r.deleted_at IS NULL WHERE ar.admin_id = a.id \
           ORDER BY CASE WHEN ar.role_id = a.active_role_id THEN 0 ELSE 1 END, r.sort, r.id LIMIT 1) AS role_id \
         FROM administrator a WHERE a.username = $1 AND a.deleted_at IS NULL",
    )
    .bind(&username)
    .fetch_optional(&mut *tx)
    .await?;
    let admin_id = account.as_ref().map(|row| row.try_get::<i64, _>("id")).transpose()?;
    let attempt = log(&mut tx, admin_id, &username, origin, "wrong", now).await?;
    tx.commit().await?;

    let hash = account.as_ref().map(|row| row.try_get::<String, _>("password_hash")).transpose()?;
    let right = crypto::verify_password(password.to_owned(), hash).await;
    let Some(row) = account.filter(|_| right) else { return Ok(SignIn::Wrong) };
    let (Some(role_id), "enabled") = (row.try_get::<Option<i64>, _>("role_id")?, row.try_get::<&str, _>("status")?) else {
        return Ok(SignIn::Wrong);
    };

    let admin_id: i64 = row.try_get("id")?;
    let mut tx = db.begin().await?;
    sqlx::query("UPDATE login_log SET result = 'ok' WHERE id = $1").bind(attempt).execute(&mut *tx).await?;
    sqlx::query("UPDATE administrator SET last_login_at = $1, last_login_ip = $2, active_role_id = $3, locked_until = NULL WHERE id = $4")
        .bind(now)
        .bind(&origin.ip)
        .bind(role_id)
        .bind(admin_id)
        .execute(&mut *tx)
        .await?;
    let token = session::open(&mut tx, keys, admin_id, role_id, origin, now).await?;
    tx.commit().await?;
    Ok(SignIn::Done { token, admin_id })
}

/// Lets an account that guessing has locked try again, by writing an end to its failures.
pub async fn unlock(tx: &mut AnyConnection, username: &str, origin: &Origin, now: i64) -> Result<(), sqlx::Error> {
    log(tx, None, username, origin, "unlocked", now).await?;
    sqlx::query("UPDATE administrator SET locked_until = NULL WHERE username = $1").bind(username).execute(tx).await.map(drop)
}

/// Seconds until the door opens, if too many tries failed.
async fn closed_for(tx: &mut AnyConnection, username: &str, ip: &str, now: i64) -> Result<Option<i64>, sqlx::Error> {
    let by_account = sqlx::query(
        "SELECT COUNT(*) AS failures, MIN(at) AS first FROM login_log WHERE username = $1 AND at > $2 AND result = 'wrong' \
         AND id > COALESCE((SELECT MAX(id) FROM login_log WHERE username = $1 AND at > $2 AND result <> 'wrong'), 0)",
    )
    .bind(username)
    .bind(now - WINDOW)
    .fetch_one(&mut *tx)
    .await?;
    let by_address =
        sqlx::query("SELECT COUNT(*) AS failures, MIN(at) AS first FROM login_log WHERE ip = $1 AND at > $2 AND result = 'wrong'")
            .bind(ip)
            .bind(now - WINDOW)
            .fetch_one(&mut *tx)
            .await?;
    for (row, limit) in [(by_account, ACCOUNT_FAILURES), (by_address, ADDRESS_FAILURES)] {
        if row.try_get::<i64, _>("failures")? >= limit {
            let opens = row.try_get::<Option<i64>, _>("first")?.unwrap_or(now) + WINDOW;
            sqlx::query("UPDATE administrator SET locked_until = $1 WHERE username = $2")
                .bind(opens)
                .bind(username)
                .execute(&mut *tx)
                .await?;
            return Ok(Some(((opens - now) / 1000).max(1)));
        }
    }
    Ok(None)
}

async fn log(
    tx: &mut AnyConnection,
    admin_id: Option<i64>,
    username: &str,
    origin: &Origin,
    result: &str,
    now: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO login_log (admin_id, username, ip, user_agent, result, at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(admin_id)
    // Long enough for any real name; what else was typed there is not kept.
    .bind(username.chars().take(64).collect::<String>())
    .bind(&origin.ip)
    .bind(&origin.user_agent)
    .bind(result)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// Sets a new password and ends the account's sessions, except one that may go on.
pub async fn set_password(
    tx: &mut AnyConnection,
    admin_id: i64,
    hash: &str,
    must_change: bool,
    keep_session: Option<i64>,
    now: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE administrator SET password_hash = $1, must_change_pwd = $2, pwd_changed_at = $3, updated_at = $4, version = version + 1 WHERE id = $5",
    )
    .bind(hash)
    .bind(i64::from(must_change))
    .bind(now)
    .bind(now)
    .bind(admin_id)
    .execute(&mut *tx)
    .await?;
    session::revoke_all(tx, admin_id, keep_session, now).await
}

/// The stored password hash of an account.
pub async fn password_hash(db: &Db, admin_id: i64) -> Result<String, sqlx::Error> {
    let row = sqlx::query("SELECT password_hash FROM administrator WHERE id = $1").bind(admin_id).fetch_one(db.read()).await?;
    row.try_get("password_hash")
}

/// Whether failures have locked this row at `now`.
pub fn is_locked(row: &sqlx::any::AnyRow, now: i64) -> Result<bool, sqlx::Error> {
    Ok(row.try_get::<Option<i64>, _>("locked_until")?.is_some_and(|until| until > now))
}
