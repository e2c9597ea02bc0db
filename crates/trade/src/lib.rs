//! The parties and the money: organisations, channels, products, plans, applicants, and the books.
//!
//! Not here: the way of a lead from an applicant to a plan (`lead`), the work of sales staff (`crm`), payments of
//! payees (`pay`), and statistics (`stats`). All of them use it.

pub mod agreement;
pub mod blacklist;
pub mod channel;
pub mod checks;
pub mod compliance;
pub mod finance;
pub mod handoff;
pub mod ledger;
pub mod matching;
pub mod org;
pub mod partner;
pub mod plan;
pub mod product;
pub mod project;
pub mod risk;
pub mod user;
pub mod visit;
