//! The program as its operator knows it: a binary with an environment, a data folder, signals and
//! a log. Every test starts its own processes; see `support`.

mod backup;
mod command;
mod connections;
mod crash;
#[cfg(debug_assertions)]
mod development;
mod keys;
mod log;
mod nodes;
mod rounds;
mod schema;
mod settings;
mod sms;
mod stop;
mod support;
mod visits;
mod wechat;
