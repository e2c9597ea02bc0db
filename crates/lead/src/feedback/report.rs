//! Reports from an organisation's server on leads that it bought.

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::form::Outcome;
use super::model::FeedbackSource;
use super::record::{self, Said};
use super::store;
use crate::distribution::{self, Heard};
use base::db::{Connection, Tx};
use base::nonce::{self, Nonce};
use frame::access::Scope;
use frame::api::check::present;
use frame::api::error::Refusal;
use frame::api::input::null_is_default;
use frame::api::{ApiError, Check, Ctx, Result, say};
use trade::plan::push::model::PushRow;
use trade::plan::push::rows as pushes;
use trade::user;

/// The outcome of a lead.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FeedbackReport {
    /// The caller's own number of the report, 1 to 64 characters: a report that is sent twice counts once.
    request_id: String,
    /// The platform's number of the lead, as it was sent (`leadNo`).
    no: Option<String>,
    /// The caller's number of the lead, as in its answer to the delivery; instead of `no`.
    upstream_no: Option<String>,
    /// 0 unreachable, 1 no need or not qualified, 2 possible, 3 good.
    star: Option<i64>,
    /// The outcome, by its code: `no_answer`, `unqualified`, `signed`, `disbursed`…
    end_code: Option<String>,
    /// The amount of the loan, in fen; only with `disbursed`.
    loan_cents: Option<i64>,
    /// At most 500 characters. Data that identifies the applicant is masked.
    #[serde(default, deserialize_with = "null_is_default")]
    content: String,
}

/// The result. It is in the database when this is answered.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FeedbackReported {
    /// The platform's number of the lead.
    no: String,
    /// The report contains something new.
    counted: bool,
}

/// Stores a signed report of an organisation. A report under a number that was used before does not count, nor one
/// that repeats the last report on the lead. A report proves that the organisation has the lead: if that was unknown,
/// the lead is sold in the same transaction.
pub async fn report(cx: &Ctx, org_id: i64, body: FeedbackReport, nonce: &Nonce) -> Result<FeedbackReported> {
    let request_id = body.request_id.trim();
    let (no, upstream_no) = (&present(body.no), &present(body.upstream_no));
    Check::new()
        .text("requestId", request_id, 1..=64)
        .that("no", no.is_some() != upstream_no.is_some(), say("no 和 upstreamNo 填写其一", "Give either no or upstreamNo"))
        .text("no", no.as_deref().unwrap_or_default(), 0..=64)
        .text("upstreamNo", upstream_no.as_deref().unwrap_or_default(), 0..=200)
        .done()?;
    let outcome = &Outcome::of(body.star, body.end_code, body.loan_cents, &body.content);
    let kept = cx
        .db()
        .transact(|mut tx| {
            async move {
                if !nonce::claim(&mut tx, nonce).await? {
                    return Err(ApiError::Signed(Refusal::Nonce));
                }
                let push = named(&mut tx, org_id, no.as_deref(), upstream_no.as_deref()).await?;
                outcome.check(&mut tx).await?;
                let push = match distribution::known_to_buyer(&cx.app, &mut tx, &push).await? {
                    Heard::Nothing => push,
                    Heard::Taken => named(&mut tx, org_id, no.as_deref(), upstream_no.as_deref()).await?,
                    // People who decide get a message; the report is refused all the same.
                    Heard::TooLate => return Ok(record::sold_user(&push).map(|_| (push, false))),
                };
                let counted = keep(cx, &mut tx, &push, request_id, outcome).await?;
                Ok(Ok((push, counted)))
            }
            .boxed()
        })
        .await?;
    let (push, counted) = kept?;
    Ok(FeedbackReported { no: push.no, counted })
}

/// Stores a report on a lead. Returns whether it contains something new.
async fn keep(cx: &Ctx, tx: &mut Tx, push: &PushRow, request_id: &str, outcome: &Outcome) -> Result<bool> {
    let user_id = record::sold_user(push)?;
    let user = user::find(&mut **tx, Scope::All, user_id).await?.ok_or(ApiError::Missing)?;
    let person = user::person::reveal(&mut **tx, &cx.app.keys, user_id).await.map_err(ApiError::Internal)?;
    let outcome = outcome.clone().about(person.as_ref());
    // Reports on one lead come one after another, so that each is compared with the one before.
    cx.db().lock(tx, &format!("feedback:{}", push.id)).await?;
    match store::last_reported(tx, push.id).await? {
        Some(before) if before == outcome => Ok(false),
        _ => {
            let said = Said {
                user: &user,
                push: Some(push),
                source: FeedbackSource::Buyer,
                outcome: &outcome,
                request_id: Some(request_id),
                created_by: None,
            };
            Ok(record::keep(tx, &said, cx.now).await?.is_some())
        }
    }
}

/// The lead of an organisation by one of its numbers. Leads of others are not found.
async fn named(tx: &mut Connection, org_id: i64, no: Option<&str>, upstream_no: Option<&str>) -> Result<PushRow> {
    let mut found = pushes::of_org(tx, org_id, no, upstream_no).await?;
    if found.len() > 1 {
        let several = say("这个编号对应多条线索，请改用 no", "Several leads have this reference: use no instead");
        return Err(ApiError::field("upstreamNo", several));
    }
    found.pop().ok_or(ApiError::Missing)
}
