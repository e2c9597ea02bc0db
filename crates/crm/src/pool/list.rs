//! The list of pools.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{PoolFilters, PoolRow};
use super::store;
use base::db::{Db, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::Listing;

/// Pools in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::CluePool, kind: "clue_pool", id: None };

/// The list of pools.
pub struct Pools;

impl Listing for Pools {
    type Filters = PoolFilters;
    type Row = PoolRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PoolFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<PoolRow, sqlx::Error> {
        PoolRow::from_row(row)
    }

    async fn complete(db: &Db, rows: &mut [PoolRow], _: i64) -> Result<(), sqlx::Error> {
        store::add_team_names(db.read(), rows).await
    }
}
