//! Pushes in the database: the leads that plans bought, and how each reached its buyer. The screen is in `crates/lead/src/push`;
//! what people do with pushes is in `crates/lead/src/distribution`.

pub mod attempt;
pub mod edited;
pub mod model;
pub mod people;
pub mod store;

use frame::access::audit::{Module, Target};

pub use model::ReturnStatus;

/// What the audit trail calls pushes.
pub const TARGET: Target = Target { module: Module::Push, kind: "push_record", id: None };
