//! Terms in a history: the audit trail stores JSON, people read sentences in their language.

use serde::de::DeserializeOwned;

use super::{CapRule, PriceRule, RuleSet, Schedule, cap, price};
use crate::access::audit::Change;
use base::locale::Locale;

/// The changes, with rule sets, schedules, prices and caps in words. The field names are the same in every area.
pub fn in_words(changes: Vec<Change>, locale: Locale) -> Vec<Change> {
    let read = |Change { field, before, after }| {
        let value = |text: Option<String>| text.map(|text| words(&field, &text, locale).unwrap_or(text));
        let (before, after) = (value(before), value(after));
        Change { field, before, after }
    };
    changes.into_iter().map(read).collect()
}

/// The sentence of a term; none for any other value.
fn words(field: &str, text: &str, locale: Locale) -> Option<String> {
    // Likewise for proposed terms.
    match field.strip_prefix("asked.").unwrap_or(field) {
        // The trail stores a list as its items with commas between.
        "caps" => parsed::<Vec<CapRule>>(&format!("[{text}]")).map(|caps| cap::sentence(&caps, locale)),
        "priceRules" => parsed::<Vec<PriceRule>>(&format!("[{text}]")).map(|prices| price::in_words(&prices, locale)),
        "filters" | "ruleSet" => parsed::<RuleSet>(text).map(|rules| rules.sentence(locale)),
        "schedule" | "workingHours" => parsed::<Schedule>(text).map(|schedule| schedule.sentence(locale)),
        _ => None,
    }
}

fn parsed<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::access::audit;

    #[test]
    fn terms_become_sentences_and_other_values_stay() {
        let after = json!({
            "name": r#"{"any": []}"#,
            "params": {"1": []},
            "filters": {"any": [{"field": "house", "op": "exists", "value": true}]},
            "caps": [
                {"window": "day", "weekday": null, "maxCount": 100, "maxCents": null},
                {"window": "total", "weekday": null, "maxCount": null, "maxCents": 500_000}
            ],
            "schedule": {"1": [[540, 1080]]}
        });
        let changes = in_words(audit::changes(None::<&Value>, Some(&after)), Locale::Chinese);
        let of = |field: &str| changes.iter().find(|change| change.field == field).unwrap().after.clone().unwrap();
        assert_eq!(of("name"), r#"{"any": []}"#);
        assert_eq!(of("params"), r#"{"1":[]}"#);
        assert_eq!(of("filters"), "有房");
        assert_eq!(of("caps"), "每天最多 100 条；总共最多 5,000 元");
        assert_eq!(of("schedule"), "周一 09:00–18:00");
    }
}
