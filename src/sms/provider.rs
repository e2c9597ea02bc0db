//! The provider that short messages go through: one HTTP call for each, signed as our calls to channels
//! are, under a number of ours by which one that comes twice is known.
//!
//! It is sent `{"no": "SMS-7", "phone": …, "signName": …, "text": …}`, and answers
//! `{"code": "0000", "no": its number}`, or another code and why not in `msg`.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::api::signed;
use crate::api::{ApiError, App};
use crate::crypto;
use crate::org::message::masked;
use crate::outbox::Sms;
use crate::outside::{Answer, Caller, Fault};
use crate::setting;

/// How long an answer is waited for.
const WITHIN: Duration = Duration::from_secs(10);
/// Characters kept of why not.
const LONGEST: usize = 200;

/// Where messages go, and who we are there.
pub struct Provider {
    url: String,
    id: String,
    key: String,
    sign_name: String,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Accepted,
    /// It will never be: the phone or the text is wrong. Why.
    Refused(String),
    /// It did not arrive, or the line is wrong. Why.
    NotSent(String),
    /// Nobody knows whether it arrived. Why.
    Unknown(String),
}

#[derive(Deserialize)]
struct Word {
    code: String,
    #[serde(default)]
    msg: String,
}

impl Provider {
    /// The one that is set, if there is one.
    pub async fn of(app: &App) -> Result<Option<Provider>, ApiError> {
        let values = app.settings.values(&app.db).await?;
        let url = values.get(&setting::SMS_PROVIDER_URL);
        if url.is_empty() {
            return Ok(None);
        }
        let key =
            values.secret(&setting::SMS_PROVIDER_KEY, &app.keys).map_err(|error| ApiError::Internal(error.into()))?.unwrap_or_default();
        Ok(Some(Provider { url, id: values.get(&setting::SMS_PROVIDER_ID), key, sign_name: values.get(&setting::SMS_SIGN_NAME) }))
    }

    /// Sends a message under a number of ours.
    pub async fn send(&self, caller: Caller, no: &str, message: &Sms, now: i64) -> Outcome {
        if self.key.is_empty() {
            return Outcome::NotSent("no_key".to_owned());
        }
        // It stands in the address as it is.
        if self.id.is_empty() || !self.id.chars().all(|char| char.is_ascii_alphanumeric() || "._-".contains(char)) {
            return Outcome::NotSent("bad_account".to_owned());
        }
        let body = json!({"no": no, "phone": message.phone, "signName": self.sign_name, "text": message.text}).to_string();
        let address = signed::address(&self.url, &self.id, &self.key, now, &crypto::random_text(16), &body);
        let (answer, _) = caller.post_json(&address, body, Some(no), WITHIN).await;
        read(answer)
    }
}

fn read(answer: Result<Answer, Fault>) -> Outcome {
    match answer {
        Err(Fault::NotPublic) => Outcome::NotSent("not_public".to_owned()),
        Err(Fault::Unreachable) => Outcome::NotSent("unreachable".to_owned()),
        Err(Fault::TooLate) => Outcome::Unknown("too_late".to_owned()),
        Err(Fault::TooLarge) => Outcome::Unknown("too_large".to_owned()),
        Err(Fault::Cut) => Outcome::Unknown("cut".to_owned()),
        Ok(Answer { status, body }) => match (status, serde_json::from_slice::<Word>(&body)) {
            (200..300, Ok(word)) if word.code == "0000" => Outcome::Accepted,
            // A reason may name the phone.
            (200..300, Ok(word)) => Outcome::Refused(masked(&format!("{} {}", word.code, word.msg)).chars().take(LONGEST).collect()),
            // The line is wrong, not the message: a key, an address. Or it comes too often.
            (300..400 | 401 | 403 | 404 | 405 | 407 | 408 | 415 | 421 | 425 | 426 | 429, _) => Outcome::NotSent(format!("http_{status}")),
            (400..500, _) => Outcome::Refused(format!("http_{status}")),
            (200..300, Err(_)) => Outcome::Unknown("unreadable".to_owned()),
            _ => Outcome::Unknown(format!("http_{status}")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_what_became_of_a_message() {
        let says = |status: u16, body: &str| read(Ok(Answer { status, body: body.as_bytes().to_vec() }));
        assert_eq!(says(200, r#"{"code":"0000","no":"P-1"}"#), Outcome::Accepted);
        assert_eq!(says(200, r#"{"code":"17","msg":"13812345678 空号"}"#), Outcome::Refused("17 138****5678 空号".to_owned()));
        assert_eq!(says(401, "{}"), Outcome::NotSent("http_401".to_owned()));
        assert_eq!(says(400, "{}"), Outcome::Refused("http_400".to_owned()));
        assert_eq!(says(500, r#"{"code":"0000"}"#), Outcome::Unknown("http_500".to_owned()));
        assert_eq!(says(200, "<html>"), Outcome::Unknown("unreadable".to_owned()));
        assert_eq!(read(Err(Fault::TooLate)), Outcome::Unknown("too_late".to_owned()));
        assert_eq!(read(Err(Fault::Unreachable)), Outcome::NotSent("unreachable".to_owned()));
    }
}
