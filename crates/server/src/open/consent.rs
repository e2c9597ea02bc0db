//! `POST /open/consent/withdraw`: a channel's server reports that one of its applicants has withdrawn the consent.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::partner;
use base::nonce;
use frame::api::error::Refusal;
use frame::api::{ApiError, Ctx, Result, Signed};
use lead::applicant::consent;

/// The applicant of the caller whose consent is withdrawn, by one of the two numbers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Withdrawal {
    /// The caller's own number of the application.
    request_id: Option<String>,
    /// The platform's number of the applicant.
    no: Option<String>,
}

/// What the withdrawal did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentWithdrawn {
    /// The platform's number of the applicant.
    no: String,
    /// Epoch milliseconds; the time of the first report if it was reported before.
    withdrawn_at: i64,
    /// Leads that waited to be sent and are not sent any more.
    cancelled: i64,
    /// Leads of the applicant that organisations have; their people get a message to stop.
    taken: i64,
}

/// `POST /open/consent/withdraw`. A second report of the same has no further effect.
pub async fn withdraw(cx: Arc<Ctx>, call: Signed<Withdrawal>) -> Result<ConsentWithdrawn> {
    let (channel, withdrawal, nonce) = partner::channel(&cx, call).await?;
    let named = consent::Named::read(withdrawal.request_id, withdrawal.no)?;
    let (context, nonce, named) = (&*cx, &nonce, &named);
    let (applicant, withdrawn) = cx
        .db()
        .transact(|mut tx| {
            async move {
                let now = tx.now(&context.app.clock).await?;
                if !nonce::claim(&mut tx, nonce).await? {
                    return Err(ApiError::Signed(Refusal::Nonce));
                }
                let applicant = consent::of_channel(&mut tx, channel.id, named).await?;
                let withdrawn = consent::withdraw_for_channel(&mut tx, &applicant, now).await?;
                Ok((applicant, withdrawn))
            }
            .boxed()
        })
        .await?;
    Ok(ConsentWithdrawn {
        cancelled: consent::cancel_waiting(&cx.app, applicant.id).await?,
        no: applicant.no,
        withdrawn_at: withdrawn.map(|done| done.at).or(applicant.consent_withdrawn_at).unwrap_or(cx.now),
        taken: withdrawn.map_or(0, |done| done.taken),
    })
}
