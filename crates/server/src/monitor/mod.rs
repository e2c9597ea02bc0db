//! The state of this process, for people: the server dashboard and the monitor. Programs read `/metrics`.

mod health;
mod model;
mod status;

use frame::api::Access::AnyPoint;
use frame::api::Calls;

pub use model::{Health, ServerStatus};
pub use status::unusual;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new().get("/server/status", AnyPoint(&["dashboard/server/list", "dashboard/monitor/list"]), status::status)
}
