//! Unread leads. Every open page polls their number every three seconds, so a row exists only while its lead is
//! unread: the count is one walk over a short index.

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::Row;

use base::db::{Connection, Db, Sql};
use frame::access::{Scope, ScopeColumns};
use frame::api::{self, Ctx, Nothing};

/// The largest count. It keeps the call cheap for platform staff, who see all organisations.
const MOST: i64 = 100_000;

/// The scope columns of an unseen lead, which are those of its clue.
const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("n.org_id IN (SELECT m.id FROM organisation m WHERE m.owner_admin_id = ?)"),
    org: Some("n.org_id"),
    sub_org: Some("n.sub_org_id"),
    myself: Some("n.owner_admin_id"),
};

/// A lead that a salesperson, team or organisation has received.
#[derive(Clone, Copy, Debug)]
pub struct NewLead {
    /// None before the clue exists.
    pub clue_id: Option<i64>,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    /// The salesperson's account; none while the lead is in a pool.
    pub owner_admin_id: Option<i64>,
}

/// Records an unseen lead in the transaction that assigns it. A lead with a new owner is new again.
pub async fn lead_arrived(tx: &mut Connection, lead: NewLead, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO new_lead (clue_id, org_id, sub_org_id, owner_admin_id, arrived_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (clue_id) DO UPDATE SET org_id = excluded.org_id, sub_org_id = excluded.sub_org_id, \
         owner_admin_id = excluded.owner_admin_id, arrived_at = excluded.arrived_at",
    )
    .bind(lead.clue_id)
    .bind(lead.org_id)
    .bind(lead.sub_org_id)
    .bind(lead.owner_admin_id)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Marks a lead as seen, or as gone. Without a row it does nothing.
pub async fn lead_seen(tx: &mut Connection, clue_id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM new_lead WHERE clue_id = $1").bind(clue_id).execute(tx).await.map(drop)
}

/// Marks a clue as opened by a person of its scope: it is not new any more.
pub async fn lead_opened(db: &Db, clue_id: i64) -> Result<(), sqlx::Error> {
    db.transact(|mut tx| async move { lead_seen(&mut tx, clue_id).await }.boxed()).await
}

/// Marks the lead of a push as opened by a person of the organisation: it is not new any more.
pub async fn clue_opened(db: &Db, push_id: i64) -> Result<(), sqlx::Error> {
    let new: Option<i64> = sqlx::query_scalar("SELECT n.clue_id FROM new_lead n JOIN clue k ON k.id = n.clue_id WHERE k.push_id = $1")
        .bind(push_id)
        .fetch_optional(db.read())
        .await?;
    let Some(clue_id) = new else { return Ok(()) };
    lead_opened(db, clue_id).await
}

/// Unread leads of a salesperson, read together with the session: salespeople are the most frequent callers. Null for
/// other scopes.
pub const OF_SALESPERSON: &str = "CASE WHEN r.data_scope = 'self' THEN (SELECT COUNT(*) FROM (SELECT n.id FROM new_lead n \
     WHERE n.owner_admin_id = s.admin_id LIMIT 100000) AS unseen) END";

/// `GET /crm/getNewUserCount`: unseen leads within the viewer's scope, at most [`MOST`].
pub async fn count(cx: Arc<Ctx>, _: Nothing) -> api::Result<i64> {
    match cx.number {
        Some(number) => Ok(number),
        None => unseen_leads(&cx).await,
    }
}

/// Unseen leads within the viewer's scope, at most [`MOST`].
async fn unseen_leads(cx: &Ctx) -> api::Result<i64> {
    let row = counting(cx.viewer()?.scope()).fetch_optional(cx.db().read()).await?;
    Ok(row.map_or(Ok(0), |row| row.try_get("leads"))?)
}

fn counting(scope: Scope) -> Sql {
    let mut sql = Sql::new("SELECT COUNT(*) AS leads FROM (SELECT n.id FROM new_lead n WHERE 1 = 1");
    scope.apply(&mut sql, SCOPE);
    sql.push(" LIMIT ").bind(MOST).push(") AS unseen");
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    // S7.29: for every scope, the count reads an index only.
    #[tokio::test]
    async fn the_count_reads_an_index_alone() {
        let plans = Plans::open().await;
        for (scope, access) in [
            (Scope::Org(1), "SEARCH n USING COVERING INDEX new_lead_org "),
            (Scope::SubOrg(1), "SEARCH n USING COVERING INDEX new_lead_sub_org "),
            (Scope::Own(1), "SEARCH n USING COVERING INDEX new_lead_org "),
            (Scope::Myself(1), "SEARCH n USING COVERING INDEX new_lead_owner "),
            // Without a condition the index is scanned, up to the limit.
            (Scope::All, "SCAN n USING COVERING INDEX "),
        ] {
            let plan = plans.of(counting(scope)).await;
            assert!(plan.contains(access), "{scope:?}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{scope:?}: {plan}");
        }
    }

    /// Prints what a count costs: `cargo test --release --lib new_lead -- --ignored --nocapture`.
    #[tokio::test]
    #[ignore = "a measurement"]
    async fn what_a_count_costs() {
        let plans = Plans::open().await;
        let db = &plans.db;
        let mut tx = db.begin().await.unwrap();
        for id in 1..=2 {
            sqlx::query("INSERT INTO organisation (code, name, short_name, type, status, created_at, updated_at) VALUES ($1, 'o', 'o', 'bank', 'active', 0, 0)")
                .bind(format!("o{id}")).execute(&mut *tx).await.unwrap();
        }
        for clue in 0..4000 {
            let lead = NewLead { clue_id: Some(clue), org_id: 1 + clue % 2, sub_org_id: None, owner_admin_id: None };
            lead_arrived(&mut tx, lead, 0).await.unwrap();
        }
        tx.commit().await.unwrap();
        for scope in [Scope::Org(1), Scope::All, Scope::Myself(9)] {
            let began = std::time::Instant::now();
            for _ in 0..1000 {
                counting(scope).fetch_optional(db.read()).await.unwrap();
            }
            println!("{scope:?}: {:.3} ms a count", began.elapsed().as_secs_f64());
        }
    }
}
