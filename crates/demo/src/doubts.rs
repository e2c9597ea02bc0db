//! The demo's leads in doubt: it is unknown whether their organisation has them, and people decide on them on the
//! screen of pushes. They come through the same intake as all others and are sold to a plan that delivers by API;
//! only the call itself is left out, since the demo makes no calls.

use sqlx::Row;

use super::people::Account;
use super::random::Random;
use super::{plans, users};
use base::clock::{self, DAY, HOUR, MINUTE};
use base::outbox::{self, Kind};
use frame::api::{ApiError, App};
use lead::distribution;
use trade::channel::Supplier;
use trade::handoff::Claimed;
use trade::handoff::Handoff;
use trade::plan::market::Market;
use trade::user::intake;

/// How many there are, besides one that is not sent yet, and the most applicants brought for them: some are known
/// already, or blocked.
const COUNT: usize = 2;
const MOST: i64 = 12;
/// Their numbers begin here, beyond those of other applicants.
const FIRST: i64 = 9_900;

/// Adds them, if an organisation accepts leads by API and can pay.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let mut random = Random::new(FIRST as u64);
    let channels: Vec<Supplier> = users::suppliers(app).await?.into_iter().filter(|one| !one.test && one.filters.is_none()).collect();
    let (Some(buyer), false) = (buyer(app, now).await?, channels.is_empty()) else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    let name = format!("{}接口试投", buyer.name);
    plans::trial(&mut tx, &plans::trial_form(name, buyer.id, COUNT as i64 + 1), accounts, now - 2 * DAY, &mut random).await?;
    tx.commit().await?;
    app.service::<Market>().forget().await;

    let mut left = COUNT;
    for number in 0..MOST {
        let at = now - 3 * HOUR + number * 11 * MINUTE;
        app.clock.advance(at - app.clock.now());
        let channel = random.pick(&channels);
        let submission = users::only_for(&buyer.code, FIRST + number, channel, at, &mut random);
        let taken = intake::take(app, submission).await?;
        let Some(until) = taken.claimed else { continue };
        app.service::<Handoff>().applicant(channel.id, Claimed { user_id: taken.id, until, fresh: true });
        distribution::settle_handed(app).await?;
        let due = outbox::queue::due_of(app.db.read(), Kind::Delivery, at + MINUTE).await?;
        if left == 0 {
            if due.is_empty() {
                continue;
            }
            break;
        }
        for due in due {
            left -= usize::from(distribution::unheard(app, &due).await?);
        }
    }
    app.clock.advance(now - app.clock.now());
    Ok(())
}

/// An organisation that buys.
struct Buyer {
    id: i64,
    code: String,
    name: String,
}

/// The first one whose leads are sent by API, and which can pay for some.
async fn buyer(app: &App, now: i64) -> Result<Option<Buyer>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT o.id, o.code, o.short_name FROM organisation o JOIN org_api_config c ON c.org_id = o.id AND c.status = 'enabled' \
         JOIN org_account a ON a.org_id = o.id AND a.status = 'normal' AND a.balance_cents - a.frozen_cents > 100000 \
         WHERE o.status = 'active' AND o.deleted_at IS NULL AND o.licence_expire_on >= $1 AND EXISTS \
           (SELECT 1 FROM plan p WHERE p.org_id = o.id AND p.status = 'running' AND p.deliver_mode = 'api') ORDER BY o.id LIMIT 1",
    )
    .bind(clock::day(now).to_string())
    .fetch_optional(app.db.read())
    .await?;
    row.map(|row| Ok(Buyer { id: row.try_get("id")?, code: row.try_get("code")?, name: row.try_get("short_name")? })).transpose()
}
