//! The rules of a rule set. Each wrong node is named by its place: `2.1` is the first node of the group that is the
//! second of the whole.

use super::{Condition, Of, RuleNode, RuleOp, RuleSet, RuleValue};
use crate::api::{Say, say};
use crate::places;
use crate::terms::Wrong;
use crate::terms::applicant::{Field, Kind};
use crate::terms::choices::Choices;
use crate::terms::table::{grouped, sentence, yuan};
use base::form_limits;
use base::locale::Locale;

form_limits! {
    /// Of a rule set.
    ruleSet {
        /// Deepest nesting of groups, the whole counted.
        pub MOST_DEPTH: usize = 4,
        /// Most groups and conditions together.
        pub MOST_NODES: usize = 50,
        /// Most values of all conditions together.
        pub MOST_VALUES: usize = 200,
    }
}

/// Longest text that a message repeats, in characters.
const LONGEST_SHOWN: usize = 20;

impl RuleSet {
    /// All errors, in the order of the tree.
    pub fn wrong(&self, of: Of, choices: &Choices) -> Vec<Wrong> {
        let mut walk = Walk { of, choices, nodes: 0, values: 0, wrong: Vec::new() };
        walk.group(self, "", 1);
        if walk.nodes > MOST_NODES {
            walk.wrong.insert(
                0,
                Wrong::new("", say(format!("最多 {MOST_NODES} 个条件和条件组"), format!("At most {MOST_NODES} conditions and groups"))),
            );
        }
        if walk.values > MOST_VALUES {
            walk.wrong.insert(0, Wrong::new("", say(format!("最多 {MOST_VALUES} 个取值"), format!("At most {MOST_VALUES} values"))));
        }
        walk.wrong
    }
}

struct Walk<'c> {
    of: Of,
    choices: &'c Choices,
    nodes: usize,
    values: usize,
    wrong: Vec<Wrong>,
}

impl Walk<'_> {
    fn group(&mut self, group: &RuleSet, place: &str, depth: usize) {
        self.nodes += 1;
        if depth > MOST_DEPTH {
            self.wrong.push(Wrong::new(place, say(format!("最多嵌套 {MOST_DEPTH} 层"), format!("At most {MOST_DEPTH} nested levels"))));
            return;
        }
        if group.nodes().is_empty() {
            self.wrong.push(Wrong::new(place, say("至少要有一个条件", "At least one condition is required")));
        }
        for (index, node) in group.nodes().iter().enumerate() {
            let place = if place.is_empty() { (index + 1).to_string() } else { format!("{place}.{}", index + 1) };
            match node {
                RuleNode::Group(group) => self.group(group, &place, depth + 1),
                RuleNode::Condition(condition) => {
                    self.nodes += 1;
                    self.values += condition.value.count();
                    if let Err(message) = condition.check(self.of, self.choices) {
                        self.wrong.push(Wrong::new(place, message));
                    }
                }
            }
        }
    }
}

impl Kind {
    /// The comparisons that such a field allows.
    pub fn ops(self) -> &'static [RuleOp] {
        match self {
            Kind::Number => &[RuleOp::Between, RuleOp::Gte, RuleOp::Lte, RuleOp::Eq, RuleOp::Exists],
            Kind::Choice | Kind::City => &[RuleOp::In, RuleOp::NotIn, RuleOp::Eq, RuleOp::Exists],
            Kind::Flag => &[RuleOp::Eq, RuleOp::Exists],
        }
    }
}

impl Condition {
    fn check(&self, of: Of, choices: &Choices) -> Result<(), Say> {
        let field = Field::find(&self.field).ok_or_else(|| say("没有这个字段", "This field does not exist"))?;
        if field.past && of == Of::Visitor {
            let title = |locale| sentence(field.title.get(locale).to_owned());
            return Err(say(
                format!("{}：尚未申请的访客没有这项信息", title(Locale::Chinese)),
                format!("{}: not known of a visitor who has not applied", title(Locale::English)),
            ));
        }
        if !field.kind.ops().contains(&self.op) {
            return Err(say("这个字段不能这样比较", "This field cannot be compared like this"));
        }
        match (self.op, &self.value) {
            (RuleOp::Exists, RuleValue::Flag(_)) => Ok(()),
            (RuleOp::Exists, _) => Err(say("请选择有或无", "Choose whether it is given")),
            (RuleOp::Between, RuleValue::Numbers(ends)) => match ends.as_slice() {
                [from, to] if from > to => Err(say("起点不能大于终点", "The start cannot be greater than the end")),
                [from, to] => within(field, *from).and(within(field, *to)),
                _ => Err(number_needed()),
            },
            (RuleOp::Between, _) => Err(number_needed()),
            (RuleOp::In | RuleOp::NotIn, value) => match value.texts() {
                None => Err(say("请选择取值", "Choose values")),
                Some([]) => Err(say("请选择取值", "Choose values")),
                Some(texts) => match (1..texts.len()).find(|at| texts[..*at].contains(&texts[*at])) {
                    Some(at) => Err(say(format!("“{}”重复", shown(&texts[at])), format!("Duplicate value: “{}”", shown(&texts[at])))),
                    None => texts.iter().try_for_each(|text| value_of(field, text, choices)),
                },
            },
            (_, RuleValue::Number(number)) if field.kind == Kind::Number => within(field, *number),
            (_, RuleValue::Text(text)) if matches!(field.kind, Kind::Choice | Kind::City) => value_of(field, text, choices),
            (_, RuleValue::Flag(_)) if field.kind == Kind::Flag => Ok(()),
            _ if field.kind == Kind::Number => Err(number_needed()),
            _ => Err(say("请选择取值", "Choose values")),
        }
    }
}

fn number_needed() -> Say {
    say("请输入数字", "Enter a number")
}

fn within(field: &Field, number: i64) -> Result<(), Say> {
    let show = if field.money { yuan } else { grouped };
    let (min, max) = (show(field.min), show(field.max));
    match (field.min..=field.max).contains(&number) {
        true => Ok(()),
        false => Err(say(format!("应在 {min} 到 {max} 之间"), format!("Must be between {min} and {max}"))),
    }
}

/// A code of the field.
fn value_of(field: &Field, text: &str, choices: &Choices) -> Result<(), Say> {
    let known = match field.kind {
        Kind::City => places::city(text).is_some(),
        _ => choices.has(field, text),
    };
    match known {
        true => Ok(()),
        false => Err(say(format!("没有“{}”这个取值", shown(text)), format!("No such value: “{}”", shown(text)))),
    }
}

/// A text shortened for a message.
fn shown(text: &str) -> String {
    text.chars().take(LONGEST_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::terms::cases;

    fn wrong(tree: Value) -> Vec<(String, String)> {
        wrong_of(Of::Applicant, tree)
    }

    fn wrong_of(of: Of, tree: Value) -> Vec<(String, String)> {
        let rules: RuleSet = serde_json::from_value(tree).unwrap();
        rules.wrong(of, &Choices::default()).into_iter().map(|wrong| (wrong.place, wrong.message.get(Locale::English).to_owned())).collect()
    }

    #[test]
    fn every_wrong_node_is_named_as_the_browser_names_it() {
        for (of, cases) in [(Of::Applicant, "wrongRules"), (Of::Visitor, "wrongRulesOfVisitors")] {
            for case in cases::of(cases) {
                let pairs = wrong_of(of, case["tree"].clone()).into_iter().map(|(place, message)| json!([place, message]));
                assert_eq!(Value::from_iter(pairs), case["wrong"], "{}", case["tree"]);
            }
        }
    }

    #[test]
    fn a_good_tree_has_no_faults() {
        for case in cases::of("rules") {
            assert_eq!(wrong(case["tree"].clone()), [], "{}", case["tree"]);
        }
    }

    #[test]
    fn depth_nodes_and_values_are_bounded() {
        let age = json!({"field": "age", "op": "gte", "value": 20});
        let nested = |depth: usize| (1..depth).fold(json!({"all": [age]}), |inner, _| json!({"any": [inner]}));
        assert_eq!(wrong(nested(MOST_DEPTH)), []);
        assert_eq!(wrong(nested(MOST_DEPTH + 1)), [("1.1.1.1".to_owned(), "At most 4 nested levels".to_owned())]);
        assert_eq!(wrong(json!({"all": vec![age.clone(); MOST_NODES - 1]})), []);
        assert_eq!(wrong(json!({"all": vec![age; MOST_NODES]}))[0].1, "At most 50 conditions and groups");
        let cities = |count: usize| places::all().take(count).map(|city| city.code.as_str()).collect::<Vec<_>>();
        assert_eq!(wrong(json!({"all": [{"field": "city", "op": "in", "value": cities(MOST_VALUES)}]})), []);
        assert_eq!(wrong(json!({"all": [{"field": "city", "op": "in", "value": cities(MOST_VALUES + 1)}]}))[0].1, "At most 200 values");
    }
}
