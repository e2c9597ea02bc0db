//! How leads are distributed: the general settings that say so.

use strum::EnumString;

use frame::api::App;
use frame::setting;
use trade::ledger::account::SpendOrder;

/// Which plan is asked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Method {
    /// The one of the smallest priority; of two, the one that pays more.
    Priority,
    /// The one that pays most; of two, the one of the smaller priority.
    Price,
    /// The one that has waited longest for a lead.
    Turns,
    /// By chance, each as often as it weighs.
    Weight,
}

/// The settings together.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    pub method: Method,
    /// Days over which an organisation buys somebody once, where its plan says nothing; 0 for no limit.
    pub dedup_days: i64,
    /// Buyers of a shared lead, at most.
    pub max_buyers: i64,
    /// Milliseconds that an answer to a question, and to a delivery, is waited for.
    pub match_timeout_ms: i64,
    pub push_timeout_ms: i64,
    /// Times that a delivery is tried again, at most.
    pub push_retry: i64,
    /// Minutes for which a lead waits for an organisation's server before another plan is looked for.
    pub wait_minutes: i64,
    /// Minutes after which plans are looked for again for somebody whom none took; 0 for never.
    pub again_minutes: i64,
    /// What of an account pays first.
    pub spend_order: SpendOrder,
}

impl Policy {
    /// As it is set now.
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
