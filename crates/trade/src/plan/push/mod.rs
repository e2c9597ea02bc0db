//! Pushes in the database: the leads that plans bought, and their deliveries. The screen is in
//! `crates/lead/src/push`; the actions of people on pushes are in `crates/lead/src/distribution`.

pub mod attempt;
pub mod edited;
pub mod model;
pub mod people;
pub mod store;

use frame::access::audit::{Module, Target};
pub use model::ReturnStatus;

/// The name of pushes in the audit trail.
pub const TARGET: Target = Target { module: Module::Push, kind: "push_record", id: None };
