//! What delivery settings that are not saved would do: the messages about an invented applicant, and how an answer is read.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::delivery::{OrgApi, blank, check_expression, check_names};
use super::expression::Expression;
use super::message::{Purpose, build};
use super::trial::applicant;
use base::form_limits;
use frame::api::{ApiError, Body, Check, Ctx, Result, say};

form_limits! {
    /// Of the delivery by API.
    delivery {
        /// Characters of an answer that is tried.
        ANSWER: usize = 8000,
    }
}

/// Delivery settings as they are typed.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct DeliveryPreviewRequest {
    pub field_map: BTreeMap<String, String>,
    pub value_map: BTreeMap<String, BTreeMap<String, String>>,
    /// Conditions on an answer, by the names of their fields in the form.
    pub expressions: BTreeMap<String, String>,
    /// An answer of the organisation; empty for none.
    pub answer: String,
}

/// One of our fields.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct DeliveryField {
    pub name: String,
    /// In the viewer's language.
    pub title: String,
    /// The value of the invented applicant.
    pub example: String,
}

/// What the settings would do.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct DeliveryPreview {
    pub fields: Vec<DeliveryField>,
    /// The JSON of the question whether the lead is wanted.
    pub question: String,
    /// The JSON of the application.
    pub application: String,
    /// Whether the answer meets each condition that is not empty; none without an answer.
    pub met: BTreeMap<String, bool>,
}

/// The titles of `delivery::FIELDS` in Chinese and English.
const TITLES: &[(&str, &str, &str)] = &[
    ("age", "年龄", "Age"),
    ("applyAmount", "申请金额（元）", "Amount applied for (CNY)"),
    ("applyTerm", "申请期限（个月）", "Term applied for (months)"),
    ("car", "车辆", "Car"),
    ("city", "城市", "City"),
    ("creditCard", "信用卡", "Credit card"),
    ("education", "学历", "Education"),
    ("house", "房产", "House"),
    ("housingFund", "公积金", "Housing fund"),
    ("idNo", "身份证号", "ID number"),
    ("income", "月收入（元）", "Monthly income (CNY)"),
    ("leadNo", "线索编号", "Lead number"),
    ("name", "姓名", "Name"),
    ("occupation", "职业", "Occupation"),
    ("overdue", "逾期", "Overdue"),
    ("payForm", "工资发放", "Pay"),
    ("phone", "手机号", "Phone"),
    ("phoneMd5", "手机号的 MD5", "MD5 of the phone"),
    ("policy", "保单", "Insurance policy"),
    ("province", "省份", "Province"),
    ("purpose", "用途", "Purpose"),
    ("sex", "性别", "Sex"),
    ("socialIns", "社保", "Social insurance"),
    ("test", "测试线索", "Test lead"),
    ("userNo", "用户编号", "Applicant number"),
    ("zhima", "芝麻分", "Zhima score"),
];

/// The conditions of the form.
const EXPRESSIONS: &[&str] = &["matchOkExpr", "applyOkExpr", "queryOkExpr", "queryNoneExpr", "knownExpr"];

/// `POST /org/api/preview`: reads, changes and calls nothing.
pub async fn view(cx: Arc<Ctx>, Body(body): Body<DeliveryPreviewRequest>) -> Result<DeliveryPreview> {
    let mut check = Check::new();
    check_names(&mut check, &body.field_map, &body.value_map);
    for (field, text) in &body.expressions {
        check.that(field, EXPRESSIONS.contains(&field.as_str()), say("没有该条件", "There is no such condition"));
        check_expression(&mut check, field, text.trim());
    }
    check.text("answer", &body.answer, 0..=ANSWER).done()?;
    let met = match body.answer.trim() {
        "" => BTreeMap::new(),
        answer => {
            let not_json = || ApiError::field("answer", say("不是 JSON", "Not JSON"));
            let answer: Value = serde_json::from_str(answer).map_err(|_| not_json())?;
            let met = |text: &str| Some(Expression::parse(text.trim())?.holds(&answer));
            body.expressions.iter().filter_map(|(field, text)| Some((field.clone(), met(text)?))).collect()
        }
    };
    let settings = OrgApi { field_map: body.field_map, value_map: body.value_map, ..blank(0) };
    let applicant = applicant();
    let message = |purpose: Purpose| serde_json::to_string_pretty(&build(&settings, &applicant, purpose)).expect("a message serialises");
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(DeliveryPreview {
        fields: TITLES
            .iter()
            .map(|(name, chinese, english)| DeliveryField {
                name: (*name).to_owned(),
                title: cx.locale.pick(*chinese, *english).to_owned(),
                example: applicant.get(name).map(text).unwrap_or_default(),
            })
            .collect(),
        question: message(Purpose::Match),
        application: message(Purpose::Apply),
        met,
    })
}

#[cfg(test)]
mod tests {
    use super::super::delivery::FIELDS;
    use super::*;

    #[test]
    fn all_fields_have_titles() {
        let titled: Vec<&str> = TITLES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(titled, FIELDS);
    }
}
