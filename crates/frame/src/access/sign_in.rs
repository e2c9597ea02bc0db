//! Signing in: user name and password, the limits on guessing, the login log.

use futures_util::FutureExt;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::network::{AddressRules, Whence};
use super::session::{self, Origin};
use super::{Gate, password_rules, second_factor};
use crate::old_rows::{Keep, OldRows};
use crate::setting::{self, Values};
use base::clock::{DAY, HOUR, MINUTE};
use base::crypto::Keys;
use base::db::{self, Connection, Tx};
use base::password_hashing::{Place, Priority};

/// How long a generated password is valid.
pub const MADE_FOR: i64 = 72 * HOUR;
/// An account is known in a network from which it signed in this recently.
const KNOWN_FOR: i64 = 30 * DAY;
/// If so many accounts are locked by failures from one address, the address is locked, too.
const CLOSED_BY_ONE: i64 = 3;

/// The limits on guessing, by the settings.
struct Limits {
    /// The time over which failures count, in milliseconds.
    window: i64,
    /// Failures that lock an account for a network until the window ends.
    network: i64,
    /// Failures that lock an account for all networks from which it did not sign in recently.
    account: i64,
    /// Failures that lock an address until the window ends.
    address: i64,
}

impl Limits {
    fn of(values: &Values) -> Limits {
        Limits {
            window: values.get(&setting::SECURITY_LOCK_MINUTES) * MINUTE,
            network: values.get(&setting::SECURITY_LOCK_THRESHOLD),
            account: values.get(&setting::SECURITY_LOCK_ACCOUNT_THRESHOLD),
            address: values.get(&setting::SECURITY_LOCK_ADDRESS_THRESHOLD),
        }
    }
}

/// The result of a sign-in.
#[derive(Debug)]
pub enum SignIn {
    Done {
        token: String,
        admin_id: i64,
    },
    /// Wrong name or password, a disabled account, an account without a role, a role that may not be used from here:
    /// the same answer for all.
    Wrong {
        /// The account that this try has just locked.
        closed: Option<i64>,
        /// Whether the address is one from which some roles may not be used, whatever the account.
        is_limited: bool,
    },
    /// An address on the deny list. The password was not checked.
    Denied,
    /// The right password of an account that also needs a code, and the ticket for the second step.
    Owed {
        ticket: String,
    },
    /// The right password, but one that was generated too long ago.
    Stale,
    /// Too many failures; seconds until the next try counts.
    TooMany {
        retry_after: i64,
    },
    /// Too many sign-ins at the same time. The try does not count.
    Busy,
}

/// The result of a check of a password.
#[derive(Debug)]
pub enum Proof {
    /// The right password of an enabled account.
    Right(Proven),
    Wrong {
        /// The account that this try has just locked.
        closed: Option<i64>,
    },
    /// An address on the deny list. The password was not checked.
    Denied,
    TooMany {
        retry_after: i64,
    },
    Busy,
}

/// An account whose password was right.
#[derive(Debug)]
pub struct Proven {
    pub admin_id: i64,
    /// The role it would sign in with.
    pub role_id: i64,
    pub role_code: String,
    /// Its line in the log.
    pub attempt: i64,
    /// Whether the password was generated and has not been replaced in time.
    pub is_stale: bool,
    pub has_second_factor: bool,
    /// Until when the account is locked if the try fails after all.
    until: Option<i64>,
}

/// Signs an account in by its password, or up to the second factor.
pub async fn sign_in(gate: Gate<'_>, username: &str, password: &str, origin: &Origin, now: i64) -> Result<SignIn, sqlx::Error> {
    let settings = gate.settings.values(gate.db).await?;
    let rules = AddressRules::of(&settings);
    let is_limited = rules.limit(&origin.ip);
    let proven = match prove(gate, username, password, origin, now).await? {
        // Before any answer that shows that the password was right.
        Proof::Right(proven) if rules.refuse(&proven.role_code, &origin.ip) => {
            return Ok(SignIn::Wrong { closed: fail_outside(gate, &proven).await?, is_limited });
        }
        Proof::Right(Proven { is_stale: true, .. }) => return Ok(SignIn::Stale),
        Proof::Right(proven) => proven,
        Proof::Wrong { closed } => return Ok(SignIn::Wrong { closed, is_limited }),
        Proof::Denied => return Ok(SignIn::Denied),
        Proof::TooMany { retry_after } => return Ok(SignIn::TooMany { retry_after }),
        Proof::Busy => return Ok(SignIn::Busy),
    };
    if proven.has_second_factor {
        return Ok(SignIn::Owed { ticket: second_factor::owe(gate, &proven, origin, now).await? });
    }
    let Proven { admin_id, role_id, attempt, .. } = proven;
    let alone = opens_alone(gate).await?;
    let opened =
        gate.db.transact(|mut tx| async move { open(gate, &mut tx, (admin_id, role_id, attempt), alone, origin, now).await }.boxed());
    Ok(SignIn::Done { token: opened.await?, admin_id })
}

/// Lets a try with the right password fail, since its role may not be used from this address. It counts as a wrong
/// one: otherwise the limits on guessing would show that the password was right. Returns the account that it locks.
async fn fail_outside(gate: Gate<'_>, proven: &Proven) -> Result<Option<i64>, sqlx::Error> {
    const OUTSIDE: &str = "UPDATE login_log SET result = 'outside' WHERE id = $1";
    let attempt = proven.attempt;
    gate.db.transact(|mut tx| async move { sqlx::query(OUTSIDE).bind(attempt).execute(&mut **tx).await.map(drop) }.boxed()).await?;
    close(gate, Some(proven.admin_id), proven.until).await
}

/// Locks an account, if the failure does so. Returns the account that it locks.
async fn close(gate: Gate<'_>, admin_id: Option<i64>, until: Option<i64>) -> Result<Option<i64>, sqlx::Error> {
    const LOCK: &str = "UPDATE administrator SET locked_until = $1 WHERE id = $2";
    let Some((admin_id, until)) = admin_id.zip(until) else { return Ok(None) };
    gate.db
        .transact(|mut tx| async move { sqlx::query(LOCK).bind(until).bind(admin_id).execute(&mut **tx).await.map(drop) }.boxed())
        .await?;
    Ok(Some(admin_id))
}

/// Whether a new session ends the account's other sessions. Call it before the transaction that opens one.
pub(super) async fn opens_alone(gate: Gate<'_>) -> Result<bool, sqlx::Error> {
    gate.settings.get(gate.db, &setting::SECURITY_SINGLE_SESSION).await
}

/// Opens the session of an account whose try succeeded, in a role, and returns its token.
pub(super) async fn open(
    gate: Gate<'_>,
    tx: &mut Connection,
    (admin_id, role_id, attempt): (i64, i64, i64),
    alone: bool,
    origin: &Origin,
    now: i64,
) -> Result<String, sqlx::Error> {
    succeeded(tx, attempt, admin_id, "ok").await?;
    sqlx::query("UPDATE administrator SET last_login_at = $1, last_login_ip = $2, active_role_id = $3 WHERE id = $4")
        .bind(now)
        .bind(&origin.ip)
        .bind(role_id)
        .bind(admin_id)
        .execute(&mut *tx)
        .await?;
    if alone {
        session::revoke_all(tx, admin_id, None, now).await?;
    }
    session::open(tx, gate.keys, admin_id, role_id, origin, now).await
}

/// Checks whether a password is an account's, within the limits on guessing.
///
/// Every try is written as a failure before the password is checked, and only [`succeeded`] turns it into a success,
/// so that a thousand guesses sent at the same time do not pass the limit. A try that the limits refuse costs no
/// hash, and a try that finds the queue for hashes full is not counted. A try from an address on the deny list costs
/// no hash either: it is written as denied and counts against its address alone, so that it locks no account.
///
/// Failures lock an account for the network that they come from. Only many more, from many networks, lock it for
/// unknown networks, and never for a network from which it signed in recently: so failed attempts under a person's
/// name cannot keep the person out.
pub async fn prove(gate: Gate<'_>, username: &str, password: &str, origin: &Origin, now: i64) -> Result<Proof, sqlx::Error> {
    let db = gate.db;
    let settings = gate.settings.values(db).await?;
    let (limits, is_denied) = (Limits::of(&settings), AddressRules::of(&settings).deny(&origin.ip));
    let username = username.trim().to_lowercase();
    if username.contains('\0') {
        // Not the name of an account, and not a text that a database stores.
        return Ok(Proof::Wrong { closed: None });
    }
    let (username, limits) = (&*username, &limits);
    let written = db.transact(|mut tx| async move { write_down(gate, &mut tx, username, limits, is_denied, origin, now).await }.boxed());
    let Written { place, attempt, account, admin_id, until } = match written.await? {
        Ok(written) => written,
        Err(refused) => return Ok(refused),
    };
    let hash = account.as_ref().map(|row| row.try_get::<String, _>("password_hash")).transpose()?;
    let right = place.verify(password, hash).await;
    drop(place);
    if let Some(row) = account.as_ref().filter(|_| right)
        && row.try_get::<&str, _>("status")? == "enabled"
        && let Some(role_id) = row.try_get("role_id")?
    {
        return Ok(Proof::Right(Proven {
            admin_id: row.try_get("id")?,
            role_id,
            role_code: row.try_get("role_code")?,
            attempt,
            is_stale: db::flag(row, "must_change_pwd")? && now - row.try_get::<i64, _>("pwd_changed_at")? > MADE_FOR,
            has_second_factor: row.try_get::<Option<i64>, _>("confirmed_at")?.is_some(),
            until,
        }));
    }
    Ok(Proof::Wrong { closed: close(gate, admin_id, until).await? })
}

/// A try that is written as a failure.
struct Written {
    /// The place in the queue for its hash.
    place: Place,
    /// Its line in the log.
    attempt: i64,
    account: Option<AnyRow>,
    admin_id: Option<i64>,
    /// Until when its failure locks the account, if it does.
    until: Option<i64>,
}

/// Writes a try, or returns what refuses it.
async fn write_down(
    gate: Gate<'_>,
    tx: &mut Tx,
    username: &str,
    limits: &Limits,
    is_denied: bool,
    origin: &Origin,
    now: i64,
) -> Result<Result<Written, Proof>, sqlx::Error> {
    let (db, whence) = (gate.db, Whence::of(origin));
    db.lock(tx, &format!("sign-in:{username}")).await?;
    // After the lock of the name, always in this order: no two tries wait for each other in a circle.
    db.lock(tx, &format!("sign-in from:{}", whence.address)).await?;
    let account = sqlx::query(
        "SELECT a.id, a.password_hash, a.status, a.must_change_pwd, a.pwd_changed_at, r.id AS role_id, r.code AS role_code, f.confirmed_at \
         FROM administrator a LEFT JOIN second_factor f ON f.admin_id = a.id \
         LEFT JOIN admin_role ar ON ar.admin_id = a.id \
         LEFT JOIN role r ON r.id = ar.role_id AND r.status = 'enabled' AND r.deleted_at IS NULL \
         WHERE a.username = $1 AND a.deleted_at IS NULL \
         ORDER BY CASE WHEN r.id IS NULL THEN 2 WHEN r.id = a.active_role_id THEN 0 ELSE 1 END, r.sort, r.id LIMIT 1",
    )
    .bind(username)
    .fetch_optional(&mut **tx)
    .await?;
    let admin_id = account.as_ref().map(|row| row.try_get::<i64, _>("id")).transpose()?;
    let name = if admin_id.is_some() { username.to_owned() } else { unknown_name(gate.keys, username) };
    let guessing = Guessing { name: &name, whence: &whence, now, window: limits.window };
    let from_here = guessing.of_account_from_network(tx).await?;
    let of_account = guessing.of_account(tx).await?;
    let at_home = match admin_id {
        Some(admin_id) if of_account.count + 1 >= limits.account => is_at_home(tx, admin_id, &whence, origin, now).await?,
        _ => false,
    };
    let of_address = guessing.of_address(tx).await?;
    let closed_by_it = guessing.accounts_closed_by_address(tx, limits.network).await?;
    for (failures, limit) in [
        (&of_address, limits.address),
        (&closed_by_it, CLOSED_BY_ONE),
        (&from_here, limits.network),
        (&of_account, if at_home { i64::MAX } else { limits.account }),
    ] {
        if failures.count >= limit {
            return Ok(Err(Proof::TooMany { retry_after: ((failures.first + limits.window - now) / 1000).max(1) }));
        }
    }
    if is_denied {
        log(tx, admin_id, &name, origin, "denied", now).await?;
        return Ok(Err(Proof::Denied));
    }
    let Ok(place) = gate.hashing.place(Priority::Staff) else { return Ok(Err(Proof::Busy)) };
    let attempt = log(tx, admin_id, &name, origin, "wrong", now).await?;
    // Failures at the same moment count in each other's tries: one of them was the last.
    let until = [(&from_here, limits.network), (&of_account, if at_home { i64::MAX } else { limits.account })]
        .into_iter()
        .filter(|(failures, limit)| failures.count + 1 >= *limit)
        .map(|(failures, _)| failures.first + limits.window)
        .max();
    Ok(Ok(Written { place, attempt, account, admin_id, until }))
}

/// The stored form of an unknown name in the log: it may be a password typed in the wrong field. The same name gives
/// the same line, so that guesses at it count.
fn unknown_name(keys: &Keys, typed: &str) -> String {
    format!("{UNKNOWN}{}", &keys.lookup_hash(typed)[..16])
}

/// The prefix of unknown names in the log; no account's name can begin with it.
pub const UNKNOWN: char = '?';

/// Marks a try as right; earlier failures no longer count.
pub async fn succeeded(tx: &mut Connection, attempt: i64, admin_id: i64, result: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE login_log SET result = $1 WHERE id = $2").bind(result).bind(attempt).execute(&mut *tx).await?;
    sqlx::query("UPDATE administrator SET locked_until = NULL WHERE id = $1").bind(admin_id).execute(tx).await.map(drop)
}

/// Unlocks an account that was locked by guessing, by writing an end to its failures.
pub async fn unlock(tx: &mut Connection, username: &str, origin: &Origin, now: i64) -> Result<(), sqlx::Error> {
    log(tx, None, username, origin, "unlocked", now).await?;
    sqlx::query("UPDATE administrator SET locked_until = NULL WHERE username = $1").bind(username).execute(tx).await.map(drop)
}

/// Failures within the window, and the time of the first.
struct Failures {
    count: i64,
    first: i64,
}

/// The account and the origin of a guess.
struct Guessing<'a> {
    /// In the form of the log.
    name: &'a str,
    whence: &'a Whence,
    now: i64,
    window: i64,
}

impl Guessing<'_> {
    /// Since the account last signed in from this network, or was unlocked.
    async fn of_account_from_network(&self, tx: &mut Connection) -> Result<Failures, sqlx::Error> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS failures, MIN(at) AS first FROM login_log WHERE username = $1 AND at > $2 AND network = $3 AND result IN ('wrong', 'outside') \
             AND id > COALESCE((SELECT MAX(id) FROM login_log WHERE username = $1 AND at > $2 \
             AND (result = 'unlocked' OR network = $3 AND result NOT IN ('wrong', 'outside', 'denied'))), 0)",
        )
        .bind(self.name)
        .bind(self.now - self.window)
        .bind(&self.whence.network)
        .fetch_one(tx)
        .await?;
        self.read(&row)
    }

    /// From anywhere, since the account was unlocked.
    async fn of_account(&self, tx: &mut Connection) -> Result<Failures, sqlx::Error> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS failures, MIN(at) AS first FROM login_log WHERE username = $1 AND at > $2 AND result IN ('wrong', 'outside') \
             AND id > COALESCE((SELECT MAX(id) FROM login_log WHERE username = $1 AND at > $2 AND result = 'unlocked'), 0)",
        )
        .bind(self.name)
        .bind(self.now - self.window)
        .fetch_one(tx)
        .await?;
        self.read(&row)
    }

    async fn of_address(&self, tx: &mut Connection) -> Result<Failures, sqlx::Error> {
        let row = sqlx::query(match self.whence.is_network() {
            true => {
                "SELECT COUNT(*) AS failures, MIN(at) AS first FROM login_log \
                 WHERE network = $1 AND at > $2 AND result IN ('wrong', 'outside', 'denied')"
            }
            false => {
                "SELECT COUNT(*) AS failures, MIN(at) AS first FROM login_log \
                 WHERE ip = $1 AND at > $2 AND result IN ('wrong', 'outside', 'denied')"
            }
        })
        .bind(&self.whence.address)
        .bind(self.now - self.window)
        .fetch_one(tx)
        .await?;
        self.read(&row)
    }

    /// How many accounts this address alone would have locked.
    async fn accounts_closed_by_address(&self, tx: &mut Connection, limit: i64) -> Result<Failures, sqlx::Error> {
        let row = sqlx::query(match self.whence.is_network() {
            true => {
                "SELECT COUNT(*) AS failures, MIN(since) AS first FROM (SELECT MIN(at) AS since FROM login_log \
                 WHERE network = $1 AND at > $2 AND result IN ('wrong', 'outside') GROUP BY username HAVING COUNT(*) >= $3) AS closed"
            }
            false => {
                "SELECT COUNT(*) AS failures, MIN(since) AS first FROM (SELECT MIN(at) AS since FROM login_log \
                 WHERE ip = $1 AND at > $2 AND result IN ('wrong', 'outside') GROUP BY username HAVING COUNT(*) >= $3) AS closed"
            }
        })
        .bind(&self.whence.address)
        .bind(self.now - self.window)
        .bind(limit)
        .fetch_one(tx)
        .await?;
        self.read(&row)
    }

    fn read(&self, row: &sqlx::any::AnyRow) -> Result<Failures, sqlx::Error> {
        Ok(Failures { count: row.try_get("failures")?, first: row.try_get::<Option<i64>, _>("first")?.unwrap_or(self.now) })
    }
}

/// Whether an account signed in from a network recently.
pub async fn is_at_home(tx: &mut Connection, admin_id: i64, whence: &Whence, origin: &Origin, now: i64) -> Result<bool, sqlx::Error> {
    let signed_in: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM (SELECT 1 FROM login_log WHERE username = (SELECT username FROM administrator WHERE id = $1) AND at > $2 \
         AND admin_id = $1 AND result = 'ok' AND (network = $3 OR network IS NULL AND ip = $4) LIMIT 1) AS found",
    )
    .bind(admin_id)
    .bind(now - KNOWN_FOR)
    .bind(&whence.network)
    .bind(&origin.ip)
    .fetch_one(tx)
    .await?;
    Ok(signed_in > 0)
}

/// Writes a try.
pub(super) async fn log(
    tx: &mut Connection,
    admin_id: Option<i64>,
    username: &str,
    origin: &Origin,
    result: &str,
    now: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO login_log (admin_id, username, ip, network, user_agent, result, at) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(admin_id)
    .bind(username)
    .bind(&origin.ip)
    .bind((result != "unlocked").then(|| Whence::of(origin).network))
    .bind(&origin.user_agent)
    .bind(result)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// Sets a new password, keeps the old one's hash among those that may not be used again, and ends the account's
/// sessions, except one.
pub async fn set_password(
    tx: &mut Connection,
    admin_id: i64,
    hash: &str,
    must_change: bool,
    keep_session: Option<i64>,
    now: i64,
) -> Result<(), sqlx::Error> {
    password_rules::remember(tx, admin_id, now).await?;
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

/// Whether failures have locked this account at `now`.
pub fn is_locked(row: &sqlx::any::AnyRow, now: i64) -> Result<bool, sqlx::Error> {
    Ok(row.try_get::<Option<i64>, _>("locked_until")?.is_some_and(|until| until > now))
}

/// Old sign-ins.
pub const OLD_SIGN_INS: OldRows = OldRows {
    name: "sign-ins",
    keep: Keep::AsSet(&setting::SECURITY_LOGIN_LOG_DAYS),
    statement: "DELETE FROM login_log WHERE id IN (SELECT id FROM login_log WHERE at < $1 ORDER BY at LIMIT $2)",
};
