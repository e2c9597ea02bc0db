//! Why a round passed a plan over, as stored with the round.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use base::codes;
use frame::terms::RuleNode;

/// Ids of plans that were passed over, by reason.
pub type Passed = BTreeMap<PassedOver, Vec<i64>>;

codes! {
    /// Why a plan was passed over.
    pub enum PassedOver {
        /// Its first day is in the future.
        NotStarted("未到开始日期", "Not started yet"),
        /// Its last day is over.
        Over("已过结束日期", "Past its end date"),
        /// Closed at this hour, including plans that would have waited until they open.
        Closed("不在投放时段", "Outside its schedule"),
        Waiting("等待开放时段", "Waiting for its schedule to open"),
        /// A cap has no room.
        Capped("量满", "Cap reached"),
        /// The organisation is not active, has no valid licence, or its delivery is switched off.
        Organisation("机构不在合作中", "Organisation not active"),
        Licence("机构资质无效", "No valid licence"),
        Delivery("接口未启用", "Delivery disabled"),
        /// The product is not online, not at this hour, or its caps of visitors are full.
        Product("产品当前不展示", "Product not shown now"),
        /// The product is not shown in this city, or not to such applicants.
        ProductCity("产品不在该城市展示", "Product not shown in the city"),
        ProductRules("不符合产品的展示条件", "Product not shown to such applicants"),
        /// The organisation's funds do not cover the lead.
        Balance("余额不足", "Insufficient balance"),
        /// Its organisation is in test mode and the lead is a live one, or the other way round.
        Mode("测试与正式不匹配", "Test and live do not match"),
        /// It does not buy from this channel.
        Channel("渠道不符", "Channel not accepted"),
        /// It does not buy in this city.
        City("城市不符", "City not accepted"),
        /// The applicant does not meet its conditions.
        Rules("条件不符", "Conditions not met"),
        /// The applicant's consent does not name the organisation.
        Consent("授权未包含该机构", "Not named in the consent"),
        /// The organisation has had the applicant.
        Duplicate("已向该机构推送过", "Already offered to the organisation"),
        /// The applicant is on the organisation's blacklist.
        Blacklist("机构黑名单", "On the organisation's blacklist"),
        /// The organisation's answer was no, or that it knows the applicant.
        Declined("撞库未通过", "Match query declined"),
        /// The organisation did not answer.
        NoAnswer("撞库无应答", "No answer to the match query"),
        /// The plan changed meanwhile.
        Changed("计划已变更", "Plan changed"),
        /// The buyer limit is reached.
        Enough("已达机构数上限", "Buyer limit reached"),
    }
}

/// The reason that stopped the most plans; of equal ones the first in the list of reasons. None if no plan was passed over.
pub fn main_reason(passed: &Passed) -> Option<PassedOver> {
    passed
        .iter()
        .filter(|(_, plans)| !plans.is_empty())
        .max_by_key(|(reason, plans)| (plans.len(), Reverse(**reason)))
        .map(|(reason, _)| *reason)
}

/// The reasons with their plans, in the order of [`main_reason`]: those that stopped the most plans first.
pub(super) fn most_first(passed: Passed) -> Vec<(PassedOver, Vec<i64>)> {
    let mut reasons: Vec<_> = passed.into_iter().collect();
    // The sort is stable: equal ones keep the order of the reasons.
    reasons.sort_by_key(|(_, plans)| Reverse(plans.len()));
    reasons
}

/// A condition that an applicant did not meet, and the ids of the plans that ask for it, as stored with the round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnmetCondition {
    pub condition: RuleNode,
    pub plans: Vec<i64>,
}

/// The most conditions of a round, and bytes of their JSON.
const MOST_CONDITIONS: usize = 20;
const LONGEST_CONDITIONS: usize = 4_000;

/// The conditions of plans that an applicant did not meet.
#[derive(Clone, Debug, Default)]
pub struct UnmetConditions {
    /// At most [`MOST_CONDITIONS`].
    conditions: Vec<UnmetCondition>,
    /// Plans that each field stopped, of all conditions.
    plans_of_field: BTreeMap<String, usize>,
}

impl UnmetConditions {
    /// Notes that the applicant did not meet a condition of a plan.
    pub fn note(&mut self, condition: RuleNode, plan_id: i64) {
        if let Some(field) = condition.field() {
            match self.plans_of_field.get_mut(field) {
                Some(plans) => *plans += 1,
                None => drop(self.plans_of_field.insert(field.to_owned(), 1)),
            }
        }
        match self.conditions.iter().position(|one| one.condition == condition) {
            Some(place) => self.conditions[place].plans.push(plan_id),
            None if self.conditions.len() < MOST_CONDITIONS => self.conditions.push(UnmetCondition { condition, plans: vec![plan_id] }),
            None => {}
        }
    }

    /// The first noted, at most [`MOST_CONDITIONS`].
    pub fn conditions(&self) -> &[UnmetCondition] {
        &self.conditions
    }

    /// The applicant's field whose conditions stopped the most plans; of equal ones the first by name.
    pub fn main_field(&self) -> Option<&str> {
        self.plans_of_field.iter().max_by_key(|(field, count)| (**count, Reverse(*field))).map(|(field, _)| field.as_str())
    }

    /// The conditions as they are stored, those of the most plans first; none if there is none. What does not fit is left out.
    pub fn as_stored(&self) -> Option<String> {
        let mut conditions: Vec<&UnmetCondition> = self.conditions.iter().collect();
        conditions.sort_by_key(|one| Reverse(one.plans.len()));
        while !conditions.is_empty() {
            let text = serde_json::to_string(&conditions).expect("conditions serialise");
            if text.len() <= LONGEST_CONDITIONS {
                return Some(text);
            }
            conditions.pop();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_reason_of_the_most_plans_comes_first() {
        let passed =
            |reasons: &[(PassedOver, i64)]| -> Passed { reasons.iter().map(|(reason, count)| (*reason, (0..*count).collect())).collect() };
        for (reasons, first) in [
            (passed(&[]), None),
            (passed(&[(PassedOver::City, 0)]), None),
            (passed(&[(PassedOver::Capped, 1), (PassedOver::City, 18), (PassedOver::Consent, 21)]), Some(PassedOver::Consent)),
            (passed(&[(PassedOver::Rules, 2), (PassedOver::City, 2), (PassedOver::Enough, 1)]), Some(PassedOver::City)),
        ] {
            assert_eq!(main_reason(&reasons), first, "{reasons:?}");
            let ordered = most_first(reasons);
            assert!(ordered.iter().map(|(_, plans)| plans.len()).is_sorted_by(|one, next| one >= next), "{ordered:?}");
            assert_eq!(ordered.first().filter(|(_, plans)| !plans.is_empty()).map(|(reason, _)| *reason), first);
        }
    }

    #[test]
    fn conditions_are_stored_once_with_their_plans_as_far_as_they_fit() {
        let node = |least: i64| serde_json::from_value::<RuleNode>(json!({"field": "age", "op": "gte", "value": least})).unwrap();
        let mut unmet = UnmetConditions::default();
        for (least, plan) in [(40, 1), (30, 2), (30, 3)] {
            unmet.note(node(least), plan);
        }
        let house: RuleNode = serde_json::from_value(json!({"any": [{"field": "house", "op": "exists", "value": true}]})).unwrap();
        assert_eq!(unmet.main_field(), Some("age"));
        let mut equal = UnmetConditions::default();
        equal.note(house.clone(), 1);
        assert_eq!(equal.main_field(), Some("house"));
        equal.note(node(40), 2);
        assert_eq!(equal.main_field(), Some("age"));
        assert_eq!(UnmetConditions::default().main_field(), None);
        let expected =
            vec![UnmetCondition { condition: node(30), plans: vec![2, 3] }, UnmetCondition { condition: node(40), plans: vec![1] }];
        assert_eq!(serde_json::from_str::<Vec<UnmetCondition>>(&unmet.as_stored().unwrap()).unwrap(), expected);
        assert_eq!(UnmetConditions::default().as_stored(), None);

        // The main field is that of all conditions, also of those that are not kept.
        let mut many = UnmetConditions::default();
        (0..50).for_each(|plan| many.note(house.clone(), plan));
        (0..1000).for_each(|least| many.note(node(least), least));
        assert_eq!((many.conditions.len(), many.main_field()), (MOST_CONDITIONS, Some("age")));
        for one in &mut many.conditions {
            one.plans = (0..1000).collect();
        }
        assert_eq!(many.as_stored().map(|text| text.len() <= LONGEST_CONDITIONS), Some(true));
        many.conditions.iter_mut().for_each(|one| one.plans = (0..10_000).collect());
        assert_eq!(many.as_stored(), None);
    }
}
