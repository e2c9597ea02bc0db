//! The demo's feedback: the outcome of leads in the words of organisations, and of staff; some of it handled.
//! Callbacks to channels are marked as sent; the demo makes no calls.

use sqlx::Row;

use super::actor;
use super::people::Account;
use super::random::Random;
use base::clock::{DAY, HOUR, MINUTE};
use base::db::Connection;
use base::outbox::{self, Kind, State};
use frame::access::Scope;
use frame::access::audit::{self, Action, Change, Module, Stamp, Target};
use frame::api::{ApiError, App};
use lead::feedback::form::Outcome;
use lead::feedback::store::{self, NewFeedback};
use lead::feedback::{CallbackStatus, FeedbackSource, HandleStatus};
use trade::channel;
use trade::plan::push::model::{AttemptOutcome, PushAttempt, PushRow};
use trade::plan::push::rows as pushes;
use trade::user;

/// Reports of organisations: stars, outcome, text.
const OUTCOMES: &[(i64, &str, &str)] = &[
    (0, "no_answer", "连续三天未接"),
    (1, "no_need", "客户表示暂时不需要"),
    (1, "unqualified", "征信查询过多"),
    (2, "considering", "已加微信，考虑中"),
    (3, "submitted", "资料齐全，已进件"),
    (3, "signed", "已签约，待放款"),
    (3, "disbursed", ""),
    (0, "dead_number", "空号"),
    (2, "considering", ""),
    (1, "city_limit", "所在城市暂无网点"),
];
const REPLIES: &[&str] = &["已与渠道核实", "已联系申请人，改日再约", "已转客户经理跟进"];

/// Adds it.
pub async fn insert(app: &App, accounts: &[Account], random: &mut Random, now: i64) -> Result<(), ApiError> {
    let operator = accounts.iter().find(|account| account.role == "operator").expect("the demo has every role");
    let mut calls = 0;
    for push in sold(app).await? {
        let Some(user_id) = push.user_id.filter(|_| random.percent(70)) else { continue };
        let at = push.created_at + HOUR + random.below(20 * HOUR);
        if at >= now {
            continue;
        }
        let (star, code, content) = *random.pick(OUTCOMES);
        let loan_cents = (code == "disbursed").then(|| random.between(2, 30) * 500_000);
        let outcome = Outcome::of(Some(star), Some(code.to_owned()), loan_cents, content);
        let request_id = format!("demo-{}", push.id);
        let by_server = random.percent(80);
        let (source, said_by) = match by_server {
            true => (FeedbackSource::Buyer, None),
            false if random.percent(60) => (FeedbackSource::Staff, Some(operator.id)),
            false => (FeedbackSource::Applicant, Some(operator.id)),
        };
        let mut tx = app.db.begin().await?;
        let user = user::find(&mut *tx, Scope::All, user_id).await?.ok_or(ApiError::Missing)?;
        let callback_address = channel::callback_address(&mut *tx, user.channel_id).await?;
        let new = NewFeedback {
            user_id,
            channel_id: user.channel_id,
            push: Some((push.id, push.org_id, push.sub_org_id)),
            source,
            outcome: &outcome,
            request_id: by_server.then_some(request_id.as_str()),
            to_channel: callback_address.is_some(),
            created_by: said_by,
            at,
        };
        let id = store::insert(&mut tx, &new).await?.ok_or(ApiError::Missing)?;
        user::changes::set_star(&mut tx, user_id, star, at).await?;
        if let Some(callback_address) = callback_address {
            // Every demo has some failed callbacks, even if there are few calls.
            let given_up = random.percent(15) || calls < 3;
            calls += 1;
            add_tries(&mut tx, id, &callback_address.url, given_up, at, random).await?;
        }
        // Old feedback is handled.
        if at < now - 4 * DAY || random.percent(50) {
            handle(&mut tx, id, operator, (at + 2 * HOUR).min(now), random).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// Every third accepted lead, oldest first.
async fn sold(app: &App) -> Result<Vec<PushRow>, ApiError> {
    let ids =
        sqlx::query("SELECT id FROM push_record WHERE status = 'accepted' AND user_id IS NOT NULL AND id % 3 = 0 ORDER BY created_at, id")
            .fetch_all(app.db.read())
            .await?;
    let mut found = Vec::new();
    for row in ids {
        found.extend(pushes::find(app.db.read(), Scope::All, row.try_get("id")?).await?);
    }
    Ok(found)
}

/// The tries of a callback, of which the last has ended it.
async fn add_tries(tx: &mut Connection, id: i64, url: &str, given_up: bool, at: i64, random: &mut Random) -> Result<(), sqlx::Error> {
    let moments: &[i64] = if given_up { &[0, MINUTE, 6 * MINUTE, 36 * MINUTE] } else { &[0] };
    for (index, after) in moments.iter().enumerate() {
        let (moment, last) = (at + after, index + 1 == moments.len());
        let callback_content = store::callback_content(tx, id).await?;
        let attempt = PushAttempt {
            seq: callback_content.attempts,
            url: url.to_owned(),
            request: format!(r#"{{"event":"feedback","no":"{}"}}"#, callback_content.user_no),
            // A refused callback has certainly not been processed; a 502 would leave it in doubt.
            http_status: Some(if given_up { 404 } else { 200 }),
            response: (!given_up).then(|| r#"{"code":0}"#.to_owned()),
            cost_ms: random.between(40, 600),
            error: given_up.then(|| "bad_status".to_owned()),
            outcome: Some(AttemptOutcome::Answered),
            at: moment,
        };
        let status = match (last, given_up) {
            (true, true) => CallbackStatus::Failed,
            (true, false) => CallbackStatus::Sent,
            (false, _) => CallbackStatus::Waiting,
        };
        store::begin_try(tx, id, &attempt).await?;
        store::end_try(tx, id, Some(status), &attempt, moment).await?;
    }
    let state = if given_up { State::Dead } else { State::Done };
    outbox::queue::end(tx, Kind::Callback, id, state, at).await.map(drop)
}

async fn handle(tx: &mut Connection, id: i64, by: &Account, at: i64, random: &mut Random) -> Result<(), sqlx::Error> {
    let status = *random.pick(&[HandleStatus::InProgress, HandleStatus::Done, HandleStatus::Done, HandleStatus::Closed]);
    let reply: &&str = random.pick(REPLIES);
    store::handle(tx, id, 1, status, reply, Stamp { admin_id: by.id, at }).await?;
    let text = |status: HandleStatus| Some(<&str>::from(status).to_owned());
    let change = Change { field: "handleStatus".to_owned(), before: text(HandleStatus::Open), after: text(status) };
    let target = Target { module: Module::Feedback, kind: "feedback", id: Some(id) };
    audit::record(tx, &actor(by.id, by.role_id, at), target, Action::Update, &[change]).await
}
