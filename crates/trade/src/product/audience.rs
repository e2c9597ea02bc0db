//! The audience of a product: the cities in which it is shown and sold, and the conditions on applicants.

use frame::terms::RuleSet;
use frame::terms::applicant::{Fact, Facts};

/// Cities and conditions; none for everybody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audience {
    pub cities: Vec<String>,
    pub rules: Option<RuleSet>,
}

/// The part of an audience that an applicant does not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmet {
    City,
    Rules,
}

impl Audience {
    /// The part that an applicant does not meet; an unknown fact meets no condition.
    pub fn unmet(&self, facts: &Facts) -> Option<Unmet> {
        if !self.cities.is_empty() && !matches!(facts.get("city"), Some(Fact::Text(city)) if self.cities.contains(city)) {
            return Some(Unmet::City);
        }
        self.rules.as_ref().and_then(|rules| rules.evaluate(facts).err()).map(|_| Unmet::Rules)
    }
}
