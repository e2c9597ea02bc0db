//! How many leads, and for how long, an organisation may return.

use base::clock::DAY;
use frame::api::{ApiError, Result, say};

/// The limits of an organisation, and the general ones.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub allowed: bool,
    /// Days after a sale.
    pub max_days: i64,
    /// The share of its purchases, in basis points.
    pub max_bp: i64,
    /// So many returns are allowed even if they exceed the share.
    pub least: i64,
    /// Days over which the share counts.
    pub share_days: i64,
}

impl Limits {
    /// Accepts a lead that was sold at this time for a return now, or refuses it with the reason.
    pub fn check_age(&self, sold_at: i64, now: i64) -> Result<()> {
        if !self.allowed {
            return Err(ApiError::State(say("与该机构的约定不允许退单", "The agreement with this organisation does not allow returns")));
        }
        if now - sold_at > self.max_days * DAY {
            let days = self.max_days;
            return Err(ApiError::State(say(
                format!("成交超过 {days} 天，不能退单"),
                format!("The lead was sold more than {days} days ago and cannot be returned"),
            )));
        }
        Ok(())
    }

    /// Accepts one more return beside `returned` of `sold` leads, or refuses it.
    pub fn check_share(&self, returned: i64, sold: i64) -> Result<()> {
        if returned < self.room(sold) {
            return Ok(());
        }
        let (days, room) = (self.share_days, self.room(sold));
        Err(ApiError::State(say(
            format!("最近 {days} 天的退单已达上限（{room} 条）"),
            format!("The limit of {room} returns in {days} days has been reached"),
        )))
    }

    /// How many of so many leads may be returned.
    fn room(&self, sold: i64) -> i64 {
        (sold * self.max_bp / 10_000).max(self.least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { allowed: true, max_days: 7, max_bp: 1000, least: 1, share_days: 30 };

    #[test]
    fn a_lead_may_be_returned_for_some_days() {
        assert!(LIMITS.check_age(0, 7 * DAY).is_ok());
        assert!(LIMITS.check_age(0, 7 * DAY + 1).is_err());
        assert!(Limits { allowed: false, ..LIMITS }.check_age(0, 0).is_err());
    }

    #[test]
    fn a_share_may_be_returned_and_never_less_than_the_least() {
        for (returned, sold, allowed) in
            [(0, 1, true), (1, 1, false), (1, 19, false), (1, 20, true), (2, 20, false), (9, 100, true), (10, 100, false)]
        {
            assert_eq!(LIMITS.check_share(returned, sold).is_ok(), allowed, "{returned} of {sold}");
        }
        assert!(Limits { least: 0, ..LIMITS }.check_share(0, 9).is_err());
    }
}
