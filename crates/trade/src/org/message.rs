//! The message about an applicant for an organisation: our fields under its names, with its values. And the form of a
//! message that may be shown: without data that identifies the applicant.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::delivery::OrgApi;

/// The field that marks an applicant as a test. If it is set, it is also sent to organisations without a name for it.
pub const TEST: &str = "test";
/// The fields that identify an applicant. They are sent with the application, never with the question before it.
const PERSONAL: &[&str] = &["idNo", "name", "phone"];

/// The purpose of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Whether the organisation wants an applicant like this.
    Match,
    /// The application itself.
    Apply,
}

/// An applicant's fields under our names (`delivery::FIELDS`).
pub type Applicant = BTreeMap<&'static str, Value>;

/// The message's JSON. A name with dots is a path: `user.mobile` is `mobile` in `user`. Fields without a name of the
/// organisation are not sent, except for [`TEST`] of a test.
pub fn build(settings: &OrgApi, applicant: &Applicant, purpose: Purpose) -> Value {
    let mut message = Map::new();
    for (ours, theirs) in &settings.field_map {
        let Some(value) = applicant.get(ours.as_str()) else { continue };
        if purpose == Purpose::Match && PERSONAL.contains(&ours.as_str()) {
            continue;
        }
        put(&mut message, theirs, called(settings, ours, value));
    }
    if applicant.get(TEST) == Some(&Value::Bool(true)) && !settings.field_map.contains_key(TEST) {
        put(&mut message, TEST, Value::Bool(true));
    }
    Value::Object(message)
}

/// The organisation's value for a value of Leadlane.
fn called(settings: &OrgApi, field: &str, value: &Value) -> Value {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let theirs = settings.value_map.get(field).and_then(|values| values.get(&text));
    theirs.map_or_else(|| value.clone(), |theirs| Value::String(theirs.clone()))
}

fn put(message: &mut Map<String, Value>, name: &str, value: Value) {
    match name.split_once('.') {
        None => drop(message.insert(name.to_owned(), value)),
        Some((outer, rest)) => {
            let inner = message.entry(outer).or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::delivery::blank;
    use super::*;

    fn settings() -> OrgApi {
        let texts = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        OrgApi {
            field_map: texts(&[("age", "age"), ("name", "user.name"), ("phone", "user.mobile"), ("sex", "gender"), ("zhima", "score")]),
            value_map: [("sex".to_owned(), texts(&[("male", "1")])), ("age".to_owned(), texts(&[("30", "thirty")]))].into(),
            ..blank(1)
        }
    }

    #[test]
    fn fields_and_values_go_by_their_names() {
        let applicant = Applicant::from([
            ("age", json!(30)),
            ("name", json!("测试")),
            ("phone", json!("10000010000")),
            ("sex", json!("male")),
            ("city", json!("上海")),
        ]);
        assert_eq!(
            build(&settings(), &applicant, Purpose::Apply),
            json!({"age": "thirty", "user": {"name": "测试", "mobile": "10000010000"}, "gender": "1"})
        );
        assert_eq!(build(&settings(), &applicant, Purpose::Match), json!({"age": "thirty", "gender": "1"}), "nobody is named");
        let other = Applicant::from([("sex", json!("female"))]);
        assert_eq!(build(&settings(), &other, Purpose::Apply), json!({"gender": "female"}), "a value without another name stays");
    }
}
