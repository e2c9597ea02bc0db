//! A rule set in words, the same as in `js/lib/rule-set.ts`.

use super::{Condition, RuleNode, RuleOp, RuleSet, RuleValue};
use crate::terms::applicant::Field;
use crate::terms::table::{fill, grouped, sentence, word, yuan};
use base::locale::{Locale, Text};

impl RuleSet {
    /// "年龄 22–55 且（有房 或 有车）".
    pub fn sentence(&self, locale: Locale) -> String {
        sentence(self.words(locale))
    }

    fn words(&self, locale: Locale) -> String {
        let parts: Vec<String> = self.nodes().iter().map(|node| node.words(locale)).collect();
        let joined = parts.join(word(if matches!(self, RuleSet::All(_)) { "and" } else { "or" }, locale));
        // Full-width brackets contain their own space.
        joined.replace(" （", "（").replace("） ", "）")
    }
}

impl RuleNode {
    /// The condition or the group alone.
    pub fn sentence(&self, locale: Locale) -> String {
        match self {
            RuleNode::Condition(condition) => condition.sentence(locale),
            RuleNode::Group(group) => group.sentence(locale),
        }
    }

    fn words(&self, locale: Locale) -> String {
        match self {
            RuleNode::Condition(condition) => condition.words(locale),
            RuleNode::Group(group) if group.nodes().len() == 1 => group.words(locale),
            RuleNode::Group(group) => format!("{}{}{}", word("open", locale), group.words(locale), word("close", locale)),
        }
    }
}

impl Condition {
    /// The condition alone.
    pub fn sentence(&self, locale: Locale) -> String {
        sentence(self.words(locale))
    }

    fn words(&self, locale: Locale) -> String {
        let Some(field) = Field::find(&self.field) else { return self.field.clone() };
        let title = field.title.get(locale);
        let said = |own: Option<&'static Text>, general: &str| match own {
            Some(text) => text.get(locale).to_owned(),
            None => fill(general, locale, &[("field", title)]),
        };
        let number = |value: &i64| if field.money { yuan(*value) } else { grouped(*value) };
        let numbers = |text: String| {
            let text = field.unit.as_ref().map_or(text.clone(), |unit| format!("{text} {}", unit.get(locale)));
            fill("number", locale, &[("field", title), ("values", &text)])
        };
        let texts = |one: &str, many: &str, texts: &[String]| {
            let labels: Vec<_> = texts.iter().map(|text| field.label(text, locale)).collect();
            let name = if labels.len() == 1 { one } else { many };
            fill(name, locale, &[("field", title), ("values", &labels.join(word("comma", locale)))])
        };
        match (&self.value, self.op) {
            (RuleValue::Flag(true), _) => said(field.yes.as_ref(), "exists"),
            (RuleValue::Flag(false), _) => said(field.no.as_ref(), "missing"),
            (RuleValue::Numbers(ends), _) => numbers(ends.iter().map(number).collect::<Vec<_>>().join("–")),
            (RuleValue::Number(value), RuleOp::Gte) => numbers(format!("≥ {}", number(value))),
            (RuleValue::Number(value), RuleOp::Lte) => numbers(format!("≤ {}", number(value))),
            (RuleValue::Number(value), _) => numbers(format!("= {}", number(value))),
            (RuleValue::Text(text), _) => texts("is", "in", std::slice::from_ref(text)),
            (RuleValue::Texts(list), RuleOp::NotIn) => texts("isNot", "notIn", list),
            (RuleValue::Texts(list), _) => texts("is", "in", list),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::cases;

    #[test]
    fn both_sides_say_the_same() {
        for case in cases::of("rules") {
            let rules: RuleSet = serde_json::from_value(case["tree"].clone()).unwrap();
            assert_eq!(rules.sentence(Locale::Chinese), case["zh-CN"], "{}", case["tree"]);
            assert_eq!(rules.sentence(Locale::English), case["en-US"], "{}", case["tree"]);
        }
    }
}
