//! Payee channels on the wire.

use serde::{Deserialize, Serialize};

use super::params::Params;
use base::codes;
use base::db::{Flag, JsonText};
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;
use frame::decision::{Awaits, Pending};
use trade::ledger::incoming::PayMethod;

codes! {
    /// The provider of payments.
    pub enum PayProvider {
        Wechat("微信支付", "WeChat Pay"),
        Alipay("支付宝", "Alipay"),
        Unionpay("银联", "UnionPay"),
        Bank("银行转账", "Bank transfer"),
        LinkPool("链接池", "Link pool"),
    }
}

impl PayProvider {
    /// The method of payment, as in recharges and other records.
    pub fn pay_method(self) -> PayMethod {
        match self {
            PayProvider::Wechat => PayMethod::Wechat,
            PayProvider::Alipay => PayMethod::Alipay,
            PayProvider::Bank => PayMethod::Bank,
            PayProvider::Unionpay | PayProvider::LinkPool => PayMethod::Online,
        }
    }
}

codes! {
    /// Whether orders can be made for a payee channel.
    pub enum PayeeChannelStatus {
        Enabled("启用", "Enabled"),
        Disabled("停用", "Disabled"),
    }
}

/// A payee channel as lists and details show it. Of its parameters it has only the names of those that are set.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PayeeChannelRow {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub provider: PayProvider,
    pub payee_org_id: i64,
    pub payee_org_name: String,
    /// The merchant's number at the provider.
    pub mch_no: String,
    #[sqlx(try_from = "JsonText<Vec<String>>")]
    pub param_names: Vec<String>,
    /// Empty for the provider's public address.
    pub gateway_url: String,
    pub instructions: String,
    /// Ten-thousandths.
    pub fee_bp: i64,
    /// Fen.
    pub min_cents: i64,
    pub max_cents: i64,
    /// Fen; none for no limit.
    pub day_cap_cents: Option<i64>,
    pub sort: i64,
    /// YYYY-MM-DD: the last day of the merchant's certificate.
    pub cert_expire_on: Option<String>,
    /// YYYY-MM-DD: the last day on which WeChat Pay's old platform key is accepted; none for no end.
    pub old_key_until: Option<String>,
    pub status: PayeeChannelStatus,
    /// The accounts that set its parameters since it was last enabled. They may not enable it.
    #[sqlx(try_from = "JsonText<Vec<i64>>")]
    pub keys_by: Vec<i64>,
    /// Whether its payee is enabled; otherwise it takes no orders.
    #[sqlx(try_from = "Flag")]
    pub payee_enabled: bool,
    /// Whether there are orders, so that its payee cannot be changed.
    #[sqlx(try_from = "Flag")]
    pub has_orders: bool,
    /// The payers' texts that a second person has to approve.
    #[sqlx(skip)]
    pub proposed: Option<ChannelProposal>,
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// The payee and the instructions that payers of a channel read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChannelProposal {
    pub payee_org_id: i64,
    pub payee_org_name: String,
    pub instructions: String,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PayeeChannelFilters {
    /// A part of a code or a name.
    pub keyword: Option<String>,
    pub provider: Option<PayProvider>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_org_id: Option<i64>,
    pub status: Option<PayeeChannelStatus>,
    /// Channels of which another payee or other instructions await a decision.
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
}

impl ListFilters for PayeeChannelFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("sort", "c.sort"), ("name", "c.name"), ("createdAt", "c.created_at")];
    const ID: &'static str = "c.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "payConfig/list/status");
    }
}

/// The form of a payee channel.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PayeeChannelForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one.
    pub version: Option<i64>,
    /// For a new one; it never changes.
    pub code: Option<String>,
    /// For a new one; it never changes.
    pub provider: Option<PayProvider>,
    pub name: String,
    pub payee_org_id: i64,
    #[serde(default)]
    pub mch_no: String,
    /// By name; one that is absent or empty stays as stored.
    #[serde(default)]
    pub params: Params,
    #[serde(default)]
    pub gateway_url: String,
    #[serde(default)]
    pub instructions: String,
    #[serde(default)]
    pub fee_bp: i64,
    pub min_cents: i64,
    pub max_cents: i64,
    pub day_cap_cents: Option<i64>,
    #[serde(default)]
    pub sort: i64,
    pub cert_expire_on: Option<String>,
    pub old_key_until: Option<String>,
}

/// A payee channel is enabled or disabled.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PayeeChannelStep {
    pub id: i64,
    pub version: i64,
    pub status: PayeeChannelStatus,
}

/// The keys for calls to a provider.
#[derive(Clone, Debug)]
pub struct ChannelKeys {
    pub id: i64,
    pub provider: PayProvider,
    pub mch_no: String,
    pub gateway_url: String,
    pub fee_bp: i64,
    pub params: Params,
    /// YYYY-MM-DD: the last day on which the platform's old key is accepted; none for no end.
    pub old_key_until: Option<String>,
}

/// A channel and its fee on a payment, in ten-thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelFee {
    pub id: i64,
    pub fee_bp: i64,
}

impl ChannelFee {
    /// The fee of an amount in fen: half a fen counts as one.
    pub fn fee_of(self, cents: i64) -> i64 {
        let fee = (i128::from(cents) * i128::from(self.fee_bp) + 5000) / 10_000;
        i64::try_from(fee).unwrap_or(cents)
    }
}
