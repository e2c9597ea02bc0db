//! Service groups: the staff who answer together, when they work, and how conversations are shared out among them.
//! Calls under `/chat/group`.

mod form;
mod list;
mod model;
mod options;
mod record;
pub(super) mod store;

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing, master_data};

use model::ChatGroupRow;

pub use form::{Form as GroupForm, MOST_SORT};
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
        .get("/chat/group/{id}", Point("chat/group/list"), master_data::view::<ChatGroupRow>)
        .get("/chat/group/history/{id}", Point("chat/group/list"), record::history)
        .post("/chat/group", Point("chat/group/create"), master_data::create::<ChatGroupRow>)
        .put("/chat/group", Point("chat/group/update"), master_data::update::<ChatGroupRow>)
        .put("/chat/group/status", Point("chat/group/update"), master_data::set_status::<ChatGroupRow>)
        .delete("/chat/group/{id}", Point("chat/group/delete"), master_data::delete::<ChatGroupRow>)
}
