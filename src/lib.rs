//! Leadlane: the back-office of a lead and lending business, one program.
//!
//! Rooms, from the ground up (a room uses only those below it): [`config`], [`crypto`], [`db`],
//! [`storage`], [`setting`], [`access`], [`render`], [`meter`], [`api`], [`terms`], [`finance`], [`visit`], [`message`],
//! [`upload`], [`import`], [`export`], [`handoff`], the areas of the menu ([`admin`], [`blacklist`], [`channel`], [`compliance`],
//! [`crm`], [`dict`], [`feedback`], [`monitor`], [`org`], [`plan`], [`product`], [`project`], [`user`], [`matching`], [`returns`],
//! [`risk`], [`visualization`],
//! [`workplace`]), [`distribution`], [`open`], [`pages`], [`server`].

pub mod access;
pub mod admin;
pub mod api;
pub mod blacklist;
pub mod channel;
pub mod clock;
pub mod compliance;
pub mod config;
pub mod crm;
pub mod crypto;
pub mod db;
pub mod demo;
pub mod dict;
pub mod distribution;
pub mod export;
pub mod feedback;
pub mod finance;
pub mod handoff;
pub mod histogram;
pub mod import;
pub mod leased;
pub mod locale;
pub mod matching;
pub mod message;
pub mod meter;
pub mod monitor;
pub mod nonce;
pub mod open;
pub mod org;
pub mod outbox;
pub mod outside;
pub mod pages;
pub mod plan;
pub mod product;
pub mod project;
pub mod render;
pub mod returns;
pub mod risk;
pub mod rotation;
pub mod routes;
pub mod server;
pub mod setting;
pub mod storage;
pub mod terms;
pub mod upload;
pub mod user;
pub mod visit;
pub mod visualization;
pub mod workplace;
