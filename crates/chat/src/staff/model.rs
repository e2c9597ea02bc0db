//! Service staff in answers, filters and forms.

use serde::{Deserialize, Serialize};

use super::SEEN_WITHIN;
use crate::codes::ChatPresence;
use base::codes::UseStatus;
use base::db::Flag;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;

/// A member of the service staff as lists and details show them.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatStaffRow {
    pub id: i64,
    /// Their account.
    pub admin_id: i64,
    pub admin_name: String,
    pub username: String,
    /// Shown to customers.
    pub nickname: String,
    #[sqlx(skip)]
    pub group_ids: Vec<i64>,
    /// Their names, in the same order.
    #[sqlx(skip)]
    pub group_names: Vec<String>,
    /// Conversations that are assigned at the same time, at most.
    pub max_open: i64,
    /// Whether conversations are assigned automatically.
    #[sqlx(try_from = "Flag")]
    pub auto_accept: bool,
    /// The presence that they have chosen.
    #[serde(skip)]
    pub chosen: ChatPresence,
    /// The effective presence: offline if they were not seen for a while. Absent in the answer of a change.
    #[sqlx(skip)]
    pub presence: Option<ChatPresence>,
    pub last_seen_at: Option<i64>,
    /// Open conversations.
    pub open: i64,
    pub status: UseStatus,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

impl ChatStaffRow {
    /// Their presence at a moment.
    pub fn presence_at(&self, now: i64) -> ChatPresence {
        match self.last_seen_at {
            Some(seen) if seen >= now - SEEN_WITHIN => self.chosen,
            _ => ChatPresence::Offline,
        }
    }
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ChatStaffFilters {
    /// A part of a nickname, of an account's name or of a user name.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub group_id: Option<i64>,
    /// The effective presence.
    pub presence: Option<ChatPresence>,
    /// The moment since which staff must have been seen to count as present.
    #[serde(skip)]
    pub seen_since: i64,
    pub status: Option<UseStatus>,
}

impl ListFilters for ChatStaffFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "s.created_at"), ("nickname", "s.nickname")];
    const ID: &'static str = "s.id";

    fn apply_defaults(&mut self, now: i64) {
        self.seen_since = now - SEEN_WITHIN;
    }
}

/// The form of a member of the staff. A new one is in use.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ChatStaffBody {
    /// Absent for a new record.
    pub id: Option<i64>,
    /// As read; absent for a new record.
    pub version: Option<i64>,
    /// The account of a new record. It never changes.
    pub admin_id: Option<i64>,
    pub nickname: String,
    pub group_ids: Vec<i64>,
    /// Absent: 10.
    pub max_open: Option<i64>,
    /// Absent: true.
    pub auto_accept: Option<bool>,
}
