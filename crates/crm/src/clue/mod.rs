//! Clues: sold leads as an organisation's salespeople work on them. Calls under `/crm`.
//!
//! The holder of a clue is only changed by [`holder`], its stage by [`follow`] and [`transfer`].

mod assign;
mod begin;
mod board;
mod choices;
mod follow;
pub(super) mod holder;
pub(super) mod list;
pub(super) mod model;
mod notices;
mod plain;
pub mod record;
mod reveal;
mod risk;
mod sms;
pub(super) mod store;
mod transfer;
mod work;

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};
use frame::export::plain::{PlainExporting, export};

pub use begin::{NewClue, begin, end, erase, hold_of_push, response_within};
pub use follow::{FILES, MOST_FILES};
pub use list::{TARGET, search};
pub use plain::{people_of_pushes, revealable_pushes};
pub use reveal::of_push as reveal_push;
pub use store::{next_contacts, visible_of_push as clue_of_push};
pub use transfer::{PEOPLE, hand_to};
pub use work::{run, work};

/// The calls of clues.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&FILES)
        .list("/crm/pushPage", Point("crm/clue/list"), listing::page::<list::Clues>)
        .list("/crm/pushPage/export", list::Clues::EXPORT, export::<list::Clues>)
        .list("/crm/poolClue/page", Point("crm/clue/claim"), listing::page::<list::PoolClues>)
        .list("/crm/board", Point("crm/clue/list"), board::board)
        .get("/crm/clue/next", Point("crm/clue/list"), record::next)
        .get("/crm/clue/{id}", Point("crm/clue/view"), record::view)
        .get("/crm/clue/history/{id}", Point("crm/clue/view"), record::history)
        .get("/crm/clue/money/{id}", Point("crm/clue/money"), record::money)
        .post("/crm/progress", Point("crm/clue/follow"), follow::progress)
        .get("/crm/updateStatus/{id}", Point("crm/clue/claim"), transfer::update_status)
        .post("/crm/clue/claim", Point("crm/clue/claim"), transfer::claim)
        .get("/crm/assign/people", Point("crm/clue/assign"), assign::people)
        .list("/crm/assign/preview", Point("crm/clue/assign"), assign::preview)
        .post("/crm/assign", Point("crm/clue/assign"), assign::assign)
        .post("/crm/release", Point("crm/clue/release"), transfer::release)
        .put("/crm/clue/reopen", Point("crm/clue/reopen"), transfer::reopen)
        .get("/crm/reveal/{id}", Point("crm/clue/reveal"), reveal::reveal)
        .get("/crm/riskSimple/{id}", Point("crm/clue/risk"), risk::summary)
        .get("/crm/risk/{id}", Point("crm/clue/risk"), risk::section)
        .get("/crm/getMsg/{id}", Point("crm/clue/sms"), sms::preview)
        .get("/crm/sendMsg/{id}", Point("crm/clue/sms"), sms::send_default)
        .post("/crm/sendMsg", Point("crm/clue/sms"), sms::send)
        .put("/crm/optOut", Point("crm/clue/sms"), sms::opt_out)
        .list("/crm/channel/list", AnyPoint(&["crm/clue/list", "crm/clue/claim"]), choices::channels)
        .list("/crm/plan/list", AnyPoint(&["crm/clue/list", "crm/clue/claim"]), choices::plans)
        .get("/crm/channel/options", AnyPoint(&["crm/clue/list", "crm/clue/claim"]), choices::channel_options)
        .get("/crm/plan/options", AnyPoint(&["crm/clue/list", "crm/clue/claim"]), choices::plan_options)
}
