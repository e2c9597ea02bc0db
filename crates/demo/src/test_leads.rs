//! The demo's test leads: a new organisation tests its delivery with applicants of a test channel. Nothing is billed,
//! and only figures of tests count them.

use sqlx::Row;

use super::people::{Account, of_role};
use super::random::Random;
use super::{actor, plans, users};
use base::clock::{self, DAY, MINUTE};
use frame::access::Scope;
use frame::access::audit::{self, Action, Module, Stamp, Target};
use frame::api::{ApiError, App};
use lead::distribution;
use trade::channel::Supplier;
use trade::handoff::Claimed;
use trade::handoff::Handoff;
use trade::org::{self, OrgStatus};
use trade::plan::DeliverMode;
use trade::plan::market::Market;
use trade::user::intake;

/// Applicants that are brought.
const APPLICANTS: i64 = 6;
/// Their numbers begin here, beyond those of other applicants.
const FIRST: i64 = 9_700;

/// Approves a test organisation, gives it a plan, and sells it applicants of a test channel.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let mut random = Random::new(FIRST as u64);
    let channels = users::suppliers(app).await?;
    let Some(channel) = channels.iter().find(|one| one.test && one.filters.is_none()) else { return Ok(()) };
    let Some(code) = begin(app, accounts, &mut random, now).await? else { return Ok(()) };
    app.service::<Market>().forget().await;
    for number in 0..APPLICANTS {
        bring(app, &code, channel, FIRST + number, now - (APPLICANTS - number) * 20 * MINUTE, &mut random).await?;
    }
    app.clock.advance(now - app.clock.now());
    Ok(())
}

/// Approves a test organisation that waits, and starts its plan. Returns its code.
async fn begin(app: &App, accounts: &[Account], random: &mut Random, now: i64) -> Result<Option<String>, ApiError> {
    let mut tx = app.db.begin().await?;
    let row = sqlx::query(
        "SELECT id, code, short_name FROM organisation WHERE mode = 'test' AND status = 'pending' AND licence_expire_on > $1 ORDER BY id LIMIT 1",
    )
    .bind(clock::day(now).to_string())
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let (id, code): (i64, String) = (row.try_get("id")?, row.try_get("code")?);
    let (by, at) = (of_role(accounts, "director"), now - 5 * DAY);
    let before = org::store::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    org::store::set_status(&mut tx, id, before.version, OrgStatus::Active, Stamp { admin_id: by.id, at }).await?;
    let after = org::store::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    let target = Target { module: Module::Organisation, kind: "organisation", id: Some(id) };
    audit::record(&mut tx, &actor(by.id, by.role_id, at), target, Action::Update, &audit::changes(Some(&before), Some(&after))).await?;
    let mut form = plans::trial_form(format!("{}联调", row.try_get::<String, _>("short_name")?), id, APPLICANTS * 5);
    form.terms.deliver_mode = DeliverMode::Crm;
    plans::trial(&mut tx, &form, accounts, now - 4 * DAY, random).await?;
    tx.commit().await?;
    Ok(Some(code))
}

async fn bring(app: &App, code: &str, channel: &Supplier, number: i64, at: i64, random: &mut Random) -> Result<(), ApiError> {
    app.clock.advance(at - app.clock.now());
    let taken = intake::take(app, users::only_for(code, number, channel, at, random)).await?;
    if let Some(until) = taken.claimed {
        app.service::<Handoff>().applicant(channel.id, Claimed { user_id: taken.id, until, fresh: true });
        distribution::settle_handed(app).await?;
    }
    Ok(())
}
