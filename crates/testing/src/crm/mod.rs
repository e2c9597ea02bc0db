//! Salespeople and clues.

pub mod clue;
pub mod money;
pub mod pool;
pub mod team;

use base::crypto::place;
use sqlx::Row;

use crate::{TestApp, keys};

/// Makes an account a salesperson of its organisation and team, without limits. Returns the account's id.
pub async fn salesperson(app: &TestApp, username: &str) -> i64 {
    let id = app.account(username).await;
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query(
        "INSERT INTO salesperson (id, org_id, sub_org_id, level, status, created_at, updated_at) \
         SELECT id, org_id, sub_org_id, 'middle', 'active', $1, $2 FROM administrator WHERE id = $3 ON CONFLICT DO NOTHING",
    )
    .bind(app.now())
    .bind(app.now())
    .bind(id)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    id
}

/// A new clue without a push: of an applicant with a phone of their own, in an organisation, with a salesperson or in
/// the organisation's first pool, which is made if there is none. Returns its id.
pub async fn clue(app: &TestApp, org: &str, owner: Option<i64>) -> i64 {
    let org_id = app.organisation(org).await;
    let now = app.now();
    let mut tx = app.app.db.begin().await.unwrap();
    if sqlx::query("SELECT id FROM channel").fetch_optional(&mut *tx).await.unwrap().is_none() {
        sqlx::query(
            "INSERT INTO channel (code, name, type, settle_mode, unit_price_cents, share_bp, app_key, app_secret_enc, mode, status, version, \
               created_at, updated_at) VALUES ('crm', 'CRM', 'h5', 'none', 0, 0, 'crm', 'x', 'live', 'enabled', 1, 0, 0)",
        )
        .execute(&mut *tx)
        .await
        .unwrap();
    }
    let number: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM applicant").fetch_one(&mut *tx).await.unwrap();
    let (phone, keys) = (format!("1380000{number:04}"), keys());
    let user_id: i64 = sqlx::query_scalar(
        "INSERT INTO applicant (no, phone_hash, phone_md5_hash, phone_mask, name_mask, province, city, said, channel_id, payload_hash, system, \
           client_ip, user_agent, test, status, checks, created_at, updated_at) SELECT $1, $2, $3, $4, '王*', '上海', '上海市', '{}', MIN(c.id), $5, \
           'android', '127.0.0.1', 'test', 0, 'distributed', '[]', $6, $7 FROM channel c RETURNING id",
    )
    .bind(format!("U-{number}"))
    .bind(keys.lookup_hash(&phone))
    .bind(format!("md5-{number}"))
    .bind(format!("138****{number:04}"))
    .bind(format!("payload-{number}"))
    .bind(now)
    .bind(now)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    sqlx::query("UPDATE applicant SET phone_enc = $1, name_enc = $2 WHERE id = $3")
        .bind(keys.seal(&place::APPLICANT_PHONE.of(format!("U-{number}")), &phone))
        .bind(keys.seal(&place::APPLICANT_NAME.of(format!("U-{number}")), "王小明"))
        .bind(user_id)
        .execute(&mut *tx)
        .await
        .unwrap();
    let pool: Option<i64> = match owner {
        Some(_) => None,
        None => Some(pool(&mut tx, org_id).await),
    };
    let id: i64 = sqlx::query(
        "INSERT INTO clue (no, user_id, org_id, sub_org_id, owner_id, pool_id, pooled_at, claimable_at, name_mask, phone_mask, city, stage, phone_hash, \
           channel_id, assigned_at, created_at, updated_at) SELECT $1, u.id, $2, (SELECT s.sub_org_id FROM salesperson s WHERE s.id = $3), $4, $5, \
           $6, $7, u.name_mask, u.phone_mask, u.city, 'new', u.phone_hash, u.channel_id, $8, $9, $10 FROM applicant u WHERE u.id = $11 RETURNING id",
    )
    .bind(format!("CL-{number}"))
    .bind(org_id)
    .bind(owner)
    .bind(owner)
    .bind(pool)
    .bind(pool.map(|_| now))
    .bind(pool.map(|_| now))
    .bind(owner.map(|_| now))
    .bind(now)
    .bind(now)
    .bind(user_id)
    .fetch_one(&mut *tx)
    .await
    .unwrap()
    .get("id");
    if let Some(owner) = owner {
        sqlx::query("UPDATE salesperson SET held = held + 1 WHERE id = $1").bind(owner).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    id
}

/// The first pool of an organisation; made if there is none.
pub async fn pool(tx: &mut base::db::Connection, org_id: i64) -> i64 {
    let found = sqlx::query_scalar("SELECT MIN(id) FROM clue_pool WHERE org_id = $1").bind(org_id).fetch_one(&mut *tx).await.unwrap();
    if let Some(id) = found {
        return id;
    }
    sqlx::query_scalar(
        "INSERT INTO clue_pool (org_id, name, claim_per_day, former_owner_days, new_delay_minutes, reclaim_days, remind_days, status, created_at, \
           updated_at) VALUES ($1, '公共池', 20, 3, 0, 7, 1, 'enabled', 0, 0) RETURNING id",
    )
    .bind(org_id)
    .fetch_one(tx)
    .await
    .unwrap()
}
