//! Nodes of the menu as their editor sees them.

use serde::{Deserialize, Serialize};

/// A node of the menu, in use or switched off.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MenuEntry {
    pub id: i64,
    pub parent_id: Option<i64>,
    /// 1 a menu, 2 a permission point.
    #[serde(rename = "type")]
    pub kind: u8,
    /// The route's name; of a point, its code.
    pub name: String,
    /// The page's address; of a point, its code; empty for a link.
    pub path: String,
    pub title_zh: String,
    pub title_en: String,
    pub icon: Option<String>,
    pub sort: i64,
    pub external_url: Option<String>,
    /// Opens, but is no link of the menu.
    pub hidden: bool,
    /// Switched on; what is off is nobody's, and neither is what is below it.
    pub enabled: bool,
    /// In every role's menu without being granted.
    pub everyone: bool,
    /// A link that staff have made: it can be deleted.
    pub custom: bool,
    /// The menu's own editor, and what leads to it: they cannot be switched off.
    pub vital: bool,
    pub version: i64,
    /// In their order; `null` when there are none.
    pub children: Option<Vec<MenuEntry>>,
}

/// A new link out of the product.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct MenuLinkForm {
    pub title_zh: String,
    pub title_en: String,
    pub icon: Option<String>,
    /// 1 to 99.
    pub sort: i64,
    /// Where it leads: `http://…` or `https://…`.
    pub external_url: String,
    /// In every role's menu without being granted; otherwise roles are granted it.
    pub everyone: bool,
}

/// A change of a node.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct MenuUpdate {
    pub id: i64,
    /// As read; the change is refused when somebody else was faster.
    pub version: i64,
    pub title_zh: String,
    pub title_en: String,
    pub icon: Option<String>,
    /// 0 to 99.
    pub sort: i64,
    pub hidden: bool,
    pub enabled: bool,
    /// Of a link that staff have made; absent, and of any other node, it stays.
    pub external_url: Option<String>,
    /// Likewise.
    pub everyone: Option<bool>,
}
