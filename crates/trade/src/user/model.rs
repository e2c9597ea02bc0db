//! The types of applicants, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::check::CheckResult;
use crate::match_log::PassedOver;
use crate::visit::System;
use base::codes;
use base::mask;
use frame::api::list::{day_from, day_to, lenient_integer, yuan};
use frame::api::{Check, ListFilters, YesNo, say};

codes! {
    /// The status of an applicant.
    pub enum UserStatus {
        /// Came from a channel in test mode; never sold.
        Registered("已注册", "Registered"),
        /// Complete; a round is due.
        Completed("资料完成", "Completed"),
        /// Plans are being looked for.
        Matching("匹配中", "Matching"),
        /// At least one organisation has bought the lead, or is about to.
        Distributed("已分发", "Distributed"),
        /// No plan took the lead.
        Unmatched("未匹配", "Unmatched"),
        /// Came before.
        Duplicate("重复", "Duplicate"),
        /// On the blacklist.
        Blocked("黑名单", "Blocked"),
        /// The channel may not bring the applicant, or a member of staff marked the applicant invalid.
        Invalid("无效", "Invalid"),
        /// Personal data is wiped.
        Erased("已注销", "Erased"),
    }
}

codes! {
    /// Why a member of staff marks an applicant invalid. If the phone or the answers are false, the phone counts as
    /// known, as after an accepted application; otherwise the person may come again at once.
    pub enum InvalidReason {
        /// No person answers the phone, or the number does not exist.
        WrongNumber("空号或无法接通", "Wrong number"),
        /// Another person uses the phone.
        WrongPerson("非本人", "Wrong person"),
        /// The applicant asks for no loan.
        NoDemand("无贷款需求", "No demand"),
        /// The answers are made up.
        FalseData("资料虚假", "False information"),
        Other("其他", "Other"),
    }
}

codes! {
    /// The state of an applicant's consent.
    pub enum ConsentState {
        Given("有效", "Valid"),
        /// All consents were withdrawn.
        Withdrawn("已撤回", "Withdrawn"),
    }
}

codes! {
    /// Who withdrew a consent.
    pub enum WithdrawnVia {
        Staff("后台", "Staff"),
        Channel("渠道接口", "Channel API"),
    }
}

/// An applicant as lists show it: masked.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct UserRow {
    pub id: i64,
    /// `U20260131-` and eight letters or digits.
    pub no: String,
    pub name_mask: String,
    pub phone_mask: String,
    pub id_no_mask: Option<String>,
    pub province: String,
    pub city: String,
    /// `male`, `female` or `unknown`; none without an answer.
    pub sex: Option<String>,
    pub age: Option<i64>,
    /// The amount asked for, in fen.
    pub amount_cents: Option<i64>,
    /// Rating by organisations: 0 to 3.
    pub star: Option<i64>,
    pub channel_id: i64,
    pub channel_name: String,
    pub product_id: Option<i64>,
    pub product_name: Option<String>,
    pub system: System,
    /// From a channel in test mode.
    pub test: bool,
    pub status: UserStatus,
    /// The reason of the status, as a code; see the checks.
    pub reason: Option<String>,
    /// Why a member of staff marked the applicant invalid.
    pub invalid_reason: Option<InvalidReason>,
    /// When the consent was withdrawn, if none holds any more.
    pub consent_withdrawn_at: Option<i64>,
    /// How many rounds were made.
    pub rounds: i64,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// An applicant in the list.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ListedUser {
    #[serde(flatten)]
    #[ts(flatten)]
    pub user: UserRow,
    /// The reason that stopped the most plans in the latest round, for viewers who see matches; none if the applicant was sold
    /// in it, or if it is from before this was kept.
    pub main_reason: Option<PassedOver>,
    /// The applicant's field whose conditions stopped the most plans, if that reason is conditions.
    pub main_condition: Option<String>,
}

/// The consent of an applicant.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct UserConsent {
    pub agreement: String,
    pub version: String,
    /// SHA-256 of the text that the applicant read, in hex, by the register.
    pub text_hash: String,
    /// Names of the organisations that the consent names.
    pub recipients: Vec<String>,
    /// The consent names the class of all partners instead.
    pub all_partners: bool,
    pub granted_at: i64,
    pub ip: String,
    pub user_agent: String,
    /// When it was withdrawn, or when the applicant was erased.
    pub revoked_at: Option<i64>,
    /// None if the consent holds, or if its applicant was erased.
    pub revoked_via: Option<WithdrawnVia>,
}

/// An applicant with all stored data, masked.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct UserDetail {
    #[serde(flatten)]
    #[ts(flatten)]
    pub user: UserRow,
    /// The answers, by the names of an applicant's fields.
    #[ts(type = "Record<string, string | number | boolean>")]
    pub said: Map<String, Value>,
    /// The checks at intake and their results.
    pub checks: Vec<CheckResult>,
    pub consents: Vec<UserConsent>,
    pub client_ip: String,
    pub user_agent: String,
    /// The applicant's device, masked; none if it is not known.
    pub device_mask: Option<String>,
    pub source_url: Option<String>,
    /// The channel's own number.
    pub request_id: Option<String>,
    /// Who entered the applicant by hand.
    pub entered_by: Option<String>,
    /// The note of the mark as invalid.
    pub invalid_note: Option<String>,
}

/// The identity of an applicant, whole.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedUser {
    pub phone: String,
    pub name: String,
    pub id_no: Option<String>,
    /// In the form of the blacklist.
    pub device_id: Option<String>,
}

impl RevealedUser {
    /// A text without the applicant's identity, and without long numbers.
    pub fn hidden_in(&self, text: &str) -> String {
        let mut shown = text.replace(self.phone.as_str(), &mask::phone(&self.phone));
        if !self.name.is_empty() {
            shown = shown.replace(self.name.as_str(), &mask::name(&self.name));
        }
        if let Some(id_no) = &self.id_no {
            shown = shown.replace(id_no.as_str(), &mask::id_no(id_no));
        }
        if let Some(device) = &self.device_id {
            shown = shown.replace(device.as_str(), &mask::device(device));
        }
        mask::numbers(&shown)
    }
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UserFilters {
    /// A whole phone or identity number, or the applicant's number.
    pub keyword: Option<String>,
    /// Computed from the keyword, with the keys of this installation.
    #[serde(skip)]
    pub keyword_hash: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub product_id: Option<i64>,
    pub status: Option<UserStatus>,
    pub invalid_reason: Option<InvalidReason>,
    pub main_reason: Option<PassedOver>,
    /// The applicant's field whose conditions were the main reason.
    pub main_condition: Option<String>,
    pub consent: Option<ConsentState>,
    /// The agreement that a consent names.
    #[serde(deserialize_with = "lenient_integer")]
    pub agreement_id: Option<i64>,
    pub city: Option<String>,
    /// `male`, `female` or `unknown`.
    pub sex: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub age_min: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub age_max: Option<i64>,
    /// The amount applied for, in yuan as people type them; fen here.
    #[serde(deserialize_with = "yuan")]
    #[schemars(with = "Option<String>")]
    pub amount_min: Option<i64>,
    #[serde(deserialize_with = "yuan")]
    #[schemars(with = "Option<String>")]
    pub amount_max: Option<i64>,
    /// The organisation that bought the lead, even if it returned it later; only leads that the viewer may see count.
    #[serde(deserialize_with = "lenient_integer")]
    pub buyer_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub star: Option<i64>,
    /// `yes` for applicants of channels in test mode, `no` for the others.
    pub test: Option<YesNo>,
    /// `yes` for applicants whose rounds keep failing, `no` for the others.
    pub failing: Option<YesNo>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for UserFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "u.created_at"),
        ("updatedAt", "u.updated_at"),
        // The engines disagree about where NULL sorts.
        ("amountCents", "COALESCE(u.amount_cents, 0)"),
        ("age", "COALESCE(u.age, 0)"),
    ];
    const ID: &'static str = "u.id";

    fn check(&self, check: &mut Check) {
        for (field, least, most) in [("ageMax", self.age_min, self.age_max), ("amountMax", self.amount_min, self.amount_max)] {
            let is_range = least.zip(most).is_none_or(|(least, most)| least <= most);
            check.that(field, is_range, say("不能小于最小值", "Must not be less than the minimum"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_nobody() {
        let person = RevealedUser {
            phone: "10000030001".into(),
            name: "张小三".into(),
            id_no: Some("11010519491231002X".into()),
            device_id: Some("A1b2C3d4E5f6".into()),
        };
        let hidden = person.hidden_in("张小三 10000030001 说他的号码是 13812345678，证件 11010519491231002X，设备 A1b2C3d4E5f6");
        assert_eq!(hidden, "张** 100****0001 说他的号码是 138****5678，证件 1101***********02X，设备 A1b2****E5f6");
    }
}
