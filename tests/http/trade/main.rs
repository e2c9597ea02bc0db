//! The parties and their terms: channels, organisations, products, plans, projects, checks.

mod agreement;
mod blacklist;
mod channel;
mod compliance;
mod org;
mod plan;
mod product;
mod project;
