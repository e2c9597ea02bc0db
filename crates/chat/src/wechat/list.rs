//! The list of official accounts: a page of it, all of it as a file.

use sqlx::any::AnyRow;

use super::model::{WechatFilters, WechatRow};
use super::store;
use base::codes::UseStatus;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Columns, Sheet};
use frame::api::{Exporting, Listing, say};

/// Official accounts in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::ChatWechat, kind: "chat_wechat", id: None };

/// The list of official accounts.
pub struct Accounts;

impl Listing for Accounts {
    type Filters = WechatFilters;
    type Row = WechatRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &WechatFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<WechatRow, sqlx::Error> {
        store::read(row)
    }
}

impl Exporting for Accounts {
    fn sheet() -> Sheet<WechatRow> {
        Sheet {
            target: TARGET,
            title: say("公众号", "Official accounts"),
            columns: Columns::<WechatRow>::of("wechat")
                .text("name")
                .text("appId")
                .flag("encrypted")
                .text("groupName")
                .number("followers")
                .time("verifiedAt")
                .time("receivedAt")
                .time("refusedAt")
                .text("refusal")
                .text("tokenError")
                .code::<UseStatus>("status")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
