//! The rules by which figures become warnings. One rule for each part, so that the screens need none.

use super::model::{DatabaseStatus, Health, IsolatesStatus, MatchingStatus, MemoryStatus, OutboxStatus, RequestsStatus};
use base::clock::MINUTE;
use frame::meter::RequestKind;

/// [`Health::Bad`] from one threshold on, [`Health::Watch`] from a lower one.
fn above(value: f64, watch: f64, bad: f64) -> Health {
    match value {
        value if value >= bad => Health::Bad,
        value if value >= watch => Health::Watch,
        _ => Health::Good,
    }
}

/// Slow pages; faults of this program, a few or one in a hundred.
pub fn requests(status: &RequestsStatus, recent: u64) -> Health {
    let page = status.kinds.iter().find(|kind| kind.kind == RequestKind::Page).and_then(|kind| kind.p95).unwrap_or(0.0);
    let failing = match status.faults {
        0 => Health::Good,
        faults if faults >= 5 && faults * 100 >= recent => Health::Bad,
        _ => Health::Watch,
    };
    above(page, 300.0, 1500.0).max(failing)
}

/// A queue that fills; pages that were not rendered.
pub fn isolates(status: &IsolatesStatus) -> Health {
    let waiting = status.queued as f64 / status.queue_limit.max(1) as f64;
    let failing = above(status.failures_lately as f64, 1.0, 20.0);
    above(waiting, 0.25, 0.75).max(failing)
}

/// No answer, slow answers, waiting writers.
pub fn database(status: &DatabaseStatus) -> Health {
    let ping = status.ping.map_or(Health::Bad, |ping| above(ping, 50.0, 500.0));
    let wait = above(status.wait_p99.unwrap_or(0.0), 500.0, 3000.0);
    ping.max(wait)
}

/// Memory that runs out.
pub fn memory(status: &MemoryStatus) -> Health {
    match status.limit {
        0 => Health::Good,
        limit => above(status.resident as f64 / limit as f64, 0.7, 0.9),
    }
}

/// Applicants who wait for a round, and rounds that keep failing.
pub fn matching(status: &MatchingStatus) -> Health {
    let failing = if status.failing > 0 { Health::Watch } else { Health::Good };
    above(status.oldest_ms as f64, MINUTE as f64, 10.0 * MINUTE as f64).max(failing)
}

/// Items that are not tried any more or cannot be sent, and items that wait too long.
pub fn outbox(status: &OutboxStatus) -> Health {
    let given_up = if status.failed > 0 || status.open_breakers > 0 { Health::Watch } else { Health::Good };
    above(status.oldest_ms as f64, MINUTE as f64, 10.0 * MINUTE as f64).max(given_up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitor::model::KindStatus;
    use base::db::Engine;

    fn requests_of(p95: Option<f64>, faults: u64) -> RequestsStatus {
        let kind = KindStatus { kind: RequestKind::Page, total: 9, per_second: 1.0, in_flight: 0, p50: p95, p95, p99: p95 };
        RequestsStatus { level: Health::Good, kinds: vec![kind], faults, codes: vec![], notable: vec![] }
    }

    #[test]
    fn slow_pages_and_failures_worry() {
        for (p95, faults, recent, level) in [
            (None, 0, 0, Health::Good),
            (Some(12.0), 0, 1000, Health::Good),
            (Some(300.0), 0, 1000, Health::Watch),
            (Some(1500.0), 0, 1000, Health::Bad),
            (Some(12.0), 1, 1000, Health::Watch),
            (Some(12.0), 5, 1000, Health::Watch),
            (Some(12.0), 10, 1000, Health::Bad),
            (None, 4, 4, Health::Watch),
        ] {
            assert_eq!(requests(&requests_of(p95, faults), recent), level, "{p95:?} {faults} of {recent}");
        }
    }

    fn database_of(ping: Option<f64>, wait_p99: Option<f64>) -> DatabaseStatus {
        DatabaseStatus {
            level: Health::Good,
            engine: Engine::Sqlite,
            bytes: None,
            ping,
            in_use: 0,
            idle: 1,
            most: 8,
            read_p50: None,
            read_p99: None,
            slow_reads: 0,
            wait_p99,
            write_p50: None,
            write_p99: None,
        }
    }

    #[test]
    fn a_database_that_does_not_answer_is_bad() {
        assert_eq!(database(&database_of(Some(0.2), None)), Health::Good);
        assert_eq!(database(&database_of(Some(60.0), None)), Health::Watch);
        assert_eq!(database(&database_of(Some(0.2), Some(3000.0))), Health::Bad);
        assert_eq!(database(&database_of(None, None)), Health::Bad);
    }

    #[test]
    fn rounds_that_fail_and_rounds_that_are_late_worry() {
        let matching_of = |oldest_ms, failing| matching(&MatchingStatus { level: Health::Good, due: 1, oldest_ms, failing });
        assert_eq!([matching_of(0, 0), matching_of(0, 1), matching_of(MINUTE, 0)], [Health::Good, Health::Watch, Health::Watch]);
        assert_eq!(matching_of(10 * MINUTE, 0), Health::Bad);
    }

    #[test]
    fn memory_and_outbox_have_their_limits() {
        let memory_of = |resident, limit| memory(&MemoryStatus { level: Health::Good, resident, limit, cpu_ms: 0 });
        assert_eq!([memory_of(69, 100), memory_of(70, 100), memory_of(90, 100)], [Health::Good, Health::Watch, Health::Bad]);
        assert_eq!(memory_of(90, 0), Health::Good, "an unknown limit is no worry");
        let status = OutboxStatus {
            level: Health::Good,
            waiting: 1,
            due: 1,
            oldest_ms: 0,
            unconfirmed: 0,
            failed: 0,
            leads_unconfirmed: 0,
            callbacks_failed: 0,
            messages_unconfirmed: 0,
            messages_failed: 0,
            open_breakers: 0,
            lost_leases: 0,
            messages: None,
        };
        let outbox_of = |oldest_ms, failed| outbox(&OutboxStatus { oldest_ms, failed, ..status.clone() });
        assert_eq!([outbox_of(0, 0), outbox_of(0, 1), outbox_of(10 * MINUTE, 0)], [Health::Good, Health::Watch, Health::Bad]);
    }
}
