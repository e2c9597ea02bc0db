//! Publishes the head of the ledger every night: as a message, as a file in the storage, in the log, and in the data
//! folder of the node, which compares the books with the head of the night before.

use std::sync::Arc;

use jiff::ToSpan;
use tokio_util::sync::CancellationToken;

use base::clock::{self, HOUR, MINUTE};
use frame::api::{App, say};
use frame::daily_task::{self, DailyTask};
use frame::message::NewMessage;
use trade::ledger::head::{self, Difference, Fault, Head, kept};

/// Time of day, in Shanghai: after the check of the books.
const AT: i64 = 3 * HOUR + 15 * MINUTE;
/// After this long without an end, another node begins again.
const LEASE: i64 = HOUR;
/// The recipients of the message: the same as for the check of the books.
const POINT: &str = "org/receipt/audit";
/// Days for which its file is kept, and the days before them whose files are searched.
const KEPT_DAYS: i64 = 3650;
const LOOKED_FOR_DAYS: i64 = 60;

/// Publishes the head every night, until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    daily_task::nightly(&app, stop, AT, async || {
        if let Err(error) = publish(&app).await {
            tracing::error!(cause = format!("{error:#}"), "ledger: its head was not published, and is published later");
        }
    })
    .await;
}

/// Publishes the head of today, unless another node does so or has done so. A failed run is left to the next node.
pub async fn publish(app: &App) -> anyhow::Result<Option<Head>> {
    let Some(task) = DailyTask::start(app, "ledger head", LEASE).await? else { return Ok(None) };
    let published = publish_begun(app, &task).await;
    if published.is_err() {
        task.leave(app, false).await?;
    }
    published
}

async fn publish_begun(app: &App, task: &DailyTask) -> anyhow::Result<Option<Head>> {
    let (data, now) = (&app.config.data, app.clock.now());
    let differences = match kept::read(data)? {
        Some(kept) => head::compare(&app.db, &kept.into()).await?,
        None => Vec::new(),
    };
    let made = head::make(&app.db, now).await?;
    let (head, mut faults) = (&made.noted.head, made.faults);
    tracing::info!(%head, "the head of the ledger");
    let key = storage_key(&head.day.to_string());
    if !app.storage.write_once(&key, made.noted.text().into()).await? {
        faults.push(Fault::File(key));
    }
    remove_files(app, now).await?;
    for fault in &faults {
        tracing::error!(%fault, "ledger: its heads are not in order");
    }
    // The next night compares with the same head again, and never with one without a row.
    match differences.is_empty() {
        true if made.is_stored => kept::keep(data, head)?,
        true => {}
        false => tracing::error!(?differences, "ledger: the books do not have the entries of an earlier head"),
    }
    let report = report(head, &differences, &faults, now);
    Ok(task.end_with(app, Some((POINT, report))).await?.then_some(made.noted.head))
}

/// The place of a day's head in the storage. It is not encrypted: it only contains numbers and digests.
pub fn storage_key(day: &str) -> String {
    format!("ledger-heads/{day}")
}

/// Removes expired files. Their heads stay in the database.
async fn remove_files(app: &App, now: i64) -> anyhow::Result<()> {
    let to = clock::day(now).saturating_sub(KEPT_DAYS.days());
    for day in head::days(&app.db, to.saturating_sub(LOOKED_FOR_DAYS.days()), to).await? {
        app.storage.delete(&storage_key(&day)).await?;
    }
    Ok(())
}

fn report(head: &Head, differences: &[Difference], faults: &[Fault], now: i64) -> NewMessage {
    let rows = faults.iter().filter(|fault| !matches!(fault, Fault::File(_))).count();
    let file = faults.iter().find_map(|fault| if let Fault::File(key) = fault { Some(key) } else { None });
    let title = match (differences.is_empty(), faults.is_empty()) {
        (true, true) => say("账本摘要", "Head of the ledger"),
        (true, false) => say("账本摘要有误", "The heads of the ledger are not in order"),
        (false, _) => say("账本与先前的摘要不符", "The ledger does not agree with an earlier head"),
    };
    let (mut chinese, mut english) = match differences.is_empty() {
        true => (
            format!(
                "{head}\n请将上面一行保存在系统之外；日后运行 leadlane ledger verify --since {head} 可核对当日之前的流水是否未被改动。"
            ),
            format!(
                "{head}\nKeep the line above outside of this system: leadlane ledger verify --since {head} tells later whether the \
                 entries up to this day are unchanged."
            ),
        ),
        false => (
            format!("账本的流水被改动、删除或插入，请运行 leadlane ledger verify 查看明细。今日摘要：{head}"),
            format!("Entries were changed, removed or inserted: run leadlane ledger verify to see them. The head of today: {head}"),
        ),
    };
    if rows > 0 {
        chinese.push_str(&format!("\n摘要表有 {rows} 处日期晚于今日或校验不符，不予采用；请运行 leadlane ledger verify 查看明细。"));
        english.push_str(&format!(
            "\nFaults of rows of heads (a later day, no right seal): {rows}. Such rows count for nothing; run leadlane ledger verify to \
             see them."
        ));
    }
    if let Some(key) = file {
        chinese.push_str(&format!("\n存储中已有内容不同的当日摘要文件 {key}，未予覆盖。恢复备份之后属正常，否则请查明原因。"));
        english.push_str(&format!(
            "\nThe file {key} is there with another content and was not replaced. After a restore this is to be expected; otherwise \
             find the cause."
        ));
    }
    NewMessage::to_person(0, "ledger", title, say(chinese, english), now)
}
