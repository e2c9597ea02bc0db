//! The program as its operator knows it: a binary with an environment, a data folder, signals and
//! a log. Every test starts its own processes; see `support`.

mod command;
mod crash;
mod log;
mod nodes;
mod settings;
mod stop;
mod support;
mod visits;
