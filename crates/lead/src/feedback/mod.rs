//! Feedback: the outcome of applicants, as reported by the organisations that bought them, by staff or by the
//! applicants themselves; its handling; and the callback to the channel. Calls under `/user/feedback`.

mod callback;
pub mod form;
mod list;
pub mod model;
mod record;
mod report;
mod status;
pub mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use callback::{carry, notify_all};
pub use list::open_work;
pub use model::{CallbackStatus, FeedbackRow, FeedbackSource, HandleStatus};
pub use report::{FeedbackReport, FeedbackReported, report};
pub use store::{OLD_ATTEMPTS, erase, of_user, put_off};

/// The calls of feedback.
pub fn calls() -> Calls {
    Calls::new()
        .list("/user/feedback/page", Point("user/feedback-list/list"), listing::page::<list::Feedback>)
        .list("/user/feedback/page/export", Point("user/feedback-list/export"), listing::export::<list::Feedback>)
        .get("/user/feedback/{id}", Point("user/feedback-list/view"), record::view)
        .get("/user/feedback/history/{id}", Point("user/feedback-list/view"), record::history)
        .post("/user/feedback", Point("user/feedback-list/create"), record::create)
        .put("/user/feedback/handle", Point("user/feedback-list/handle"), record::handle)
        .put("/user/feedback/resend", Point("user/feedback-list/handle"), record::resend)
        .put("/user/feedback/giveUp", Point("user/feedback-list/handle"), record::give_up)
}
