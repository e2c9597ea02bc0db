//! The sales CRM. So far: who a viewer is in it, and the leads that nobody has seen yet, which
//! browsers ask about every three seconds. Calls under `/crm`.

mod clue;
mod identity;
mod new_lead;

use crate::api::Access::SignedIn;
use crate::api::Calls;

pub use clue::{NewClue, begin as begin_clue, end as end_clue, erase as erase_clues, opened as clue_opened};
pub use new_lead::{NewLead, UNSEEN_PUSHES, lead_arrived, lead_seen, unseen_leads};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new().get("/crm/get", SignedIn, identity::get).poll("/crm/getNewUserCount", SignedIn, new_lead::count)
}
