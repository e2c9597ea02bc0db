//! The agreements that applicants can consent to now, for the server of a channel: `POST /open/agreements`.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::partner;
use base::nonce;
use frame::api::check::present;
use frame::api::error::Refusal;
use frame::api::{ApiError, Ctx, Result, Signed};
use trade::agreement;

/// The requested agreements.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgreementQuestion {
    /// The code of one; absent for all.
    code: Option<String>,
}

/// The agreements that are valid now, latest first; at most 100.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OfferedAgreements {
    agreements: Vec<OfferedAgreement>,
}

/// An agreement as applicants read it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedAgreement {
    code: String,
    version: String,
    name: String,
    /// Lines end with `\n`.
    text: String,
    /// SHA-256 of the text in UTF-8, in hex: `consent.textHash` of `POST /open/user`.
    text_hash: String,
    /// Epoch milliseconds.
    valid_from: i64,
    /// Epoch milliseconds; none without an end.
    valid_to: Option<i64>,
}

/// `POST /open/agreements`.
pub async fn offer(cx: Arc<Ctx>, call: Signed<AgreementQuestion>) -> Result<OfferedAgreements> {
    let (_, question, nonce) = partner::channel(&cx, call).await?;
    let mut tx = cx.db().begin().await?;
    if !nonce::claim(&mut tx, &nonce).await? {
        return Err(ApiError::Signed(Refusal::Nonce));
    }
    tx.commit().await?;
    let offered = agreement::offered(cx.db(), present(question.code).as_deref(), cx.now).await?;
    let agreements = offered.into_iter().map(|(held, name, text)| OfferedAgreement {
        code: held.code,
        version: held.edition,
        name,
        text,
        text_hash: held.digest,
        valid_from: held.valid_from,
        valid_to: held.valid_to,
    });
    Ok(OfferedAgreements { agreements: agreements.collect() })
}
