//! A past round as recorded: the applicant, the plans that were passed over, and the offers.

use super::outcome::Ending;
use crate::distribution::selection::Person;
use frame::terms::applicant::Facts;
use trade::match_log::{Passed, PassedOver};

/// A round of the past.
#[derive(Clone, Debug)]
pub struct PastRound {
    pub user_id: i64,
    /// When it began; epoch milliseconds.
    pub began: i64,
    pub channel_id: i64,
    /// A round of a test lead.
    pub test: bool,
    /// None once the applicant is erased.
    pub facts: Option<Facts>,
    /// The organisations that the consent names, or all of them.
    pub recipients: Vec<i64>,
    pub all_partners: bool,
    pub passed: Passed,
    /// In the order in which they were made.
    pub offers: Vec<Offer>,
    /// What its channel got for the first accepted lead, and what it would get by its present terms; fen.
    pub paid_cents: Option<i64>,
    pub lead_cents: i64,
}

impl PastRound {
    /// The applicant for the matching, with their present consent.
    pub fn person<'r>(&'r self, facts: &'r Facts, had_by: &'r [i64]) -> Person<'r> {
        Person {
            facts,
            channel_id: self.channel_id,
            test: self.test,
            recipients: &self.recipients,
            all_partners: self.all_partners,
            had_by,
        }
    }
}

/// A lead that was offered to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub plan_id: i64,
    pub org_id: i64,
    pub price_cents: i64,
    pub exclusive: bool,
    /// The most buyers that were promised to it.
    pub most_buyers: i64,
    pub at: i64,
    /// It was bought, even if it was returned later, or its sale is still open.
    pub bought: bool,
    /// When its room under the caps was given back.
    pub ended_at: Option<i64>,
    pub taken: Taken,
    /// What its channel got for it, and was charged for its return; fen.
    pub cost_cents: i64,
    pub charged_cents: i64,
}

/// Whether statistics count an offer as a sale so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    No,
    Yes,
    /// Accepted, and returned later.
    Returned,
}

/// The record of a plan in a round.
#[derive(Clone, Copy)]
pub enum Recorded<'r> {
    Offered(&'r Offer),
    /// It took the person, but came after a sale that excluded it.
    Behind(PassedOver),
    PassedOver(PassedOver),
    Absent,
}

impl Recorded<'_> {
    /// The recorded ending of the plan.
    pub fn ending(self) -> Ending {
        match self {
            Recorded::Offered(offer) if offer.bought => Ending::Bought,
            Recorded::Offered(_) => Ending::Refused,
            Recorded::Behind(reason) | Recorded::PassedOver(reason) => Ending::PassedOver(reason),
            Recorded::Absent => Ending::NotRunning,
        }
    }
}
