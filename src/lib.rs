//! Leadlane: the back-office of a lead and lending business, one program.
//!
//! Rooms, from the ground up (a room uses only those below it): [`config`], [`crypto`], [`hashing`], [`db`],
//! [`key_check`], [`storage`], [`setting`], [`access`], [`render`], [`meter`], [`api`], [`terms`], [`finance`], [`partner`], [`visit`], [`message`],
//! [`decision`], [`reveal`], [`upload`], [`import`], [`export`], [`handoff`], [`limits`], [`outbox`], the areas of the menu ([`admin`],
//! [`agreement`], [`blacklist`], [`channel`], [`compliance`], [`crm`], [`dict`], [`feedback`], [`monitor`], [`org`], [`plan`], [`product`],
//! [`project`], [`sms`], [`user`], [`matching`], [`returns`], [`risk`], [`stats`], [`visualization`], [`workplace`]), [`distribution`], [`dispatch`],
//! [`retention`], [`trail_watch`], [`head_watch`], [`open`], [`pages`], [`server`]; [`backup`] stands beside them.

pub mod access;
pub mod admin;
pub mod agreement;
pub mod api;
pub mod backup;
pub mod blacklist;
pub mod cached;
pub mod canonical;
pub mod channel;
pub mod chat;
pub mod clock;
pub mod codes;
pub mod compliance;
pub mod config;
pub mod crm;
pub mod crypto;
pub mod daily_task;
pub mod db;
pub mod decision;
pub mod demo;
pub mod dict;
pub mod dispatch;
pub mod distribution;
pub mod export;
pub mod feedback;
pub mod fields;
pub mod finance;
pub mod handoff;
pub mod hashing;
pub mod head_watch;
pub mod histogram;
pub mod import;
pub mod key_check;
pub mod limits;
pub mod locale;
pub mod matching;
pub mod message;
pub mod meter;
pub mod monitor;
pub mod networks;
pub mod nonce;
pub mod open;
pub mod org;
pub mod outbox;
pub mod outside;
pub mod pages;
pub mod partner;
pub mod pay;
pub mod pdf;
pub mod phone_hashes;

pub mod places;
pub mod plan;
pub mod product;
pub mod project;
pub mod proposal;
mod qr;
pub mod render;
pub mod retention;
pub mod returns;
pub mod reveal;
pub mod risk;
pub mod rotation;
pub mod routes;
pub mod server;
pub mod setting;
pub mod sms;
pub mod stats;
pub mod storage;
pub mod terms;
pub mod trail_watch;
pub mod upload;
pub mod user;
pub mod visit;
pub mod visualization;
pub mod workplace;
