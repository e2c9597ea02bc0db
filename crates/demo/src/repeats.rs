//! The demo's push that was repeated by hand and then cancelled, so that both ends of the link between pushes can be
//! seen. It is never sent: the demo makes no calls.

use super::actor;
use super::people::Account;
use frame::access::audit::{self, Action, Change};
use frame::api::{ApiError, App};
use lead::distribution;
use trade::plan::push::TARGET;

/// Adds it, of the latest push without a sale whose plan takes the lead now.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let by = accounts.iter().find(|account| account.role == "operator").expect("the demo has every role");
    let latest: Vec<i64> = sqlx::query_scalar(
        "SELECT id FROM push_record WHERE status IN ('rejected', 'duplicate', 'failed') AND user_id IS NOT NULL AND test = 0 \
         ORDER BY created_at DESC, id DESC LIMIT 60",
    )
    .fetch_all(app.db.read())
    .await?;
    for id in latest {
        let new = match distribution::repeat_as_it_was(app, id).await {
            Ok(Some(new)) => new,
            Ok(None) | Err(ApiError::State(_)) => continue,
            Err(error) => return Err(error),
        };
        let mut tx = app.db.begin().await?;
        let cancelled = distribution::withdraw(&mut tx, new, distribution::BY_HAND, now).await?;
        // No further round is made: its questions and deliveries would call organisations.
        sqlx::query("UPDATE applicant SET status = 'unmatched', due_at = NULL WHERE id = (SELECT user_id FROM push_record WHERE id = $1)")
            .bind(new)
            .execute(&mut *tx)
            .await?;
        let change = |field: &str, after: &str| Change { field: field.to_owned(), before: None, after: Some(after.to_owned()) };
        let no: String = sqlx::query_scalar("SELECT no FROM push_record WHERE id = $1").bind(new).fetch_one(&mut *tx).await?;
        let author = actor(by.id, by.role_id, now);
        audit::record(&mut tx, &author, TARGET.of(id), Action::Update, &[change("decision", "repeated"), change("note", &no)]).await?;
        if cancelled {
            let said = [change("decision", "cancelled"), change("note", "机构来电，暂不接收该客户")];
            audit::record(&mut tx, &author, TARGET.of(new), Action::Money, &said).await?;
        }
        return Ok(tx.commit().await?);
    }
    Ok(())
}
