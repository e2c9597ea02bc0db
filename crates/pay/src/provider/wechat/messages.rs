//! The messages of WeChat Pay: orders, refunds, notifications and refusals, as it writes them.

use serde::Deserialize;

use crate::provider::{RefundFound, RefundStanding, Reply, kept_words, payable};
use base::clock;
use frame::api::input::null_is_default;

/// An order in an answer or a notification.
#[derive(Deserialize)]
pub struct Transaction {
    #[serde(default, deserialize_with = "null_is_default")]
    pub mchid: String,
    pub out_trade_no: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub transaction_id: String,
    pub trade_state: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub trade_state_desc: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub success_time: String,
    pub amount: Option<Amount>,
    pub payer: Option<Payer>,
}

#[derive(Deserialize)]
pub struct Amount {
    pub total: i64,
    pub currency: Option<String>,
}

#[derive(Deserialize)]
pub struct Payer {
    #[serde(default, deserialize_with = "null_is_default")]
    pub openid: String,
}

/// A refund as it is answered: `status`; and as it is reported: `refund_status`.
#[derive(Deserialize)]
pub struct Refund {
    pub amount: Option<RefundAmount>,
    #[serde(default, deserialize_with = "null_is_default")]
    pub mchid: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub out_trade_no: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub out_refund_no: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub refund_id: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub success_time: String,
    #[serde(alias = "refund_status")]
    pub status: String,
}

#[derive(Deserialize)]
pub struct RefundAmount {
    #[serde(default, deserialize_with = "null_is_default")]
    pub refund: i64,
}

/// A notification, its content sealed.
#[derive(Deserialize)]
pub struct Envelope {
    pub id: String,
    pub event_type: String,
    pub resource: Resource,
}

#[derive(Deserialize)]
pub struct Resource {
    pub algorithm: String,
    pub ciphertext: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub associated_data: String,
    pub nonce: String,
}

/// An error of an answer.
#[derive(Deserialize)]
pub struct Refusal {
    pub code: String,
    #[serde(default, deserialize_with = "null_is_default")]
    pub message: String,
}

impl Refusal {
    /// The reason of the refusal, without numbers of people.
    pub fn words(&self, status: u16) -> String {
        kept_words(&format!("http_{status} {} {}", self.code, self.message))
    }
}

pub fn refund_reply(reply: Reply<Refund>) -> Reply<RefundFound> {
    reply.then(|refund| {
        Reply::Answer(RefundFound {
            no: Some(refund.refund_id).filter(|no| !no.is_empty()),
            cents: refund.amount.and_then(|amount| payable(amount.refund)),
            done_at: clock::moment(&refund.success_time),
            standing: standing_of(&refund.status),
        })
    })
}

/// The standing of a refund by its status. An `ABNORMAL` refund stays open: people complete it at the provider, which
/// then reports it.
pub fn standing_of(status: &str) -> RefundStanding {
    match status {
        "SUCCESS" => RefundStanding::Done,
        "CLOSED" => RefundStanding::Failed(status.to_owned()),
        "ABNORMAL" => RefundStanding::Abnormal(status.to_owned()),
        _ => RefundStanding::Processing,
    }
}
