//! The last hour in samples, and the last minutes in snapshots of all counters.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::requests::{RequestCounts, RequestKind};
use counts::render_stats::RenderStats;

/// Time between two samples.
pub const EVERY: Duration = Duration::from_secs(10);
/// Samples of an hour.
const SAMPLES: usize = 360;
/// Snapshots of five minutes.
const SNAPSHOTS: usize = 31;

/// All counters at a moment.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub at: Instant,
    pub cpu: Duration,
    /// Bytes.
    pub rss: u64,
    pub requests: RequestCounts,
    pub renders: RenderStats,
}

/// One point of the curves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Epoch milliseconds at its end.
    pub at: i64,
    /// Pages answered.
    pub pages: u64,
    /// Calls answered.
    pub calls: u64,
    /// Requests that failed by a fault of this program.
    pub faults: u64,
    /// Milliseconds; none without a page.
    pub page_p95: Option<f64>,
    pub api_p95: Option<f64>,
    /// CPU time of the process, in cores.
    pub cpu: f64,
    /// Bytes of the process in memory.
    pub rss: u64,
    /// Bytes of all isolates' heaps.
    pub heap: u64,
    /// Pages waiting for an isolate.
    pub queued: usize,
}

/// The counts over some time.
pub struct Window {
    pub seconds: f64,
    pub requests: RequestCounts,
    /// Pages that were not rendered.
    pub render_failures: u64,
}

#[derive(Default)]
pub(super) struct History {
    samples: VecDeque<Sample>,
    snapshots: VecDeque<Snapshot>,
}

impl History {
    /// Adds the sample that ends with this snapshot.
    pub fn add(&mut self, now: i64, snapshot: Snapshot) {
        if let Some(before) = self.snapshots.back() {
            let sample = between(now, before, &snapshot);
            push(&mut self.samples, sample, SAMPLES);
        }
        push(&mut self.snapshots, snapshot, SNAPSHOTS);
    }

    pub fn samples(&self) -> Vec<Sample> {
        self.samples.iter().copied().collect()
    }

    /// From the snapshot `span` ago, or the oldest there is, until now.
    pub fn window(&self, started: Instant, now: Snapshot, span: Duration) -> Window {
        let from = self.snapshots.iter().find(|snapshot| now.at.duration_since(snapshot.at) <= span);
        let render_failures = |stats: &RenderStats| stats.failures.total();
        match from {
            Some(from) => Window {
                seconds: now.at.duration_since(from.at).as_secs_f64(),
                requests: now.requests.since(&from.requests),
                render_failures: render_failures(&now.renders).saturating_sub(render_failures(&from.renders)),
            },
            None => Window {
                seconds: now.at.duration_since(started).as_secs_f64(),
                render_failures: render_failures(&now.renders),
                requests: now.requests,
            },
        }
    }
}

fn between(now: i64, before: &Snapshot, after: &Snapshot) -> Sample {
    let requests = after.requests.since(&before.requests);
    let of = |kind: RequestKind| &requests.times[kind as usize];
    let seconds = after.at.duration_since(before.at).as_secs_f64();
    Sample {
        at: now,
        pages: of(RequestKind::Page).total(),
        calls: of(RequestKind::Api).total(),
        faults: requests.faults(),
        page_p95: of(RequestKind::Page).quantile(0.95),
        api_p95: of(RequestKind::Api).quantile(0.95),
        cpu: if seconds > 0.0 { after.cpu.saturating_sub(before.cpu).as_secs_f64() / seconds } else { 0.0 },
        rss: after.rss,
        heap: after.renders.isolates.iter().map(|isolate| isolate.heap_total).sum(),
        queued: after.renders.queued,
    }
}

fn push<T>(ring: &mut VecDeque<T>, item: T, most: usize) {
    if ring.len() == most {
        ring.pop_front();
    }
    ring.push_back(item);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::Requests;
    use crate::meter::requests::Answered;

    fn snapshot(requests: &Requests, at: Instant) -> Snapshot {
        Snapshot { at, cpu: Duration::ZERO, rss: 1, requests: requests.counts(), renders: RenderStats::default() }
    }

    fn ask(requests: &Requests, code: u16, times: usize) {
        for _ in 0..times {
            requests.begin(RequestKind::Page).answered(&Answered { at: 0, method: "GET", path: "/", code, waited: false, request_id: "" });
        }
    }

    #[test]
    fn an_hour_is_kept_and_no_more() {
        let (requests, mut history, start) = (Requests::default(), History::default(), Instant::now());
        for round in 0..2 * SAMPLES {
            ask(&requests, 0, 2);
            history.add(round as i64, snapshot(&requests, start + EVERY * round as u32));
        }
        let samples = history.samples();
        assert_eq!((samples.len(), history.snapshots.len()), (SAMPLES, SNAPSHOTS));
        assert!(samples.iter().all(|sample| sample.pages == 2 && sample.calls == 0 && sample.api_p95.is_none()));
        assert_eq!(samples.last().unwrap().at, 2 * SAMPLES as i64 - 1);
    }

    #[test]
    fn a_window_counts_what_came_since() {
        let (requests, mut history, start) = (Requests::default(), History::default(), Instant::now());
        ask(&requests, 0, 5);
        assert_eq!(history.window(start, snapshot(&requests, start + EVERY), EVERY).requests.total(), 5, "since the start");
        history.add(0, snapshot(&requests, start + EVERY));
        ask(&requests, 500, 3);
        history.add(1, snapshot(&requests, start + 2 * EVERY));
        ask(&requests, 0, 1);
        let now = || snapshot(&requests, start + 3 * EVERY);
        let (short, long) = (history.window(start, now(), EVERY), history.window(start, now(), 30 * EVERY));
        assert_eq!((short.requests.total(), short.requests.faults(), short.seconds), (1, 0, 10.0));
        assert_eq!((long.requests.total(), long.requests.faults(), long.seconds), (4, 3, 20.0));
    }
}
