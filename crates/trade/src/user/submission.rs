//! An application as intake needs it: how it was submitted, what is computed from it, and the result.

use super::check::{CheckResult, UserCheck};
use super::form::{self, Application, Sealed};
use super::model::UserStatus;
use super::reputation;
use crate::agreement;
use crate::agreement::Register;
use crate::blacklist;
use crate::channel::Supplier;
use crate::org;
use crate::product::{self, Named};
use base::clock;
use base::crypto;
use base::nonce::Nonce;
use frame::api::{ApiError, App, Check, Result, Say, say};
use frame::setting;
use frame::terms::{RuleSet, applicant};

/// An application that a channel or a member of staff submits.
pub struct Submission {
    pub channel: Supplier,
    pub application: Application,
    /// The channel's own number of the call.
    pub request_id: Option<String>,
    /// The key of the visitor whose application it is, as in the exposures of plans.
    pub visitor: Option<String>,
    /// The member of staff who enters it.
    pub entered_by: Option<i64>,
    /// The token of a signed call.
    pub nonce: Option<Nonce>,
    /// The round waits its turn in the database, and is not made by this process at once.
    pub waits: bool,
}

/// A valid submission, with everything about it that does not depend on earlier applications.
pub struct PreparedSubmission {
    pub submission: Submission,
    /// The number of the applicant, if the application is stored; sealed values are bound to it.
    pub no: String,
    pub sealed: Sealed,
    pub payload_hash: String,
    pub ip_hash: Option<String>,
    /// The product that was chosen.
    pub product_id: Option<i64>,
    /// The organisations named by the consent.
    pub recipients: Vec<i64>,
    /// The agreement of the register that the consent names; none without a consent.
    pub agreement_id: Option<i64>,
    /// Days within which the same person counts once.
    pub dedup_days: i64,
    /// How far back the person's past counts, in milliseconds; none if the channel's filters do not use it.
    pub past_span: Option<i64>,
}

/// The result of an application.
#[derive(Clone, Debug)]
pub struct Taken {
    pub id: i64,
    pub no: String,
    pub status: UserStatus,
    /// The check that failed.
    pub failed: Option<UserCheck>,
    pub checks: Vec<CheckResult>,
    /// Until when this process has the lease for a round; none when no round is needed.
    pub claimed: Option<i64>,
    /// The application is new.
    pub added: bool,
}

impl PreparedSubmission {
    /// Looks up what a submission names. An unknown product or organisation is an error, and so is an agreement that the
    /// register does not have in this form.
    pub async fn of(app: &App, submission: Submission) -> Result<PreparedSubmission> {
        let (application, channel) = (&submission.application, &submission.channel);
        require_fields(application, channel)?;
        let dedup_days = match channel.dedup_days {
            Some(days) => days,
            None => app.settings.get(&app.db, &setting::LEAD_DEDUP_DAYS).await?,
        };
        let past_span = match channel.filters.as_ref().is_some_and(RuleSet::asks_past) {
            true => Some(reputation::span(app).await?),
            false => None,
        };
        let no = format!("U{}-{}", clock::day_compact(app.clock.now()), crypto::random_text(8).to_uppercase());
        Ok(PreparedSubmission {
            sealed: Sealed::of(&app.keys, &no, &application.form),
            no,
            payload_hash: application.hash(),
            ip_hash: blacklist::ip_hash(&app.keys, application.form.ip.as_deref().unwrap_or_default()),
            product_id: product_of(app, application).await?,
            recipients: recipients_of(app, application).await?,
            agreement_id: agreement_of(app, application).await?,
            dedup_days,
            past_span,
            submission,
        })
    }

    /// The channel and its own number of the call.
    pub fn request(&self) -> Option<(i64, String)> {
        self.submission.request_id.clone().map(|request_id| (self.submission.channel.id, request_id))
    }
}

/// The error of a missing field that the channel requires.
pub fn not_given() -> Say {
    say("该渠道要求填写", "Required by the channel")
}

/// Reports each field that the channel requires and the application lacks.
fn require_fields(application: &Application, channel: &Supplier) -> Result<()> {
    let mut check = Check::new();
    for field in applicant::missing(&channel.required_fields, &application.facts) {
        check.that(&format!("applicant.{}", field.name), false, not_given());
    }
    check.done()
}

async fn product_of(app: &App, application: &Application) -> Result<Option<i64>> {
    let Some(code) = &application.form.product else { return Ok(None) };
    let found = product::visited(app.db.read(), Named::Codes(std::slice::from_ref(code)), app.clock.now()).await?;
    found.first().map(|product| Some(product.id)).ok_or_else(|| form::wrong_product(code))
}

async fn agreement_of(app: &App, application: &Application) -> Result<Option<i64>> {
    let Some(consent) = &application.form.consent else { return Ok(None) };
    let held = app.service::<Register>().current(&app.db).await?;
    let id = agreement::named(held.iter(), &consent.named(app.clock.now()));
    id.map(Some).map_err(|(field, message)| ApiError::field(&format!("consent.{field}"), message))
}

async fn recipients_of(app: &App, application: &Application) -> Result<Vec<i64>> {
    let Some(consent) = application.form.consent.as_ref().filter(|consent| !consent.recipients.is_empty()) else { return Ok(Vec::new()) };
    let found = org::by_codes(app.db.read(), &consent.recipients).await?;
    match consent.recipients.iter().find(|code| !found.contains_key(*code)) {
        None => Ok(found.into_values().collect()),
        Some(code) => {
            Err(ApiError::field("consent.recipients", say(format!("没有机构 {code}"), format!("Organisation {code} does not exist"))))
        }
    }
}
