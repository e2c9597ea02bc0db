//! Messages, notices and todos for people. Other areas call [`send`] and [`done`] within their own transactions;
//! people read them at `/message`, and staff with the permission write announcements at `/notice`.

pub mod change;
mod inbox;
pub mod model;
mod notices;
mod own;
mod send;

use crate::api::Access::SignedIn;
use crate::api::Calls;

pub use model::{Audience, Link, MessageKind, MessageRow, MessageState, NewMessage};
pub use notices::Notices;
pub use own::todos;
pub use send::{decided, done, send, to_holders, to_overseers};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .list("/message/list", SignedIn, own::list)
        .list("/message/page", SignedIn, own::page)
        .poll("/message/unread", SignedIn, own::unread)
        .get("/message/{id}", SignedIn, own::get)
        .post_repeatable("/message/read", SignedIn, own::read)
        .post_repeatable("/message/clear", SignedIn, own::clear)
}
