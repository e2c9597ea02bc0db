//! Distribution: plans are looked for that take an applicant, one or more buy the lead, it is
//! delivered, and paid for or given back, then or later. Whoever is found to be due is worked on by one process at a
//! time; whatever a crash leaves behind is due again.
//!
//! Those workers' own transactions are begun once and not by [`base::db::Db::transact`]: what another stood in
//! the way of is due again as well, and is then begun anew from what is true by then; a sale's transaction goes
//! on into the end of its round, and what a call came to is written again and again as long as it is ours
//! (`deliver`).

mod applicant;
mod ask;
mod authorise;
mod books;
mod cancel;
mod deliver;
pub mod matching;
mod past;
mod policy;
mod repeat;
mod resolve;
mod round;
mod sale;
mod settle;
mod tell;
mod wait;
mod work;

use frame::api::Access::Point;
use frame::api::Calls;

pub use authorise::{Reported, report as report_authorisation};
pub use books::{check as check_books, check_nightly};
pub use cancel::PushCancel;
pub use cancel::{BY_HAND, withdraw, withdraw_all};
pub use deliver::carry;
pub use deliver::unheard;
pub use policy::{Method, Policy};
pub use repeat::repeat_as_it_was;
pub use repeat::{PushRepeat, RepeatTerms};
pub use resolve::{Heard, PushDecision, PushResolution, known_to_buyer};
pub use settle::take_back;
pub use tell::consent_withdrawn;
pub use work::{settle_all, settle_handed, work};

/// The calls of distribution.
pub fn calls() -> Calls {
    Calls::new()
        .put("/plan/push/resolve", Point("plan/push-list/resolve"), resolve::resolve)
        .put("/plan/push/cancel", Point("plan/push-list/cancel"), cancel::cancel)
        .get("/plan/push/again/{id}", Point("plan/push-list/again"), repeat::terms)
        .post("/plan/push/again", Point("plan/push-list/again"), repeat::repeat)
        .list("/plan/try", Point("plan/list/try"), past::try_past)
}
