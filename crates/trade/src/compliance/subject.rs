//! The input of a check: facts by name, in one form for all targets. A new kind of target is a variant of
//! [`TargetType`], its names in [`names_of`] and a line in `crates/trade/src/checks.rs`.

use std::collections::BTreeMap;

use super::model::{CheckRequest, TargetType};
use base::crypto;
use base::form_limits;
use frame::api::check::present;
use frame::api::{ApiError, Check, Ctx, Result, say};

form_limits! {
    /// Of a check that is asked for.
    complianceCheck {
        MOST_RECIPIENTS: usize = 200,
        NAME: usize = 64,
        /// Characters of each recipient of an agreement.
        RECIPIENT: usize = 64,
        TEXT: usize = 20_000,
        VERSION: usize = 32,
    }
}

/// One fact about a target. An empty one is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A code, a number, an address, a version.
    Value(String),
    /// `YYYY-MM-DD`.
    Day(String),
    /// A text that people read.
    Text(String),
    /// Names.
    List(Vec<String>),
}

/// All facts, by name.
pub type Facts = BTreeMap<&'static str, Fact>;

/// A hash of the facts that a record's area provides: with it, a later change is noticed. A text in the request does
/// not belong to the record.
pub fn fingerprint(name: &str, facts: &Facts) -> String {
    let mut text = format!("{name:?}");
    for (field, fact) in facts.iter().filter(|(field, _)| !matches!(**field, "name" | "text")) {
        text.push_str(&format!("{field}={fact:?}"));
    }
    crypto::sha256_hex(text.as_bytes())
}

/// A target with its facts.
pub struct Subject {
    pub target: TargetType,
    pub id: Option<i64>,
    pub name: String,
    pub facts: Facts,
}

/// The facts of a kind of target, which the `fields` of its rules may name.
pub fn names_of(target: TargetType) -> &'static [&'static str] {
    match target {
        TargetType::Channel => &["name", "owner", "landingUrl", "callbackUrl", "remark", "text"],
        TargetType::Organisation => &["name", "licenceNo", "licenceExpireOn"],
        TargetType::Plan => &["name", "organisation", "product", "licenceNo", "licenceExpireOn", "remark"],
        TargetType::Product => &["name", "lenderName", "annualRate", "wording", "jumpUrl", "licenceNo", "licenceExpireOn"],
        TargetType::Script => &["name", "text"],
        TargetType::Consent => &["name", "text", "version", "recipients"],
    }
}

/// The label of a fact, in Chinese and in English.
pub fn words_of(name: &str) -> (&str, &str) {
    match name {
        "name" => ("名称", "name"),
        "organisation" => ("机构", "organisation"),
        "owner" => ("负责人", "owner"),
        "product" => ("产品", "product"),
        "landingUrl" => ("落地页地址", "landing page"),
        "callbackUrl" => ("回调地址", "callback URL"),
        "remark" => ("备注", "remark"),
        "text" => ("文字内容", "text"),
        "licenceNo" => ("许可证号", "licence number"),
        "licenceExpireOn" => ("许可证有效期", "licence expiry date"),
        "lenderName" => ("放款机构", "lender"),
        "annualRate" => ("年化利率", "annual rate"),
        "wording" => ("名称、标签和申请条件", "name, tags and requirements"),
        "jumpUrl" => ("跳转地址", "redirect URL"),
        "version" => ("版本号", "version"),
        "recipients" => ("接收方", "recipients"),
        other => (other, other),
    }
}

/// A request whose fields are valid.
pub struct CheckedRequest {
    pub target: TargetType,
    /// The id of the record, if the target is one.
    pub target_id: Option<i64>,
    name: Option<String>,
    text: Option<String>,
    version: Option<String>,
    recipients: Vec<String>,
}

/// Checks the fields of a request.
pub fn check_request(cx: &Ctx, request: CheckRequest) -> Result<CheckedRequest> {
    let scope = cx.viewer()?.scope();
    if !scope.is_platforms() {
        // Checks belong to the platform.
        return Err(ApiError::Missing);
    }
    let CheckRequest { target_type, target_id, name, text, version, recipients } = request;
    let (name, text, version) = (present(name), present(text), present(version));
    let recipients: Vec<String> = recipients.unwrap_or_default().into_iter().filter_map(|name| present(Some(name))).collect();
    let Some(target) = target_type else { return Err(ApiError::field("targetType", say("请选择检测对象", "Choose what to check"))) };
    let mut check = Check::new();
    check
        .that("targetId", target_id.is_some() || !target.is_record(), say("请选择检测对象", "Choose what to check"))
        .that("text", text.is_some() || target.is_record(), say("必填", "Required"))
        .text("text", text.as_deref().unwrap_or_default(), 0..=TEXT)
        .text("name", name.as_deref().unwrap_or_default(), if target.is_record() { 0..=NAME } else { 1..=NAME })
        .text("version", version.as_deref().unwrap_or_default(), 0..=VERSION)
        .that("recipients", recipients.len() <= MOST_RECIPIENTS, say("最多 200 个", "At most 200"))
        .that(
            "recipients",
            recipients.iter().all(|name| name.chars().count() <= RECIPIENT),
            say("每个最多 64 个字符", "At most 64 characters each"),
        )
        .done()?;

    let target_id = target_id.filter(|_| target.is_record());
    Ok(CheckedRequest { target, target_id, name, text, version, recipients })
}

impl CheckedRequest {
    /// Builds the subject: name and facts of a record, and the texts of the request.
    pub fn subject(self, record: Option<(String, Facts)>) -> Subject {
        let (name, mut facts) = record.unwrap_or_else(|| (self.name.unwrap_or_default(), Facts::new()));
        if let Some(text) = self.text {
            facts.insert("text", Fact::Text(text));
        }
        if self.target == TargetType::Consent {
            facts.extend(self.version.map(|version| ("version", Fact::Value(version))));
            facts.insert("recipients", Fact::List(self.recipients));
        }
        facts.insert("name", Fact::Value(name.clone()));
        Subject { target: self.target, id: self.target_id, name, facts }
    }
}
