//! What staff see and do with one applicant: story, reveal, entry by hand, consent, invalid data, erasure and the deletion of
//! old data. Calls under `/user`; the applicants themselves are in `crates/trade/src/user`.

pub mod consent;
mod invalid;
pub mod record;
pub mod retain;

use frame::api::Access::Point;
use frame::api::Calls;

/// The calls of this room.
pub fn calls() -> Calls {
    Calls::new()
        .get("/user/{id}", Point("user/list/view"), record::view)
        .get("/user/history/{id}", Point("user/list/view"), record::history)
        .get("/user/reveal/{id}", Point("user/list/reveal"), record::reveal)
        .post("/user", Point("user/list/create"), record::enter)
        .get("/setting/retention", Point("admin/setting/list"), retain::preview)
        .put("/user/invalid", Point("user/list/invalid"), invalid::mark)
        .put("/user/valid", Point("user/list/invalid"), invalid::unmark)
        .put("/user/consent/withdraw", Point("user/list/consent"), consent::withdraw_by_staff)
        .put("/user/distribute", Point("user/list/distribute"), record::distribute)
        .delete("/user/{id}", Point("user/list/delete"), record::erase)
}
