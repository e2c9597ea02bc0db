//! Rules of a salesperson's fields.

use super::model::{SalespersonBody, SalespersonRow};
use crate::MOST_CITIES;
use crate::model::{SalesLevel, SalesStatus};
use base::form_limits;
use frame::api::{Check, Result, say};
use frame::places;

form_limits! {
    /// Of a salesperson.
    salesperson {
        JOB_NO: usize = 32,
        /// Most clues of one owner.
        MOST_HELD: i64 = 10_000,
        /// Most leads of a day.
        MOST_LEADS: i64 = 10_000,
        MOST_WEIGHT: i64 = 100,
        WECHAT: usize = 64,
    }
}

/// A salesperson's fields: texts are trimmed, absent fields have their values.
#[derive(Clone, Debug)]
pub struct Form {
    /// None: the account's team stays.
    pub sub_org_id: Option<i64>,
    pub job_no: String,
    pub level: SalesLevel,
    pub wechat: String,
    pub cities: Vec<String>,
    pub weight: i64,
    pub daily_cap: Option<i64>,
    pub private_cap: Option<i64>,
    pub receiving: bool,
}

impl Form {
    /// The fields of a body, of a new salesperson or over the stored one.
    pub fn of(body: &SalespersonBody, before: Option<&SalespersonRow>) -> Form {
        Form {
            sub_org_id: body.sub_org_id,
            job_no: body.job_no.trim().to_owned(),
            level: body.level,
            wechat: body.wechat.trim().to_owned(),
            cities: places::tidy(body.cities.clone()),
            weight: body.weight,
            daily_cap: body.daily_cap,
            private_cap: body.private_cap,
            receiving: body.receiving.unwrap_or(before.is_none_or(|row| row.receiving)),
        }
    }

    /// Names every field that is wrong, for a salesperson of this status.
    pub fn check(&self, status: SalesStatus) -> Result<()> {
        let mut check = Check::new();
        check
            .text("jobNo", &self.job_no, 0..=JOB_NO)
            .text("wechat", &self.wechat, 0..=WECHAT)
            .range("weight", self.weight, 1..=MOST_WEIGHT)
            .that(
                "receiving",
                !self.receiving || status == SalesStatus::Active,
                say("只有在职的销售人员可以接收线索", "Only an active salesperson can receive leads"),
            );
        if let Some(cap) = self.daily_cap {
            check.range("dailyCap", cap, 0..=MOST_LEADS);
        }
        if let Some(cap) = self.private_cap {
            check.range("privateCap", cap, 1..=MOST_HELD);
        }
        places::check_list(&mut check, "cities", &self.cities, MOST_CITIES);
        check.done()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(changes: Value) -> Form {
        let mut body = json!({"adminId": 1, "level": "junior", "weight": 1});
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Form::of(&serde_json::from_value(body).unwrap(), None)
    }

    #[test]
    fn numbers_have_limits() {
        for (field, good, bad) in
            [("weight", 100, 0), ("dailyCap", 0, -1), ("dailyCap", 10_000, 10_001), ("privateCap", 1, 0), ("privateCap", 10_000, 10_001)]
        {
            assert!(form(json!({field: good})).check(SalesStatus::Active).is_ok(), "{field} {good}");
            assert!(form(json!({field: bad})).check(SalesStatus::Active).is_err(), "{field} {bad}");
        }
    }

    #[test]
    fn only_an_active_salesperson_receives_leads() {
        for status in [SalesStatus::Away, SalesStatus::Left] {
            assert!(form(json!({"receiving": true})).check(status).is_err(), "{status:?}");
            assert!(form(json!({"receiving": false})).check(status).is_ok(), "{status:?}");
        }
    }
}
