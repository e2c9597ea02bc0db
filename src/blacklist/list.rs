//! The list of the blacklist, and its file.

use sqlx::any::AnyRow;

use super::model::{BlacklistFilters, BlacklistKind, BlacklistRow};
use super::store;
use crate::access::Scope;
use crate::access::audit::{Module, Target};
use crate::api::export::{Cell, Sheet, column};
use crate::api::{Exporting, Listing, WholeNumber, say};
use crate::crypto::Keys;
use crate::db::Sql;
use crate::locale::Locale;

/// What the audit trail calls entries.
pub(crate) const TARGET: Target = Target { module: Module::Blacklist, kind: "blacklist_entry", id: None };

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
        // What may be a device as well as the beginning of a reason is both.
        if kind != Device {
            filters.keyword = None;
        }
        Some(WholeNumber { target: TARGET, hash, mask: kind.mask(&value) })
    }

    fn narrow(sql: &mut Sql, filters: &BlacklistFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<BlacklistRow, sqlx::Error> {
        store::read(row)
    }
}

impl Exporting for Blacklist {
    fn sheet() -> Sheet<BlacklistRow> {
        Sheet {
            target: TARGET,
            title: say("黑名单", "Blacklist"),
            columns: vec![
                column("valueMask", "名单值", "Value", |row, _| Cell::text(row.value_mask.clone())),
                column("kind", "类型", "Kind", |row, locale| Cell::text(row.kind.label(locale).to_owned())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("scope", "范围", "Scope", |row, locale| {
                    let scope = row.scope.label(locale);
                    Cell::text(row.scope_name.as_ref().map_or_else(|| scope.to_owned(), |name| format!("{scope} {name}")))
                }),
                column("source", "来源", "Source", |row, locale| Cell::text(row.source.label(locale).to_owned())),
                column("reason", "原因", "Reason", |row, _| Cell::text(row.reason.clone())),
                column("expiresAt", "到期时间", "Expires", |row, _| Cell::time(row.expires_at)),
                column("hitCount", "命中次数", "Hits", |row, _| Cell::Number(row.hit_count)),
                column("lastHitAt", "最近命中", "Last hit", |row, _| Cell::time(row.last_hit_at)),
                column("liftReason", "解除原因", "Reason for lifting", |row, _| Cell::text(row.lift_reason.clone())),
                column("creatorName", "录入人", "Entered by", |row, _| Cell::text(row.creator_name.clone())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
            ],
        }
    }
}
