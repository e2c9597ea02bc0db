//! Rules and checks, on the wire and in words.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::api::ListFilters;
use crate::api::list::{day_from, day_to, lenient_integer};
use crate::locale::Locale;

/// What can be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum TargetType {
    /// A channel with its landing page.
    Channel,
    Organisation,
    Plan,
    Product,
    /// A text that salespeople say or send.
    Script,
    /// An agreement that applicants consent to.
    Consent,
}

impl TargetType {
    /// What people call it.
    pub fn label(self, locale: Locale) -> &'static str {
        match self {
            TargetType::Channel => locale.pick("渠道落地页", "Channel landing page"),
            TargetType::Organisation => locale.pick("机构", "Organisation"),
            TargetType::Product => locale.pick("产品", "Product"),
            TargetType::Plan => locale.pick("计划", "Plan"),
            TargetType::Script => locale.pick("话术", "Sales script"),
            TargetType::Consent => locale.pick("用户授权协议", "Consent agreement"),
        }
    }

    /// Whether it is a record of the product; else it is a text that is given with the check.
    pub fn is_record(self) -> bool {
        matches!(self, TargetType::Channel | TargetType::Organisation | TargetType::Product | TargetType::Plan)
    }
}

/// How a rule is held against a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum RuleKind {
    /// Each of the `fields` says something.
    Required,
    /// The day of the first of the `fields` is not over, nor within `days`.
    NotExpired,
    /// No text holds any of the `words`.
    ForbiddenWords,
    /// The texts show an annual rate, and none above the setting `compliance.max_rate_bp`.
    AnnualRate,
    /// Each of the `fields` that says something is an https address of a public host.
    PublicHttps,
    /// The first of the `fields` is a version: `v1.2`, `2026-03`.
    Versioned,
    /// The recipients are named, not described by one of the `words`.
    NamedRecipients,
    /// No text shows a whole phone or identity number.
    Masked,
}

/// How much a broken rule weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum Severity {
    Fail,
    Warn,
}

/// What came out, of a rule or of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum CheckResult {
    Pass,
    Warn,
    Fail,
    /// There was nothing to hold the rule against.
    Unchecked,
}

impl CheckResult {
    /// What people call it.
    pub fn label(self, locale: Locale) -> &'static str {
        match self {
            CheckResult::Pass => locale.pick("通过", "Passed"),
            CheckResult::Warn => locale.pick("警告", "Warning"),
            CheckResult::Fail => locale.pick("不通过", "Failed"),
            CheckResult::Unchecked => locale.pick("未检测", "Not checked"),
        }
    }
}

/// Whether a rule counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum RuleStatus {
    Enabled,
    Disabled,
}

/// What a rule's kind is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RuleParams {
    /// Names of facts, see `subject`.
    pub fields: Vec<String>,
    pub words: Vec<String>,
    /// Before a day is over, for so many days it is a warning.
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

/// What came out of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CheckItem {
    /// Of the rule.
    pub code: String,
    pub title_zh: String,
    pub title_en: String,
    pub result: CheckResult,
    /// What was found, in both languages.
    pub note_zh: String,
    pub note_en: String,
}

/// A check that was made.
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
    /// Until when it counts, epoch milliseconds.
    pub valid_until: i64,
    pub checked_by: Option<String>,
    pub checked_at: i64,
}

/// What narrows the checks.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckFilters {
    /// The beginning of a number or of a target's name.
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

/// What narrows the rules.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RuleFilters {
    /// The beginning of a code or a title.
    pub keyword: Option<String>,
    pub kind: Option<RuleKind>,
    pub status: Option<RuleStatus>,
}

impl ListFilters for RuleFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("sort", "r.sort"), ("code", "r.code")];
    const ID: &'static str = "r.id";
    const ASCENDING: bool = true;
}

/// What is to be checked: a record, or a text that is given here.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct CheckRequest {
    pub target_type: Option<TargetType>,
    /// Of a record.
    pub target_id: Option<i64>,
    /// What a given text is to be called.
    pub name: Option<String>,
    /// The text; for a channel, what its landing page says.
    pub text: Option<String>,
    /// Of an agreement.
    pub version: Option<String>,
    /// Whom an agreement names.
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

/// A rule's new particulars. Its code and its kind stay.
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

/// What may be changed of a rule.
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
