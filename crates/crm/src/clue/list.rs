//! The list of clues, the list of clues in pools, and the file of each.

use sqlx::any::AnyRow;

use super::model::{ClueFilters, ClueHolder, ClueRow};
use super::store;
use crate::model::{ClueLevel, ClueStage};
use base::crypto::Keys;
use base::db::Sql;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{Cell, Columns, Sheet};
use frame::api::search::{FoundRecord, Numbered, Phones, Search, Title};
use frame::api::{Exporting, Listing, WholeNumber, hash_phone, say};
use frame::places;

/// The name of clues in the audit trail.
pub const TARGET: Target = Target { module: Module::Clue, kind: "clue", id: None };

/// [`Clues::NEWEST`] for platform staff, whose sorts include only the newest clues. None for an organisation, a team or
/// a salesperson: an index sorts all of their clues.
fn newest_of(scope: Scope) -> Option<&'static str> {
    Clues::NEWEST.filter(|_| scope.is_platforms())
}

/// The list of clues.
pub struct Clues;

impl Listing for Clues {
    type Filters = ClueFilters;
    type Row = ClueRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const IDS_FIRST: bool = true;
    const NEWEST: Option<&'static str> = Some("k.created_at");

    fn newest(scope: Scope) -> Option<&'static str> {
        newest_of(scope)
    }

    fn conceal(filters: &mut ClueFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &ClueFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, locale: Locale) -> Result<ClueRow, sqlx::Error> {
        ClueRow::read(row, locale)
    }
}

/// Finds clues by their numbers and by a whole phone, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    const KIND: &str = "clue";
    const TITLE: Title = ("线索", "Leads");
    const POINTS: &[&str] = &["crm/clue/list", "crm/clue/view"];
    let numbers = Numbered::<Clues> {
        kind: KIND,
        title: TITLE,
        points: POINTS,
        prefixes: &["CL"],
        table: "clue",
        column: "no",
        capitals: true,
        filters: ClueFilters::default(),
        found,
    };
    search.numbers(numbers).await?;
    let by_phone = |phone| ClueFilters { keyword: Some(phone), ..ClueFilters::default() };
    search.phones(Phones::<Clues> { kind: KIND, title: TITLE, points: POINTS, filters: by_phone, found }).await
}

fn found(row: &ClueRow, locale: Locale) -> FoundRecord {
    let owner = row.owner_name.as_deref().or(row.pool_name.as_deref()).unwrap_or_default();
    let note: [&str; 5] = [&row.name_mask, &row.phone_mask, &row.org_name, owner, row.stage.label(locale)];
    FoundRecord::new(&row.no, &note, format!("/crm/clue/{}", row.id))
}

impl Exporting for Clues {
    fn sheet() -> Sheet<ClueRow> {
        Sheet {
            target: TARGET,
            title: say("线索", "Leads"),
            columns: Columns::of("clue")
                .text("no")
                .text("nameMask")
                .text("phoneMask")
                .cell("city", |row: &ClueRow, locale| Cell::text(places::label(&row.city, locale).into_owned()))
                .code::<ClueStage>("stage")
                .code::<ClueLevel>("level")
                .number("star")
                .text("ownerName")
                .text("poolName")
                .text("orgName")
                .text("subOrgName")
                .text("planName")
                .text("channelName")
                .flag("test")
                .time("nextFollowAt")
                .time("lastFollowAt")
                .text("lastFollowText")
                .number("followCount")
                .number("smsCount")
                .time("assignedAt")
                .time("firstFollowAt")
                .time("visitedAt")
                .time("disbursedAt")
                .time("signedAt")
                .text("lostReasonName")
                .time("createdAt")
                .time("updatedAt")
                .all(),
        }
    }
}

/// Pools that a team or a salesperson may look into: those for the whole organisation, and those for the team.
const POOLS: ScopeColumns = ScopeColumns {
    owner: store::SCOPE.owner,
    org: Some("k.org_id"),
    sub_org: Some(
        "k.pool_id IN (SELECT p.id FROM clue_pool p JOIN sub_organisation g ON g.org_id = p.org_id WHERE g.id = ? AND (p.sub_org_ids = '[]' OR REPLACE(REPLACE(p.sub_org_ids, '[', ','), ']', ',') LIKE '%,' || CAST(g.id AS TEXT) || ',%'))",
    ),
    myself: Some(
        "k.pool_id IN (SELECT p.id FROM clue_pool p JOIN salesperson g ON g.org_id = p.org_id WHERE g.id = ? AND g.status <> 'left' \
         AND (p.sub_org_ids = '[]' OR REPLACE(REPLACE(p.sub_org_ids, '[', ','), ']', ',') \
         LIKE '%,' || CAST(COALESCE(g.sub_org_id, 0) AS TEXT) || ',%'))",
    ),
};

/// The list of clues in pools that the viewer may look into.
pub struct PoolClues;

impl PoolClues {
    /// Appends the condition that a clue is in a pool that a scope may look into.
    pub fn within(sql: &mut Sql, scope: Scope) {
        sql.push(" AND k.pool_id IS NOT NULL");
        scope.apply(sql, POOLS);
    }
}

impl Listing for PoolClues {
    type Filters = ClueFilters;
    type Row = ClueRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const IDS_FIRST: bool = true;
    const NEWEST: Option<&'static str> = Clues::NEWEST;

    fn newest(scope: Scope) -> Option<&'static str> {
        newest_of(scope)
    }

    fn conceal(filters: &mut ClueFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &ClueFilters, scope: Scope) {
        let filters = ClueFilters { holder: Some(ClueHolder::Pool), ..filters.clone() };
        store::match_filters(sql, &filters);
        scope.apply(sql, POOLS);
    }

    fn read(row: &AnyRow, locale: Locale) -> Result<ClueRow, sqlx::Error> {
        ClueRow::read(row, locale)
    }
}
