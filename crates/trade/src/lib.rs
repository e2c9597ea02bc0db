//! The parties and the money: organisations, channels, products, plans, applicants, and the books.
//!
//! Not here: the way of a lead from an applicant to a plan (`lead`), the work of sales staff (`crm`), payments of
//! payees (`pay`), and statistics (`stats`). All of them use it.

pub mod agreement;
pub mod blacklist;
pub mod channel;
pub mod checks;
pub mod compliance;
pub mod finance;
pub mod handoff;
pub mod ledger;
pub mod match_log;
pub mod org;
pub mod partner;
pub mod plan;
pub mod product;
pub mod project;
pub mod risk;
pub mod user;
pub mod visit;

use frame::workers::Workers;

/// Starts the workers of this area.
pub fn start_workers(workers: &mut Workers) {
    workers.start_awaited("the watch over plans", plan::work);
    workers.start_awaited("the watch over channels", channel::work);
    workers.start_awaited("the sweeper of visits", visit::work);
    workers.start_awaited("the figures of leads", visit::lead::work);
    workers.start(user::addresses::work);
    workers.start(ledger::journal::work);
    workers.start(ledger::journal::work_checkpoints);
    workers.start(partner::work_on_statements);
    workers.start(visit::work_on_charges);
    workers.start(visit::work_on_earlier);
}
