//! The time of day, as a value that tests can move.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::tz::TimeZone;
use jiff::{Timestamp, civil};
use tokio_util::sync::CancellationToken;

/// Milliseconds of a minute, an hour and a day.
pub const SECOND: i64 = 1000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// Milliseconds by which a machine's clock may differ from the database's without a correction.
const TOLERATED: i64 = 1000;

/// The clock; a test can set it forward.
#[derive(Clone, Default)]
pub struct Clock {
    ahead: Arc<AtomicI64>,
    /// The correction of the machine's clock ([`crate::db::Db::set_right`]).
    correction: Arc<AtomicI64>,
    /// The error of the machine's clock, for tests.
    wrong: i64,
}

impl Clock {
    /// Epoch milliseconds, UTC.
    pub fn now(&self) -> i64 {
        let real = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64);
        real + self.wrong + self.correction() + self.ahead()
    }

    /// How far a test has set the clock forward, the same for all its clocks.
    pub fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::Relaxed)
    }

    /// The same clock on a machine that is wrong by so many milliseconds, for tests.
    pub fn wrong_by(&self, milliseconds: i64) -> Clock {
        Clock { ahead: self.ahead.clone(), correction: Arc::default(), wrong: self.wrong + milliseconds }
    }

    /// The correction of the machine's clock, in milliseconds.
    pub fn correction(&self) -> i64 {
        self.correction.load(Ordering::Relaxed)
    }

    /// Corrects the machine's clock, which is behind by so many milliseconds, unless that is negligible.
    pub fn correct(&self, behind: i64) {
        if behind.abs() < TOLERATED {
            return;
        }
        let correction = self.correction.fetch_add(behind, Ordering::Relaxed) + behind;
        tracing::warn!(correction, "the machine's clock is not the database's, and is corrected by so many milliseconds");
    }

    /// Sets the clock forward, for tests of expiry.
    pub fn advance(&self, milliseconds: i64) {
        self.ahead.fetch_add(milliseconds, Ordering::Relaxed);
    }
}

/// Runs a task, and again after each pause, until `stop`.
pub async fn every<F: Future<Output = ()>>(pause: Duration, stop: CancellationToken, work: impl Fn() -> F) {
    while !stop.is_cancelled() {
        work().await;
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// The time zone of days in reports, limits and signs.
fn shanghai() -> TimeZone {
    // China has had one offset and no daylight saving since 1991.
    TimeZone::fixed(jiff::tz::offset(8))
}

/// A time on Shanghai's clock.
pub fn local(at: i64) -> civil::DateTime {
    Timestamp::from_millisecond(at).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(shanghai()).datetime()
}

/// The Asia/Shanghai day of a time.
pub fn day(at: i64) -> civil::Date {
    Timestamp::from_millisecond(at).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(shanghai()).date()
}

/// The minute of the day of a moment, 0 to 1439, on Shanghai's clock.
pub fn minute_of_day(at: i64) -> i64 {
    (at - start(day(at))) / MINUTE
}

/// The first millisecond of a day in Asia/Shanghai.
pub fn start(day: civil::Date) -> i64 {
    day.to_zoned(shanghai()).map_or(0, |start| start.timestamp().as_millisecond())
}

/// `YYYYMMDD` of a time's Asia/Shanghai day, as signs use it.
pub fn day_compact(at: i64) -> String {
    day(at).strftime("%Y%m%d").to_string()
}

/// `YYYY-MM-DD HH:MM:SS` in Asia/Shanghai, as people read it.
pub fn date_time(at: i64) -> String {
    Timestamp::from_millisecond(at).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(shanghai()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The first millisecond of a `YYYY-MM-DD` day in Asia/Shanghai; none if it is not a day.
pub fn day_start(text: &str) -> Option<i64> {
    let date: civil::Date = text.parse().ok().filter(|_| text.len() == 10)?;
    date.to_zoned(shanghai()).ok().map(|start| start.timestamp().as_millisecond())
}

/// A moment as programs write it: epoch milliseconds, a date with a time and its zone (RFC 3339), or one without a
/// zone, in Shanghai's.
pub fn moment(text: &str) -> Option<i64> {
    let at = match text.parse::<i64>() {
        Ok(milliseconds) => Timestamp::from_millisecond(milliseconds).ok()?,
        Err(_) if text.contains(':') => text.parse::<Timestamp>().ok().or_else(|| {
            let local = text.parse::<civil::DateTime>().ok()?;
            Some(local.to_zoned(shanghai()).ok()?.timestamp())
        })?,
        Err(_) => return None,
    };
    Some(at.as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_shanghai_days() {
        let midnight = day_start("2026-03-01").unwrap();
        assert_eq!(day_compact(midnight - 1), "20260228");
        assert_eq!(day_compact(midnight), "20260301");
        assert_eq!(date_time(midnight), "2026-03-01 00:00:00");
        assert_eq!(day_start("2026-02-30"), None);
        assert_eq!(day_start("2026-3-1"), None);
    }
}
