//! The pool of payment links: imported, reserved for one order each, used or released again, and retired. They are the
//! platform's. Calls under `/payPool`.

pub mod batch;
mod list;
pub mod model;
mod record;
pub mod store;
mod table;

use base::clock::MINUTE;
use frame::api::Access::Point;
use frame::api::{App, Calls, listing};
use frame::setting;

pub use list::open_work;
pub use store::{address_of, expire, free_from, release, reserve, used};

/// Milliseconds that a link rests once its order has ended unpaid.
pub async fn rest(app: &App) -> std::result::Result<i64, sqlx::Error> {
    Ok(app.settings.get(&app.db, &setting::PAY_LINK_REST_MINUTES).await? * MINUTE)
}

/// The calls of the pool.
pub fn calls() -> Calls {
    Calls::new()
        .list("/payPool/page", Point("payConfig/pool-list/list"), listing::page::<list::Links>)
        .list("/payPool/page/export", Point("payConfig/pool-list/export"), listing::export::<list::Links>)
        .post("/payPool/import", Point("payConfig/pool-list/import"), table::import)
        .get("/payPool/template", Point("payConfig/pool-list/import"), table::template)
        .get("/payPool/batch/{id}", Point("payConfig/pool-list/list"), batch::view)
        .get("/payPool/batch/reveal/{id}", Point("payConfig/pool-list/audit"), batch::reveal)
        .put("/payPool/batch/audit", Point("payConfig/pool-list/audit"), batch::decide)
        .put("/payPool/batch/withdraw", Point("payConfig/pool-list/import"), batch::withdraw)
        .get("/payPool/{id}", Point("payConfig/pool-list/list"), record::view)
        .get("/payPool/history/{id}", Point("payConfig/pool-list/list"), record::history)
        .put("/payPool/status", Point("payConfig/pool-list/update"), record::change_status)
        .delete("/payPool/{id}", Point("payConfig/pool-list/delete"), record::delete)
}
