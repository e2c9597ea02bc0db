//! `POST /open/consent/withdraw`: a channel's server reports that an applicant whom it brought has withdrawn the consent.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::partner;
use crate::api::check::present;
use crate::api::error::Refusal;
use crate::api::{ApiError, Ctx, Result, Signed, say};
use crate::nonce;
use crate::user::{WithdrawnVia, consent};

/// Whose consent is withdrawn: an applicant of the caller, by one of the two numbers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Withdrawal {
    /// The caller's own number of the application.
    request_id: Option<String>,
    /// Our number of the applicant.
    no: Option<String>,
}

/// What the withdrawal did.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentWithdrawn {
    /// Our number of the applicant.
    no: String,
    /// Epoch milliseconds; of one reported before, when that was.
    withdrawn_at: i64,
    /// Leads that waited to be sent and are not sent any more.
    cancelled: i64,
    /// Organisations' leads of the applicant that they have; their people are told to stop.
    taken: i64,
}

/// `POST /open/consent/withdraw`. Reported twice, it is withdrawn once.
pub async fn withdraw(cx: Arc<Ctx>, call: Signed<Withdrawal>) -> Result<ConsentWithdrawn> {
    let (channel, withdrawal, nonce) = partner::channel(&cx, call).await?;
    let (request_id, no) = (present(withdrawal.request_id), present(withdrawal.no).map(|no| no.to_uppercase()));
    if request_id.is_some() == no.is_some() {
        return Err(ApiError::field("requestId", say("请提供 requestId 或 no 其中之一", "Give either requestId or no")));
    }
    let (cx, nonce, request_id, no) = (&*cx, &nonce, request_id.as_deref(), no.as_deref());
    cx.db()
        .transact(|mut tx| {
            async move {
                let now = tx.now(&cx.app.clock).await?;
                let applicant = consent::of_channel(&mut tx, channel.id, request_id, no).await?;
                let Some(applicant) = applicant else {
                    let field = if no.is_some() { "no" } else { "requestId" };
                    return Err(ApiError::field(field, say("没有这位申请人", "There is no such applicant")));
                };
                let withdrawn = consent::withdraw(&mut tx, applicant.id, WithdrawnVia::Channel, now).await?;
                // Last, for the order of locks: who is refused here withdraws nothing.
                if !nonce::claim(&mut tx, nonce).await? {
                    return Err(ApiError::Signed(Refusal::Nonce));
                }
                Ok(ConsentWithdrawn {
                    no: applicant.no,
                    withdrawn_at: withdrawn.map(|done| done.at).or(applicant.consent_withdrawn_at).unwrap_or(now),
                    cancelled: withdrawn.map_or(0, |done| done.cancelled),
                    taken: withdrawn.map_or(0, |done| done.taken),
                })
            }
            .boxed()
        })
        .await
}
