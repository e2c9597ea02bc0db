//! `/plan`: what organisations buy.

mod changes;
mod decide;
mod now;
mod own;
mod push;
mod scope;
mod status;
mod watch;
