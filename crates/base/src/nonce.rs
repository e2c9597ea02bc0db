//! Tokens that count once, on any node: a signed call carries one, so that an eavesdropper cannot repeat it.

use std::collections::HashSet;

use sqlx::Row;

use crate::db::{self, Connection, Db, Sql};

/// A token, and until when it must be remembered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Nonce {
    /// Its owner, for example a channel's app key.
    pub owner: String,
    pub token: String,
    /// Epoch milliseconds.
    pub expires_at: i64,
}

/// Expired tokens deleted in one transaction.
const SWEPT: i64 = 5000;

/// Claims a token in the transaction of its call. Returns whether it was new.
pub async fn claim(tx: &mut Connection, nonce: &Nonce) -> Result<bool, sqlx::Error> {
    Ok(claim_all(tx, vec![nonce]).await?.contains(nonce))
}

/// Whether a token was claimed.
pub async fn is_claimed(tx: &mut Connection, nonce: &Nonce) -> Result<bool, sqlx::Error> {
    let found = sqlx::query("SELECT 1 AS found FROM nonce WHERE owner = $1 AND token = $2").bind(&nonce.owner).bind(&nonce.token);
    Ok(found.fetch_optional(tx).await?.is_some())
}

/// Claims several tokens. Returns the new ones.
pub async fn claim_all<'n>(tx: &mut Connection, mut nonces: Vec<&'n Nonce>) -> Result<HashSet<&'n Nonce>, sqlx::Error> {
    // The same order everywhere, so that two nodes never wait for each other in a circle.
    nonces.sort_unstable();
    nonces.dedup_by(|a, b| (&a.owner, &a.token) == (&b.owner, &b.token));
    let mut fresh = HashSet::new();
    for some in db::pieces(&nonces) {
        let mut sql = Sql::new("INSERT INTO nonce (owner, token, expires_at) VALUES ");
        for (index, nonce) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(nonce.owner.clone()).push(", ").bind(nonce.token.clone());
            sql.push(", ").bind(nonce.expires_at).push(")");
        }
        sql.push(" ON CONFLICT (owner, token) DO NOTHING RETURNING owner, token");
        let mut claimed = HashSet::new();
        for row in sql.fetch_all(&mut *tx).await? {
            claimed.insert((row.try_get::<String, _>("owner")?, row.try_get::<String, _>("token")?));
        }
        fresh.extend(some.iter().filter(|nonce| claimed.contains(&(nonce.owner.clone(), nonce.token.clone()))).copied());
    }
    Ok(fresh)
}

/// Deletes tokens that are no longer valid, in small transactions. Returns how many.
pub async fn sweep(db: &Db, now: i64) -> Result<u64, sqlx::Error> {
    let mut tx = db.begin().await?;
    let swept = sqlx::query(
        "DELETE FROM nonce WHERE (owner, token) IN (SELECT owner, token FROM nonce WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)",
    )
    .bind(now)
    .bind(SWEPT)
    .execute(&mut *tx)
    .await?
    .rows_affected();
    tx.commit().await?;
    Ok(swept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::plans::Plans;

    #[tokio::test]
    async fn a_token_counts_once_until_it_is_forgotten() {
        let plans = Plans::open().await;
        let db = &plans.db;
        let nonce = |owner: &str, token: &str| Nonce { owner: owner.into(), token: token.into(), expires_at: 1000 };
        let (a, b, c) = (nonce("x", "1"), nonce("x", "2"), nonce("y", "1"));
        let mut tx = db.begin().await.unwrap();
        assert!(claim(&mut tx, &a).await.unwrap());
        assert!(!claim(&mut tx, &a).await.unwrap());
        let twice = nonce("x", "2");
        assert_eq!(claim_all(&mut tx, vec![&a, &b, &c, &twice]).await.unwrap().len(), 2);
        tx.commit().await.unwrap();
        assert_eq!(sweep(db, 1000).await.unwrap(), 0);
        assert_eq!(sweep(db, 1001).await.unwrap(), 3);
        let mut tx = db.begin().await.unwrap();
        assert!(claim(&mut tx, &a).await.unwrap());
    }
}
