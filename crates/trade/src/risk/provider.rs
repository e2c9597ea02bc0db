//! A provider: its request and its result.

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::http::Http;
use super::model::{RiskFact, RiskHit, RiskLevel};
use super::rules::Rules;
use crate::user::past::Subject;
use base::outside::Fault;
use frame::api::{ApiError, App, Say, say};
use frame::setting;

/// A source of risk reports.
pub trait Provider: Send + Sync {
    /// `built_in`, or its host.
    fn name(&self) -> &str;
    /// The price of an answer, in fen; none for our own rules.
    fn price_cents(&self) -> Option<i64>;
    /// How long its report is reused, in milliseconds.
    fn valid_for(&self) -> i64;
    /// Requests a report on an applicant. None: the provider does not know the person.
    fn report<'p>(&'p self, app: &'p App, subject: &'p Subject) -> BoxFuture<'p, Result<Option<Findings>, Failure>>;
}

/// A provider's report on an applicant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    pub score: i64,
    pub level: RiskLevel,
    pub detail: Detail,
}

/// The sealed part of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    pub hits: Vec<RiskHit>,
    pub facts: Vec<RiskFact>,
}

/// Why a provider gives no answer.
#[derive(Debug)]
pub enum Failure {
    Theirs(Reason),
    Internal(ApiError),
}

/// A fault on the provider's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    TooLate,
    TooLarge,
    Unreachable,
    /// Its address is in our own network.
    NotPublic,
    /// Another status than 2xx; a redirect is not followed.
    BadStatus,
    /// The answer cannot be read.
    Unreadable,
    /// It refuses: a wrong signature, an empty account.
    Refused,
}

impl Reason {
    /// The text for people.
    pub fn say(self) -> Say {
        match self {
            Reason::TooLate => say("风控服务商没有及时应答，请稍后再试", "The risk provider did not answer in time: try again later"),
            Reason::TooLarge | Reason::Unreadable => say("风控服务商的应答无法识别", "The risk provider's answer cannot be understood"),
            Reason::Unreachable | Reason::BadStatus => {
                say("风控服务商暂时不可用，请稍后再试", "The risk provider cannot be reached: try again later")
            }
            Reason::NotPublic => say("风控服务商的地址不是公网地址", "The risk provider's address is not a public address"),
            Reason::Refused => say("风控服务商拒绝了查询", "The risk provider refused the query"),
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Theirs(match fault {
            Fault::NotPublic => Reason::NotPublic,
            Fault::TooLate => Reason::TooLate,
            Fault::TooLarge => Reason::TooLarge,
            Fault::Unreachable | Fault::Cut => Reason::Unreachable,
        })
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Failure {
        Failure::Internal(error.into())
    }
}

/// The provider of this installation.
pub async fn provider(app: &App) -> Result<Box<dyn Provider>, sqlx::Error> {
    let values = app.settings.values(&app.db).await?;
    Ok(match &app.config.risk {
        None => Box::new(Rules { minutes: values.get(&setting::RISK_OWN_MINUTES) }),
        Some(config) => Box::new(Http {
            config: config.clone(),
            days: values.get(&setting::RISK_VALID_DAYS),
            price_cents: values.get(&setting::RISK_PRICE_CENTS),
            timeout_ms: values.get(&setting::RISK_TIMEOUT_MS),
        }),
    })
}
