//! The way of one lead through the areas: search of plans, sale, delivery, feedback, return, and the screens of
//! pushes and of one applicant.
//!
//! Not here: what an organisation, a plan or an applicant is (`trade`). Used by the router (`server`) and the demo.

pub mod applicant;
pub mod distribution;
pub mod feedback;
pub mod push;
pub mod returns;
