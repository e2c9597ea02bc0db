//! Short messages to the phones that an organisation names for what it must know at once.

use super::store;
use crate::api::{ApiError, App};
use crate::db::Connection;
use crate::outbox::{self, Sms};

/// Queues a message to each of them, once under a key however often it is asked for.
pub async fn alert(app: &App, tx: &mut Connection, org_id: i64, text: &str, idem_key: &str, now: i64) -> Result<(), ApiError> {
    for (index, phone) in store::phones(tx, &app.keys, org_id).await?.alert_phones.into_iter().enumerate() {
        let sms = Sms { phone, text: text.to_owned() };
        outbox::enqueue(tx, &app.keys, &sms, &format!("{idem_key}-{index}"), now).await?;
    }
    Ok(())
}
