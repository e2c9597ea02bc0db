//! The list of service groups: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{ChatGroupFilters, ChatGroupRow};
use super::store;
use crate::codes::AssignMode;
use base::codes::UseStatus;
use base::db::{Db, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::{Exporting, Listing, say};

/// Service groups in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::ChatGroup, kind: "chat_group", id: None };

/// The list of service groups.
pub struct Groups;

impl Listing for Groups {
    type Filters = ChatGroupFilters;
    type Row = ChatGroupRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &ChatGroupFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<ChatGroupRow, sqlx::Error> {
        ChatGroupRow::from_row(row)
    }

    async fn complete(db: &Db, rows: &mut [ChatGroupRow], now: i64) -> Result<(), sqlx::Error> {
        store::add_online(db.read(), rows, now).await
    }
}

impl Exporting for Groups {
    fn sheet() -> Sheet<ChatGroupRow> {
        Sheet {
            target: TARGET,
            title: say("客服分组", "Service groups"),
            columns: Columns::<ChatGroupRow>::of("chatGroup")
                .text("name")
                .number("staff")
                .number("queued")
                .number("open")
                .code::<AssignMode>("assignMode")
                .number("idleMinutes")
                .number("replyMinutes")
                .number("resolveMinutes")
                .code::<UseStatus>("status")
                .cell("pageKey", |row, _| Cell::text(format!("/talk?g={}", row.page_key)))
                .number("sort")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
