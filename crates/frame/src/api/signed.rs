//! Calls signed by partners' servers: the signed text, and the check of a signature. The handler of a call knows the
//! partners and their secrets.

use hmac::{Hmac, Mac};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;

use super::ctx::Ctx;
use super::error::{ApiError, Refusal};
use super::input::{Input, InputDoc, Place, Query, Raw, partners_body};
use base::clock::MINUTE;
use base::crypto;
use base::nonce::Nonce;

/// The largest difference between the caller's clock and the server's.
const CLOCK: i64 = 5 * MINUTE;
/// Lengths of a nonce.
const NONCE: std::ops::RangeInclusive<usize> = 8..=64;

/// The signature, in the words of the API's description.
pub const SIGNING: &str = "Signed: `sign` is the lower-case hex HMAC-SHA256, under the caller's secret, of six lines joined by \
    \"\\n\" without one at the end: POST, the path below /api (/open/uv), appId, timestamp, nonce, and the lower-case hex SHA-256 \
    of the body's bytes.";

/// The query of a signed call.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Signature {
    /// The caller's app key.
    pub app_id: String,
    /// Epoch milliseconds, at most five minutes off.
    pub timestamp: i64,
    /// 8 to 64 of `A-Z a-z 0-9 _ -`, never used before by this caller.
    pub nonce: String,
    /// 64 hex digits, in either case.
    pub sign: String,
}

/// A signed JSON object. It may not be used before [`Signed::check`].
pub struct Signed<T> {
    pub signature: Signature,
    body_hash: String,
    body: T,
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for Signed<T> {
    fn read(raw: &Raw<'_>) -> Result<Signed<T>, ApiError> {
        let Query(signature) = Query::<Signature>::read(raw)?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if !NONCE.contains(&signature.nonce.len()) || !signature.nonce.bytes().all(plain) {
            return Err(ApiError::Malformed("nonce".to_owned()));
        }
        Ok(Signed { signature, body_hash: crypto::sha256_hex(raw.body), body: partners_body(raw.body)? })
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Signed, schema: schemas.subschema_for::<T>() }
    }
}

impl<T> Signed<T> {
    /// The body, if its time is near the server's and one of the secrets has signed it; and the nonce, which the
    /// caller of this function claims in the transaction of its work.
    pub fn check(self, cx: &Ctx, secrets: &[String]) -> Result<(T, Nonce), ApiError> {
        let Signature { app_id, timestamp, nonce, sign } = self.signature;
        if timestamp.checked_sub(cx.now).and_then(i64::checked_abs).is_none_or(|off| off > CLOCK) {
            return Err(ApiError::Signed(Refusal::Time));
        }
        let text = canonical(cx.call, &app_id, timestamp, &nonce, &self.body_hash);
        // Hex digits in capitals mean the same.
        let sign = sign.to_ascii_lowercase();
        // All are tried, so that the time does not show which one it was.
        let signed = secrets.iter().filter(|secret| crypto::same(&signature(secret, &text), &sign)).count();
        if signed == 0 {
            return Err(ApiError::Signed(Refusal::Signature));
        }
        // After this moment its timestamp is too old anyway.
        Ok((self.body, Nonce { owner: app_id, token: nonce, expires_at: timestamp + 2 * CLOCK }))
    }
}

/// An address of a partner's server with our signature in its query: calls to partners are signed like calls from
/// them, over the path of the partner's address.
pub fn address(url: &str, app_id: &str, secret: &str, timestamp: i64, nonce: &str, body: &str) -> String {
    let path = url.parse::<axum::http::Uri>().map(|uri| uri.path().to_owned()).unwrap_or_default();
    let sign = signature(secret, &canonical(&path, app_id, timestamp, nonce, &crypto::sha256_hex(body.as_bytes())));
    let (url, _) = url.split_once('#').unwrap_or((url, ""));
    let joint = if url.contains('?') { '&' } else { '?' };
    format!("{url}{joint}appId={app_id}&timestamp={timestamp}&nonce={nonce}&sign={sign}")
}

/// The text to be signed.
fn canonical(path: &str, app_id: &str, timestamp: i64, nonce: &str, body_hash: &str) -> String {
    format!("POST\n{path}\n{app_id}\n{timestamp}\n{nonce}\n{body_hash}")
}

/// Lower-case hex HMAC-SHA256 of a text.
fn signature(secret: &str, text: &str) -> String {
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(text.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    const GUIDE: &str = include_str!("../../../../docs/partner-api.md");
    const CHINESE_GUIDE: &str = include_str!("../../../../docs/partner-api.zh-CN.md");

    /// The values of a worked example of the guide for partners, by their names.
    fn example(name: &str) -> HashMap<&'static str, &'static str> {
        let (_, rest) = GUIDE.split_once(&format!("<!-- example: {name};")).expect("the guide has this example");
        let (_, rest) = rest.split_once("```text\n").expect("a block of values follows");
        let (values, _) = rest.split_once("```").expect("the block ends");
        values.lines().map(|line| line.split_once(" = ").expect("a line is a name and a value")).collect()
    }

    /// The lines to be signed in an example, and their signature.
    fn signed(values: &HashMap<&str, &str>) -> (String, String) {
        let hash = crypto::sha256_hex(values["body"].as_bytes());
        assert_eq!(hash, values["hash"]);
        let text = canonical(values["path"], values["appId"], values["timestamp"].parse().unwrap(), values["nonce"], &hash);
        let sign = signature(values["secret"], &text);
        (text, sign)
    }

    /// What does not depend on the language of a guide: its examples, the levels of its headings, and the code in the first
    /// column of its tables.
    fn outline(guide: &str) -> Vec<String> {
        let mut in_example = false;
        let mut lines = Vec::new();
        for line in guide.lines() {
            let is_fence = line.starts_with("```");
            in_example ^= is_fence;
            if in_example || is_fence || line.starts_with("    ") {
                lines.push(line.to_owned());
            } else if line.starts_with('#') {
                lines.push(line.split(' ').next().unwrap_or_default().to_owned());
            } else if line.starts_with('|') {
                let cells: Vec<&str> = line.split('|').collect();
                lines.push(format!("{} cells, {}", cells.len(), code(cells[1])));
            }
        }
        lines
    }

    /// The parts of a text between backticks.
    fn code(text: &str) -> String {
        text.split('`').skip(1).step_by(2).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_partner_guide_says_the_same_in_both_languages() {
        let (english, chinese) = (outline(GUIDE), outline(CHINESE_GUIDE));
        for (one, other) in english.iter().zip(&chinese) {
            assert_eq!(one, other);
        }
        assert_eq!(english.len(), chinese.len());
    }

    #[test]
    fn the_signed_call_of_the_partner_guide_is_right() {
        let values = example("call");
        let (text, sign) = signed(&values);
        assert_eq!(sign, values["sign"]);
        assert_eq!(text.lines().count(), 6);
        assert!(GUIDE.contains(&format!("```text\n{text}\n```")), "the guide shows what is signed: {text}");
        // The shell commands of the guide sign the same values.
        for command in [
            format!("body='{}'\n", values["body"]),
            format!(
                "'POST\\n{path}\\n{appId}\\n{timestamp}\\n{nonce}\\n%s'",
                path = values["path"],
                appId = values["appId"],
                timestamp = values["timestamp"],
                nonce = values["nonce"]
            ),
            format!("-hmac {} ", values["secret"]),
            format!("?appId={}&timestamp={}&nonce={}&sign=$sign", values["appId"], values["timestamp"], values["nonce"]),
        ] {
            assert!(GUIDE.contains(&command), "{command}");
        }
    }

    #[test]
    fn the_signed_callback_of_the_partner_guide_is_right() {
        let values = example("callback");
        assert_eq!(signed(&values).1, values["sign"]);
        let (url, _) = values["url"].split_once("&appId=").expect("the signature follows the address's own query");
        let timestamp = values["timestamp"].parse().unwrap();
        assert_eq!(address(url, values["appId"], values["secret"], timestamp, values["nonce"], values["body"]), values["url"]);
    }

    #[test]
    fn the_question_of_the_partner_guide_names_the_phone_by_its_md5() {
        let values = example("question");
        assert_eq!(crypto::md5_hex(values["phone"]), values["phoneMd5"]);
        assert!(values["body"].contains(values["phoneMd5"]));
    }

    #[test]
    fn the_path_and_not_the_query_of_an_outgoing_address_is_signed() {
        let made = address("https://a.example.com/back/x?k=1#y", "demo-app-key", "demo-secret", 5, "n0nce-0001", "{}");
        let text = canonical("/back/x", "demo-app-key", 5, "n0nce-0001", &crypto::sha256_hex(b"{}"));
        let sign = signature("demo-secret", &text);
        assert_eq!(made, format!("https://a.example.com/back/x?k=1&appId=demo-app-key&timestamp=5&nonce=n0nce-0001&sign={sign}"));
        assert!(address("https://a.example.com", "k", "s", 5, "n", "{}").starts_with("https://a.example.com?appId=k&"));
    }
}
