//! Terms: the conditions of a channel, a product or a plan on applicants, its opening hours and its caps. Conditions
//! ([`rule_set`]), opening hours ([`schedule`]) and caps ([`cap`]) are pure modules that the areas share; the words
//! of their sentences and the fields of an applicant are data, `js/terms.json`, which the browser reads as well.

pub mod applicant;
pub mod cap;
#[cfg(test)]
mod cases;
pub mod choices;
pub mod history;
pub mod price;
pub mod rule_set;
pub mod schedule;
mod table;
mod wrong;

pub use cap::CapRule;
pub use price::PriceRule;
pub use rule_set::{Miss, RuleNode, RuleSet};
pub use schedule::Schedule;
pub use table::yuan;
pub use wrong::{Wrong, add_faults};
