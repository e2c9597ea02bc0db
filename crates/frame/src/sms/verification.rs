//! Verification codes by SMS, for a lost password.

use sqlx::Row;

use crate::access::audit::{self, Action, Actor, Change, Module, Target};
use crate::access::network::Whence;
use crate::access::password_rules::Policy;
use crate::access::session::Origin;
use crate::access::tries::{self, Door, Limit};
use crate::access::{Gate, sign_in};
use crate::old_rows::{Keep, OldRows};
use crate::sms::{self, NewSms, SmsKind};
use base::clock::{self, DAY, HOUR, MINUTE};
use base::crypto;
use base::password_hashing::Priority;

/// The lifetime of a code,
pub const LIFETIME: i64 = 5 * MINUTE;
/// and its number of tries.
pub const TRIES: i64 = 5;
/// Codes for a phone: one a minute, and this many a day; this many of them for one network, so that none uses them
/// up; this many an hour for an address.
const PER_DAY: i64 = 10;
const PER_NETWORK: i64 = 5;
const PER_ADDRESS: i64 = 20;

/// Resets that an address may try,
const RESETS_OF_ADDRESS: Limit = Limit { tries: 30, within: 15 * MINUTE };
/// and that a network may try for one phone.
const RESETS_OF_PHONE: Limit = Limit { tries: 10, within: 15 * MINUTE };

/// The result of a request for a code.
#[derive(Debug, PartialEq, Eq)]
pub enum Sent {
    /// Sent if the phone belongs to an account; the answer does not show whether it does.
    Accepted,
    /// The sign is not MD5(phone + today).
    BadSign,
    /// Seconds until the next code may be requested.
    TooMany { retry_after: i64 },
    /// Too many requests.
    Busy,
}

/// The sign in the specification: MD5 of the phone and today's date (Asia/Shanghai).
pub fn sign(phone: &str, now: i64) -> String {
    crypto::md5_hex(&format!("{phone}{}", clock::day_compact(now)))
}

/// Sends a code to an account's phone through the outbox.
///
/// A caller whose own limit is used up is refused. If others have used up the limit of the account, the answer is the
/// same as for a code that was sent, and none is sent, so that a caller cannot find out who else requests codes. A
/// network from which the account signed in recently has its own share, whatever others request.
pub async fn send(gate: Gate<'_>, phone: &str, given_sign: &str, origin: &Origin, now: i64) -> Result<Sent, sqlx::Error> {
    let Gate { db, keys, doors, .. } = gate;
    if !crypto::same(&sign(phone, now), given_sign) {
        return Ok(Sent::BadSign);
    }
    let phone_hash = keys.lookup_hash(phone);
    let whence = Whence::of(origin);
    let Some(_turn) = doors.turn().await else { return Ok(Sent::Busy) };
    let mut tx = db.begin().await?;
    db.lock(&mut tx, &format!("code:{phone_hash}")).await?;
    // After the lock of the phone, always in this order: no two requests wait for each other in a circle.
    db.lock(&mut tx, &format!("code from:{}", whence.address)).await?;
    let everywhere = Asked::read(
        &sqlx::query("SELECT COUNT(*) AS sent, MAX(created_at) AS last, MIN(created_at) AS first FROM verification_code WHERE phone_hash = $1 AND created_at > $2")
            .bind(&phone_hash)
            .bind(now - DAY)
            .fetch_one(&mut *tx)
            .await?,
    )?;
    let from_here = Asked::read(
        &sqlx::query(
            "SELECT COUNT(*) AS sent, MAX(created_at) AS last, MIN(created_at) AS first FROM verification_code \
             WHERE phone_hash = $1 AND created_at > $2 AND (network = $3 OR network IS NULL AND ip = $4)",
        )
        .bind(&phone_hash)
        .bind(now - DAY)
        .bind(&whence.network)
        .bind(&origin.ip)
        .fetch_one(&mut *tx)
        .await?,
    )?;
    let by_address: i64 = sqlx::query_scalar(match whence.is_network() {
        true => "SELECT COUNT(*) FROM verification_code WHERE network = $1 AND created_at > $2",
        false => "SELECT COUNT(*) FROM verification_code WHERE ip = $1 AND created_at > $2",
    })
    .bind(&whence.address)
    .bind(now - HOUR)
    .fetch_one(&mut *tx)
    .await?;
    let wait = match from_here.wait(PER_NETWORK, now) {
        0 if by_address >= PER_ADDRESS => HOUR,
        wait => wait,
    };
    if wait > 0 {
        return Ok(Sent::TooMany { retry_after: (wait / 1000).max(1) });
    }
    let known = sqlx::query("SELECT id FROM administrator WHERE phone_hash = $1 AND status = 'enabled' AND deleted_at IS NULL")
        .bind(&phone_hash)
        .fetch_optional(&mut *tx)
        .await?;
    if everywhere.wait(PER_DAY, now) > 0 {
        let at_home = match &known {
            Some(row) => sign_in::is_at_home(&mut tx, row.try_get("id")?, &whence, origin, now).await?,
            None => false,
        };
        if !at_home {
            return Ok(Sent::Accepted);
        }
    }

    let code = crypto::random_code();
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO verification_code (phone_hash, code_hash, ip, network, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
    )
    .bind(&phone_hash)
    .bind(code_hash(keys, phone, &code))
    .bind(&origin.ip)
    .bind(&whence.network)
    .bind(now)
    .bind(now + LIFETIME)
    .fetch_one(&mut *tx)
    .await?;
    if known.is_some() {
        let new = NewSms {
            kind: SmsKind::Code,
            phone,
            params: &[("code", code), ("minutes", (LIFETIME / MINUTE).to_string())],
            idem_key: &format!("code:{id}"),
            expires_at: now + LIFETIME,
            created_by: None,
        };
        sms::queue(&mut tx, keys, &new, now).await?;
    }
    tx.commit().await?;
    Ok(Sent::Accepted)
}

/// The codes requested within some time: `sent`, `first` and `last` of a row.
pub struct Asked {
    pub sent: i64,
    first: i64,
    last: i64,
}

impl Asked {
    pub fn read(row: &sqlx::any::AnyRow) -> Result<Asked, sqlx::Error> {
        let time = |name| row.try_get::<Option<i64>, _>(name).map(Option::unwrap_or_default);
        Ok(Asked { sent: row.try_get("sent")?, first: time("first")?, last: time("last")? })
    }

    /// Milliseconds until the next code, with this many a day and one a minute.
    pub fn wait(&self, per_day: i64, now: i64) -> i64 {
        if self.last > now - MINUTE {
            self.last + MINUTE - now
        } else if self.sent >= per_day {
            self.first + DAY - now
        } else {
            0
        }
    }
}

/// The result of a reset.
#[derive(Debug)]
pub enum Reset {
    Done {
        admin_id: i64,
    },
    /// Wrong, used or expired code, or no such phone; the answer does not distinguish them.
    Wrong,
    /// The new password does not meet these rules.
    Weak(Policy),
    /// The account has had this password recently. The code may be used again.
    Worn(Policy),
    /// Too many tries from there, or with that phone; seconds until the next.
    TooMany {
        retry_after: i64,
    },
    /// Too many requests, or too many passwords wait for their hash. The code may be used again.
    Busy,
}

/// The input of a person who lost the password.
pub struct Forgotten<'a> {
    pub phone: &'a str,
    pub code: &'a str,
    /// The new password.
    pub password: &'a str,
}

/// Sets a new password for the account of a phone, with a code.
///
/// The try is written before the code is checked, and a password is hashed only for a live code that is right: a
/// flood of others costs only the check, and one from an address that is known to be beyond its limit not even that.
/// The time does not show which phones belong to accounts, since unknown phones have codes, too.
pub async fn reset_password(
    gate: Gate<'_>,
    Forgotten { phone, code, password }: Forgotten<'_>,
    origin: &Origin,
    request_id: &str,
    now: i64,
) -> Result<Reset, sqlx::Error> {
    let Gate { db, keys, settings, doors, .. } = gate;
    let whence = Whence::of(origin);
    if let Some(retry_after) = doors.known_wait(Door::Reset, &whence.address, now) {
        return Ok(Reset::TooMany { retry_after });
    }
    let policy = Policy::of(&*settings.values(db).await?);
    if !policy.accepts(password, "") {
        return Ok(Reset::Weak(policy));
    }
    let Some(turn) = doors.turn().await else { return Ok(Reset::Busy) };
    // Earlier requests may have used up the limit meanwhile.
    if let Some(retry_after) = doors.known_wait(Door::Reset, &whence.address, now) {
        return Ok(Reset::TooMany { retry_after });
    }
    let phone_hash = keys.lookup_hash(phone);
    let of_phone = format!("{phone_hash} {}", whence.network);
    // Checked without a transaction first: a caller beyond the limit keeps no writer waiting.
    if let Some(retry_after) = tries::wait(db.read(), Door::Reset, &whence.address, RESETS_OF_ADDRESS, now).await? {
        doors.shut(Door::Reset, &whence.address, retry_after, now);
        return Ok(Reset::TooMany { retry_after });
    }
    let mut tx = db.begin().await?;
    db.lock(&mut tx, &format!("code:{phone_hash}")).await?;
    db.lock(&mut tx, &format!("reset from:{}", whence.address)).await?;
    for (key, limit) in [(&whence.address, RESETS_OF_ADDRESS), (&of_phone, RESETS_OF_PHONE)] {
        if let Some(retry_after) = tries::wait(&mut *tx, Door::Reset, key, limit, now).await? {
            return Ok(Reset::TooMany { retry_after });
        }
    }
    for key in [&whence.address, &of_phone] {
        tries::write(&mut tx, Door::Reset, key, now).await?;
    }
    let row = sqlx::query(
        "SELECT id, code_hash FROM verification_code WHERE phone_hash = $1 AND expires_at > $2 AND used_at IS NULL AND tries < $3 ORDER BY id DESC LIMIT 1",
    )
    .bind(&phone_hash)
    .bind(now)
    .bind(TRIES)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else {
        tx.commit().await?;
        return Ok(Reset::Wrong);
    };
    let code_id: i64 = row.try_get("id")?;
    let matches = crypto::same(row.try_get("code_hash")?, &code_hash(keys, phone, code));
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
    let Ok(place) = gate.hashing.place(Priority::Reset) else { return Ok(Reset::Busy) };
    tx.commit().await?;
    drop(turn);

    let admin_id: i64 = account.try_get("id")?;
    if policy.is_worn(db, &place, admin_id, password).await? {
        return Ok(Reset::Worn(policy));
    }
    let hash = place.hash(password).await;
    drop(place);

    let mut tx = db.begin().await?;
    // Of two requests with the right code at the same time, the first has used it.
    let used = sqlx::query("UPDATE verification_code SET used_at = $1 WHERE id = $2 AND used_at IS NULL AND tries < $3")
        .bind(now)
        .bind(code_id)
        .bind(TRIES)
        .execute(&mut *tx)
        .await?;
    if used.rows_affected() == 0 {
        return Ok(Reset::Wrong);
    }
    sign_in::set_password(&mut tx, admin_id, &hash, false, None, now).await?;
    sign_in::unlock(&mut tx, account.try_get("username")?, origin, now).await?;
    // No person is signed in: the account itself is the actor.
    let actor = Actor { admin_id, role_id: account.try_get("role_id")?, ip: origin.ip.clone(), request_id: request_id.to_owned(), at: now };
    let changed = Change { field: "password".to_owned(), before: None, after: None };
    audit::record(&mut tx, &actor, Target { module: Module::Admin, kind: "administrator", id: Some(admin_id) }, Action::Update, &[changed])
        .await?;
    tx.commit().await?;
    Ok(Reset::Done { admin_id })
}

/// The stored hash of a code, with its purpose and phone, so that it differs from every other look-up hash.
fn code_hash(keys: &crypto::Keys, phone: &str, code: &str) -> String {
    keys.lookup_hash(&format!("code for {phone}: {code}"))
}

/// Codes that were sent, kept so that an attack can be investigated.
pub const OLD_CODES: OldRows = OldRows {
    name: "codes",
    keep: Keep::Days(30),
    statement: "DELETE FROM verification_code WHERE id IN (SELECT id FROM verification_code WHERE created_at < $1 ORDER BY id LIMIT $2)",
};
