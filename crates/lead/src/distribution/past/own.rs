//! A trial by people of the plan's organisation: what they may try, and what they see of the result.

use super::PlanTrialResult;
use super::outcome::Outcome;
use frame::api::{ApiError, Result, say};
use trade::plan::PlanRow;
use trade::plan::approval::{PlanTerms, binds};
use trade::plan::own::check_within;

/// Refuses terms that the organisation may not set itself: with any price, it could find out what others pay.
pub fn check(current: &PlanRow, tried: &PlanRow) -> Result<()> {
    if !binds(current.status) {
        return Err(ApiError::State(say("计划通过审核后，机构才能试算", "An organisation can try a plan only once it was approved")));
    }
    // The trial of a plan that does not run leaves its days out.
    let (starts_on, ends_on) = (current.starts_on.clone(), current.ends_on.clone());
    let wanted = PlanTerms { starts_on, ends_on, ..PlanTerms::of_row(tried) };
    check_within(&PlanTerms::of_row(current), &wanted)
}

/// Leaves in a result what is about the plan alone: how many leads there were, and what became of other plans, is not for the
/// organisation.
pub fn keep(plan_id: i64, outcome: &Outcome, result: &mut PlanTrialResult) {
    if let Some(pair) = outcome.sales.get(&plan_id) {
        result.own.add(*pair);
    }
    result.all = result.own;
    result.endings.retain(|row| matches!(row.ending.as_str(), "bought" | "refused"));
    result.rounds = result.endings.iter().map(|row| row.was.max(row.would_be)).sum();
    (result.erased, result.new_offers_of_others) = (0, 0);
}
