//! Prices by applicant: another price for applicants of a rule set. The first that matches counts.

use serde::{Deserialize, Serialize};

use super::choices::Choices;
use super::rule_set::Of;
use super::table::{sentence, word, yuan};
use super::{RuleSet, Wrong};
use crate::api::say;
use base::form_limits;
use base::locale::Locale;

form_limits! {
    /// Of prices of a lead.
    price {
        /// Highest price of a lead, in fen: ten thousand yuan.
        pub MOST_CENTS: i64 = 1_000_000,
        /// Most prices beside the plain one.
        MOST_PRICES: usize = 20,
    }
}

/// Another price for some applicants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PriceRule {
    pub rules: RuleSet,
    /// Fen.
    pub price_cents: i64,
}

/// All errors; a place is the number of a price, and within its rules that of a rule.
pub fn wrong(prices: &[PriceRule], choices: &Choices) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    if prices.len() > MOST_PRICES {
        wrong.push(Wrong::new("", say(format!("最多 {MOST_PRICES} 条"), format!("At most {MOST_PRICES} prices"))));
    }
    for (PriceRule { rules, price_cents }, place) in prices.iter().take(MOST_PRICES).zip(1..) {
        if !(1..=MOST_CENTS).contains(price_cents) {
            let message = say("价格应在 0.01 到 10,000 元之间", "The price must be between 0.01 and 10,000 CNY");
            wrong.push(Wrong::new(place.to_string(), message));
        }
        for fault in rules.wrong(Of::Applicant, choices) {
            let inner = if fault.place.is_empty() { place.to_string() } else { format!("{place}.{}", fault.place) };
            wrong.push(Wrong::new(inner, fault.message));
        }
    }
    wrong
}

/// "公务员 80 元；有房 60.50 元".
pub fn in_words(prices: &[PriceRule], locale: Locale) -> String {
    let one = |PriceRule { rules, price_cents }: &PriceRule| {
        let (rules, yuan) = (rules.sentence(locale), yuan(*price_cents));
        locale.pick(format!("{rules}：{yuan} 元"), format!("{rules}: {yuan} CNY"))
    };
    match prices {
        [] => sentence(word("noPrices", locale).to_owned()),
        prices => sentence(prices.iter().map(one).collect::<Vec<_>>().join(word("semicolon", locale))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::terms::cases;

    #[test]
    fn both_sides_say_the_same() {
        for case in cases::of("prices") {
            let prices: Vec<PriceRule> = serde_json::from_value(case["prices"].clone()).unwrap();
            assert_eq!(super::wrong(&prices, &Choices::default()), []);
            assert_eq!(in_words(&prices, Locale::Chinese), case["zh-CN"], "{}", case["prices"]);
            assert_eq!(in_words(&prices, Locale::English), case["en-US"], "{}", case["prices"]);
        }
    }

    #[test]
    fn both_sides_find_the_same_wrong() {
        for case in cases::of("wrongPrices") {
            let prices: Vec<PriceRule> = serde_json::from_value(case["prices"].clone()).unwrap();
            let faults: Vec<Value> =
                wrong(&prices, &Choices::default()).iter().map(|wrong| json!([wrong.place, wrong.message.get(Locale::English)])).collect();
            assert_eq!(Value::from(faults), case["wrong"], "{}", case["prices"]);
        }
    }
}
