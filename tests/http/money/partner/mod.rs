//! `/partner`: statements of channels, their links, corrections and payouts.

mod confirmation;
mod items;
mod link;
mod payout;
mod statement;
mod visits;

use axum::http::Method;
use base::clock;
use serde_json::{Value, json};

use testing::TestApp;
use testing::finance::approval;
use testing::partner::{confirm, item, payout_form};

const DAY: i64 = 24 * 3_600_000;

/// Goes to the middle of a day.
pub fn go_to(app: &TestApp, day: &str) {
    app.advance(clock::day_start(day).unwrap() + DAY / 2 - app.now());
}

/// A statement of January with 100 yuan of sales, made in February.
pub async fn made(app: &TestApp, channel_id: i64) -> Value {
    go_to(app, "2026-01-20");
    item(app, channel_id, "sold", 10_000, "2026-01-20").await;
    go_to(app, "2026-02-02");
    app.sign_in("admin").await.post("/partner/statement", json!({"channelId": channel_id, "month": "2026-01"})).await.ok()
}

/// The page of a link.
pub async fn page(app: &TestApp, path: &str) -> (u16, String) {
    let answer = app.stranger().ask(Method::GET, path, Vec::new()).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    (answer.status.as_u16(), String::from_utf8_lossy(&answer.body).into_owned())
}

/// A confirmed statement of January.
pub async fn confirmed(app: &TestApp, channel_id: i64) -> Value {
    let row = made(app, channel_id).await;
    confirm(app, &row).await;
    app.sign_in("admin").await.get(&format!("/partner/statement/{}", row["id"])).await.ok()
}

/// An approved payout.
pub async fn approved(app: &TestApp, statement: &Value, changes: Value) -> Value {
    let row = app.sign_in("operator").await.post("/partner/payout", payout_form(app, statement, changes).await).await.ok();
    app.sign_in("admin").await.put("/partner/payout/audit", approval(&row)).await.ok()
}

/// The payment of a payout by a number of the bank.
pub fn payment(app: &TestApp, row: &Value, number: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "bankNumber": number, "paidAt": app.now(), "proofFileIds": []})
}
