//! The steps of a project.

use super::model::ProjectStage::{self, Application, Certificate, Launch, Review, SafetyTest};
use super::model::ProjectStatus::{self, Draft, Launched, Returned, Submitted, Withdrawn};
use super::model::StepAction;
use base::locale::Locale;
use frame::api::{ApiError, Say, say};

/// The next status and step for an action, or the refusal with the current status.
pub fn next(status: ProjectStatus, stage: ProjectStage, action: StepAction) -> Result<(ProjectStatus, ProjectStage), ApiError> {
    match (status, action) {
        (Draft | Returned, StepAction::Submitted) => Ok((Submitted, Review)),
        (Submitted, StepAction::Approved) => Ok(match stage {
            Application => (Submitted, Review),
            Review => (Submitted, Certificate),
            Certificate => (Submitted, SafetyTest),
            SafetyTest => (Submitted, Launch),
            Launch => (Launched, Launch),
        }),
        (Submitted, StepAction::Returned) => Ok((Returned, Application)),
        (Draft | Submitted | Returned, StepAction::Withdrawn) => Ok((Withdrawn, stage)),
        _ => Err(ApiError::State(refusal(status, action))),
    }
}

fn refusal(status: ProjectStatus, action: StepAction) -> Say {
    let (chinese, english) = match action {
        StepAction::Submitted => ("提交", "submitted"),
        StepAction::Approved => ("审核通过", "approved"),
        StepAction::Returned => ("退回", "returned"),
        StepAction::Withdrawn => ("撤回", "withdrawn"),
    };
    say(
        format!("项目当前为“{}”，不能{chinese}", status.label(Locale::Chinese)),
        format!("The project is “{}” and cannot be {english}", status.label(Locale::English)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGES: [ProjectStage; 5] = [Application, Review, Certificate, SafetyTest, Launch];
    const STATUSES: [ProjectStatus; 5] = [Draft, Submitted, Returned, Launched, Withdrawn];

    #[test]
    fn only_the_listed_moves_are_made() {
        for status in STATUSES {
            let may = |action| next(status, Review, action).is_ok();
            let allowed = [StepAction::Submitted, StepAction::Approved, StepAction::Returned, StepAction::Withdrawn].map(may);
            let expected = match status {
                Draft | Returned => [true, false, false, true],
                Submitted => [false, true, true, true],
                Launched | Withdrawn => [false; 4],
            };
            assert_eq!(allowed, expected, "{status:?}");
        }
    }

    // S2.25 S4.09: the steps in their order
    #[test]
    fn four_approvals_lead_from_the_application_to_the_launch() {
        let (mut status, mut stage) = next(Draft, Application, StepAction::Submitted).unwrap();
        for expected in &STAGES[1..] {
            assert_eq!((status, stage), (Submitted, *expected));
            (status, stage) = next(status, stage, StepAction::Approved).unwrap();
        }
        assert_eq!((status, stage), (Launched, Launch));
    }

    #[test]
    fn what_is_returned_begins_again_from_any_step() {
        for stage in STAGES {
            assert_eq!(next(Submitted, stage, StepAction::Returned).unwrap(), (Returned, Application));
        }
        assert_eq!(next(Returned, Application, StepAction::Submitted).unwrap(), (Submitted, Review));
    }

    #[test]
    fn a_refusal_names_the_status() {
        let Err(ApiError::State(text)) = next(Launched, Launch, StepAction::Returned) else { panic!("refused") };
        assert_eq!(text.get(Locale::Chinese), "项目当前为“已上线”，不能退回");
        assert_eq!(text.get(Locale::English), "The project is “Launched” and cannot be returned");
    }
}
