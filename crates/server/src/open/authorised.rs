//! `POST /open/push/authorised`: an organisation's server reports whether an applicant has agreed on its page.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::partner;
use base::nonce;
use frame::api::check::present;
use frame::api::error::Refusal;
use frame::api::{ApiError, Ctx, Result, Signed, say};
use lead::distribution::{self, Reported};

/// What the applicant did.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AuthorisationReport {
    /// The platform's number of the applicant: `userNo` of the question.
    user_no: String,
    /// They agreed, so the lead is sent; otherwise it is offered to others.
    authorised: bool,
}

/// The report was accepted.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthorisationReported {
    /// It had been reported before.
    repeated: bool,
}

/// `POST /open/push/authorised`.
pub async fn report(cx: Arc<Ctx>, call: Signed<AuthorisationReport>) -> Result<AuthorisationReported> {
    let (caller, report, nonce) = partner::organisation(&cx, call).await?;
    let Some(user_no) = present(Some(report.user_no)).filter(|no| no.len() <= 64) else {
        return Err(ApiError::field("userNo", say("必填", "Required")));
    };
    let (context, user_no, nonce) = (&*cx, &user_no.to_uppercase(), &nonce);
    let reported = cx
        .db()
        .transact(|mut tx| {
            async move {
                let reported = distribution::report_authorisation(&context.app, &mut tx, caller.id, user_no, report.authorised).await?;
                // Last, because of the order of locks: a caller that is refused here has reported nothing.
                if !nonce::claim(&mut tx, nonce).await? {
                    return Err(ApiError::Signed(Refusal::Nonce));
                }
                Ok::<_, ApiError>(reported)
            }
            .boxed()
        })
        .await?;
    match reported {
        Reported::Done => {
            cx.app.outbox.wake.notify_one();
            Ok(AuthorisationReported { repeated: false })
        }
        Reported::Before => Ok(AuthorisationReported { repeated: true }),
        Reported::NotAwaited => Err(ApiError::State(say(
            "没有等待该申请人授权的线索，或已超时",
            "No lead waits for this applicant's authorisation, or its time is over",
        ))),
    }
}
