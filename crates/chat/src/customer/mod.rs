//! Customers: who writes in the chat. Calls under `/chat/client`.

mod list;
pub mod model;
mod record;
pub mod store;

use crate::words::POINT;
use base::db::Connection;
use frame::api::Access::Point;
use frame::api::{Calls, listing};

/// The calls of customers.
pub fn calls() -> Calls {
    Calls::new()
        .list("/chat/client/page", Point("chat/client/list"), listing::page::<list::Customers>)
        .list("/chat/client/page/export", Point("chat/client/export"), listing::export::<list::Customers>)
        .get("/chat/client/{id}", Point("chat/client/list"), record::view)
        .get("/chat/client/history/{id}", Point("chat/client/list"), record::history)
        .get("/chat/client/reveal/{id}", Point(POINT), record::reveal)
        .put("/chat/client", Point("chat/client/update"), record::update)
        .put("/chat/client/status", Point("chat/client/block"), record::set_status)
        .delete("/chat/client/{id}", Point("chat/client/delete"), record::erase)
}

/// Deletes the customers of an applicant who is erased.
pub async fn erase_of_applicant(tx: &mut Connection, user_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let ids = store::of_applicant(tx, user_id).await?;
    store::erase(tx, &ids, now).await
}
