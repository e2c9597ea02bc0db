//! What of a plan binds money: its price, its prices for some, how it is sold, whom it buys and how much of
//! it. Of a plan that was approved these change by a new decision alone, until which the old ones sell on.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::form::Form;
use super::list::TARGET;
use super::model::{PlanRow, PlanStatus, SaleMode};
use crate::access::audit::{self, Change};
use crate::decision::{self, DecisionAction, Matter};
use crate::terms::{CapRule, PriceRule, RuleSet};

/// The terms that bind money.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanTerms {
    pub sale_mode: SaleMode,
    pub max_buyers: i64,
    pub price_cents: i64,
    pub price_rules: Vec<PriceRule>,
    /// Whom it buys: where they live, and what is asked of them.
    pub cities: Vec<String>,
    pub rule_set: Option<RuleSet>,
    pub caps: Vec<CapRule>,
}

impl PlanTerms {
    /// Those of a plan as it stands.
    pub fn of_row(row: &PlanRow) -> PlanTerms {
        PlanTerms {
            sale_mode: row.sale_mode,
            max_buyers: row.max_buyers,
            price_cents: row.price_cents,
            price_rules: row.price_rules.clone(),
            cities: row.cities.clone(),
            rule_set: row.rule_set.clone(),
            caps: row.caps.clone(),
        }
    }

    /// Takes those that a form asks for out of it, and leaves these in their place.
    pub fn instead_of_those(self, form: &mut Form) -> PlanTerms {
        PlanTerms {
            sale_mode: std::mem::replace(&mut form.sale_mode, self.sale_mode),
            max_buyers: std::mem::replace(&mut form.max_buyers, self.max_buyers),
            price_cents: std::mem::replace(&mut form.price_cents, self.price_cents),
            price_rules: std::mem::replace(&mut form.price_rules, self.price_rules),
            cities: std::mem::replace(&mut form.cities, self.cities),
            rule_set: std::mem::replace(&mut form.rule_set, self.rule_set),
            caps: std::mem::replace(&mut form.caps, self.caps),
        }
    }

    /// Whether they say the same.
    pub fn are(&self, other: &PlanTerms) -> bool {
        self.json() == other.json()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::to_value(self).expect("terms serialise")
    }
}

/// Whether it was approved once, so that its terms change by a decision alone.
pub fn binds(status: PlanStatus) -> bool {
    matches!(status, PlanStatus::Running | PlanStatus::Paused)
}

/// The change of its terms that waits for a decision.
pub fn asked(row: &PlanRow) -> Option<PlanTerms> {
    let open = row.decision.as_ref().filter(|open| open.action == DecisionAction::ChangePlan)?;
    serde_json::from_str(open.payload.as_deref()?).ok()
}

/// Whether a plan runs, as something to be decided on: everything that it says of buying.
pub fn start(row: &PlanRow) -> Matter<'static> {
    const SEEN: &[&str] = &[
        "orgId",
        "subOrgId",
        "productId",
        "deliverMode",
        "saleMode",
        "maxBuyers",
        "priceCents",
        "priceRules",
        "methodPriority",
        "weight",
        "exposureWeight",
        "cities",
        "channelAllow",
        "channelDeny",
        "ruleSet",
        "dedupDays",
        "schedule",
        "outOfSchedule",
        "startsOn",
        "endsOn",
        "caps",
        "matchRequired",
        "name",
        "remark",
    ];
    let Value::Object(mut seen) = serde_json::to_value(row).expect("a row serialises") else { unreachable!("a row is an object") };
    seen.retain(|name, _| SEEN.contains(&name.as_str()));
    matter(row, DecisionAction::StartPlan, &seen)
}

/// A change of its terms as something to be decided on: from what to what.
pub fn change(row: &PlanRow, asked: &PlanTerms) -> Matter<'static> {
    let seen = Map::from_iter([("from".to_owned(), PlanTerms::of_row(row).json()), ("to".to_owned(), asked.json())]);
    Matter { payload: Some(asked.json().to_string()), ..matter(row, DecisionAction::ChangePlan, &seen) }
}

fn matter(row: &PlanRow, action: DecisionAction, seen: &Map<String, Value>) -> Matter<'static> {
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash: decision::hash(seen), payload: None, note: None }
}

/// What the trail tells of a change of a plan: what was asked for beside what was done.
pub fn told(before: Option<&PlanRow>, after: Option<&PlanRow>) -> Vec<Change> {
    let mut changes = audit::changes(before, after);
    changes.retain(|change| !["decision", "change"].contains(&change.field.as_str()));
    // What is asked for is told as from the terms that hold; taken back or decided on, it is told as gone.
    let differing = |row: Option<&PlanRow>| {
        let asked = row.and_then(asked);
        let told = asked.map(|asked| audit::changes(Some(&PlanTerms::of_row(row.expect("it asks")).json()), Some(&asked.json())));
        told.unwrap_or_default()
    };
    let (was, is) = (differing(before), differing(after));
    for Change { field, before: held, after } in &is {
        let before = was.iter().find(|change| change.field == *field).and_then(|change| change.after.clone());
        // That something is to hold no more is told by what it is.
        let before = before.or_else(|| held.clone().filter(|_| after.is_none()));
        changes.push(Change { field: format!("asked.{field}"), before, after: after.clone() });
    }
    for Change { field, after, .. } in was.iter().filter(|change| is.iter().all(|other| other.field != change.field)) {
        changes.push(Change { field: format!("asked.{field}"), before: after.clone(), after: None });
    }
    changes.retain(|change| change.before != change.after);
    changes
}
