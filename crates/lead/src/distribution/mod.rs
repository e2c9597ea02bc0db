//! Distribution: looks for plans that take an applicant, sells the lead to one or more of them, delivers it, and
//! settles or gives back its price. One process at a time works on an applicant whose round is due; what a crash
//! leaves behind is due again.
//!
//! The transactions of these workers are begun once and not by [`base::db::Db::transact`]: work that meets a lock too
//! long is due again, and begins from the state at that time. The transaction of a sale goes on into the end of its
//! round. The result of a call is written repeatedly for as long as the lease holds (`deliver`).

mod applicant;
mod ask;
mod authorise;
mod books;
mod cancel;
mod deliver;
mod notices;
mod past;
mod policy;
mod repeat;
mod resolve;
mod round;
mod sale;
mod search;
pub mod selection;
mod settle;
mod wait;
mod work;

pub use authorise::{Reported, report as report_authorisation};
pub use books::{check as check_books, check_nightly};
pub use cancel::PushCancel;
pub use cancel::{BY_HAND, withdraw, withdraw_all};
pub use deliver::carry;
pub use deliver::unheard;
use frame::api::Access::Point;
use frame::api::Calls;
pub use notices::consent_withdrawn;
pub use policy::{Method, Policy};
pub use repeat::repeat_as_it_was;
pub use repeat::{PushRepeat, RepeatTerms};
pub use resolve::{Heard, PushDecision, PushResolution, known_to_buyer};
pub use settle::take_back;
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
