//! Service groups in answers, filters and forms.

use serde::{Deserialize, Serialize};

use crate::codes::AssignMode;
use base::codes::UseStatus;
use base::db::JsonText;
use frame::api::ListFilters;
use frame::terms::Schedule;

/// A service group as lists and details show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatGroupRow {
    pub id: i64,
    pub name: String,
    /// Part of the address of the visitors' page: `/talk?g=<pageKey>`.
    pub page_key: String,
    /// None: always open.
    #[sqlx(try_from = "JsonText<Option<Schedule>>")]
    pub working_hours: Option<Schedule>,
    pub assign_mode: AssignMode,
    /// Minutes without a message after which a conversation is closed; 0: never.
    pub idle_minutes: i64,
    /// Minutes of working hours until a customer should have a first answer, and a conversation its end; 0: no target.
    pub reply_minutes: i64,
    pub resolve_minutes: i64,
    /// Origins of the sites that may show the visitors' page in a frame; empty: its own site alone.
    #[sqlx(try_from = "JsonText<Vec<String>>")]
    pub frame_sites: Vec<String>,
    /// Its place in lists.
    pub sort: i64,
    pub status: UseStatus,
    /// Enabled staff.
    pub staff: i64,
    /// Enabled staff who are online now; absent in the answer of a change.
    #[sqlx(skip)]
    pub online: Option<i64>,
    /// Conversations that wait for a member of the staff.
    pub queued: i64,
    /// Open conversations.
    pub open: i64,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChatGroupFilters {
    /// A part of a name.
    pub keyword: Option<String>,
    pub assign_mode: Option<AssignMode>,
    pub status: Option<UseStatus>,
}

impl ListFilters for ChatGroupFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("sort", "g.sort"), ("createdAt", "g.created_at")];
    const ID: &'static str = "g.id";
    const ASCENDING: bool = true;
}

/// The form of a service group. A new one is in use.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ChatGroupBody {
    /// Absent for a new group.
    pub id: Option<i64>,
    /// As read; absent for a new group.
    pub version: Option<i64>,
    pub name: String,
    /// Absent: always open.
    pub working_hours: Option<Schedule>,
    pub assign_mode: AssignMode,
    #[serde(default)]
    pub idle_minutes: i64,
    #[serde(default)]
    pub reply_minutes: i64,
    #[serde(default)]
    pub resolve_minutes: i64,
    #[serde(default)]
    pub frame_sites: Vec<String>,
    #[serde(default)]
    pub sort: i64,
}
