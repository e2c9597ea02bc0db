//! The terms of a plan: all its fields except its organisation, which never changes, and its name and remark, which
//! are for people only. Each of these decides which leads it buys, in which order, at which price, how many, and how
//! they are delivered (an answer may cost the sale). So the terms of an approved plan change only by a new decision;
//! until then the old ones hold. Within the bounds in the terms, the plan's organisation changes them by itself ([`super::own`]). To
//! stop a plan quickly it is paused, which needs no second person.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::list::TARGET;
use super::model::{DeliverMode, OutOfSchedule, PlanRow, PlanStatus, SaleMode};
use super::own;
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
    /// The team whose caps also count, and which gets the leads.
    pub sub_org_id: Option<i64>,
    /// The product whose applicants it buys.
    pub product_id: Option<i64>,
    pub deliver_mode: DeliverMode,
    /// Whether the organisation may decline before the sale.
    pub match_required: bool,
    pub sale_mode: SaleMode,
    pub max_buyers: i64,
    pub price_cents: i64,
    pub price_rules: Vec<PriceRule>,
    /// Its place among other plans.
    pub method_priority: i64,
    pub weight: i64,
    pub exposure_weight: i64,
    /// Which applicants it buys: cities, channels, rules, and how repeated persons count.
    #[serde(deserialize_with = "places::cities")]
    pub cities: Vec<String>,
    pub channel_allow: Vec<i64>,
    pub channel_deny: Vec<i64>,
    pub rule_set: Option<RuleSet>,
    pub dedup_days: Option<i64>,
    /// Its hours, days and caps.
    pub schedule: Option<Schedule>,
    pub out_of_schedule: OutOfSchedule,
    pub starts_on: Option<String>,
    pub ends_on: Option<String>,
    pub caps: Vec<CapRule>,
    /// What its organisation may change by itself.
    pub own_price_least_cents: Option<i64>,
    pub own_price_most_cents: Option<i64>,
    pub own_day_most: Option<i64>,
    pub own_hours: bool,
    pub own_cities: bool,
    pub own_pause: bool,
}

impl PlanTerms {
    /// The terms of a plan as stored.
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
            own_price_least_cents: row.own_price_least_cents,
            own_price_most_cents: row.own_price_most_cents,
            own_day_most: row.own_day_most,
            own_hours: row.own_hours,
            own_cities: row.own_cities,
            own_pause: row.own_pause,
        }
    }

    /// Whether they are equal.
    pub fn are(&self, other: &PlanTerms) -> bool {
        self.json() == other.json()
    }

    fn json(&self) -> Map<String, Value> {
        let Ok(Value::Object(json)) = serde_json::to_value(self) else { unreachable!("terms are an object") };
        json
    }
}

/// Whether the plan was approved once, so that its terms change only by a decision.
pub fn binds(status: PlanStatus) -> bool {
    matches!(status, PlanStatus::Running | PlanStatus::Paused)
}

/// The change of terms that waits for a decision. A change that an older version stored lacks some terms: those stay.
pub fn asked(row: &PlanRow) -> Option<PlanTerms> {
    let mut terms = PlanTerms::of_row(row).json();
    terms.extend(written_down(row)?);
    serde_json::from_value(Value::Object(terms)).ok()
}

fn written_down(row: &PlanRow) -> Option<Map<String, Value>> {
    let open = row.decision.as_ref().filter(|open| open.action == DecisionAction::ChangePlan)?;
    serde_json::from_str(open.payload.as_deref()?).ok()
}

/// The start of a plan as the subject of a decision: its terms, its organisation and its name.
pub fn start(row: &PlanRow) -> Matter<'static> {
    let terms = PlanTerms::of_row(row);
    let mut seen = terms.json();
    if !own::has_bounds(&terms) {
        // The hash of a plan without them is the same as before there were bounds: it may wait since then.
        seen.retain(|name, _| !name.starts_with("own"));
    }
    seen.extend([("orgId", row.org_id.into()), ("name", row.name.clone().into()), ("remark", row.remark.clone().into())].map(named));
    matter(row, DecisionAction::StartPlan, &seen)
}

/// A change of terms as the subject of a decision: the old and the new terms.
pub fn change(row: &PlanRow, asked: &PlanTerms) -> Matter<'static> {
    let to = asked.json();
    Matter { payload: Some(Value::Object(to.clone()).to_string()), ..change_of(row, to) }
}

/// The open change as stored: with the terms that the version which stored it had.
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

/// The audit changes of a plan: proposed changes beside actual ones.
pub fn diff(before: Option<&PlanRow>, after: Option<&PlanRow>) -> Vec<Change> {
    let mut changes = audit::changes_without(&["decision", "change"], before, after);
    let terms = |row: Option<&PlanRow>| row.map(PlanTerms::of_row);
    let proposed = |row: Option<&PlanRow>| row.and_then(asked);
    changes
        .extend(proposal::changes((terms(before).as_ref(), proposed(before).as_ref()), (terms(after).as_ref(), proposed(after).as_ref())));
    changes
}
