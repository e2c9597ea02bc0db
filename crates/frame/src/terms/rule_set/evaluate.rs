//! Whether a rule set matches an applicant.

use super::{Condition, RuleNode, RuleOp, RuleSet, RuleValue};
use crate::api::{Say, say};
use crate::terms::applicant::{Fact, Facts};
use base::locale::Locale;

/// The part of a rule set that an applicant missed: a condition, or a group of which none matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss<'a>(Part<'a>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part<'a> {
    Condition(&'a Condition),
    Group(&'a RuleSet),
}

impl Miss<'_> {
    /// The condition or the group.
    pub fn node(&self) -> RuleNode {
        match self.0 {
            Part::Condition(condition) => RuleNode::Condition(condition.clone()),
            Part::Group(group) => RuleNode::Group(group.clone()),
        }
    }

    /// The condition. The applicant's value is left out, since the reason is shown to others.
    pub fn reason(&self) -> Say {
        let asked = |locale: Locale| match self.0 {
            Part::Condition(condition) => condition.sentence(locale),
            Part::Group(group) => group.sentence(locale),
        };
        say(format!("不满足条件：{}", asked(Locale::Chinese)), format!("Conditions not met: {}", asked(Locale::English)))
    }
}

impl RuleSet {
    /// Checks the conditions against the facts of an applicant. An unknown field meets no condition except that it is
    /// missing.
    pub fn evaluate(&self, facts: &Facts) -> Result<(), Miss<'_>> {
        match self {
            RuleSet::All(group) => group.all.iter().try_for_each(|node| node.evaluate(facts)),
            RuleSet::Any(group) => match group.any.iter().any(|node| node.evaluate(facts).is_ok()) {
                true => Ok(()),
                false => Err(Miss(Part::Group(self))),
            },
        }
    }
}

impl RuleNode {
    fn evaluate(&self, facts: &Facts) -> Result<(), Miss<'_>> {
        match self {
            RuleNode::Group(group) => group.evaluate(facts),
            RuleNode::Condition(condition) => match condition.holds(facts) {
                true => Ok(()),
                false => Err(Miss(Part::Condition(condition))),
            },
        }
    }
}

impl Condition {
    fn holds(&self, facts: &Facts) -> bool {
        if let (RuleOp::Exists, RuleValue::Flag(wanted)) = (self.op, &self.value) {
            return facts.has(&self.field) == *wanted;
        }
        let Some(fact) = facts.get(&self.field) else { return false };
        match (self.op, fact, &self.value) {
            (RuleOp::Between, Fact::Number(number), RuleValue::Numbers(ends)) => {
                matches!(ends.as_slice(), [from, to] if (from..=to).contains(&number))
            }
            (RuleOp::Gte, Fact::Number(number), RuleValue::Number(least)) => number >= least,
            (RuleOp::Lte, Fact::Number(number), RuleValue::Number(most)) => number <= most,
            (RuleOp::Eq, Fact::Number(number), RuleValue::Number(wanted)) => number == wanted,
            (RuleOp::Eq, Fact::Text(text), RuleValue::Text(wanted)) => text == wanted,
            (RuleOp::Eq, Fact::Flag(flag), RuleValue::Flag(wanted)) => flag == wanted,
            (RuleOp::In, Fact::Text(text), value) => value.texts().is_some_and(|texts| texts.contains(text)),
            (RuleOp::NotIn, Fact::Text(text), value) => value.texts().is_some_and(|texts| !texts.contains(text)),
            // A checked rule set has no such condition.
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::Of;
    use super::*;
    use crate::terms::applicant::{Field, Kind, facts_of};
    use crate::terms::choices::Choices;
    use crate::terms::table::TABLE;

    fn rules(tree: Value) -> RuleSet {
        serde_json::from_value(tree).unwrap()
    }

    fn applicant() -> Facts {
        Facts::new()
            .with("age", Fact::Number(30))
            .with("city", Fact::Text("310100".into()))
            .with("house", Fact::Text("none".into()))
            .with("car", Fact::Text("owned".into()))
            .with("baitiao", Fact::Flag(true))
    }

    #[test]
    fn each_comparison() {
        for (field, op, value, holds) in [
            ("age", "between", json!([30, 40]), true),
            ("age", "between", json!([20, 30]), true),
            ("age", "between", json!([31, 40]), false),
            ("age", "gte", json!(30), true),
            ("age", "gte", json!(31), false),
            ("age", "lte", json!(30), true),
            ("age", "lte", json!(29), false),
            ("age", "eq", json!(30), true),
            ("city", "in", json!(["北京市", "上海市"]), true),
            ("city", "in", json!(["北京市"]), false),
            ("city", "not_in", json!(["北京市"]), true),
            ("city", "not_in", json!(["上海市"]), false),
            ("city", "eq", json!("上海市"), true),
            ("city", "in", json!(["上海"]), true),
            ("city", "not_in", json!(["310100"]), false),
            ("house", "exists", json!(true), false),
            ("house", "exists", json!(false), true),
            ("car", "exists", json!(true), true),
            ("baitiao", "eq", json!(true), true),
            ("baitiao", "eq", json!(false), false),
            // Not known.
            ("score", "gte", json!(0), false),
            ("zhima", "not_in", json!(["none"]), false),
            ("huabei", "eq", json!(false), false),
            ("huabei", "exists", json!(false), true),
        ] {
            let rules = rules(json!({"all": [{"field": field, "op": op, "value": value}]}));
            assert_eq!(rules.evaluate(&applicant()).is_ok(), holds, "{field} {op} {value}");
        }
    }

    #[test]
    fn the_first_miss_says_what_was_asked() {
        let rules = rules(json!({"all": [
            {"field": "age", "op": "between", "value": [22, 55]},
            {"any": [{"field": "house", "op": "exists", "value": true}, {"field": "car", "op": "eq", "value": "pledged"}]},
            {"field": "age", "op": "gte", "value": 60}
        ]}));
        let reason = |facts: &Facts, locale| rules.evaluate(facts).unwrap_err().reason().get(locale).to_owned();
        assert_eq!(reason(&applicant(), Locale::Chinese), "不满足条件：有房 或 车辆为已抵押");
        assert_eq!(reason(&applicant(), Locale::English), "Conditions not met: Has a house or car is pledged");
        let old = applicant().with("age", Fact::Number(56));
        assert_eq!(reason(&old, Locale::Chinese), "不满足条件：年龄 22–55");
    }

    /// Pseudo-random numbers, the same in every run.
    struct Chance(u64);

    impl Chance {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end
        }

        fn number(&mut self, field: &Field) -> i64 {
            // Few enough that they are often equal.
            let steps = (field.max - field.min).min(6);
            field.min + self.below(steps as usize + 1) as i64
        }

        /// A value that the field can have.
        fn value(&mut self, field: &Field) -> Value {
            match field.kind {
                Kind::Number => json!(self.number(field)),
                Kind::Choice => json!(field.choices[self.below(field.choices.len())].code),
                Kind::City => json!(["310100", "110100", "330100"][self.below(3)]),
                Kind::Flag => json!(self.below(2) == 0),
            }
        }

        fn condition(&mut self, field: &Field) -> Value {
            let exists = field.yes.is_some() && self.below(4) == 0;
            let (op, value) = match field.kind {
                _ if exists => ("exists", json!(self.below(2) == 0)),
                Kind::Flag => ("eq", self.value(field)),
                Kind::Number => match self.below(4) {
                    0 => ("gte", self.value(field)),
                    1 => ("lte", self.value(field)),
                    2 => ("eq", self.value(field)),
                    _ => {
                        let (one, other) = (self.number(field), self.number(field));
                        ("between", json!([one.min(other), one.max(other)]))
                    }
                },
                Kind::Choice | Kind::City => {
                    let mut some: Vec<Value> = (0..=self.below(3)).map(|_| self.value(field)).collect();
                    some.dedup();
                    some = some.iter().enumerate().filter(|(at, one)| !some[..*at].contains(one)).map(|(_, one)| one.clone()).collect();
                    match self.below(3) {
                        0 => ("in", json!(some)),
                        1 => ("not_in", json!(some)),
                        _ => ("eq", some[0].clone()),
                    }
                }
            };
            json!({"field": field.name, "op": op, "value": value})
        }

        fn group(&mut self, depth: usize, fields: &[&Field]) -> Value {
            let nodes: Vec<Value> = (0..=self.below(3))
                .map(|_| {
                    let field = fields[self.below(fields.len())];
                    if depth > 1 && self.below(3) == 0 { self.group(depth - 1, fields) } else { self.condition(field) }
                })
                .collect();
            json!({ (if self.below(2) == 0 { "all" } else { "any" }): nodes })
        }
    }

    /// The meaning of a tree, read from its JSON by its documentation.
    fn plainly(tree: &Value, said: &serde_json::Map<String, Value>) -> bool {
        if let Some(nodes) = tree.get("all") {
            return nodes.as_array().unwrap().iter().all(|node| plainly(node, said));
        }
        if let Some(nodes) = tree.get("any") {
            return nodes.as_array().unwrap().iter().any(|node| plainly(node, said));
        }
        let value = &tree["value"];
        let is = said.get(tree["field"].as_str().unwrap());
        let has = is.is_some_and(|is| *is != json!("none") && *is != json!(false));
        let number = |value: &Value| value.as_i64().unwrap();
        match (tree["op"].as_str().unwrap(), is) {
            ("exists", _) => json!(has) == *value,
            (_, None) => false,
            ("eq", Some(is)) => is == value,
            ("gte", Some(is)) => number(is) >= number(value),
            ("lte", Some(is)) => number(is) <= number(value),
            ("between", Some(is)) => number(is) >= number(&value[0]) && number(is) <= number(&value[1]),
            ("in", Some(is)) => value.as_array().unwrap().contains(is),
            ("not_in", Some(is)) => !value.as_array().unwrap().contains(is),
            (other, _) => panic!("no such comparison: {other}"),
        }
    }

    #[test]
    fn random_rules_hold_for_whom_a_plain_reading_says() {
        let mut chance = Chance(42);
        let (mut held, mut missed) = (0, 0);
        for _ in 0..400 {
            // Few fields, so that applicants and rules meet.
            let fields: Vec<&Field> = (0..4).map(|_| &TABLE.fields[chance.below(TABLE.fields.len())]).collect();
            let tree = chance.group(4, &fields);
            let rules = rules(tree.clone());
            assert_eq!(rules.wrong(Of::Applicant, &Choices::default()), [], "{tree}");
            for _ in 0..25 {
                let mut said = serde_json::Map::new();
                for field in &fields {
                    if chance.below(5) > 0 {
                        said.insert(field.name.clone(), chance.value(field));
                    }
                }
                let right = plainly(&tree, &said);
                assert_eq!(rules.evaluate(&facts_of(&said).unwrap()).is_ok(), right, "{tree} for {said:?}");
                *(if right { &mut held } else { &mut missed }) += 1;
            }
        }
        assert!(held > 1000 && missed > 1000, "both happen often: {held} and {missed}");
    }
}
