//! The changes of a plan's status, and by which step.

use super::model::PlanStatus::{self, Draft, Ended, Paused, Pending, Rejected, Running};
use base::codes::Codes;
use base::locale::Locale;
use frame::api::{ApiError, say};

/// Allows a step by the people who work on the plan, or refuses it with the current status.
pub fn change(from: PlanStatus, to: PlanStatus) -> Result<(), ApiError> {
    match from.may_become(to) {
        true => Ok(()),
        false => Err(refused(from, to)),
    }
}

/// Allows the decision on a plan that waits for one: running, or rejected.
pub fn decide(from: PlanStatus, to: PlanStatus) -> Result<(), ApiError> {
    match (from, to) {
        (Pending, Running | Rejected) => Ok(()),
        _ => Err(refused(from, to)),
    }
}

/// Whether its fields may still be changed.
pub fn edit(status: PlanStatus) -> Result<(), ApiError> {
    match status {
        Draft | Pending | Running | Paused | Rejected => Ok(()),
        Ended => Err(ApiError::State(say("计划已结束，不能修改", "The plan has ended; it cannot be changed"))),
    }
}

/// Whether it may be deleted: only if it never ran.
pub fn delete(status: PlanStatus) -> Result<(), ApiError> {
    match status {
        Draft | Rejected => Ok(()),
        other => Err(ApiError::State(say(
            format!("计划当前为“{}”，只有草稿和已驳回的计划可以删除", other.label(Locale::Chinese)),
            format!("The plan is {}; only drafts and rejected plans can be deleted", other.label(Locale::English)),
        ))),
    }
}

fn refused(from: PlanStatus, to: PlanStatus) -> ApiError {
    ApiError::State(say(
        format!("计划当前为“{}”，不能改为“{}”", from.label(Locale::Chinese), to.label(Locale::Chinese)),
        format!("The plan is {}; it cannot become {}", from.label(Locale::English), to.label(Locale::English)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [PlanStatus; 6] = [Draft, Pending, Running, Paused, Ended, Rejected];

    #[test]
    fn only_the_listed_changes_are_allowed() {
        let steps = [(Draft, Pending), (Rejected, Draft), (Running, Paused), (Paused, Running), (Running, Ended), (Paused, Ended)];
        let decisions = [(Pending, Running), (Pending, Rejected)];
        for from in ALL {
            for to in ALL {
                assert_eq!(change(from, to).is_ok(), steps.contains(&(from, to)), "{from:?} to {to:?}");
                assert_eq!(decide(from, to).is_ok(), decisions.contains(&(from, to)), "{from:?} decided {to:?}");
            }
        }
    }

    #[test]
    fn what_ran_is_not_deleted_and_what_ended_is_not_changed() {
        assert_eq!(ALL.map(|status| delete(status).is_ok()), [true, false, false, false, false, true]);
        assert_eq!(ALL.map(|status| edit(status).is_ok()), [true, true, true, true, false, true]);
    }

    #[test]
    fn a_refusal_names_the_status() {
        let Err(ApiError::State(text)) = change(Ended, Running) else { panic!("refused") };
        assert_eq!(text.get(Locale::Chinese), "计划当前为“已结束”，不能改为“投放中”");
    }
}
