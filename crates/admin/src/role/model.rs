//! The types of roles: rows, forms and filters.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::access::AdminStatus;
use frame::access::DataScope;
use frame::access::menu::MenuNode;
use frame::api::ListFilters;

codes! {
    /// Whether a role can be used.
    pub enum RoleStatus {
        Disabled("停用", "Disabled"),
        Enabled("启用", "Enabled"),
    }
}

/// A role as lists show it. Times are epoch milliseconds.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleRow {
    pub id: i64,
    pub code: String,
    /// Its name in the viewer's language.
    pub label: String,
    /// In Chinese.
    pub name: String,
    pub name_en: String,
    pub data_scope: DataScope,
    /// Name of the first page for its people; empty for the first of their menu.
    pub default_route: Option<String>,
    /// That page's title, in the viewer's language.
    pub default_page: Option<String>,
    /// Its place among the choices of roles.
    pub sort: i64,
    pub status: RoleStatus,
    pub builtin: bool,
    /// How many accounts hold it, of those in the viewer's scope.
    pub accounts: i64,
    /// Whether the viewer may change it: it is not built in, not one of the viewer's own, and not wider than those.
    pub editable: bool,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// A role in full.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleDetail {
    #[serde(flatten)]
    pub row: RoleRow,
    /// Ids of the granted menus and points, without those for everyone.
    pub menu_ids: Vec<i64>,
}

/// A role of an account, with what it lets the account do.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct HeldRole {
    pub id: i64,
    /// Its name in the viewer's language.
    pub label: String,
    pub status: RoleStatus,
    pub data_scope: DataScope,
    /// The granted menus and points, in the viewer's language.
    pub menu: Vec<MenuNode>,
}

/// An account that holds a role.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleHolder {
    pub id: i64,
    pub username: String,
    pub real_name: String,
    /// None for the platform's own staff.
    pub org_name: Option<String>,
    pub status: AdminStatus,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RoleFilters {
    /// A part of a code or a name.
    pub keyword: Option<String>,
    pub status: Option<RoleStatus>,
    pub data_scope: Option<DataScope>,
}

impl ListFilters for RoleFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "r.created_at"),
        ("sort", "r.sort"),
        ("code", "r.code"),
        ("name", "r.name"),
        ("status", "r.status"),
        ("updatedAt", "r.updated_at"),
    ];
    const ID: &'static str = "r.id";
}

/// A new role.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleForm {
    /// 2 to 32 of `a-z 0-9 _`, a letter first.
    pub code: String,
    pub name: String,
    pub name_en: String,
    pub data_scope: DataScope,
    pub default_route: Option<String>,
    /// 0 to 9999.
    pub sort: i64,
    /// Menus and points to grant; the menus above them are added.
    pub menu_ids: Option<Vec<i64>>,
    /// The role whose grants are copied if `menuIds` is absent.
    pub copy_of: Option<i64>,
}

/// A change of a role. The code cannot change.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleUpdate {
    pub id: i64,
    /// As read; the change is refused if another person was faster.
    pub version: i64,
    pub name: String,
    pub name_en: String,
    pub data_scope: DataScope,
    pub default_route: Option<String>,
    pub sort: i64,
    /// Absent to keep the grants.
    pub menu_ids: Option<Vec<i64>>,
}

/// The new grants of a role, in place of the present ones.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleGrant {
    pub id: i64,
    pub version: i64,
    /// Menus and points; the menus above them are added.
    pub menu_ids: Vec<i64>,
}

/// A change of a role's status.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: RoleStatus,
}
