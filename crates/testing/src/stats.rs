//! Figures of channels and organisations.

use base::clock::{self, DAY};
use sqlx::{AssertSqlSafe, Column, Row};

use crate::TestApp;

/// The text of the day so many days before today.
pub fn day(app: &TestApp, before: i64) -> String {
    clock::day(app.now() - before * DAY).to_string()
}

/// Figures of a subject of a kind on a day: of all systems, and all of them from iOS.
async fn add(app: &TestApp, kind: &'static str, subject_id: i64, org_id: i64, day: &str, figures: [i64; 7]) {
    let [uv, registered, applied, sold, returned, cost, income] = figures;
    let mut tx = app.app.db.begin().await.unwrap();
    // All subjects together are a row as well.
    let all = if kind == "org" { "all_orgs" } else { "all_channels" };
    let rows = [("", kind, subject_id, org_id), ("ios", kind, subject_id, org_id), ("", all, 0, 0), ("ios", all, 0, 0)];
    for (system, kind, subject_id, org_id) in rows {
        sqlx::query(
            "INSERT INTO uv_stat_daily (day, subject_type, subject_id, channel_id, system, org_id, pv, uv, test_pv, test_uv, exposure_pv, \
               exposure_uv, cost_cents, income_cents, computed_at, registered, applied, matched, sold, returned) \
             VALUES ($1, $2, $3, 0, $4, $5, $6, $7, 0, 0, 0, 0, $8, $9, 0, $10, $11, $12, $13, $14) \
             ON CONFLICT (day, subject_type, subject_id, channel_id, system) DO UPDATE SET pv = uv_stat_daily.pv + excluded.pv, \
               uv = uv_stat_daily.uv + excluded.uv, cost_cents = uv_stat_daily.cost_cents + excluded.cost_cents, \
               income_cents = uv_stat_daily.income_cents + excluded.income_cents, registered = uv_stat_daily.registered + excluded.registered, \
               applied = uv_stat_daily.applied + excluded.applied, matched = uv_stat_daily.matched + excluded.matched, \
               sold = uv_stat_daily.sold + excluded.sold, returned = uv_stat_daily.returned + excluded.returned",
        )
        .bind(day.to_owned())
        .bind(kind)
        .bind(subject_id)
        .bind(system)
        .bind(org_id)
        .bind(uv * 2)
        .bind(uv)
        .bind(cost)
        .bind(income)
        .bind(registered)
        .bind(applied)
        .bind(applied)
        .bind(sold)
        .bind(returned)
        .execute(&mut *tx)
        .await
        .unwrap();
    }
    // The months of all days, as they are written together.
    sqlx::query("DELETE FROM uv_stat_monthly").execute(&mut *tx).await.unwrap();
    let columns: Vec<String> = sqlx::query("SELECT * FROM uv_stat_daily LIMIT 1")
        .fetch_one(&mut *tx)
        .await
        .unwrap()
        .columns()
        .iter()
        .map(|column| column.name().to_owned())
        .filter(|name| {
            !["id", "day", "subject_type", "subject_id", "channel_id", "system", "org_id", "computed_at"].contains(&name.as_str())
        })
        .collect();
    let sums = columns.iter().map(|column| format!("SUM({column})")).collect::<Vec<_>>().join(", ");
    let months = format!(
        "INSERT INTO uv_stat_monthly (month, subject_type, subject_id, channel_id, system, org_id, computed_at, {}) \
         SELECT SUBSTR(day, 1, 7), subject_type, subject_id, channel_id, system, MAX(org_id), 0, {sums} FROM uv_stat_daily \
         GROUP BY SUBSTR(day, 1, 7), subject_type, subject_id, channel_id, system",
        columns.join(", ")
    );
    sqlx::query(AssertSqlSafe(months)).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

/// Two channels, the first of the channel manager's; and both organisations.
pub async fn some_figures(app: &TestApp) -> (i64, i64) {
    for (code, owner) in [("one", "channel.manager"), ("two", "operator")] {
        let owner = app.account(owner).await;
        let mut tx = app.app.db.begin().await.unwrap();
        sqlx::query(
            "INSERT INTO channel (code, name, type, settle_mode, unit_price_cents, share_bp, app_key, app_secret_enc, mode, status, version, \
               owner_admin_id, created_at, updated_at) VALUES ($1, $2, 'h5', 'none', 0, 0, $3, 'x', 'live', 'enabled', 1, $4, 0, 0)",
        )
        .bind(code)
        .bind(format!("Channel {code}"))
        .bind(code)
        .bind(owner)
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }
    let (one, two) = (app.count("SELECT MIN(id) FROM channel").await, app.count("SELECT MAX(id) FROM channel").await);
    add(app, "channel", one, 0, &day(app, 0), [100, 10, 8, 4, 1, 2000, 9000]).await;
    add(app, "channel", one, 0, &day(app, 1), [50, 5, 4, 2, 0, 1000, 6000]).await;
    add(app, "channel", one, 0, &day(app, 8), [30, 3, 3, 1, 0, 600, 3000]).await;
    add(app, "channel", two, 0, &day(app, 0), [10, 4, 1, 0, 0, 800, 0]).await;
    let (north, south) = (app.organisation("north").await, app.organisation("south").await);
    add(app, "org", north, north, &day(app, 0), [0, 0, 0, 3, 1, 0, 7000]).await;
    add(app, "org", south, south, &day(app, 0), [0, 0, 0, 1, 0, 0, 2000]).await;
    (one, two)
}
