//! Customers of the chat in answers, filters and forms.

use serde::{Deserialize, Serialize};

use crate::codes::{ConversationStatus, CustomerSource, PhoneState};
use base::codes;
use base::db::JsonText;
use base::locale::Locale;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;

codes! {
    /// Whether a customer may write.
    pub enum CustomerStatus {
        Active("正常", "Active") -> [Blocked],
        Blocked("已拉黑", "Blocked") -> [Active],
        Erased("已注销", "Erased"),
    }
}

/// A customer as lists and details show them.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CustomerRow {
    pub id: i64,
    pub nickname: String,
    pub source: CustomerSource,
    pub phone_mask: String,
    /// None without a number. Only customers enter numbers, on the visitors' page.
    pub phone_state: Option<PhoneState>,
    /// When a code proved that the number belongs to them.
    pub phone_verified_at: Option<i64>,
    pub remark: String,
    #[sqlx(try_from = "JsonText<Vec<String>>")]
    pub tags: Vec<String>,
    pub status: CustomerStatus,
    /// The newest application with their phone; it is certainly theirs only if the phone is verified.
    pub user_id: Option<i64>,
    pub user_no: Option<String>,
    pub conversations: i64,
    /// The last conversation, and its status.
    pub conversation_id: Option<i64>,
    pub conversation_status: Option<ConversationStatus>,
    /// When they agreed to the processing of their data.
    pub consented_at: Option<i64>,
    /// The words that they agreed to, their language (`zh-CN`, `en-US`) and their version, the SHA-256 of the words; none of
    /// customers who came before these were kept.
    pub consent_text: Option<String>,
    pub consent_locale: Option<String>,
    pub consent_version: Option<String>,
    pub last_inbound_at: Option<i64>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CustomerFilters {
    /// The beginning of a name, or a whole phone number.
    pub keyword: Option<String>,
    /// The hash of a whole number that was typed.
    #[serde(skip)]
    pub phone_hash: Option<String>,
    pub source: Option<CustomerSource>,
    pub status: Option<CustomerStatus>,
    /// Customers with a verified number, or with an unverified one.
    pub phone_state: Option<PhoneState>,
    /// One tag.
    pub tag: Option<String>,
    /// Customers who follow this official account.
    #[serde(deserialize_with = "lenient_integer")]
    pub wechat_id: Option<i64>,
    /// Customers with the phone number of this application.
    #[serde(deserialize_with = "lenient_integer")]
    pub user_id: Option<i64>,
    #[serde(deserialize_with = "frame::api::list::day_from")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "frame::api::list::day_to")]
    pub created_to: Option<i64>,
}

impl ListFilters for CustomerFilters {
    const SORTS: &'static [(&'static str, &'static str)] =
        &[("lastInboundAt", "k.last_inbound_at"), ("createdAt", "k.created_at"), ("nickname", "k.nickname")];
    const ID: &'static str = "k.id";
}

/// The fields of a customer that staff write.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct CustomerBody {
    pub id: i64,
    pub version: i64,
    pub nickname: String,
    pub remark: String,
    pub tags: Vec<String>,
}

/// A change of status: a customer is blocked or let in again.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct CustomerStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: CustomerStatus,
}

/// The hidden data of a customer.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedCustomer {
    /// None of a customer who has given no number.
    pub phone: Option<String>,
    /// The whole remark; none where it is shown as it is.
    pub remark: Option<String>,
}

/// A phone number in files. For an unverified one the text says that it is the customer's own statement.
pub fn phone_text(phone_mask: &str, state: Option<PhoneState>, locale: Locale) -> String {
    match (state, locale) {
        (Some(PhoneState::Unverified), Locale::Chinese) => format!("自称 {phone_mask}，未验证"),
        (Some(PhoneState::Unverified), Locale::English) => format!("says it is {phone_mask}, not verified"),
        _ => phone_mask.to_owned(),
    }
}
