//! The demo's questions of channels about anonymous persons, over the same weeks as its applicants. They are invented
//! completely: no organisation is asked, and no applicant follows.

use serde_json::json;
use sqlx::Row;

use super::random::Random;
use base::clock::{DAY, HOUR, MINUTE};
use frame::api::App;
use trade::match_log::{self as records, Direction, MatchStatus, NewMatch};

/// Over so many days they come.
const DAYS: i64 = 30;
/// So many for each applicant whom the demo has.
const EACH: u32 = 4;
/// How long a yes holds.
const BELIEVED: i64 = 30 * MINUTE;
const CITIES: &[&str] = &["310100", "330100", "320100", "110100", "440100", "440300", "510100", "420100"];
const ANSWERS: &[MatchStatus] = &[
    MatchStatus::Matched,
    MatchStatus::Matched,
    MatchStatus::Matched,
    MatchStatus::Exists,
    MatchStatus::NotQualified,
    MatchStatus::NoPlan,
];

/// Asks them.
pub async fn insert(app: &App, applicants: u32, random: &mut Random, now: i64) -> Result<(), sqlx::Error> {
    let rows = sqlx::query("SELECT id FROM channel WHERE status = 'enabled' AND mode = 'live' AND deleted_at IS NULL ORDER BY id LIMIT 8")
        .fetch_all(app.db.read())
        .await?;
    let channels: Vec<i64> = rows.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?;
    if channels.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    for _ in 0..applicants * EACH {
        let (channel_id, status) = (*random.pick(&channels), *random.pick(ANSWERS));
        let (city, age) = (*random.pick(CITIES), random.between(20, 60));
        let at = now - HOUR - random.below(DAYS * DAY);
        let matched = status == MatchStatus::Matched;
        let record = NewMatch {
            no: &records::number(at),
            direction: Direction::Inbound,
            user_id: None,
            phone_mask: "",
            city,
            channel_id,
            plan: None,
            request: &json!({"age": age, "city": city}).to_string(),
            response: None,
            status,
            bid_cents: matched.then(|| random.between(30, 90) * 100),
            passed_over: "{}",
            cost_ms: random.between(1, 9),
            expires_at: matched.then_some(at + BELIEVED),
            test: false,
            at,
        };
        records::add(&mut tx, &record).await?;
        records::count(&mut tx, channel_id, status, false, at).await?;
    }
    tx.commit().await
}
