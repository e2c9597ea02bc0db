//! Amounts owed to partners, who bring applicants by channels: one item for each event that changes them, each with
//! its transfer in the journal; their monthly statements, and payouts. Calls under `/partner`.

pub mod payout;
pub mod statement;
mod tax;

use base::db::{Db, Tx};
use frame::api::Calls;
use frame::api::open_work::OpenWork;
use frame::api::search::Search;

pub use statement::pages;
pub use statement::{make_monthly, work as work_on_statements};

/// Locks the statements and payouts of a channel until the transaction ends, before any row of them is locked.
async fn lock_channel(db: &Db, tx: &mut Tx, channel_id: i64) -> Result<(), sqlx::Error> {
    db.lock(tx, &format!("partner_statement:{channel_id}")).await
}

/// The calls of this area.
pub fn calls() -> Calls {
    statement::calls().and(payout::calls())
}

/// The viewer's open work, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    statement::open_work(work);
    payout::open_work(work);
}

/// Finds statements, their adjustments and payouts by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    statement::search(search).await?;
    payout::search(search).await
}
