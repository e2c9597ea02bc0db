//! The list of salespeople: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{SalespersonFilters, SalespersonRow};
use super::store;
use crate::model::{SalesLevel, SalesStatus};
use base::db::{Db, Sql};
use base::locale::Locale;
use frame::access::AdminStatus;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::access::versions::Table;
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::search::{Names, Search};
use frame::api::{Exporting, Listing, say};
use frame::places;

/// Salespeople in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Salesperson, kind: "salesperson", id: None };

/// The list of salespeople.
pub struct Salespeople;

impl Listing for Salespeople {
    type Filters = SalespersonFilters;
    type Row = SalespersonRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &SalespersonFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<SalespersonRow, sqlx::Error> {
        SalespersonRow::from_row(row)
    }

    async fn complete(db: &Db, rows: &mut [SalespersonRow], now: i64) -> Result<(), sqlx::Error> {
        store::add_today(db, rows, now).await
    }
}

/// Salespeople in the search of the whole back office.
const NAMES: Names = Names {
    kind: "salesperson",
    title: ("销售人员", "Salespeople"),
    points: &["crm/saleman/list"],
    tables: &[Table::Salesperson, Table::Administrator, Table::Organisation, Table::SubOrganisation],
    select: "SELECT s.id, a.real_name AS name, a.username AS code, '' AS also, \
         o.short_name || CASE WHEN t.id IS NULL THEN '' ELSE ' · ' || t.name END AS note FROM salesperson s JOIN administrator a ON a.id = s.id \
         JOIN organisation o ON o.id = s.org_id LEFT JOIN sub_organisation t ON t.id = s.sub_org_id WHERE s.deleted_at IS NULL",
    columns: &["a.real_name", "a.username"],
    scope: store::SCOPE,
    address: |named| format!("/crm/saleman/{}", named.id),
};

/// Finds salespeople by their names.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    search.names(&NAMES).await
}

impl Exporting for Salespeople {
    fn sheet() -> Sheet<SalespersonRow> {
        Sheet {
            target: TARGET,
            title: say("销售人员", "Salespeople"),
            columns: Columns::<SalespersonRow>::of("salesperson")
                .text("name")
                .text("username")
                .text("orgName")
                .text("subOrgName")
                .text("jobNo")
                .code::<SalesLevel>("level")
                .code::<SalesStatus>("status")
                .flag("receiving")
                .number("held")
                .number("privateCap")
                .number("assignedToday")
                .number("dailyCap")
                .cell("cities", |row, locale| Cell::text(places::labels(&row.cities, locale)))
                .number("weight")
                .text("wechat")
                .code::<AdminStatus>("accountStatus")
                .time("leftAt")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
