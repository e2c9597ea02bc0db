//! Identity and rights: accounts, passwords, sessions, roles, permission points, the menu tree, data scopes and the
//! audit trail. No HTTP here, and no area's rows.

mod account;
pub mod accounts;
pub mod audit;
mod common;
mod gate;
pub mod kept;
pub mod menu;
pub mod network;
pub mod online;
pub mod password_rules;
pub mod polled;
pub mod role;
pub mod scope;
pub mod second_factor;
pub mod session;
pub mod sign_in;
pub mod stamped;
pub mod totp;
pub mod trail;
pub mod trail_end;
pub mod tries;
pub mod user_agent;
pub mod versions;
pub mod viewer;

pub use account::{AdminStatus, ViewerInfo, viewer_info};
pub use gate::Gate;
pub use role::Roles;
pub use scope::ScopeColumns;
pub use viewer::{DataScope, Scope, Viewer};
