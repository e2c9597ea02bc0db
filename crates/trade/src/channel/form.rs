//! The rules of a channel's fields.

use super::model::{ChannelEdit, ChannelRow, ChannelType, DedupScope, NewChannel, SettleMode};
use base::canonical;
use base::form_limits;
use frame::api::check::present;
use frame::api::{ApiError, Check, say};
use frame::terms::applicant;
use frame::terms::choices::Choices;
use frame::terms::rule_set::Of;
use frame::terms::{self, CapRule, RuleSet, cap};

form_limits! {
    /// Of a channel.
    channel {
        CODE: usize = 32,
        /// Most addresses of a list of allowed ones.
        pub MOST_ADDRESSES: usize = 50,
        /// Highest unit price, in fen: a million yuan.
        pub MOST_CENTS: i64 = 100_000_000,
        MOST_DEDUP_DAYS: i64 = 3650,
        NAME: usize = 64,
        REMARK: usize = 500,
    }
}

/// A channel's fields as people enter them, tidied: texts trimmed, empty ones absent.
pub struct Form {
    pub code: String,
    pub name: String,
    pub kind: ChannelType,
    pub settle_mode: SettleMode,
    pub unit_price_cents: i64,
    pub share_bp: i64,
    pub landing_url: Option<String>,
    pub ip_allow: Vec<String>,
    pub callback_url: Option<String>,
    pub dedup_days: Option<i64>,
    pub dedup_scope: DedupScope,
    pub required_fields: Vec<String>,
    pub caps: Vec<CapRule>,
    pub filters: Option<RuleSet>,
    pub owner_admin_id: Option<i64>,
    pub remark: String,
}

impl Form {
    /// The form of a new channel.
    pub fn of_new(body: NewChannel) -> Form {
        Form {
            code: body.code.trim().to_owned(),
            name: canonical::trimmed(&body.name).to_owned(),
            kind: body.kind,
            settle_mode: body.settle_mode,
            unit_price_cents: body.unit_price_cents,
            share_bp: body.share_bp,
            landing_url: present(body.landing_url),
            ip_allow: body.ip_allow.into_iter().filter_map(|address| present(Some(address))).collect(),
            callback_url: present(body.callback_url),
            dedup_days: body.dedup_days,
            dedup_scope: body.dedup_scope,
            required_fields: applicant::in_order(&body.required_fields),
            caps: body.caps,
            filters: body.filters,
            owner_admin_id: body.owner_admin_id,
            remark: body.remark.trim().to_owned(),
        }
    }

    /// The form of an existing channel, whose code stays as it is.
    pub fn of_edit(body: ChannelEdit, current: &ChannelRow) -> Result<Form, ApiError> {
        let code = body.code.unwrap_or_else(|| current.code.clone());
        if code != current.code {
            return Err(ApiError::field("code", say("渠道编码创建后不能修改", "A channel's code cannot be changed")));
        }
        Ok(Form::of_new(NewChannel {
            code,
            name: body.name,
            kind: body.kind,
            settle_mode: body.settle_mode,
            unit_price_cents: body.unit_price_cents,
            share_bp: body.share_bp,
            landing_url: body.landing_url,
            ip_allow: body.ip_allow,
            callback_url: body.callback_url,
            dedup_days: body.dedup_days,
            dedup_scope: body.dedup_scope,
            required_fields: body.required_fields,
            caps: body.caps,
            filters: body.filters,
            owner_admin_id: body.owner_admin_id,
            remark: body.remark,
        }))
    }

    /// Reports every wrong field.
    pub fn check(&self, choices: &Choices) -> Result<(), ApiError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let code = (8..=CODE).contains(&self.code.len()) && self.code.bytes().all(plain);
        let mut check = Check::new();
        check
            .that("code", code, say("8 到 32 位字母、数字、- 或 _", "8 to 32 letters, digits, - or _"))
            .name("name", &self.name, 1..=NAME)
            .range("unitPriceCents", self.unit_price_cents, 0..=MOST_CENTS)
            .range("shareBp", self.share_bp, 0..=10_000)
            .address("landingUrl", self.landing_url.as_deref())
            .public_https("callbackUrl", self.callback_url.as_deref())
            .text("remark", &self.remark, 0..=REMARK);
        settlement(&mut check, self.settle_mode, self.unit_price_cents, self.share_bp);
        if let Some(days) = self.dedup_days {
            check.range("dedupDays", days, 0..=MOST_DEDUP_DAYS);
        }
        if let Some(name) = self.required_fields.iter().find(|name| !applicant::is_sent(name)) {
            check.that("requiredFields", false, say(format!("没有资料项 {name}"), format!("There is no field {name}")));
        }
        terms::add_faults(&mut check, "caps", &cap::wrong(&self.caps));
        if let Some(filters) = &self.filters {
            terms::add_faults(&mut check, "filters", &filters.wrong(Of::Applicant, choices));
        }
        check.networks("ipAllow", &self.ip_allow, MOST_ADDRESSES);
        check.done()
    }
}

/// A settlement mode needs its price, or its share.
pub fn settlement(check: &mut Check, mode: SettleMode, unit_price_cents: i64, share_bp: i64) {
    let (priced, shared) = (!mode.by_unit() || unit_price_cents > 0, mode != SettleMode::Share || share_bp > 0);
    check.that("unitPriceCents", priced, say("该结算方式需要单价", "This settlement requires a price"));
    check.that("shareBp", shared, say("该结算方式需要分成比例", "This settlement requires a share"));
}
