//! The rules of a plan's fields.

use super::approval::PlanTerms;
use super::model::{PlanForm, SaleMode};
use base::canonical;
use base::clock;
use base::form_limits;
use frame::api::check::present_day;
use frame::api::{Check, Result, say};
use frame::places;
use frame::terms::choices::Choices;
use frame::terms::price::{self, MOST_CENTS};
use frame::terms::rule_set::Of;
use frame::terms::{self, Schedule, cap};

form_limits! {
    /// Of a plan.
    plan {
        /// Buyers of a lead that is shared.
        LEAST_BUYERS: i64 = 2,
        MOST_BUYERS: i64 = 5,
        MOST_CITIES: usize = 400,
        MOST_DEDUP_DAYS: i64 = 3650,
        MOST_EXPOSURE_WEIGHT: i64 = 100,
        MOST_PRIORITY: i64 = 9999,
        MOST_WEIGHT: i64 = 100,
        NAME: usize = 64,
        REMARK: usize = 500,
    }
}

/// Most channels.
const MOST_CHANNELS: usize = 200;

/// A plan's fields as people enter them, tidied: texts trimmed, empty ones absent, duplicates removed.
#[derive(Clone, Debug)]
pub struct Form {
    pub name: String,
    pub org_id: i64,
    pub terms: PlanTerms,
    pub remark: String,
}

impl Form {
    /// Tidies a body.
    pub fn of(body: PlanForm) -> Form {
        let shared = body.sale_mode == SaleMode::Shared;
        Form {
            name: canonical::trimmed(&body.name).to_owned(),
            org_id: body.org_id,
            terms: PlanTerms {
                sub_org_id: body.sub_org_id,
                product_id: body.product_id,
                deliver_mode: body.deliver_mode,
                sale_mode: body.sale_mode,
                max_buyers: if shared { body.max_buyers.unwrap_or(0) } else { 1 },
                price_cents: body.price_cents,
                price_rules: body.price_rules,
                method_priority: body.method_priority,
                weight: body.weight,
                exposure_weight: body.exposure_weight,
                cities: places::tidy(body.cities),
                channel_allow: once(body.channel_allow),
                channel_deny: once(body.channel_deny),
                rule_set: body.rule_set,
                dedup_days: body.dedup_days,
                schedule: body.schedule,
                out_of_schedule: body.out_of_schedule,
                starts_on: present_day(body.starts_on),
                ends_on: present_day(body.ends_on),
                caps: body.caps,
                match_required: body.match_required,
                own_price_least_cents: body.own_price_least_cents,
                own_price_most_cents: body.own_price_most_cents,
                own_day_most: body.own_day_most,
                own_hours: body.own_hours,
                own_cities: body.own_cities,
                own_pause: body.own_pause,
            },
            remark: body.remark.trim().to_owned(),
        }
    }

    /// Reports every wrong field, and tidies the right ones.
    pub fn check(&mut self, choices: &Choices) -> Result<()> {
        let is_day = |day: &Option<String>| day.as_deref().is_none_or(|day| clock::day_start(day).is_some());
        let ordered = !matches!((&self.terms.starts_on, &self.terms.ends_on), (Some(from), Some(to)) if from > to);
        let mut check = Check::new();
        check
            .name("name", &self.name, 1..=NAME)
            .range("methodPriority", self.terms.method_priority, 1..=MOST_PRIORITY)
            .range("weight", self.terms.weight, 1..=MOST_WEIGHT)
            .range("exposureWeight", self.terms.exposure_weight, 0..=MOST_EXPOSURE_WEIGHT)
            .that("startsOn", is_day(&self.terms.starts_on), say("请选择日期", "Choose a date"))
            .that("endsOn", is_day(&self.terms.ends_on), say("请选择日期", "Choose a date"))
            .that("endsOn", ordered, say("结束日期不能早于开始日期", "The end date cannot be before the start date"))
            .text("remark", &self.remark, 0..=REMARK);
        if self.terms.sale_mode == SaleMode::Shared {
            check.range("maxBuyers", self.terms.max_buyers, LEAST_BUYERS..=MOST_BUYERS);
        }
        if let Some(days) = self.terms.dedup_days {
            check.range("dedupDays", days, 0..=MOST_DEDUP_DAYS);
        }
        for (field, ids) in [("channelAllow", &self.terms.channel_allow), ("channelDeny", &self.terms.channel_deny)] {
            check.that(field, ids.len() <= MOST_CHANNELS, say(format!("最多 {MOST_CHANNELS} 个"), format!("At most {MOST_CHANNELS}")));
        }
        let both = self.terms.channel_allow.iter().any(|id| self.terms.channel_deny.contains(id));
        check.that("channelDeny", !both, say("同一渠道不能既允许又禁止", "A channel cannot be both allowed and denied"));
        check_own(&mut check, &self.terms);
        self.check_bounds(&mut check);
        self.check_terms(&mut check, choices);
        check.done()?;
        tidy(&mut self.terms);
        Ok(())
    }

    /// The bounds of what the organisation changes by itself.
    fn check_bounds(&self, check: &mut Check) {
        let (least, most) = (self.terms.own_price_least_cents, self.terms.own_price_most_cents);
        check.that(
            "ownPriceMostCents",
            least.is_some() == most.is_some(),
            say("最低价和最高价须一起填写", "Enter both the lowest and the highest price, or neither"),
        );
        if let (Some(least), Some(most)) = (least, most) {
            check.range("ownPriceLeastCents", least, 1..=MOST_CENTS).range("ownPriceMostCents", most, 1..=MOST_CENTS).that(
                "ownPriceMostCents",
                least <= most,
                say("最高价不能低于最低价", "The highest price cannot be below the lowest"),
            );
        }
        if let Some(most) = self.terms.own_day_most {
            check.range("ownDayMost", most, 1..=cap::MOST_COUNT);
        }
    }

    fn check_terms(&self, check: &mut Check, choices: &Choices) {
        if let Some(rules) = &self.terms.rule_set {
            terms::add_faults(check, "ruleSet", &rules.wrong(Of::Applicant, choices));
        }
        terms::add_faults(check, "priceRules", &price::wrong(&self.terms.price_rules, choices));
    }
}

/// The rules of the terms that an organisation may be allowed to change by itself.
pub(super) fn check_own(check: &mut Check, of: &PlanTerms) {
    check.range("priceCents", of.price_cents, 1..=MOST_CENTS);
    places::check_list(check, "cities", &of.cities, MOST_CITIES);
    terms::add_faults(check, "caps", &cap::wrong(&of.caps));
    if let Some(schedule) = &of.schedule {
        terms::add_faults(check, "schedule", &schedule.wrong());
    }
}

/// Brings checked terms into the order in which they are stored.
pub(super) fn tidy(terms: &mut PlanTerms) {
    terms.caps = cap::tidy(std::mem::take(&mut terms.caps));
    terms.schedule = terms.schedule.take().map(Schedule::tidy);
}

/// The items in their order, without repetitions.
pub fn once<Item: PartialEq>(items: Vec<Item>) -> Vec<Item> {
    items.into_iter().fold(Vec::new(), |mut kept, item| {
        if !kept.contains(&item) {
            kept.push(item);
        }
        kept
    })
}
