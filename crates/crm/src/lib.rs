//! The sales CRM: an organisation's teams and salespeople, and the leads it bought as they work on them.
//!
//! Not here: the sale and the return of a lead (`lead`), accounts of people (`admin`), payments online (`pay`). Used by
//! the router (`server`), the pages (`site`), `admin`, `lead`, `pay` and the demo.
//!
//! Calls under `/crm`. Every change of who has a clue goes through `clue::holder`; every limit of a day through
//! `quota`.

pub mod achievement;
mod center;
pub mod clue;
mod identity;
pub mod model;
pub mod money;
mod new_lead;
mod pool;
mod quota;
pub mod salesperson;
pub mod team;

use base::form_limits;
use frame::api::Access::{Point, SignedIn};
use frame::api::Calls;
use frame::api::open_work::OpenWork;
use frame::api::search::Search;
use frame::workers::Workers;

pub use achievement::{AchievementMetric, AchievementObject, Month, MonthFigure, month_of};
pub use clue::{
    FILES, MOST_FILES, NewClue, TARGET as CLUE, begin as begin_clue, clue_of_push, end as end_clue, erase as erase_clues, hand_to,
    hold_of_push as hold_clue_of_push, next_contacts, people_of_pushes, reveal_push, revealable_pushes, run as run_clues,
};
pub use money::{MoneyRow, OnlineMoney, hold_paid_clue, hold_payable_clue, money_online, of_clue as money_of_clue, refundable_online};
pub use new_lead::{NewLead, clue_opened, lead_arrived, lead_seen};
pub use salesperson::{account_deleted, account_disabled, account_moved, open_clues_of_account};

form_limits! {
    /// Of a team and a salesperson.
    sales {
        /// Most cities of a team or a salesperson.
        MOST_CITIES: usize = 372,
    }
}

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .get("/crm/get", SignedIn, identity::get)
        .poll_number("/crm/getNewUserCount", SignedIn, new_lead::OF_SALESPERSON, new_lead::count)
        .and(team::calls())
        .and(salesperson::calls())
        .and(pool::calls())
        .and(clue::calls())
        .get("/crm/center", Point("crm/center/view"), center::view)
        .put_repeatable("/crm/center/receiving", Point("crm/center/view"), center::receive)
        .and(money::calls())
        .and(achievement::calls())
}

/// Starts the workers of this area.
pub fn start_workers(workers: &mut Workers) {
    workers.start_awaited("the work on clues", clue::work);
}

/// The viewer's open work, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    money::open_work(work);
}

/// Finds clues, records of money, salespeople and teams, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    clue::search(search).await?;
    money::search(search).await?;
    salesperson::search(search).await?;
    team::search(search).await
}
