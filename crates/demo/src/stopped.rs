//! The demo's applicants who may not be sold any more: one marked invalid, and two whose consent was withdrawn, by
//! staff and by a channel; and the pushes whose applicants have to agree, or have agreed, on the organisation's page.

use super::people::Account;
use super::random::Random;
use super::{actor, users};
use base::clock::{DAY, HOUR, MINUTE};
use base::crypto::place;
use frame::access::audit::{self, Action, Change};
use frame::api::{ApiError, App};
use lead::applicant::consent;
use lead::distribution;
use trade::channel::Supplier;
use trade::handoff::Claimed;
use trade::handoff::Handoff;
use trade::user::changes::mark_invalid;
use trade::user::rounds;
use trade::user::{InvalidReason, TARGET, UserStatus, WithdrawnVia, intake};

/// The most applicants that are brought: some are known already, or blocked.
const MOST: i64 = 12;
/// Their numbers begin here, beyond those of other applicants.
const FIRST: i64 = 9_600;

/// Adds them, as far as there are such applicants.
pub async fn insert(app: &App, accounts: &[Account], now: i64) -> Result<(), ApiError> {
    let by = accounts.iter().find(|account| account.role == "operator").expect("the demo has every role");
    let author = actor(by.id, by.role_id, now);
    let change = |field: &str, after: &str| Change { field: field.to_owned(), before: None, after: Some(after.to_owned()) };
    let unsold = bring_unsold(app, now).await?;
    let sold: Option<i64> = sqlx::query_scalar(
        "SELECT h.user_id FROM push_record h JOIN applicant u ON u.id = h.user_id WHERE h.status = 'accepted' AND h.test = 0 AND u.test = 0 \
         AND EXISTS (SELECT 1 FROM consent_record k WHERE k.user_id = u.id AND k.revoked_at IS NULL) ORDER BY h.created_at, h.id LIMIT 1",
    )
    .fetch_optional(app.db.read())
    .await?;
    if let Some(id) = unsold.first() {
        let mut tx = app.db.begin().await?;
        rounds::hold(&mut tx, *id).await?;
        let note = "拨打三次均为空号";
        mark_invalid(&mut tx, (*id, UserStatus::Unmatched), (InvalidReason::WrongNumber, note), by.id, now).await?;
        let changes = [change("status", "invalid"), change("invalidReason", "wrong_number"), change("invalidNote", note)];
        audit::record(&mut tx, &author, TARGET.of(*id), Action::Update, &changes).await?;
        tx.commit().await?;
    }
    for (id, via) in [(unsold.get(1).copied(), WithdrawnVia::Channel), (sold, WithdrawnVia::Staff)] {
        let Some(id) = id else { continue };
        let mut tx = app.db.begin().await?;
        consent::withdraw(&mut tx, id, via, now).await?;
        if via == WithdrawnVia::Staff {
            audit::record(&mut tx, &author, TARGET.of(id), Action::Update, &[change("consentNote", "来电要求撤回授权")]).await?;
        }
        tx.commit().await?;
        consent::cancel_waiting(app, id).await?;
    }
    authorisations(app, now).await
}

/// Adds two applicants that no plan takes: their consent names only an organisation that buys nothing now.
async fn bring_unsold(app: &App, now: i64) -> Result<Vec<i64>, ApiError> {
    let mut random = Random::new(FIRST as u64);
    let channels: Vec<Supplier> = users::suppliers(app).await?.into_iter().filter(|one| !one.test && one.filters.is_none()).collect();
    let idle: Option<String> = sqlx::query_scalar(
        "SELECT o.code FROM organisation o WHERE o.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM plan p WHERE p.org_id = o.id AND p.status = 'running') \
         ORDER BY o.id LIMIT 1",
    )
    .fetch_optional(app.db.read())
    .await?;
    let mut brought = Vec::new();
    let (Some(idle), false) = (idle, channels.is_empty()) else { return Ok(brought) };
    for number in FIRST..FIRST + MOST {
        let at = now - 2 * HOUR + (number - FIRST) * MINUTE;
        app.clock.advance(at - app.clock.now());
        let channel = random.pick(&channels);
        let submission = users::only_for(&idle, number, channel, at, &mut random);
        let taken = intake::take(app, submission).await?;
        let Some(until) = taken.claimed else { continue };
        app.service::<Handoff>().applicant(channel.id, Claimed { user_id: taken.id, until, fresh: true });
        distribution::settle_handed(app).await?;
        brought.push(taken.id);
        if brought.len() == 2 {
            break;
        }
    }
    app.clock.advance(now - app.clock.now());
    Ok(brought)
}

/// One of the pushes that wait for delivery waits for its applicant, for as long as the demo is probably used; and
/// some that arrived have waited.
async fn authorisations(app: &App, now: i64) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let waiting: Option<(i64, String)> = sqlx::query_as(
        "SELECT h.id, h.no FROM push_record h JOIN outbox_item x ON x.kind = 'delivery' AND x.ref_id = h.id AND x.state = 'waiting' \
           AND x.unanswered = 0 WHERE h.status IN ('queued', 'retrying') AND h.attempts = 0 ORDER BY h.id DESC LIMIT 1",
    )
    .fetch_optional(&mut *tx)
    .await?;
    if let Some((id, no)) = waiting {
        let until = now + 7 * DAY;
        let url = app.keys.seal(&place::PUSH_AUTH_URL.of(no), "https://loans.example.com/agree?t=demo");
        sqlx::query("UPDATE push_record SET auth_status = 'waiting', auth_until = $1, auth_url_enc = $2 WHERE id = $3")
            .bind(until)
            .bind(url)
            .bind(id)
            .execute(&mut *tx)
            .await?;
        sqlx::query("UPDATE outbox_item SET due_at = $1, expires_at = $2 WHERE kind = 'delivery' AND ref_id = $3")
            .bind(until)
            .bind(until + DAY)
            .bind(id)
            .execute(&mut *tx)
            .await?;
    }
    sqlx::query(
        "UPDATE push_record SET auth_status = 'authorised', auth_until = created_at + $1 WHERE id IN (SELECT h.id FROM push_record h \
         JOIN plan p ON p.id = h.plan_id WHERE h.status = 'accepted' AND p.deliver_mode = 'api' AND p.match_required = 1 ORDER BY h.id DESC LIMIT 3)",
    )
    .bind(30 * MINUTE)
    .execute(&mut *tx)
    .await?;
    Ok(tx.commit().await?)
}
