//! Service groups: the staff who answer together, when they work, and how conversations are shared out among them.
//! Calls under `/chat/group`.

mod form;
mod list;
mod model;
mod options;
mod record;
pub(super) mod store;

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};

pub use form::{Form as GroupForm, MOST_SORT};
pub(super) use model::ChatUseChange;
pub use store::insert as insert_group;

/// The calls of service groups.
pub fn calls() -> Calls {
    Calls::new()
        .list("/chat/group/page", Point("chat/group/list"), listing::page::<list::Groups>)
        .list("/chat/group/page/export", Point("chat/group/export"), listing::export::<list::Groups>)
        .get(
            "/chat/group/options",
            AnyPoint(&["chat/group/list", "chat/manage/list", "chat/reply/list", "chat/conversation/list", "chat/wechat/list"]),
            options::groups,
        )
        .get("/chat/group/{id}", Point("chat/group/list"), record::view)
        .get("/chat/group/history/{id}", Point("chat/group/list"), record::history)
        .post("/chat/group", Point("chat/group/create"), record::create)
        .put("/chat/group", Point("chat/group/update"), record::update)
        .put("/chat/group/status", Point("chat/group/update"), record::set_status)
        .delete("/chat/group/{id}", Point("chat/group/delete"), record::delete)
}
