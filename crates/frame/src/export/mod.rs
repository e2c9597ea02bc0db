//! Export tasks: the worker that makes the files, and the owners' calls. Tasks are created by the lists' own calls
//! (`api::export`, and [`plain`] for lists whose files may have whole numbers).

mod notice;
pub mod plain;
mod record;
mod worker;

use crate::api::Access::SignedIn;
use crate::api::{AccessOf, Calls, Id};

pub use record::ExportRow;
pub use worker::{run_due, sweep, work};

/// The calls of this area: each person's own tasks.
pub fn calls(access_of: AccessOf) -> Calls {
    Calls::new()
        .list("/export/page", SignedIn, record::page)
        // Pages poll it while a task is under way.
        .poll("/export/{id}", SignedIn, record::view)
        .get("/export/{id}/file", SignedIn, move |cx, id: Id| record::file(cx, id, access_of))
        .delete("/export/{id}", SignedIn, record::remove)
}
