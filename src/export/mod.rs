//! Export tasks: the worker that makes them, and what their owners may do with them. They are asked
//! for by the lists' own calls (`api::export`).

mod record;
mod told;
mod worker;

use crate::api::Access::SignedIn;
use crate::api::Calls;

pub use record::ExportRow;
pub use worker::{run_due, sweep, work};

/// The calls of this area: everybody's own tasks.
pub fn calls() -> Calls {
    Calls::new()
        .list("/export/page", SignedIn, record::page)
        // Asked again and again while a task is followed.
        .poll("/export/{id}", SignedIn, record::view)
        .get("/export/{id}/file", SignedIn, record::file)
        .delete("/export/{id}", SignedIn, record::remove)
}
