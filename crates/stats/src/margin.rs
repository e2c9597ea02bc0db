//! The margin of some days, for other areas: the one of statistics by channel and of the overview.

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

/// The margin of all channels that a scope reaches, over days of which both ends are included.
pub async fn margin(db: &Db, scope: Scope, first: Date, last: Date) -> Result<Margin, sqlx::Error> {
    let range = Range { first: clock::start(first), last: clock::start(last) };
    let keys = ["incomeCents", "costCents", "marginCents"];
    let (_, sum) = rows::figures::<ChannelList>(db, scope, &StatFilters::default(), (range, None), &keys).await?;
    let of = |key| sum.values.get(key).unwrap_or(0);
    Ok(Margin { income_cents: of(keys[0]), cost_cents: of(keys[1]), margin_cents: of(keys[2]) })
}
