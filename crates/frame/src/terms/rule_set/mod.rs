//! A rule set: conditions on an applicant's fields, joined by "all" and "any".

mod check;
mod evaluate;
mod sentence;

use serde::{Deserialize, Serialize};

pub use check::{MOST_DEPTH, MOST_NODES, MOST_VALUES};
pub use evaluate::Miss;

use crate::places;
use crate::terms::applicant::{Field, Kind};

/// A group of conditions: all of them must hold, or any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(untagged)]
#[ts(export, export_to = "api-types.ts")]
pub enum RuleSet {
    All(RuleAll),
    Any(RuleAny),
}

/// Nodes that must all hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RuleAll {
    pub all: Vec<RuleNode>,
}

/// Nodes of which one must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RuleAny {
    pub any: Vec<RuleNode>,
}

/// An item of a group: a condition, or another group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(untagged)]
#[ts(export, export_to = "api-types.ts")]
pub enum RuleNode {
    Condition(Condition),
    Group(RuleSet),
}

/// A condition on one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", rename = "RuleCondition")]
#[schemars(rename = "RuleCondition")]
pub struct Condition {
    /// One of the applicant's fields.
    pub field: String,
    pub op: RuleOp,
    /// A list of codes for `in` and `not_in`, two numbers for `between`, true or false for `exists`, otherwise one
    /// value of the field's kind.
    pub value: RuleValue,
}

/// A condition as it is written: cities may be named.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    field: String,
    op: RuleOp,
    value: RuleValue,
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Condition, D::Error> {
        Written::deserialize(from).map(Condition::from)
    }
}

impl From<Written> for Condition {
    fn from(Written { field, op, value }: Written) -> Condition {
        let is_city = Field::find(&field).is_some_and(|field| field.kind == Kind::City);
        let value = match value {
            RuleValue::Text(text) if is_city => RuleValue::Text(places::code_or_text(&text)),
            RuleValue::Texts(texts) if is_city => RuleValue::Texts(codes(texts)),
            value => value,
        };
        Condition { field, op, value }
    }
}

/// Codes of cities; several names of one city become one, but a repeated text stays, so that it is refused.
fn codes(texts: Vec<String>) -> Vec<String> {
    let mut codes: Vec<(String, String)> = Vec::with_capacity(texts.len());
    for text in texts {
        let code = places::code_or_text(&text);
        if !codes.iter().any(|(known, written)| *known == code && *written != text) {
            codes.push((code, text));
        }
    }
    codes.into_iter().map(|(code, _)| code).collect()
}

/// How a field is compared with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum RuleOp {
    In,
    NotIn,
    /// Both ends are included.
    Between,
    Gte,
    Lte,
    Eq,
    Exists,
}

/// The value of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(untagged)]
#[ts(export, export_to = "api-types.ts")]
pub enum RuleValue {
    Flag(bool),
    Number(i64),
    Text(String),
    Numbers(Vec<i64>),
    Texts(Vec<String>),
}

impl RuleSet {
    /// The nodes of the group.
    pub fn nodes(&self) -> &[RuleNode] {
        match self {
            RuleSet::All(group) => &group.all,
            RuleSet::Any(group) => &group.any,
        }
    }

    /// Whether it names an unknown city.
    pub fn names_unknown_city(&self) -> bool {
        self.nodes().iter().any(|node| match node {
            RuleNode::Group(group) => group.names_unknown_city(),
            RuleNode::Condition(Condition { field, value, .. }) => {
                let texts = match value {
                    RuleValue::Text(text) => std::slice::from_ref(text),
                    value => value.texts().unwrap_or_default(),
                };
                Field::find(field).is_some_and(|field| field.kind == Kind::City) && texts.iter().any(|text| places::city(text).is_none())
            }
        })
    }

    /// Whether it uses the person's past.
    pub fn asks_past(&self) -> bool {
        self.nodes().iter().any(|node| match node {
            RuleNode::Group(group) => group.asks_past(),
            RuleNode::Condition(condition) => Field::find(&condition.field).is_some_and(|field| field.past),
        })
    }
}

impl RuleNode {
    /// The applicant's field of the condition, or of the first one of the group.
    pub fn field(&self) -> Option<&str> {
        match self {
            RuleNode::Condition(condition) => Some(&condition.field),
            RuleNode::Group(group) => group.nodes().first()?.field(),
        }
    }
}

/// What a rule set describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// An applicant: their past is known by their phone.
    Applicant,
    /// A visitor who has not applied: their past is not known.
    Visitor,
}

impl RuleValue {
    /// The texts of a list; an empty list has none, whatever its kind.
    fn texts(&self) -> Option<&[String]> {
        match self {
            RuleValue::Texts(texts) => Some(texts),
            RuleValue::Numbers(numbers) if numbers.is_empty() => Some(&[]),
            _ => None,
        }
    }

    /// The number of single values.
    fn count(&self) -> usize {
        match self {
            RuleValue::Numbers(numbers) => numbers.len(),
            RuleValue::Texts(texts) => texts.len(),
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_tree_is_read_and_written_as_it_is() {
        let tree = json!({"all": [
            {"field": "age", "op": "between", "value": [22, 55]},
            {"any": [{"field": "house", "op": "exists", "value": true}, {"field": "city", "op": "not_in", "value": ["310100"]}]}
        ]});
        let read: RuleSet = serde_json::from_value(tree.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), tree);
    }

    #[test]
    fn names_of_cities_become_codes() {
        let read = |value: serde_json::Value| -> serde_json::Value {
            let tree = json!({"all": [{"field": "city", "op": "in", "value": value}]});
            let read: RuleSet = serde_json::from_value(tree).unwrap();
            serde_json::to_value(&read).unwrap()["all"][0]["value"].clone()
        };
        assert_eq!(read(json!(["上海市", "上海", "310100", "某地"])), json!(["310100", "某地"]));
        assert_eq!(read(json!("广东深圳")), json!("440300"));
        assert_eq!(read(json!(["310100", "310100"])), json!(["310100", "310100"]), "a repeated value is refused by the check");
    }

    #[test]
    fn a_malformed_tree_is_refused() {
        for bad in [
            json!([]),
            json!({}),
            json!({"none": []}),
            json!({"all": [], "any": []}),
            json!({"all": [{"field": "age", "op": "like", "value": 1}]}),
            json!({"all": [{"field": "age", "op": "eq"}]}),
            json!({"all": [{"field": "age", "op": "eq", "value": 1.5}]}),
            json!({"all": [{"field": "age", "op": "eq", "value": null}]}),
            json!({"all": [{"field": "age", "op": "eq", "value": {"a": 1}}]}),
            json!({"all": [{"field": "age", "op": "eq", "value": 1, "note": ""}]}),
            json!({"field": "age", "op": "eq", "value": 30}),
        ] {
            assert!(serde_json::from_value::<RuleSet>(bad.clone()).is_err(), "{bad}");
        }
    }
}
