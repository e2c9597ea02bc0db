//! Statements of partners: the amount owed to a channel for a month, sent by a link that needs no account, confirmed
//! or disputed there, corrected by two people, and confirmed by two people if the partner does so by other means.
//! Calls under `/partner/statement` and `/partner/adjust`, and the partner's page.

mod adjustment;
mod confirmation;
mod items;
mod link;
mod list;
mod make;
pub mod model;
mod notices;
mod page;
mod pdf;
mod record;
mod sheet;
pub mod store;

use frame::api::Access::Point;
use frame::api::open_work::OpenWork;
use frame::api::search::Search;
use frame::api::{Calls, listing};

pub use adjustment::{matter as adjustment_matter, number as adjustment_number, post as post_adjustment};
pub use make::number;
pub use make::{make_monthly, work};
pub use page::pages;

/// The calls of statements.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&confirmation::PROOF)
        .list("/partner/statement/page", Point("finance/partner/list"), listing::page::<list::PartnerStatements>)
        .list("/partner/statement/page/export", Point("finance/partner/export"), listing::export::<list::PartnerStatements>)
        .list("/partner/statement/item/page", Point("finance/partner/list"), listing::page::<items::PartnerItems>)
        .list("/partner/statement/item/page/export", Point("finance/partner/export"), listing::export::<items::PartnerItems>)
        .get("/partner/statement/{id}", Point("finance/partner/list"), record::view)
        .get("/partner/statement/history/{id}", Point("finance/partner/list"), record::history)
        .get("/partner/statement/items/{id}", Point("finance/partner/list"), record::items)
        .get("/partner/statement/file/{id}", Point("finance/partner/list"), record::file)
        .get("/partner/statement/sheet/{id}", Point("finance/partner/export"), record::sheet)
        .post("/partner/statement", Point("finance/partner/statement"), record::create)
        .post("/partner/statement/send", Point("finance/partner/statement"), link::send)
        .put("/partner/statement/withdraw", Point("finance/partner/statement"), link::withdraw)
        .put("/partner/statement/confirm", Point("finance/partner/statement"), confirmation::ask)
        .put("/partner/statement/confirm/withdraw", Point("finance/partner/statement"), confirmation::withdraw)
        .put("/partner/statement/audit", Point("finance/partner/audit"), confirmation::decide)
        .list("/partner/adjust/page", Point("finance/partner/list"), listing::page::<adjustment::PartnerAdjustments>)
        .list("/partner/adjust/page/export", Point("finance/partner/export"), listing::export::<adjustment::PartnerAdjustments>)
        .post("/partner/adjust", Point("finance/partner/adjust"), adjustment::create)
        .put("/partner/adjust/audit", Point("finance/partner/audit"), adjustment::decide)
        .put("/partner/adjust/withdraw", Point("finance/partner/adjust"), adjustment::withdraw)
}

/// The viewer's open work on statements and their adjustments, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    list::open_work(work);
    adjustment::open_work(work);
}

/// Finds statements and their adjustments by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    list::search(search).await?;
    adjustment::search(search).await
}
