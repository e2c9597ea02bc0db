//! The types of administrators: rows, forms and filters.

use serde::{Deserialize, Serialize};

use frame::access::AdminStatus;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};

/// A role of an account, named in the viewer's language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleRef {
    pub id: i64,
    pub name: String,
}

/// An administrator as lists and details show it. Times are epoch milliseconds.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AdminRow {
    pub id: i64,
    pub username: String,
    pub real_name: String,
    pub phone_mask: Option<String>,
    pub email: Option<String>,
    /// None for the platform's own staff.
    pub org_id: Option<i64>,
    pub org_name: Option<String>,
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    pub status: AdminStatus,
    pub roles: Vec<RoleRef>,
    pub must_change_pwd: bool,
    /// Whether signing in also needs a code of an authenticator.
    pub second_factor: bool,
    pub last_login_at: Option<i64>,
    pub last_login_ip: Option<String>,
    pub builtin: bool,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

impl AdminRow {
    /// The names of its roles, as one text.
    pub fn role_names(&self) -> String {
        self.roles.iter().map(|role| role.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Whether the account holds this role.
    pub fn holds(&self, role_id: i64) -> bool {
        self.roles.iter().any(|role| role.id == role_id)
    }
}

/// The organisation whose newest accounts are read.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LatestAccountsQuery {
    pub org_id: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AdminFilters {
    /// A part of the user name or real name, or a whole phone.
    pub keyword: Option<String>,
    /// Computed from the keyword, with the keys of this installation.
    #[serde(skip)]
    pub phone_hash: Option<String>,
    pub status: Option<AdminStatus>,
    #[serde(deserialize_with = "lenient_integer")]
    pub role_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for AdminFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "a.created_at"),
        ("username", "a.username"),
        ("realName", "a.real_name"),
        ("status", "a.status"),
        // The engines sort NULL differently; an account that never signed in counts as the oldest.
        ("lastLoginAt", "COALESCE(a.last_login_at, 0)"),
    ];
    const ID: &'static str = "a.id";
}

/// A new account.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct AdminForm {
    /// 3 to 32 of `a-z 0-9 . _ -`; capitals are lowered.
    pub username: String,
    pub real_name: String,
    pub phone: Option<String>,
    pub email: Option<String>,
    /// Absent: the platform, or the viewer's own organisation.
    pub org_id: Option<i64>,
    pub sub_org_id: Option<i64>,
    pub role_ids: Vec<i64>,
}

/// A change of an account. The user name cannot change.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct AdminUpdate {
    pub id: i64,
    /// As read; the change is refused if another person was faster.
    pub version: i64,
    pub real_name: String,
    /// Absent or empty to keep the stored one, which the form does not show in full.
    pub phone: Option<String>,
    pub email: Option<String>,
    pub org_id: Option<i64>,
    pub sub_org_id: Option<i64>,
    pub role_ids: Vec<i64>,
}

/// A change of an account's status to `disabled` or `enabled`.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct AdminStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: AdminStatus,
}

/// The open work of an account, which goes to others when the account is disabled.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct AdminOpenWork {
    /// Open clues that it owns.
    pub clues: i64,
    /// Its open or snoozed conversations of the customer chat.
    pub conversations: i64,
}

/// An account in the version that the viewer saw.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct AdminVersion {
    pub id: i64,
    pub version: i64,
}

/// The answer to a new account: its initial password, shown only here.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct AdminCreated {
    pub id: i64,
    pub password: String,
}

/// A generated password, shown only here.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct MadePassword {
    pub password: String,
}

/// A whole phone.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedPhone {
    /// None if the account has no phone.
    pub phone: Option<String>,
}
