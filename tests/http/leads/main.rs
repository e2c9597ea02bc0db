//! Applicants from the door to the buyer, and what comes of them.

mod bound;
mod caps;
mod feedback;
mod lead;
mod open;
mod returns;
