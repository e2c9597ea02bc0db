//! The way of one lead through the areas: search of plans, sale, delivery, feedback, return, and the screens of
//! pushes and of one applicant.
//!
//! Not here: what an organisation, a plan or an applicant is (`trade`). Used by the router (`server`) and the demo.

pub mod applicant;
pub mod distribution;
pub mod feedback;
pub mod push;
pub mod returns;

use frame::workers::Workers;

/// Starts the workers of this area.
pub fn start_workers(workers: &mut Workers) {
    workers.start_awaited("the distribution of leads", distribution::work);
    workers.start(distribution::check_nightly);
}
