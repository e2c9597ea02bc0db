//! Calls against the real router and a real database, laid out by URL. See `support` for how a
//! test is written.

mod account;
mod admin;
mod bad_requests;
mod blacklist;
mod bucket;
mod caps;
mod channel;
mod compliance;
mod crm;
mod demo;
mod dict;
mod every_call;
mod exports;
mod feedback;
mod lead;
mod menu;
mod message;
mod monitor;
mod open;
mod org;
mod pages;
mod plan;
mod product;
mod project;
mod repeated;
mod returns;
mod setting;
mod support;
mod upload;
mod visualization;
mod workplace;
