//! Rules of a team's fields.

use super::model::{TeamBody, TeamRow};
use crate::MOST_CITIES;
use base::canonical;
use base::codes::UseStatus;
use base::form_limits;
use frame::api::check::present_phone;
use frame::api::{Check, Result};
use frame::places;

form_limits! {
    /// Of a team.
    team {
        ADDRESS: usize = 200,
        MANAGER_NAME: usize = 32,
        /// Most leads of a day.
        MOST_LEADS: i64 = 100_000,
        MOST_SORT: i64 = 9999,
        MOST_WEIGHT: i64 = 100,
        NAME: usize = 32,
    }
}

/// A team's fields: texts are trimmed, absent fields have their values.
#[derive(Clone, Debug)]
pub struct Form {
    pub name: String,
    pub city: String,
    pub address: String,
    pub manager_name: String,
    /// None keeps the stored one.
    pub phone: Option<String>,
    pub cities: Vec<String>,
    pub accept_leads: bool,
    pub daily_cap: Option<i64>,
    pub weight: i64,
    pub sort: i64,
    pub status: UseStatus,
}

impl Form {
    /// The fields of a body, of a new team or over the stored one.
    pub fn of(body: TeamBody, before: Option<&TeamRow>) -> Form {
        let mask = before.and_then(|row| row.phone_mask.clone());
        Form {
            name: canonical::trimmed(&body.name).to_owned(),
            city: places::code_or_text(&body.city),
            address: canonical::trimmed(&body.address).to_owned(),
            manager_name: canonical::trimmed(&body.manager_name).to_owned(),
            phone: present_phone(body.phone).filter(|phone| Some(phone) != mask.as_ref()),
            cities: places::tidy(body.cities),
            accept_leads: body.accept_leads.unwrap_or(before.is_none_or(|row| row.accept_leads)),
            daily_cap: body.daily_cap,
            weight: body.weight.unwrap_or(before.map_or(1, |row| row.weight)),
            sort: body.sort.unwrap_or(before.map_or(0, |row| row.sort)),
            status: body.status.unwrap_or(before.map_or(UseStatus::Enabled, |row| row.status)),
        }
    }

    /// Names every field that is wrong.
    pub fn check(&self) -> Result<()> {
        let mut check = Check::new();
        check
            .name("name", &self.name, 1..=NAME)
            .text("address", &self.address, 0..=ADDRESS)
            .name("managerName", &self.manager_name, 0..=MANAGER_NAME)
            .range("weight", self.weight, 1..=MOST_WEIGHT)
            .range("sort", self.sort, 0..=MOST_SORT);
        if let Some(phone) = &self.phone {
            check.phone("phone", phone);
        }
        if let Some(cap) = self.daily_cap {
            check.range("dailyCap", cap, 0..=MOST_LEADS);
        }
        places::check(&mut check, "city", &self.city);
        places::check_list(&mut check, "cities", &self.cities, MOST_CITIES);
        check.done()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(body: Value, before: Option<&TeamRow>) -> Form {
        Form::of(serde_json::from_value(body).unwrap(), before)
    }

    fn stored() -> TeamRow {
        TeamRow {
            id: 1,
            org_id: 1,
            org_name: "N".to_owned(),
            name: "First".to_owned(),
            city: String::new(),
            address: String::new(),
            manager_name: String::new(),
            phone_mask: Some("138****0001".to_owned()),
            cities: Vec::new(),
            accept_leads: false,
            daily_cap: Some(5),
            weight: 7,
            sort: 3,
            status: UseStatus::Disabled,
            people: 0,
            assigned_today: None,
            version: 1,
            created_at: 0,
            updated_at: 0,
        }
    }

    #[test]
    fn absent_fields_keep_what_is_stored() {
        let new = form(json!({"name": " First "}), None);
        assert_eq!((new.name.as_str(), new.accept_leads, new.weight, new.sort, new.status), ("First", true, 1, 0, UseStatus::Enabled));
        let changed = form(json!({"name": "First"}), Some(&stored()));
        assert_eq!((changed.accept_leads, changed.weight, changed.sort, changed.status), (false, 7, 3, UseStatus::Disabled));
        assert_eq!(changed.daily_cap, None, "absent is no limit");
    }

    #[test]
    fn the_mask_of_the_stored_phone_keeps_it() {
        assert_eq!(form(json!({"name": "a", "phone": "138****0001"}), Some(&stored())).phone, None);
        let other = form(json!({"name": "a", "phone": "138****0002"}), Some(&stored()));
        assert!(other.check().is_err(), "another mask is no phone");
        assert!(form(json!({"name": "a", "phone": "13800000002"}), Some(&stored())).check().is_ok());
    }

    #[test]
    fn numbers_have_limits() {
        for (field, good, bad) in
            [("weight", 100, 101), ("weight", 1, 0), ("sort", 9999, -1), ("dailyCap", 0, -1), ("dailyCap", 100_000, 100_001)]
        {
            assert!(form(json!({"name": "a", field: good}), None).check().is_ok(), "{field} {good}");
            assert!(form(json!({"name": "a", field: bad}), None).check().is_err(), "{field} {bad}");
        }
    }
}
