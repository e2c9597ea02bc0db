//! The steps in the handling of feedback.

use super::model::HandleStatus::{self, Closed, Done, InProgress, Open};
use base::locale::Locale;
use frame::api::{ApiError, say};

/// Allows a step, or refuses it with the current status. Feedback that is done may be reopened; feedback that is
/// closed may not.
pub fn step(from: HandleStatus, to: HandleStatus) -> Result<(), ApiError> {
    match (from, to) {
        (Open, InProgress | Done | Closed) | (InProgress, Done | Closed) | (Done, InProgress | Closed) => Ok(()),
        _ => Err(ApiError::State(say(
            format!("反馈当前为“{}”，不能改为“{}”", from.label(Locale::Chinese), to.label(Locale::Chinese)),
            format!("The feedback is {}; it cannot become {}", from.label(Locale::English), to.label(Locale::English)),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use base::codes::Codes;

    use super::*;

    #[test]
    fn only_the_listed_steps_are_allowed() {
        let allowed = [
            (Open, InProgress),
            (Open, Done),
            (Open, Closed),
            (InProgress, Done),
            (InProgress, Closed),
            (Done, InProgress),
            (Done, Closed),
        ];
        for from in HandleStatus::ALL.iter().copied() {
            for to in HandleStatus::ALL.iter().copied() {
                assert_eq!(step(from, to).is_ok(), allowed.contains(&(from, to)), "{from:?} to {to:?}");
            }
        }
    }
}
