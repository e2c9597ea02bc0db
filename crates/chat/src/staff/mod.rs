//! Service staff: the accounts that answer customers, and in which groups. Calls under `/chat/manage`.

mod account;
mod form;
mod list;
mod model;
mod options;
mod record;
mod store;

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing, master_data};

use model::ChatStaffRow;

pub use account::{account_disabled, conversations_of_account};
pub use form::Form as StaffForm;
pub use list::TARGET;
pub use store::insert as insert_staff;

/// How long a member of the staff counts as present after they were last seen, in milliseconds.
pub const SEEN_WITHIN: i64 = 60_000;

/// The calls of service staff.
pub fn calls() -> Calls {
    Calls::new()
        .list("/chat/manage/page", Point("chat/manage/list"), listing::page::<list::Staff>)
        .list("/chat/manage/page/export", Point("chat/manage/export"), listing::export::<list::Staff>)
        .get("/chat/manage/options", AnyPoint(&["chat/manage/list", "chat/conversation/list"]), options::staff)
        .get("/chat/manage/accounts", Point("chat/manage/create"), options::accounts)
        .get("/chat/manage/{id}", Point("chat/manage/list"), master_data::view::<ChatStaffRow>)
        .get("/chat/manage/history/{id}", Point("chat/manage/list"), master_data::history::<ChatStaffRow>)
        .post("/chat/manage", Point("chat/manage/create"), master_data::create::<ChatStaffRow>)
        .put("/chat/manage", Point("chat/manage/update"), master_data::update::<ChatStaffRow>)
        .put("/chat/manage/status", Point("chat/manage/update"), master_data::set_status::<ChatStaffRow>)
        .delete("/chat/manage/{id}", Point("chat/manage/delete"), master_data::delete::<ChatStaffRow>)
}
