//! WeChat official accounts: their settings under `/chat/wechat`, the messages that WeChat delivers to
//! `/open/wechat/{id}`, and those that go out. After WeChat's public documents of its service accounts.

mod api;
mod callback;
pub mod cipher;
mod delivery;
mod follower;
pub mod form;
mod list;
mod media;
pub mod model;
mod outgoing;
mod record;
pub mod store;
mod worker;
pub mod xml;

use frame::api::Access::{AnyPoint, Open, Point};
use frame::api::{Calls, listing, master_data};

use model::WechatRow;

pub use delivery::mark_restored;
pub(super) use follower::erase as erase_followers;
pub(super) use media::queue as queue_picture;
pub(super) use outgoing::{Delivery, NewAnswer, cancel, check_answer, queue, remind, resend};
pub use worker::{sweep, work};

/// How long after their last message a customer can be answered.
pub const WINDOW: i64 = 48 * base::clock::HOUR;

/// The calls of official accounts.
pub fn calls() -> Calls {
    Calls::new()
        .list("/chat/wechat/page", Point("chat/wechat/list"), listing::page::<list::Accounts>)
        .list("/chat/wechat/page/export", Point("chat/wechat/export"), listing::export::<list::Accounts>)
        .get("/chat/wechat/options", AnyPoint(&["chat/wechat/list", "chat/client/list"]), record::accounts)
        .get("/chat/wechat/{id}", Point("chat/wechat/list"), master_data::view::<WechatRow>)
        .get("/chat/wechat/history/{id}", Point("chat/wechat/list"), master_data::history::<WechatRow>)
        .post("/chat/wechat", Point("chat/wechat/create"), master_data::create::<WechatRow>)
        .put("/chat/wechat", Point("chat/wechat/update"), master_data::update::<WechatRow>)
        .put("/chat/wechat/status", Point("chat/wechat/update"), master_data::set_status::<WechatRow>)
        .post("/chat/wechat/check", Point("chat/wechat/update"), record::check)
        .delete("/chat/wechat/{id}", Point("chat/wechat/delete"), master_data::delete::<WechatRow>)
        .get("/open/wechat/{id}", Open, callback::verify)
        .post("/open/wechat/{id}", Open, callback::receive)
}
