//! The choices of an applicant's fields that operators edit in the dictionary: which are offered, and their labels.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, PoisonError, RwLock};

use serde::Serialize;
use serde_json::{Map, Value};

use super::applicant::{Field, Kind};
use crate::api::{Say, say};
use base::form_limits;
use base::locale::Locale;

form_limits! {
    /// Of a list and of an item.
    dictionary {
        /// Characters of a code, at most; two at least.
        CODE: usize = 48,
    }
}

/// A choice of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FieldChoice {
    pub code: String,
    pub label_zh: String,
    pub label_en: String,
    /// It is no longer offered; records that have it show its label.
    pub off: bool,
}

/// The choices of the fields with a dictionary, by the names of the fields.
#[derive(Clone, Debug)]
pub struct Choices(BTreeMap<String, Vec<FieldChoice>>);

/// A field and a code of it.
type Coded = (String, String);

/// The labels of codes, in Chinese and in English, as this process has last read them. A process serves one database,
/// and sentences about conditions are made far from it. A deleted code keeps its label until the process ends.
static LABELS: LazyLock<RwLock<HashMap<Coded, (String, String)>>> = LazyLock::new(RwLock::default);

impl Default for Choices {
    /// The initial choices.
    fn default() -> Choices {
        Choices(with_dictionary().map(|field| (field.name.clone(), builtin(field))).collect())
    }
}

impl Choices {
    /// Choices by the codes of dictionary lists. For a list without items, those of the field's table stay.
    pub fn of(mut lists: BTreeMap<String, Vec<FieldChoice>>) -> Choices {
        let mut choices = |field: &Field| {
            let list = field.dictionary.as_ref().and_then(|code| lists.remove(code)).filter(|list| !list.is_empty());
            list.unwrap_or_else(|| builtin(field))
        };
        Choices(with_dictionary().map(|field| (field.name.clone(), choices(field))).collect())
    }

    /// All choices, by field.
    pub fn all(&self) -> &BTreeMap<String, Vec<FieldChoice>> {
        &self.0
    }

    /// The choices that a field offers; from the table if operators do not edit them.
    pub fn offered(&self, field: &Field) -> Vec<FieldChoice> {
        match self.0.get(&field.name) {
            Some(choices) => choices.iter().filter(|choice| !choice.off).cloned().collect(),
            None => builtin(field),
        }
    }

    /// Whether a field has a code, including those no longer offered.
    pub fn has(&self, field: &Field, code: &str) -> bool {
        match self.0.get(&field.name) {
            Some(choices) => choices.iter().any(|choice| choice.code == code),
            None => field.choices.iter().any(|choice| choice.code == code),
        }
    }

    /// The errors of an applicant's new answers, by field: codes that are not offered.
    pub fn wrong(&self, said: &Map<String, Value>) -> Vec<(String, Say)> {
        let is_wrong = |field: &&Field| {
            said.get(&field.name).is_some_and(|value| {
                !value.is_null() && !self.offered(field).iter().any(|choice| value.as_str() == Some(choice.code.as_str()))
            })
        };
        with_dictionary().filter(is_wrong).map(|field| (field.name.clone(), self.wanted(field))).collect()
    }

    /// The choices of a field, for the text of a refusal.
    fn wanted(&self, field: &Field) -> Say {
        let words = |locale: Locale| {
            let one = |choice: &FieldChoice| match locale {
                Locale::Chinese => format!("{}（{}）", choice.code, choice.label_zh),
                Locale::English => format!("{} ({})", choice.code, choice.label_en),
            };
            self.offered(field).iter().map(one).collect::<Vec<_>>().join(locale.pick("、", ", "))
        };
        say(format!("应为以下之一：{}", words(Locale::Chinese)), format!("Must be one of: {}", words(Locale::English)))
    }

    /// Makes sentences use the labels of these choices from now on.
    pub fn publish(&self) {
        let mut labels = LABELS.write().unwrap_or_else(PoisonError::into_inner);
        for (field, choices) in &self.0 {
            labels.extend(
                choices.iter().map(|choice| ((field.clone(), choice.code.clone()), (choice.label_zh.clone(), choice.label_en.clone()))),
            );
        }
    }
}

/// The label of a code of a field, by the choices that were read last.
pub(super) fn label(field: &Field, code: &str, locale: Locale) -> Option<String> {
    let labels = LABELS.read().unwrap_or_else(PoisonError::into_inner);
    let (chinese, english) = labels.get(&(field.name.clone(), code.to_owned()))?;
    Some(locale.pick(chinese, english).clone())
}

/// Whether a text can be a code of a dictionary.
pub fn is_code(text: &str) -> bool {
    (2..=CODE).contains(&text.len())
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn with_dictionary() -> impl Iterator<Item = &'static Field> {
    Field::all().iter().filter(|field| field.kind == Kind::Choice && field.dictionary.is_some())
}

fn builtin(field: &Field) -> Vec<FieldChoice> {
    let choice = |choice: &super::applicant::Choice| FieldChoice {
        code: choice.code.clone(),
        label_zh: choice.label.get(Locale::Chinese).to_owned(),
        label_en: choice.label.get(Locale::English).to_owned(),
        off: false,
    };
    field.choices.iter().map(choice).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn choice(code: &str, label: &str, off: bool) -> FieldChoice {
        FieldChoice { code: code.into(), label_zh: label.into(), label_en: label.into(), off }
    }

    #[test]
    fn a_dictionary_takes_the_place_of_the_table() {
        let list = vec![choice("employee", "E", true), choice("teacher", "T", false)];
        let choices = Choices::of(BTreeMap::from([("occupation".to_owned(), list), ("elsewhere".to_owned(), Vec::new())]));
        let occupation = Field::find("occupation").unwrap();
        let codes = |choices: Vec<FieldChoice>| choices.into_iter().map(|choice| choice.code).collect::<Vec<_>>();
        assert_eq!(codes(choices.offered(occupation)), ["teacher"]);
        assert_eq!(["employee", "teacher", "owner"].map(|code| choices.has(occupation, code)), [true, true, false]);
        let wrong = |said: Value| choices.wrong(said.as_object().unwrap());
        for good in [json!({}), json!({"occupation": null}), json!({"occupation": "teacher", "house": "castle"})] {
            assert_eq!(wrong(good.clone()).len(), 0, "{good}");
        }
        for bad in [json!({"occupation": "employee"}), json!({"occupation": "x"}), json!({"occupation": 1})] {
            let (field, message) = wrong(bad.clone()).remove(0);
            assert_eq!((field.as_str(), message.get(Locale::English)), ("occupation", "Must be one of: teacher (T)"), "{bad}");
        }
        // Without a dictionary list the table stays.
        assert!(Choices::of(BTreeMap::new()).has(occupation, "owner") && Choices::default().has(occupation, "owner"));
    }
}
