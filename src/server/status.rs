//! What machines ask: alive, ready, how much.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;

use crate::pages::{self, Site};

/// `/healthz`, `/readyz` and `/metrics`.
pub fn router(site: Arc<Site>) -> Router {
    Router::new().route("/healthz", get(|| async { "ok" })).route("/readyz", get(ready)).route("/metrics", get(metrics)).with_state(site)
}

/// Ready when the database answers and an isolate renders.
async fn ready(State(site): State<Arc<Site>>) -> (StatusCode, &'static str) {
    if site.app.db.ping().await.is_err() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer");
    }
    match pages::probe(&site).await {
        Ok(()) => (StatusCode::OK, "ready"),
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "no isolate renders"),
    }
}

/// Prometheus text.
async fn metrics(State(site): State<Arc<Site>>) -> String {
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
    metric("visits_waiting", "gauge", "Callers whose visits wait to be written.", site.app.visits.backlog() as f64);
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
