//! The types of the record of short messages, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use super::kind::SmsKind;
use crate::api::ListFilters;
use crate::api::list::{day_from, day_to};
use base::codes;

codes! {
    /// The state of a message.
    pub enum SmsState {
        /// It waits for its next try; it has not been handed over.
        Waiting("待发送", "Waiting"),
        /// It was handed over: the provider has it, or the file.
        Accepted("已提交", "Submitted"),
        /// The provider reported that it arrived.
        Delivered("已送达", "Delivered"),
        /// The provider reported that it will not arrive.
        Undelivered("未送达", "Not delivered"),
        /// It was refused, or its tries ran out; a person may start them again, or give up.
        Failed("发送失败", "Failed"),
        /// It is unknown whether the provider has it.
        Unconfirmed("待核实", "Unconfirmed"),
        /// It expired before it could be handed over.
        Expired("已过期", "Expired"),
        /// A person gave it up.
        GivenUp("已放弃", "Given up"),
    }
}

codes! {
    /// The way by which a message was sent.
    pub enum SmsWay {
        /// By a provider.
        Provider("短信服务商", "Provider"),
        /// The file, without the phone's middle and without digits: codes are not readable.
        File("日志文件（已掩码）", "Log file, masked"),
        /// The file, in clear.
        ClearFile("日志文件（明文）", "Log file, plain text"),
    }
}

/// The destination of messages by the settings.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SmsRoute {
    pub way: SmsWay,
    /// The provider's host; none if there is no provider.
    pub host: Option<String>,
    /// There is a provider but no key for the signature: nothing is sent.
    pub key_missing: bool,
}

/// A message as lists and details show it. Neither its text nor the whole phone is stored.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SmsRow {
    pub id: i64,
    /// `SMS-7`: the number sent to the provider.
    pub no: String,
    pub kind: SmsKind,
    pub phone_mask: String,
    pub state: SmsState,
    /// None until it was sent.
    pub way: Option<SmsWay>,
    /// The provider's own number of it.
    pub provider_no: Option<String>,
    /// A code of the last failure, the platform's or the provider's.
    pub last_error: Option<String>,
    /// All tries so far.
    pub tries: i64,
    /// Epoch milliseconds, as all moments here. From then on it is not sent any more.
    pub expires_at: Option<i64>,
    /// When it was handed over.
    pub accepted_at: Option<i64>,
    /// The moment of the newest report on its delivery.
    pub reported_at: Option<i64>,
    /// Who sent it; none for messages of the program itself.
    pub creator_name: Option<String>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SmsFilters {
    /// A whole phone, or a number of the message: the platform's, or the provider's.
    pub keyword: Option<String>,
    /// Computed from the keyword, with the keys of this installation.
    #[serde(skip)]
    pub keyword_hash: Option<String>,
    pub kind: Option<SmsKind>,
    pub state: Option<SmsState>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for SmsFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "s.created_at")];
    const ID: &'static str = "s.id";
}

/// A message in the version that the request names.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SmsVersion {
    pub id: i64,
    pub version: i64,
}

/// The recipient of a test message.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SmsTest {
    /// A mainland mobile number.
    pub phone: String,
}
