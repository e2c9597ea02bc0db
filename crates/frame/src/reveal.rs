//! Reveals: a whole phone, account or identity number is shown for one record at a time, or for the records of a file
//! with whole numbers. All reveals of an account are counted together, over all lists, in the database, so that a
//! stolen session cannot read all records. Beyond the limits they are refused, and people who hold the audit trail's
//! permission get a message.
//!
//! The records of files count in the daily limits, and not in the limit of ten minutes, since a file shows many at
//! once.

use sqlx::FromRow;

use crate::access::Viewer;
use crate::access::audit::{self, Action, Change, Module, Target};
use crate::api::{ApiError, Ctx, Result, Say, say};
use crate::message::{self, Link, NewMessage};
use crate::old_rows::{Keep, OldRows};
use crate::setting;
use base::clock::{self, DAY, MINUTE};
use base::db::{Connection, Sql, Tx};
use base::locale::Locale::{Chinese, English};

/// The time of the short limit.
const WINDOW: i64 = 10 * MINUTE;
/// The audit name of a clue: clues have their own additional limit.
const CLUE: &str = "clue";
/// Records of a file that are counted in one statement.
const BATCH: usize = 500;

/// A limit that is reached.
struct Reached {
    /// How many records, and in which time.
    limit: Say,
    /// Milliseconds until another record may be shown.
    wait: i64,
}

/// Counts the reveal of a record to the viewer, writes the audit row, and commits: then the data read in it may be
/// returned. The same record counts once a day. `fields` name the revealed fields.
///
/// Beyond a limit it returns [`ApiError::TooOften`], and the audit trail and the messages record that the limit was
/// reached.
pub async fn written(cx: &Ctx, mut tx: Tx, target: Target, fields: &[Change]) -> Result<()> {
    let viewer = cx.viewer()?;
    cx.db().lock(&mut tx, &format!("reveals:{}", viewer.id)).await?;
    if let Some(reached) = count(cx, &mut tx, viewer, target).await? {
        report(cx, &mut tx, viewer, &reached).await?;
        tx.commit().await?;
        return Err(refusal(&reached));
    }
    audit::record(&mut tx, &cx.actor()?, target, Action::Reveal, fields).await?;
    Ok(tx.commit().await?)
}

/// Counts the reveal of records in a file to the viewer, before its first byte. Returns the transaction, which the
/// caller commits after the rest is written. A record that was shown on the same day, alone or in a file, does not
/// count again.
///
/// If one of the daily limits would be exceeded, none counts: it returns [`ApiError::TooOften`], and the audit trail
/// and the messages record that the limit was reached.
pub async fn in_file(cx: &Ctx, target: Target, ids: &[i64]) -> Result<Tx> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    cx.db().lock(&mut tx, &format!("reveals:{}", viewer.id)).await?;
    let mut made = Made::until(cx.now, &mut tx, viewer).await?;
    for some in ids.chunks(BATCH) {
        let mut sql = Sql::new("INSERT INTO reveal (admin_id, day, target_type, target_id, at, in_file) VALUES ");
        for (index, id) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(viewer.id).then(clock::day(cx.now).to_string());
            sql.then(target.kind).then(*id).then(cx.now).then(1_i64).push(")");
        }
        sql.push(" ON CONFLICT DO NOTHING");
        made.add(sql.execute(&mut *tx).await? as i64, target);
        if let Some(reached) = made.beyond_day(cx, target).await? {
            // None of them is shown, so none counts.
            tx.rollback().await?;
            let mut tx = cx.db().begin().await?;
            report(cx, &mut tx, viewer, &reached).await?;
            tx.commit().await?;
            return Err(refusal_of_file(&reached));
        }
    }
    Ok(tx)
}

/// The recent reveals of an account.
#[derive(FromRow)]
struct Made {
    /// Records that were shown one at a time within [`WINDOW`].
    recent: i64,
    /// When the first of them was.
    first: Option<i64>,
    /// Records of the day, and how many of them are clues.
    today: i64,
    clues: i64,
}

impl Made {
    async fn until(now: i64, tx: &mut Connection, viewer: &Viewer) -> Result<Made> {
        let (day, since) = (clock::day(now), now - WINDOW);
        let row = sqlx::query(
            "SELECT COALESCE(SUM(CASE WHEN at > $1 AND in_file = 0 THEN 1 ELSE 0 END), 0) AS recent, \
             MIN(CASE WHEN at > $2 AND in_file = 0 THEN at END) AS first, COALESCE(SUM(CASE WHEN day = $3 THEN 1 ELSE 0 END), 0) AS today, \
             COALESCE(SUM(CASE WHEN day = $4 AND target_type = $5 THEN 1 ELSE 0 END), 0) AS clues FROM reveal WHERE admin_id = $6 AND day >= $7",
        )
        .bind(since)
        .bind(since)
        .bind(day.to_string())
        .bind(day.to_string())
        .bind(CLUE)
        .bind(viewer.id)
        .bind(clock::day(since).to_string())
        .fetch_one(tx)
        .await?;
        Ok(Made::from_row(&row)?)
    }

    /// Adds records of one kind that are shown now.
    fn add(&mut self, records: i64, target: Target) {
        self.today += records;
        self.clues += if target.kind == CLUE { records } else { 0 };
    }

    /// The daily limit that is exceeded, if one is, for reveals of records of a kind.
    async fn beyond_day(&self, cx: &Ctx, target: Target) -> Result<Option<Reached>> {
        let (in_day, clues_in_day) = (cx.setting(&setting::SECURITY_REVEALS_DAY).await?, cx.setting(&setting::CRM_DAILY_REVEALS).await?);
        let limit = if self.today > in_day {
            say(format!("每天 {in_day} 条"), format!("{in_day} records in a day"))
        } else if target.kind == CLUE && self.clues > clues_in_day {
            say(format!("每天 {clues_in_day} 条线索"), format!("{clues_in_day} leads in a day"))
        } else {
            return Ok(None);
        };
        Ok(Some(Reached { limit, wait: clock::start(clock::day(cx.now)) + DAY - cx.now }))
    }

    /// The limit of ten minutes, if it is exceeded.
    async fn beyond_window(&self, cx: &Ctx) -> Result<Option<Reached>> {
        let in_window = cx.setting(&setting::SECURITY_REVEALS_TEN_MINUTES).await?;
        let limit = say(format!("10 分钟内 {in_window} 条"), format!("{in_window} records in ten minutes"));
        let wait = self.first.unwrap_or(cx.now) - (cx.now - WINDOW);
        Ok((self.recent > in_window).then_some(Reached { limit, wait }))
    }
}

/// Counts one more record, unless a limit is reached.
async fn count(cx: &Ctx, tx: &mut Connection, viewer: &Viewer, target: Target) -> Result<Option<Reached>> {
    let day = clock::day(cx.now);
    let added =
        sqlx::query("INSERT INTO reveal (admin_id, day, target_type, target_id, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING")
            .bind(viewer.id)
            .bind(day.to_string())
            .bind(target.kind)
            .bind(target.id.unwrap_or(0))
            .bind(cx.now)
            .execute(&mut *tx)
            .await?;
    if added.rows_affected() == 0 {
        return Ok(None);
    }
    let made = Made::until(cx.now, &mut *tx, viewer).await?;
    let reached = match made.beyond_day(cx, target).await? {
        None => made.beyond_window(cx).await?,
        reached => reached,
    };
    if reached.is_some() {
        // It is not shown, so it does not count.
        sqlx::query("DELETE FROM reveal WHERE admin_id = $1 AND day = $2 AND target_type = $3 AND target_id = $4")
            .bind(viewer.id)
            .bind(day.to_string())
            .bind(target.kind)
            .bind(target.id.unwrap_or(0))
            .execute(tx)
            .await?;
    }
    Ok(reached)
}

/// Reports, once a day for each account, that it has reached a limit.
async fn report(cx: &Ctx, tx: &mut Connection, viewer: &Viewer, reached: &Reached) -> Result<()> {
    let first = sqlx::query("INSERT INTO reveal_limit (admin_id, day, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
        .bind(viewer.id)
        .bind(clock::day(cx.now).to_string())
        .bind(cx.now)
        .execute(&mut *tx)
        .await?;
    if first.rows_affected() == 0 {
        return Ok(());
    }
    let change = Change { field: "revealLimit".to_owned(), before: None, after: Some(reached.limit.get(cx.locale).to_owned()) };
    let target = Target { module: Module::Admin, kind: "administrator", id: Some(viewer.id) };
    audit::record(tx, &cx.actor()?, target, Action::Other, &[change]).await?;
    let (name, limit) = (&viewer.username, &reached.limit);
    let title = say("查看明文达到上限", "Limit of reveals reached");
    let content = say(
        format!("账号 {name} 查看明文已达上限（{}），之后的查看被拒绝。请在操作日志中核对该账号的查看记录。", limit.get(Chinese)),
        format!(
            "The account {name} has reached the limit of reveals ({}); further ones are refused. Check in the audit trail what it was shown.",
            limit.get(English)
        ),
    );
    let link = Some(Link { route: "adminAudit", query: vec![("keyword", name.clone()), ("action", "reveal".to_owned())] });
    let message = NewMessage { link, ..NewMessage::to_person(viewer.id, "reveals", title, content, cx.now) };
    Ok(message::to_overseers(tx, "admin/audit/list", message, cx.now).await?)
}

fn refusal(reached: &Reached) -> ApiError {
    let retry_after = (reached.wait / 1000).max(1);
    let minutes = (retry_after + 59) / 60;
    let (chinese, english) = (reached.limit.get(Chinese), reached.limit.get(English));
    let (chinese, english) = match minutes {
        ..=60 => (
            format!("查看明文已达上限（{chinese}），请 {minutes} 分钟后再试"),
            format!("You have reached the limit of reveals ({english}): try again in {minutes} min"),
        ),
        _ => (
            format!("查看明文已达上限（{chinese}），请明天再试"),
            format!("You have reached the limit of reveals ({english}): try again tomorrow"),
        ),
    };
    ApiError::TooOften { message: say(chinese, english), retry_after }
}

/// The refusal of a file that would exceed a limit.
fn refusal_of_file(reached: &Reached) -> ApiError {
    let (chinese, english) = (reached.limit.get(Chinese), reached.limit.get(English));
    let message = say(
        format!("这份文件会超过查看明文的上限（{chinese}），请缩小查询范围，或明天再试"),
        format!("The file would pass the limit of reveals ({english}): narrow the filters, or try again tomorrow"),
    );
    ApiError::TooOften { message, retry_after: (reached.wait / 1000).max(1) }
}

/// Counts of the daily limits.
pub const OLD_REVEALS: OldRows = OldRows {
    name: "reveals",
    keep: Keep::Days(1),
    statement: "DELETE FROM reveal WHERE (admin_id, day, target_type, target_id) IN \
                (SELECT admin_id, day, target_type, target_id FROM reveal WHERE at < $1 ORDER BY at LIMIT $2)",
};

/// Reached limits.
pub const OLD_LIMITS: OldRows = OldRows {
    name: "limits of reveals",
    keep: Keep::Days(1),
    statement: "DELETE FROM reveal_limit WHERE (admin_id, day) IN (SELECT admin_id, day FROM reveal_limit WHERE at < $1 LIMIT $2)",
};
