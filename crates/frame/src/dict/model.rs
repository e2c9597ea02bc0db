//! The types of lists and items, for the wire and for forms.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::api::ListFilters;
use base::codes;

/// The colour in which an item is shown, by its meaning.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts", rename = "DictColor")]
pub enum TagColor {
    #[default]
    Gray,
    Blue,
    Green,
    Orange,
    Red,
    Purple,
    Cyan,
}

codes! {
    /// Whether an item is offered.
    pub enum DictStatus {
        Enabled("启用", "Enabled"),
        Disabled("停用", "Disabled"),
    }
}

/// A list of the dictionary.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct DictTypeRow {
    pub id: i64,
    pub code: String,
    pub name_zh: String,
    pub name_en: String,
    pub remark: String,
    /// The program refers to it by its code: it cannot be deleted.
    pub builtin: bool,
    pub sort: i64,
    /// How many items it has, including disabled ones.
    pub items: i64,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// An item of a list.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct DictItemRow {
    pub id: i64,
    pub type_id: i64,
    pub type_code: String,
    pub value: String,
    pub label_zh: String,
    pub label_en: String,
    pub sort: i64,
    pub tag_color: TagColor,
    /// The default; at most one of a list.
    pub is_default: bool,
    pub builtin: bool,
    pub status: DictStatus,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// An item to choose, in the viewer's language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct DictOption {
    pub value: String,
    pub label: String,
    /// A form begins with it.
    pub is_default: bool,
}

/// Filters of lists.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DictTypeFilters {
    /// A part of a code or a name.
    pub keyword: Option<String>,
}

impl ListFilters for DictTypeFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("sort", "t.sort"), ("code", "t.code")];
    const ID: &'static str = "t.id";
    const ASCENDING: bool = true;
}

/// Filters of items.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DictItemFilters {
    /// A part of a value or a label.
    pub keyword: Option<String>,
    /// Code of the list.
    #[serde(rename = "type")]
    pub code: Option<String>,
    pub status: Option<DictStatus>,
}

impl ListFilters for DictItemFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("sort", "i.sort"), ("value", "i.value"), ("updatedAt", "i.updated_at")];
    const ID: &'static str = "i.id";
    const ASCENDING: bool = true;
}

/// A new list.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct NewDictType {
    pub code: String,
    pub name_zh: String,
    pub name_en: String,
    pub remark: String,
    pub sort: i64,
}

/// The new fields of a list. Its code stays.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct DictTypeEdit {
    pub id: i64,
    pub version: i64,
    pub name_zh: String,
    pub name_en: String,
    pub remark: String,
    pub sort: i64,
}

/// A new item.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct NewDictItem {
    pub type_id: i64,
    pub value: String,
    pub label_zh: String,
    pub label_en: String,
    pub sort: i64,
    pub tag_color: TagColor,
    pub is_default: bool,
    pub status: DictStatus,
}

/// The new fields of an item. Its list and its value stay.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct DictItemEdit {
    pub id: i64,
    pub version: i64,
    pub label_zh: String,
    pub label_en: String,
    pub sort: i64,
    pub tag_color: TagColor,
    pub is_default: bool,
    pub status: DictStatus,
}
