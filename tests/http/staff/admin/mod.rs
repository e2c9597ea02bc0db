//! `/admin` and `/role`.

mod change;
mod create;
mod forgotten;
mod list;
mod login;
mod logs;
mod menu_editor;
mod own;
mod password;
mod record;
mod role;
mod second_factor;
mod session;
mod token;
mod trail;
