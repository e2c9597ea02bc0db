//! `POST /open/user/status`: a channel's server asks for the state of one of its applicants, and for the pages of
//! organisations on which the applicant has to agree.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::partner;
use base::nonce;
use frame::api::error::Refusal;
use frame::api::{ApiError, Ctx, Result, Signed};
use lead::applicant::consent;
use trade::plan::push;
use trade::user::UserStatus;

/// An applicant of the caller, by one of the two numbers.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Named {
    /// The caller's own number of the application.
    request_id: Option<String>,
    /// The platform's number of the applicant.
    no: Option<String>,
}

/// The state of an applicant.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The platform's number of the applicant.
    no: String,
    status: UserStatus,
    /// When the consent was withdrawn, epoch milliseconds; none if it holds.
    consent_withdrawn_at: Option<i64>,
    /// Pages to which the applicant is to be taken now: the lead is sent once they have agreed there.
    authorisations: Vec<Authorisation>,
}

/// A page of an organisation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Authorisation {
    org_name: String,
    url: String,
    /// Epoch milliseconds; afterwards another organisation is looked for.
    expires_at: i64,
}

/// `POST /open/user/status`.
pub async fn answer(cx: Arc<Ctx>, call: Signed<Named>) -> Result<Progress> {
    let (channel, named, nonce) = partner::channel(&cx, call).await?;
    let named = consent::Named::read(named.request_id, named.no)?;
    let mut tx = cx.db().begin().await?;
    if !nonce::claim(&mut tx, &nonce).await? {
        return Err(ApiError::Signed(Refusal::Nonce));
    }
    let user = consent::of_channel(&mut tx, channel.id, &named).await?;
    tx.commit().await?;
    let pages = match user.consent_withdrawn_at.is_none() && user.status != UserStatus::Invalid {
        true => push::authorisation::pages(cx.db(), &cx.app.keys, user.id, cx.now).await.map_err(ApiError::Internal)?,
        false => Vec::new(),
    };
    let authorisation =
        |page: push::authorisation::AuthPage| Authorisation { org_name: page.org_name, url: page.url, expires_at: page.until };
    Ok(Progress {
        no: user.no,
        status: user.status,
        consent_withdrawn_at: user.consent_withdrawn_at,
        authorisations: pages.into_iter().map(authorisation).collect(),
    })
}
