//! Customer chat: applicants write on a page for visitors, service staff answer in the back office.
//!
//! Not here: messages and to-dos for staff (`frame::message`), short messages (`frame::sms`), applicants
//! (`trade::user`). Used by the router (`server`), `site`, `admin`, `lead`, the program and the demo.
//!
//! Calls under `/chat`. Every change of a conversation goes through [`conversation`], which writes an event of the
//! [`feed`] in the same transaction; who gets a conversation is decided in [`assign`].

mod access;
pub mod assign;
mod auto_reply;
pub mod codes;
pub mod consent;
pub mod conversation;
pub mod customer;
mod events;
mod feed;
mod figures;
pub mod group;
mod masking;
mod phone_code;
mod places;
mod presence;
pub mod reply;
mod search;
pub mod staff;
mod targets;
mod thread_key;
mod visitor;
mod waiting;
pub mod wechat;
pub mod words;
mod work;

use frame::access::ScopeColumns;
use std::sync::Arc;

use frame::api::Access::Point;
use frame::api::{Calls, Ctx, FileForm, Result};
use frame::upload::{self, StoredFile};
use frame::workers::Workers;

pub use conversation::{FILES, QUEUED, open_work};
pub use customer::erase_of_applicant;
pub use feed::{Feed, listen};
pub use group::store::first_page_key;
pub use masking::mask;
pub use phone_code::OLD_CODES;
pub use staff::{account_disabled, conversations_of_account};
pub use visitor::pages;
pub use wechat::sweep as sweep_wechat;
pub use work::{requeue_now, sweep};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .and(group::calls())
        .and(staff::calls())
        .and(reply::calls())
        .and(customer::calls())
        .and(conversation::calls())
        .and(wechat::calls())
        .post("/chat/upload", Point("chat/conversation/send"), upload_file)
        .post("/chat/remind", Point("chat/conversation/send"), wechat::remind)
        .post("/chat/resend", Point("chat/conversation/send"), wechat::resend)
        .get("/chat/me", Point("chat/conversation/list"), presence::me)
        .put_repeatable("/chat/presence", Point("chat/conversation/send"), presence::set)
        .list("/chat/figures/page", Point("chat/manage/list"), figures::page)
        .list("/chat/figures/page/export", Point("chat/manage/export"), figures::export)
        .list("/chat/search", Point("chat/conversation/list"), search::search)
        .poll("/chat/events", Point(events::POINT), events::events)
}

/// Starts the workers of this area.
pub fn start_workers(workers: &mut Workers) {
    workers.start_awaited("the work on conversations", work::work);
    workers.start_awaited("the messages of WeChat", wechat::work);
    workers.start(feed::listen);
    workers.start(masking::work);
}

/// `POST /chat/upload`: a file for a message, as `POST /common/upload` with the record type `chat_message`.
async fn upload_file(cx: Arc<Ctx>, form: FileForm<FileOnly>) -> Result<StoredFile> {
    upload::upload_for(cx, form.file, &FILES).await
}

/// A form of a file alone.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct FileOnly {}

/// Chat belongs to the platform: organisations see none of it.
const SCOPE: ScopeColumns = ScopeColumns { owner: None, org: None, sub_org: None, myself: None };
