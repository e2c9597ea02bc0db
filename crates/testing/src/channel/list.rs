//! Lists of channels.

use sqlx::Row;

use crate::channel::{form, make};
use crate::{Actor, TestApp};

/// Makes channels straight in the database: copies of one.
pub async fn many(app: &TestApp, operator: &Actor, count: i64) {
    make(operator, form("first-one")).await;
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query(
        "INSERT INTO channel (code, name, type, settle_mode, unit_price_cents, share_bp, app_key, app_secret_enc, ip_allow, mode, status, \
           owner_admin_id, created_at, updated_at) \
         WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < CAST($1 AS INTEGER)) \
         SELECT 'many-' || CAST(i AS TEXT), name || CAST(i AS TEXT), type, settle_mode, i, share_bp, 'key' || CAST(i AS TEXT), \
           app_secret_enc, ip_allow, mode, status, owner_admin_id, created_at - i * 1000, updated_at FROM channel, n",
    )
    .bind(count)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let row = sqlx::query("SELECT COUNT(*) AS total FROM channel").fetch_one(app.app.db.read()).await.unwrap();
    assert_eq!(row.get::<i64, _>("total"), count);
}
