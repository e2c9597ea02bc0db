//! The types of `GET /server/status`. Times are milliseconds, sizes bytes.

use serde::Serialize;

use base::db::Engine;
use frame::meter::{Notable, RequestKind};
use frame::sms::SmsRoute;

/// The health of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum Health {
    Good,
    /// It needs attention.
    Watch,
    /// Users notice.
    Bad,
}

/// This process and its resources. "Lately" means the last five minutes.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ServerStatus {
    /// The machine's name.
    pub node: String,
    pub version: &'static str,
    /// `v8` or `quickjs`.
    pub engine: &'static str,
    pub cores: usize,
    /// Epoch milliseconds, when this was written.
    pub at: i64,
    pub uptime_ms: i64,
    /// The worst of the parts.
    pub level: Health,
    pub requests: RequestsStatus,
    pub isolates: IsolatesStatus,
    pub database: DatabaseStatus,
    pub memory: MemoryStatus,
    pub matching: MatchingStatus,
    pub outbox: OutboxStatus,
    pub history: StatusHistory,
}

/// What comes in.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RequestsStatus {
    pub level: Health,
    pub kinds: Vec<KindStatus>,
    /// Requests that failed by a fault of this program, lately.
    pub faults: u64,
    /// By code; codes without requests are left out.
    pub codes: Vec<CodeCount>,
    /// The last that failed by a fault of this program or took over a second, newest first.
    pub notable: Vec<Notable>,
}

/// Requests of one kind.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct KindStatus {
    pub kind: RequestKind,
    /// Since the start.
    pub total: u64,
    /// Over the last minute.
    pub per_second: f64,
    pub in_flight: i64,
    /// Lately; none without requests.
    pub p50: Option<f64>,
    pub p95: Option<f64>,
    pub p99: Option<f64>,
}

/// Refusals and failures of one code.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CodeCount {
    /// An envelope's code or an HTTP status; 0 for all others.
    pub code: u16,
    pub total: u64,
    pub lately: u64,
}

/// Rendering.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct IsolatesStatus {
    pub level: Health,
    pub list: Vec<IsolateStatus>,
    pub renders: u64,
    /// Milliseconds in an isolate, since the start.
    pub p50: Option<f64>,
    pub p99: Option<f64>,
    /// Isolates replaced after a page looped or ate memory.
    pub replacements: u64,
    /// Isolates renewed because of age or growth.
    pub recycles: u64,
    pub queued: usize,
    /// The most pages that may wait.
    pub queue_limit: usize,
    /// Pages that were not rendered, lately.
    pub failures_lately: u64,
    pub queue_full: u64,
    pub timeouts: u64,
    pub out_of_memory: u64,
    pub threw: u64,
}

/// One isolate.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct IsolateStatus {
    pub renders: u64,
    pub heap_used: u64,
    pub heap_total: u64,
}

/// The database.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct DatabaseStatus {
    pub level: Health,
    pub engine: Engine,
    /// None if it could not be read.
    pub bytes: Option<u64>,
    /// None if it does not answer.
    pub ping: Option<f64>,
    /// Pooled connections; those of SQLite that read in place are not among them.
    pub in_use: u32,
    pub idle: u32,
    pub most: u32,
    pub read_p50: Option<f64>,
    pub read_p99: Option<f64>,
    /// Reads of a tenth of a second and more.
    pub slow_reads: u64,
    /// Waiting for the turn to write.
    pub wait_p99: Option<f64>,
    /// From the turn to the commit.
    pub write_p50: Option<f64>,
    pub write_p99: Option<f64>,
}

/// Memory and CPU.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MemoryStatus {
    pub level: Health,
    pub resident: u64,
    /// The most memory of this process; 0 if unknown.
    pub limit: u64,
    /// CPU time since the start.
    pub cpu_ms: i64,
}

/// Applicants who wait for a matching round.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MatchingStatus {
    pub level: Health,
    /// Applicants whose round should have begun by now.
    pub due: i64,
    /// How long the oldest of them has been due.
    pub oldest_ms: i64,
    /// Applicants whose rounds keep failing. They are tried again, after longer and longer pauses.
    pub failing: i64,
}

/// The backlog of the outbox.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OutboxStatus {
    pub level: Health,
    pub waiting: i64,
    /// Those that should have been tried by now.
    pub due: i64,
    /// How long the oldest of them has been due.
    pub oldest_ms: i64,
    /// It is unknown whether they arrived.
    pub unconfirmed: i64,
    /// Not tried any more.
    pub failed: i64,
    /// Leads of which it is unknown whether they arrived.
    pub leads_unconfirmed: i64,
    /// Callbacks that are not tried any more.
    pub callbacks_failed: i64,
    /// Short messages of which it is unknown whether they arrived.
    pub messages_unconfirmed: i64,
    /// Short messages that are not tried any more.
    pub messages_failed: i64,
    /// Destinations that this process leaves alone because they fail.
    pub open_breakers: u64,
    /// Leases that ended before their result was written, as this process found.
    pub lost_leases: u64,
    /// The destination of short messages by the settings; none if the settings could not be read.
    pub messages: Option<SmsRoute>,
}

/// The last hour, one number per sample in each list, oldest first.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatusHistory {
    /// Between two samples.
    pub every_ms: i64,
    /// Epoch milliseconds of each.
    pub at: Vec<i64>,
    pub pages_per_second: Vec<f64>,
    pub calls_per_second: Vec<f64>,
    pub faults: Vec<u64>,
    /// None without pages.
    pub page_p95: Vec<Option<f64>>,
    pub api_p95: Vec<Option<f64>>,
    /// Per cent of one core.
    pub cpu: Vec<f64>,
    /// Megabytes.
    pub resident: Vec<f64>,
    pub heap: Vec<f64>,
    pub queued: Vec<usize>,
}
