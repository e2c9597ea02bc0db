//! How a receipt's status may change.

use super::model::ReceiptStatus::{self, Confirmed, Rejected, Void, Waiting};
use base::locale::Locale;
use frame::api::{ApiError, check_step, say};

/// Allows a decision, or refuses it and names the status that stands in its way.
pub fn decide(from: ReceiptStatus, to: ReceiptStatus) -> Result<(), ApiError> {
    check_step(from, to, ("收款单", "receipt"))
}

/// Whether what it says may still be changed, or it be deleted: not once it was confirmed.
pub fn edit(status: ReceiptStatus) -> Result<(), ApiError> {
    match status {
        Waiting | Rejected => Ok(()),
        Confirmed | Void => Err(ApiError::State(say(
            format!("收款单当前为“{}”，不能修改或删除", status.label(Locale::Chinese)),
            format!("The receipt is {}; it can be neither changed nor deleted", status.label(Locale::English)),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_listed_changes_are_allowed() {
        let all = [Waiting, Confirmed, Rejected, Void];
        let allowed = [(Waiting, Confirmed), (Waiting, Rejected), (Confirmed, Void)];
        for from in all {
            for to in all {
                assert_eq!(decide(from, to).is_ok(), allowed.contains(&(from, to)), "{from:?} to {to:?}");
            }
        }
        assert_eq!(all.map(|status| edit(status).is_ok()), [true, false, true, false]);
    }
}
