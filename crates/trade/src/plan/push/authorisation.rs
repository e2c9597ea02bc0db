//! The authorisation of a push on its organisation's page.

use sqlx::Row;

use super::model::AuthStatus;
use base::crypto::{Keys, place};
use base::db::{self, Connection, Db};

/// The last lead of an applicant, by the applicant's number, that has a page of the organisation: its id and status.
pub async fn last(tx: &mut Connection, org_id: i64, user_no: &str) -> Result<Option<(i64, AuthStatus)>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT h.id, h.auth_status FROM push_record h JOIN applicant u ON u.id = h.user_id WHERE u.no = $1 AND h.org_id = $2 \
         AND h.auth_status IS NOT NULL ORDER BY h.id DESC LIMIT 1",
    )
    .bind(user_no)
    .bind(org_id)
    .fetch_optional(tx)
    .await?;
    row.map(|row| Ok((row.try_get("id")?, db::code(&row, "auth_status")?))).transpose()
}

/// Ends the wait for an applicant on an organisation's page; its address is deleted.
pub async fn set(tx: &mut Connection, id: i64, status: AuthStatus, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE push_record SET auth_status = $1, auth_url_enc = NULL, updated_at = $2 WHERE id = $3")
        .bind(<&str>::from(status))
        .bind(now)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// A page on which an applicant has to agree.
#[derive(Debug)]
pub struct AuthPage {
    pub org_name: String,
    pub url: String,
    /// Epoch milliseconds.
    pub until: i64,
}

/// The pages on which an applicant still has to agree, at a moment, oldest first.
pub async fn pages(db: &Db, keys: &Keys, user_id: i64, at: i64) -> anyhow::Result<Vec<AuthPage>> {
    let rows = sqlx::query(
        "SELECT h.no, h.auth_until, h.auth_url_enc, o.name FROM push_record h JOIN organisation o ON o.id = h.org_id \
         WHERE h.user_id = $1 AND h.status = 'queued' AND h.auth_status = 'waiting' AND h.auth_until > $2 AND h.auth_url_enc IS NOT NULL ORDER BY h.id",
    )
    .bind(user_id)
    .bind(at)
    .fetch_all(db.read())
    .await?;
    let mut pages = Vec::with_capacity(rows.len());
    for row in &rows {
        let no: String = row.try_get("no")?;
        let url = keys.open(&place::PUSH_AUTH_URL.of(no), row.try_get::<&str, _>("auth_url_enc")?)?;
        pages.push(AuthPage { org_name: row.try_get("name")?, url, until: row.try_get("auth_until")? });
    }
    Ok(pages)
}
