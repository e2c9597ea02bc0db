//! The rules of an organisation's fields.

use super::model::{BillMode, OrgForm, OrgMode, OrgType};
use base::canonical;
use base::clock;
use base::form_limits;
use frame::api::check::{present, present_day, present_phone};
use frame::api::{Check, Result, say};
use frame::places;

form_limits! {
    /// Of an organisation.
    org {
        ADDRESS: usize = 200,
        CODE: usize = 32,
        CONTACT_NAME: usize = 32,
        LICENCE_NO: usize = 64,
        /// Highest credit limit and low-balance line, in fen: a hundred million yuan.
        pub MOST_CENTS: i64 = 10_000_000_000,
        /// Most phones that are warned of a low balance.
        MOST_PHONES: usize = 5,
        /// Most days after which a lead can be returned.
        MOST_RETURN_DAYS: i64 = 90,
        NAME: usize = 64,
        SHORT_NAME: usize = 32,
    }
}

/// An organisation's fields as people enter them, tidied: texts trimmed, empty ones absent.
#[derive(Clone, Debug)]
pub struct Form {
    pub code: String,
    pub name: String,
    pub short_name: String,
    pub kind: OrgType,
    pub mode: OrgMode,
    pub licence_no: Option<String>,
    pub licence_expire_on: Option<String>,
    pub licence_file_id: Option<i64>,
    pub contact_name: String,
    /// None to keep the stored one.
    pub contact_phone: Option<String>,
    pub city: String,
    pub address: String,
    pub bill_mode: BillMode,
    pub credit_limit_cents: i64,
    pub low_balance_cents: i64,
    /// Whole phones, once masks are replaced by the stored ones ([`Form::with_stored`]).
    pub alert_phones: Vec<String>,
    pub return_allowed: bool,
    pub return_max_days: i64,
    pub return_max_bp: i64,
    pub return_auto: bool,
    pub payee_org_id: Option<i64>,
    pub owner_admin_id: Option<i64>,
}

impl Form {
    /// Tidies a body.
    pub fn of(body: OrgForm) -> Form {
        Form {
            code: canonical::trimmed(&body.code).to_owned(),
            name: canonical::trimmed(&body.name).to_owned(),
            short_name: canonical::trimmed(&body.short_name).to_owned(),
            kind: body.kind,
            mode: body.mode,
            licence_no: present(body.licence_no),
            licence_expire_on: present_day(body.licence_expire_on),
            licence_file_id: body.licence_file_id,
            contact_name: canonical::trimmed(&body.contact_name).to_owned(),
            contact_phone: present_phone(body.contact_phone),
            city: places::code_or_text(&body.city),
            address: canonical::trimmed(&body.address).to_owned(),
            bill_mode: body.bill_mode,
            credit_limit_cents: body.credit_limit_cents,
            low_balance_cents: body.low_balance_cents,
            alert_phones: body.alert_phones.into_iter().filter_map(|phone| present_phone(Some(phone))).collect(),
            return_allowed: body.return_allowed,
            return_max_days: body.return_max_days,
            return_max_bp: body.return_max_bp,
            return_auto: body.return_auto,
            payee_org_id: body.payee_org_id,
            owner_admin_id: body.owner_admin_id,
        }
    }

    /// Replaces masks by the stored phones, each given with its mask. If two have the same mask, the first mask
    /// stands for the first.
    pub fn with_stored(mut self, stored: &[(String, String)]) -> Form {
        let mut left: Vec<&(String, String)> = stored.iter().collect();
        for phone in &mut self.alert_phones {
            if let Some(index) = left.iter().position(|(mask, _)| mask == phone) {
                *phone = left.remove(index).1.clone();
            }
        }
        self
    }

    /// Reports every wrong field.
    pub fn check(&self) -> Result<()> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let code = (2..=CODE).contains(&self.code.len()) && self.code.bytes().all(plain);
        let day = self.licence_expire_on.as_deref().is_none_or(|day| clock::day_start(day).is_some());
        let phones = &self.alert_phones;
        let distinct = phones.iter().enumerate().all(|(index, phone)| !phones[..index].contains(phone));
        let mut check = Check::new();
        places::check(&mut check, "city", &self.city);
        check
            .that("code", code, say("2 到 32 位字母、数字、- 或 _", "2 to 32 letters, digits, - or _"))
            .name("name", &self.name, 1..=NAME)
            .name("shortName", &self.short_name, 1..=SHORT_NAME)
            .text("licenceNo", self.licence_no.as_deref().unwrap_or_default(), 0..=LICENCE_NO)
            .that("licenceExpireOn", day, say("请选择日期", "Choose a date"))
            .name("contactName", &self.contact_name, 0..=CONTACT_NAME)
            .text("address", &self.address, 0..=ADDRESS)
            .range("creditLimitCents", self.credit_limit_cents, 0..=MOST_CENTS)
            .that(
                "creditLimitCents",
                self.bill_mode != BillMode::Credit || self.credit_limit_cents > 0,
                say("授信机构需要授信额度", "Enter a credit limit"),
            )
            .that(
                "creditLimitCents",
                self.bill_mode != BillMode::Prepaid || self.credit_limit_cents == 0,
                say("预付机构没有授信额度", "A prepaid organisation has no credit limit"),
            )
            .range("lowBalanceCents", self.low_balance_cents, 0..=MOST_CENTS)
            .that("alertPhones", phones.len() <= MOST_PHONES, say(format!("最多 {MOST_PHONES} 个"), format!("At most {MOST_PHONES}")))
            .that("alertPhones", distinct, say("手机号重复", "Duplicate phone number"))
            .range("returnMaxDays", self.return_max_days, 0..=MOST_RETURN_DAYS)
            .range("returnMaxBp", self.return_max_bp, 0..=10_000);
        if let Some(phone) = &self.contact_phone {
            check.phone("contactPhone", phone);
        }
        for phone in phones {
            check.phone("alertPhones", phone);
        }
        check.done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_stand_for_the_phones_that_are_stored() {
        let body = serde_json::json!({
            "code": "north", "name": "N", "shortName": "N", "type": "bank", "mode": "test", "billMode": "prepaid", "returnAllowed": true,
            "alertPhones": ["138****0001", " 13700000002 ", "138****0001", "139****0009"]
        });
        let form = Form::of(serde_json::from_value(body).unwrap());
        let stored =
            [("138****0001", "13811110001"), ("138****0001", "13822220001")].map(|(mask, phone)| (mask.to_owned(), phone.to_owned()));
        let form = form.with_stored(&stored);
        assert_eq!(form.alert_phones, ["13811110001", "13700000002", "13822220001", "139****0009"]);
        assert!(form.check().is_err(), "a mask of nothing is no phone");
    }
}
