//! The list of the blacklist, and its file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{BlacklistFilters, BlacklistKind, BlacklistRow, BlacklistSource, BlacklistStatus};
use super::store;
use base::crypto::Keys;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::{Exporting, Listing, WholeNumber, say};

/// The name of entries in the audit trail.
pub const TARGET: Target = Target { module: Module::Blacklist, kind: "blacklist_entry", id: None };

/// The list of the blacklist.
pub struct Blacklist;

impl Listing for Blacklist {
    type Filters = BlacklistFilters;
    type Row = BlacklistRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn conceal(filters: &mut BlacklistFilters, keys: &Keys) -> Option<WholeNumber> {
        use BlacklistKind::{Device, IdNo, Ip, Phone};
        let keyword = filters.keyword.as_deref()?;
        let (kind, value) = [Phone, IdNo, Ip, Device].into_iter().find_map(|kind| Some((kind, kind.canonical(keyword)?)))?;
        let hash = keys.lookup_hash(&value);
        filters.value_hash = Some(hash.clone());
        // A keyword that may be a device or the beginning of a reason is searched as both.
        if kind != Device {
            filters.keyword = None;
        }
        Some(WholeNumber { target: TARGET, hash, mask: kind.mask(&value) })
    }

    fn narrow(sql: &mut Sql, filters: &BlacklistFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<BlacklistRow, sqlx::Error> {
        BlacklistRow::from_row(row)
    }
}

impl Exporting for Blacklist {
    fn sheet() -> Sheet<BlacklistRow> {
        Sheet {
            target: TARGET,
            title: say("黑名单", "Blacklist"),
            columns: Columns::<BlacklistRow>::of("blacklist")
                .text("valueMask")
                .code::<BlacklistKind>("kind")
                .code::<BlacklistStatus>("status")
                .cell("scope", |row, locale| {
                    let scope = row.scope.label(locale);
                    Cell::text(row.scope_name.as_ref().map_or_else(|| scope.to_owned(), |name| format!("{scope} {name}")))
                })
                .code::<BlacklistSource>("source")
                .text("reason")
                .time("expiresAt")
                .number("hitCount")
                .time("lastHitAt")
                .text("liftReason")
                .text("creatorName")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
