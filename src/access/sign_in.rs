//! Signing in: user name and password, the limits on guessing, the login log.

use sqlx::Row;

use super::session::{self, Origin};
use super::{Gate, password};
use crate::clock::MINUTE;
use crate::crypto;
use crate::db::{Connection, Db};
use crate::setting::{self, Values};

/// The limits on guessing, as they are set.
struct Limits {
    /// Failures are counted over this long, in milliseconds.
    window: i64,
    /// Failures that close an account's door for the rest of the window.
    account: i64,
    /// Failures that close an address's door for the rest of the window.
    address: i64,
}

impl Limits {
    fn of(values: &Values) -> Limits {
        Limits {
            window: values.get(&setting::SECURITY_LOCK_MINUTES) * MINUTE,
            account: values.get(&setting::SECURITY_LOCK_THRESHOLD),
            address: values.get(&setting::SECURITY_LOCK_ADDRESS_THRESHOLD),
        }
    }
}

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

/// How a password was found to be.
#[derive(Debug)]
pub enum Proof {
    /// An enabled account's own, and the role it would sign in with; `attempt` is its line in the log.
    Right {
        admin_id: i64,
        role_id: i64,
        attempt: i64,
    },
    Wrong,
    TooMany {
        retry_after: i64,
    },
}

/// Signs an account in with its password.
pub async fn sign_in(gate: Gate<'_>, username: &str, password: &str, origin: &Origin, now: i64) -> Result<SignIn, sqlx::Error> {
    let (admin_id, role_id, attempt) = match prove(gate, username, password, origin, now).await? {
        Proof::Right { admin_id, role_id, attempt } => (admin_id, role_id, attempt),
        Proof::Wrong => return Ok(SignIn::Wrong),
        Proof::TooMany { retry_after } => return Ok(SignIn::TooMany { retry_after }),
    };
    let single = gate.settings.get(gate.db, &setting::SECURITY_SINGLE_SESSION).await?;
    let mut tx = gate.db.begin().await?;
    succeeded(&mut tx, attempt, admin_id, "ok").await?;
    sqlx::query("UPDATE administrator SET last_login_at = $1, last_login_ip = $2, active_role_id = $3 WHERE id = $4")
        .bind(now)
        .bind(&origin.ip)
        .bind(role_id)
        .bind(admin_id)
        .execute(&mut *tx)
        .await?;
    if single {
        session::revoke_all(&mut tx, admin_id, None, now).await?;
    }
    let token = session::open(&mut tx, gate.keys, admin_id, role_id, origin, now).await?;
    tx.commit().await?;
    Ok(SignIn::Done { token, admin_id })
}

/// Looks whether a password is an account's, within the limits on guessing.
///
/// Every try is written down as a failure before the password is looked at, and only
/// [`succeeded`] turns it into a success, so that a thousand guesses sent at once do not outrun
/// the limit.
pub async fn prove(gate: Gate<'_>, username: &str, password: &str, origin: &Origin, now: i64) -> Result<Proof, sqlx::Error> {
    let db = gate.db;
    let limits = Limits::of(&*gate.settings.values(db).await?);
    let username = username.trim().to_lowercase();
    if username.contains('\0') {
        // No account's name, and no text that a database keeps.
        return Ok(Proof::Wrong);
    }
    let mut tx = db.begin().await?;
    db.lock(&mut tx, &format!("sign-in:{username}")).await?;
    // After the name's, always in this order: no two tries wait for each other.
    db.lock(&mut tx, &format!("sign-in from:{}", origin.ip)).await?;
    let of_account = failures_of_account(&mut tx, &username, now, limits.window).await?;
    let of_address = failures_of_address(&mut tx, &origin.ip, now, limits.window).await?;
    for (failures, limit) in [(&of_account, limits.account), (&of_address, limits.address)] {
        if failures.count >= limit {
            return Ok(Proof::TooMany { retry_after: ((failures.first + limits.window - now) / 1000).max(1) });
        }
    }
    let account = sqlx::query(
        "SELECT a.id, a.password_hash, a.status, r.id AS role_id FROM administrator a \
         LEFT JOIN admin_role ar ON ar.admin_id = a.id \
         LEFT JOIN role r ON r.id = ar.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL \
         WHERE a.username = $1 AND a.deleted_at IS NULL \
         ORDER BY CASE WHEN r.id IS NULL THEN 2 WHEN r.id = a.active_role_id THEN 0 ELSE 1 END, r.sort, r.id LIMIT 1",
    )
    .bind(&username)
    .fetch_optional(&mut *tx)
    .await?;
    let admin_id = account.as_ref().map(|row| row.try_get::<i64, _>("id")).transpose()?;
    let attempt = log(&mut tx, admin_id, &username, origin, "wrong", now).await?;
    if let Some(admin_id) = admin_id.filter(|_| of_account.count + 1 >= limits.account) {
        // The last try that counts. If it succeeds, the lock goes again.
        sqlx::query("UPDATE administrator SET locked_until = $1 WHERE id = $2")
            .bind(of_account.first + limits.window)
            .bind(admin_id)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await?;

    let hash = account.as_ref().map(|row| row.try_get::<String, _>("password_hash")).transpose()?;
    let right = crypto::verify_password(password.to_owned(), hash).await;
    let Some(row) = account.filter(|_| right) else { return Ok(Proof::Wrong) };
    match (row.try_get::<Option<i64>, _>("role_id")?, row.try_get::<&str, _>("status")?) {
        (Some(role_id), "enabled") => Ok(Proof::Right { admin_id: row.try_get("id")?, role_id, attempt }),
        _ => Ok(Proof::Wrong),
    }
}

/// The account that a wrong try has just locked, if it has: once it is locked, no more tries count.
pub async fn just_locked(db: &Db, username: &str, now: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT id FROM administrator WHERE username = $1 AND locked_until > $2 AND deleted_at IS NULL")
        .bind(username.trim().to_lowercase().replace('\0', ""))
        .bind(now)
        .fetch_optional(db.read())
        .await
}

/// Writes down that a try was right; earlier failures no longer count.
pub async fn succeeded(tx: &mut Connection, attempt: i64, admin_id: i64, result: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE login_log SET result = $1 WHERE id = $2").bind(result).bind(attempt).execute(&mut *tx).await?;
    sqlx::query("UPDATE administrator SET locked_until = NULL WHERE id = $1").bind(admin_id).execute(tx).await.map(drop)
}

/// Lets an account that guessing has locked try again, by writing an end to its failures.
pub async fn unlock(tx: &mut Connection, username: &str, origin: &Origin, now: i64) -> Result<(), sqlx::Error> {
    log(tx, None, username, origin, "unlocked", now).await?;
    sqlx::query("UPDATE administrator SET locked_until = NULL WHERE username = $1").bind(username).execute(tx).await.map(drop)
}

/// Failures within the window, and when the first of them was.
struct Failures {
    count: i64,
    first: i64,
}

async fn failures_of_account(tx: &mut Connection, username: &str, now: i64, window: i64) -> Result<Failures, sqlx::Error> {
    let row = sqlx::query(
        "SELECT COUNT(*) AS failures, MIN(at) AS first FROM login_log WHERE username = $1 AND at > $2 AND result = 'wrong' \
         AND id > COALESCE((SELECT MAX(id) FROM login_log WHERE username = $1 AND at > $2 AND result <> 'wrong'), 0)",
    )
    .bind(username)
    .bind(now - window)
    .fetch_one(tx)
    .await?;
    Ok(Failures { count: row.try_get("failures")?, first: row.try_get::<Option<i64>, _>("first")?.unwrap_or(now) })
}

async fn failures_of_address(tx: &mut Connection, ip: &str, now: i64, window: i64) -> Result<Failures, sqlx::Error> {
    let row = sqlx::query("SELECT COUNT(*) AS failures, MIN(at) AS first FROM login_log WHERE ip = $1 AND at > $2 AND result = 'wrong'")
        .bind(ip)
        .bind(now - window)
        .fetch_one(tx)
        .await?;
    Ok(Failures { count: row.try_get("failures")?, first: row.try_get::<Option<i64>, _>("first")?.unwrap_or(now) })
}

async fn log(
    tx: &mut Connection,
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

/// Sets a new password, keeps the old one's hash among those not to be used again, and ends the
/// account's sessions, except one that may go on.
pub async fn set_password(
    tx: &mut Connection,
    admin_id: i64,
    hash: &str,
    must_change: bool,
    keep_session: Option<i64>,
    now: i64,
) -> Result<(), sqlx::Error> {
    password::remember(tx, admin_id, now).await?;
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

/// Whether failures have locked this row at `now`.
pub fn is_locked(row: &sqlx::any::AnyRow, now: i64) -> Result<bool, sqlx::Error> {
    Ok(row.try_get::<Option<i64>, _>("locked_until")?.is_some_and(|until| until > now))
}
