//! The types of products, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use crate::compliance::CheckRow;
use base::codes;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::api::{Check, ListFilters};
use frame::places;
use frame::terms::{CapRule, RuleSet};

codes! {
    /// The security of a loan.
    pub enum ProductCategory {
        /// The applicant's credit.
        Credit("信用贷", "Credit"),
        /// House.
        Mortgage("房抵", "Mortgage"),
        /// Car.
        Car("车抵", "Car"),
        /// Business.
        Business("企业贷", "Business"),
        /// Housing fund.
        Fund("公积金", "Housing fund"),
        /// Life insurance.
        Policy("保单", "Policy"),
    }
}

codes! {
    /// The way from a product to its application.
    pub enum ApplyMode {
        /// On the organisation's own page.
        Jump("H5 跳转", "H5 redirect"),
        /// Through the organisation's interface.
        Api("API", "API"),
        /// With the platform's form.
        Lead("表单", "Lead form"),
        /// In the organisation's app.
        Download("下载 App", "Download"),
    }
}

impl ApplyMode {
    /// Whether it has an address.
    pub fn leads_away(self) -> bool {
        matches!(self, ApplyMode::Jump | ApplyMode::Download)
    }
}

codes! {
    /// Whether a product is shown to applicants.
    pub enum ProductStatus {
        /// Not yet.
        Draft("草稿", "Draft") -> [Online],
        Online("上架", "Online") -> [Offline],
        Offline("下架", "Offline") -> [Online, Archived],
        /// Never again.
        Archived("归档", "Archived"),
    }
}

/// A product as lists and details show it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ProductRow {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub org_id: i64,
    pub org_name: String,
    pub logo_file_id: Option<i64>,
    pub logo_file_name: Option<String>,
    pub category: ProductCategory,
    pub apply_mode: ApplyMode,
    /// For a jump and a download.
    pub jump_url: Option<String>,
    pub min_amount_cents: i64,
    pub max_amount_cents: i64,
    pub min_term_months: i64,
    pub max_term_months: i64,
    /// Simple annual interest in basis points: 720 is 7.20 %.
    pub annual_rate_min_bp: i64,
    pub annual_rate_max_bp: i64,
    /// The lender.
    pub lender_name: String,
    pub tags: Vec<String>,
    /// The requirements on applicants, as shown to them.
    pub requirements: String,
    /// The price of a visitor.
    pub uv_price_cents: i64,
    /// The smallest is shown first.
    pub sort: i64,
    /// The cities in which it is shown; empty for all.
    pub cities: Vec<String>,
    /// The applicants who see it; empty for all.
    pub rule_set: Option<RuleSet>,
    /// The time of day at which it is shown, `HH:MM` in Shanghai; empty for the whole day. An end before the
    /// beginning is on the day after.
    pub online_from: Option<String>,
    pub online_to: Option<String>,
    /// How many visitors it takes; empty for any number.
    pub caps: Vec<CapRule>,
    pub status: ProductStatus,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// The reason, beside its status, why a product is not shown at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum ProductHold {
    /// The organisation is not active.
    Organisation,
    /// It is not shown at this hour.
    Closed,
    /// A cap has no room.
    Capped,
}

/// A product with what stops it at present.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ProductNow {
    #[serde(flatten)]
    #[ts(flatten)]
    pub product: ProductRow,
    /// Its organisation is in test mode: only visitors of test channels see it.
    pub test: bool,
    /// The reasons, beside its status, why it is not shown at present.
    pub holds: Vec<ProductHold>,
}

/// What a product needs to go online: a check of its present state that passed and is still valid.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct ProductCheck {
    pub passed: bool,
    /// It has changed since the latest check.
    pub changed: bool,
    /// The latest check.
    pub check: Option<CheckRow>,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ProductFilters {
    /// A part of a code, a name or a lender's name.
    pub keyword: Option<String>,
    pub category: Option<ProductCategory>,
    pub apply_mode: Option<ApplyMode>,
    pub status: Option<ProductStatus>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    /// A city where it is shown, by its code or its name.
    pub city: Option<String>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for ProductFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "p.created_at"),
        ("updatedAt", "p.updated_at"),
        ("code", "p.code"),
        ("name", "p.name"),
        ("uvPriceCents", "p.uv_price_cents"),
        ("annualRateMaxBp", "p.annual_rate_max_bp"),
        ("sort", "p.sort"),
        ("status", "p.status"),
    ];
    const ID: &'static str = "p.id";

    fn check(&self, check: &mut Check) {
        places::check_typed(check, "city", self.city.as_deref());
    }
}

/// The form of a product. A new one begins as a draft.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ProductForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one.
    pub version: Option<i64>,
    /// 2 to 32 of `A-Z a-z 0-9 _ -`; never changes.
    pub code: String,
    pub name: String,
    /// An active organisation, or the present one.
    pub org_id: i64,
    /// A picture uploaded for the kind of record `product_logo`, or the present one.
    pub logo_file_id: Option<i64>,
    pub category: ProductCategory,
    pub apply_mode: ApplyMode,
    pub jump_url: Option<String>,
    pub min_amount_cents: i64,
    pub max_amount_cents: i64,
    pub min_term_months: i64,
    pub max_term_months: i64,
    #[serde(default)]
    pub annual_rate_min_bp: i64,
    #[serde(default)]
    pub annual_rate_max_bp: i64,
    #[serde(default)]
    pub lender_name: String,
    #[serde(default)]
    pub tags: Vec<String>,
    #[serde(default)]
    pub requirements: String,
    #[serde(default)]
    pub uv_price_cents: i64,
    #[serde(default)]
    pub sort: i64,
    #[serde(default)]
    pub cities: Vec<String>,
    pub rule_set: Option<RuleSet>,
    pub online_from: Option<String>,
    pub online_to: Option<String>,
    #[serde(default)]
    pub caps: Vec<CapRule>,
}

/// A change of status.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ProductStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: ProductStatus,
}
