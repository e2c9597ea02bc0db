//! Channels: who brings loan applicants, on what terms, with which key. Calls under `/channel`.

mod charts;
mod facts;
pub(crate) mod form;
mod list;
mod model;
mod record;
mod status;
pub(crate) mod store;

use crate::api::{Access, Calls, listing};

pub use charts::{charts, figures};
pub use facts::compliance_facts;
pub use model::{ChannelMode, ChannelRow, ChannelStatus, ChannelType, SettleMode};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .list("/channel/page", Access::Point("channel/list/list"), listing::page::<list::Channels>)
        .list("/channel/page/export", Access::Point("channel/list/export"), listing::export::<list::Channels>)
        .get("/channel/options", Access::Point("channel/list/list"), list::options)
        .get("/channel/{id}", Access::Point("channel/list/view"), record::view)
        .get("/channel/history/{id}", Access::Point("channel/list/view"), record::history)
        .post("/channel", Access::Point("channel/list/create"), record::create)
        .put("/channel", Access::Point("channel/list/update"), record::update)
        .put("/channel/status", Access::Point("channel/list/status"), record::change_status)
        .put("/channel/secret", Access::Point("channel/list/secret"), record::rotate_secret)
        .delete("/channel/{id}", Access::Point("channel/list/delete"), record::delete)
}
