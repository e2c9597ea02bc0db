//! Official accounts in answers, filters and forms.

use serde::{Deserialize, Serialize};

use base::codes::UseStatus;
use base::db::Flag;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;

/// An official account as lists and details show it. Its keys are never shown.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct WechatRow {
    pub id: i64,
    pub name: String,
    pub app_id: String,
    /// Whether WeChat encrypts the messages that it delivers.
    #[sqlx(try_from = "Flag")]
    pub encrypted: bool,
    /// Where new conversations go.
    pub group_id: i64,
    pub group_name: String,
    /// The template message that invites a customer to write again after 48 hours; empty for none.
    pub template_id: String,
    /// The field of the template that takes the text, and the text.
    pub template_field: String,
    pub template_text: String,
    /// Where WeChat delivers messages: a path of this site.
    #[sqlx(skip)]
    pub callback_path: String,
    /// When WeChat last checked that address.
    pub verified_at: Option<i64>,
    /// When a delivery of WeChat was last taken, to the minute.
    pub received_at: Option<i64>,
    /// When one was last refused, and why: the keys here and at WeChat may differ.
    pub refused_at: Option<i64>,
    pub refusal: String,
    /// Why WeChat gave no token the last time: its words, or the code of a reason; empty after it gave one.
    pub token_error: String,
    /// Customers who follow the account.
    pub followers: i64,
    pub status: UseStatus,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WechatFilters {
    /// A part of a name or of an app id.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub group_id: Option<i64>,
    pub status: Option<UseStatus>,
}

impl ListFilters for WechatFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "w.created_at"), ("name", "w.name")];
    const ID: &'static str = "w.id";
}

/// The form of an official account. A new one is disabled.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct WechatBody {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one.
    pub version: Option<i64>,
    pub name: String,
    /// Of a new one; it never changes.
    pub app_id: Option<String>,
    /// Absent or empty: as it is stored.
    pub app_secret: Option<String>,
    /// Of the callback. Absent or empty: as it is stored.
    pub token: Option<String>,
    #[serde(default)]
    pub encrypted: bool,
    /// 43 letters and digits. Absent or empty: as it is stored.
    pub aes_key: Option<String>,
    pub group_id: i64,
    #[serde(default)]
    pub template_id: String,
    #[serde(default)]
    pub template_field: String,
    #[serde(default)]
    pub template_text: String,
}

/// An official account whose keys are tried.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct WechatKey {
    pub id: i64,
}

/// The secrets of an official account, as they are sealed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WechatKeys {
    pub app_secret: String,
    pub token: String,
    /// Empty where messages come in clear.
    pub aes_key: String,
}
