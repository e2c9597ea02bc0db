//! The rules of a product's fields.

use super::model::{ApplyMode, ProductCategory, ProductForm};
use super::window;
use base::canonical;
use base::form_limits;
use frame::api::check::present;
use frame::api::{ApiError, Check, Result, Say, say};
use frame::places;
use frame::terms::choices::Choices;
use frame::terms::rule_set::Of;
use frame::terms::{self, CapRule, RuleSet, cap};

form_limits! {
    /// Of a product.
    product {
        CODE: usize = 32,
        LENDER_NAME: usize = 64,
        /// Highest amount of a loan, in fen: a hundred million yuan.
        pub MOST_CENTS: i64 = 10_000_000_000,
        MOST_CITIES: usize = 400,
        /// Longest term: fifty years.
        MOST_MONTHS: i64 = 600,
        /// Highest price of a visitor, in fen: ten thousand yuan.
        pub MOST_PRICE_CENTS: i64 = 1_000_000,
        MOST_SORT: i64 = 999_999,
        MOST_TAGS: usize = 10,
        NAME: usize = 64,
        REQUIREMENTS: usize = 2000,
        /// Characters of a tag.
        TAG: usize = 12,
    }
}

/// A product's fields as people enter them, tidied: texts trimmed, empty ones absent.
#[derive(Clone, Debug)]
pub struct Form {
    pub code: String,
    pub name: String,
    pub org_id: i64,
    pub logo_file_id: Option<i64>,
    pub category: ProductCategory,
    pub apply_mode: ApplyMode,
    /// None for a product without an address.
    pub jump_url: Option<String>,
    pub min_amount_cents: i64,
    pub max_amount_cents: i64,
    pub min_term_months: i64,
    pub max_term_months: i64,
    pub annual_rate_min_bp: i64,
    pub annual_rate_max_bp: i64,
    pub lender_name: String,
    pub tags: Vec<String>,
    pub requirements: String,
    pub uv_price_cents: i64,
    pub sort: i64,
    pub cities: Vec<String>,
    pub rule_set: Option<RuleSet>,
    pub online_from: Option<String>,
    pub online_to: Option<String>,
    pub caps: Vec<CapRule>,
}

impl Form {
    /// Tidies a body.
    pub fn of(body: ProductForm) -> Form {
        let texts = |texts: Vec<String>| texts.into_iter().filter_map(|text| present(Some(text))).collect();
        Form {
            code: body.code.trim().to_owned(),
            name: canonical::trimmed(&body.name).to_owned(),
            org_id: body.org_id,
            logo_file_id: body.logo_file_id,
            category: body.category,
            apply_mode: body.apply_mode,
            jump_url: present(body.jump_url).filter(|_| body.apply_mode.leads_away()),
            min_amount_cents: body.min_amount_cents,
            max_amount_cents: body.max_amount_cents,
            min_term_months: body.min_term_months,
            max_term_months: body.max_term_months,
            annual_rate_min_bp: body.annual_rate_min_bp,
            annual_rate_max_bp: body.annual_rate_max_bp,
            lender_name: canonical::trimmed(&body.lender_name).to_owned(),
            tags: texts(body.tags),
            requirements: body.requirements.trim().to_owned(),
            uv_price_cents: body.uv_price_cents,
            sort: body.sort,
            cities: places::tidy(body.cities),
            rule_set: body.rule_set,
            online_from: present(body.online_from),
            online_to: present(body.online_to),
            caps: body.caps,
        }
    }

    /// Reports every wrong field.
    pub fn check(&self, choices: &Choices) -> Result<()> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let code = (2..=CODE).contains(&self.code.len()) && self.code.bytes().all(plain);
        let mut check = Check::new();
        check
            .that("code", code, say("2 到 32 位字母、数字、- 或 _", "2 to 32 letters, digits, - or _"))
            .name("name", &self.name, 1..=NAME)
            .that("jumpUrl", !self.apply_mode.leads_away() || self.jump_url.is_some(), say("必填", "Required"))
            .public_address("jumpUrl", self.jump_url.as_deref())
            .name("lenderName", &self.lender_name, 0..=LENDER_NAME)
            .text("requirements", &self.requirements, 0..=REQUIREMENTS)
            .range("uvPriceCents", self.uv_price_cents, 0..=MOST_PRICE_CENTS)
            .range("sort", self.sort, 0..=MOST_SORT);
        let (amounts, terms) = ((self.min_amount_cents, self.max_amount_cents), (self.min_term_months, self.max_term_months));
        span(&mut check, ("minAmountCents", "maxAmountCents"), amounts, (1, MOST_CENTS));
        span(&mut check, ("minTermMonths", "maxTermMonths"), terms, (1, MOST_MONTHS));
        span(&mut check, ("annualRateMinBp", "annualRateMaxBp"), (self.annual_rate_min_bp, self.annual_rate_max_bp), (0, 10_000));
        list(&mut check, "tags", &self.tags, MOST_TAGS, TAG);
        places::check_list(&mut check, "cities", &self.cities, MOST_CITIES);
        self.window(&mut check);
        terms::add_faults(&mut check, "caps", &cap::wrong(&self.caps));
        if let Some(rules) = &self.rule_set {
            terms::add_faults(&mut check, "ruleSet", &rules.wrong(Of::Visitor, choices));
        }
        check.done()
    }

    /// Both ends of the day's window or neither.
    fn window(&self, check: &mut Check) {
        let time = |text: &Option<String>| text.as_deref().is_none_or(|text| window::minutes(text).is_some());
        let format = || say("时间格式为 HH:MM", "The time format is HH:MM");
        let both = self.online_from.is_some() == self.online_to.is_some();
        check
            .that("onlineFrom", time(&self.online_from), format())
            .that("onlineTo", time(&self.online_to), format())
            .that(
                if self.online_from.is_none() { "onlineFrom" } else { "onlineTo" },
                both,
                say("开始和结束都要填写", "Enter both a start and an end"),
            )
            .that(
                "onlineTo",
                self.online_from.is_none() || self.online_from != self.online_to,
                say("结束不能等于开始；全天请留空", "The end cannot equal the start; leave both empty for all day"),
            );
    }

    /// The obstacles to going online, by field: no lender, no rate, or one above the limit.
    pub fn unfit(&self, max_rate_bp: i64) -> Vec<(String, Say)> {
        unfit(&self.lender_name, self.annual_rate_max_bp, max_rate_bp)
    }
}

/// See [`Form::unfit`].
pub fn unfit(lender_name: &str, annual_rate_max_bp: i64, limit_bp: i64) -> Vec<(String, Say)> {
    let mut unfit = Vec::new();
    if lender_name.is_empty() {
        unfit.push(("lenderName".to_owned(), say("上架的产品必须写明放款机构", "A product that is online must name its lender")));
    }
    let percent = |bp: i64| format!("{}.{:02}%", bp / 100, bp % 100);
    let message = match annual_rate_max_bp {
        0 => say("上架的产品必须写明年化利率", "A product that is online must show its annual rate"),
        rate if rate > limit_bp => say(
            format!("最高年化利率 {} 高于上限 {}", percent(rate), percent(limit_bp)),
            format!("The maximum annual rate of {} is above the limit of {}", percent(rate), percent(limit_bp)),
        ),
        _ => return unfit,
    };
    unfit.push(("annualRateMaxBp".to_owned(), message));
    unfit
}

/// The same as one refusal.
pub fn refusal(unfit: &[(String, Say)]) -> Option<ApiError> {
    use base::locale::Locale::{Chinese, English};
    let text = |locale, between| unfit.iter().map(|(_, message)| message.get(locale)).collect::<Vec<_>>().join(between);
    (!unfit.is_empty()).then(|| ApiError::State(say(text(Chinese, "；"), text(English, "; "))))
}

/// Two bounds in range, the lower one first.
fn span(check: &mut Check, (low, high): (&str, &str), (from, to): (i64, i64), (least, most): (i64, i64)) {
    check.range(low, from, least..=most).range(high, to, least..=most).that(
        high,
        from <= to,
        say("不能小于下限", "Must not be below the minimum"),
    );
}

/// Up to so many different texts, each of such a length.
fn list(check: &mut Check, field: &str, texts: &[String], most: usize, longest: usize) {
    let distinct = texts.iter().enumerate().all(|(index, text)| !texts[..index].contains(text));
    check
        .that(field, texts.len() <= most, say(format!("最多 {most} 个"), format!("At most {most}")))
        .that(
            field,
            texts.iter().all(|text| text.chars().count() <= longest),
            say(format!("每个最多 {longest} 个字符"), format!("At most {longest} characters each")),
        )
        .that(field, distinct, say("有重复", "Duplicate entry"));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn form(changes: Value) -> Form {
        let mut body = json!({
            "code": "north-credit", "name": "N", "orgId": 1, "category": "credit", "applyMode": "jump", "jumpUrl": "https://example.com/a",
            "minAmountCents": 100, "maxAmountCents": 100, "minTermMonths": 3, "maxTermMonths": 36
        });
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        Form::of(serde_json::from_value(body).unwrap())
    }

    fn wrong(changes: Value) -> Vec<String> {
        match form(changes).check(&Choices::default()) {
            Err(ApiError::Fields(fields)) => fields.into_iter().map(|(name, _)| name).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn good_fields_pass() {
        for good in [
            json!({}),
            json!({"jumpUrl": "http://example.com"}),
            json!({"applyMode": "lead", "jumpUrl": null}),
            json!({"onlineFrom": "22:00", "onlineTo": "06:00", "tags": [" 快 ", ""], "cities": ["杭州", "上海"]}),
            json!({"annualRateMinBp": 720, "annualRateMaxBp": 3600}),
        ] {
            assert_eq!(wrong(good.clone()), [""; 0], "{good}");
        }
        assert_eq!(form(json!({"applyMode": "api"})).jump_url, None, "what leads nowhere has no address");
        assert_eq!(form(json!({"tags": [" 快 ", ""]})).tags, ["快"]);
    }

    #[test]
    fn every_wrong_field_is_named() {
        for (bad, field) in [
            (json!({"code": "a"}), "code"),
            (json!({"code": "a b"}), "code"),
            (json!({"name": " "}), "name"),
            (json!({"jumpUrl": " "}), "jumpUrl"),
            (json!({"jumpUrl": "https://10.0.0.1/"}), "jumpUrl"),
            (json!({"jumpUrl": "https://user@example.com/"}), "jumpUrl"),
            (json!({"jumpUrl": "javascript:alert(1)"}), "jumpUrl"),
            (json!({"minAmountCents": 0}), "minAmountCents"),
            (json!({"minAmountCents": 101}), "maxAmountCents"),
            (json!({"minTermMonths": 37}), "maxTermMonths"),
            (json!({"annualRateMinBp": 1}), "annualRateMaxBp"),
            (json!({"annualRateMaxBp": 10_001}), "annualRateMaxBp"),
            (json!({"onlineFrom": "09:00"}), "onlineTo"),
            (json!({"onlineTo": "09:00"}), "onlineFrom"),
            (json!({"onlineFrom": "09:00", "onlineTo": "09:00"}), "onlineTo"),
            (json!({"onlineFrom": "9", "onlineTo": "10:00"}), "onlineFrom"),
            (json!({"tags": ["a", "a"]}), "tags"),
            (json!({"tags": ["0123456789abc"]}), "tags"),
            (json!({"cities": ["某地"]}), "cities"),
            (json!({"uvPriceCents": -1}), "uvPriceCents"),
            (json!({"ruleSet": {"all": []}}), "ruleSet"),
        ] {
            assert_eq!(wrong(bad.clone()), [field], "{bad}");
        }
    }

    #[test]
    fn obstacles_to_going_online_are_named_by_field() {
        let fields = |lender: &str, rate| unfit(lender, rate, 2400).into_iter().map(|(field, _)| field).collect::<Vec<_>>();
        assert_eq!(fields("北辰", 2400), [""; 0]);
        assert_eq!(fields("北辰", 2401), ["annualRateMaxBp"]);
        assert_eq!(fields("", 0), ["lenderName", "annualRateMaxBp"]);
        let Some(ApiError::State(text)) = refusal(&unfit("", 2450, 2400)) else { panic!("refused") };
        assert_eq!(
            text.get(base::locale::Locale::English),
            "A product that is online must name its lender; The maximum annual rate of 24.50% is above the limit of 24.00%"
        );
    }
}
