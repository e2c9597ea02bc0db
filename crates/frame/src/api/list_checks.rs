//! Checks of a list, for the tests of areas.

use base::db::plans::Plans;
use base::fields;

use super::list::ListFilters;
use super::listing::{Exporting, Listing, source};
use crate::access::Scope;

/// See [`Plans::every_sort_walks_an_index`].
pub async fn every_sort_walks_an_index<L: Listing<Filters: Default>>(few: &[&str]) {
    let filters = L::Filters::default();
    let filter = |sql: &mut _| L::narrow(sql, &filters, Scope::All);
    Plans::open().await.every_sort_walks_an_index(&source::<L>(&filter, Scope::All), L::Filters::SORTS, L::Filters::ID, few).await;
}

/// Every column of a list's file is a field of its rows, with a heading of the catalogue.
pub fn columns_are_fields<L: Exporting>(record: &str) {
    let row = schemars::schema_for!(L::Row);
    for column in L::sheet().columns {
        assert!(row.pointer(&format!("/properties/{}", column.key)).is_some(), "{} is no field of the rows", column.key);
        assert!(fields::is_named(record, column.key), "no js/areas/*/*/headings.*.json has {record}.{}", column.key);
    }
}

/// The plan of a page with filters and a scope, in the list's default order.
pub async fn plan<L: Listing>(plans: &Plans, filters: L::Filters, scope: Scope) -> String {
    let filter = |sql: &mut _| L::narrow(sql, &filters, scope);
    plans.page(&source::<L>(&filter, scope), L::Filters::SORTS[0].1, L::Filters::ID).await
}
