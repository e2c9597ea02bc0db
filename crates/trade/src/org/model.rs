//! The types of organisations, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use super::terms::OrgTerms;
use crate::compliance::CheckRow;
use base::codes;
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_text, day_to, lenient_integer};
use frame::decision::OpenDecision;

codes! {
    /// The kind of buyer.
    pub enum OrgType {
        Bank("银行", "Bank"),
        ConsumerFinance("消费金融", "Consumer finance"),
        MicroLoan("小额贷款", "Micro-loan"),
        Broker("助贷中介", "Broker"),
        Other("其他", "Other"),
    }
}

codes! {
    /// The status of the business with an organisation.
    pub enum OrgStatus {
        /// Not yet approved.
        Pending("待审", "Pending") -> [Active],
        Active("合作中", "Active") -> [Paused],
        Paused("暂停", "Paused") -> [Active, Terminated],
        /// Ended, with nothing owed.
        Terminated("终止", "Terminated"),
    }
}

codes! {
    /// How an organisation pays.
    pub enum BillMode {
        /// From its balance.
        Prepaid("预付", "Prepaid"),
        /// Afterwards, up to its credit limit.
        Credit("授信", "Credit"),
    }
}

codes! {
    /// Whether an organisation's purchases are real: a test organisation buys leads of test channels alone, and pays
    /// for none.
    pub enum OrgMode {
        Test("测试", "Test"),
        Live("正式", "Live"),
    }
}

/// An organisation as lists and details show it. Phones are masked.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgRow {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub short_name: String,
    #[serde(rename = "type")]
    pub kind: OrgType,
    pub status: OrgStatus,
    pub mode: OrgMode,
    /// Number of the licence to lend or to broker.
    pub licence_no: Option<String>,
    /// Its last day, `YYYY-MM-DD`.
    pub licence_expire_on: Option<String>,
    pub licence_file_id: Option<i64>,
    pub licence_file_name: Option<String>,
    pub contact_name: String,
    pub contact_phone_mask: Option<String>,
    pub province: String,
    pub city: String,
    pub address: String,
    pub bill_mode: BillMode,
    pub credit_limit_cents: i64,
    /// The balance below which it is warned; 0 for the general setting.
    pub low_balance_cents: i64,
    /// Masks of the phones that are warned of a low balance.
    pub alert_phones: Vec<String>,
    pub return_allowed: bool,
    /// Days after a sale within which a lead may be returned.
    pub return_max_days: i64,
    /// The share of leads that may be returned, in basis points: 1000 is 10 %.
    pub return_max_bp: i64,
    /// Returns within the rules are approved automatically.
    pub return_auto: bool,
    pub payee_org_id: Option<i64>,
    pub payee_org_name: Option<String>,
    /// The platform's account manager.
    pub owner_admin_id: Option<i64>,
    pub owner_name: Option<String>,
    /// The terms that await approval.
    pub proposed: Option<OrgTerms>,
    pub decision: Option<OpenDecision>,
    /// Accounts that proposed the delivery settings that await approval; empty where none do.
    pub delivery_makers: Vec<i64>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// An organisation with its balance.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgNow {
    #[serde(flatten)]
    #[ts(flatten)]
    pub org: OrgRow,
    /// Fen; none for viewers who see no accounts.
    pub balance_cents: Option<i64>,
    /// What it can spend now.
    pub available_cents: Option<i64>,
}

/// Which proposal of an organisation awaits approval, as a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrgAwaits {
    /// Credit and return terms.
    Terms,
    /// Delivery settings.
    Delivery,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OrgFilters {
    /// A part of a code, a name, a short name or a contact's name, or the contact's whole phone.
    pub keyword: Option<String>,
    /// Computed from the keyword, with the keys of this installation.
    #[serde(skip)]
    pub phone_hash: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<OrgType>,
    pub status: Option<OrgStatus>,
    pub mode: Option<OrgMode>,
    pub bill_mode: Option<BillMode>,
    pub city: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub owner_admin_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_org_id: Option<i64>,
    /// Last days of licences, `YYYY-MM-DD`.
    #[serde(deserialize_with = "day_text")]
    pub licence_from: Option<String>,
    #[serde(deserialize_with = "day_text")]
    pub licence_to: Option<String>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    pub awaits: Option<OrgAwaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
}

impl ListFilters for OrgFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "o.created_at"),
        ("updatedAt", "o.updated_at"),
        ("code", "o.code"),
        ("name", "o.name"),
        ("creditLimitCents", "o.credit_limit_cents"),
        // The engines disagree about where NULL sorts.
        ("licenceExpireOn", "COALESCE(o.licence_expire_on, '')"),
        ("status", "o.status"),
    ];
    const ID: &'static str = "o.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        let point = match self.awaits {
            Some(OrgAwaits::Terms) => "org/list/audit",
            Some(OrgAwaits::Delivery) => "org/list/apiAudit",
            None => return,
        };
        self.own_of = viewer.has(point).then_some(viewer.id);
    }
}

/// The form of an organisation. A new one begins pending.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct OrgForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one.
    pub version: Option<i64>,
    /// 2 to 32 of `A-Z a-z 0-9 _ -`; never changes.
    pub code: String,
    pub name: String,
    pub short_name: String,
    #[serde(rename = "type")]
    pub kind: OrgType,
    pub mode: OrgMode,
    pub licence_no: Option<String>,
    pub licence_expire_on: Option<String>,
    /// A picture uploaded for the kind of record `org_licence`, or the present one.
    pub licence_file_id: Option<i64>,
    #[serde(default)]
    pub contact_name: String,
    /// Absent or empty to keep the stored one, which the form does not show in full.
    pub contact_phone: Option<String>,
    #[serde(default)]
    pub city: String,
    #[serde(default)]
    pub address: String,
    pub bill_mode: BillMode,
    #[serde(default)]
    pub credit_limit_cents: i64,
    #[serde(default)]
    pub low_balance_cents: i64,
    /// Whole phones; the mask of a stored one keeps it.
    #[serde(default)]
    pub alert_phones: Vec<String>,
    pub return_allowed: bool,
    #[serde(default)]
    pub return_max_days: i64,
    #[serde(default)]
    pub return_max_bp: i64,
    #[serde(default)]
    pub return_auto: bool,
    pub payee_org_id: Option<i64>,
    /// Empty for no manager; viewers who see only their own organisations become its manager.
    pub owner_admin_id: Option<i64>,
}

/// A change of status.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: OrgStatus,
}

/// What the first activation of an organisation needs: a check that passed and is still valid.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgCheck {
    pub passed: bool,
    /// The latest check.
    pub check: Option<CheckRow>,
}

/// The whole phones of an organisation.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedOrg {
    /// None if there is none.
    pub contact_phone: Option<String>,
    pub alert_phones: Vec<String>,
}
