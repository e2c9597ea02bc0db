//! The list of service staff: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{ChatStaffFilters, ChatStaffRow};
use super::store;
use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::export::{Cell, Columns, Sheet};
use crate::api::{Exporting, Listing, say};
use crate::chat::codes::ChatPresence;
use crate::codes::UseStatus;
use crate::db::{Db, Sql};
use crate::locale::Locale;

/// Service staff in the audit trail.
pub(crate) const TARGET: Target = Target { module: Module::ChatStaff, kind: "chat_staff", id: None };

/// The list of service staff.
pub struct Staff;

impl Listing for Staff {
    type Filters = ChatStaffFilters;
    type Row = ChatStaffRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &ChatStaffFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<ChatStaffRow, sqlx::Error> {
        ChatStaffRow::from_row(row)
    }

    async fn complete(db: &Db, rows: &mut [ChatStaffRow], now: i64) -> Result<(), sqlx::Error> {
        for row in &mut *rows {
            row.presence = Some(row.presence_at(now));
        }
        store::add_groups(db.read(), rows).await
    }
}

impl Exporting for Staff {
    fn sheet() -> Sheet<ChatStaffRow> {
        Sheet {
            target: TARGET,
            title: say("客服人员", "Service staff"),
            columns: Columns::<ChatStaffRow>::of("chatStaff")
                .text("nickname")
                .text("adminName")
                .text("username")
                .cell("groupNames", |row, locale| Cell::text(row.group_names.join(locale.pick("、", ", "))))
                .code::<ChatPresence>("presence")
                .time("lastSeenAt")
                .number("open")
                .number("maxOpen")
                .flag("autoAccept")
                .code::<UseStatus>("status")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
