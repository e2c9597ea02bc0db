//! The changes of a channel's status.

use super::model::ChannelStatus;
use frame::api::{ApiError, check_step};

/// Allows the change, or refuses it with the current status.
pub fn change(from: ChannelStatus, to: ChannelStatus) -> Result<(), ApiError> {
    check_step(from, to, ("渠道", "channel"))
}

#[cfg(test)]
mod tests {
    use super::super::model::ChannelStatus::{Disabled, Enabled, Paused};
    use super::*;
    use base::locale::Locale;

    #[test]
    fn only_the_listed_changes_are_allowed() {
        let allowed = [(Enabled, Paused), (Paused, Enabled), (Enabled, Disabled), (Paused, Disabled), (Disabled, Enabled)];
        for from in [Disabled, Enabled, Paused] {
            for to in [Disabled, Enabled, Paused] {
                assert_eq!(change(from, to).is_ok(), allowed.contains(&(from, to)), "{from:?} to {to:?}");
            }
        }
    }

    #[test]
    fn a_refusal_names_the_status() {
        let Err(ApiError::State(text)) = change(Disabled, Paused) else { panic!("refused") };
        assert_eq!(text.get(Locale::Chinese), "渠道当前为“停用”，不能改为“暂停”");
        assert_eq!(text.get(Locale::English), "The channel is Disabled; it cannot become Paused");
    }
}
