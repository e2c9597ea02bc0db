//! One call to an organisation: an applicant under its field names, sealed in its way, and the answer.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{Any, Executor};
use strum::{EnumString, IntoStaticStr};

use super::delivery::{self, OrgApi, OrgCrypto};
use super::expression::Expression;
use super::message::{Applicant, Purpose, build};
use super::sealing::{SealError, seal};
use super::signing::Signer;
use base::crypto::{self, Keys};
use base::mask;
use base::outside::{Answer, Caller, Fault};
use frame::api::{Result, signed};

/// Characters of an answer that are kept.
const MOST_SHOWN: usize = 8000;

/// The address of an organisation that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum DeliveryCall {
    Match,
    Apply,
    /// Whether it has a lead that it may have been sent.
    Query,
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum DeliveryVerdict {
    /// The answer meets the expression.
    Accepted,
    /// It does not.
    Refused,
    /// The answer to a query: it does not have the lead.
    NotThere,
    /// The answer is not a yes, and expresses in the organisation's own way that it knows the person already.
    Known,
    /// The answer is not JSON, or there is no expression to read it.
    Unreadable,
    /// Another status than 2xx; a redirect is not followed.
    BadStatus,
    /// Not within the time in the settings.
    TooLate,
    /// The connection ended before the answer did.
    Cut,
    /// The answer is too large.
    TooLarge,
    /// The server cannot be reached.
    Unreachable,
    /// An address in the platform's own network.
    NotPublic,
}

/// The field with the platform's number of a lead.
const LEAD_NO: &str = "leadNo";

/// The fields in which an organisation names its page for the applicant's agreement.
pub const AUTH_PAGES: &[&str] = &["authUrl", "auth_url", "authorizeUrl", "authorize_url"];

/// The exchanged data, in a form that may be shown.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub url: String,
    /// The request before sealing, without data that identifies the applicant.
    pub request: String,
    /// The HTTP status; none without an answer.
    pub status: Option<i64>,
    /// The response in the same form, cut if it is long.
    pub response: String,
    pub milliseconds: i64,
    pub verdict: DeliveryVerdict,
    /// The answer, if it is JSON; and the form that may be shown.
    pub answer: Option<Value>,
    pub shown: Option<Value>,
}

/// The way to call an organisation: its delivery settings, its key in use, and the signing key if it has one.
pub struct Line {
    pub settings: OrgApi,
    key: Option<String>,
    signer: Option<Signer>,
    /// Calls are signed with this time; epoch milliseconds.
    opened_at: i64,
}

impl Line {
    /// The way to call an organisation.
    pub async fn open<'e>(on: impl Executor<'e, Database = Any>, house: &Keys, org_id: i64, now: i64) -> Result<Line> {
        let (settings, key, signer) = delivery::in_use(on, house, org_id, now).await?;
        Ok(Line { settings, key, signer, opened_at: now })
    }

    /// Whether it is sealed, but has no key.
    pub fn lacks_key(&self) -> bool {
        self.settings.crypto != OrgCrypto::None && self.key.is_none()
    }

    /// Whether it can be queried about a lead that it may have.
    pub fn can_be_asked(&self) -> bool {
        self.settings.query_url.is_some() && !self.settings.query_ok_expr.is_empty()
    }

    /// Builds a call, if there is an address for it.
    pub fn prepare(&self, call: DeliveryCall, applicant: &Applicant) -> std::result::Result<Option<Prepared>, SealError> {
        let (url, purpose, expression) = match call {
            DeliveryCall::Match => (&self.settings.match_url, Purpose::Match, &self.settings.match_ok_expr),
            DeliveryCall::Apply => (&self.settings.apply_url, Purpose::Apply, &self.settings.apply_ok_expr),
            // A lead is identified by its number, whatever else is mapped, and the phone's MD5: no name is sent.
            DeliveryCall::Query => (&self.settings.query_url, Purpose::Match, &self.settings.query_ok_expr),
        };
        let Some(url) = url else { return Ok(None) };
        let message = |applicant: &Applicant| {
            let mut message = build(&self.settings, applicant, purpose);
            if call == DeliveryCall::Query
                && !self.settings.field_map.contains_key(LEAD_NO)
                && let (Value::Object(message), Some(no)) = (&mut message, applicant.get(LEAD_NO))
            {
                message.insert(LEAD_NO.to_owned(), no.clone());
            }
            message
        };
        let sealed = seal(self.settings.crypto, self.key.as_deref(), &message(applicant).to_string())?;
        Ok(Some(Prepared {
            url: url.clone(),
            address: self.signer.as_ref().map_or_else(|| url.clone(), |signer| self.signed(url, signer, &sealed)),
            request: mask::numbers(&serde_json::to_string_pretty(&message(&disguised(applicant))).expect("a message serialises")),
            sealed,
            expression: expression.clone(),
            none_expression: if call == DeliveryCall::Query { self.settings.query_none_expr.clone() } else { String::new() },
            known_expression: self.settings.known_expr.clone(),
            within: Duration::from_millis(u64::try_from(self.settings.timeout_ms).unwrap_or_default()),
        }))
    }

    fn signed(&self, url: &str, Signer { app_key, secret }: &Signer, body: &str) -> String {
        signed::address(url, app_key, secret, self.opened_at, &crypto::random_text(16), body)
    }

    /// Makes one call, if there is an address for it; waits no longer than the settings say, nor than `most`.
    pub async fn call(
        &self,
        caller: Caller,
        call: DeliveryCall,
        applicant: &Applicant,
        most: Duration,
    ) -> std::result::Result<Option<Exchange>, SealError> {
        match self.prepare(call, applicant)? {
            Some(prepared) => Ok(Some(prepared.send(caller, applicant, None, most).await)),
            None => Ok(None),
        }
    }
}

/// A call before it is made.
pub struct Prepared {
    pub url: String,
    /// The request before sealing, without data that identifies the applicant.
    pub request: String,
    /// The address with the platform's signature, if there is one.
    address: String,
    sealed: String,
    expression: String,
    /// The expression for an answer that it does not have the lead; empty if there is none.
    none_expression: String,
    /// The expression for an answer that it knows the person; empty if there is none.
    known_expression: String,
    within: Duration,
}

impl Prepared {
    fn judge(&self, answer: &Answer) -> DeliveryVerdict {
        let verdict = judge(answer, &self.expression);
        let is_no = matches!(verdict, DeliveryVerdict::Refused | DeliveryVerdict::Unreadable);
        // A yes counts as yes, whatever else it contains. Of other statuses these are about the request's content.
        let may_know = is_no || [400, 409, 422].contains(&answer.status);
        if is_no && holds(answer, &self.none_expression) == Some(true) {
            DeliveryVerdict::NotThere
        } else if may_know && holds(answer, &self.known_expression) == Some(true) {
            DeliveryVerdict::Known
        } else {
            verdict
        }
    }

    /// Makes the call; waits no longer than the settings say, nor than `most`. A repeated request has the same `key`.
    pub async fn send(self, caller: Caller, applicant: &Applicant, key: Option<&str>, most: Duration) -> Exchange {
        let (answer, milliseconds) = caller.post_json(&self.address, self.sealed.clone(), key, self.within.min(most)).await;
        let (status, response, verdict) = match &answer {
            Ok(answer) => (Some(i64::from(answer.status)), shown(&answer.body, applicant), self.judge(answer)),
            Err(fault) => (None, String::new(), verdict_of(*fault)),
        };
        Exchange {
            url: self.url,
            request: self.request,
            status,
            shown: serde_json::from_str(&response).ok(),
            response: response.chars().take(MOST_SHOWN).collect(),
            milliseconds,
            verdict,
            answer: answer.ok().and_then(|answer| serde_json::from_slice(&answer.body).ok()),
        }
    }
}

fn verdict_of(fault: Fault) -> DeliveryVerdict {
    match fault {
        Fault::NotPublic => DeliveryVerdict::NotPublic,
        Fault::TooLate => DeliveryVerdict::TooLate,
        Fault::TooLarge => DeliveryVerdict::TooLarge,
        Fault::Unreachable => DeliveryVerdict::Unreachable,
        Fault::Cut => DeliveryVerdict::Cut,
    }
}

fn judge(answer: &Answer, expression: &str) -> DeliveryVerdict {
    if !(200..300).contains(&answer.status) {
        return DeliveryVerdict::BadStatus;
    }
    match holds(answer, expression) {
        Some(true) => DeliveryVerdict::Accepted,
        Some(false) => DeliveryVerdict::Refused,
        None => DeliveryVerdict::Unreadable,
    }
}

/// Whether an answer meets an expression; none if it is not JSON, or there is no expression.
fn holds(answer: &Answer, expression: &str) -> Option<bool> {
    let body = serde_json::from_slice::<Value>(&answer.body).ok()?;
    Some(Expression::parse(expression)?.holds(&body))
}

/// The masked form of a field that identifies a person.
fn disguise(field: &str, text: &str) -> Option<String> {
    match field {
        "idNo" => Some(mask::id_no(text)),
        "name" => Some(mask::name(text)),
        "phone" => Some(mask::phone(text)),
        // From the MD5 all phones can be tried in seconds.
        "phoneMd5" => Some("***".to_owned()),
        _ => None,
    }
}

/// The same applicant, in a form that may be shown.
fn disguised(applicant: &Applicant) -> Applicant {
    let shown = |(field, value): (&&'static str, &Value)| {
        let mask = value.as_str().and_then(|text| disguise(field, text));
        (*field, mask.map_or_else(|| value.clone(), Value::String))
    };
    applicant.iter().map(shown).collect()
}

/// Removes the addresses of pages for the applicant's agreement from an answer: a person who opens one acts for the
/// applicant.
fn hide_pages(json: &mut Value) {
    match json {
        Value::Object(fields) => {
            for (name, value) in fields {
                if AUTH_PAGES.contains(&name.as_str()) && !value.is_null() {
                    *value = Value::from("***");
                } else {
                    hide_pages(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(hide_pages),
        _ => {}
    }
}

/// An answer as people read it: JSON in lines, anything else as text; without data that identifies the applicant.
fn shown(body: &[u8], applicant: &Applicant) -> String {
    let mut text = match serde_json::from_slice::<Value>(body) {
        Ok(mut json) => {
            hide_pages(&mut json);
            serde_json::to_string_pretty(&json).expect("JSON serialises")
        }
        Err(_) => String::from_utf8_lossy(body).replace('\0', "\u{fffd}"),
    };
    for (field, value) in applicant {
        if let Some(whole) = value.as_str().filter(|whole| !whole.is_empty())
            && let Some(mask) = disguise(field, whole)
        {
            text = text.replace(whole, &mask);
        }
    }
    mask::numbers(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_names_nobody() {
        let applicant = Applicant::from([("name", "张三丰".into()), ("phone", "10000030001".into()), ("age", 30.into())]);
        let text = shown("{\"who\":\"张三丰\",\"tel\":\"10000030001\",\"age\":30}".as_bytes(), &applicant);
        assert_eq!(text, "{\n  \"who\": \"张**\",\n  \"tel\": \"100****0001\",\n  \"age\": 30\n}");
        assert_eq!(disguised(&applicant)["name"], "张**");
        assert_eq!(shown(b"not JSON", &applicant), "not JSON");
        let page = shown(br#"{"code":0,"data":{"authUrl":"https://x.example.com/a?ts=1772296200000&t=s3cret"}}"#, &applicant);
        assert!(page.contains("\"***\"") && !page.contains("s3cret"), "{page}");
    }

    #[test]
    fn an_answer_is_judged_by_its_status_and_the_expression() {
        let answer = |status, body: &str| Answer { status, body: body.into() };
        let ok = r#"code == "0000""#;
        for (status, body, expression, verdict) in [
            (200, r#"{"code":"0000"}"#, ok, DeliveryVerdict::Accepted),
            (201, r#"{"code":"0001"}"#, ok, DeliveryVerdict::Refused),
            (200, "<html>", ok, DeliveryVerdict::Unreadable),
            (200, r#"{"code":"0000"}"#, "", DeliveryVerdict::Unreadable),
            (302, r#"{"code":"0000"}"#, ok, DeliveryVerdict::BadStatus),
            (500, r#"{"code":"0000"}"#, ok, DeliveryVerdict::BadStatus),
        ] {
            assert_eq!(judge(&answer(status, body), expression), verdict, "{status} {body}");
        }
    }
}
