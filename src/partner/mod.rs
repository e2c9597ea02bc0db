//! What partners, who bring applicants by channels, are owed: one item for each event that makes it more or less, each with its transfer
//! in the journal.

mod items;
mod model;

pub use items::{book, payable};
pub use model::{Item, ItemKind, Payable};
