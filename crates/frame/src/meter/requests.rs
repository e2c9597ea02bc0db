//! Requests by kind: how many, their times and results; and the last notable ones.

use std::array;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use counts::histogram::{Counts, Histogram};

/// The kind of a request. Probes (`/healthz` and its like) are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum RequestKind {
    Page,
    Api,
    Asset,
}

impl RequestKind {
    /// All kinds, in the order of [`RequestCounts`].
    pub const ALL: [RequestKind; 3] = [RequestKind::Page, RequestKind::Api, RequestKind::Asset];

    /// The kind of a path, or none for probes.
    pub fn of(path: &str) -> Option<RequestKind> {
        match path {
            "/healthz" | "/readyz" | "/metrics" => None,
            _ if path.starts_with("/api/") || path.starts_with("/role-data/") => Some(RequestKind::Api),
            _ if path.starts_with("/assets/") => Some(RequestKind::Asset),
            _ => Some(RequestKind::Page),
        }
    }
}

/// Codes that are counted separately: those of the envelope, and statuses of 400 and above; the last stands for all
/// others.
pub const CODES: [u16; 28] = [
    400, 403, 404, 405, 413, 500, 503, 1001, 1002, 1003, 1004, 1005, 1006, 2000, 3001, 3002, 3003, 3004, 3005, 3006, 4000, 4004, 4013,
    4029, 5000, 5001, 5003, 0,
];

/// Whether a code means a fault of this program.
pub fn is_fault(code: u16) -> bool {
    matches!(code, 500 | 503 | 5000 | 5001 | 5003)
}

/// A request that takes this long is notable.
const SLOW: Duration = Duration::from_secs(1);
/// Notable requests that are kept.
const KEPT: usize = 50;
/// Longest path that is kept, in bytes.
const PATH: usize = 200;

/// The live counters.
#[derive(Default)]
pub struct Requests {
    kinds: [OfKind; 3],
    codes: [AtomicU64; CODES.len()],
    notable: Mutex<VecDeque<Notable>>,
}

#[derive(Default)]
struct OfKind {
    times: Histogram,
    in_flight: AtomicI64,
}

/// The counts up to a moment, or between two.
#[derive(Clone, Debug, Default)]
pub struct RequestCounts {
    /// Times by [`RequestKind`].
    pub times: [Counts; 3],
    /// Refusals and failures by [`CODES`].
    pub codes: [u64; CODES.len()],
}

/// A notable request: it failed by a fault of this program, or was slow.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Notable {
    /// Epoch milliseconds of its answer.
    pub at: i64,
    pub kind: RequestKind,
    pub method: String,
    /// Without the query, and with the pattern of the route in place of keys.
    pub path: String,
    /// An envelope's code or an HTTP status; 0 for one that was only slow.
    pub code: u16,
    /// Milliseconds until its answer began.
    pub took: f64,
    pub request_id: String,
}

/// A request under way; it counts as such until this is dropped.
pub struct Flight<'m> {
    requests: &'m Requests,
    kind: RequestKind,
    began: Instant,
}

/// An extension of an answer that waited for an event, such as that of a long poll: its time does not measure this
/// program, so it is not counted and not slow.
#[derive(Clone, Copy, Debug)]
pub struct Waited;

/// The answer to a request.
pub struct Answered<'a> {
    /// Epoch milliseconds.
    pub at: i64,
    pub method: &'a str,
    /// In the form that may be shown: without keys.
    pub path: &'a str,
    /// 0 for a success.
    pub code: u16,
    /// See [`Waited`].
    pub waited: bool,
    pub request_id: &'a str,
}

impl Requests {
    /// A request has come.
    pub fn begin(&self, kind: RequestKind) -> Flight<'_> {
        self.kinds[kind as usize].in_flight.fetch_add(1, Relaxed);
        Flight { requests: self, kind, began: Instant::now() }
    }

    /// Requests of a kind that are under way.
    pub fn in_flight(&self, kind: RequestKind) -> i64 {
        self.kinds[kind as usize].in_flight.load(Relaxed)
    }

    /// Everything counted so far.
    pub fn counts(&self) -> RequestCounts {
        RequestCounts {
            times: array::from_fn(|kind| self.kinds[kind].times.counts()),
            codes: array::from_fn(|code| self.codes[code].load(Relaxed)),
        }
    }

    /// The last notable requests, newest first.
    pub fn notable(&self) -> Vec<Notable> {
        self.notable.lock().unwrap_or_else(PoisonError::into_inner).iter().rev().cloned().collect()
    }

    fn keep(&self, notable: Notable) {
        let mut kept = self.notable.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(notable);
    }
}

impl Flight<'_> {
    /// The request has been answered.
    pub fn answered(self, answer: &Answered<'_>) {
        let took = self.began.elapsed();
        if !answer.waited {
            self.requests.kinds[self.kind as usize].times.record(took);
        }
        if answer.code != 0 {
            let place = CODES.iter().position(|code| *code == answer.code).unwrap_or(CODES.len() - 1);
            self.requests.codes[place].fetch_add(1, Relaxed);
        }
        if is_fault(answer.code) || (took >= SLOW && !answer.waited) {
            self.requests.keep(Notable {
                at: answer.at,
                kind: self.kind,
                method: answer.method.to_owned(),
                path: answer.path[..answer.path.floor_char_boundary(PATH)].to_owned(),
                code: answer.code,
                took: took.as_secs_f64() * 1000.0,
                request_id: answer.request_id.to_owned(),
            });
        }
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.requests.kinds[self.kind as usize].in_flight.fetch_sub(1, Relaxed);
    }
}

impl RequestCounts {
    /// What was counted after `earlier`.
    pub fn since(&self, earlier: &RequestCounts) -> RequestCounts {
        RequestCounts {
            times: array::from_fn(|kind| self.times[kind].since(&earlier.times[kind])),
            codes: array::from_fn(|code| self.codes[code].saturating_sub(earlier.codes[code])),
        }
    }

    /// Failures by a fault of this program.
    pub fn faults(&self) -> u64 {
        CODES.iter().zip(self.codes).filter(|(code, _)| is_fault(**code)).map(|(_, count)| count).sum()
    }

    /// Requests of all kinds.
    pub fn total(&self) -> u64 {
        self.times.iter().map(Counts::total).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(code: u16) -> Answered<'static> {
        Answered { at: 1, method: "GET", path: "/x", code, waited: false, request_id: "r" }
    }

    #[test]
    fn paths_have_their_kinds() {
        let kinds = ["/healthz", "/api/x", "/assets/a.js", "/", "/api", "/apiary"].map(RequestKind::of);
        let page = Some(RequestKind::Page);
        assert_eq!(kinds, [None, Some(RequestKind::Api), Some(RequestKind::Asset), page, page, page]);
    }

    #[test]
    fn work_under_way_ends_even_if_its_caller_is_gone() {
        let requests = Requests::default();
        let (first, second) = (requests.begin(RequestKind::Page), requests.begin(RequestKind::Page));
        assert_eq!(requests.in_flight(RequestKind::Page), 2);
        first.answered(&answered(0));
        drop(second);
        assert_eq!(requests.in_flight(RequestKind::Page), 0);
        assert_eq!(requests.counts().total(), 1, "one that was given up has no time");
    }

    #[test]
    fn an_answer_that_waited_is_not_slow() {
        let requests = Requests::default();
        for (waited, code) in [(true, 0), (false, 0), (true, 5000)] {
            let mut late = requests.begin(RequestKind::Page);
            late.began -= SLOW;
            late.answered(&Answered { waited, ..answered(code) });
        }
        let kept: Vec<u16> = requests.notable().iter().map(|kept| kept.code).collect();
        assert_eq!((kept, requests.counts().total()), (vec![5000, 0], 1));
    }

    #[test]
    fn failures_are_counted_by_code_and_our_own_are_kept() {
        let requests = Requests::default();
        let before = requests.counts();
        for code in [0, 1001, 5000, 777] {
            requests.begin(RequestKind::Api).answered(&answered(code));
        }
        let counts = requests.counts().since(&before);
        let of = |code| counts.codes[CODES.iter().position(|known| *known == code).unwrap()];
        assert_eq!((of(1001), of(5000), of(0), counts.faults(), counts.total()), (1, 1, 1, 1, 4));
        assert_eq!(requests.notable().iter().map(|kept| kept.code).collect::<Vec<_>>(), [5000]);
        (0..200).for_each(|_| requests.begin(RequestKind::Api).answered(&answered(5000)));
        assert_eq!(requests.notable().len(), KEPT);
    }
}
