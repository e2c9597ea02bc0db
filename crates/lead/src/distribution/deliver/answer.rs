//! The meaning of an organisation's answer to a delivery: taken, refused, not there, not delivered, or unknown.

use serde_json::Value;

use crate::distribution::ask::knows_the_person;
use crate::distribution::settle::Refusal;
use trade::org::call::{DeliveryCall, DeliveryVerdict, Exchange};
use trade::plan::push::model::PushStatus;

/// The fields in which organisations send their number of a lead: in the answer, or in its `data`.
const NUMBERS: &[&str] = &["orderNo", "order_no", "orderId", "order_id", "applyNo", "loanNo", "no", "id"];
/// The fields in which they send the reason of a refusal, as a code and as a text.
const CODES: &[&str] = &["code", "errCode", "status", "result"];
const REASONS: &[&str] = &["msg", "message", "desc", "reason", "errMsg"];
/// Characters that are kept of a text.
const LONGEST: usize = 200;

/// The result of a delivery or of a query.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The organisation has the lead, with its own number if it sent one.
    Taken(Option<String>),
    /// The organisation refused the lead, and cannot have it from an earlier try.
    Refused(Refusal),
    /// The organisation refused, but may have the lead from an earlier try. With the reason.
    Unclear(String),
    /// Answer to a query: the organisation does not have the lead.
    NotThere,
    /// The lead did not arrive, or was refused before it was read: the organisation does not have it. With the reason.
    NotDelivered(String),
    /// It is unknown whether the organisation has the lead. With the reason.
    Unknown(String),
}

/// Reads an answer. `in_doubt`: the organisation may have the lead from an earlier try.
pub fn read(exchange: &Exchange, call: DeliveryCall, in_doubt: bool) -> Verdict {
    let answer = exchange.answer.as_ref();
    let number = || answer.and_then(|answer| found(answer, NUMBERS));
    // Texts for people are taken from the masked answer, because organisations repeat the phone in them.
    let said = |names: &[&str]| exchange.shown.as_ref().and_then(|shown| found(shown, names)).unwrap_or_default();
    let refused = |status: PushStatus, code: String| Verdict::Refused(Refusal { status, code, reason: said(REASONS) });
    let word = || <&str>::from(exchange.verdict).to_owned();
    let status = exchange.status.unwrap_or_default();
    match exchange.verdict {
        DeliveryVerdict::Accepted => Verdict::Taken(number()),
        DeliveryVerdict::NotThere => Verdict::NotThere,
        DeliveryVerdict::NotPublic | DeliveryVerdict::Unreachable => Verdict::NotDelivered(word()),
        // If an earlier try may have arrived, what the organisation has under this number is this lead.
        DeliveryVerdict::Known if in_doubt || call == DeliveryCall::Query => Verdict::Taken(number()),
        DeliveryVerdict::Known => refused(PushStatus::Duplicate, said(CODES)),
        // Only a clear yes or no answers a query.
        _ if call == DeliveryCall::Query => Verdict::Unknown(word()),
        DeliveryVerdict::Refused if answer.is_some_and(knows_the_person) => match in_doubt {
            true => Verdict::Taken(number()),
            false => refused(PushStatus::Duplicate, said(CODES)),
        },
        // An organisation that has the lead from an earlier try may say so in unknown words, or refuse the second try
        // because of its daily limit. So after a try without an answer, only known words end the doubt.
        DeliveryVerdict::Refused if in_doubt => Verdict::Unclear(word()),
        DeliveryVerdict::Refused => refused(PushStatus::Rejected, said(CODES)),
        DeliveryVerdict::BadStatus => match status {
            409 if in_doubt => Verdict::Taken(number()),
            409 => refused(PushStatus::Duplicate, status.to_string()),
            // The problem is not the lead but a key, an address, a redirect, the time or the number of requests.
            300..400 | 401 | 403 | 404 | 405 | 407 | 408 | 415 | 421 | 425 | 426 | 429 => Verdict::NotDelivered(format!("http_{status}")),
            400..500 if in_doubt && answer.is_some_and(knows_the_person) => Verdict::Taken(number()),
            // A refusal of this request says nothing about an earlier one, which they may have taken.
            400..500 if in_doubt => Verdict::Unknown(format!("http_{status}")),
            // The same request would be refused again.
            400..500 => refused(PushStatus::Failed, status.to_string()),
            _ => Verdict::Unknown(word()),
        },
        DeliveryVerdict::Unreadable | DeliveryVerdict::TooLate | DeliveryVerdict::TooLarge | DeliveryVerdict::Cut => {
            Verdict::Unknown(word())
        }
    }
}

/// The first of these fields that the answer has, as a short text.
fn found(answer: &Value, names: &[&str]) -> Option<String> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let places = [Some(answer), answer.get("data")];
    let field = places.into_iter().flatten().find_map(|place| names.iter().find_map(|name| place.get(name).and_then(text)))?;
    Some(field.chars().take(LONGEST).collect()).filter(|text: &String| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn exchange(verdict: DeliveryVerdict, status: i64, answer: Value) -> Exchange {
        let (url, request, response) = (String::new(), String::new(), String::new());
        Exchange {
            url,
            request,
            status: Some(status),
            response,
            milliseconds: 1,
            verdict,
            shown: Some(answer.clone()),
            answer: Some(answer),
        }
    }

    fn outcome(verdict: DeliveryVerdict, status: i64, answer: Value, call: DeliveryCall, in_doubt: bool) -> String {
        match read(&exchange(verdict, status, answer), call, in_doubt) {
            Verdict::Taken(no) => format!("taken {}", no.unwrap_or_default()),
            Verdict::Refused(Refusal { status, code, reason }) => format!("{} {code} {reason}", <&str>::from(status)),
            Verdict::Unclear(error) => format!("unclear: {error}"),
            Verdict::NotThere => "not there".to_owned(),
            Verdict::NotDelivered(error) => format!("not delivered: {error}"),
            Verdict::Unknown(error) => format!("unknown: {error}"),
        }
    }

    /// C1, H5: what an answer says of a lead that they cannot have had before, and of one that they may.
    #[test]
    fn an_answer_says_what_follows() {
        use DeliveryVerdict::{Accepted, BadStatus, Cut, NotThere, Refused, TooLate, Unreachable, Unreadable};
        let known = json!({"code": 2, "msg": "客户已存在", "id": 7});
        for (verdict, status, answer, first, in_doubt) in [
            (Accepted, 200, json!({"code": 0, "data": {"orderNo": "A-1"}}), "taken A-1", "taken A-1"),
            (Accepted, 200, json!({"ok": true}), "taken ", "taken "),
            (Refused, 200, json!({"code": "E1", "msg": "年龄不符"}), "rejected E1 年龄不符", "unclear: refused"),
            (Refused, 200, known, "duplicate 2 客户已存在", "taken 7"),
            (BadStatus, 409, json!({}), "duplicate 409 ", "taken "),
            (BadStatus, 500, json!({}), "unknown: bad_status", "unknown: bad_status"),
            (BadStatus, 401, json!({}), "not delivered: http_401", "not delivered: http_401"),
            (BadStatus, 302, json!({}), "not delivered: http_302", "not delivered: http_302"),
            (BadStatus, 429, json!({}), "not delivered: http_429", "not delivered: http_429"),
            (BadStatus, 422, json!({"message": "no city"}), "failed 422 no city", "unknown: http_422"),
            (BadStatus, 422, json!({"message": "already taken"}), "failed 422 already taken", "taken "),
            (Refused, 200, json!({"code": "9", "msg": "您已提交过申请"}), "duplicate 9 您已提交过申请", "taken "),
            // Names of fields do not count, nor does a text that something does not exist.
            (Refused, 200, json!({"code": "9", "exist": false, "duplicate": false}), "rejected 9 ", "unclear: refused"),
            (Refused, 200, json!({"code": "9", "msg": "it does not exist"}), "rejected 9 it does not exist", "unclear: refused"),
            (Unreadable, 200, json!(null), "unknown: unreadable", "unknown: unreadable"),
            (TooLate, 0, json!(null), "unknown: too_late", "unknown: too_late"),
            (Cut, 0, json!(null), "unknown: cut", "unknown: cut"),
            (Unreachable, 0, json!(null), "not delivered: unreachable", "not delivered: unreachable"),
            (NotThere, 200, json!({}), "not there", "not there"),
        ] {
            assert_eq!(outcome(verdict, status, answer.clone(), DeliveryCall::Apply, false), first, "{answer}");
            assert_eq!(outcome(verdict, status, answer.clone(), DeliveryCall::Apply, true), in_doubt, "{answer}");
        }
        for (verdict, status, expected) in [
            (Accepted, 200, "taken "),
            (NotThere, 200, "not there"),
            (Refused, 200, "unknown: refused"),
            (BadStatus, 404, "unknown: bad_status"),
            (BadStatus, 409, "unknown: bad_status"),
            (Unreachable, 0, "not delivered: unreachable"),
        ] {
            assert_eq!(outcome(verdict, status, json!({}), DeliveryCall::Query, true), expected);
        }
    }
}
