//! The delivery settings of an organisation on the wire: the settings, their keys and their form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use base::codes;
use frame::decision::OpenDecision;

codes! {
    /// How what is sent is sealed.
    pub enum OrgCrypto {
        None("不加密", "None"),
        /// With one key that both sides have.
        Aes("AES", "AES"),
        /// With a key made for each message, which goes along under the organisation's public key.
        RsaAes("RSA + AES", "RSA + AES"),
    }
}

codes! {
    /// Whether leads go this way.
    pub enum DeliveryStatus {
        Enabled("启用", "Enabled"),
        Disabled("停用", "Disabled"),
    }
}

/// A key without its content, by which people recognise it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgKey {
    /// Tells keys apart, and nothing of them.
    pub fingerprint: String,
    /// Epoch milliseconds.
    pub added_at: i64,
    /// Until when it is accepted beside its successor; none for the key in use.
    pub valid_until: Option<i64>,
    /// Whether it awaits approval.
    pub is_proposed: bool,
    /// Of proposed settings that replace the key: hours for which it is accepted from the approval on, 0 where it ends then.
    pub overlap_hours: Option<i64>,
}

/// The delivery settings of an organisation. Its keys are not part of them.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgApi {
    /// The organisation's.
    pub id: i64,
    pub match_url: Option<String>,
    pub apply_url: Option<String>,
    pub query_url: Option<String>,
    pub crypto: OrgCrypto,
    /// The key in use, and the one before it while that is valid.
    pub keys: Vec<OrgKey>,
    /// What our fields are called there.
    pub field_map: BTreeMap<String, String>,
    /// What values of our fields are called there.
    pub value_map: BTreeMap<String, BTreeMap<String, String>>,
    pub match_ok_expr: String,
    pub apply_ok_expr: String,
    /// Which answer of `query_url` says that it has a lead, and which that it has not. Any other says nothing.
    pub query_ok_expr: String,
    pub query_none_expr: String,
    /// Which answer of any address that is no yes says that they know the person already. Beside it, some
    /// words that organisations use are understood.
    pub known_expr: String,
    pub timeout_ms: i64,
    pub retry_max: i64,
    pub status: DeliveryStatus,
    /// The settings that await approval.
    pub proposed: Option<Box<OrgApi>>,
    pub decision: Option<OpenDecision>,
    /// 0 when there are none yet.
    pub version: i64,
}

/// The form of the delivery settings.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct OrgApiForm {
    /// The organisation's.
    pub id: i64,
    /// As read; 0 when there were none.
    pub version: i64,
    pub match_url: Option<String>,
    pub apply_url: Option<String>,
    pub query_url: Option<String>,
    pub crypto: OrgCrypto,
    /// A new key; absent or empty keeps the one that awaits approval for the same encryption, else the one in use.
    pub key: Option<String>,
    /// Hours for which the key before stays valid beside the new one.
    #[serde(default)]
    pub overlap_hours: i64,
    #[serde(default)]
    pub field_map: BTreeMap<String, String>,
    #[serde(default)]
    pub value_map: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    pub match_ok_expr: String,
    #[serde(default)]
    pub apply_ok_expr: String,
    #[serde(default)]
    pub query_ok_expr: String,
    #[serde(default)]
    pub query_none_expr: String,
    #[serde(default)]
    pub known_expr: String,
    pub timeout_ms: i64,
    pub retry_max: i64,
    pub status: DeliveryStatus,
}

/// What an organisation begins with.
pub fn blank(org_id: i64) -> OrgApi {
    OrgApi {
        id: org_id,
        match_url: None,
        apply_url: None,
        query_url: None,
        crypto: OrgCrypto::None,
        keys: Vec::new(),
        field_map: BTreeMap::new(),
        value_map: BTreeMap::new(),
        match_ok_expr: String::new(),
        apply_ok_expr: String::new(),
        query_ok_expr: String::new(),
        query_none_expr: String::new(),
        known_expr: String::new(),
        timeout_ms: 10_000,
        retry_max: 3,
        status: DeliveryStatus::Disabled,
        proposed: None,
        decision: None,
        version: 0,
    }
}
