//! Reports of providers that could not be handled in many tries. Staff see why, and retry them or settle them with a
//! reason. Calls under `/payReport`.

mod list;
mod model;
mod record;
mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::open_work;
pub use record::set_aside;

/// The calls of stuck reports.
pub fn calls() -> Calls {
    Calls::new()
        .list("/payReport/page", Point("payConfig/order-list/list"), listing::page::<list::Stuck>)
        .list("/payReport/page/export", Point("payConfig/order-list/export"), listing::export::<list::Stuck>)
        .put("/payReport/retry", Point("payConfig/order-list/settle"), record::retry)
        .put("/payReport/settle", Point("payConfig/order-list/settle"), record::settle)
}
