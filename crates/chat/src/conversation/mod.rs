//! Conversations between customers and staff.

pub mod change;
pub mod inbound;
mod list;
pub mod model;
mod record;
pub mod send;
pub mod store;
pub mod write;

use crate::words::POINT;
use frame::api::Access::Point;
use frame::api::Calls;

pub use list::{QUEUED, TARGET, open_work};
pub use record::{applicant_of, customers_message};
pub use send::{FILES, MESSAGE, NUMBER};

/// The calls of conversations.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&FILES)
        .list("/chat/user/page", Point("chat/conversation/list"), list::page)
        .list("/chat/user/page/export", Point("chat/conversation/export"), list::export)
        .get("/chat/conversation/{id}", Point("chat/conversation/list"), record::view)
        .get("/chat/conversation/history/{id}", Point("chat/conversation/list"), record::history)
        .get("/chat/conversation/reveal/{id}", Point(POINT), record::reveal)
        .get("/chat/thread", Point("chat/conversation/list"), record::thread)
        .get("/chat/getRecord", Point("chat/conversation/list"), record::messages)
        .post_repeatable("/chat/send", Point("chat/conversation/send"), send::send)
        .post_repeatable("/chat/read", Point("chat/conversation/list"), send::read)
        .post("/chat/recall", Point("chat/conversation/send"), send::recall)
        .post("/chat/take", Point("chat/conversation/send"), change::take_over)
        .post("/chat/transfer", Point("chat/conversation/send"), change::transfer)
        .post("/chat/snooze", Point("chat/conversation/send"), change::snooze)
        .post("/chat/priority", Point("chat/conversation/send"), change::set_priority)
        .post("/chat/close", Point("chat/conversation/send"), change::close)
        .post("/chat/reopen", Point("chat/conversation/send"), change::reopen)
}
