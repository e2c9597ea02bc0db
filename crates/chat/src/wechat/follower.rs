//! Followers of official accounts: which customer writes under which openid.

use futures_util::FutureExt;
use sqlx::Row;

use super::store::Account;
use crate::codes::CustomerSource;
use base::crypto;
use base::db::{Connection, Sql};
use frame::api::App;

/// The id of the customer of an openid; adds a new customer, and marks a known one as following. `at` is when WeChat
/// says that they followed the account or wrote, in epoch milliseconds.
pub async fn customer_of(app: &App, account: &Account, openid: &str, at: i64) -> Result<i64, sqlx::Error> {
    let (db, now, wechat_id) = (&app.db, app.clock.now(), account.id);
    db.transact(|mut tx| {
        async move {
            // The lock prevents that two messages of a new customer add two customers.
            db.lock(&mut tx, &format!("chat:wechat:{wechat_id}:{openid}")).await?;
            let known = sqlx::query("SELECT f.customer_id FROM chat_wechat_follower f WHERE f.wechat_id = $1 AND f.openid = $2")
                .bind(wechat_id)
                .bind(openid)
                .fetch_optional(&mut **tx)
                .await?;
            if let Some(row) = known {
                set_following(&mut tx, (wechat_id, openid), true, at).await?;
                return row.try_get("customer_id");
            }
            let customer_id = sqlx::query(
                "INSERT INTO chat_customer (source, nickname, status, created_at, updated_at) VALUES ($1, $2, 'active', $3, $4) RETURNING id",
            )
            .bind(<&str>::from(CustomerSource::OfficialAccount))
            .bind(format!("微信用户{}", crypto::random_code()))
            .bind(now)
            .bind(now)
            .fetch_one(&mut **tx)
            .await?
            .try_get::<i64, _>("id")?;
            sqlx::query("INSERT INTO chat_wechat_follower (wechat_id, openid, customer_id, subscribed, changed_at) VALUES ($1, $2, $3, 1, $4)")
                .bind(wechat_id)
                .bind(openid)
                .bind(customer_id)
                .bind(at)
                .execute(&mut **tx)
                .await?;
            Ok(customer_id)
        }
        .boxed()
    })
    .await
}

/// Records that a customer does not follow the account any more.
pub async fn unfollowed(app: &App, account: &Account, openid: &str, at: i64) -> Result<(), sqlx::Error> {
    let wechat_id = account.id;
    app.db.transact(|mut tx| async move { set_following(&mut tx, (wechat_id, openid), false, at).await }.boxed()).await
}

/// Sets whether a customer follows, unless a newer report was stored.
async fn set_following(tx: &mut Connection, (wechat_id, openid): (i64, &str), follows: bool, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE chat_wechat_follower SET subscribed = $1, changed_at = $2 WHERE wechat_id = $3 AND openid = $4 AND changed_at <= $5",
    )
    .bind(i64::from(follows))
    .bind(at)
    .bind(wechat_id)
    .bind(openid)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Deletes the openids of customers, and what waits to be sent to them or fetched.
pub async fn erase(tx: &mut Connection, customer_ids: &[i64]) -> Result<(), sqlx::Error> {
    for table in ["chat_wechat_follower", "chat_wechat_send"] {
        let mut sql = Sql::new("DELETE FROM ");
        sql.push(table).push(" WHERE customer_id IN ").ids(customer_ids.iter().copied());
        sql.execute(&mut *tx).await?;
    }
    let mut sql = Sql::new(
        "DELETE FROM chat_wechat_media WHERE message_id IN (SELECT m.id FROM chat_message m JOIN chat_conversation c ON c.id = m.conversation_id \
         WHERE c.customer_id IN ",
    );
    sql.ids(customer_ids.iter().copied()).push(")");
    sql.execute(tx).await.map(drop)
}
