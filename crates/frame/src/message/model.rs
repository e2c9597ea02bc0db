//! The types of messages, for senders and readers.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::api::Say;
use crate::api::list::{day_from, day_to, lenient_integer};
use base::clock::DAY;

/// The tab of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum MessageKind {
    /// To a person about their own affairs.
    Message,
    /// To many people, for information.
    Notice,
    /// A task; it is shown until it is done.
    Todo,
}

impl MessageKind {
    /// All kinds, in the order of the tabs.
    pub const ALL: [MessageKind; 3] = [MessageKind::Message, MessageKind::Notice, MessageKind::Todo];
}

/// The state of its subject. On the wire it is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MessageState {
    NotStarted,
    Opened,
    InProgress,
    DueSoon,
}

/// What is due within this long is due soon.
const SOON: i64 = DAY;

impl MessageState {
    /// The number for clients.
    pub fn number(self) -> i64 {
        self as i64
    }

    /// The state to show at `now`: a task that is nearly due is due soon, whatever its stored state.
    pub fn at(stored: Option<MessageState>, due_at: Option<i64>, now: i64) -> Option<MessageState> {
        match due_at {
            Some(due) if due - now <= SOON => Some(MessageState::DueSoon),
            _ => stored,
        }
    }
}

/// The audience.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// An account's id.
    Person(i64),
    /// A role's id: people who have it active.
    Role(i64),
    /// An organisation's id: all its people.
    Organisation(i64),
    All,
}

impl Audience {
    /// As stored: the scope and its id.
    pub fn columns(self) -> (&'static str, i64) {
        match self {
            Audience::Person(id) => ("person", id),
            Audience::Role(id) => ("role", id),
            Audience::Organisation(id) => ("organisation", id),
            Audience::All => ("all", 0),
        }
    }
}

/// The link of a message: a route and its query.
#[derive(Clone, Debug)]
pub struct Link {
    /// The name of the route.
    pub route: &'static str,
    pub query: Vec<(&'static str, String)>,
}

/// A message to be sent.
#[derive(Clone, Debug)]
pub struct NewMessage {
    pub kind: MessageKind,
    pub title: Say,
    pub sub_title: Option<Say>,
    /// At most 2000 characters of plain text.
    pub content: Say,
    /// Address of a picture.
    pub avatar: Option<String>,
    pub link: Option<Link>,
    pub state: Option<MessageState>,
    /// The kind of its record, e.g. `account`; [`super::done`] finds it by this and `biz_id`.
    pub biz_type: &'static str,
    pub biz_id: Option<i64>,
    /// None for messages of the program itself.
    pub sender_id: Option<i64>,
    pub audience: Audience,
    /// Limits it to one organisation's people, for messages on an organisation that go to a role.
    pub org_id: Option<i64>,
    /// Epoch milliseconds; it is hidden before,
    pub publish_at: i64,
    /// and from then on.
    pub expires_at: Option<i64>,
    pub due_at: Option<i64>,
}

impl NewMessage {
    /// The same as a task that a person requests.
    pub fn asked_by(self, admin_id: i64) -> NewMessage {
        NewMessage { kind: MessageKind::Todo, state: Some(MessageState::NotStarted), sender_id: Some(admin_id), ..self }
    }

    /// The same for one person.
    pub fn to(self, admin_id: i64) -> NewMessage {
        NewMessage { audience: Audience::Person(admin_id), ..self }
    }

    /// A message to one person, from the program, at once.
    pub fn to_person(admin_id: i64, biz_type: &'static str, title: Say, content: Say, now: i64) -> NewMessage {
        NewMessage {
            kind: MessageKind::Message,
            title,
            sub_title: None,
            content,
            avatar: None,
            link: None,
            state: None,
            biz_type,
            biz_id: Some(admin_id),
            sender_id: None,
            audience: Audience::Person(admin_id),
            org_id: None,
            publish_at: now,
            expires_at: None,
            due_at: None,
        }
    }
}

/// A message as its reader sees it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MessageRow {
    pub id: i64,
    #[serde(rename = "type")]
    pub kind: MessageKind,
    pub title: String,
    pub sub_title: String,
    /// Address of a picture.
    pub avatar: Option<String>,
    pub content: String,
    /// When it was published, epoch milliseconds.
    pub time: i64,
    /// 0 unread, 1 read.
    pub status: i64,
    /// 0 not started, 1 opened, 2 in progress, 3 due soon; none if it has no state.
    pub message_type: Option<i64>,
    /// Address within the product, if the message has one that the reader may open.
    pub link: Option<String>,
    /// Epoch milliseconds.
    pub due_at: Option<i64>,
}

/// Unread messages by type, each counted up to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct Unread {
    pub message: i64,
    pub notice: i64,
    pub todo: i64,
}

/// The answer of `POST /message/page`.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct MessageList {
    /// Newest first.
    pub list: Vec<MessageRow>,
    pub unread: Unread,
    /// The `before` of the next page; none if there are no older ones.
    pub next: Option<String>,
}

/// The query of `POST /message/list` and `POST /message/page`.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MessageQuery {
    #[serde(rename = "type")]
    pub kind: Option<MessageKind>,
    /// 0 unread ones, 1 read ones.
    #[serde(deserialize_with = "lenient_integer")]
    pub status: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub time_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub time_to: Option<i64>,
    /// The `next` of an earlier answer.
    pub before: Option<String>,
    /// At most 100.
    #[serde(deserialize_with = "lenient_integer")]
    pub page_size: Option<i64>,
}

/// Some of the viewer's own messages: by id, or all of a type.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// At most 200; those of other people are ignored.
    pub ids: Option<Vec<i64>>,
    #[serde(rename = "type")]
    pub kind: Option<MessageKind>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_the_numbers_that_clients_know() {
        let states = [MessageState::NotStarted, MessageState::Opened, MessageState::InProgress, MessageState::DueSoon];
        assert_eq!(states.map(MessageState::number), [0, 1, 2, 3]);
    }

    #[test]
    fn a_task_that_is_nearly_due_is_due_soon() {
        let (now, started) = (1_000 * DAY, Some(MessageState::InProgress));
        for (due, shown) in [
            (None, started),
            (Some(now + 2 * DAY), started),
            (Some(now + DAY), Some(MessageState::DueSoon)),
            (Some(now - 1), Some(MessageState::DueSoon)),
        ] {
            assert_eq!(MessageState::at(started, due, now), shown, "{due:?}");
        }
    }
}
