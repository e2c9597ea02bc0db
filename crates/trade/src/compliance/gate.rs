//! The compliance checks before a change of status.

use super::model::{CheckResult, CheckRow, TargetType};
use super::store;
use super::subject::{Facts, fingerprint};
use base::db::Connection;
use base::locale::Locale;
use frame::api::{ApiError, Result, Say, say};

/// Allows a record to go on, or refuses with the findings and the number of its latest check. With `required`, a
/// record without a valid check is refused, too. Warnings are allowed.
pub async fn must_pass(tx: &mut Connection, target: TargetType, id: i64, required: bool, now: i64) -> Result<()> {
    let latest = store::latest(tx, target, id).await?;
    judge(latest.as_ref(), required, now).map_err(|message| refusal(target, id, message))
}

/// Allows a record to go on if it has a valid check of its present state: after a change of any checked fact it must
/// be checked again.
pub async fn must_match(tx: &mut Connection, target: TargetType, id: i64, name: &str, facts: &Facts, now: i64) -> Result<()> {
    let latest = store::latest(&mut *tx, target, id).await?;
    judge(latest.as_ref(), true, now).map_err(|message| refusal(target, id, message))?;
    let Some(check) = latest else { return Ok(()) };
    match is_unchanged(tx, &check, name, facts).await? {
        true => Ok(()),
        false => Err(refusal(
            target,
            id,
            say(
                format!("合规检测（{}）之后内容已变更，请重新检测", check.no),
                format!("The content has changed since its compliance check ({}): check it again", check.no),
            ),
        )),
    }
}

/// Whether a record is as it was checked.
pub async fn is_unchanged(tx: &mut Connection, check: &CheckRow, name: &str, facts: &Facts) -> Result<bool> {
    Ok(store::facts_hash(tx, check.id).await?.is_some_and(|hash| hash == fingerprint(name, facts)))
}

/// Whether [`must_pass`] would allow a record that needs a valid check to go on, and its latest check.
pub async fn standing(tx: &mut Connection, target: TargetType, id: i64, now: i64) -> Result<(bool, Option<CheckRow>)> {
    let latest = store::latest(tx, target, id).await?;
    Ok((judge(latest.as_ref(), true, now).is_ok(), latest))
}

fn refusal(target: TargetType, id: i64, message: Say) -> ApiError {
    ApiError::Unchecked { message, target: target.into(), id }
}

/// The objection of the latest check, if there is one.
fn judge(latest: Option<&CheckRow>, required: bool, now: i64) -> std::result::Result<(), Say> {
    match latest {
        Some(check) if check.result == CheckResult::Fail => {
            let (no, chinese, english) = (&check.no, failed(check, Locale::Chinese), failed(check, Locale::English));
            Err(say(format!("最近一次合规检测（{no}）不通过：{chinese}"), format!("The latest compliance check ({no}) failed: {english}")))
        }
        Some(check) if required && check.valid_until <= now => Err(say(
            format!("合规检测（{}）已过有效期，请重新检测", check.no),
            format!("The compliance check ({}) has expired: check it again", check.no),
        )),
        None if required => Err(say("请先通过合规检测", "A compliance check must pass first")),
        _ => Ok(()),
    }
}

/// The titles of failed items.
fn failed(check: &CheckRow, locale: Locale) -> String {
    let titles: Vec<&str> = check
        .items
        .iter()
        .filter(|item| item.result == CheckResult::Fail)
        .map(|item| locale.pick(item.title_zh.as_str(), item.title_en.as_str()))
        .collect();
    titles.join(locale.pick("、", ", "))
}
