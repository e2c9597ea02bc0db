//! The general settings of distribution.

use strum::EnumString;

use frame::api::App;
use frame::setting;
use trade::ledger::account::SpendOrder;

/// Which plan is asked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Method {
    /// The plan with the smallest priority; among equals, the one that pays more.
    Priority,
    /// The plan that pays most; among equals, the one with the smaller priority.
    Price,
    /// The plan that has waited longest for a lead.
    Turns,
    /// At random, each as often as its weight says.
    Weight,
}

/// All settings of distribution.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub method: Method,
    /// Days within which an organisation buys the same person once, if its plan says nothing; 0 for no limit.
    pub dedup_days: i64,
    /// The most buyers of a shared lead.
    pub max_buyers: i64,
    /// Milliseconds to wait for an answer to a question, and to a delivery.
    pub match_timeout_ms: i64,
    pub push_timeout_ms: i64,
    /// The most retries of a delivery.
    pub push_retry: i64,
    /// Minutes for which a lead waits for an organisation's server before another plan is looked for.
    pub wait_minutes: i64,
    /// Minutes until plans are searched again for an applicant that no plan took; 0 for never.
    pub again_minutes: i64,
    /// Which part of an account pays first.
    pub spend_order: SpendOrder,
}

impl Policy {
    /// Reads the current settings.
    pub async fn of(app: &App) -> Result<Policy, sqlx::Error> {
        let values = app.settings.values(&app.db).await?;
        Ok(Policy {
            method: values.get(&setting::LEAD_METHOD).parse().unwrap_or(Method::Priority),
            dedup_days: values.get(&setting::LEAD_DEDUP_DAYS),
            max_buyers: values.get(&setting::LEAD_MAX_BUYERS),
            match_timeout_ms: values.get(&setting::MATCH_TIMEOUT_MS),
            push_timeout_ms: values.get(&setting::PUSH_TIMEOUT_MS),
            push_retry: values.get(&setting::PUSH_RETRY),
            wait_minutes: values.get(&setting::PUSH_WAIT_MINUTES),
            again_minutes: values.get(&setting::LEAD_AGAIN_MINUTES),
            spend_order: values.get(&setting::FINANCE_SPEND_ORDER).parse().unwrap_or_default(),
        })
    }
}
