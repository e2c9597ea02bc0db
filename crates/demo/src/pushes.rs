//! The demo's pushes: leads of the last weeks that its plans bought, each paid by a ledger entry and counted under
//! the caps of its plan.

use sqlx::Row;

use super::applicants::{self, Past};
use super::random::Random;
use base::clock::{self, DAY, HOUR, MINUTE};
use base::crypto::Keys;
use base::db::Connection;
use base::{crypto, db};
use frame::places;
use frame::terms::cap::{self, Subject, Taking};
use trade::ledger::{self, Entry, EntryKind, Posting};
use trade::plan::SaleMode;
use trade::plan::push::delivery;
use trade::plan::push::delivery::NewPush;
use trade::plan::push::model::{AttemptOutcome, PushAttempt, PushStatus};
use trade::visit::lead;

/// Numbers of their applicants begin here, beyond those of others.
const FIRST: i64 = 20_000;
const REJECTS: &[(&str, &str)] = &[("AGE", "年龄不符"), ("CITY", "城市不在投放范围"), ("SCORE", "评分不足")];

/// A plan that buys.
pub(super) struct Buying {
    pub(super) id: i64,
    pub(super) org_id: i64,
    sub_org_id: Option<i64>,
    pub(super) product_id: Option<i64>,
    pub(super) sale_mode: SaleMode,
    pub(super) price_cents: i64,
    by_api: bool,
    begun: i64,
}

/// Adds pushes of the plans that run or ran lately, in the order of time.
pub async fn insert(tx: &mut Connection, keys: &Keys, random: &mut Random, now: i64) -> Result<(), sqlx::Error> {
    let channels: Vec<i64> =
        sqlx::query_scalar("SELECT id FROM channel WHERE mode = 'live' AND status = 'enabled' ORDER BY id").fetch_all(&mut *tx).await?;
    if channels.is_empty() {
        return Ok(());
    }
    let plans = buying(tx).await?;
    let mut moments: Vec<(i64, usize)> = Vec::new();
    for (index, plan) in plans.iter().enumerate() {
        for _ in 0..random.between(12, 40) {
            let day = clock::start(clock::day(now - random.below(45) * DAY));
            let at = day + 9 * HOUR + random.below(11 * HOUR);
            if at > plan.begun && at < now {
                moments.push((at, index));
            }
        }
    }
    // Some of this very hour, so that caps are seen to fill.
    moments
        .extend((0..plans.len()).flat_map(|index| (0..(index as i64 * 7) % 9).map(move |number| (now - (1 + number * 5) * MINUTE, index))));
    moments.sort_unstable();
    for (number, (at, index)) in moments.into_iter().enumerate() {
        let status = status(&plans[index], at, random, now);
        let of = (FIRST + number as i64, *random.pick(&channels));
        sell(tx, keys, &plans[index], of, status, at, random).await?;
    }
    Ok(())
}

pub(super) async fn buying(tx: &mut Connection) -> Result<Vec<Buying>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT id, org_id, sub_org_id, product_id, sale_mode, price_cents, deliver_mode, created_at FROM plan \
         WHERE status = 'running' ORDER BY id",
    )
    .fetch_all(tx)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Buying {
                id: row.try_get("id")?,
                org_id: row.try_get("org_id")?,
                sub_org_id: row.try_get("sub_org_id")?,
                product_id: row.try_get("product_id")?,
                sale_mode: db::code(row, "sale_mode")?,
                price_cents: row.try_get("price_cents")?,
                by_api: row.try_get::<&str, _>("deliver_mode")? == "api",
                begun: row.try_get::<i64, _>("created_at")? + 2 * DAY,
            })
        })
        .collect()
}

/// How a sale ends.
fn status(plan: &Buying, at: i64, random: &mut Random, now: i64) -> PushStatus {
    match random.below(100) {
        0..78 => PushStatus::Accepted,
        78..85 => PushStatus::Rejected,
        85..90 => PushStatus::Duplicate,
        90..94 if plan.by_api => PushStatus::Failed,
        94..96 if plan.by_api && at > now - HOUR => PushStatus::Retrying,
        _ => PushStatus::Accepted,
    }
}

/// Sells an applicant, by number and channel, to a plan, if its caps and the balance of its organisation allow it.
/// Returns the push and its applicant.
pub(super) async fn sell(
    tx: &mut Connection,
    keys: &Keys,
    plan: &Buying,
    of: (i64, i64),
    status: PushStatus,
    at: i64,
    random: &mut Random,
) -> Result<Option<(i64, Past)>, sqlx::Error> {
    let no = format!("PS{}-{}", clock::day_compact(at), crypto::random_text(8).to_uppercase());
    let mut caps = Vec::new();
    if status == PushStatus::Accepted {
        caps = cap::counters::of(&mut *tx, Subject { kind: "plan", id: plan.id }).await?;
        if cap::counters::take(&mut *tx, &caps, 1, plan.price_cents, at).await? != Taking::Taken {
            return Ok(None);
        }
    }
    let reject = match status {
        PushStatus::Rejected => Some(*random.pick(REJECTS)),
        PushStatus::Duplicate => Some(("EXISTS", "客户已存在")),
        _ => None,
    };
    let past = applicants::enter(&mut *tx, keys, of, status == PushStatus::Accepted, random, at).await?;
    past.matched(&mut *tx, plan, random, at).await?;
    let upstream = (plan.by_api && status == PushStatus::Accepted).then(|| crypto::random_text(12));
    let push = NewPush {
        no: &no,
        name_mask: &past.name_mask,
        phone_mask: &past.phone_mask,
        city: past.city,
        plan_id: plan.id,
        org_id: plan.org_id,
        sub_org_id: plan.sub_org_id,
        channel_id: past.channel_id,
        product_id: plan.product_id,
        sale_mode: plan.sale_mode,
        price_cents: plan.price_cents,
        status,
        upstream_no: upstream.as_deref(),
        reject,
        next_retry_at: (status == PushStatus::Retrying).then_some(at + HOUR + 5 * MINUTE),
        at,
    };
    let id = delivery::insert(&mut *tx, &push, &tries(plan, &push, random)).await?;
    sqlx::query("UPDATE push_record SET user_id = $1, phone_hash = $2 WHERE id = $3")
        .bind(past.id)
        .bind(&past.phone_hash)
        .bind(id)
        .execute(&mut *tx)
        .await?;
    lead::pushed(&mut *tx, id, at).await?;
    if let Some(why) = status.not_taken() {
        lead::not_taken(&mut *tx, id, why).await?;
    }
    cap::counters::keep(&mut *tx, id, &caps, 1, plan.price_cents, at).await?;
    if status == PushStatus::Accepted {
        let entry = Entry {
            org_id: plan.org_id,
            kind: EntryKind::LeadSale,
            amount_cents: -plan.price_cents,
            gift_cents: 0,
            reference: ("push_record", id),
            idem_key: &format!("push-{id}-sold"),
            operator_id: None,
            remark: &no,
            at,
        };
        if let Posting::Short { .. } = ledger::post(&mut *tx, &entry).await? {
            sqlx::query("UPDATE push_record SET status = 'cancelled', sold_at = NULL WHERE id = $1").bind(id).execute(&mut *tx).await?;
            sqlx::query("UPDATE applicant SET status = 'unmatched' WHERE id = $1").bind(past.id).execute(&mut *tx).await?;
            cap::counters::give_back(tx, id).await?;
            return Ok(None);
        }
        lead::sold(tx, id, 0, at).await?;
    }
    Ok(Some((id, past)))
}

/// The tries of a push that went over the wire.
fn tries(plan: &Buying, push: &NewPush<'_>, random: &mut Random) -> Vec<PushAttempt> {
    if !plan.by_api {
        return Vec::new();
    }
    let count = match push.status {
        PushStatus::Failed => 4,
        PushStatus::Retrying => 2,
        _ => 1,
    };
    (1..=count)
        .map(|seq| {
            let answered = !matches!(push.status, PushStatus::Failed | PushStatus::Retrying);
            let body = match (push.status, push.reject) {
                (PushStatus::Accepted, _) => format!(r#"{{"code":"0000","orderNo":"{}"}}"#, push.upstream_no.unwrap_or_default()),
                (_, Some((code, reason))) => format!(r#"{{"code":"{code}","msg":"{reason}"}}"#),
                _ => String::new(),
            };
            PushAttempt {
                seq,
                url: "https://api.example.com/lead/apply".to_owned(),
                request: format!(
                    r#"{{"userName":"{}","mobile":"{}","cityName":"{}"}}"#,
                    push.name_mask,
                    push.phone_mask,
                    places::sent_name(push.city)
                ),
                http_status: answered.then_some(200),
                response: answered.then_some(body),
                cost_ms: if answered { random.between(80, 900) } else { 10_000 },
                error: (!answered).then(|| "unreachable".to_owned()),
                outcome: Some(if answered { AttemptOutcome::Answered } else { AttemptOutcome::NotDelivered }),
                at: push.at + (seq - 1) * 5 * MINUTE,
            }
        })
        .collect()
}
