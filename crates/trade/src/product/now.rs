//! What stops a product from being shown at a moment.

use super::model::{ProductHold, ProductNow, ProductRow};
use super::visited::{cap_usage, is_full};
use super::window;
use crate::org::OrgStatus;
use crate::org::standing;
use base::db::Db;

/// One product with what stops it at a moment.
pub async fn of_one(db: &Db, product: ProductRow, at: i64) -> Result<ProductNow, sqlx::Error> {
    let capped = if product.caps.is_empty() { Vec::new() } else { vec![product.id] };
    // Side by side: each is a trip to the database.
    let (standings, usage) = tokio::try_join!(standing::standings(db.read(), [product.org_id], at), cap_usage(db, capped, at))?;
    let organisation = standings.get(&product.org_id);
    let holds = [
        (ProductHold::Organisation, organisation.is_none_or(|standing| standing.status != OrgStatus::Active)),
        (ProductHold::Closed, !window::is_open(product.online_from.as_deref(), product.online_to.as_deref(), at)),
        (ProductHold::Capped, is_full(&usage, product.id, product.uv_price_cents)),
    ];
    let holds = holds.into_iter().filter_map(|(hold, holds)| holds.then_some(hold)).collect();
    Ok(ProductNow { test: organisation.is_some_and(|standing| standing.test), product, holds })
}
