//! What concerns all areas at once.

mod bad_requests;
mod bucket;
mod demo;
mod every_call;
mod every_scope;
mod exports;
mod four_eyes;
mod imports;
mod levers;
mod limits;
mod migrations;
mod monitor;
mod nodes;
mod old_client;
mod places;
mod plain_exports;
mod private;
mod proxies;
mod repeated;
mod retention;
mod reveals;
mod searches;
mod stats;
mod visualization;
mod workplace;
mod written;
