//! The money of organisations: what their accounts hold, and the ledger by which alone it changes.

pub mod account;
pub mod ledger;
pub mod verify;
