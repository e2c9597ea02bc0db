//! What visitors agree to before they write, and which words it was: they are kept, so that the very words that a customer
//! agreed to can be read years later, whatever the page says by then.

use base::crypto;
use base::db::Connection;
use base::locale::Locale;

/// The words of today.
pub fn text(locale: Locale) -> &'static str {
    locale.pick("我同意为答复咨询而处理我提供的个人信息", "I agree that the personal data I give is processed to answer my questions")
}

/// The version of the words of today: their SHA-256. A form sends it back, so that what is kept is what was read.
pub fn version(locale: Locale) -> String {
    crypto::sha256_hex(text(locale).as_bytes())
}

/// The language whose words of today have this version; none for words of another day.
pub fn of(version: &str) -> Option<Locale> {
    [Locale::Chinese, Locale::English].into_iter().find(|locale| self::version(*locale) == version)
}

/// Keeps the words of today, and answers their version.
pub async fn keep(tx: &mut Connection, locale: Locale, now: i64) -> Result<String, sqlx::Error> {
    let version = version(locale);
    sqlx::query("INSERT INTO chat_consent (version, locale, text, at) VALUES ($1, $2, $3, $4) ON CONFLICT (version) DO NOTHING")
        .bind(&version)
        .bind(locale.tag())
        .bind(text(locale))
        .bind(now)
        .execute(tx)
        .await?;
    Ok(version)
}
