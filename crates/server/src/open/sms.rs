//! `POST /open/sms/report`: the provider of short messages reports deliveries.

use std::sync::Arc;

use super::partner;
use frame::api::{Ctx, Result, Signed};
use frame::sms::{self, SmsReport, SmsReported};

/// `POST /open/sms/report`.
pub async fn report(cx: Arc<Ctx>, call: Signed<SmsReport>) -> Result<SmsReported> {
    let (body, nonce) = partner::sms_provider(&cx, call).await?;
    sms::report(&cx, body, &nonce).await
}
