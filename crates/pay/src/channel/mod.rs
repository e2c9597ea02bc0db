//! Payee channels: the provider and the keys through which a payee organisation is paid, and the limits. They belong to
//! the platform. Calls under `/payChannel`.

mod expiry;
mod form;
mod list;
pub mod model;
pub mod params;
pub mod record;
pub mod shown;
pub mod store;

use sqlx::Row;

use base::db::Connection;
use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};

pub use expiry::warn_of_expiry;
pub use form::{ChannelFormChecked, MOST_CENTS};
pub use list::{open_work, search};
pub use model::{ChannelFee, ChannelKeys, PayProvider, PayeeChannelRow, PayeeChannelStatus};

/// The calls of payee channels.
pub fn calls() -> Calls {
    Calls::new()
        .list("/payChannel/page", Point("payConfig/list/list"), listing::page::<list::Channels>)
        .list("/payChannel/page/export", Point("payConfig/list/export"), listing::export::<list::Channels>)
        .get(
            "/payChannel/options",
            AnyPoint(&["payConfig/list/list", "payConfig/order-list/list", "payConfig/pool-list/list"]),
            record::choices,
        )
        .get("/payChannel/{id}", Point("payConfig/list/view"), record::view)
        .get("/payChannel/history/{id}", Point("payConfig/list/view"), record::history)
        .post("/payChannel", Point("payConfig/list/create"), record::create)
        .put("/payChannel", Point("payConfig/list/update"), record::update)
        .put("/payChannel/audit", Point("payConfig/list/status"), shown::decide)
        .put("/payChannel/withdraw", Point("payConfig/list/update"), shown::withdraw)
        .put("/payChannel/status", Point("payConfig/list/status"), record::change_status)
        .delete("/payChannel/{id}", Point("payConfig/list/delete"), record::delete)
}

/// The fee of a channel.
pub async fn fee_of(tx: &mut Connection, id: i64) -> Result<ChannelFee, sqlx::Error> {
    let row = sqlx::query("SELECT fee_bp FROM payee_channel WHERE id = $1").bind(id).fetch_one(tx).await?;
    Ok(ChannelFee { id, fee_bp: row.try_get("fee_bp")? })
}
