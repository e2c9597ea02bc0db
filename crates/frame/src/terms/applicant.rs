//! The fields of an applicant for conditions. The table is data, in `js/terms.json`.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::choices::{self, Choices, is_code};
use super::table::TABLE;
use crate::api::check::with_unit;
use crate::api::{Say, list, say};
use crate::places;
use base::canonical;
use base::locale::{Locale, Text};

/// The choice that means none.
const NONE: &str = "none";
/// The kind of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A whole number within bounds; money in fen.
    Number,
    /// One of the field's codes.
    Choice,
    /// The code of a city.
    City,
    Flag,
}

/// One field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    pub name: String,
    pub kind: Kind,
    pub title: Text,
    /// For numbers.
    pub unit: Option<Text>,
    /// A number in fen, which people read in yuan.
    #[serde(default)]
    pub money: bool,
    /// The bounds of a number.
    #[serde(default)]
    pub min: i64,
    #[serde(default)]
    pub max: i64,
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// The code of the dictionary list in which operators edit the choices; those above are its initial content.
    pub dictionary: Option<String>,
    /// The texts for having it, and for not having it.
    pub yes: Option<Text>,
    pub no: Option<Text>,
    /// It is known from the person's past; applicants do not send it.
    #[serde(default)]
    pub past: bool,
}

/// Stars of the last feedback on the person.
pub const STAR: &str = "star";
/// Score of the last risk report on the person.
pub const SCORE: &str = "score";

/// A code and its label.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub code: String,
    pub label: Text,
}

impl Field {
    /// All fields, in the order of the table.
    pub fn all() -> &'static [Field] {
        &TABLE.fields
    }

    /// The field of a name.
    pub fn find(name: &str) -> Option<&'static Field> {
        TABLE.fields.iter().find(|field| field.name == name)
    }

    /// A value of this field; none if it is not valid.
    fn fact(&self, value: &Value) -> Option<Fact> {
        match (self.kind, value) {
            (Kind::Number, Value::Number(number)) => {
                number.as_i64().filter(|number| (self.min..=self.max).contains(number)).map(Fact::Number)
            }
            // Whether a code is offered is only checked for new answers; older ones stay facts.
            (Kind::Choice, Value::String(code)) if self.dictionary.is_some() => is_code(code).then(|| Fact::Text(code.clone())),
            (Kind::Choice, Value::String(code)) => self.choices.iter().any(|choice| choice.code == *code).then(|| Fact::Text(code.clone())),
            (Kind::City, Value::String(city)) => {
                let city = city.trim();
                // A text that names no city comes from before there were codes: it equals nothing else.
                (1..=places::LONGEST).contains(&city.chars().count()).then(|| Fact::Text(places::code_or_text(city)))
            }
            (Kind::Flag, Value::Bool(flag)) => Some(Fact::Flag(*flag)),
            _ => None,
        }
    }

    /// The form of this field's values, for the text of a refusal.
    fn wanted(&self) -> Say {
        let Field { min, max, .. } = self;
        match self.kind {
            Kind::Number if self.money => say(
                format!("应为 {min} 到 {max} 的整数，单位为分"),
                format!("Must be a whole number from {min} to {max}, in fen (hundredths of a yuan)"),
            ),
            Kind::Number => say(format!("应为 {min} 到 {max} 的整数"), format!("Must be a whole number from {min} to {max}")),
            Kind::Choice => {
                let codes = self.choices.iter().map(|choice| choice.code.as_str()).collect::<Vec<_>>().join(", ");
                say(format!("应为以下文字之一：{codes}"), format!("Must be one of these texts: {codes}"))
            }
            Kind::City => say("应为城市的名称或代码", "Must be the name or the code of a city"),
            Kind::Flag => say("应为 true 或 false", "Must be true or false"),
        }
    }

    /// The label of one of its codes; an unknown city is shown as it is.
    pub fn label<'a>(&'a self, code: &'a str, locale: Locale) -> Cow<'a, str> {
        if self.kind == Kind::City {
            return places::label(code, locale);
        }
        match self.dictionary.as_ref().and_then(|_| choices::label(self, code, locale)) {
            Some(label) => Cow::Owned(label),
            None => Cow::Borrowed(self.choices.iter().find(|choice| choice.code == code).map_or(code, |choice| choice.label.get(locale))),
        }
    }
}

/// Whether applications contain the field of this name: fields of the past are not sent.
pub fn is_sent(name: &str) -> bool {
    Field::find(name).is_some_and(|field| !field.past)
}

/// Names of fields in the order of the table, each once; unknown ones come last.
pub fn in_order(names: &[String]) -> Vec<String> {
    let known = Field::all().iter().map(|field| &field.name).filter(|name| names.contains(name));
    known.chain(names.iter().filter(|name| Field::find(name).is_none())).cloned().collect()
}

/// The titles of some fields.
pub fn titles(names: &[String], locale: Locale) -> String {
    let titles: Vec<&str> = names.iter().filter_map(|name| Field::find(name)).map(|field| field.title.get(locale)).collect();
    titles.join(locale.pick("、", ", "))
}

/// The required fields without an answer.
pub fn missing(required: &[String], facts: &Facts) -> impl Iterator<Item = &'static Field> {
    required.iter().filter_map(|name| Field::find(name)).filter(|field| facts.get(&field.name).is_none())
}

/// The value of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    Number(i64),
    /// A code.
    Text(String),
    Flag(bool),
}

/// The known fields of an applicant; a field without an answer is absent.
#[derive(Clone, Debug, Default)]
pub struct Facts(HashMap<&'static str, Fact>);

impl Facts {
    /// No known fields.
    pub fn new() -> Facts {
        Facts::default()
    }

    /// Adds the value of a field.
    pub fn with(mut self, field: &'static str, fact: Fact) -> Facts {
        self.0.insert(field, fact);
        self
    }

    /// The value of a field.
    pub fn get(&self, field: &str) -> Option<&Fact> {
        self.0.get(field)
    }

    /// Whether the applicant has it: false without an answer, and if the answer was none.
    pub fn has(&self, field: &str) -> bool {
        match self.get(field) {
            None | Some(Fact::Flag(false)) => false,
            Some(Fact::Text(text)) => !text.is_empty() && text != NONE,
            Some(Fact::Number(_) | Fact::Flag(true)) => true,
        }
    }
}

/// Converts an applicant's answers to one form: texts and decimals that are whole numbers become numbers in fields of
/// numbers (`"30"`, `5000000.0`), names of cities become codes.
pub fn in_one_form(said: &mut serde_json::Map<String, Value>) {
    for (name, value) in said.iter_mut() {
        if let (Some(Kind::Number), Some(whole)) = (Field::find(name).map(|field| field.kind), list::integer(value)) {
            *value = whole.into();
        }
        if let (Some(Kind::City), Value::String(text)) = (Field::find(name).map(|field| field.kind), &*value) {
            *value = places::code_or_text(text).into();
        }
    }
}

/// The first answer of an applicant in a field of the past, which applicants may not send.
pub fn past_field(said: &serde_json::Map<String, Value>) -> Option<&'static Field> {
    Field::all().iter().find(|field| field.past && said.contains_key(&field.name))
}

/// Reads an applicant's new answers, by field: a code that its dictionary does not offer is an error, and so is a
/// text that names no city.
pub fn facts_said(said: &serde_json::Map<String, Value>, choices: &Choices) -> Result<Facts, Vec<(String, Say)>> {
    let mut wrong = choices.wrong(said);
    wrong.extend(wrong_cities(said));
    let facts = facts_of(said).unwrap_or_else(|others| {
        let others = others.into_iter().filter(|(field, _)| !wrong.iter().any(|(known, _)| known == field)).collect::<Vec<_>>();
        wrong.extend(others);
        Facts::new()
    });
    if wrong.is_empty() { Ok(facts) } else { Err(wrong) }
}

/// The texts in fields of cities that name no city.
pub fn wrong_cities(said: &serde_json::Map<String, Value>) -> Vec<(String, Say)> {
    let texts = said.iter().filter_map(|(name, value)| Some((name, value.as_str().filter(|text| !text.trim().is_empty())?)));
    texts
        .filter(|(name, _)| Field::find(name).is_some_and(|field| field.kind == Kind::City))
        .filter_map(|(name, text)| Some((name.clone(), places::wrong(&places::code_or_text(text))?)))
        .collect()
}

/// Reads an applicant's stored answers, by field; a value that the field cannot have is an error.
pub fn facts_of(said: &serde_json::Map<String, Value>) -> Result<Facts, Vec<(String, Say)>> {
    let (mut facts, mut wrong) = (Facts::new(), Vec::new());
    for (name, value) in said.iter().filter(|(_, value)| !value.is_null()) {
        match Field::find(name) {
            None => wrong.push((name.clone(), say("没有这个字段", "This field does not exist"))),
            Some(field) => match field.fact(value) {
                Some(fact) => facts = facts.with(&field.name, fact),
                None => {
                    let unit = field.kind == Kind::Number && value.as_str().is_some_and(canonical::has_unit);
                    wrong.push((name.clone(), if unit { with_unit() } else { field.wanted() }));
                }
            },
        }
    }
    if wrong.is_empty() { Ok(facts) } else { Err(wrong) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_table_makes_sense() {
        let mut names = HashSet::new();
        for field in &TABLE.fields {
            assert!(names.insert(&field.name), "{} twice", field.name);
            assert_eq!(field.kind == Kind::Number, field.max > field.min, "{}: bounds", field.name);
            assert_eq!(field.kind == Kind::Choice, field.choices.len() > 1, "{}: choices", field.name);
            assert_eq!(field.yes.is_some(), field.no.is_some(), "{}", field.name);
            assert!(field.kind != Kind::Flag || field.yes.is_some(), "{}: a flag is said", field.name);
            assert!(!field.money || field.name.contains("Cents"), "{}", field.name);
            assert!(field.dictionary.is_none() || field.kind == Kind::Choice, "{}", field.name);
            assert_eq!(field.past, [STAR, SCORE].contains(&field.name.as_str()), "{}", field.name);
            let codes: HashSet<&str> = field.choices.iter().map(|choice| choice.code.as_str()).collect();
            assert_eq!(codes.len(), field.choices.len(), "{}: a code twice", field.name);
            // A field that may be answered with "none" can be asked for as "has any".
            assert!(!codes.contains(NONE) || field.yes.is_some(), "{}", field.name);
        }
    }

    #[test]
    fn none_is_not_having() {
        let facts = Facts::new()
            .with("house", Fact::Text("none".into()))
            .with("car", Fact::Text("owned".into()))
            .with("baitiao", Fact::Flag(false))
            .with("age", Fact::Number(30));
        assert_eq!(["house", "car", "baitiao", "age", "zhima"].map(|field| facts.has(field)), [false, true, false, true, false]);
    }

    #[test]
    fn what_is_said_is_read_by_field() {
        let read = |said: serde_json::Value| facts_of(said.as_object().unwrap());
        let facts = read(serde_json::json!({"age": 30, "city": " 上海 ", "house": "none", "baitiao": true, "car": null})).unwrap();
        assert_eq!(facts.get("city"), Some(&Fact::Text("310100".into())));
        assert_eq!((facts.get("age"), facts.get("car")), (Some(&Fact::Number(30)), None));
        for wrong in [
            serde_json::json!({"age": 17}),
            serde_json::json!({"age": "30"}),
            serde_json::json!({"age": 30.5}),
            serde_json::json!({"house": "castle"}),
            serde_json::json!({"city": " "}),
            serde_json::json!({"baitiao": 1}),
            serde_json::json!({"shoeSize": 42}),
        ] {
            assert_eq!(read(wrong.clone()).unwrap_err().len(), 1, "{wrong}");
        }
    }

    #[test]
    fn what_is_said_is_brought_into_one_form() {
        let read = |mut said: serde_json::Value| {
            in_one_form(said.as_object_mut().unwrap());
            said
        };
        let json = |value| serde_json::json!({"age": value});
        for value in [serde_json::json!("30"), serde_json::json!(30.0), serde_json::json!(" 30 "), serde_json::json!("30.0")] {
            assert_eq!(read(json(value.clone())), json(serde_json::json!(30)), "{value}");
        }
        for value in [serde_json::json!("x"), serde_json::json!(30.5), serde_json::json!(["30"]), serde_json::json!(true)] {
            assert_eq!(read(json(value.clone())), json(value.clone()), "{value}");
        }
        assert_eq!(read(serde_json::json!({"city": "30", "shoeSize": "42"})), serde_json::json!({"city": "30", "shoeSize": "42"}));
        for city in ["上海", "上海市", " 上海 市", "310100", "３１０１００"] {
            assert_eq!(read(serde_json::json!({"city": city})), serde_json::json!({"city": "310100"}), "{city}");
        }
    }

    #[test]
    fn a_city_that_is_none_is_refused_now_and_kept_from_before() {
        let said = serde_json::json!({"city": "某地", "age": 30});
        let wrong = facts_said(said.as_object().unwrap(), &Choices::default()).unwrap_err();
        assert_eq!((wrong.len(), wrong[0].0.as_str(), wrong[0].1.get(Locale::English)), (1, "city", "There is no city “某地”"));
        assert_eq!(facts_of(said.as_object().unwrap()).unwrap().get("city"), Some(&Fact::Text("某地".into())));
    }

    #[test]
    fn a_refusal_says_what_the_field_wants() {
        let refusal =
            |said: serde_json::Value| facts_of(said.as_object().unwrap()).unwrap_err().remove(0).1.get(Locale::English).to_owned();
        for (said, words) in [
            (serde_json::json!({"applyAmountCents": "much"}), "Must be a whole number from 0 to 1000000000, in fen (hundredths of a yuan)"),
            (serde_json::json!({"age": 17}), "Must be a whole number from 18 to 80"),
            (serde_json::json!({"sex": ["male"]}), "Must be one of these texts: male, female, unknown"),
            (serde_json::json!({"city": ["x"]}), "Must be the name or the code of a city"),
            (serde_json::json!({"huabei": "yes"}), "Must be true or false"),
        ] {
            assert_eq!(refusal(said.clone()), words, "{said}");
        }
    }
}
