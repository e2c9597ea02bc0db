//! Rules of a payee channel's fields.

use super::model::{PayProvider, PayeeChannelForm};
use super::params::{self, Params};
use base::canonical;
use base::clock;
use base::form_limits;
use frame::api::check::present_day;
use frame::api::{Check, Result, say};

form_limits! {
    /// Of a payee channel.
    payeeChannel {
        CODE: usize = 32,
        GATEWAY_URL: usize = 300,
        INSTRUCTIONS: usize = 500,
        MCH_NO: usize = 32,
        /// Highest fee, in ten-thousandths.
        MOST_BP: i64 = 1000,
        /// Highest amount of a payment, in fen: a hundred million yuan.
        pub MOST_CENTS: i64 = 10_000_000_000,
        MOST_SORT: i64 = 9999,
        NAME: usize = 64,
    }
}

/// A payee channel's fields as people set them, without blanks around texts.
#[derive(Clone, Debug)]
pub struct ChannelFormChecked {
    pub name: String,
    pub payee_org_id: i64,
    pub mch_no: String,
    /// Parameters that replace the stored ones.
    pub params: Params,
    pub gateway_url: String,
    pub instructions: String,
    pub fee_bp: i64,
    pub min_cents: i64,
    pub max_cents: i64,
    pub day_cap_cents: Option<i64>,
    pub sort: i64,
    pub cert_expire_on: Option<String>,
    pub old_key_until: Option<String>,
}

impl ChannelFormChecked {
    /// Reads a form, or names every field that is wrong. `private`: for tests, the gateway may be in our own network.
    pub fn of(body: PayeeChannelForm, provider: PayProvider, private: bool) -> Result<ChannelFormChecked> {
        let params = body.params.into_iter().map(|(name, value)| (name, value.trim().to_owned())).filter(|(_, value)| !value.is_empty());
        let form = ChannelFormChecked {
            name: canonical::trimmed(&body.name).to_owned(),
            payee_org_id: body.payee_org_id,
            mch_no: body.mch_no.trim().to_owned(),
            params: params.collect(),
            gateway_url: body.gateway_url.trim().to_owned(),
            instructions: body.instructions.trim().to_owned(),
            fee_bp: body.fee_bp,
            min_cents: body.min_cents,
            max_cents: body.max_cents,
            day_cap_cents: body.day_cap_cents,
            sort: body.sort,
            cert_expire_on: present_day(body.cert_expire_on),
            old_key_until: present_day(body.old_key_until),
        };
        form.check(provider, private)?;
        Ok(form)
    }

    fn check(&self, provider: PayProvider, private: bool) -> Result<()> {
        let online = provider.is_online();
        let digits = self.mch_no.len() <= MCH_NO && self.mch_no.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let gateway = Some(self.gateway_url.as_str()).filter(|url| !url.is_empty());
        let mut check = Check::new();
        check
            .name("name", &self.name, 1..=NAME)
            .that("mchNo", !online || !self.mch_no.is_empty(), say("必填", "Required"))
            .that("mchNo", digits, say("最多 32 位数字或字母", "At most 32 letters or digits"))
            .that("gatewayUrl", self.gateway_url.len() <= GATEWAY_URL, say("最多 300 个字符", "At most 300 characters"))
            .that("gatewayUrl", online || self.gateway_url.is_empty(), say("该渠道不调用接口", "Nothing is called for this provider"))
            .address("gatewayUrl", gateway)
            .public_https("gatewayUrl", gateway.filter(|_| !private))
            .text("instructions", &self.instructions, 0..=INSTRUCTIONS)
            .range("feeBp", self.fee_bp, 0..=MOST_BP)
            .range("minCents", self.min_cents, 1..=MOST_CENTS)
            .range("maxCents", self.max_cents, 1..=MOST_CENTS)
            .that("maxCents", self.max_cents >= self.min_cents, say("不能小于单笔下限", "Must not be less than the minimum"))
            .range("sort", self.sort, 0..=MOST_SORT);
        if let Some(cap) = self.day_cap_cents {
            check.range("dayCapCents", cap, 1..=MOST_CENTS).that(
                "dayCapCents",
                cap >= self.max_cents,
                say("不能小于单笔上限", "Must not be less than the maximum of a payment"),
            );
        }
        for (field, day) in [("certExpireOn", &self.cert_expire_on), ("oldKeyUntil", &self.old_key_until)] {
            if let Some(day) = day {
                check.that(field, clock::day_start(day).is_some(), say("请填写日期", "Enter a day"));
            }
        }
        check.that(
            "oldKeyUntil",
            self.old_key_until.is_none() || provider == PayProvider::Wechat,
            say("该渠道没有旧公钥", "This provider has no old key"),
        );
        params::check(&mut check, provider, &self.params);
        check.done()
    }

    /// Checks that the platform's old key and its serial number come together, counting the parameters that are `set`,
    /// and that the serial number differs from the new key's.
    pub fn check_old_key(&self, set: &[String]) -> Result<()> {
        let has = |name: &str| self.params.contains_key(name) || set.iter().any(|known| known == name);
        let same = self.params.get("platformSerial").is_some_and(|serial| self.params.get("oldPlatformSerial") == Some(serial));
        let needed = || say("旧公钥与其序列号须一起填写", "The old key and its serial number go together");
        Check::new()
            .that("params.oldPlatformSerial", has("oldPlatformSerial") || !has("oldPlatformKey"), needed())
            .that("params.oldPlatformKey", has("oldPlatformKey") || !has("oldPlatformSerial"), needed())
            .that("params.oldPlatformSerial", !same, say("与现用的序列号相同", "The same as the current one"))
            .that("oldKeyUntil", self.old_key_until.is_none() || has("oldPlatformKey"), say("没有旧公钥", "There is no old key"))
            .done()
    }
}

/// Whether a text may be a channel's code.
pub fn is_code(text: &str) -> bool {
    (2..=CODE).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
