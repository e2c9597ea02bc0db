//! Caps in words, the same as in `js/lib/caps.ts`.

use super::CapRule;
use crate::terms::table::{self, fill, grouped, window, word, yuan};
use base::locale::Locale;

/// "每天最多 100 条；周六最多 20 条".
pub fn sentence(caps: &[CapRule], locale: Locale) -> String {
    match caps {
        [] => table::sentence(word("noCaps", locale).to_owned()),
        caps => table::sentence(caps.iter().map(|cap| one(cap, locale)).collect::<Vec<_>>().join(word("semicolon", locale))),
    }
}

fn one(cap: &CapRule, locale: Locale) -> String {
    let count = cap.max_count.map(|count| fill(if count == 1 { "one" } else { "count" }, locale, &[("count", &grouped(count))]));
    let money = cap.max_cents.map(|cents| format!("{} {}", yuan(cents), word("yuan", locale)));
    let most = [count, money].into_iter().flatten().collect::<Vec<_>>().join(word("comma", locale));
    fill("cap", locale, &[("window", &window(cap.window.into(), cap.weekday, locale)), ("most", &most)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::cases;

    #[test]
    fn both_sides_say_the_same() {
        for case in cases::of("caps") {
            let caps: Vec<CapRule> = serde_json::from_value(case["caps"].clone()).unwrap();
            assert_eq!(super::super::wrong(&caps), []);
            assert_eq!(sentence(&caps, Locale::Chinese), case["zh-CN"], "{}", case["caps"]);
            assert_eq!(sentence(&caps, Locale::English), case["en-US"], "{}", case["caps"]);
        }
    }
}
