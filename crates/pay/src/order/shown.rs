//! The payee's data on the payer's page: as they were when the order was created, whatever is approved later.

use serde::{Deserialize, Serialize};

use crate::channel::{PayeeChannelRow, store as channels};
use base::crypto::{Keys, place};
use base::db::{Connection, Db};
use frame::access::Scope;
use frame::api::{ApiError, Result};
use trade::org::payee;

/// Payee, bank account and instructions of an order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShownPayee {
    pub name: String,
    pub bank_name: String,
    pub bank_account: String,
    pub instructions: String,
}

/// The data for an order that is created now.
async fn now(tx: &mut Connection, keys: &Keys, channel: &PayeeChannelRow) -> Result<ShownPayee> {
    let payee = payee::details(tx, keys, channel.payee_org_id).await?;
    Ok(ShownPayee {
        name: payee.name,
        bank_name: payee.bank_name,
        bank_account: payee.bank_account,
        instructions: channel.instructions.clone(),
    })
}

/// The same data, encrypted for the order with this number.
pub(super) async fn sealed(tx: &mut Connection, keys: &Keys, channel: &PayeeChannelRow, no: &str) -> Result<String> {
    let shown = serde_json::to_string(&now(tx, keys, channel).await?).expect("texts serialise");
    Ok(keys.seal(&place::PAYMENT_ORDER_PAYEE.of(no), &shown))
}

/// The data on the page of an order. Orders created before these were stored show the present payee.
pub async fn of(db: &Db, keys: &Keys, no: &str, channel_id: i64) -> Result<ShownPayee> {
    let mut on = db.read().acquire().await?;
    let kept: Option<String> = sqlx::query_scalar("SELECT payee_enc FROM payment_order WHERE no = $1").bind(no).fetch_one(&mut on).await?;
    match kept {
        Some(sealed) => {
            let text = keys.open(&place::PAYMENT_ORDER_PAYEE.of(no), &sealed)?;
            Ok(serde_json::from_str(&text).map_err(|error| sqlx::Error::Decode(error.into()))?)
        }
        None => {
            let channel = channels::find(&mut on, Scope::All, channel_id).await?.ok_or(ApiError::Missing)?;
            now(&mut on, keys, &channel).await
        }
    }
}
