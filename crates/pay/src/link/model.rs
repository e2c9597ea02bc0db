//! Payment links on the wire.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::decision::{Awaits, OpenDecision, Pending};

codes! {
    /// Status of a payment link.
    pub enum PaymentLinkStatus {
        /// Imported, and not approved yet.
        Proposed("待审核", "Awaiting approval"),
        Free("可用", "Free") -> [Invalid, Disabled],
        Reserved("占用", "Reserved"),
        Used("已用", "Used"),
        /// It has expired, or the provider does not accept it any more.
        Invalid("失效", "Invalid"),
        Disabled("停用", "Disabled") -> [Free, Invalid],
    }
}

/// A payment link as lists show it. Its address is masked.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentLinkRow {
    pub id: i64,
    pub payee_channel_id: i64,
    pub payee_channel_name: String,
    pub url_mask: String,
    /// Fen; none for any amount.
    pub amount_cents: Option<i64>,
    pub batch_no: String,
    /// Its import; none of links from versions before imports were approved.
    pub batch_id: Option<i64>,
    pub batch_version: Option<i64>,
    /// The decision on the import.
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub remark: String,
    pub status: PaymentLinkStatus,
    /// The order that it is reserved for or paid.
    pub payment_order_id: Option<i64>,
    pub payment_order_no: Option<String>,
    /// Epoch milliseconds.
    pub reserved_until: Option<i64>,
    /// When it becomes free for another order; none if no order had it.
    pub free_from: Option<i64>,
    pub used_at: Option<i64>,
    pub expires_at: Option<i64>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PaymentLinkFilters {
    /// The number of an import, or of an order.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_channel_id: Option<i64>,
    pub status: Option<PaymentLinkStatus>,
    /// Links of imports that await a decision.
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for PaymentLinkFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "r.created_at"), ("status", "r.status")];
    const ID: &'static str = "r.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "payConfig/pool-list/audit");
    }
}

/// A link is disabled, declared invalid, or free again.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentLinkStep {
    pub id: i64,
    pub version: i64,
    pub status: PaymentLinkStatus,
}

/// An import of payment links.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct LinkBatch {
    pub id: i64,
    pub no: String,
    pub creator_name: Option<String>,
    pub created_at: i64,
    /// Links that it added.
    pub links: i64,
    /// Fen of those with an amount.
    pub cents: i64,
    /// Links that take any amount.
    pub any_amount: i64,
    /// Whether all of its links are stored. An import that is running or was interrupted cannot be approved.
    pub is_complete: bool,
    /// The hash of its links, by `links_hash` of `batch.rs`.
    #[serde(skip)]
    #[ts(skip)]
    pub links_hash: Option<String>,
    /// The hosts of its links that await approval, the most frequent first.
    pub hosts: Vec<LinkHost>,
    pub decision: Option<OpenDecision>,
    pub version: i64,
}

/// Which page of an import's links is revealed.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LinkPageQuery {
    /// Counted from 1.
    #[serde(deserialize_with = "lenient_integer")]
    pub current: Option<i64>,
}

/// A link of an import that awaits approval, whole.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedLink {
    pub id: i64,
    pub url: String,
    /// Fen; none for any amount.
    pub amount_cents: Option<i64>,
    pub payee_channel_name: String,
    pub payee_channel_code: String,
    /// The payee that is paid through it.
    pub payee_org_name: String,
}

/// A site, and how many links lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct LinkHost {
    /// `https://pay.example.com`
    pub host: String,
    pub links: usize,
    /// Its channels: `name (code)`.
    pub channels: Vec<String>,
}
