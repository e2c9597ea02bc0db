//! The result of a replay: sales, endings and money, as recorded and as replayed.

use std::collections::{BTreeMap, HashMap};

use super::round::{Offer, Taken};
use trade::match_log::PassedOver;

/// What became of one plan in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    Bought,
    /// It was offered, and the buyer did not take it.
    Refused,
    PassedOver(PassedOver),
    /// It did not run.
    NotRunning,
}

/// A number of leads, and their prices in fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub leads: i64,
    pub cents: i64,
}

impl Sum {
    pub fn add(&mut self, cents: i64) {
        self.leads += 1;
        self.cents += cents;
    }
}

/// The recorded and the replayed value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pair<T> {
    pub was: T,
    pub would_be: T,
}

/// The result of a replay.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub rounds: i64,
    /// Rounds of erased applicants: they stay as they were.
    pub erased: i64,
    /// Sales by plan.
    pub sales: HashMap<i64, Pair<Sum>>,
    /// How often each ending of the plan on trial occurred.
    pub endings: BTreeMap<Ending, Pair<i64>>,
    /// New offers of the plan on trial, and of others: whether they would have been taken is not known.
    pub new_offers: i64,
    pub new_offers_of_others: i64,
    /// The income of these sales, less returned leads, and the cost of channels; fen.
    pub money: Pair<Money>,
}

/// Fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Money {
    pub income: i64,
    pub cost: i64,
}

impl Money {
    pub fn add(&mut self, more: Money) {
        self.income += more.income;
        self.cost += more.cost;
    }
}

/// The result of a person in one of the two courses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sold {
    /// A buyer has taken the lead.
    taken: bool,
    income: i64,
    paid: i64,
    charged: i64,
}

impl Sold {
    /// Adds an offer at a price. An offer that is not recorded counts as taken.
    pub fn add(&mut self, price_cents: i64, offer: Option<&Offer>) {
        let taken = offer.map_or(Taken::Yes, |offer| offer.taken);
        self.taken |= taken != Taken::No;
        self.income += if taken == Taken::Yes { price_cents } else { 0 };
        self.paid += offer.map_or(0, |offer| offer.cost_cents);
        self.charged += offer.map_or(0, |offer| offer.charged_cents);
    }
}

/// The results of a person in both courses, and the channel's terms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Account {
    pub paid_cents: Option<i64>,
    pub lead_cents: i64,
    pub sold: Pair<Sold>,
}

impl Account {
    /// The income and the cost of a person in both courses. A channel gets something once, with the first accepted
    /// lead: if it got something, the recorded amount stays; if not, its present terms apply.
    pub fn money(&self) -> Pair<Money> {
        let Pair { was, would_be } = self.sold;
        let first = match self.paid_cents {
            Some(cents) if was.paid != 0 => cents,
            // The channel got it before these rounds, or got nothing.
            Some(_) => 0,
            None if was.taken => 0,
            None => self.lead_cents,
        };
        let cost = if would_be.taken { first } else { 0 } - would_be.charged;
        Pair { was: Money { income: was.income, cost: was.paid - was.charged }, would_be: Money { income: would_be.income, cost } }
    }
}
