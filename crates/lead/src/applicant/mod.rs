//! What staff see and do with one applicant: story, reveal, entry by hand, consent, invalid data, erasure and the deletion of
//! old data. Calls under `/user`; the applicants themselves are in `crates/trade/src/user`.

mod card;
pub mod consent;
mod invalid;
mod number;
pub mod record;
pub mod retain;

use frame::api::Access::Point;
use frame::api::first_steps::{FirstSteps, Step};
use frame::api::{Calls, say};

/// The calls of this room.
pub fn calls() -> Calls {
    Calls::new()
        .get("/chat/application", Point("chat/client/list"), card::view)
        .get("/chat/number/{id}", Point("chat/client/list"), number::find)
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

/// The last step of an installation: an applicant who becomes the first lead that is sold.
pub fn first_step(steps: &mut FirstSteps<'_>) {
    steps.add(Step {
        point: "user/list/create",
        href: "/user/list",
        title: say("第一位申请人", "The first applicant"),
        open: say("录入一位申请人：符合计划的条件就会售出", "Enter an applicant: one who meets the terms of the plan is sold"),
        begun: say("已录入，还没有售出：详情说明为什么", "No lead was sold yet: the details of an applicant say why"),
        has_begun: "EXISTS (SELECT 1 FROM applicant)",
        is_done: "EXISTS (SELECT 1 FROM push_record)",
    });
}
