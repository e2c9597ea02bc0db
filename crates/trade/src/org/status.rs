//! The changes of an organisation's status.

use super::model::OrgStatus;
use frame::api::{ApiError, check_step};

/// Allows the change, or refuses it with the current status.
pub fn change(from: OrgStatus, to: OrgStatus) -> Result<(), ApiError> {
    check_step(from, to, ("机构", "organisation"))
}

#[cfg(test)]
mod tests {
    use super::super::model::OrgStatus::{Active, Paused, Pending, Terminated};
    use super::*;
    use base::locale::Locale;

    #[test]
    fn only_the_listed_changes_are_allowed() {
        let all = [Pending, Active, Paused, Terminated];
        let allowed = [(Pending, Active), (Active, Paused), (Paused, Active), (Paused, Terminated)];
        for from in all {
            for to in all {
                assert_eq!(change(from, to).is_ok(), allowed.contains(&(from, to)), "{from:?} to {to:?}");
            }
        }
    }

    #[test]
    fn a_refusal_names_the_status() {
        let Err(ApiError::State(text)) = change(Active, Terminated) else { panic!("refused") };
        assert_eq!(text.get(Locale::Chinese), "机构当前为“合作中”，不能改为“终止”");
        assert_eq!(text.get(Locale::English), "The organisation is Active; it cannot become Terminated");
    }
}
