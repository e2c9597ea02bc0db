//! Conversations and messages in answers, filters and bodies.

use serde::{Deserialize, Serialize};

use crate::access::ChatAccess;
use crate::codes::{ChatDirection, ChatMessageKind, ConversationStatus, CustomerSource, PhoneState};
use crate::customer::model::CustomerRow;
use crate::wechat::Delivery;
use base::db::Flag;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;
use frame::upload::StoredFile;

/// A conversation as lists and the thread show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ConversationRow {
    pub id: i64,
    pub customer_id: i64,
    pub customer_name: String,
    pub phone_mask: String,
    /// None without a number.
    pub phone_state: Option<PhoneState>,
    pub phone_verified_at: Option<i64>,
    pub source: CustomerSource,
    pub group_id: i64,
    pub group_name: String,
    pub staff_id: Option<i64>,
    pub staff_name: Option<String>,
    pub status: ConversationStatus,
    /// 0 to 3; 3 is urgent.
    pub priority: i64,
    /// Messages of the customer that staff have not read.
    pub unread: i64,
    /// Since when the customer waits for an answer.
    pub waiting_since: Option<i64>,
    pub first_reply_at: Option<i64>,
    /// By when the next target of its group should be met, the first answer or the end; none when closed, or without one.
    pub due_at: Option<i64>,
    /// When a fifth of the minutes of that target is left.
    pub due_soon_at: Option<i64>,
    pub snoozed_until: Option<i64>,
    pub last_message_at: i64,
    /// The beginning of the customer's last message, masked.
    pub last_text: String,
    /// The last message that staff, and the customer, have read.
    pub staff_read_id: i64,
    pub customer_read_id: i64,
    pub close_note: String,
    pub closed_at: Option<i64>,
    /// None while open, and where it was closed for idleness.
    pub closed_by_name: Option<String>,
    /// 1 to 5.
    pub rating: Option<i64>,
    pub rating_note: String,
    pub version: i64,
    pub created_at: i64,
    /// For a customer who writes by WeChat: until when they can be answered.
    #[sqlx(rename = "last_inbound_at")]
    pub reply_until: Option<i64>,
    /// For such a customer: the messages sent to them since they last wrote.
    pub answers_sent: i64,
    /// Whether the official account has a template message that invites them to write again.
    #[sqlx(try_from = "Flag")]
    pub has_reminder: bool,
}

/// Which conversations are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConversationBox {
    /// The viewer's own.
    Mine,
    /// Without a member of the staff.
    Unassigned,
    #[default]
    All,
}

/// Conversations of several statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConversationState {
    /// All that are not closed.
    Current,
    /// Those in which the customer waits for an answer.
    Waiting,
    /// Those not closed whose next target was missed.
    Overdue,
}

/// Filters of conversations.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ConversationFilters {
    /// The viewer.
    #[serde(skip)]
    pub access: ChatAccess,
    #[serde(rename = "box")]
    pub box_of: Option<ConversationBox>,
    /// The beginning of a customer's name, or a whole phone number.
    pub keyword: Option<String>,
    /// The hash of a whole number that was typed.
    #[serde(skip)]
    pub phone_hash: Option<String>,
    pub status: Option<ConversationStatus>,
    pub state: Option<ConversationState>,
    /// The present moment.
    #[serde(skip)]
    pub now: i64,
    #[serde(deserialize_with = "lenient_integer")]
    pub group_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub staff_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub customer_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub rating: Option<i64>,
    #[serde(deserialize_with = "frame::api::list::day_from")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "frame::api::list::day_to")]
    pub created_to: Option<i64>,
}

impl ListFilters for ConversationFilters {
    /// By default first those in which the customer waits, the longest wait first; then the others, the last message first.
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("wait", "COALESCE(CASE WHEN c.status <> 'snoozed' THEN c.waiting_since END, 9007199254740991 - c.last_message_at)"),
        ("lastMessageAt", "c.last_message_at"),
        ("createdAt", "c.created_at"),
        ("waitingSince", "c.waiting_since"),
        ("rating", "c.rating"),
    ];
    const ID: &'static str = "c.id";
    const ASCENDING: bool = true;

    fn apply_defaults(&mut self, now: i64) {
        self.now = now;
    }
}

/// A message of a thread.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatMessageRow {
    pub id: i64,
    pub conversation_id: i64,
    pub direction: ChatDirection,
    pub kind: ChatMessageKind,
    /// Masked; empty once recalled. Of the system it is JSON: an event with its names.
    pub content: String,
    pub file: Option<StoredFile>,
    pub staff_id: Option<i64>,
    pub staff_name: Option<String>,
    /// Whether the program sent it as an automatic reply.
    pub automatic: bool,
    pub client_msg_id: String,
    pub at: i64,
    pub recalled: bool,
    /// For a message sent by WeChat.
    pub delivery: Option<Delivery>,
}

/// A part of a thread, the earliest message first.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MessagePage {
    pub list: Vec<ChatMessageRow>,
    /// Whether there are earlier ones.
    pub more: bool,
}

/// The data of a conversation's page.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatThread {
    pub conversation: ConversationRow,
    pub messages: MessagePage,
    /// None for viewers who may not see customers.
    pub customer: Option<CustomerRow>,
    pub transfers: Vec<TransferRow>,
}

/// The messages of a conversation whose whole texts are revealed; without `from` and `before` all of them.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct RevealQuery {
    /// This message and later ones.
    pub from: Option<i64>,
    /// Messages before this one.
    pub before: Option<i64>,
}

/// The whole texts of a conversation that are shown masked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct WholeTexts {
    pub messages: Vec<WholeText>,
    /// Notes of changes of hands.
    pub transfers: Vec<WholeText>,
    pub close_note: Option<String>,
    pub rating_note: Option<String>,
    /// The remark about the customer, for viewers who see customers.
    pub remark: Option<String>,
}

/// The whole text of a message or of a change of hands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct WholeText {
    pub id: i64,
    pub text: String,
}

/// The conversation whose thread is shown.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct ThreadQuery {
    /// A conversation; 0 for none.
    pub id: i64,
}

/// Which part of a thread is read.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordQuery {
    pub conversation_id: Option<i64>,
    /// Messages before this one; the last ones without it.
    pub before: Option<i64>,
    /// At most; 50 without it, 200 at most.
    pub limit: Option<i64>,
}

/// A message that staff send.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct SendBody {
    pub conversation_id: i64,
    /// Made by the sender: a message that is sent twice under one number is taken once.
    pub client_msg_id: String,
    #[serde(default)]
    pub content: String,
    /// A file uploaded for `chat_message`.
    pub file_id: Option<i64>,
    /// An internal note instead of an answer.
    #[serde(default)]
    pub note: bool,
    /// The quick reply that it was made from.
    pub reply_id: Option<i64>,
}

/// How far staff have read.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReadBody {
    pub conversation_id: i64,
    pub message_id: i64,
}

/// A message to be recalled.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RecallBody {
    pub message_id: i64,
}

/// A conversation to be taken over or reopened.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ConversationKey {
    pub conversation_id: i64,
}

/// A conversation handed to a member of the staff or to a group: one of the two.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct TransferBody {
    pub conversation_id: i64,
    pub staff_id: Option<i64>,
    pub group_id: Option<i64>,
    #[serde(default)]
    pub note: String,
}

/// A conversation that ends.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct CloseBody {
    pub conversation_id: i64,
    #[serde(default)]
    pub note: String,
}

/// A conversation put off until a moment or the customer's next message.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SnoozeBody {
    pub conversation_id: i64,
    /// Epoch milliseconds; at most 30 days ahead.
    pub until: i64,
}

/// A conversation's urgency.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PriorityBody {
    pub conversation_id: i64,
    pub priority: i64,
}

/// A change of hands.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TransferRow {
    pub id: i64,
    pub from_name: Option<String>,
    pub from_group: String,
    pub to_name: Option<String>,
    pub to_group: String,
    pub note: String,
    pub by_name: String,
    pub at: i64,
}
