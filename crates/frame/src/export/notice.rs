//! The message to the owner of an export that took some time.

use crate::api::export::task::Task;
use crate::api::say;
use crate::message::{self, Link, NewMessage};
use base::db::Db;
use base::locale::Locale::{Chinese, English};

/// An owner who waits no longer than this, in milliseconds, is still looking at the list and gets the file.
const LOOKED_AT: i64 = 10_000;

/// Sends a message that a task has ended; `made` says whether there is a file.
pub(super) async fn send(db: &Db, task: &Task, made: bool, now: i64) -> Result<(), sqlx::Error> {
    if now - task.asked_at <= LOOKED_AT && !task.is_scheduled() {
        return Ok(());
    }
    let (chinese, english) = (task.title.get(Chinese), task.title.get(English));
    let (title, content) = match made {
        true if task.is_scheduled() => (
            say(format!("每日统计：{chinese}"), format!("Daily statistics: {english}")),
            say("文件在用户中心的“我的导出”里，保留数天。", "The file is kept for a few days in User center › My exports."),
        ),
        true if task.is_plain => (
            say(format!("导出已完成：{chinese}"), format!("Your export is ready: {english}")),
            say(
                "文件含完整号码，在用户中心的“我的导出”里保留一天。",
                "The file has whole numbers. It is kept for a day in User center › My exports.",
            ),
        ),
        true => (
            say(format!("导出已完成：{chinese}"), format!("Your export is ready: {english}")),
            say("文件在用户中心的“我的导出”里，保留数天。", "The file is kept for a few days in User center › My exports."),
        ),
        false if task.is_scheduled() => (
            say(format!("每日统计未能生成：{chinese}"), format!("Daily statistics could not be made: {english}")),
            say("原因见用户中心的“我的导出”。", "The reason is shown in User center › My exports."),
        ),
        false => (
            say(format!("导出失败：{chinese}"), format!("Your export failed: {english}")),
            say("原因见用户中心的“我的导出”。", "The reason is shown in User center › My exports."),
        ),
    };
    let link = Link { route: "accountCenter", query: vec![("tab", "exports".to_owned())] };
    let message = NewMessage { link: Some(link), ..NewMessage::to_person(task.admin_id, "export", title, content, now) };
    let mut tx = db.begin().await?;
    message::send(&mut tx, &NewMessage { biz_id: Some(task.id), ..message }, now).await?;
    tx.commit().await
}
