//! The base of every area: accounts and permissions, calls and lists, general settings, messages, decisions of two
//! people, uploads, imports, exports, terms, short messages, daily tasks.
//!
//! Not here: what belongs to one area alone. All areas use it.

pub mod access;
pub mod api;
pub mod daily_task;
pub mod decision;
pub mod dict;
pub mod export;
pub mod import;
pub mod message;
pub mod meter;
pub mod old_rows;
pub mod pdf;
pub mod places;
pub mod proposal;
pub mod reveal;
pub mod rotation;
pub mod setting;
pub mod sms;
pub mod terms;
pub mod upload;
pub mod workers;
