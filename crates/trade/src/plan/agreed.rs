//! What a plan says of buying: everything of it but its organisation, which never changes, its name and its
//! remark, which are only read by people. Each of these decides whom it buys, before whom, for how much, how
//! many, and how that is handed over (whose answer may cost the sale); so of a plan that was approved they
//! change by a new decision alone, until which the old ones hold. In a hurry it is paused, which takes no
//! second person.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::list::TARGET;
use super::model::{DeliverMode, OutOfSchedule, PlanRow, PlanStatus, SaleMode};
use frame::access::audit::{self, Change};
use frame::decision::{self, DecisionAction, Matter};
use frame::places;
use frame::proposal;
use frame::terms::{CapRule, PriceRule, RuleSet, Schedule};

/// The terms of a plan; their values are those of the same fields of [`PlanRow`].
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanTerms {
    /// Whose caps count as well, and whose the lead is then.
    pub sub_org_id: Option<i64>,
    /// For which product's applicants.
    pub product_id: Option<i64>,
    pub deliver_mode: DeliverMode,
    /// Whether the organisation may decline before it pays.
    pub match_required: bool,
    pub sale_mode: SaleMode,
    pub max_buyers: i64,
    pub price_cents: i64,
    pub price_rules: Vec<PriceRule>,
    /// Before or after which others.
    pub method_priority: i64,
    pub weight: i64,
    pub exposure_weight: i64,
    /// Whom it buys: where they live, who brings them, what is asked of them, whom it knows already.
    #[serde(deserialize_with = "places::cities")]
    pub cities: Vec<String>,
    pub channel_allow: Vec<i64>,
    pub channel_deny: Vec<i64>,
    pub rule_set: Option<RuleSet>,
    pub dedup_days: Option<i64>,
    /// When, and how much.
    pub schedule: Option<Schedule>,
    pub out_of_schedule: OutOfSchedule,
    pub starts_on: Option<String>,
    pub ends_on: Option<String>,
    pub caps: Vec<CapRule>,
}

impl PlanTerms {
    /// Those of a plan as it stands.
    pub fn of_row(row: &PlanRow) -> PlanTerms {
        PlanTerms {
            sub_org_id: row.sub_org_id,
            product_id: row.product_id,
            deliver_mode: row.deliver_mode,
            match_required: row.match_required,
            sale_mode: row.sale_mode,
            max_buyers: row.max_buyers,
            price_cents: row.price_cents,
            price_rules: row.price_rules.clone(),
            method_priority: row.method_priority,
            weight: row.weight,
            exposure_weight: row.exposure_weight,
            cities: row.cities.clone(),
            channel_allow: row.channel_allow.clone(),
            channel_deny: row.channel_deny.clone(),
            rule_set: row.rule_set.clone(),
            dedup_days: row.dedup_days,
            schedule: row.schedule.clone(),
            out_of_schedule: row.out_of_schedule,
            starts_on: row.starts_on.clone(),
            ends_on: row.ends_on.clone(),
            caps: row.caps.clone(),
        }
    }

    /// Whether they say the same.
    pub fn are(&self, other: &PlanTerms) -> bool {
        self.json() == other.json()
    }

    fn json(&self) -> Map<String, Value> {
        let Ok(Value::Object(json)) = serde_json::to_value(self) else { unreachable!("terms are an object") };
        json
    }
}

/// Whether it was approved once, so that its terms change by a decision alone.
pub fn binds(status: PlanStatus) -> bool {
    matches!(status, PlanStatus::Running | PlanStatus::Paused)
}

/// The change of its terms that waits for a decision. What an older program wrote down says nothing of some
/// terms: those stay.
pub fn asked(row: &PlanRow) -> Option<PlanTerms> {
    let mut terms = PlanTerms::of_row(row).json();
    terms.extend(written_down(row)?);
    serde_json::from_value(Value::Object(terms)).ok()
}

fn written_down(row: &PlanRow) -> Option<Map<String, Value>> {
    let open = row.decision.as_ref().filter(|open| open.action == DecisionAction::ChangePlan)?;
    serde_json::from_str(open.payload.as_deref()?).ok()
}

/// Whether a plan runs, as something to be decided on: its terms, whose it is, and what it is called.
pub fn start(row: &PlanRow) -> Matter<'static> {
    let mut seen = PlanTerms::of_row(row).json();
    seen.extend([("orgId", row.org_id.into()), ("name", row.name.clone().into()), ("remark", row.remark.clone().into())].map(named));
    matter(row, DecisionAction::StartPlan, &seen)
}

/// A change of its terms as something to be decided on: from what to what.
pub fn change(row: &PlanRow, asked: &PlanTerms) -> Matter<'static> {
    let to = asked.json();
    Matter { payload: Some(Value::Object(to.clone()).to_string()), ..change_of(row, to) }
}

/// The change that waits, as it was written down: by the terms that the program knew which did.
pub fn asked_change(row: &PlanRow) -> Matter<'static> {
    change_of(row, written_down(row).unwrap_or_default())
}

fn change_of(row: &PlanRow, to: Map<String, Value>) -> Matter<'static> {
    let mut from = PlanTerms::of_row(row).json();
    from.retain(|name, _| to.contains_key(name));
    let seen = [("from", Value::Object(from)), ("to", Value::Object(to))].map(named).into_iter().collect();
    matter(row, DecisionAction::ChangePlan, &seen)
}

fn named((name, value): (&str, Value)) -> (String, Value) {
    (name.to_owned(), value)
}

fn matter(row: &PlanRow, action: DecisionAction, seen: &Map<String, Value>) -> Matter<'static> {
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash: decision::hash(seen), payload: None, note: None }
}

/// What the trail tells of a change of a plan: what was asked for beside what was done.
pub fn diff(before: Option<&PlanRow>, after: Option<&PlanRow>) -> Vec<Change> {
    let mut changes = audit::changes(before, after);
    changes.retain(|change| !["decision", "change"].contains(&change.field.as_str()));
    let terms = |row: Option<&PlanRow>| row.map(PlanTerms::of_row);
    let proposed = |row: Option<&PlanRow>| row.and_then(asked);
    changes
        .extend(proposal::changes((terms(before).as_ref(), proposed(before).as_ref()), (terms(after).as_ref(), proposed(after).as_ref())));
    changes
}
