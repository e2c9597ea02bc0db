//! Rules of a service group's fields.

use super::model::ChatGroupBody;
use crate::api::{Check, Result};
use crate::chat::codes::AssignMode;
use crate::terms::{self, Schedule};

/// A week, in minutes.
const MOST_MINUTES: i64 = 7 * 24 * 60;
/// The last place in lists.
pub const MOST_SORT: i64 = 9999;

/// A service group's fields: the name is trimmed, the schedule is tidy.
#[derive(Clone, Debug)]
pub struct Form {
    pub name: String,
    /// None: always open.
    pub working_hours: Option<Schedule>,
    pub assign_mode: AssignMode,
    pub idle_minutes: i64,
    pub sort: i64,
}

impl Form {
    /// The fields of a body. What [`Form::check`] finds wrong is in the schedule as it was sent.
    pub fn of(body: ChatGroupBody) -> Form {
        Form {
            name: body.name.trim().to_owned(),
            working_hours: body.working_hours.map(Schedule::tidy),
            assign_mode: body.assign_mode,
            idle_minutes: body.idle_minutes,
            sort: body.sort,
        }
    }

    /// Names every field that is wrong.
    pub fn check(&self) -> Result<()> {
        let mut check = Check::new();
        check.text("name", &self.name, 1..=32).range("idleMinutes", self.idle_minutes, 0..=MOST_MINUTES).range(
            "sort",
            self.sort,
            0..=MOST_SORT,
        );
        if let Some(hours) = &self.working_hours {
            terms::tell(&mut check, "workingHours", &hours.wrong());
        }
        check.done()
    }

    /// The schedule as it is stored.
    pub fn hours_column(&self) -> Option<String> {
        self.working_hours.as_ref().map(|hours| serde_json::to_string(hours).expect("a schedule serialises"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(changes: Value) -> Form {
        let mut body =
            json!({"name": " Loans ", "workingHours": {"1": [[540, 1080]]}, "assignMode": "least_busy", "idleMinutes": 30, "sort": 1});
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Form::of(serde_json::from_value(body).unwrap())
    }

    #[test]
    fn texts_are_trimmed_and_spans_that_meet_become_one() {
        let form = form(json!({"workingHours": {"1": [[720, 1080], [540, 720]], "2": []}}));
        assert_eq!(form.name, "Loans");
        assert_eq!(form.hours_column().unwrap(), r#"{"1":[[540,1080]]}"#);
        assert!(form.check().is_ok());
    }

    #[test]
    fn a_group_without_hours_is_always_open() {
        let form = form(json!({"workingHours": null}));
        assert!(form.check().is_ok());
        assert_eq!(form.hours_column(), None);
    }

    #[test]
    fn fields_have_limits() {
        for (field, bad) in [
            ("name", json!(" ")),
            ("name", json!("长".repeat(33))),
            ("idleMinutes", json!(-1)),
            ("idleMinutes", json!(10_081)),
            ("sort", json!(-1)),
            ("sort", json!(10_000)),
            ("workingHours", json!({})),
            ("workingHours", json!({"1": [[600, 540]]})),
            ("workingHours", json!({"8": [[540, 600]]})),
            ("workingHours", json!({"1": [[540, 700], [600, 800]]})),
        ] {
            assert!(form(json!({field: bad})).check().is_err(), "{field} {bad}");
        }
        assert!(form(json!({"name": "长".repeat(32), "idleMinutes": 10_080, "sort": 9999})).check().is_ok());
    }
}
