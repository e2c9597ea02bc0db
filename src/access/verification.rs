//! Verification codes by SMS, for a forgotten password.

use sqlx::Row;

use super::audit::{self, Action, Actor, Change, Module, Target};
use super::password::Policy;
use super::session::Origin;
use super::{Gate, sign_in};
use crate::clock::{self, DAY, HOUR, MINUTE};
use crate::crypto;
use crate::outbox;
use crate::setting;

/// A code is good for this long,
const LIFETIME: i64 = 5 * MINUTE;
/// and for this many tries.
const TRIES: i64 = 5;
/// One code a minute, and this many a day, for a phone; this many an hour from an address.
const PER_DAY: i64 = 10;
const PER_ADDRESS: i64 = 20;

/// How asking for a code ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Sent {
    /// Sent if the phone is an account's; nobody learns which.
    Accepted,
    /// The sign is not MD5(phone + today).
    BadSign,
    /// Seconds until the next code may be asked for.
    TooMany { retry_after: i64 },
}

/// The sign that the specification asks for: MD5 of the phone and today's date (Asia/Shanghai).
pub fn sign(phone: &str, now: i64) -> String {
    crypto::md5_hex(&format!("{phone}{}", clock::day_compact(now)))
}

/// Sends a code to an account's phone through the outbox.
pub async fn send(gate: Gate<'_>, phone: &str, given_sign: &str, origin: &Origin, now: i64) -> Result<Sent, sqlx::Error> {
    let Gate { db, keys, .. } = gate;
    if !crypto::same(&sign(phone, now), given_sign) {
        return Ok(Sent::BadSign);
    }
    let phone_hash = keys.lookup_hash(phone);
    let mut tx = db.begin().await?;
    db.lock(&mut tx, &format!("code:{phone_hash}")).await?;
    let by_phone = sqlx::query("SELECT COUNT(*) AS sent, MAX(created_at) AS last, MIN(created_at) AS first FROM verification_code WHERE phone_hash = $1 AND created_at > $2")
        .bind(&phone_hash)
        .bind(now - DAY)
        .fetch_one(&mut *tx)
        .await?;
    let by_address: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM verification_code WHERE ip = $1 AND created_at > $2")
        .bind(&origin.ip)
        .bind(now - HOUR)
        .fetch_one(&mut *tx)
        .await?;
    let last = by_phone.try_get::<Option<i64>, _>("last")?.unwrap_or(0);
    let wait = if last > now - MINUTE {
        last + MINUTE - now
    } else if by_phone.try_get::<i64, _>("sent")? >= PER_DAY {
        by_phone.try_get::<Option<i64>, _>("first")?.unwrap_or(now) + DAY - now
    } else if by_address >= PER_ADDRESS {
        HOUR
    } else {
        0
    };
    if wait > 0 {
        return Ok(Sent::TooMany { retry_after: (wait / 1000).max(1) });
    }

    let code = crypto::random_code();
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO verification_code (phone_hash, code_hash, ip, created_at, expires_at) VALUES ($1, $2, $3, $4, $5) RETURNING id",
    )
    .bind(&phone_hash)
    .bind(keys.lookup_hash(&code))
    .bind(&origin.ip)
    .bind(now)
    .bind(now + LIFETIME)
    .fetch_one(&mut *tx)
    .await?;
    let known = sqlx::query("SELECT id FROM administrator WHERE phone_hash = $1 AND status = 'enabled' AND deleted_at IS NULL")
        .bind(&phone_hash)
        .fetch_optional(&mut *tx)
        .await?;
    if known.is_some() {
        let signature = match gate.settings.get(db, &setting::SMS_SIGN_NAME).await? {
            name if name.is_empty() => name,
            name => format!("【{name}】"),
        };
        let message = outbox::Sms {
            phone: phone.to_owned(),
            text: format!("{signature}验证码 {code}，5 分钟内有效。Your verification code is {code}."),
        };
        outbox::enqueue(&mut tx, keys, &message, &format!("code:{id}"), now).await?;
    }
    tx.commit().await?;
    Ok(Sent::Accepted)
}

/// How a reset ended.
#[derive(Debug)]
pub enum Reset {
    Done {
        admin_id: i64,
    },
    /// Wrong, used or expired code, or no such phone: not told apart.
    Wrong,
    /// The new password is not good enough for these rules.
    Weak(Policy),
    /// The account has had this password of late. The code may be used again.
    Worn(Policy),
}

/// What a person who forgot the password sends.
pub struct Forgotten<'a> {
    pub phone: &'a str,
    pub code: &'a str,
    /// The new password.
    pub password: &'a str,
}

/// Sets a new password for the account of a phone that proved itself by a code.
pub async fn reset_password(
    gate: Gate<'_>,
    Forgotten { phone, code, password }: Forgotten<'_>,
    origin: &Origin,
    request_id: &str,
    now: i64,
) -> Result<Reset, sqlx::Error> {
    let Gate { db, keys, settings, .. } = gate;
    let policy = Policy::of(&*settings.values(db).await?);
    if !policy.accepts(password, "") {
        return Ok(Reset::Weak(policy));
    }
    // Spent before the code is looked at, so that the time tells nothing.
    let hash = crypto::hash_password(password.to_owned()).await;
    let phone_hash = keys.lookup_hash(phone);
    let mut tx = db.begin().await?;
    db.lock(&mut tx, &format!("code:{phone_hash}")).await?;
    let Some(row) = sqlx::query(
        "SELECT id, code_hash FROM verification_code WHERE phone_hash = $1 AND expires_at > $2 AND used_at IS NULL AND tries < $3 ORDER BY id DESC LIMIT 1",
    )
    .bind(&phone_hash)
    .bind(now)
    .bind(TRIES)
    .fetch_optional(&mut *tx)
    .await?
    else {
        return Ok(Reset::Wrong);
    };
    let code_id: i64 = row.try_get("id")?;
    let matches = crypto::same(row.try_get("code_hash")?, &keys.lookup_hash(code));
    let account = sqlx::query(
        "SELECT id, username, COALESCE(active_role_id, 0) AS role_id FROM administrator WHERE phone_hash = $1 AND status = 'enabled' AND deleted_at IS NULL",
    )
    .bind(&phone_hash)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(account) = account.filter(|_| matches) else {
        sqlx::query("UPDATE verification_code SET tries = tries + 1 WHERE id = $1").bind(code_id).execute(&mut *tx).await?;
        tx.commit().await?;
        return Ok(Reset::Wrong);
    };
    let admin_id: i64 = account.try_get("id")?;
    if policy.is_worn(&mut tx, admin_id, password).await? {
        return Ok(Reset::Worn(policy));
    }
    sqlx::query("UPDATE verification_code SET used_at = $1 WHERE id = $2").bind(now).bind(code_id).execute(&mut *tx).await?;
    sign_in::set_password(&mut tx, admin_id, &hash, false, None, now).await?;
    sign_in::unlock(&mut tx, account.try_get("username")?, origin, now).await?;
    // Nobody is signed in: the account itself is who acts.
    let actor = Actor { admin_id, role_id: account.try_get("role_id")?, ip: origin.ip.clone(), request_id: request_id.to_owned(), at: now };
    let changed = Change { field: "password".to_owned(), before: None, after: None };
    audit::record(&mut tx, &actor, Target { module: Module::Admin, kind: "administrator", id: Some(admin_id) }, Action::Update, &[changed])
        .await?;
    tx.commit().await?;
    Ok(Reset::Done { admin_id })
}
