//! Replies: those that are sent automatically, and quick ones that staff choose. Calls under `/chat/reply`.

mod form;
mod list;
mod model;
mod record;
mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing, master_data};

use model::ChatReplyRow;

pub use form::Form as ReplyForm;
pub use store::insert as insert_reply;

/// The calls of replies.
pub fn calls() -> Calls {
    Calls::new()
        .list("/chat/reply/page", Point("chat/reply/list"), listing::page::<list::Replies>)
        .list("/chat/reply/page/export", Point("chat/reply/export"), listing::export::<list::Replies>)
        .get("/chat/reply/{id}", Point("chat/reply/list"), master_data::view::<ChatReplyRow>)
        .get("/chat/reply/history/{id}", Point("chat/reply/list"), master_data::history::<ChatReplyRow>)
        .post("/chat/reply", Point("chat/reply/create"), master_data::create::<ChatReplyRow>)
        .put("/chat/reply", Point("chat/reply/update"), master_data::update::<ChatReplyRow>)
        .put("/chat/reply/status", Point("chat/reply/update"), master_data::set_status::<ChatReplyRow>)
        .delete("/chat/reply/{id}", Point("chat/reply/delete"), master_data::delete::<ChatReplyRow>)
}
