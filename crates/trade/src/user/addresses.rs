//! Addresses that an older version stored in clear: they are encrypted, or masked, in small batches in the
//! background. A node with the older version, while one still runs, writes more of them; these are found a little
//! later.

use std::sync::Arc;
use std::time::Duration;

use sqlx::Row;
use tokio_util::sync::CancellationToken;

use crate::blacklist;
use crate::visit;
use base::clock;
use base::crypto::place;
use frame::api::App;

/// Rows of one transaction: few, since other writers wait meanwhile.
const BATCH: i64 = 200;
/// The pause between two transactions, and until the next search.
const BREATH: Duration = Duration::from_millis(100);
const EVERY: Duration = Duration::from_secs(600);

/// Moves all such addresses, and looks for more until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let seen = std::sync::atomic::AtomicI64::new(0);
    clock::every(EVERY, stop.clone(), || async {
        use std::sync::atomic::Ordering::Relaxed;
        let moving = async {
            while !stop.is_cancelled() && seal(&app).await? > 0 {
                tokio::time::sleep(BREATH).await;
            }
            while !stop.is_cancelled()
                && let Some(last) = visit::mask_addresses(&app.db, seen.load(Relaxed), BATCH).await?
            {
                seen.store(last, Relaxed);
                tokio::time::sleep(BREATH).await;
            }
            Ok::<_, sqlx::Error>(())
        };
        if let Err(error) = moving.await {
            tracing::error!(%error, "addresses that were kept before were not encrypted");
        }
    })
    .await;
}

/// Encrypts the addresses of some applicants. Returns how many.
pub async fn seal(app: &App) -> Result<usize, sqlx::Error> {
    let rows = sqlx::query("SELECT id, no, client_ip FROM applicant WHERE client_ip <> '' ORDER BY client_ip, created_at LIMIT $1")
        .bind(BATCH)
        .fetch_all(app.db.read())
        .await?;
    let mut whole = Vec::new();
    for row in &rows {
        whole.push((row.try_get::<i64, _>("id")?, row.try_get::<String, _>("no")?, row.try_get::<String, _>("client_ip")?));
    }
    if whole.is_empty() {
        return Ok(0);
    }
    // The same order everywhere, so that two nodes never wait for each other.
    whole.sort_unstable();
    let mut tx = app.db.begin().await?;
    for (id, no, ip) in &whole {
        sqlx::query("UPDATE applicant SET client_ip = '', client_ip_enc = $1, client_ip_hash = $2 WHERE id = $3 AND client_ip = $4")
            .bind(app.keys.seal(&place::APPLICANT_ADDRESS.of(no), ip))
            .bind(blacklist::ip_hash(&app.keys, ip))
            .bind(id)
            .bind(ip)
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await?;
    Ok(whole.len())
}

#[cfg(test)]
mod tests {
    use base::db::Sql;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn what_is_left_is_found_by_an_index() {
        let sql = Sql::new("SELECT id, client_ip FROM applicant WHERE client_ip <> '' ORDER BY client_ip, created_at LIMIT 200");
        let plan = Plans::open().await.of(sql).await;
        assert!(plan.contains("applicant_address") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
}
