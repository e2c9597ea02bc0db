//! `/admin` and `/role`.

mod change;
mod create;
mod forgotten;
mod list;
mod login;
mod logs;
mod own;
mod password;
mod record;
mod token;
