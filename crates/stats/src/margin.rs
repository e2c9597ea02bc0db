//! The margin of some days, for other areas: the same as in statistics by channel and in the overview.

use jiff::civil::Date;

use super::model::StatFilters;
use super::rows::{self, Range};
use super::screen::ChannelList;
use base::clock;
use base::db::Db;
use frame::access::Scope;

/// What organisations pay, what channels get, and what is left; fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Margin {
    pub income_cents: i64,
    pub cost_cents: i64,
    pub margin_cents: i64,
}

/// The margin of all channels in a scope, over days including both ends.
pub async fn margin(db: &Db, scope: Scope, first: Date, last: Date) -> Result<Margin, sqlx::Error> {
    let range = Range { first: clock::start(first), last: clock::start(last) };
    let keys = ["incomeCents", "costCents", "marginCents"];
    let (_, sum) = rows::figures::<ChannelList>(db, scope, &StatFilters::default(), (range, None), &keys).await?;
    let of = |key| sum.values.get(key).unwrap_or(0);
    Ok(Margin { income_cents: of(keys[0]), cost_cents: of(keys[1]), margin_cents: of(keys[2]) })
}
