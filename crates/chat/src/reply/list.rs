//! The list of replies: a page of it, all of it as a file.

use sqlx::any::AnyRow;

use super::model::{ChatReplyFilters, ChatReplyRow};
use super::store;
use crate::codes::{KeywordMatch, ReplyKind};
use base::codes::UseStatus;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::{Exporting, Listing, say};

/// Replies in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::ChatReply, kind: "chat_reply", id: None };

/// The list of replies.
pub struct Replies;

impl Listing for Replies {
    type Filters = ChatReplyFilters;
    type Row = ChatReplyRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &ChatReplyFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<ChatReplyRow, sqlx::Error> {
        store::read(row)
    }
}

impl Exporting for Replies {
    fn sheet() -> Sheet<ChatReplyRow> {
        Sheet {
            target: TARGET,
            title: say("回复", "Replies"),
            columns: Columns::<ChatReplyRow>::of("chatReply")
                .text("content")
                .code::<ReplyKind>("kind")
                .cell("groupName", |row, locale| {
                    Cell::text(row.group_name.clone().unwrap_or_else(|| locale.pick("全部分组", "All groups").to_owned()))
                })
                .text("keyword")
                .cell("matchMode", |row, locale| {
                    Cell::text((row.kind == ReplyKind::Keyword).then(|| KeywordMatch::label(row.match_mode, locale).to_owned()))
                })
                .text("shortcut")
                .number("useCount")
                .number("sort")
                .code::<UseStatus>("status")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
