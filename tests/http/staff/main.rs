//! Staff accounts, and what their screens share.

mod account;
mod admin;
mod dict;
mod menu;
mod message;
mod setting;
mod sms;
mod upload;
