//! The kinds of short messages, and their texts: each kind has a text with placeholders, which administrators may
//! change, and the number of the template for providers that need one.

use std::collections::BTreeMap;

use crate::setting::{self, Setting, Values};
use base::codes;

codes! {
    /// The kind of a message.
    pub enum SmsKind {
        /// A verification code: `code`, and `minutes` for which it is valid.
        Code("验证码", "Verification code"),
        /// An organisation has a lead: `leadNo`.
        NewLead("新线索", "New lead"),
        /// An organisation's balance is low: `organisation`, `balance` in yuan.
        LowBalance("余额预警", "Low balance"),
        /// A salesperson writes to the person of a clue for the first time: `organisation`, `name` of the salesperson.
        ClueGreeting("首次联系", "First contact"),
        /// After a call that was not answered; the same.
        ClueMissed("未接来电", "Missed call"),
        /// An appointment is confirmed; the same.
        ClueAppointment("约访确认", "Appointment"),
        /// A test whether messages arrive: `time`.
        Test("测试", "Test"),
    }
}

/// The values of a text's placeholders, by name.
pub type Params = BTreeMap<String, String>;

impl SmsKind {
    fn settings(self) -> (&'static Setting<String>, &'static Setting<String>) {
        match self {
            SmsKind::Code => (&setting::SMS_CODE_TEXT, &setting::SMS_CODE_TEMPLATE),
            SmsKind::NewLead => (&setting::SMS_NEW_LEAD_TEXT, &setting::SMS_NEW_LEAD_TEMPLATE),
            SmsKind::LowBalance => (&setting::SMS_LOW_BALANCE_TEXT, &setting::SMS_LOW_BALANCE_TEMPLATE),
            SmsKind::ClueGreeting => (&setting::SMS_CLUE_GREETING_TEXT, &setting::SMS_CLUE_GREETING_TEMPLATE),
            SmsKind::ClueMissed => (&setting::SMS_CLUE_MISSED_TEXT, &setting::SMS_CLUE_MISSED_TEMPLATE),
            SmsKind::ClueAppointment => (&setting::SMS_CLUE_APPOINTMENT_TEXT, &setting::SMS_CLUE_APPOINTMENT_TEMPLATE),
            SmsKind::Test => (&setting::SMS_TEST_TEXT, &setting::SMS_TEST_TEMPLATE),
        }
    }

    /// Its text by the settings, with the signature first.
    pub fn text(self, values: &Values, params: &Params) -> String {
        let text = fill(&values.get(self.settings().0), params);
        match values.get(&setting::SMS_SIGN_NAME) {
            name if name.is_empty() => text,
            name => format!("【{name}】{text}"),
        }
    }

    /// The provider's number of its template; empty if none is set.
    pub fn template(self, values: &Values) -> String {
        values.get(self.settings().1)
    }

    /// Its built-in text.
    pub(super) fn default_text(self, params: &Params) -> String {
        self.text(&Values::default(), params)
    }
}

/// A text with its placeholders filled. Braces in the values stay as they are.
fn fill(text: &str, params: &Params) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, behind)) = after.split_once('}') else {
            rest = after;
            break;
        };
        filled.push_str(params.get(name).map_or("", String::as_str));
        rest = behind;
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use base::codes::Codes;

    use super::*;
    use crate::setting::Kind;

    #[test]
    fn a_text_is_filled_once() {
        let params = Params::from([("code".to_owned(), "{minutes}".to_owned()), ("minutes".to_owned(), "5".to_owned())]);
        assert_eq!(fill("{code} in {minutes} {other}min", &params), "{minutes} in 5 min");
        assert_eq!(fill("no end {code", &params), "no end code");
    }

    #[test]
    fn every_kind_has_a_text_whose_placeholders_are_filled() {
        for kind in SmsKind::ALL.iter().copied() {
            let Kind::Template { placeholders, .. } = kind.settings().0.about.kind else { panic!("{kind:?}") };
            let params: Params = placeholders.iter().map(|known| (known.name.to_owned(), "§".to_owned())).collect();
            let text = kind.default_text(&params);
            assert!(text.starts_with("【Leadlane】") && text.contains('§') && !text.contains('{'), "{text}");
        }
    }
}
