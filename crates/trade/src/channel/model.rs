//! The types of channels, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use crate::ledger::partner_items::Payable;
use base::codes;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::terms::cap::CapUsage;
use frame::terms::{CapRule, RuleSet};

codes! {
    /// How a channel finds applicants.
    pub enum ChannelType {
        Ads("信息流", "Feed ads"),
        H5("H5", "H5"),
        Api("API", "API"),
        Sms("短信", "SMS"),
        Organic("自然流量", "Organic"),
        Other("其他", "Other"),
    }
}

codes! {
    /// What a channel is paid for.
    pub enum SettleMode {
        None("不结算", "None"),
        /// For each visitor.
        Uv("按 UV", "Per visitor"),
        /// For each registration (CPA).
        Registered("按注册（CPA）", "Per registration"),
        /// For each accepted lead (CPL).
        AcceptedLead("按线索（CPL）", "Per accepted lead"),
        /// For a share of the loan's revenue (CPS).
        Share("按放款比例（CPS）", "Share of loans"),
    }
}

impl SettleMode {
    /// Whether the unit price is used.
    pub fn by_unit(self) -> bool {
        matches!(self, SettleMode::Uv | SettleMode::Registered | SettleMode::AcceptedLead)
    }
}

codes! {
    /// Whether a channel's leads are real: test leads go to test organisations alone, and are never billed.
    pub enum ChannelMode {
        Test("测试", "Test"),
        Live("正式", "Live"),
    }
}

codes! {
    /// The applications among which a repeated one is searched.
    #[derive(Default)]
    pub enum DedupScope {
        /// Those of the same channel.
        Channel("本渠道", "This channel"),
        /// Those of all channels.
        #[default]
        Site("全站", "All channels"),
    }
}

codes! {
    /// Whether a channel's traffic is accepted.
    pub enum ChannelStatus {
        Disabled("停用", "Disabled") -> [Enabled],
        Enabled("启用", "Enabled") -> [Paused, Disabled],
        Paused("暂停", "Paused") -> [Enabled, Disabled],
    }
}

/// A channel as lists and details show it. Its secret is not part of it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelRow {
    pub id: i64,
    pub code: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ChannelType,
    pub settle_mode: SettleMode,
    pub unit_price_cents: i64,
    /// Share of the revenue in basis points: 1250 is 12.50 %.
    pub share_bp: i64,
    pub landing_url: Option<String>,
    pub app_key: String,
    /// Until when the previous secret is or was valid, epoch milliseconds.
    pub old_secret_until: Option<i64>,
    /// Addresses and networks that may call; empty for any.
    pub ip_allow: Vec<String>,
    pub callback_url: Option<String>,
    pub mode: ChannelMode,
    pub status: ChannelStatus,
    /// Days within which a repeated applicant counts once; empty for the general setting.
    pub dedup_days: Option<i64>,
    /// The applications among which a repeated one is searched.
    pub dedup_scope: DedupScope,
    /// The fields that an application must have besides phone and name, by the names of an applicant's fields.
    pub required_fields: Vec<String>,
    /// How many applications it may send; empty for any number.
    pub caps: Vec<CapRule>,
    /// The applicants that it may send; empty for all.
    pub filters: Option<RuleSet>,
    pub owner_admin_id: Option<i64>,
    pub owner_name: Option<String>,
    pub remark: String,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// A channel with its current figures.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelNow {
    #[serde(flatten)]
    #[ts(flatten)]
    pub channel: ChannelRow,
    /// The usage of each cap that applies now.
    pub usage: Vec<CapUsage>,
    /// The amount payable to it; only for a single channel, and for viewers who may see the journal or statements of
    /// channels.
    pub payable: Option<Payable>,
}

/// An address of a channel as a QR code.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelQr {
    pub address: String,
    /// The path that draws it on a square of this size.
    pub path: String,
    pub size: i64,
}

/// A choice of a channel.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelOption {
    pub value: i64,
    pub label: String,
    /// The fields that an application must have besides phone and name; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub required_fields: Vec<String>,
    /// Its applicants are not distributed; absent for a live channel.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub test: bool,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChannelFilters {
    /// A part of a code or a name.
    pub keyword: Option<String>,
    #[serde(rename = "type")]
    pub kind: Option<ChannelType>,
    pub settle_mode: Option<SettleMode>,
    pub mode: Option<ChannelMode>,
    pub status: Option<ChannelStatus>,
    #[serde(deserialize_with = "lenient_integer")]
    pub owner_admin_id: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for ChannelFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "c.created_at"),
        ("updatedAt", "c.updated_at"),
        ("code", "c.code"),
        ("name", "c.name"),
        ("unitPriceCents", "c.unit_price_cents"),
        ("status", "c.status"),
    ];
    const ID: &'static str = "c.id";
}

/// A new channel, as the form sends it. It begins enabled, in test mode.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct NewChannel {
    /// 8 to 32 of `A-Z a-z 0-9 _ -`; never changes.
    pub code: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ChannelType,
    pub settle_mode: SettleMode,
    #[serde(default)]
    pub unit_price_cents: i64,
    #[serde(default)]
    pub share_bp: i64,
    pub landing_url: Option<String>,
    #[serde(default)]
    pub ip_allow: Vec<String>,
    pub callback_url: Option<String>,
    pub dedup_days: Option<i64>,
    /// Absent: the whole site.
    #[serde(default)]
    pub dedup_scope: DedupScope,
    /// Names of an applicant's fields.
    #[serde(default)]
    pub required_fields: Vec<String>,
    #[serde(default)]
    pub caps: Vec<CapRule>,
    pub filters: Option<RuleSet>,
    /// Empty for no manager; viewers who see only their own channels become its manager.
    pub owner_admin_id: Option<i64>,
    #[serde(default)]
    pub remark: String,
}

/// A changed channel, with all fields, and the version that the form was opened on.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ChannelEdit {
    pub id: i64,
    pub version: i64,
    /// May be included, but not changed.
    pub code: Option<String>,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ChannelType,
    pub settle_mode: SettleMode,
    #[serde(default)]
    pub unit_price_cents: i64,
    #[serde(default)]
    pub share_bp: i64,
    pub landing_url: Option<String>,
    #[serde(default)]
    pub ip_allow: Vec<String>,
    pub callback_url: Option<String>,
    pub dedup_days: Option<i64>,
    /// Absent: the whole site.
    #[serde(default)]
    pub dedup_scope: DedupScope,
    /// Names of an applicant's fields.
    #[serde(default)]
    pub required_fields: Vec<String>,
    #[serde(default)]
    pub caps: Vec<CapRule>,
    pub filters: Option<RuleSet>,
    pub owner_admin_id: Option<i64>,
    #[serde(default)]
    pub remark: String,
}

/// A change of status.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: ChannelStatus,
}

/// The channel that gets a new secret, and how long the old one stays valid.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ChannelSecretChange {
    pub id: i64,
    pub version: i64,
    /// 0 to 720 hours, in which both are valid; absent: 24.
    pub overlap_hours: Option<i64>,
}

/// The channel whose old secret ends at once.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelSecretEnd {
    pub id: i64,
    pub version: i64,
}

/// A change of mode.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelModeChange {
    pub id: i64,
    pub version: i64,
    pub mode: ChannelMode,
}

/// The key and secret with which a channel signs its calls. The secret is shown only here.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelSecret {
    pub id: i64,
    pub app_key: String,
    pub app_secret: String,
    /// Until when the previous one is valid, epoch milliseconds; none if there is none.
    pub old_secret_until: Option<i64>,
}
