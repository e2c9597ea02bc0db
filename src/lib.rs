//! Leadlane: the back-office of a lead and lending business, one program.
//!
//! Rooms, from the ground up (a room uses only those below it): [`config`], [`crypto`], [`db`],
//! [`storage`], [`setting`], [`access`], [`render`], [`meter`], [`api`], [`message`], [`upload`],
//! [`export`], the areas of the menu ([`admin`], [`channel`], [`compliance`], [`crm`], [`dict`],
//! [`monitor`], [`org`], [`project`], [`visualization`], [`workplace`]), [`pages`], [`server`].

pub mod access;
pub mod admin;
pub mod api;
pub mod channel;
pub mod clock;
pub mod compliance;
pub mod config;
pub mod crm;
pub mod crypto;
pub mod db;
pub mod demo;
pub mod dict;
pub mod export;
pub mod histogram;
pub mod locale;
pub mod message;
pub mod meter;
pub mod monitor;
pub mod org;
pub mod outbox;
pub mod pages;
pub mod project;
pub mod render;
pub mod routes;
pub mod server;
pub mod setting;
pub mod storage;
pub mod upload;
pub mod visualization;
pub mod workplace;
