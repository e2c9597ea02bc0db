//! What stands before a change of status.

use sqlx::AnyConnection;

use super::model::{CheckResult, CheckRow, TargetType};
use super::store;
use crate::api::{ApiError, Result, say};
use crate::locale::Locale;

/// Lets a record go on, or refuses with what its latest check found and the check's number. With
/// `required`, a record without a valid check is refused too. Warnings let it pass.
pub async fn must_pass(tx: &mut AnyConnection, target: TargetType, id: i64, required: bool, now: i64) -> Result<()> {
    match store::latest(tx, target, id).await? {
        Some(check) if check.result == CheckResult::Fail => {
            let (no, chinese, english) = (&check.no, failed(&check, Locale::Chinese), failed(&check, Locale::English));
            Err(ApiError::State(say(
                format!("最近一次合规检测（{no}）不通过：{chinese}"),
                format!("Its latest compliance check ({no}) failed: {english}"),
            )))
        }
        Some(check) if required && check.valid_until <= now => Err(ApiError::State(say(
            format!("合规检测（{}）已过有效期，请重新检测", check.no),
            format!("Its compliance check ({}) is no longer valid: make it again", check.no),
        ))),
        None if required => Err(ApiError::State(say("请先通过合规检测", "It must pass a compliance check first"))),
        _ => Ok(()),
    }
}

/// The titles of what failed.
fn failed(check: &CheckRow, locale: Locale) -> String {
    let titles: Vec<&str> = check
        .items
        .iter()
        .filter(|item| item.result == CheckResult::Fail)
        .map(|item| locale.pick(item.title_zh.as_str(), item.title_en.as_str()))
        .collect();
    titles.join(locale.pick("、", ", "))
}
