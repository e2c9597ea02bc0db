//! The types of plans, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::approval::PlanTerms;
use crate::ledger::account::Funds;
use crate::product::Audience;
use base::codes;
use frame::access::Viewer;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::api::{Check, ListFilters};
use frame::decision::{Awaits, OpenDecision};
use frame::places;
use frame::terms::cap::CapUsage;
use frame::terms::{CapRule, PriceRule, RuleSet, Schedule};

codes! {
    /// How a lead reaches the buyer.
    pub enum DeliverMode {
        /// It appears in the back office.
        BackOffice("后台查看", "Back office"),
        /// By a call, with the organisation's delivery settings.
        Api("API 推送", "API"),
        /// A short message announces it.
        Sms("短信通知", "SMS"),
        Crm("CRM", "CRM"),
    }
}

codes! {
    /// How many buyers a lead may have.
    pub enum SaleMode {
        Exclusive("独享", "Exclusive"),
        Shared("共享", "Shared"),
    }
}

codes! {
    /// What happens to a lead that comes while the plan is closed.
    pub enum OutOfSchedule {
        /// It goes to another plan.
        Skip("跳过", "Skip"),
        /// It waits until the plan opens.
        Hold("等待开放", "Hold until open"),
    }
}

codes! {
    /// The status of a plan.
    pub enum PlanStatus {
        Draft("草稿", "Draft") -> [Pending],
        Pending("待审", "Pending"),
        Running("投放中", "Running") -> [Paused, Ended],
        Paused("已暂停", "Paused") -> [Running, Ended],
        Ended("已结束", "Ended"),
        Rejected("已驳回", "Rejected") -> [Draft],
    }
}

codes! {
    /// Why a plan is paused.
    pub enum PauseReason {
        /// A person paused it.
        Manual("手动暂停", "Paused manually"),
        NoBalance("余额不足", "Insufficient balance"),
        Expired("投放到期", "Past its end date"),
        ApiErrors("接口异常", "Delivery errors"),
        Licence("资质过期", "Licence expired"),
    }
}

/// The reason why a running plan takes no leads at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum Hold {
    /// Its first day is in the future.
    NotStarted,
    /// Its last day is over.
    Over,
    /// Closed at this hour.
    Closed,
    /// A cap has no room.
    Capped,
    /// The organisation is not active.
    Organisation,
    /// The organisation's licence is missing or over.
    Licence,
    /// The product is not online.
    Product,
    /// The organisation's delivery settings are off.
    Delivery,
    /// The organisation's funds do not cover a lead.
    Balance,
}

/// A plan as it is stored.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanRow {
    pub id: i64,
    /// `PL20260131-` and six letters or digits.
    pub no: String,
    pub name: String,
    pub org_id: i64,
    pub org_name: String,
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    pub product_id: Option<i64>,
    pub product_name: Option<String>,
    pub status: PlanStatus,
    pub pause_reason: Option<PauseReason>,
    pub reject_note: Option<String>,
    pub deliver_mode: DeliverMode,
    pub sale_mode: SaleMode,
    /// The first price whose rules hold for an applicant; otherwise `price_cents`.
    pub max_buyers: i64,
    pub price_cents: i64,
    /// The first whose rules hold for an applicant gives the price; else it is `price_cents`.
    pub price_rules: Vec<PriceRule>,
    /// The smallest is asked first.
    pub method_priority: i64,
    pub weight: i64,
    pub exposure_weight: i64,
    /// Codes of cities; empty for all.
    pub cities: Vec<String>,
    /// Channels; empty for all.
    pub channel_allow: Vec<i64>,
    pub channel_deny: Vec<i64>,
    /// The applicants that it takes; empty for all.
    pub rule_set: Option<RuleSet>,
    /// Days within which the organisation buys an applicant once; empty for the general setting.
    pub dedup_days: Option<i64>,
    /// Its opening hours; empty for always.
    pub schedule: Option<Schedule>,
    pub out_of_schedule: OutOfSchedule,
    /// `YYYY-MM-DD`; both days are included.
    pub starts_on: Option<String>,
    pub ends_on: Option<String>,
    /// How many leads it takes; empty for any number.
    pub caps: Vec<CapRule>,
    /// The organisation is asked, by the phone's hash, before it gets a lead.
    pub match_required: bool,
    /// What the organisation may change by itself: the price within these bounds; empty for none.
    pub own_price_least_cents: Option<i64>,
    pub own_price_most_cents: Option<i64>,
    /// Caps that allow at most so many leads a day; empty for none.
    pub own_day_most: Option<i64>,
    pub own_hours: bool,
    pub own_cities: bool,
    /// It may pause the plan, and resume what it paused.
    pub own_pause: bool,
    /// The organisation paused it.
    pub paused_by_org: bool,
    pub remark: String,
    /// The open decision by a second person: on the start of the plan, or on a change of its terms.
    pub decision: Option<OpenDecision>,
    /// The proposed terms that wait for a decision; until then the present ones hold.
    pub change: Option<PlanTerms>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

impl PlanRow {
    /// Whether the plan, or one of its prices, uses the person's past.
    pub fn asks_past(&self) -> bool {
        self.rule_set.iter().chain(self.price_rules.iter().map(|price| &price.rules)).any(RuleSet::asks_past)
    }

    /// The lowest price of the plan.
    pub fn least_cents(&self) -> i64 {
        self.price_rules.iter().map(|rule| rule.price_cents).fold(self.price_cents, i64::min)
    }
}

/// A plan with its current figures.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanNow {
    #[serde(flatten)]
    #[ts(flatten)]
    pub plan: PlanRow,
    /// Its organisation is in test mode: it buys only leads of test channels, at no price.
    pub test: bool,
    /// The usage of each cap that applies now.
    pub usage: Vec<CapUsage>,
    /// The funds of its organisation.
    pub funds: Funds,
    /// The reasons why it takes no leads at present; empty if it does, and if it is not running.
    pub holds: Vec<Hold>,
    /// The names of the team and the product in the proposed change.
    pub change_names: Option<PlanChangeNames>,
    /// The audience of its product.
    #[serde(skip)]
    #[ts(skip)]
    #[schemars(skip)]
    pub audience: Audience,
}

/// The names in a change of terms; empty if there are none.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanChangeNames {
    pub sub_org_name: Option<String>,
    pub product_name: Option<String>,
}

impl PlanNow {
    /// The reason why it takes no lead at a price, while it may take cheaper ones.
    pub fn holds_at(&self, cents: i64) -> Option<Hold> {
        if !self.test && self.funds.available_cents < cents {
            return Some(Hold::Balance);
        }
        self.usage.iter().any(|usage| usage.is_full(cents)).then_some(Hold::Capped)
    }
}

/// Running plans with a cap that has no room for one more lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CapsFull {
    Yes,
}

/// Running plans that take no leads because of their organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// It is not active.
    Organisation,
    /// It has no valid licence.
    Licence,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PlanFilters {
    /// The beginning of a number, or a part of a name.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub sub_org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub product_id: Option<i64>,
    /// A channel whose leads it may buy.
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    /// A city in which it buys, including plans for all cities.
    pub city: Option<String>,
    pub status: Option<PlanStatus>,
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
    pub pause_reason: Option<PauseReason>,
    pub caps_full: Option<CapsFull>,
    pub stopped_by: Option<StoppedBy>,
    pub deliver_mode: Option<DeliverMode>,
    pub sale_mode: Option<SaleMode>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    /// When the list was requested, for [`CapsFull`] and [`StoppedBy`].
    #[serde(skip)]
    pub now: i64,
}

impl ListFilters for PlanFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "p.created_at"),
        ("updatedAt", "p.updated_at"),
        ("no", "p.no"),
        ("name", "p.name"),
        ("priceCents", "p.price_cents"),
        ("methodPriority", "p.method_priority"),
        // The engines disagree about where NULL sorts.
        ("endsOn", "COALESCE(p.ends_on, '')"),
        ("status", "p.status"),
    ];
    const ID: &'static str = "p.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "plan/list/audit");
    }

    fn apply_defaults(&mut self, now: i64) {
        self.now = now;
    }

    fn check(&self, check: &mut Check) {
        places::check_typed(check, "city", self.city.as_deref());
    }
}

/// The form of a plan. A new one begins as a draft.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PlanForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one.
    pub version: Option<i64>,
    pub name: String,
    /// Never changes.
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub product_id: Option<i64>,
    pub deliver_mode: DeliverMode,
    pub sale_mode: SaleMode,
    /// 2 to 5 of a shared plan.
    pub max_buyers: Option<i64>,
    pub price_cents: i64,
    #[serde(default)]
    pub price_rules: Vec<PriceRule>,
    pub method_priority: i64,
    pub weight: i64,
    pub exposure_weight: i64,
    #[serde(default)]
    pub cities: Vec<String>,
    #[serde(default)]
    pub channel_allow: Vec<i64>,
    #[serde(default)]
    pub channel_deny: Vec<i64>,
    pub rule_set: Option<RuleSet>,
    pub dedup_days: Option<i64>,
    pub schedule: Option<Schedule>,
    pub out_of_schedule: OutOfSchedule,
    pub starts_on: Option<String>,
    pub ends_on: Option<String>,
    #[serde(default)]
    pub caps: Vec<CapRule>,
    pub match_required: bool,
    /// What the organisation may change by itself: the price within these bounds; both, or neither.
    pub own_price_least_cents: Option<i64>,
    pub own_price_most_cents: Option<i64>,
    /// Caps that allow at most so many leads a day.
    pub own_day_most: Option<i64>,
    #[serde(default)]
    pub own_hours: bool,
    #[serde(default)]
    pub own_cities: bool,
    #[serde(default)]
    pub own_pause: bool,
    #[serde(default)]
    pub remark: String,
}

/// What an organisation changes of its plan by itself. A value without a bound is sent as it is.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanOwnForm {
    pub id: i64,
    pub version: i64,
    pub price_cents: i64,
    pub caps: Vec<CapRule>,
    /// Codes of cities; empty for all.
    pub cities: Vec<String>,
    /// Opening hours; empty for always.
    pub schedule: Option<Schedule>,
}

/// A step of a plan: submitted (`pending`), withdrawn (`draft`), paused, resumed (`running`) or ended.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: PlanStatus,
}

/// A plan in the version that the request names.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PlanVersion {
    pub id: i64,
    pub version: i64,
}
