//! Visits and exposures, counted once for a visitor and day, and their daily figures, with those of applicants.
//! Subjects are known by kind and id alone; the caller gives their owners and prices.

pub mod applied;
mod batch;
mod charges;
mod earlier;
pub mod lead;
mod list;
mod model;
mod rebuild;
mod recorder;
mod recount;
mod retain;
mod so_far;
mod source;
mod stat;
mod store;
mod sums;
pub mod uv;

use base::clock::MINUTE;

pub use batch::Batch;
pub use charges::{book_days, work_on_charges};
pub use earlier::{enter_earlier, work_on_earlier};
pub(crate) use list::uv_list;
pub use list::{Subjects, UvFilters, UvList, UvRow, UvSubject, columns};
pub use model::{Exposure, Seen, Source, Subject, SubjectKind, System, Visit};
pub use rebuild::{Rebuilt, rebuild};
pub use recorder::{Outcome, Recorder, Stopped};
pub use retain::{kept_from, mask_addresses, sweep, work};
pub use so_far::{SoFar, so_far};
pub use source::network_of;
pub use stat::{Figures, Group, Stats, UNRATED};
pub use sums::{By, Part, PassRates, Sum, SumsQuery, pass_rates, sums};
pub use uv::calls;

/// How far the clock of a channel that reports visits may be ahead of the server's, in milliseconds.
pub const AHEAD: i64 = 5 * MINUTE;

/// The lock for writing events (shared) and for rebuilding figures (exclusive).
const LOCK: &str = "visits";

#[cfg(test)]
mod tests;
