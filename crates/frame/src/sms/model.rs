//! What the record of short messages is, on the wire and in words.

use serde::{Deserialize, Serialize};

use super::kind::SmsKind;
use crate::api::ListFilters;
use crate::api::list::{day_from, day_to};
use base::codes;

codes! {
    /// What became of a message.
    pub enum SmsState {
        /// It waits for its next try; nobody has it.
        Waiting("待发送", "Waiting"),
        /// It was handed over: the provider has it, or the file.
        Accepted("已提交", "Submitted"),
        /// The provider says that it arrived.
        Delivered("已送达", "Delivered"),
        /// The provider says that it will not.
        Undelivered("未送达", "Not delivered"),
        /// It was refused, or its tries ran out; a person may have it tried again, or give it up.
        Failed("发送失败", "Failed"),
        /// Nobody knows whether the provider has it.
        Unconfirmed("待核实", "Unconfirmed"),
        /// It was worth nothing any more before it could be handed over.
        Expired("已过期", "Expired"),
        /// A person has given it up.
        GivenUp("已放弃", "Given up"),
    }
}

codes! {
    /// By what a message left the house.
    pub enum SmsWay {
        /// A provider's.
        Provider("短信服务商", "Provider"),
        /// The file, without the phone's middle and any digit: codes reach nobody.
        File("日志文件（已掩码）", "Log file, masked"),
        /// The file, in clear.
        ClearFile("日志文件（明文）", "Log file, plain text"),
    }
}

/// Where messages go as things are set.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SmsRoute {
    pub way: SmsWay,
    /// The provider's host; none where there is no provider.
    pub host: Option<String>,
    /// There is a provider and no key to sign with: nothing is sent.
    pub key_missing: bool,
}

/// A message as lists and details show it. Neither its text nor the whole phone is kept.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SmsRow {
    pub id: i64,
    /// `SMS-7`: what the provider is told.
    pub no: String,
    pub kind: SmsKind,
    pub phone_mask: String,
    pub state: SmsState,
    /// None until it left.
    pub way: Option<SmsWay>,
    /// The provider's own number of it.
    pub provider_no: Option<String>,
    /// A word for what went wrong last, ours or the provider's.
    pub last_error: Option<String>,
    /// All tries there were.
    pub tries: i64,
    /// Epoch milliseconds, as all moments here. From then on it is worth nothing.
    pub expires_at: Option<i64>,
    /// When it was handed over.
    pub accepted_at: Option<i64>,
    /// The moment of the newest report on its delivery.
    pub reported_at: Option<i64>,
    /// Who had it sent; none of what the program sends by itself.
    pub creator_name: Option<String>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// What narrows the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SmsFilters {
    /// A whole phone, or a number of the message: ours, or the provider's.
    pub keyword: Option<String>,
    /// Set from the keyword, by the keys of this installation.
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

/// A message in the version that is meant.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SmsVersion {
    pub id: i64,
    pub version: i64,
}

/// Where a test message goes.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SmsTest {
    /// A mainland mobile number.
    pub phone: String,
}
