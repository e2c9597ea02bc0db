//! Short messages to the alert phones of an organisation.

use super::store;
use base::clock::DAY;
use base::db::Connection;
use frame::api::{ApiError, App};
use frame::sms::{self, NewSms, SmsKind};

/// After a day the news is old.
const EXPIRES: i64 = DAY;

/// Queues a message to each of them, once for each key.
pub async fn alert(
    app: &App,
    tx: &mut Connection,
    org_id: i64,
    (kind, params): (SmsKind, &[(&'static str, String)]),
    idem_key: &str,
    now: i64,
) -> Result<(), ApiError> {
    for (index, phone) in store::phones(tx, &app.keys, org_id).await?.alert_phones.into_iter().enumerate() {
        let idem_key = &format!("{idem_key}-{index}");
        let new = NewSms { kind, phone: &phone, params, idem_key, expires_at: now + EXPIRES, created_by: None };
        sms::queue(tx, &app.keys, &new, now).await?;
    }
    Ok(())
}
