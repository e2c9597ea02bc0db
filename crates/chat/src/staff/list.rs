//! The list of service staff: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{ChatStaffFilters, ChatStaffRow};
use super::store;
use crate::codes::ChatPresence;
use base::codes::UseStatus;
use base::db::{Db, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::{Exporting, Listing, say};

/// Service staff in the audit trail.
pub const TARGET: Target = Target { module: Module::ChatStaff, kind: "chat_staff", id: None };

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
            title: say("客服人员", "Agents"),
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
