//! Cost and income of visits of whole days, booked once: the amounts owed to channels for their visitors, and the
//! charges of organisations for visitors of their products. The bookings of a day stay, whatever happens to its
//! figures.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use jiff::civil::Date;
use sqlx::{Any, Executor, Row, query_scalar};
use tokio_util::sync::CancellationToken;

use super::model::SubjectKind;
use super::stat::Stats;
use super::{LOCK, recount, retain};
use crate::ledger::account::SpendOrder;
use crate::ledger::partner_items::{self, Item, PartnerItemKind};
use crate::ledger::{self, Entry, EntryKind};
use base::clock::{self, DAY, MINUTE};
use base::db::{Db, Tx};
use frame::api::App;
use frame::daily_task::{self, DailyTask};
use frame::setting;

/// After this time past midnight all earlier visits are added up.
const DUE: i64 = 10 * MINUTE;
/// How long after a visit a channel may report it.
const LATE: i64 = DAY;
/// After this long without a booked day, a node counts as stopped, and another one continues.
const LEASE: i64 = 10 * MINUTE;
/// The pause after each day, if many were missed.
const PAUSE: Duration = Duration::from_millis(20);

/// Books complete days until the program stops.
pub async fn work_on_charges(app: Arc<App>, stop: CancellationToken) {
    daily_task::nightly(&app, stop.clone(), DUE, || async {
        if let Err(error) = book_days(&app, &stop).await {
            tracing::error!(%error, "visits: the charges of a day were not booked");
        }
    })
    .await;
}

/// Books all complete days that are not booked, unless another node does or today's run is done.
pub async fn book_days(app: &App, stop: &CancellationToken) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    let today = clock::day(now);
    if now < clock::start(today) + DUE {
        return Ok(());
    }
    let Some(mut task) = DailyTask::start(app, "visit charges", LEASE).await? else { return Ok(()) };
    let done = go_through(app, &mut task, clock::day(now - DUE - LATE), stop).await;
    task.leave(app, *done.as_ref().unwrap_or(&false)).await?;
    done.map(drop)
}

/// Books the days before one. Returns whether it came to the end.
async fn go_through(app: &App, task: &mut DailyTask, before: Date, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    while let Some(day) = next(&app.db).await?.filter(|day| *day < before) {
        if stop.is_cancelled() || !task.go_on(app).await? {
            return Ok(false);
        }
        book_day(app, &day.to_string()).await?;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(true)
}

/// The first day that is not booked: the one after the last booked one, or the first with figures. None after the
/// last with figures: a clock that is ahead does not book a day before its visits have come.
async fn next(db: &Db) -> Result<Option<Date>, sqlx::Error> {
    let date = |day: String| day.parse::<Date>().map_err(|error| sqlx::Error::Decode(Box::new(error)));
    let booked: Option<String> = query_scalar("SELECT MAX(day) FROM visit_booking").fetch_one(db.read()).await?;
    if let Some(day) = booked {
        let last: Option<String> = query_scalar("SELECT MAX(day) FROM uv_stat_daily").fetch_one(db.read()).await?;
        let last = last.map(date).transpose()?;
        return Ok(date(day)?.tomorrow().ok().filter(|day| Some(*day) <= last));
    }
    let first: Option<String> = query_scalar("SELECT MIN(day) FROM uv_stat_daily").fetch_one(db.read()).await?;
    first.map(date).transpose()
}

/// Books a day. Each organisation's charge is one transaction, so that its account is locked shortly; the day is
/// marked as booked together with the items of channels, in the last one.
async fn book_day(app: &App, day: &str) -> Result<(), sqlx::Error> {
    let at = app.clock.now();
    let order = app.settings.get(&app.db, &setting::FINANCE_SPEND_ORDER).await?.parse().unwrap_or_default();
    for visits in of_products(app.db.read(), day).await? {
        app.db.transact(|mut tx| async move { charge(&mut tx, visits, day, order, at).await }.boxed()).await?;
    }
    app.db.transact(|mut tx| async move { book_channels(&app.db, &mut tx, day, at).await }.boxed()).await
}

/// Visitors of a day with a cost or an income: of a channel, or of an organisation's products.
#[derive(Clone, Copy, Debug)]
struct Visits {
    id: i64,
    number: i64,
    cents: i64,
}

/// The income from visitors of products on a day, by organisation; empty for days from before charges existed.
async fn of_products<'e>(on: impl Executor<'e, Database = Any>, day: &str) -> Result<Vec<Visits>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT e.org_id AS id, COUNT(*) AS number, CAST(SUM(e.charge_cents) AS BIGINT) AS cents FROM uv_event e \
         WHERE e.day = $1 AND e.subject_type = 'product' AND e.billable = 1 AND e.test = 0 AND e.charge_cents > 0 AND e.org_id <> 0 \
           AND e.day > (SELECT c.day FROM visit_charged_after c WHERE c.id = 1) GROUP BY e.org_id ORDER BY e.org_id",
    )
    .bind(day)
    .fetch_all(on)
    .await?;
    rows.iter().map(|row| Ok(Visits { id: row.try_get("id")?, number: row.try_get("number")?, cents: row.try_get("cents")? })).collect()
}

/// Charges an organisation for a day, once. The amount is owed, since the visits have happened.
async fn charge(tx: &mut Tx, visits: Visits, day: &str, order: SpendOrder, at: i64) -> Result<(), sqlx::Error> {
    let id: Option<i64> = query_scalar(
        "INSERT INTO visit_charge (org_id, day, amount_cents) VALUES ($1, $2, $3) ON CONFLICT (day, org_id) DO NOTHING RETURNING id",
    )
    .bind(visits.id)
    .bind(day)
    .bind(visits.cents)
    .fetch_optional(&mut **tx)
    .await?;
    let Some(id) = id else { return Ok(()) };
    let entry = Entry {
        org_id: visits.id,
        kind: EntryKind::VisitCharge,
        amount_cents: -visits.cents,
        gift_cents: 0,
        reference: ("visit_charge", id),
        idem_key: &format!("visit-org-{}-{day}", visits.id),
        operator_id: None,
        remark: &format!("{day} UV {}", visits.number),
        at,
    };
    ledger::owe(tx, &entry, order).await.map(drop)
}

/// Books the amounts owed to channels for their visitors of a day, and marks the day as booked.
async fn book_channels(db: &Db, tx: &mut Tx, day: &str, at: i64) -> Result<(), sqlx::Error> {
    let begun = sqlx::query(
        "INSERT INTO visit_booking (day, partner_cents, org_cents) SELECT $1, 0, CAST(COALESCE(SUM(v.amount_cents), 0) AS BIGINT) \
         FROM visit_charge v WHERE v.day = $2 ON CONFLICT (day) DO NOTHING",
    )
    .bind(day)
    .bind(day)
    .execute(&mut **tx)
    .await?;
    if begun.rows_affected() == 0 {
        return Ok(());
    }
    let visits = of_channels(db, tx, day).await?;
    let item = |visits: &Visits| Item {
        channel_id: visits.id,
        kind: PartnerItemKind::Visit,
        amount_cents: visits.cents,
        day: day.to_owned(),
        user_id: None,
        plan_id: None,
        org_id: None,
        money_id: None,
        visitors: visits.number,
        statement_id: None,
        idem_key: format!("visit-{}-{day}", visits.id),
    };
    let items: Vec<Item> = visits.iter().map(item).collect();
    let cents = partner_items::book(tx, &items, at).await?;
    sqlx::query("UPDATE visit_booking SET partner_cents = $1 WHERE day = $2").bind(cents).bind(day).execute(&mut **tx).await.map(drop)
}

/// The cost of channels' visitors on a day. For a day whose visits are not kept, the cost in its figures, less that
/// of applicants.
async fn of_channels(db: &Db, tx: &mut Tx, day: &str) -> Result<Vec<Visits>, sqlx::Error> {
    if retain::kept_from(&mut **tx).await?.is_none_or(|kept| day >= kept.as_str()) {
        let rows = sqlx::query(
            "SELECT e.subject_id AS id, COUNT(*) AS number, CAST(SUM(e.charge_cents) AS BIGINT) AS cents FROM uv_event e \
             WHERE e.day = $1 AND e.subject_type = 'channel' AND e.billable = 1 AND e.test = 0 AND e.charge_cents > 0 \
             GROUP BY e.subject_id ORDER BY e.subject_id",
        )
        .bind(day)
        .fetch_all(&mut **tx)
        .await?;
        return rows
            .iter()
            .map(|row| Ok(Visits { id: row.try_get("id")?, number: row.try_get("number")?, cents: row.try_get("cents")? }))
            .collect();
    }
    // Nothing is added up between reading the figures and what they are compared with.
    db.lock(tx, LOCK).await?;
    let (stored, mut leads) = (Stats::of_day(tx, day).await?, Stats::default());
    recount::of_day(tx, day, &mut leads).await?;
    let channels = stored.rows.iter().filter(|(key, _)| key.kind == SubjectKind::Channel && key.system.is_none());
    Ok(channels
        .map(|(key, (_, figures))| {
            let of_leads = leads.rows.get(key).map_or(0, |(_, figures)| figures.cost_cents);
            Visits { id: key.subject_id, number: figures.uv, cents: figures.cost_cents - of_leads }
        })
        .filter(|visits| visits.number > 0 && visits.cents > 0)
        .collect())
}
