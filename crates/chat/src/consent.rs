//! The consent of visitors before they write. Each text is stored, so that the text that a customer agreed to can be
//! read years later.

use base::crypto;
use base::db::Connection;
use base::locale::Locale;

/// The present text.
pub fn text(locale: Locale) -> &'static str {
    locale.pick("我同意为答复咨询而处理我提供的个人信息", "I agree that the personal data I give is processed to answer my questions")
}

/// The version of the present text: its SHA-256. The form sends it back, so that the stored text is the one that was
/// read.
pub fn version(locale: Locale) -> String {
    crypto::sha256_hex(text(locale).as_bytes())
}

/// The language whose present text has this version; none for an earlier text.
pub fn of(version: &str) -> Option<Locale> {
    [Locale::Chinese, Locale::English].into_iter().find(|locale| self::version(*locale) == version)
}

/// Stores the present text, and returns its version.
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
