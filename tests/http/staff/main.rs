//! Staff accounts, and what every screen of theirs shares.

mod account;
mod admin;
mod dict;
mod menu;
mod message;
mod setting;
mod sms;
mod upload;
