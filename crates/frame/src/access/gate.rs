//! The shared data for checks of sign-ins and sessions.

use super::Roles;
use super::polled::PolledSessions;
use super::tries::Doors;
use crate::setting::Settings;
use base::crypto::Keys;
use base::db::Db;
use base::password_hashing::Hashing;

/// Everything that sign-ins and checks of sessions use.
#[derive(Clone, Copy)]
pub struct Gate<'a> {
    pub db: &'a Db,
    pub keys: &'a Keys,
    pub roles: &'a Roles,
    pub settings: &'a Settings,
    /// Where passwords are hashed and compared.
    pub hashing: &'a Hashing,
    /// The doors that are known to be locked.
    pub doors: &'a Doors,
    /// Sessions of pages that poll.
    pub polled: &'a PolledSessions,
}
