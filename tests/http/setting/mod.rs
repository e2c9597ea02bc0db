//! The general settings: each one's effect, and the calls about them.

mod change;
mod effects;
