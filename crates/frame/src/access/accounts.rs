//! Changes of accounts that staff make, and that people make of their own profile.
//!
//! Not here: the rules (`admin`), and what signing in changes ([`super::sign_in`]).

use std::collections::BTreeSet;

use super::AdminStatus;
use base::crypto::{Keys, place};
use base::db::Connection;
use base::mask;

/// The fields of an account that an administrator enters.
pub struct Details<'a> {
    pub real_name: &'a str,
    /// None keeps the stored phone.
    pub phone: Option<&'a str>,
    pub email: Option<&'a str>,
    pub org_id: Option<i64>,
    pub sub_org_id: Option<i64>,
    pub role_ids: &'a BTreeSet<i64>,
}

/// The fields of an account that its owner enters.
pub struct OwnDetails<'a> {
    pub email: Option<&'a str>,
    pub job: Option<&'a str>,
    pub location: Option<&'a str>,
    pub website: Option<&'a str>,
    pub introduction: Option<&'a str>,
    /// The picture's address.
    pub avatar: Option<String>,
}

/// Locks an account for a change, in a version; false if it has another version by now or is deleted.
pub async fn take(tx: &mut Connection, id: i64, version: i64, by: i64, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE administrator SET version = version + 1, updated_at = $1, updated_by = $2 WHERE id = $3 AND version = $4 AND deleted_at IS NULL",
    )
    .bind(now)
    .bind(by)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Adds an account whose owner must choose a password at the first sign-in, and returns its id.
pub async fn insert(
    tx: &mut Connection,
    keys: &Keys,
    username: &str,
    password_hash: &str,
    details: &Details<'_>,
    by: i64,
    now: i64,
) -> Result<i64, sqlx::Error> {
    let id = sqlx::query_scalar(
        "INSERT INTO administrator (username, password_hash, real_name, status, must_change_pwd, pwd_changed_at, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, 'enabled', 1, $4, $5, $6, $7, $8) RETURNING id",
    )
    .bind(username)
    .bind(password_hash)
    .bind(details.real_name)
    .bind(now)
    .bind(now)
    .bind(now)
    .bind(by)
    .bind(by)
    .fetch_one(&mut *tx)
    .await?;
    write(tx, keys, id, details).await?;
    Ok(id)
}

/// Writes the fields of an account, and its roles.
pub async fn write(tx: &mut Connection, keys: &Keys, id: i64, details: &Details<'_>) -> Result<(), sqlx::Error> {
    let phone = details.phone;
    sqlx::query(
        "UPDATE administrator SET real_name = $1, email = $2, org_id = $3, sub_org_id = $4, phone_enc = COALESCE($5, phone_enc), \
         phone_hash = COALESCE($6, phone_hash), phone_mask = COALESCE($7, phone_mask) WHERE id = $8",
    )
    .bind(details.real_name)
    .bind(details.email)
    .bind(details.org_id)
    .bind(details.sub_org_id)
    .bind(phone.map(|phone| keys.seal(&place::ADMINISTRATOR_PHONE.of(id), phone)))
    .bind(phone.map(|phone| keys.lookup_hash(phone)))
    .bind(phone.map(mask::phone))
    .bind(id)
    .execute(&mut *tx)
    .await?;
    sqlx::query("DELETE FROM admin_role WHERE admin_id = $1").bind(id).execute(&mut *tx).await?;
    for role in details.role_ids {
        sqlx::query("INSERT INTO admin_role (admin_id, role_id) VALUES ($1, $2)").bind(id).bind(role).execute(&mut *tx).await?;
    }
    Ok(())
}

/// Writes the profile of the person who is signed in, in a version; false if it has another version by now.
pub async fn write_own(tx: &mut Connection, id: i64, version: i64, details: &OwnDetails<'_>, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE administrator SET email = $1, job = $2, location = $3, website = $4, introduction = $5, avatar = $6, \
         version = version + 1, updated_at = $7, updated_by = $8 WHERE id = $9 AND version = $10",
    )
    .bind(details.email)
    .bind(details.job)
    .bind(details.location)
    .bind(details.website)
    .bind(details.introduction)
    .bind(details.avatar.as_deref())
    .bind(now)
    .bind(id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Writes the team of an account.
pub async fn set_team(tx: &mut Connection, id: i64, team: i64, by: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE administrator SET sub_org_id = $1, version = version + 1, updated_at = $2, updated_by = $3 WHERE id = $4")
        .bind(team)
        .bind(now)
        .bind(by)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Writes whether an account can sign in.
pub async fn set_status(tx: &mut Connection, id: i64, status: AdminStatus) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE administrator SET status = $1 WHERE id = $2").bind(<&str>::from(status)).bind(id).execute(tx).await.map(drop)
}

/// Takes an account out of use. Its row stays, because the audit trail names it, so its user name is never given to another account;
/// its phone is free again.
pub async fn delete(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE administrator SET deleted_at = $1 WHERE id = $2").bind(now).bind(id).execute(tx).await.map(drop)
}
