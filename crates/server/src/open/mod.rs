//! Calls from outside: signed calls of partners' servers (under `/open`) and the guide for their programmers, and the links and the
//! script that count browsers. No session is used here.

mod agreements;
mod applicant;
mod authorised;
mod consent;
mod guide;
mod link;
mod partner;
mod person;
mod products;
mod progress;
mod seen;
mod sms;
mod status;
mod uv;

use frame::api::{Access, Calls};

pub use link::links;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .post("/open/uv", Access::Open, uv::record)
        .post("/open/match", Access::Open, applicant::ask)
        .post("/open/products", Access::Open, products::offer)
        .post("/open/agreements", Access::Open, agreements::offer)
        .post("/open/user", Access::Open, applicant::receive)
        .post("/open/user/status", Access::Open, progress::answer)
        .post("/open/consent/withdraw", Access::Open, consent::withdraw)
        .post("/open/push/status", Access::Open, status::report)
        .post("/open/push/authorised", Access::Open, authorised::report)
        .post("/open/sms/report", Access::Open, sms::report)
}
