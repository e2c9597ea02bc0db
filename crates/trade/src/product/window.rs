//! The time of day in which a product is shown, on Shanghai's clock.

use base::clock;

/// `HH:MM` as minutes of the day; none if it is not a time.
pub fn minutes(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once(':')?;
    let number = |text: &str, end: u16| match text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse::<u16>().ok().filter(|number| *number < end),
        false => None,
    };
    Some(number(hours, 24)? * 60 + number(minutes, 60)?)
}

/// Whether a moment is in the window between two times of day. A window that ends before it begins passes midnight;
/// without both ends it is the whole day.
pub fn is_open(from: Option<&str>, to: Option<&str>, at: i64) -> bool {
    let (Some(from), Some(to)) = (from.and_then(minutes), to.and_then(minutes)) else { return true };
    let local = clock::local(at);
    let now = u16::from(local.hour().unsigned_abs()) * 60 + u16::from(local.minute().unsigned_abs());
    match from < to {
        true => (from..to).contains(&now),
        false => now >= from || now < to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::clock::{MINUTE, day_start};

    #[test]
    fn times_of_a_day() {
        assert_eq!(["00:00", "09:30", "23:59"].map(minutes), [Some(0), Some(570), Some(1439)]);
        for bad in ["", "9:30", "24:00", "12:60", "+1:00", "12:0a", "1200", "12:00:00", "一二:00"] {
            assert_eq!(minutes(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_window_may_pass_midnight() {
        let midnight = day_start("2026-03-01").unwrap();
        let open = |from, to, minute: i64| is_open(Some(from), Some(to), midnight + minute * MINUTE);
        for (minute, by_day, by_night) in [
            (0, false, true),
            (359, false, true),
            (360, false, false),
            (539, false, false),
            (540, true, false),
            (1079, true, false),
            (1080, false, false),
            (1320, false, true),
        ] {
            assert_eq!(open("09:00", "18:00", minute), by_day, "{minute}");
            assert_eq!(open("22:00", "06:00", minute), by_night, "{minute}");
        }
        assert!(open("18:00", "00:00", 1439) && !open("18:00", "00:00", 0), "until midnight");
        assert!(is_open(None, None, midnight));
    }
}
