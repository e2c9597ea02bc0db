//! `GET /server/status`: the counters of this process, for people.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::health;
use super::model::{
    CodeCount, DatabaseStatus, Health, IsolateStatus, IsolatesStatus, KindStatus, MatchingStatus, MemoryStatus, OutboxStatus,
    RequestsStatus, ServerStatus, StatusHistory,
};
use base::outbox;
use frame::api::open_work::Unusual;
use frame::api::{ApiError, Ctx, Nothing, Result, say};
use frame::meter::{self, CODES, Meter, RequestKind, Sample, Window, machine};
use frame::sms;
use trade::user;

const MINUTE: Duration = Duration::from_secs(60);
/// The span of "lately".
const RECENT: Duration = Duration::from_secs(5 * 60);
/// A database that needs longer for a ping counts as unavailable.
const PING: Duration = Duration::from_secs(2);

/// The state of this process, for platform staff. A database that does not answer is part of the result, not a
/// failure of the call.
pub async fn status(cx: Arc<Ctx>, _: Nothing) -> Result<ServerStatus> {
    if cx.viewer()?.org_id.is_some() {
        return Err(ApiError::Forbidden);
    }
    let meter = &cx.app.meter;
    let recent = meter.recent(RECENT);
    let requests = requests(meter, &recent);
    let isolates = isolates(meter, &recent);
    let database = database(&cx).await;
    let memory = memory();
    let matching = matching(&cx).await;
    let outbox = outbox(&cx).await;
    let levels = [requests.level, isolates.level, database.level, memory.level, matching.level, outbox.level];
    Ok(ServerStatus {
        node: machine::name().to_owned(),
        version: env!("CARGO_PKG_VERSION"),
        engine: meter.renders().engine,
        cores: machine::cores(),
        at: cx.now,
        uptime_ms: milliseconds(meter.uptime()),
        level: levels.into_iter().max().unwrap_or(Health::Good),
        requests,
        isolates,
        database,
        memory,
        matching,
        outbox,
        history: history(&meter.samples()),
    })
}

/// The parts of the monitor that need attention and the destinations that are not called at present, for those who may see
/// the monitor. The database is left out: if it did not answer, the workplace would not either.
pub async fn unusual(cx: &Ctx) -> Result<Vec<Unusual>> {
    const HREF: &str = "/dashboard/monitor";
    let viewer = cx.viewer()?;
    if viewer.org_id.is_some() || !viewer.has("dashboard/monitor/list") {
        return Ok(Vec::new());
    }
    let meter = &cx.app.meter;
    let recent = meter.recent(RECENT);
    let outbox = outbox(cx).await;
    let levels = [requests(meter, &recent).level, isolates(meter, &recent).level, memory().level, matching(cx).await.level, outbox.level];
    let watched = levels.iter().filter(|level| **level > Health::Good).count() as i64;
    Ok([
        (watched, say("监控中需要关注的项目", "Parts of the monitor that need attention")),
        (outbox.open_breakers as i64, say("因连续失败暂停调用的接口", "Partner servers paused after failures")),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, title)| Unusual { title: title.get(cx.locale).to_owned(), count, href: HREF.to_owned() })
    .collect())
}

fn requests(meter: &Meter, recent: &Window) -> RequestsStatus {
    let (all, minute) = (meter.requests.counts(), meter.recent(MINUTE));
    let kind = |kind: RequestKind| {
        let times = &recent.requests.times[kind as usize];
        KindStatus {
            kind,
            total: all.times[kind as usize].total(),
            per_second: tenths(minute.requests.times[kind as usize].total() as f64 / minute.seconds.max(1.0)),
            in_flight: meter.requests.in_flight(kind),
            p50: times.quantile(0.5),
            p95: times.quantile(0.95),
            p99: times.quantile(0.99),
        }
    };
    let codes = CODES.iter().zip(all.codes).zip(recent.requests.codes).filter(|((_, total), _)| *total > 0);
    let mut status = RequestsStatus {
        level: Health::Good,
        kinds: RequestKind::ALL.into_iter().map(kind).collect(),
        faults: recent.requests.faults(),
        codes: codes.map(|((code, total), recent)| CodeCount { code: *code, total, lately: recent }).collect(),
        notable: meter.requests.notable(),
    };
    status.level = health::requests(&status, recent.requests.total());
    status
}

fn isolates(meter: &Meter, recent: &Window) -> IsolatesStatus {
    let stats = meter.renders();
    let isolate = |isolate: &counts::render_stats::IsolateStats| IsolateStatus {
        renders: isolate.renders,
        heap_used: isolate.heap_used,
        heap_total: isolate.heap_total,
    };
    let mut status = IsolatesStatus {
        level: Health::Good,
        list: stats.isolates.iter().map(isolate).collect(),
        renders: stats.renders,
        p50: stats.times.quantile(0.5),
        p99: stats.times.quantile(0.99),
        replacements: stats.replacements,
        recycles: stats.recycles,
        queued: stats.queued,
        queue_limit: stats.queue_limit,
        failures_lately: recent.render_failures,
        queue_full: stats.failures.queue_full,
        timeouts: stats.failures.timeout,
        out_of_memory: stats.failures.out_of_memory,
        threw: stats.failures.threw,
    };
    status.level = health::isolates(&status);
    status
}

async fn database(cx: &Ctx) -> DatabaseStatus {
    let db = cx.db();
    let asked = Instant::now();
    let ping = match tokio::time::timeout(PING, db.ping()).await {
        Ok(Ok(())) => Some(asked.elapsed().as_secs_f64() * 1000.0),
        _ => None,
    };
    let bytes = match ping {
        Some(_) => db.size().await.inspect_err(|error| tracing::warn!(%error, "the size of the database is unknown")).ok(),
        None => None,
    };
    let (connections, times) = (db.connections(), db.times());
    let (reads, waits, writes) = (times.reads.counts(), times.waits.counts(), times.writes.counts());
    let mut status = DatabaseStatus {
        level: Health::Good,
        engine: db.engine(),
        bytes,
        ping,
        in_use: connections.in_use,
        idle: connections.idle,
        most: connections.most,
        read_p50: reads.quantile(0.5),
        read_p99: reads.quantile(0.99),
        slow_reads: times.slow_reads(),
        wait_p99: waits.quantile(0.99),
        write_p50: writes.quantile(0.5),
        write_p99: writes.quantile(0.99),
    };
    status.level = health::database(&status);
    status
}

fn memory() -> MemoryStatus {
    let mut status = MemoryStatus {
        level: Health::Good,
        resident: machine::resident(),
        limit: machine::memory_limit(),
        cpu_ms: milliseconds(machine::cpu_time()),
    };
    status.level = health::memory(&status);
    status
}

async fn matching(cx: &Ctx) -> MatchingStatus {
    // Without a database there is no figure; the database's part shows it.
    let backlog = user::rounds::backlog(cx.db().read(), cx.now).await.unwrap_or_default();
    let oldest_ms = backlog.oldest_at.map_or(0, |at| (cx.now - at).max(0));
    let mut status = MatchingStatus { level: Health::Good, due: backlog.due, oldest_ms, failing: backlog.failing };
    status.level = health::matching(&status);
    status
}

async fn outbox(cx: &Ctx) -> OutboxStatus {
    // Without a database nothing is known of it; the database's part shows it.
    let backlog = outbox::queue::backlog(cx.db(), cx.now).await.unwrap_or_default();
    let oldest_ms = backlog.oldest_at.map_or(0, |at| (cx.now - at).max(0));
    let mut status = OutboxStatus {
        level: Health::Good,
        waiting: backlog.waiting,
        due: backlog.due,
        oldest_ms,
        unconfirmed: backlog.unconfirmed,
        failed: backlog.dead,
        leads_unconfirmed: backlog.leads_unconfirmed,
        callbacks_failed: backlog.callbacks_dead,
        messages_unconfirmed: backlog.messages_unconfirmed,
        messages_failed: backlog.messages_dead,
        open_breakers: cx.app.outbox.breakers.open(cx.now) as u64,
        lost_leases: cx.app.outbox.lost_leases(),
        messages: sms::route(&cx.app).await.ok(),
    };
    status.level = health::outbox(&status);
    status
}

fn history(samples: &[Sample]) -> StatusHistory {
    let seconds = meter::EVERY.as_secs_f64();
    let mut history = StatusHistory { every_ms: milliseconds(meter::EVERY), ..StatusHistory::default() };
    for sample in samples {
        history.at.push(sample.at);
        history.pages_per_second.push(tenths(sample.pages as f64 / seconds));
        history.calls_per_second.push(tenths(sample.calls as f64 / seconds));
        history.faults.push(sample.faults);
        history.page_p95.push(sample.page_p95.map(tenths));
        history.api_p95.push(sample.api_p95.map(tenths));
        history.cpu.push(tenths(sample.cpu * 100.0));
        history.resident.push(megabytes(sample.rss));
        history.heap.push(megabytes(sample.heap));
        history.queued.push(sample.queued);
    }
    history
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// To one decimal, as on the screen; this keeps an hour of samples small.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn megabytes(bytes: u64) -> f64 {
    tenths(bytes as f64 / f64::from(1 << 20))
}
