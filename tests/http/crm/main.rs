//! Salespeople and clues: `/crm`.

#[path = "mod.rs"]
mod crm;
