//! The list of teams: a page of it, all of it as a file.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{TeamFilters, TeamRow};
use super::store;
use base::codes::UseStatus;
use base::crypto::Keys;
use base::db::{Db, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::access::versions::Table;
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::search::{Names, Search};
use frame::api::{Exporting, Listing, WholeNumber, hash_phone, say};
use frame::places;

/// Teams in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Team, kind: "sub_organisation", id: None };

/// The list of teams.
pub struct Teams;

impl Listing for Teams {
    type Filters = TeamFilters;
    type Row = TeamRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn conceal(filters: &mut TeamFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &TeamFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<TeamRow, sqlx::Error> {
        TeamRow::from_row(row)
    }

    async fn complete(db: &Db, rows: &mut [TeamRow], now: i64) -> Result<(), sqlx::Error> {
        store::add_today(db, rows, now).await
    }
}

/// Teams in the search of the whole back office.
const NAMES: Names = Names {
    kind: "team",
    title: ("团队", "Teams"),
    points: &["crm/saleman/list"],
    tables: &[Table::SubOrganisation, Table::Organisation],
    select: "SELECT t.id, t.name, '' AS code, '' AS also, o.short_name AS note FROM sub_organisation t \
         JOIN organisation o ON o.id = t.org_id WHERE t.deleted_at IS NULL",
    columns: &["t.name"],
    scope: store::SCOPE,
    address: |named| format!("/crm/team/{}", named.id),
};

/// Finds teams by their names.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    search.names(&NAMES).await
}

impl Exporting for Teams {
    fn sheet() -> Sheet<TeamRow> {
        Sheet {
            target: TARGET,
            title: say("团队", "Teams"),
            columns: Columns::<TeamRow>::of("team")
                .text("name")
                .text("orgName")
                .cell("city", |row, locale| Cell::text(places::label(&row.city, locale).into_owned()))
                .text("address")
                .text("managerName")
                .text("phoneMask")
                .cell("cities", |row, locale| Cell::text(places::labels(&row.cities, locale)))
                .flag("acceptLeads")
                .number("dailyCap")
                .number("assignedToday")
                .number("weight")
                .number("people")
                .number("sort")
                .code::<UseStatus>("status")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}
