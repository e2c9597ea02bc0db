//! The program's counters: durations by size, and the counters of the isolates.
//!
//! Not here: the counters of requests and their samples (`frame::meter`), and the screens and metrics that show them
//! (`server::monitor`, `site`). Used by `base`, `frame`, `render` and `server`.

pub mod histogram;
pub mod render_stats;
