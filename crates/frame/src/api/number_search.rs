//! Searches by a person's whole number: a phone, an identity number, an address, a device. Each search shows whether
//! a guess is right, and so could undo a mask, whether it finds a record or not. So searches are counted for each
//! account in the database, written to the audit trail with the number masked, and refused beyond the needs of work.
//! Paging, sorting or exporting the result does not count again.

use std::collections::HashSet;

use sqlx::Row;

use super::ctx::Ctx;
use super::error::ApiError;
use super::list::ListQuery;
use crate::access::audit::{self, Action, Change, Target};
use crate::old_rows::{Keep, OldRows};
use crate::setting;
use base::canonical;
use base::clock::MINUTE;
use base::crypto::Keys;
use base::db::sql::typed;
use base::mask;
use base::say::say;

/// Searches count within this time; a repeated one counts once.
const WINDOW: i64 = 10 * MINUTE;

/// The whole number of a search.
#[derive(Clone, Debug)]
pub struct WholeNumber {
    /// The list, as the audit trail refers to it.
    pub target: Target,
    /// The hash for the search.
    pub hash: String,
    /// The part of it that may be stored.
    pub mask: String,
}

/// If a keyword is a whole phone number, however it is written, replaces it by the hash under which it is stored:
/// `hash` is the list's filter for it.
pub fn hash_phone(keyword: &mut Option<String>, hash: &mut Option<String>, keys: &Keys, target: Target) -> Option<WholeNumber> {
    let phone = canonical::phone(typed(keyword.as_deref())?)?;
    let number = WholeNumber { target, hash: keys.lookup_hash(&phone), mask: mask::phone(&phone) };
    *hash = Some(number.hash.clone());
    *keyword = None;
    Some(number)
}

/// Allows a query if its viewer may make this search, and replaces the number by the mask.
pub async fn admit<F>(cx: &Ctx, query: &mut ListQuery<F>, number: Option<WholeNumber>) -> super::Result<()> {
    let Some(number) = number else { return Ok(()) };
    // A worker repeats a search that was counted when the export was requested.
    if !cx.again {
        count(cx, &number).await?;
    }
    query.rest.insert("keyword".to_owned(), number.mask.into());
    Ok(())
}

/// Counts a search by a number and writes it to the audit trail; [`ApiError::TooOften`] if none is left.
pub async fn count(cx: &Ctx, number: &WholeNumber) -> super::Result<()> {
    let (viewer_id, since) = (cx.viewer()?.id, cx.now - WINDOW);
    let known = sqlx::query("SELECT 1 AS known FROM number_search WHERE admin_id = $1 AND list = $2 AND value_hash = $3 AND at > $4")
        .bind(viewer_id)
        .bind(number.target.kind)
        .bind(&number.hash)
        .bind(since)
        .fetch_optional(cx.db().read())
        .await?;
    if known.is_some() {
        return Ok(());
    }
    let most = cx.setting(&setting::SECURITY_NUMBER_SEARCHES).await?;
    let mut tx = cx.db().begin().await?;
    cx.db().lock(&mut tx, &format!("number search:{viewer_id}")).await?;
    sqlx::query("DELETE FROM number_search WHERE admin_id = $1 AND at <= $2").bind(viewer_id).bind(since).execute(&mut *tx).await?;
    let made = sqlx::query("SELECT COUNT(*) AS made, MIN(at) AS first FROM number_search WHERE admin_id = $1")
        .bind(viewer_id)
        .fetch_one(&mut *tx)
        .await?;
    if made.try_get::<i64, _>("made")? >= most {
        let first: Option<i64> = made.try_get("first")?;
        return Err(too_often(most, first.unwrap_or(cx.now) - since));
    }
    let written = sqlx::query("INSERT INTO number_search (admin_id, list, value_hash, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING")
        .bind(viewer_id)
        .bind(number.target.kind)
        .bind(&number.hash)
        .bind(cx.now)
        .execute(&mut *tx)
        .await?;
    // Two pages of one person may search at the same moment.
    if written.rows_affected() == 1 {
        let change = Change { field: "keyword".to_owned(), before: None, after: Some(number.mask.clone()) };
        audit::record(&mut tx, &cx.actor()?, number.target, Action::Search, &[change]).await?;
    }
    Ok(tx.commit().await?)
}

/// Counts a search for each of some numbers of a list, by their hashes, if so many are left: all of them or none. The
/// caller writes the audit row.
pub async fn count_all(cx: &Ctx, target: Target, hashes: &HashSet<&str>) -> super::Result<bool> {
    let (viewer_id, since) = (cx.viewer()?.id, cx.now - WINDOW);
    let most = cx.setting(&setting::SECURITY_NUMBER_SEARCHES).await?;
    if hashes.len() as i64 > most {
        return Ok(false);
    }
    let mut tx = cx.db().begin().await?;
    cx.db().lock(&mut tx, &format!("number search:{viewer_id}")).await?;
    sqlx::query("DELETE FROM number_search WHERE admin_id = $1 AND at <= $2").bind(viewer_id).bind(since).execute(&mut *tx).await?;
    let made: Vec<(String, String)> =
        sqlx::query_as("SELECT list, value_hash FROM number_search WHERE admin_id = $1").bind(viewer_id).fetch_all(&mut *tx).await?;
    let is_counted = |hash: &str| made.iter().any(|(list, counted)| list == target.kind && counted == hash);
    let fresh: Vec<&str> = hashes.iter().copied().filter(|hash| !is_counted(hash)).collect();
    if (made.len() + fresh.len()) as i64 > most {
        return Ok(false);
    }
    for hash in fresh {
        sqlx::query("INSERT INTO number_search (admin_id, list, value_hash, at) VALUES ($1, $2, $3, $4)")
            .bind(viewer_id)
            .bind(target.kind)
            .bind(hash)
            .bind(cx.now)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await?;
    Ok(true)
}

fn too_often(most: i64, wait: i64) -> ApiError {
    let retry_after = (wait / 1000).max(1);
    let minutes = (retry_after + 59) / 60;
    ApiError::TooOften {
        message: say(
            format!("10 分钟内最多按完整号码查找 {most} 次，请 {minutes} 分钟后再试"),
            format!("You can search by {most} full numbers per ten minutes: try again in {minutes} min"),
        ),
        retry_after,
    }
}

/// Counted searches.
pub const OLD_SEARCHES: OldRows = OldRows {
    name: "searches by number",
    keep: Keep::Days(1),
    statement: "DELETE FROM number_search WHERE (admin_id, list, value_hash) IN \
                (SELECT admin_id, list, value_hash FROM number_search WHERE at < $1 LIMIT $2)",
};
