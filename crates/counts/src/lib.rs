//! What the program counts of itself: durations by size, and what the isolates count.

pub mod histogram;
pub mod render_stats;
