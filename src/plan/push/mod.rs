//! Pushes in the database: the leads that plans bought, and how each reached its buyer. The screen is in `src/push`;
//! what people do with pushes is in `src/distribution`.

pub(crate) mod attempt;
pub(crate) mod edited;
pub(crate) mod model;
pub mod people;
pub(crate) mod store;

use crate::access::audit::{Module, Target};

pub use model::ReturnStatus;

/// What the audit trail calls pushes.
pub const TARGET: Target = Target { module: Module::Push, kind: "push_record", id: None };
