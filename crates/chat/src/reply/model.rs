//! Replies in answers, filters and forms.

use serde::{Deserialize, Serialize};

use crate::codes::{KeywordMatch, ReplyKind};
use base::codes::UseStatus;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;

/// A reply as lists and details show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatReplyRow {
    pub id: i64,
    /// What it is called: its keyword, its shortcut, else the beginning of its content.
    #[sqlx(skip)]
    pub name: String,
    pub kind: ReplyKind,
    /// None: for all groups.
    pub group_id: Option<i64>,
    pub group_name: Option<String>,
    /// Of a keyword reply; else empty.
    pub keyword: String,
    /// How the keyword is compared.
    pub match_mode: KeywordMatch,
    /// Of a quick reply: typed after a slash; else empty.
    pub shortcut: String,
    pub content: String,
    /// Its place in lists, and among those that apply.
    pub sort: i64,
    /// How often it was sent.
    pub use_count: i64,
    pub status: UseStatus,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChatReplyFilters {
    /// A part of a content, a keyword or a shortcut.
    pub keyword: Option<String>,
    pub kind: Option<ReplyKind>,
    #[serde(deserialize_with = "lenient_integer")]
    pub group_id: Option<i64>,
    pub status: Option<UseStatus>,
}

impl ListFilters for ChatReplyFilters {
    const SORTS: &'static [(&'static str, &'static str)] =
        &[("sort", "r.sort"), ("useCount", "r.use_count"), ("createdAt", "r.created_at")];
    const ID: &'static str = "r.id";
    const ASCENDING: bool = true;
}

/// The form of a reply. A new one is in use.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ChatReplyBody {
    /// Absent for a new reply.
    pub id: Option<i64>,
    /// As read; absent for a new reply.
    pub version: Option<i64>,
    pub kind: ReplyKind,
    /// Absent: for all groups.
    pub group_id: Option<i64>,
    /// Of a keyword reply only.
    #[serde(default)]
    pub keyword: String,
    /// Of a keyword reply; absent: contains.
    pub match_mode: Option<KeywordMatch>,
    /// Of a quick reply only.
    #[serde(default)]
    pub shortcut: String,
    pub content: String,
    #[serde(default)]
    pub sort: i64,
}
