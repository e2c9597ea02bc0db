//! Codes by short message that prove a visitor's phone number: requested and entered on the visitors' page. Before
//! that the number is only the visitor's statement.

use futures_util::FutureExt;
use serde_json::json;
use sqlx::Row;

use super::conversation::store::{self, Held};
use super::conversation::{inbound, write};
use super::customer::store as customers;
use super::feed;
use base::address::Sender;
use base::clock::{DAY, HOUR, MINUTE};
use base::crypto::{self, Keys, place};
use base::db::{self, Connection};
use frame::api::{ApiError, App, Result, say};
use frame::old_rows::{Keep, OldRows};
use frame::sms::verification::{Asked, LIFETIME, TRIES};
use frame::sms::{self, NewSms, SmsKind};

/// Codes in a day for one visitor, and for one number from all visitors together, one a minute.
const PER_VISITOR: i64 = 5;
const PER_PHONE: i64 = 5;
/// The most codes in an hour that one network may request, and that are sent to all visitors and to those of one
/// site: each message costs money.
const PER_NETWORK: i64 = 10;
const OF_ALL: i64 = 500;
const OF_SITE: i64 = OF_ALL / 2;
/// Wrong codes for one number in a day, by all visitors together. After that no code for the number is accepted.
const WRONG_PER_PHONE: i64 = 20;
/// Digits of a code.
const DIGITS: usize = 6;

/// Sends a code to a visitor's number. `sender` is the origin of the request.
///
/// A visitor who has requested too many codes is refused. If others have used up the limit of the number, no code is
/// sent but the answer is the same as if it were: it must not reveal that other visitors request codes.
pub async fn send(app: &App, customer_id: i64, sender: &Sender) -> Result<()> {
    let keys = &app.keys;
    let now = app.clock.now();
    let hash = |network: &str| keys.lookup_hash(&format!("network of a code: {network}"));
    let (network_hash, site_hash) = (hash(&sender.network), sender.site.as_deref().map(hash));
    let mut tx = app.db.begin().await?;
    let row = sqlx::query("SELECT phone_enc, phone_hash, phone_verified_at FROM chat_customer WHERE id = $1 AND status = 'active'")
        .bind(customer_id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(inbound::refused)?;
    let (sealed, phone_hash): (Option<String>, Option<String>) = (row.try_get("phone_enc")?, row.try_get("phone_hash")?);
    let (Some(sealed), Some(phone_hash)) = (sealed, phone_hash) else {
        return Err(ApiError::State(say("请先留下手机号", "Leave your mobile number first")));
    };
    if row.try_get::<Option<i64>, _>("phone_verified_at")?.is_some() {
        return Err(ApiError::State(say("手机号已验证", "Your number is verified already")));
    }
    let phone = keys.open(&place::CHAT_CUSTOMER_PHONE.of(customer_id), &sealed).map_err(|error| ApiError::Internal(error.into()))?;
    // Locked in this order everywhere, which prevents deadlocks.
    for lock in [format!("chat code:{phone_hash}"), format!("chat code from:{network_hash}"), format!("chat code of:{customer_id}")] {
        app.db.lock(&mut tx, &lock).await?;
    }
    const ASKED: &str = "SELECT COUNT(*) AS sent, MAX(created_at) AS last, MIN(created_at) AS first FROM chat_phone_code";
    let asked = |condition: &str| sqlx::AssertSqlSafe(format!("{ASKED} WHERE {condition} AND created_at > $2"));
    let own = sqlx::query(asked("customer_id = $1")).bind(customer_id).bind(now - DAY).fetch_one(&mut *tx).await?;
    let of_phone = sqlx::query(asked("phone_hash = $1 AND sent = 1")).bind(&phone_hash).bind(now - DAY).fetch_one(&mut *tx).await?;
    let of_network = sqlx::query(asked("network_hash = $1")).bind(&network_hash).bind(now - HOUR).fetch_one(&mut *tx).await?;
    let of_all = sqlx::query(asked("sent = $1")).bind(1_i64).bind(now - HOUR).fetch_one(&mut *tx).await?;
    let wait = Asked::read(&own)?.wait(PER_VISITOR, now);
    if wait > 0 {
        return Err(asked_too_often(wait));
    }
    let of_site = match &site_hash {
        Some(site) => {
            let of_site = sqlx::query(asked("site_hash = $1 AND sent = 1")).bind(site).bind(now - HOUR).fetch_one(&mut *tx).await?;
            Asked::read(&of_site)?.sent
        }
        None => 0,
    };
    if Asked::read(&of_network)?.sent >= PER_NETWORK || of_site >= OF_SITE {
        return Err(ApiError::TooOften {
            message: say(
                "您所在的网络获取验证码过于频繁，请一小时后再试",
                "Your network has asked for too many codes. Try again in an hour",
            ),
            retry_after: HOUR / 1000,
        });
    }
    if Asked::read(&of_all)?.sent >= OF_ALL {
        tracing::warn!("chat: visitors have asked for {OF_ALL} codes within an hour; no more are sent");
        return Err(ApiError::Busy);
    }
    let is_sent = Asked::read(&of_phone)?.wait(PER_PHONE, now) == 0 && wrong_codes(&mut tx, &phone_hash, now).await? < WRONG_PER_PHONE;
    let code = crypto::random_code();
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO chat_phone_code (customer_id, phone_hash, code_hash, network_hash, site_hash, sent, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
    )
    .bind(customer_id)
    .bind(&phone_hash)
    .bind(code_hash(keys, customer_id, &phone_hash, &code))
    .bind(&network_hash)
    .bind(site_hash)
    .bind(i64::from(is_sent))
    .bind(now)
    .bind(now + LIFETIME)
    .fetch_one(&mut *tx)
    .await?;
    if is_sent {
        let new = NewSms {
            kind: SmsKind::Code,
            phone: &phone,
            params: &[("code", code), ("minutes", (LIFETIME / MINUTE).to_string())],
            idem_key: &format!("chat code:{id}"),
            expires_at: now + LIFETIME,
            created_by: None,
        };
        sms::queue(&mut tx, keys, &new, now).await?;
    }
    Ok(tx.commit().await?)
}

/// The answer to a visitor who may request the next code after so many milliseconds.
fn asked_too_often(wait: i64) -> ApiError {
    let seconds = (wait + 999) / 1000;
    let message = match wait {
        ..=MINUTE => say(format!("请 {seconds} 秒后再获取验证码"), format!("You can get another code in {seconds} seconds")),
        _ => say(
            format!("每天最多获取 {PER_VISITOR} 次验证码，请明天再试"),
            format!("You can get {PER_VISITOR} codes in a day. Try again tomorrow"),
        ),
    };
    ApiError::TooOften { message, retry_after: seconds }
}

/// Whether a visitor has an open code to enter.
pub async fn is_awaited(app: &App, customer_id: i64) -> Result<bool> {
    let found = sqlx::query(
        "SELECT p.id FROM chat_phone_code p JOIN chat_customer k ON k.id = p.customer_id AND k.phone_hash = p.phone_hash \
         WHERE p.customer_id = $1 AND p.expires_at > $2 AND p.used_at IS NULL AND p.tries < $3 LIMIT 1",
    )
    .bind(customer_id)
    .bind(app.clock.now())
    .bind(TRIES)
    .fetch_optional(app.db.read())
    .await?;
    Ok(found.is_some())
}

/// The result of an entered code.
enum Judged {
    Right,
    Wrong,
    /// There is none, or it was tried too often.
    None,
}

/// Checks a code that a visitor has entered. If it is right, the number is verified until the visitor enters another
/// number.
pub async fn enter(app: &App, held: &Held, code: &str) -> Result<()> {
    if code.len() != DIGITS || !code.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ApiError::field("code", say(format!("请输入 {DIGITS} 位验证码"), format!("Enter the code of {DIGITS} digits"))));
    }
    let now = app.clock.now();
    let judged = feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            // The customer is locked before the conversation, as for a message.
            let row = sqlx::query("UPDATE chat_customer SET version = version WHERE id = $1 AND status = 'active' RETURNING phone_hash")
                .bind(held.customer_id)
                .fetch_optional(&mut **tx)
                .await?
                .ok_or_else(inbound::refused)?;
            let Some(phone_hash) = row.try_get::<Option<String>, _>("phone_hash")? else { return Ok(Judged::None) };
            // Visitors who enter codes for one number do so one after the other.
            app.db.lock(&mut tx, &format!("chat code:{phone_hash}")).await?;
            let asked = sqlx::query(
                "SELECT id, code_hash, sent FROM chat_phone_code WHERE customer_id = $1 AND phone_hash = $2 AND expires_at > $3 AND used_at IS NULL \
                 AND tries < $4 ORDER BY id DESC LIMIT 1",
            )
            .bind(held.customer_id)
            .bind(&phone_hash)
            .bind(now)
            .bind(TRIES)
            .fetch_optional(&mut **tx)
            .await?;
            let Some(asked) = asked else { return Ok(Judged::None) };
            let id: i64 = asked.try_get("id")?;
            let is_same = crypto::same(asked.try_get("code_hash")?, &code_hash(&app.keys, held.customer_id, &phone_hash, code));
            // A code that was not sent is never right, and gets the same answer as a wrong one.
            if !is_same || !db::flag(&asked, "sent")? || wrong_codes(&mut tx, &phone_hash, now).await? >= WRONG_PER_PHONE {
                sqlx::query("UPDATE chat_phone_code SET tries = tries + 1 WHERE id = $1").bind(id).execute(&mut **tx).await?;
                return Ok(Judged::Wrong);
            }
            sqlx::query("UPDATE chat_phone_code SET used_at = $1 WHERE id = $2").bind(now).bind(id).execute(&mut **tx).await?;
            customers::set_phone_verified(&mut tx, held.customer_id, now).await?;
            let held = store::hold(&mut tx, held.id).await?.ok_or(ApiError::Missing)?;
            write::system(&mut tx, &held, &json!({"event": "phone_verified"}), events, now).await?;
            events.push(write::changed(&held));
            Ok::<_, ApiError>(Judged::Right)
        }
        .boxed()
    })
    .await?;
    match judged {
        Judged::Right => Ok(()),
        Judged::Wrong => Err(ApiError::field("code", say("验证码不正确", "The code is wrong"))),
        Judged::None => Err(ApiError::field("code", say("验证码已失效，请重新获取", "The code is no longer valid. Get a new one"))),
    }
}

/// The wrong codes that all visitors have entered for a number within a day.
async fn wrong_codes(tx: &mut Connection, phone_hash: &str, now: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar("SELECT CAST(COALESCE(SUM(tries), 0) AS BIGINT) FROM chat_phone_code WHERE phone_hash = $1 AND created_at > $2")
        .bind(phone_hash)
        .bind(now - DAY)
        .fetch_one(tx)
        .await
}

/// The stored hash of a code, with its purpose and customer, so that it differs from every other look-up hash.
fn code_hash(keys: &Keys, customer_id: i64, phone_hash: &str, code: &str) -> String {
    keys.lookup_hash(&format!("chat code of {customer_id} for {phone_hash}: {code}"))
}

/// Codes that were sent to visitors, kept so that an attack can be investigated.
pub const OLD_CODES: OldRows = OldRows {
    name: "codes of visitors",
    keep: Keep::Days(30),
    statement: "DELETE FROM chat_phone_code WHERE id IN (SELECT id FROM chat_phone_code WHERE created_at < $1 ORDER BY created_at LIMIT $2)",
};
