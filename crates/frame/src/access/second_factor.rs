//! The second factor of an account: a code of its authenticator, or one of ten recovery codes. With a second factor,
//! a password alone only gives a ticket, and a code turns the ticket into a session.

use sqlx::Row;

use super::Gate;
use super::network::{AddressRules, Whence};
use super::session::Origin;
use super::sign_in::{self, Proven};
use super::totp::Secret;
use super::tries::{self, Door, Limit};
use base::canonical;
use base::clock::{DAY, MINUTE};
use base::crypto::{self, Keys, place};
use base::db::{Connection, Db};

/// The issuer of the codes, as an authenticator shows it.
pub const ISSUER: &str = "Leadlane";
/// Recovery codes of an account.
pub const RECOVERY_CODES: usize = 10;
/// Letters of a recovery code: 50 bits, in two halves.
const RECOVERY_LETTERS: usize = 10;
/// Characters of one case that are not mistaken for each other.
const RECOVERY_ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The lifetime of a ticket,
pub const TICKET_LIFETIME: i64 = 5 * MINUTE;
/// and the codes that may be tried with it.
const TICKET_TRIES: i64 = 5;

/// Wrong codes of an account, on all tickets and pages together. Only a person with the password gets this far, so
/// these limits do not lock out an account whose password is still secret.
const LIMITS: [Limit; 2] = [Limit { tries: 10, within: 15 * MINUTE }, Limit { tries: 30, within: DAY }];

/// The state of an account's second factor.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// Since when a code is required.
    pub confirmed_at: Option<i64>,
    pub recovery_codes_left: i64,
}

/// The result of a check of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    Right,
    /// `guessed` if this try reached the limit: a person has the password and not the code.
    Wrong {
        guessed: bool,
    },
    TooMany {
        retry_after: i64,
    },
}

/// The result of the second step of a sign-in.
#[derive(Debug)]
pub enum SecondStep {
    Done {
        token: String,
    },
    /// The ticket is unknown, too old, used up, or another browser's: the person has to give the password again.
    Lapsed,
    /// `guessed` is the account whose code is being guessed by a person who has its password.
    Wrong {
        guessed: Option<i64>,
    },
    TooMany {
        retry_after: i64,
    },
}

/// The state of an account's second factor.
pub async fn status(db: &Db, admin_id: i64) -> Result<Status, sqlx::Error> {
    let row = sqlx::query(
        "SELECT (SELECT confirmed_at FROM second_factor WHERE admin_id = $1) AS confirmed_at, \
         (SELECT COUNT(*) FROM recovery_code WHERE admin_id = $1 AND used_at IS NULL) AS left_over",
    )
    .bind(admin_id)
    .fetch_one(db.read())
    .await?;
    Ok(Status { confirmed_at: row.try_get("confirmed_at")?, recovery_codes_left: row.try_get("left_over")? })
}

/// Makes a secret for an account without a confirmed one; none if it has one.
pub async fn begin(tx: &mut Connection, keys: &Keys, admin_id: i64, now: i64) -> Result<Option<Secret>, sqlx::Error> {
    let secret = Secret::random();
    let written = sqlx::query(
        "INSERT INTO second_factor (admin_id, secret_enc, created_at) VALUES ($1, $2, $3) \
         ON CONFLICT (admin_id) DO UPDATE SET secret_enc = excluded.secret_enc, created_at = excluded.created_at, last_step = 0 \
         WHERE second_factor.confirmed_at IS NULL",
    )
    .bind(admin_id)
    .bind(keys.seal(&place::SECOND_FACTOR.of(admin_id), &secret.base32()))
    .bind(now)
    .execute(tx)
    .await?;
    Ok((written.rows_affected() == 1).then_some(secret))
}

/// Confirms a secret, if this is one of its codes.
pub async fn confirm(tx: &mut Connection, keys: &Keys, admin_id: i64, code: &str, now: i64) -> anyhow::Result<bool> {
    let row = sqlx::query("SELECT secret_enc FROM second_factor WHERE admin_id = $1 AND confirmed_at IS NULL")
        .bind(admin_id)
        .fetch_optional(&mut *tx)
        .await?;
    let Some(row) = row else { return Ok(false) };
    let Some(step) = secret(keys, admin_id, row.try_get("secret_enc")?)?.step_of(code, now) else { return Ok(false) };
    let confirmed = sqlx::query("UPDATE second_factor SET confirmed_at = $1, last_step = $2 WHERE admin_id = $3 AND confirmed_at IS NULL")
        .bind(now)
        .bind(step)
        .bind(admin_id)
        .execute(tx)
        .await?;
    Ok(confirmed.rows_affected() == 1)
}

/// Replaces an account's recovery codes; earlier ones are no longer valid.
pub async fn make_recovery_codes(tx: &mut Connection, keys: &Keys, admin_id: i64, now: i64) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query("DELETE FROM recovery_code WHERE admin_id = $1").bind(admin_id).execute(&mut *tx).await?;
    let mut codes = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        let letter = |_| char::from(RECOVERY_ALPHABET[rand::random_range(0..RECOVERY_ALPHABET.len())]);
        let code: String = (0..RECOVERY_LETTERS).map(letter).collect();
        sqlx::query("INSERT INTO recovery_code (admin_id, code_hash, created_at) VALUES ($1, $2, $3)")
            .bind(admin_id)
            .bind(recovery_hash(keys, admin_id, &code))
            .bind(now)
            .execute(&mut *tx)
            .await?;
        codes.push(format!("{}-{}", &code[..RECOVERY_LETTERS / 2], &code[RECOVERY_LETTERS / 2..]));
    }
    Ok(codes)
}

/// Removes the second factor. Returns whether there was a confirmed one.
pub async fn remove(tx: &mut Connection, admin_id: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("DELETE FROM recovery_code WHERE admin_id = $1").bind(admin_id).execute(&mut *tx).await?;
    sqlx::query("DELETE FROM sign_in_ticket WHERE admin_id = $1").bind(admin_id).execute(&mut *tx).await?;
    let removed = sqlx::query_scalar::<_, Option<i64>>("DELETE FROM second_factor WHERE admin_id = $1 RETURNING confirmed_at")
        .bind(admin_id)
        .fetch_optional(tx)
        .await?;
    Ok(removed.flatten().is_some())
}

/// Checks a code of an account, in the transaction of the action that it permits. Commit it whatever the result,
/// since the try counts. A code is right once: of two concurrent calls with the same code, one is wrong.
pub async fn check(db: &Db, tx: &mut base::db::Tx, keys: &Keys, admin_id: i64, code: &str, now: i64) -> anyhow::Result<Checked> {
    db.lock(tx, &format!("second factor:{admin_id}")).await?;
    let key = admin_id.to_string();
    for limit in LIMITS {
        if let Some(retry_after) = tries::wait(&mut **tx, Door::SecondFactor, &key, limit, now).await? {
            return Ok(Checked::TooMany { retry_after });
        }
    }
    tries::write(tx, Door::SecondFactor, &key, now).await?;
    if takes(tx, keys, admin_id, &plain(code), now).await? {
        tries::forget(tx, Door::SecondFactor, &key).await?;
        return Ok(Checked::Right);
    }
    let [short, _] = LIMITS;
    Ok(Checked::Wrong { guessed: tries::wait(&mut **tx, Door::SecondFactor, &key, short, now).await?.is_some() })
}

/// Uses a code up, if it is right and was not used before.
async fn takes(tx: &mut Connection, keys: &Keys, admin_id: i64, code: &str, now: i64) -> anyhow::Result<bool> {
    let row = sqlx::query("SELECT secret_enc FROM second_factor WHERE admin_id = $1 AND confirmed_at IS NOT NULL")
        .bind(admin_id)
        .fetch_optional(&mut *tx)
        .await?;
    let Some(row) = row else { return Ok(false) };
    let used = if let Some(step) = secret(keys, admin_id, row.try_get("secret_enc")?)?.step_of(code, now) {
        sqlx::query("UPDATE second_factor SET last_step = $1 WHERE admin_id = $2 AND last_step < $1")
            .bind(step)
            .bind(admin_id)
            .execute(tx)
            .await?
    } else {
        sqlx::query("UPDATE recovery_code SET used_at = $1 WHERE admin_id = $2 AND code_hash = $3 AND used_at IS NULL")
            .bind(now)
            .bind(admin_id)
            .bind(recovery_hash(keys, admin_id, code))
            .execute(tx)
            .await?
    };
    Ok(used.rows_affected() == 1)
}

/// Gives an account with a right password a ticket for the second step.
pub async fn owe(gate: Gate<'_>, proven: &Proven, origin: &Origin, now: i64) -> Result<String, sqlx::Error> {
    let ticket = crypto::random_text(32);
    let mut tx = gate.db.begin().await?;
    sqlx::query("UPDATE login_log SET result = 'confirmed' WHERE id = $1").bind(proven.attempt).execute(&mut *tx).await?;
    sqlx::query("DELETE FROM sign_in_ticket WHERE expires_at <= $1").bind(now).execute(&mut *tx).await?;
    sqlx::query(
        "INSERT INTO sign_in_ticket (ticket_hash, admin_id, role_id, attempt_id, network, user_agent, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(ticket_hash(gate.keys, &ticket))
    .bind(proven.admin_id)
    .bind(proven.role_id)
    .bind(proven.attempt)
    .bind(Whence::of(origin).network)
    .bind(&origin.user_agent)
    .bind(now)
    .bind(now + TICKET_LIFETIME)
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(ticket)
}

/// Signs an account in by its ticket and a code.
pub async fn sign_in(gate: Gate<'_>, ticket: &str, code: &str, origin: &Origin, now: i64) -> anyhow::Result<SecondStep> {
    let Gate { db, keys, .. } = gate;
    let (alone, settings) = (sign_in::opens_alone(gate).await?, gate.settings.values(db).await?);
    let mut tx = db.begin().await?;
    let hash = ticket_hash(keys, ticket);
    db.lock(&mut tx, &format!("ticket:{hash}")).await?;
    let row = sqlx::query(
        "SELECT t.id, t.admin_id, t.role_id, t.attempt_id, a.username, r.code AS role_code FROM sign_in_ticket t \
         JOIN role r ON r.id = t.role_id \
         JOIN administrator a ON a.id = t.admin_id AND a.status = 'enabled' AND a.deleted_at IS NULL \
         WHERE t.ticket_hash = $1 AND t.expires_at > $2 AND t.tries < $3 AND t.network = $4 AND t.user_agent = $5",
    )
    .bind(&hash)
    .bind(now)
    .bind(TICKET_TRIES)
    .bind(Whence::of(origin).network)
    .bind(&origin.user_agent)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(SecondStep::Lapsed) };
    if AddressRules::of(&settings).refuse(row.try_get("role_code")?, &origin.ip) {
        // The settings, or the address within its network, have changed since the first step.
        return Ok(SecondStep::Lapsed);
    }
    let (id, admin_id): (i64, i64) = (row.try_get("id")?, row.try_get("admin_id")?);
    let step = match check(db, &mut tx, keys, admin_id, code, now).await? {
        Checked::Right => {
            sqlx::query("DELETE FROM sign_in_ticket WHERE id = $1").bind(id).execute(&mut *tx).await?;
            let (role_id, attempt) = (row.try_get("role_id")?, row.try_get("attempt_id")?);
            SecondStep::Done { token: sign_in::open(gate, &mut tx, (admin_id, role_id, attempt), alone, origin, now).await? }
        }
        Checked::Wrong { guessed } => {
            sqlx::query("UPDATE sign_in_ticket SET tries = tries + 1 WHERE id = $1").bind(id).execute(&mut *tx).await?;
            sign_in::log(&mut tx, Some(admin_id), row.try_get("username")?, origin, "wrong", now).await?;
            SecondStep::Wrong { guessed: guessed.then_some(admin_id) }
        }
        Checked::TooMany { retry_after } => SecondStep::TooMany { retry_after },
    };
    tx.commit().await?;
    Ok(step)
}

fn secret(keys: &Keys, admin_id: i64, sealed: &str) -> anyhow::Result<Secret> {
    Secret::parse(&keys.open(&place::SECOND_FACTOR.of(admin_id), sealed)?)
        .ok_or_else(|| anyhow::anyhow!("a second factor's secret is none"))
}

/// A code as people type it: with blanks, a hyphen, capitals, in half or full width.
pub fn plain(code: &str) -> String {
    canonical::code(code).to_lowercase()
}

fn recovery_hash(keys: &Keys, admin_id: i64, code: &str) -> String {
    keys.lookup_hash(&format!("recovery code of {admin_id}: {code}"))
}

fn ticket_hash(keys: &Keys, ticket: &str) -> String {
    keys.lookup_hash(&format!("ticket: {ticket}"))
}
