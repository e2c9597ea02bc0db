//! The provider of short messages: one HTTP call for each, signed like our calls to channels, with our number, by
//! which a repeated message is recognised.
//!
//! The request is `{"no": "SMS-7", "phone": …, "signName": …, "text": …, "template": …, "params": {…}}`, and the
//! answer `{"code": "0000", "no": its number}`, or another code and the reason in `msg`.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::api::signed;
use crate::api::{ApiError, App};
use crate::setting::{self, Values};
use base::crypto;
use base::outside::{Answer, Caller, Fault};

use super::kind::Params;
use super::store::LONGEST_NO;
use base::mask;

/// How long to wait for an answer.
const WITHIN: Duration = Duration::from_secs(10);
/// Characters of a reason that are kept.
const LONGEST: usize = 200;

/// The address of the provider, and our account there.
pub struct Provider {
    url: String,
    id: String,
    key: String,
    sign_name: String,
}

/// The result of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The provider has it; with its own number, if it gave one.
    Accepted(Option<String>),
    /// The provider knows the number already: it has the message from an earlier try whose answer was lost, if there
    /// was one. With the reason.
    Known(String),
    /// It can never be sent: the phone or the text is wrong. With the reason.
    Refused(String),
    /// It did not arrive, or the connection's settings are wrong. With the reason.
    NotSent(String),
    /// It is unknown whether it arrived. With the reason.
    Unknown(String),
}

/// A message to be sent.
pub struct Outgoing<'o> {
    /// Our number of it.
    pub no: &'o str,
    pub phone: &'o str,
    pub text: String,
    /// The provider's number of the template; empty if none is set.
    pub template: String,
    pub params: &'o Params,
}

#[derive(Deserialize)]
struct Word {
    code: String,
    #[serde(default)]
    msg: String,
    /// Some providers send numbers.
    #[serde(default)]
    no: serde_json::Value,
}

impl Provider {
    /// The provider in the settings, if there is one.
    pub fn of(app: &App, values: &Values) -> Result<Option<Provider>, ApiError> {
        let url = values.get(&setting::SMS_PROVIDER_URL);
        if url.is_empty() {
            return Ok(None);
        }
        let key = key(app, values)?.unwrap_or_default();
        Ok(Some(Provider { url, id: values.get(&setting::SMS_PROVIDER_ID), key, sign_name: values.get(&setting::SMS_SIGN_NAME) }))
    }

    /// Sends a message.
    pub async fn send(&self, caller: Caller, message: &Outgoing<'_>, now: i64) -> Outcome {
        if self.key.is_empty() {
            return Outcome::NotSent("no_key".to_owned());
        }
        // It is put into the address as it is.
        if self.id.is_empty() || !self.id.chars().all(|char| char.is_ascii_alphanumeric() || "._-".contains(char)) {
            return Outcome::NotSent("bad_account".to_owned());
        }
        let Outgoing { no, phone, text, template, params } = message;
        let body = json!({"no": no, "phone": phone, "signName": self.sign_name, "text": text, "template": template, "params": params});
        let body = body.to_string();
        let address = signed::address(&self.url, &self.id, &self.key, now, &crypto::random_text(16), &body);
        let (answer, _) = caller.post_json(&address, body, Some(no), WITHIN).await;
        match read(answer) {
            Outcome::Refused(why) => Outcome::Refused(without(&why, params)),
            outcome => outcome,
        }
    }
}

/// The key for signatures, of our calls and of the provider's reports.
pub fn key(app: &App, values: &Values) -> Result<Option<String>, ApiError> {
    values.secret(&setting::SMS_PROVIDER_KEY, &app.keys).map_err(|error| ApiError::Internal(error.into()))
}

/// The provider's text in a form that may be stored: without a whole phone, and shortened.
pub fn kept_words(words: &str) -> String {
    mask::beginning(words, LONGEST)
}

/// The provider's number of a message, if it can be stored.
pub fn kept_no(no: &str) -> Option<String> {
    let no = no.trim();
    (!no.is_empty() && no.chars().count() <= LONGEST_NO && !no.chars().any(char::is_control)).then(|| no.to_owned())
}

/// A reason without the values of the text: it may repeat the code.
fn without(why: &str, params: &Params) -> String {
    params.values().filter(|value| value.chars().count() >= 4).fold(why.to_owned(), |why, value| why.replace(value.as_str(), "***"))
}

fn read(answer: Result<Answer, Fault>) -> Outcome {
    match answer {
        Err(Fault::NotPublic) => Outcome::NotSent("not_public".to_owned()),
        Err(Fault::Unreachable) => Outcome::NotSent("unreachable".to_owned()),
        Err(Fault::TooLate) => Outcome::Unknown("too_late".to_owned()),
        Err(Fault::TooLarge) => Outcome::Unknown("too_large".to_owned()),
        Err(Fault::Cut) => Outcome::Unknown("cut".to_owned()),
        Ok(Answer { status, body }) => match (status, serde_json::from_slice::<Word>(&body)) {
            (200..300, Ok(word)) if word.code == "0000" => Outcome::Accepted(match &word.no {
                serde_json::Value::String(no) => kept_no(no),
                serde_json::Value::Number(no) => kept_no(&no.to_string()),
                _ => None,
            }),
            // A reason may contain the phone.
            (200..300, Ok(word)) => Outcome::Refused(kept_words(&format!("{} {}", word.code, word.msg))),
            // The settings are wrong, not the message: a key, an address. Or there are too many messages.
            (300..400 | 401 | 403 | 404 | 405 | 407 | 408 | 415 | 421 | 425 | 426 | 429, _) => Outcome::NotSent(format!("http_{status}")),
            (409, _) => Outcome::Known("http_409".to_owned()),
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
        assert_eq!(says(200, r#"{"code":"0000","no":"P-1"}"#), Outcome::Accepted(Some("P-1".to_owned())));
        assert_eq!(says(200, r#"{"code":"0000","no":17}"#), Outcome::Accepted(Some("17".to_owned())));
        assert_eq!(says(200, r#"{"code":"0000","no":[]}"#), Outcome::Accepted(None));
        assert_eq!(says(200, r#"{"code":"17","msg":"13812345678 空号"}"#), Outcome::Refused("17 138****5678 空号".to_owned()));
        assert_eq!(says(401, "{}"), Outcome::NotSent("http_401".to_owned()));
        assert_eq!(says(400, "{}"), Outcome::Refused("http_400".to_owned()));
        assert_eq!(says(409, "{}"), Outcome::Known("http_409".to_owned()));
        assert_eq!(says(500, r#"{"code":"0000"}"#), Outcome::Unknown("http_500".to_owned()));
        assert_eq!(says(200, "<html>"), Outcome::Unknown("unreadable".to_owned()));
        assert_eq!(read(Err(Fault::TooLate)), Outcome::Unknown("too_late".to_owned()));
        assert_eq!(read(Err(Fault::Unreachable)), Outcome::NotSent("unreachable".to_owned()));
    }

    #[test]
    fn a_reason_does_not_repeat_the_code() {
        let params = Params::from([("code".to_owned(), "482913".to_owned()), ("minutes".to_owned(), "5".to_owned())]);
        assert_eq!(without("15 bad text: 验证码 482913, 5 min", &params), "15 bad text: 验证码 ***, 5 min");
    }
}
