//! The probes for machines: alive, ready, metrics.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::pages::{self, Site};
use base::db;
use base::outbox;
use trade::user;
use trade::visit::Recorder;

/// How long a successful render counts as proof that an isolate works: frequent probes cost no page.
const BELIEVED: Duration = Duration::from_secs(5);

/// `/healthz`, and unless they have a separate listener, `/readyz` and `/metrics`.
pub fn router(site: Arc<Site>) -> Router {
    match site.app.config.status_listen {
        None => router_of_machines(site),
        Some(_) => alive(),
    }
}

/// `/healthz`, `/readyz` and `/metrics`.
pub fn router_of_machines(site: Arc<Site>) -> Router {
    let asked = Arc::new(Asked { site, rendered: Mutex::new(None) });
    alive().merge(Router::new().route("/readyz", get(ready)).route("/metrics", get(metrics)).with_state(asked))
}

fn alive() -> Router {
    Router::new().route("/healthz", get(|| async { "ok" }))
}

/// The data for the answers.
struct Asked {
    site: Arc<Site>,
    /// When an isolate last rendered a probe.
    rendered: Mutex<Option<Instant>>,
}

/// Ready if the database answers and an isolate renders, or did a moment ago.
async fn ready(State(asked): State<Arc<Asked>>) -> (StatusCode, &'static str) {
    // One probe at a time, however many requests come.
    let mut rendered = asked.rendered.lock().await;
    if asked.site.app.db.ping().await.is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer");
    }
    // Ready all the same: pages can be read, and no other node has more room.
    if asked.site.app.db.can_write().await.is_err_and(|error| db::is_full(&error)) {
        return (StatusCode::OK, "ready, but the disk of the database is full: nothing can be saved");
    }
    if rendered.is_none_or(|at| at.elapsed() >= BELIEVED) {
        *rendered = pages::probe(&asked.site).await.ok().map(|()| Instant::now());
    }
    match *rendered {
        Some(_) => (StatusCode::OK, "ready"),
        None => (StatusCode::SERVICE_UNAVAILABLE, "no isolate renders"),
    }
}

/// Prometheus text.
async fn metrics(State(asked): State<Arc<Asked>>) -> String {
    let site = &asked.site;
    let stats = site.renderer.stats();
    let mut text = String::new();
    let mut metric = |name: &str, kind: &str, help: &str, value: f64| {
        writeln!(text, "# HELP leadlane_{name} {help}\n# TYPE leadlane_{name} {kind}\nleadlane_{name} {value}")
            .expect("writing to a string succeeds");
    };
    metric("renders_total", "counter", "Pages rendered in an isolate.", stats.renders as f64);
    metric("render_cpu_seconds_total", "counter", "CPU time spent in isolates.", stats.cpu.as_secs_f64());
    metric("render_queue_depth", "gauge", "Pages waiting for an isolate.", stats.queued as f64);
    metric("render_replacements_total", "counter", "Isolates replaced after a page spoiled them.", stats.replacements as f64);
    metric("render_recycles_total", "counter", "Isolates renewed because of age or growth.", stats.recycles as f64);
    metric("render_memo_hits_total", "counter", "Pages answered from the memo.", stats.memo_hits as f64);
    let heap: u64 = stats.isolates.iter().map(|isolate| isolate.heap_total).sum();
    metric("isolate_heap_bytes", "gauge", "Heap of all isolates.", heap as f64);
    metric("visits_waiting", "gauge", "Callers whose visits wait to be written.", site.app.service::<Recorder>().backlog() as f64);
    let outbox = &site.app.outbox;
    let now = site.app.clock.now();
    metric("outbox_open_breakers", "gauge", "Destinations left alone because they fail.", outbox.breakers.open(now) as f64);
    metric("outbox_lost_leases_total", "counter", "Leases that ended before an outcome was recorded.", outbox.lost_leases() as f64);
    let correction = site.app.clock.correction() as f64 / 1000.0;
    metric("clock_correction_seconds", "gauge", "What this machine's clock is corrected by to agree with the database's.", correction);
    // If the database does not answer there is no backlog; `/readyz` reports it.
    if let Ok(backlog) = outbox::queue::backlog(&site.app.db, now).await {
        metric("outbox_waiting", "gauge", "Items that wait for a try or are being tried.", backlog.waiting as f64);
        metric("outbox_due", "gauge", "Items that should have been tried by now.", backlog.due as f64);
        let oldest = backlog.oldest_at.map_or(0, |at| now - at) as f64 / 1000.0;
        metric("outbox_oldest_seconds", "gauge", "For how long the oldest of them has been due.", oldest);
        metric("outbox_unconfirmed", "gauge", "Items not known to have arrived.", backlog.unconfirmed as f64);
        metric("outbox_dead", "gauge", "Items with no further attempts.", backlog.dead as f64);
    }
    if let Ok(backlog) = user::rounds::backlog(site.app.db.read(), now).await {
        metric("applicants_due", "gauge", "Applicants for whom plans should have been looked for by now.", backlog.due as f64);
        let oldest = backlog.oldest_at.map_or(0, |at| now - at) as f64 / 1000.0;
        metric("applicants_oldest_seconds", "gauge", "For how long the first of them has been due.", oldest);
        metric("applicants_failing", "gauge", "Applicants whose matching rounds keep failing.", backlog.failing as f64);
    }
    text.push_str("# HELP leadlane_render_failures_total Pages that were not rendered.\n# TYPE leadlane_render_failures_total counter\n");
    let failures = stats.failures;
    for (reason, count) in [
        ("queue-full", failures.queue_full),
        ("timeout", failures.timeout),
        ("out-of-memory", failures.out_of_memory),
        ("threw", failures.threw),
    ] {
        writeln!(text, "leadlane_render_failures_total{{reason=\"{reason}\"}} {count}").expect("writing to a string succeeds");
    }
    text
}
