//! Rules of a pool's fields.

use super::model::PoolBody;
use crate::model::SalesLevel;
use base::canonical;
use base::form_limits;
use frame::api::{Check, Result, say};

/// Most teams of one pool.
const MOST_TEAMS: usize = 50;

form_limits! {
    /// Of a pool.
    pool {
        /// Most clues that a person claims in a day.
        MOST_CLAIMS: i64 = 10_000,
        MOST_DAYS: i64 = 365,
        /// A week, in minutes.
        MOST_MINUTES: i64 = 7 * 24 * 60,
        MOST_SORT: i64 = 9999,
        NAME: usize = 32,
    }
}

/// A pool's fields: texts are trimmed, each team is named once.
#[derive(Clone, Debug)]
pub struct Form {
    /// Of a new pool; it does not change.
    pub org_id: Option<i64>,
    pub name: String,
    pub sub_org_ids: Vec<i64>,
    pub claim_per_day: i64,
    pub former_owner_days: i64,
    pub new_delay_minutes: i64,
    pub reclaim_days: i64,
    pub remind_days: i64,
    pub min_level: Option<SalesLevel>,
    pub sort: i64,
}

impl Form {
    /// The fields of a body.
    pub fn of(body: PoolBody) -> Form {
        let mut sub_org_ids = body.sub_org_ids;
        sub_org_ids.sort_unstable();
        sub_org_ids.dedup();
        Form {
            org_id: body.org_id,
            name: canonical::trimmed(&body.name).to_owned(),
            sub_org_ids,
            claim_per_day: body.claim_per_day,
            former_owner_days: body.former_owner_days,
            new_delay_minutes: body.new_delay_minutes,
            reclaim_days: body.reclaim_days,
            remind_days: body.remind_days,
            min_level: body.min_level,
            sort: body.sort,
        }
    }

    /// Names every field that is wrong.
    pub fn check(&self) -> Result<()> {
        Check::new()
            .name("name", &self.name, 1..=NAME)
            .that("subOrgIds", self.sub_org_ids.len() <= MOST_TEAMS, say(format!("最多 {MOST_TEAMS} 个"), format!("At most {MOST_TEAMS}")))
            .range("claimPerDay", self.claim_per_day, 0..=MOST_CLAIMS)
            .range("formerOwnerDays", self.former_owner_days, 0..=MOST_DAYS)
            .range("newDelayMinutes", self.new_delay_minutes, 0..=MOST_MINUTES)
            .range("reclaimDays", self.reclaim_days, 0..=MOST_DAYS)
            .range("remindDays", self.remind_days, 0..=MOST_DAYS)
            .that(
                "remindDays",
                self.remind_days == 0 || self.remind_days < self.reclaim_days,
                say("提醒天数应小于回收天数", "The reminder must come fewer days before than the days after which leads are reclaimed"),
            )
            .range("sort", self.sort, 0..=MOST_SORT)
            .done()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(changes: Value) -> Form {
        let mut body = json!({
            "name": "Pool", "claimPerDay": 20, "formerOwnerDays": 3, "newDelayMinutes": 0, "reclaimDays": 7, "remindDays": 1
        });
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Form::of(serde_json::from_value(body).unwrap())
    }

    #[test]
    fn the_reminder_comes_before_the_clue_is_reclaimed() {
        for (reclaim, remind, good) in [(7, 6, true), (7, 7, false), (7, 0, true), (0, 0, true), (0, 1, false), (1, 0, true), (1, 1, false)]
        {
            assert_eq!(form(json!({"reclaimDays": reclaim, "remindDays": remind})).check().is_ok(), good, "{reclaim} {remind}");
        }
    }

    #[test]
    fn numbers_and_lists_have_limits() {
        for (field, bad) in [
            ("name", json!("")),
            ("name", json!("长".repeat(33))),
            ("claimPerDay", json!(-1)),
            ("claimPerDay", json!(10_001)),
            ("formerOwnerDays", json!(366)),
            ("newDelayMinutes", json!(10_081)),
            ("reclaimDays", json!(366)),
            ("sort", json!(10_000)),
            ("subOrgIds", json!((0..51).collect::<Vec<i64>>())),
        ] {
            assert!(form(json!({field: bad})).check().is_err(), "{field} {bad}");
        }
        assert_eq!(form(json!({"subOrgIds": [3, 1, 3]})).sub_org_ids, [1, 3]);
    }
}
