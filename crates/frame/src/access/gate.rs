//! What sign-ins and sessions are looked at with.

use super::Roles;
use super::polled::PolledSessions;
use super::tries::Doors;
use crate::setting::Settings;
use base::crypto::Keys;
use base::db::Db;
use base::hashing::Hashing;

/// What decides whether somebody comes in, and whether he may stay.
#[derive(Clone, Copy)]
pub struct Gate<'a> {
    pub db: &'a Db,
    pub keys: &'a Keys,
    pub roles: &'a Roles,
    pub settings: &'a Settings,
    /// Where passwords are hashed and compared.
    pub hashing: &'a Hashing,
    /// What is known of doors that are shut.
    pub doors: &'a Doors,
    /// Sessions of pages that poll.
    pub polled: &'a PolledSessions,
}
