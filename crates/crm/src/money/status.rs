//! How the status of a record of money may change.

use super::model::MoneyStatus::{self, Confirmed, Pending, Rejected, Void};
use base::locale::Locale;
use frame::api::{ApiError, check_step, say};

/// Allows a decision, or refuses it and names the present status.
pub fn decide(from: MoneyStatus, to: MoneyStatus) -> Result<(), ApiError> {
    check_step(from, to, ("收款记录", "payment"))
}

/// Allows an edit or a deletion until the record was confirmed.
pub fn edit(status: MoneyStatus) -> Result<(), ApiError> {
    match status {
        Pending | Rejected => Ok(()),
        Confirmed | Void => Err(ApiError::State(say(
            format!("收款记录当前为“{}”，不能修改或删除", status.label(Locale::Chinese)),
            format!("The payment is {}; it can be neither edited nor deleted", status.label(Locale::English)),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_listed_changes_are_allowed() {
        let all = [Pending, Confirmed, Rejected, Void];
        let allowed = [(Pending, Confirmed), (Pending, Rejected), (Confirmed, Void)];
        for from in all {
            for to in all {
                assert_eq!(decide(from, to).is_ok(), allowed.contains(&(from, to)), "{from:?} to {to:?}");
            }
        }
        assert_eq!(all.map(|status| edit(status).is_ok()), [true, false, true, false]);
    }
}
