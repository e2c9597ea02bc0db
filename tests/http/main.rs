//! Calls against the real router and a real database, laid out by URL. See `support` for how a
//! test is written.

mod admin;
mod api;
mod menu;
mod pages;
mod support;
