//! Nodes of the menu as their editor sees them.

use serde::{Deserialize, Serialize};

/// A node of the menu, whether switched on or off.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MenuEntry {
    pub id: i64,
    pub parent_id: Option<i64>,
    /// 1 a menu, 2 a permission point.
    #[serde(rename = "type")]
    pub kind: u8,
    /// The name of the route, or the code of the point.
    pub name: String,
    /// The address of the page, or the code of the point; empty for a link.
    pub path: String,
    pub title_zh: String,
    pub title_en: String,
    pub icon: Option<String>,
    pub sort: i64,
    pub external_url: Option<String>,
    /// The page opens, but the menu has no link to it.
    pub hidden: bool,
    /// Switched on. A node that is off is in no role's menu, and neither are those below it.
    pub enabled: bool,
    /// In every role's menu without a grant.
    pub everyone: bool,
    /// A link that staff have made: it can be deleted.
    pub custom: bool,
    /// The menu's editor and the groups above it: they cannot be switched off.
    pub vital: bool,
    pub version: i64,
    /// In order; `null` if there are none.
    pub children: Option<Vec<MenuEntry>>,
}

/// A new external link.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct MenuLinkForm {
    pub title_zh: String,
    pub title_en: String,
    pub icon: Option<String>,
    /// 1 to 99.
    pub sort: i64,
    /// Its address: `http://…` or `https://…`.
    pub external_url: String,
    /// In every role's menu without a grant; otherwise roles need a grant.
    pub everyone: bool,
}

/// A change of a node.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct MenuUpdate {
    pub id: i64,
    /// As read; the change is refused if another person was faster.
    pub version: i64,
    pub title_zh: String,
    pub title_en: String,
    pub icon: Option<String>,
    /// 0 to 99.
    pub sort: i64,
    pub hidden: bool,
    pub enabled: bool,
    /// Only for links that staff have made; absent to keep it.
    pub external_url: Option<String>,
    /// Only for links that staff have made; absent to keep it.
    pub everyone: Option<bool>,
}
