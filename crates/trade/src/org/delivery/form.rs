//! The form of the delivery settings: it is tidied and checked.

use std::collections::BTreeMap;

use super::model::{DeliveryStatus, OrgApiForm, OrgCrypto};
use crate::org::expression::{EXPRESSION, Expression};
use crate::org::sealing;
use base::form_limits;
use frame::api::check::present;
use frame::api::{Check, Result, say};
use frame::rotation::LONGEST_OVERLAP;

/// What of an applicant can be sent.
pub const FIELDS: &[&str] = &[
    "age",
    "applyAmount",
    "applyTerm",
    "car",
    "city",
    "creditCard",
    "education",
    "house",
    "housingFund",
    "idNo",
    "income",
    // The number that the lead has here: the same however often it is sent.
    "leadNo",
    "name",
    "occupation",
    "overdue",
    "payForm",
    "phone",
    "phoneMd5",
    "policy",
    "province",
    "purpose",
    "sex",
    "socialIns",
    // Whether the lead is a test lead.
    "test",
    "userNo",
    "zhima",
];
/// Values of one field that are called otherwise, at most.
const MOST_VALUES: usize = 50;

form_limits! {
    /// Of the delivery by API.
    delivery {
        /// In milliseconds.
        LEAST_TIMEOUT: i64 = 500,
        MOST_RETRIES: i64 = 10,
        /// In milliseconds.
        MOST_TIMEOUT: i64 = 30_000,
    }
}

pub fn tidied(mut form: OrgApiForm) -> OrgApiForm {
    for address in [&mut form.match_url, &mut form.apply_url, &mut form.query_url, &mut form.key] {
        *address = present(address.take());
    }
    let OrgApiForm { match_ok_expr, apply_ok_expr, query_ok_expr, query_none_expr, known_expr, .. } = &mut form;
    for text in [match_ok_expr, apply_ok_expr, query_ok_expr, query_none_expr, known_expr] {
        *text = text.trim().to_owned();
    }
    form
}

/// Checks the names of fields and of values.
pub fn check_names(check: &mut Check, fields: &BTreeMap<String, String>, values: &BTreeMap<String, BTreeMap<String, String>>) {
    let is_name =
        |text: &String| (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.[]".contains(&byte));
    let is_known = |field: &String| FIELDS.contains(&field.as_str());
    let is_value = |text: &String| (1..=64).contains(&text.chars().count());
    let are_values =
        |map: &BTreeMap<String, String>| map.len() <= MOST_VALUES && map.iter().all(|(our, their)| is_value(our) && is_value(their));
    check
        .that(
            "fieldMap",
            fields.keys().all(is_known) && values.keys().all(is_known),
            say(format!("可用字段：{}", FIELDS.join("、")), format!("Available fields: {}", FIELDS.join(", "))),
        )
        .that("fieldMap", fields.values().all(is_name), say("对方字段名格式错误", "Not a valid partner field name"))
        .that(
            "valueMap",
            values.values().all(are_values),
            say("值为 1 到 64 个字符，每个字段最多 50 个", "Values have 1 to 64 characters, at most 50 per field"),
        );
}

/// Checks an expression, which may be empty.
pub fn check_expression(check: &mut Check, field: &str, text: &str) {
    let message = say(r#"请写成 code == "0000" && data.result in ["1"] 的形式"#, r#"Write it as code == "0000" && data.result in ["1"]"#);
    check.text(field, text, 0..=EXPRESSION).that(field, text.is_empty() || Expression::parse(text).is_some(), message);
}

pub fn check(form: &OrgApiForm, has_key: bool) -> Result<()> {
    let enabled = form.status == DeliveryStatus::Enabled;
    let required = || say("启用前必须填写", "Required before enabling");
    let key = match (form.crypto, form.key.as_deref()) {
        (_, None) => true,
        (OrgCrypto::None, Some(_)) => false,
        (OrgCrypto::Aes, Some(key)) => [32, 48, 64].contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
        (OrgCrypto::RsaAes, Some(key)) => sealing::is_public_key(key),
    };
    let key_form = match form.crypto {
        OrgCrypto::None => say("不加密时没有密钥", "No key is used without encryption"),
        OrgCrypto::Aes => say("AES 密钥为 32、48 或 64 位十六进制数", "An AES key has 32, 48 or 64 hex digits"),
        OrgCrypto::RsaAes => say("请粘贴 PEM 格式的 RSA 公钥，2048 至 4096 位", "Paste a PEM RSA public key of 2048 to 4096 bits"),
    };
    let others = [&form.match_ok_expr, &form.apply_ok_expr, &form.query_ok_expr, &form.query_none_expr];
    let another_meaning = say("该条件已有其他含义", "This condition already has another meaning");
    let mut check = Check::new();
    check
        .public_https("matchUrl", form.match_url.as_deref())
        .public_https("applyUrl", form.apply_url.as_deref())
        .public_https("queryUrl", form.query_url.as_deref())
        .that("applyUrl", !enabled || form.apply_url.is_some(), required())
        .that("key", key, key_form)
        .that("key", !enabled || form.crypto == OrgCrypto::None || has_key || form.key.is_some(), required())
        .range("overlapHours", form.overlap_hours, 0..=LONGEST_OVERLAP);
    check_names(&mut check, &form.field_map, &form.value_map);
    for (field, text) in [
        ("matchOkExpr", &form.match_ok_expr),
        ("applyOkExpr", &form.apply_ok_expr),
        ("queryOkExpr", &form.query_ok_expr),
        ("queryNoneExpr", &form.query_none_expr),
        ("knownExpr", &form.known_expr),
    ] {
        check_expression(&mut check, field, text);
    }
    check
        .that("fieldMap", !enabled || !form.field_map.is_empty(), required())
        .that("matchOkExpr", !enabled || form.match_url.is_none() || !form.match_ok_expr.is_empty(), required())
        .that("applyOkExpr", !enabled || !form.apply_ok_expr.is_empty(), required())
        .that("queryOkExpr", !enabled || form.query_url.is_none() || !form.query_ok_expr.is_empty(), required())
        .that("knownExpr", form.known_expr.is_empty() || !others.contains(&&form.known_expr), another_meaning)
        .range("timeoutMs", form.timeout_ms, LEAST_TIMEOUT..=MOST_TIMEOUT)
        .range("retryMax", form.retry_max, 0..=MOST_RETRIES)
        .done()
}
