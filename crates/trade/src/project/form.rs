//! The rules of a project's fields: few for a draft, all for a submission.

use super::model::{PartnerType, ProjectContent, ProjectForm};
use crate::channel::SettleMode;
use crate::channel::form::{MOST_ADDRESSES, MOST_CENTS, settlement};
use base::canonical;
use base::clock;
use base::form_limits;
use base::mask;
use frame::api::check::{ADDRESS, EMAIL, present, present_day, present_phone};
use frame::api::{Check, Result, say};
use frame::places;

form_limits! {
    /// Of a project.
    project {
        CONTACT_NAME: usize = 32,
        LICENCE_NO: usize = 18,
        /// Most leads a day that anybody may expect.
        MOST_LEADS: i64 = 1_000_000,
        NAME: usize = 64,
        /// Characters of a note on a step.
        pub(super) NOTE: usize = 500,
        REMARK: usize = 500,
    }
}

/// A project's fields as people enter them, tidied: texts trimmed, empty ones absent.
#[derive(Clone, Debug)]
pub struct Form {
    pub partner_type: PartnerType,
    pub name: String,
    pub city: String,
    pub licence_no: String,
    pub contact_name: String,
    /// None to keep the stored one.
    pub contact_phone: Option<String>,
    pub contact_email: Option<String>,
    pub settle_mode: SettleMode,
    pub unit_price_cents: i64,
    pub share_bp: i64,
    pub daily_volume: Option<i64>,
    pub start_date: Option<String>,
    pub landing_url: Option<String>,
    pub callback_url: Option<String>,
    pub ip_allow: Vec<String>,
    pub remark: String,
}

impl Form {
    /// Tidies a body.
    pub fn of(body: ProjectForm) -> Form {
        Form {
            partner_type: body.partner_type,
            name: canonical::trimmed(&body.name).to_owned(),
            city: places::code_or_text(&body.city),
            licence_no: canonical::paper_no(&body.licence_no),
            contact_name: canonical::trimmed(&body.contact_name).to_owned(),
            contact_phone: present_phone(body.contact_phone),
            contact_email: present(body.contact_email),
            settle_mode: body.settle_mode,
            unit_price_cents: body.unit_price_cents,
            share_bp: body.share_bp,
            daily_volume: body.daily_volume,
            start_date: present_day(body.start_date),
            landing_url: present(body.landing_url),
            callback_url: present(body.callback_url),
            ip_allow: body.ip_allow.into_iter().filter_map(|address| present(Some(address))).collect(),
            remark: body.remark.trim().to_owned(),
        }
    }

    /// The content of a project with this form. Without a phone the stored mask stays.
    pub fn content(&self, stored_mask: Option<&str>) -> ProjectContent {
        let phone = self.contact_phone.as_deref();
        ProjectContent {
            partner_type: self.partner_type,
            name: self.name.clone(),
            city: self.city.clone(),
            licence_no: self.licence_no.clone(),
            contact_name: self.contact_name.clone(),
            contact_phone_mask: phone.map(mask::phone).or(stored_mask.map(str::to_owned)),
            contact_email: self.contact_email.clone(),
            settle_mode: self.settle_mode,
            unit_price_cents: self.unit_price_cents,
            share_bp: self.share_bp,
            daily_volume: self.daily_volume,
            start_date: self.start_date.clone(),
            landing_url: self.landing_url.clone(),
            callback_url: self.callback_url.clone(),
            ip_allow: self.ip_allow.clone(),
            remark: self.remark.clone(),
        }
    }

    /// A draft may be incomplete, as long as its fields are not too long.
    pub fn check_draft(&self) -> Result<()> {
        let mut check = Check::new();
        self.bounds(&mut check);
        check.done()
    }

    /// Reports every wrong field of a submission at `now`. `has_phone`: one is stored.
    pub fn check_whole(&self, has_phone: bool, now: i64) -> Result<()> {
        let mut check = Check::new();
        let required = || say("必填", "Required");
        check
            .name("name", &self.name, 1..=NAME)
            .that("city", !self.city.is_empty(), required())
            .that("licenceNo", !self.licence_no.is_empty(), required())
            .that(
                "licenceNo",
                self.licence_no.len() == LICENCE_NO && self.licence_no.bytes().all(|byte| byte.is_ascii_alphanumeric()),
                say("18 位数字或字母", "18 digits or letters"),
            )
            .name("contactName", &self.contact_name, 1..=CONTACT_NAME)
            .that("contactPhone", has_phone || self.contact_phone.is_some(), required())
            .that("dailyVolume", self.daily_volume.is_some(), required())
            .that("startDate", self.start_date.is_some(), required());
        if let Some(email) = &self.contact_email {
            check.email("contactEmail", email);
        }
        settlement(&mut check, self.settle_mode, self.unit_price_cents, self.share_bp);
        check
            .that("dailyVolume", self.daily_volume != Some(0), say("至少为 1", "At least 1"))
            .that(
                "landingUrl",
                self.partner_type != PartnerType::Channel || self.landing_url.is_some(),
                say("渠道需要落地页地址", "A channel requires a landing page"),
            )
            .that(
                "callbackUrl",
                self.partner_type != PartnerType::Organisation || self.callback_url.is_some(),
                say("机构需要回调地址", "An organisation requires a callback URL"),
            )
            .address("landingUrl", self.landing_url.as_deref())
            .address("callbackUrl", self.callback_url.as_deref())
            .networks("ipAllow", &self.ip_allow, MOST_ADDRESSES);
        self.bounds(&mut check);
        let today = clock::day(now).to_string();
        let past = self.start_date.as_ref().is_some_and(|date| *date < today);
        check.that("startDate", !past, say("不能早于今天", "Cannot be before today"));
        check.done()
    }

    fn bounds(&self, check: &mut Check) {
        places::check(check, "city", &self.city);
        let none = String::new();
        let optional = |text: &Option<String>| text.clone().unwrap_or_else(|| none.clone());
        check
            .name("name", &self.name, 0..=NAME)
            .text("licenceNo", &self.licence_no, 0..=LICENCE_NO)
            .name("contactName", &self.contact_name, 0..=CONTACT_NAME)
            .text("contactEmail", &optional(&self.contact_email), 0..=EMAIL)
            .range("unitPriceCents", self.unit_price_cents, 0..=MOST_CENTS)
            .range("shareBp", self.share_bp, 0..=10_000)
            .range("dailyVolume", self.daily_volume.unwrap_or(0), 0..=MOST_LEADS)
            .text("landingUrl", &optional(&self.landing_url), 0..=ADDRESS)
            .text("callbackUrl", &optional(&self.callback_url), 0..=ADDRESS)
            .text("remark", &self.remark, 0..=REMARK);
        if let Some(phone) = &self.contact_phone {
            check.phone("contactPhone", phone);
        }
        let day = self.start_date.as_deref().is_none_or(|date| clock::day_start(date).is_some());
        check.that("startDate", day, say("请选择日期", "Choose a date"));
        let short = self.ip_allow.len() <= MOST_ADDRESSES && self.ip_allow.iter().all(|address| address.len() <= 64);
        check.that("ipAllow", short, say(format!("最多 {MOST_ADDRESSES} 个"), format!("At most {MOST_ADDRESSES}")));
    }
}
