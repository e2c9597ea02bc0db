//! The types of rules and checks, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};

codes! {
    /// A kind of target.
    pub enum TargetType {
        /// A channel with its landing page.
        Channel("渠道落地页", "Channel landing page"),
        Organisation("机构", "Organisation"),
        Plan("计划", "Plan"),
        Product("产品", "Product"),
        /// A text that salespeople say or send.
        Script("话术", "Sales script"),
        /// An agreement that applicants consent to.
        Consent("用户授权协议", "Consent agreement"),
    }
}

impl TargetType {
    /// Whether it is a record of the product; otherwise it is a text in the request.
    pub fn is_record(self) -> bool {
        matches!(self, TargetType::Channel | TargetType::Organisation | TargetType::Product | TargetType::Plan)
    }
}

codes! {
    /// How a rule is compared with a target.
    pub enum RuleKind {
        /// Each of the `fields` is filled in.
        Required("必须填写", "Filled in"),
        /// The day in the first of the `fields` is not over, nor within `days`.
        NotExpired("未过有效期", "Not expired"),
        /// No text contains any of the `words`.
        ForbiddenWords("不含禁用词", "No forbidden words"),
        /// The texts show an annual rate, and none above the setting `compliance.max_rate_bp`.
        AnnualRate("标明年化利率", "Annual rate shown"),
        /// Each of the `fields` that is filled in is an https address of a public host.
        PublicHttps("https 公网地址", "Public https address"),
        /// The first of the `fields` is a version: `v1.2`, `2026-03`.
        Versioned("有版本号", "Has a version"),
        /// The recipients are named, and not described by one of the `words`.
        NamedRecipients("列明接收方", "Recipients named"),
        /// No text contains a whole phone or identity number.
        Masked("已脱敏", "Masked"),
    }
}

codes! {
    /// The severity of a broken rule.
    pub enum Severity {
        Fail("不通过", "Fail"),
        Warn("警告", "Warn"),
    }
}

codes! {
    /// The result of a rule, or of all of them.
    pub enum CheckResult {
        Pass("通过", "Passed"),
        Warn("警告", "Warning"),
        Fail("不通过", "Failed"),
        /// There was nothing to compare the rule with.
        Unchecked("未检测", "Not checked"),
    }
}

codes! {
    /// Whether a rule applies.
    pub enum RuleStatus {
        Enabled("启用", "Enabled"),
        Disabled("停用", "Disabled"),
    }
}

/// The parameters of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RuleParams {
    /// Names of facts, see `subject`.
    pub fields: Vec<String>,
    pub words: Vec<String>,
    /// So many days before the last day it is a warning.
    pub days: i64,
}

/// A rule.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RuleRow {
    pub id: i64,
    pub code: String,
    pub title_zh: String,
    pub title_en: String,
    pub target_types: Vec<TargetType>,
    pub kind: RuleKind,
    pub params: RuleParams,
    pub severity: Severity,
    pub status: RuleStatus,
    pub builtin: bool,
    pub sort: i64,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// The result of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CheckItem {
    /// The code of the rule.
    pub code: String,
    pub title_zh: String,
    pub title_en: String,
    pub result: CheckResult,
    /// The finding, in both languages.
    pub note_zh: String,
    pub note_en: String,
}

/// The result of a check.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CheckRow {
    pub id: i64,
    pub no: String,
    pub target_type: TargetType,
    pub target_id: Option<i64>,
    pub target_name: String,
    pub items: Vec<CheckItem>,
    pub result: CheckResult,
    /// Until when it is valid, epoch milliseconds.
    pub valid_until: i64,
    pub checked_by: Option<String>,
    pub checked_at: i64,
}

/// A check, and whether it still counts.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CheckNow {
    #[serde(flatten)]
    #[ts(flatten)]
    pub check: CheckRow,
    /// It is no longer valid.
    pub expired: bool,
    /// A later check of the same record counts instead.
    pub replaced: bool,
    /// The product has changed since: it is to be checked again before it goes online.
    pub changed: bool,
}

/// Filters of the checks.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckFilters {
    /// The beginning of a number, or a part of a target's name.
    pub keyword: Option<String>,
    pub target_type: Option<TargetType>,
    #[serde(deserialize_with = "lenient_integer")]
    pub target_id: Option<i64>,
    pub result: Option<CheckResult>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub checked_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub checked_to: Option<i64>,
}

impl ListFilters for CheckFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("checkedAt", "k.checked_at")];
    const ID: &'static str = "k.id";
}

/// Filters of the rules.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RuleFilters {
    /// A part of a code or a title.
    pub keyword: Option<String>,
    pub kind: Option<RuleKind>,
    pub status: Option<RuleStatus>,
}

impl ListFilters for RuleFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("sort", "r.sort"), ("code", "r.code")];
    const ID: &'static str = "r.id";
    const ASCENDING: bool = true;
}

/// The target of a check: a record, or a text in the request.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct CheckRequest {
    pub target_type: Option<TargetType>,
    /// For a record.
    pub target_id: Option<i64>,
    /// The name of a text in the request.
    pub name: Option<String>,
    /// The text; for a channel, the text of its landing page.
    pub text: Option<String>,
    /// For an agreement.
    pub version: Option<String>,
    /// The recipients in an agreement.
    pub recipients: Option<Vec<String>>,
}

/// A new rule.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct NewRule {
    pub code: String,
    pub kind: RuleKind,
    pub title_zh: String,
    pub title_en: String,
    pub target_types: Vec<TargetType>,
    pub params: RuleParams,
    pub severity: Severity,
    pub status: RuleStatus,
    pub sort: i64,
}

/// The new fields of a rule. Its code and its kind stay.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RuleEdit {
    pub id: i64,
    pub version: i64,
    pub title_zh: String,
    pub title_en: String,
    pub target_types: Vec<TargetType>,
    pub params: RuleParams,
    pub severity: Severity,
    pub status: RuleStatus,
    pub sort: i64,
}

/// The fields of a rule that may change.
pub struct RuleForm {
    pub title_zh: String,
    pub title_en: String,
    pub target_types: Vec<TargetType>,
    pub params: RuleParams,
    pub severity: Severity,
    pub status: RuleStatus,
    pub sort: i64,
}

impl From<NewRule> for RuleForm {
    fn from(rule: NewRule) -> RuleForm {
        let NewRule { code: _, kind: _, title_zh, title_en, target_types, params, severity, status, sort } = rule;
        RuleForm { title_zh, title_en, target_types, params, severity, status, sort }
    }
}

impl From<RuleEdit> for RuleForm {
    fn from(rule: RuleEdit) -> RuleForm {
        let RuleEdit { id: _, version: _, title_zh, title_en, target_types, params, severity, status, sort } = rule;
        RuleForm { title_zh, title_en, target_types, params, severity, status, sort }
    }
}
