//! Rules of the fields of service staff.

use super::model::ChatStaffBody;
use base::canonical;
use base::form_limits;
use frame::api::{Check, Result, say};

form_limits! {
    /// Of a member of the staff.
    chatStaff {
        /// Conversations at the same time.
        MOST_OPEN: i64 = 200,
        NICKNAME: usize = 20,
    }
}

/// Most groups of one member of the staff.
const MOST_GROUPS: usize = 20;
/// The default of conversations at the same time.
const MAX_OPEN: i64 = 10;

/// The fields of a member of the staff: the nickname is trimmed, each group is named once.
#[derive(Clone, Debug)]
pub struct Form {
    /// Required for a new record; it does not change.
    pub admin_id: Option<i64>,
    pub nickname: String,
    pub group_ids: Vec<i64>,
    pub max_open: i64,
    pub auto_accept: bool,
}

impl Form {
    /// The fields of a body.
    pub fn of(body: ChatStaffBody) -> Form {
        let mut group_ids = body.group_ids;
        group_ids.sort_unstable();
        group_ids.dedup();
        Form {
            admin_id: body.admin_id,
            nickname: canonical::visible(&body.nickname).into_owned(),
            group_ids,
            max_open: body.max_open.unwrap_or(MAX_OPEN),
            auto_accept: body.auto_accept.unwrap_or(true),
        }
    }

    /// Names every field that is wrong.
    pub fn check(&self) -> Result<()> {
        Check::new()
            .text("nickname", &self.nickname, 1..=NICKNAME)
            .that("groupIds", !self.group_ids.is_empty(), say("请至少选择一个分组", "Choose at least one group"))
            .that("groupIds", self.group_ids.len() <= MOST_GROUPS, say(format!("最多 {MOST_GROUPS} 个"), format!("At most {MOST_GROUPS}")))
            .range("maxOpen", self.max_open, 1..=MOST_OPEN)
            .done()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(changes: Value) -> Form {
        let mut body = json!({"nickname": " May ", "groupIds": [2, 1, 2]});
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Form::of(serde_json::from_value(body).unwrap())
    }

    #[test]
    fn absent_fields_have_their_values() {
        let form = form(json!({}));
        assert_eq!((form.nickname.as_str(), form.group_ids.as_slice(), form.max_open, form.auto_accept), ("May", &[1, 2][..], 10, true));
        assert!(form.check().is_ok());
    }

    #[test]
    fn fields_have_limits() {
        for (field, bad) in [
            ("nickname", json!("")),
            ("nickname", json!("长".repeat(21))),
            ("groupIds", json!([])),
            ("groupIds", json!((0..21).collect::<Vec<i64>>())),
            ("maxOpen", json!(0)),
            ("maxOpen", json!(201)),
        ] {
            assert!(form(json!({field: bad})).check().is_err(), "{field} {bad}");
        }
        assert!(form(json!({"groupIds": (0..20).collect::<Vec<i64>>(), "maxOpen": 200})).check().is_ok());
    }
}
