//! The chat: `/chat`, and the pages of its visitors.

#[path = "mod.rs"]
mod chat;
