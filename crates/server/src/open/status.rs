//! `POST /open/push/status`: an organisation's server reports the outcome of a lead that it bought.

use std::sync::Arc;

use super::partner;
use frame::api::{Ctx, Result, Signed};
use lead::feedback::{self, FeedbackReport, FeedbackReported};

/// `POST /open/push/status`.
pub async fn report(cx: Arc<Ctx>, call: Signed<FeedbackReport>) -> Result<FeedbackReported> {
    let (caller, body, nonce) = partner::organisation(&cx, call).await?;
    feedback::report(&cx, caller.id, body, &nonce).await
}
