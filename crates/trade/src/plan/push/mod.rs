//! Pushes in the database: the leads that plans bought, and their deliveries. The screen is in
//! `crates/lead/src/push`; the actions of people on pushes are in `crates/lead/src/distribution`.

pub mod attempt;
pub mod authorisation;
pub mod delivery;
pub mod edited;
pub mod eligibility;
pub mod model;
pub mod past;
pub mod people;
pub mod rows;

use frame::access::audit::{Module, Target};
pub use model::ReturnStatus;

/// The name of pushes in the audit trail.
pub const TARGET: Target = Target { module: Module::Push, kind: "push_record", id: None };
