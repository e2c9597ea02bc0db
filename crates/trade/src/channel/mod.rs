//! Channels: the sources of applicants, their terms and their keys. Calls under `/channel`.

mod callback;
mod charts;
mod facts;
pub mod form;
mod list;
mod model;
mod record;
mod status;
pub mod store;
mod supply;
pub mod trial;
mod visited;
mod watch;

pub use callback::{CallbackAddress, callback_address};
pub use charts::charts;
pub use facts::compliance_facts;
use frame::api::{Access, Calls, listing};
pub use list::{first_step, search};
pub use model::{ChannelMode, ChannelRow, ChannelStatus, ChannelType, DedupScope, SettleMode};
pub use store::{all_there, codes, find, names};
pub use supply::{Supplier, required_fields, supplier};
pub use visited::{Caller, Visited, by_app_key, by_code};
pub use watch::{warn_of_caps, work};

/// Viewers who choose among channels: in their own list, and in lists with a filter by channel.
const CHOOSERS: Access = Access::AnyPoint(&[
    "channel/list/list",
    "channel/uv-list/list",
    "finance/partner/list",
    "product/uv-list/list",
    "org/uv-list/list",
    "org/uv-list2/list",
    "plan/list/list",
    "plan/uv-list/list",
    "plan/bgList/list",
    "user/black-list/list",
    "user/feedback-list/list",
    "user/list/list",
    "user/mate-channel-list/list",
    "user/match-list/list",
]);

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .list("/channel/page", Access::Point("channel/list/list"), list::page)
        .list("/channel/page/export", Access::Point("channel/list/export"), listing::export::<list::Channels>)
        .get("/channel/options", CHOOSERS, list::options)
        .get("/channel/{id}", Access::Point("channel/list/view"), record::view)
        .get("/channel/qr/{id}", Access::Point("channel/list/view"), record::qr_code)
        .get("/channel/history/{id}", Access::Point("channel/list/view"), record::history)
        .post("/channel", Access::Point("channel/list/create"), record::create)
        .put("/channel", Access::Point("channel/list/update"), record::update)
        .put("/channel/status", Access::Point("channel/list/status"), record::change_status)
        .put("/channel/mode", Access::Point("channel/list/mode"), record::change_mode)
        .put("/channel/secret", Access::Point("channel/list/secret"), record::rotate_secret)
        .put("/channel/secretEnd", Access::Point("channel/list/secret"), record::end_old_secret)
        .post("/channel/test", Access::Point("channel/list/test"), trial::run)
        .get("/channel/test/{id}", Access::Point("channel/list/view"), trial::latest)
        .delete("/channel/{id}", Access::Point("channel/list/delete"), record::delete)
}
