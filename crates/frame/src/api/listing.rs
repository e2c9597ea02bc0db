//! A list from its description: pages for the browser, and the file. The area knows the rows, the scope and the
//! reader; nothing of it is known here.

use std::future::{Future, ready};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use sqlx::any::AnyRow;

use super::ctx::Ctx;
use super::export::plain::{self, Plain};
use super::export::{self, Exported, Sheet};
use super::list::{ListFilters, ListQuery};
use super::number_search::{self, WholeNumber};
use crate::access::Scope;
use base::crypto::Keys;
use base::db::page::{self, ListSource, Page, Sort};
use base::db::{Db, Sql};
use base::locale::Locale;

/// The parts of a list.
pub trait Listing: 'static {
    type Filters: ListFilters + Clone;
    type Row: Serialize + JsonSchema + Send + 'static;
    /// See [`ListSource::select`].
    const SELECT: &'static str;
    /// See [`ListSource::count`].
    const COUNT: &'static str;
    /// The sums over all matching rows, as one row with the columns of [`Self::SELECT`], e.g. `SELECT SUM(c.x) AS x …
    /// FROM … WHERE` and the first condition of [`Self::COUNT`].
    const TOTALS: Option<&'static str> = None;
    /// See [`ListSource::ids_first`].
    const IDS_FIRST: bool = false;
    /// See [`ListSource::newest`].
    const NEWEST: Option<&'static str> = None;
    /// [`Self::NEWEST`] within a scope: none if all rows in the scope can be sorted.
    fn newest(_scope: Scope) -> Option<&'static str> {
        Self::NEWEST
    }
    /// If the keyword is a person's whole number, replaces it by the hash for the search and returns the number: such
    /// searches are counted, and recorded with the mask only.
    fn conceal(_filters: &mut Self::Filters, _keys: &Keys) -> Option<WholeNumber> {
        None
    }
    /// Appends the conditions of the filters, within a scope.
    fn narrow(sql: &mut Sql, filters: &Self::Filters, scope: Scope);
    /// Reads a row of [`Self::SELECT`], its texts in one language.
    fn read(row: &AnyRow, locale: Locale) -> Result<Self::Row, sqlx::Error>;
    /// Adds data of other statements to rows, such as counts of the day of `now`.
    fn complete(_db: &Db, _rows: &mut [Self::Row], _now: i64) -> impl Future<Output = Result<(), sqlx::Error>> + Send {
        async { Ok(()) }
    }
}

/// A list that can be exported as a file.
pub trait Exporting: Listing {
    /// Its file.
    fn sheet() -> Sheet<Self::Row>;
}

pub(super) fn source<'f, L: Listing>(filter: &'f (dyn Fn(&mut Sql) + Sync), scope: Scope) -> ListSource<'f> {
    ListSource { select: L::SELECT, count: L::COUNT, filter, ids_first: L::IDS_FIRST || L::NEWEST.is_some(), newest: L::newest(scope) }
}

/// `POST …/page`.
pub async fn page<L: Listing>(cx: Arc<Ctx>, query: ListQuery<L::Filters>) -> super::Result<Page<L::Row>> {
    let scope = cx.viewer()?.scope();
    page_within::<L>(&cx, query, scope).await
}

/// A page within a scope chosen by the caller.
pub async fn page_within<L: Listing>(cx: &Ctx, query: ListQuery<L::Filters>, scope: Scope) -> super::Result<Page<L::Row>> {
    let query = prepared::<L>(cx, query).await?;
    let (filters, sort) = (&query.filters, query.filters.order(query.sort));
    let filter = |sql: &mut _| L::narrow(sql, filters, scope);
    let mut page =
        page::page(cx.db(), &source::<L>(&filter, scope), sort, query.current, query.page_size, |row| L::read(row, cx.locale)).await?;
    L::complete(cx.db(), &mut page.list, cx.now).await?;
    page.totals = totals::<L>(cx.db(), filters, scope, cx.locale).await?;
    page.settled = filters.settled().into_iter().collect();
    Ok(page)
}

/// The first page of each part of a list, with the part's count: at most [`page::EXACT_TOTAL`]. All parts together
/// take three statements. A row that moves from one part to another meanwhile may appear in the part that it has
/// left.
pub async fn parts<L: Listing>(
    cx: &Ctx,
    query: ListQuery<L::Filters>,
    scope: Scope,
    cut: impl FnOnce(&L::Filters) -> Vec<L::Filters>,
) -> super::Result<Vec<(i64, Vec<L::Row>)>> {
    let query = prepared::<L>(cx, query).await?;
    let (filters, sort) = (&query.filters, query.filters.order(query.sort));
    let parts = cut(filters);
    let narrow: Vec<_> = parts.iter().map(|part| move |sql: &mut Sql| L::narrow(sql, part, scope)).collect();
    let sources: Vec<_> = narrow.iter().map(|filter| source::<L>(filter, scope)).collect();
    let ids = page::firsts(cx.db(), &sources, sort, query.page_size).await?;
    let totals = page::counts(cx.db(), &sources).await?;
    let mut all = ids.concat();
    // Padded to a power of two, so that few texts are prepared.
    if let Some(last) = all.last().copied() {
        all.resize(all.len().next_power_of_two(), last);
    }
    let filter = |sql: &mut _| L::narrow(sql, filters, scope);
    let mut rows = page::found_by_ids(cx.db(), &source::<L>(&filter, scope), sort, &all, |row| L::read(row, cx.locale)).await?;
    let mut pages = Vec::with_capacity(parts.len());
    for (total, ids) in totals.into_iter().zip(ids) {
        let mut list: Vec<_> = ids.iter().filter_map(|id| rows.remove(id)).collect();
        L::complete(cx.db(), &mut list, cx.now).await?;
        pages.push((total, list));
    }
    Ok(pages)
}

/// How many rows each of some filters matches within the viewer's scope, in one statement: the same number as in the
/// lists with these filters, at most [`page::EXACT_TOTAL`].
pub async fn counts<L: Listing>(cx: &Ctx, mut filters: Vec<L::Filters>) -> super::Result<Vec<i64>> {
    let viewer = cx.viewer()?;
    let scope = viewer.scope();
    for filters in &mut filters {
        filters.apply_defaults(cx.now);
        filters.for_viewer(viewer);
    }
    let narrow: Vec<_> = filters.iter().map(|filters| move |sql: &mut Sql| L::narrow(sql, filters, scope)).collect();
    let sources: Vec<_> = narrow.iter().map(|filter| source::<L>(filter, scope)).collect();
    Ok(page::counts(cx.db(), &sources).await?)
}

/// The first rows that some filters match within the viewer's scope, in an order and without their count.
pub async fn first<L: Listing>(cx: &Ctx, mut filters: L::Filters, sort: Sort, limit: i64) -> super::Result<Vec<L::Row>> {
    let viewer = cx.viewer()?;
    let scope = viewer.scope();
    filters.apply_defaults(cx.now);
    filters.for_viewer(viewer);
    let filter = |sql: &mut _| L::narrow(sql, &filters, scope);
    let source = source::<L>(&filter, scope);
    let sort = filters.order(sort);
    let ids = page::firsts(cx.db(), std::slice::from_ref(&source), sort, limit).await?.concat();
    let mut rows = page::by_ids(cx.db(), &source, sort, &ids, |row| L::read(row, cx.locale)).await?;
    L::complete(cx.db(), &mut rows, cx.now).await?;
    Ok(rows)
}

/// A query with the filters that its list needs, and without values that are too long.
async fn prepared<L: Listing>(cx: &Ctx, mut query: ListQuery<L::Filters>) -> super::Result<ListQuery<L::Filters>> {
    query.filters.apply_defaults(cx.now);
    query.filters.for_viewer(cx.viewer()?);
    let number = L::conceal(&mut query.filters, &cx.app.keys);
    number_search::admit(cx, &mut query, number).await?;
    Ok(query)
}

/// The sums of the rows that some filters match, if the list has any.
async fn totals<L: Listing>(db: &Db, filters: &L::Filters, scope: Scope, locale: Locale) -> Result<Option<L::Row>, sqlx::Error> {
    let Some(select) = L::TOTALS else { return Ok(None) };
    let mut sql = Sql::new(select);
    L::narrow(&mut sql, filters, scope);
    sql.fetch_optional(db.read()).await?.map(|row| L::read(&row, locale)).transpose()
}

/// `POST …/page/export`.
pub async fn export<L: Exporting>(cx: Arc<Ctx>, query: ListQuery<L::Filters>) -> super::Result<Exported> {
    plain::refuse(&query.rest)?;
    export_with::<L, _, _>(cx, query, None, |rows| ready(Ok(rows))).await
}

/// The same for a list whose file has whole numbers if there is a `plain`: `finish` adds them to each batch of rows.
pub async fn export_with<L, F, Finished>(
    cx: Arc<Ctx>,
    query: ListQuery<L::Filters>,
    plain: Option<Plain>,
    finish: F,
) -> super::Result<Exported>
where
    L: Exporting,
    F: Fn(Vec<L::Row>) -> Finished + Send + Sync + 'static,
    Finished: Future<Output = Result<Vec<L::Row>, sqlx::Error>> + Send,
{
    let query = prepared::<L>(&cx, query).await?;
    let (db, scope, sort, locale) = (cx.db().clone(), cx.viewer()?.scope(), query.filters.order(query.sort), cx.locale);
    let now = cx.now;
    let filters = Arc::new(query.filters.clone());
    let ids = {
        let (db, filters) = (db.clone(), filters.clone());
        move |most| async move {
            let filter = |sql: &mut _| L::narrow(sql, &filters, scope);
            page::ids(&db, &source::<L>(&filter, scope), sort, most).await
        }
    };
    let finish = Arc::new(finish);
    let rows = {
        let (db, filters) = (db.clone(), filters.clone());
        move |ids: Vec<i64>| {
            let (db, filters, finish) = (db.clone(), filters.clone(), finish.clone());
            async move {
                let filter = |sql: &mut _| L::narrow(sql, &filters, scope);
                let mut rows = page::by_ids(&db, &source::<L>(&filter, scope), sort, &ids, |row| L::read(row, locale)).await?;
                L::complete(&db, &mut rows, now).await?;
                finish(rows).await
            }
        }
    };
    let last = totals::<L>(&db, &filters, scope, locale);
    export::make(cx.clone(), &query, L::sheet(), export::Reading { ids, rows, last }, plain).await
}
