//! The general settings: each one's effect, and the calls about them.

mod addresses;
mod change;
mod effects;
