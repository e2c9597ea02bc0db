//! Caps in the database: the rules of a subject, and their usage.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::window::counting;
use super::{CapRule, CapUsage, CapWindow, tidy};
use crate::access::audit::Stamp;
use crate::old_rows::{Keep, OldRows};
use base::clock;
use base::db::{self, Connection, Db, Sql, Tx};

/// The subject of caps: a row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// `channel`, `plan`, `product`, `sub_org` or `salesperson`.
    pub kind: &'static str,
    pub id: i64,
}

/// A cap of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCap {
    pub id: i64,
    pub subject: Subject,
    pub rule: CapRule,
}

/// The column `caps` of a list: the caps of the row, as JSON, for [`read`]. The kind of subject and the row's id
/// column are literals: `cap_column!("channel", "c.id")`.
#[macro_export]
macro_rules! cap_column {
    ($kind:literal, $id:literal) => {
        concat!(
            "(SELECT '[' || string_agg('{\"window\":\"' || k.\"window\" || '\",\"weekday\":' || COALESCE(CAST(k.weekday AS TEXT), 'null') \
               || ',\"maxCount\":' || COALESCE(CAST(k.max_count AS TEXT), 'null') \
               || ',\"maxCents\":' || COALESCE(CAST(k.max_cents AS TEXT), 'null') || '}', ',') || ']' \
              FROM cap_rule k WHERE k.subject_type = '",
            $kind,
            "' AND k.subject_id = ",
            $id,
            ") AS caps"
        )
    };
}
pub use cap_column;

/// Reads what [`cap_column`] selects.
pub fn read(row: &AnyRow) -> Result<Vec<CapRule>, sqlx::Error> {
    match row.try_get::<Option<&str>, _>("caps")? {
        None => Ok(Vec::new()),
        Some(_) => db::json(row, "caps").map(tidy),
    }
}

/// The caps of a subject.
pub async fn of<'e>(on: impl Executor<'e, Database = Any>, subject: Subject) -> Result<Vec<StoredCap>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT id, \"window\", weekday, max_count, max_cents FROM cap_rule WHERE subject_type = $1 AND subject_id = $2 ORDER BY id",
    )
    .bind(subject.kind)
    .bind(subject.id)
    .fetch_all(on)
    .await?;
    rows.iter().map(|row| Ok(StoredCap { id: row.try_get("id")?, subject, rule: rule(row)? })).collect()
}

/// The caps of some subjects of a kind, by their ids.
pub async fn of_all<'e>(
    on: impl Executor<'e, Database = Any>,
    kind: &'static str,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<StoredCap>>, sqlx::Error> {
    let mut sql = Sql::new("SELECT id, subject_id, \"window\", weekday, max_count, max_cents FROM cap_rule WHERE subject_type = ");
    sql.bind(kind).push(" AND subject_id IN ").ids(ids).push(" ORDER BY id");
    let mut found: HashMap<i64, Vec<StoredCap>> = HashMap::new();
    for row in sql.fetch_all(on).await? {
        let subject = Subject { kind, id: row.try_get("subject_id")? };
        found.entry(subject.id).or_default().push(StoredCap { id: row.try_get("id")?, subject, rule: rule(&row)? });
    }
    Ok(found)
}

/// Locks the caps of a subject for a sale, shared with other sales, until its transaction ends: a change of caps
/// comes before the sale, which then counts under the new ones, or after it, and the new ones include it.
pub async fn share(db: &Db, tx: &mut Tx, subject: Subject) -> Result<(), sqlx::Error> {
    db.lock_shared(tx, &lock_of(subject)).await
}

/// Waits for the sales that hold the caps of a subject ([`share`]), and keeps new ones waiting until the transaction
/// ends. It comes before every row that a sale writes: two transactions that wait for each other end in an error.
pub async fn hold(db: &Db, tx: &mut Tx, subject: Subject) -> Result<(), sqlx::Error> {
    db.lock(tx, &lock_of(subject)).await
}

fn lock_of(subject: Subject) -> String {
    format!("caps of {} {}", subject.kind, subject.id)
}

/// Sets the caps of a subject. A cap whose window stays keeps its count. A cap that counts from now on, because it is
/// new or because the weekday's cap in its place is gone, begins with what was taken in its window. A caller that
/// sets the caps of a plan [`hold`]s them first, so that no sale is under way in between.
pub async fn set(tx: &mut Connection, subject: Subject, caps: &[CapRule], stamp: Stamp) -> Result<(), sqlx::Error> {
    let stored = of(&mut *tx, subject).await?;
    for gone in stored.iter().filter(|old| caps.iter().all(|cap| cap.key() != old.rule.key())) {
        sqlx::query("DELETE FROM cap_taken WHERE rule_id = $1").bind(gone.id).execute(&mut *tx).await?;
        sqlx::query("DELETE FROM cap_counter WHERE rule_id = $1").bind(gone.id).execute(&mut *tx).await?;
        sqlx::query("DELETE FROM cap_rule WHERE id = $1").bind(gone.id).execute(&mut *tx).await?;
    }
    for cap in caps {
        match stored.iter().find(|old| old.rule.key() == cap.key()) {
            Some(old) if old.rule == *cap => {}
            Some(old) => {
                sqlx::query("UPDATE cap_rule SET max_count = $1, max_cents = $2, updated_at = $3, updated_by = $4 WHERE id = $5")
                    .bind(cap.max_count)
                    .bind(cap.max_cents)
                    .bind(stamp.at)
                    .bind(stamp.admin_id)
                    .bind(old.id)
                    .execute(&mut *tx)
                    .await?;
            }
            None => insert(&mut *tx, subject, cap, stamp).await?,
        }
    }
    let counted: Vec<i64> = counting(&stored, stamp.at).iter().map(|cap| cap.id).collect();
    let now = of(&mut *tx, subject).await?;
    for cap in counting(&now, stamp.at).into_iter().filter(|cap| !counted.contains(&cap.id)) {
        count_anew(&mut *tx, cap, stamp.at).await?;
    }
    Ok(())
}

/// Initialises a plan's cap with the leads sold in its window so far and not returned. Counts of channels are never
/// given back, and their caps begin at 0.
async fn count_anew(tx: &mut Connection, cap: &StoredCap, at: i64) -> Result<(), sqlx::Error> {
    let start = cap.rule.window.start(at);
    if cap.subject.kind != "plan" {
        return Ok(());
    }
    sqlx::query("DELETE FROM cap_taken WHERE rule_id = $1 AND window_start = $2").bind(cap.id).bind(start).execute(&mut *tx).await?;
    let mut sql = Sql::new("INSERT INTO cap_taken (push_id, rule_id, window_start, count, cents) SELECT h.id, ");
    sql.bind(cap.id).push(", ").bind(start).push(", 1, h.price_cents FROM push_record h WHERE h.plan_id = ").bind(cap.subject.id);
    sql.push(" AND h.created_at >= ").bind(start);
    sql.push(" AND h.status NOT IN ('rejected', 'duplicate', 'failed', 'returned', 'cancelled')");
    sql.execute(&mut *tx).await?;
    let mut sql = Sql::new("INSERT INTO cap_counter (rule_id, window_start, used_count, used_cents) SELECT ");
    sql.bind(cap.id).push(", ").bind(start);
    sql.push(", COUNT(*), CAST(COALESCE(SUM(t.cents), 0) AS BIGINT) FROM cap_taken t WHERE t.rule_id = ").bind(cap.id);
    sql.push(" AND t.window_start = ").bind(start);
    sql.push(
        " ON CONFLICT (rule_id, window_start) DO UPDATE SET used_count = excluded.used_count, used_cents = excluded.used_cents, warned_at = NULL",
    );
    sql.execute(tx).await.map(drop)
}

async fn insert(tx: &mut Connection, subject: Subject, cap: &CapRule, stamp: Stamp) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO cap_rule (subject_type, subject_id, \"window\", weekday, max_count, max_cents, \
           created_at, updated_at, created_by, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(subject.kind)
    .bind(subject.id)
    .bind(<&str>::from(cap.window))
    .bind(cap.weekday.map(i64::from))
    .bind(cap.max_count)
    .bind(cap.max_cents)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .execute(tx)
    .await
    .map(drop)
}

/// The result of taking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taking {
    /// Counted under every cap.
    Taken,
    /// Nothing was counted: this cap has no room.
    Full(StoredCap),
}

/// Takes a count, and an amount in fen, under all caps that apply at a moment, or nothing. The transaction locks the
/// counters until it ends, so the same room is not taken twice.
pub async fn take(tx: &mut Connection, caps: &[StoredCap], count: i64, cents: i64, at: i64) -> Result<Taking, sqlx::Error> {
    let counting = counting(caps, at);
    for (index, cap) in counting.iter().enumerate() {
        if !take_one(&mut *tx, cap, count, cents, at).await? {
            for taken in &counting[..index] {
                give_one_back(&mut *tx, taken.id, taken.rule.window.start(at), count, cents).await?;
            }
            return Ok(Taking::Full((*cap).clone()));
        }
    }
    Ok(Taking::Taken)
}

/// An event of a subject at a moment, with its amount in fen.
#[derive(Clone, Copy, Debug)]
pub struct Happened {
    pub subject_id: i64,
    pub cents: i64,
    pub at: i64,
}

/// Counts events of subjects of a kind under the caps that applied then, even beyond their bounds: it cannot be
/// undone.
pub async fn count(tx: &mut Connection, kind: &'static str, happened: &[Happened]) -> Result<(), sqlx::Error> {
    let ids: BTreeSet<i64> = happened.iter().map(|one| one.subject_id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let caps = of_all(&mut *tx, kind, ids).await?;
    // In the order of their keys, so that two nodes never wait for each other in a circle.
    let mut sums: BTreeMap<(i64, i64), (i64, i64)> = BTreeMap::new();
    for one in happened {
        let Some(caps) = caps.get(&one.subject_id) else { continue };
        for cap in counting(caps, one.at) {
            let (count, cents) = sums.entry((cap.id, cap.rule.window.start(one.at))).or_default();
            (*count, *cents) = (*count + 1, *cents + one.cents);
        }
    }
    for ((rule_id, start), (count, cents)) in sums {
        sqlx::query(
            "INSERT INTO cap_counter (rule_id, window_start, used_count, used_cents) VALUES ($1, $2, $3, $4) ON CONFLICT (rule_id, window_start) \
               DO UPDATE SET used_count = cap_counter.used_count + excluded.used_count, used_cents = cap_counter.used_cents + excluded.used_cents",
        )
        .bind(rule_id)
        .bind(start)
        .bind(count)
        .bind(cents)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

/// Stores what a push took under the caps that applied at a moment, so that exactly that can be given back: one
/// statement, and none without caps.
pub async fn keep(tx: &mut Connection, push_id: i64, caps: &[StoredCap], count: i64, cents: i64, at: i64) -> Result<(), sqlx::Error> {
    let counting = counting(caps, at);
    if counting.is_empty() {
        return Ok(());
    }
    let mut sql = Sql::new("INSERT INTO cap_taken (push_id, rule_id, window_start, count, cents) VALUES ");
    for (index, cap) in counting.iter().enumerate() {
        sql.push(if index == 0 { "(" } else { ", (" }).bind(push_id).then(cap.id).then(cap.rule.window.start(at)).then(count).then(cents);
        sql.push(")");
    }
    sql.execute(tx).await.map(drop)
}

/// Gives back what a push took, in the same windows, once.
pub async fn give_back(tx: &mut Connection, push_id: i64) -> Result<(), sqlx::Error> {
    let rows = sqlx::query("DELETE FROM cap_taken WHERE push_id = $1 RETURNING rule_id, window_start, count, cents")
        .bind(push_id)
        .fetch_all(&mut *tx)
        .await?;
    let mut taken: Vec<(i64, i64, i64, i64)> = rows
        .iter()
        .map(|row| Ok((row.try_get("rule_id")?, row.try_get("window_start")?, row.try_get("count")?, row.try_get("cents")?)))
        .collect::<Result<_, sqlx::Error>>()?;
    // In the same order as sales, so that no two wait for each other in a circle.
    taken.sort_unstable();
    for (rule_id, start, count, cents) in taken {
        give_one_back(&mut *tx, rule_id, start, count, cents).await?;
    }
    Ok(())
}

/// The usage of a cap in the window of a moment: the count, and fen.
pub async fn used<'e>(on: impl Executor<'e, Database = Any>, cap: &StoredCap, at: i64) -> Result<(i64, i64), sqlx::Error> {
    let row = sqlx::query("SELECT used_count, used_cents FROM cap_counter WHERE rule_id = $1 AND window_start = $2")
        .bind(cap.id)
        .bind(cap.rule.window.start(at))
        .fetch_optional(on)
        .await?;
    row.map_or(Ok((0, 0)), |row| Ok((row.try_get("used_count")?, row.try_get("used_cents")?)))
}

/// The caps of a subject, unless one that applies now has no room for one more at this price. Nothing is locked:
/// [`take`] checks what others take meanwhile.
pub async fn with_room<'e>(
    on: impl Executor<'e, Database = Any>,
    subject: Subject,
    cents: i64,
    at: i64,
) -> Result<Option<Vec<StoredCap>>, sqlx::Error> {
    let found = with_used(on, subject.kind, [subject.id], at).await?.remove(&subject.id).unwrap_or_default();
    let caps: Vec<StoredCap> = found.iter().map(|(cap, ..)| cap.clone()).collect();
    let is_full = counted(found, at).iter().any(|usage| usage.is_full(cents));
    Ok((!is_full).then_some(caps))
}

/// The current usage of the caps of some subjects, by the subject's id: of those that apply now, in the order of
/// their windows.
pub async fn usage<'e>(
    on: impl Executor<'e, Database = Any>,
    kind: &'static str,
    ids: impl IntoIterator<Item = i64>,
    at: i64,
) -> Result<HashMap<i64, Vec<CapUsage>>, sqlx::Error> {
    Ok(with_used(on, kind, ids, at).await?.into_iter().map(|(id, caps)| (id, counted(caps, at))).collect())
}

/// Those of a subject's caps that apply at a moment, in the order of their windows.
fn counted(caps: Vec<(StoredCap, i64, i64)>, at: i64) -> Vec<CapUsage> {
    let stored: Vec<StoredCap> = caps.iter().map(|(cap, ..)| cap.clone()).collect();
    let now: Vec<i64> = counting(&stored, at).iter().map(|cap| cap.id).collect();
    let mut usage: Vec<CapUsage> = caps
        .into_iter()
        .filter(|(cap, ..)| now.contains(&cap.id))
        .map(|(cap, used_count, used_cents)| CapUsage { cap: cap.rule, used_count, used_cents })
        .collect();
    usage.sort_by_key(|usage| usage.cap.key());
    usage
}

/// All caps of some subjects, by the subject's id, each with the count and the fen used in its window of a moment.
async fn with_used<'e>(
    on: impl Executor<'e, Database = Any>,
    kind: &'static str,
    ids: impl IntoIterator<Item = i64>,
    at: i64,
) -> Result<HashMap<i64, Vec<(StoredCap, i64, i64)>>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT k.id, k.subject_id, k.\"window\", k.weekday, k.max_count, k.max_cents, COALESCE(c.used_count, 0) AS used_count, \
           COALESCE(c.used_cents, 0) AS used_cents FROM cap_rule k LEFT JOIN cap_counter c ON c.rule_id = k.id AND c.window_start = ",
    );
    current_window(&mut sql, at);
    sql.push(" WHERE k.subject_type = ").bind(kind).push(" AND k.subject_id IN ").ids(ids);
    let mut found: HashMap<i64, Vec<(StoredCap, i64, i64)>> = HashMap::new();
    for row in sql.fetch_all(on).await? {
        let subject = Subject { kind, id: row.try_get("subject_id")? };
        let cap = StoredCap { id: row.try_get("id")?, subject, rule: rule(&row)? };
        found.entry(subject.id).or_default().push((cap, row.try_get("used_count")?, row.try_get("used_cents")?));
    }
    Ok(found)
}

/// Appends the condition that a subject has a cap that applies at a moment and has no room for one more, by the same rule as
/// [`CapUsage::is_full`]. `id` and `cents` are expressions for the subject's id and the price.
pub fn and_full(sql: &mut Sql, kind: &'static str, id: &'static str, cents: &'static str, at: i64) {
    let today = i64::from(clock::day(at).weekday().to_monday_one_offset());
    sql.push(" AND EXISTS (SELECT 1 FROM cap_rule k LEFT JOIN cap_counter c ON c.rule_id = k.id AND c.window_start = ");
    current_window(sql, at);
    sql.push(" WHERE k.subject_type = ").bind(kind).push(" AND k.subject_id = ").push(id);
    // The cap of a weekday replaces that of every day.
    sql.push(" AND (k.weekday = ").bind(today).push(" OR (k.weekday IS NULL AND (k.\"window\" <> 'day' OR NOT EXISTS (SELECT 1");
    sql.push(" FROM cap_rule w WHERE w.subject_type = k.subject_type AND w.subject_id = k.subject_id AND w.\"window\" = 'day'");
    sql.push(" AND w.weekday = ").bind(today).push(")))) AND (COALESCE(c.used_count, 0) + 1 > k.max_count");
    sql.push(" OR COALESCE(c.used_cents, 0) + ").push(cents).push(" > k.max_cents))");
}

/// A window of a cap that is nearly full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearlyFull {
    pub cap: StoredCap,
    window_start: i64,
}

/// The caps of all subjects of a kind that apply now, are used to this percentage, and without a warning yet in this
/// window.
pub async fn nearly_full(on: &db::Reads, kind: &'static str, percent: i64, at: i64) -> Result<Vec<NearlyFull>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT k.id, k.subject_id, k.\"window\", k.weekday, k.max_count, k.max_cents, c.used_count, c.used_cents, c.window_start, \
           COALESCE(c.warned_at, 0) AS warned_at FROM cap_rule k JOIN cap_counter c ON c.rule_id = k.id AND c.window_start = ",
    );
    current_window(&mut sql, at);
    sql.push(" WHERE k.subject_type = ").bind(kind).push(" ORDER BY k.id");
    let mut found = Vec::new();
    let mut stored: HashMap<i64, Vec<StoredCap>> = HashMap::new();
    for row in sql.fetch_all(on).await? {
        let subject = Subject { kind, id: row.try_get("subject_id")? };
        let cap = StoredCap { id: row.try_get("id")?, subject, rule: rule(&row)? };
        let (count, cents): (i64, i64) = (row.try_get("used_count")?, row.try_get("used_cents")?);
        let near = |used: i64, most: Option<i64>| most.is_some_and(|most| i128::from(used) * 100 >= i128::from(most) * i128::from(percent));
        if row.try_get::<i64, _>("warned_at")? == 0 && (near(count, cap.rule.max_count) || near(cents, cap.rule.max_cents)) {
            found.push(NearlyFull { cap: cap.clone(), window_start: row.try_get("window_start")? });
        }
        stored.entry(subject.id).or_default().push(cap);
    }
    // A cap that is replaced by another one today gives no warning.
    found.retain(|near| counting(&stored[&near.cap.subject.id], at).iter().any(|cap| cap.id == near.cap.id));
    Ok(found)
}

/// Marks a window as warned. Returns whether it was not yet.
pub async fn set_warned(tx: &mut Connection, near: &NearlyFull, at: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE cap_counter SET warned_at = $1 WHERE rule_id = $2 AND window_start = $3 AND warned_at IS NULL")
        .bind(at)
        .bind(near.cap.id)
        .bind(near.window_start)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// When the window of a rule `k` began.
fn current_window(sql: &mut Sql, at: i64) {
    sql.push("CASE k.\"window\"");
    for (window, when) in [
        (CapWindow::Hour, " WHEN 'hour' THEN "),
        (CapWindow::Day, " WHEN 'day' THEN "),
        (CapWindow::Week, " WHEN 'week' THEN "),
        (CapWindow::Month, " WHEN 'month' THEN "),
    ] {
        sql.push(when).bind(window.start(at));
    }
    sql.push(" ELSE 0 END");
}

/// Reads a row of `cap_rule`.
fn rule(row: &AnyRow) -> Result<CapRule, sqlx::Error> {
    let weekday: Option<i64> = row.try_get("weekday")?;
    Ok(CapRule {
        window: db::code(row, "window")?,
        weekday: weekday.and_then(|weekday| u8::try_from(weekday).ok()),
        max_count: row.try_get("max_count")?,
        max_cents: row.try_get("max_cents")?,
    })
}

async fn take_one(tx: &mut Connection, cap: &StoredCap, count: i64, cents: i64, at: i64) -> Result<bool, sqlx::Error> {
    let start = cap.rule.window.start(at);
    for first in [true, false] {
        let done = sqlx::query(
            "UPDATE cap_counter SET used_count = used_count + $1, used_cents = used_cents + $2 WHERE rule_id = $3 AND window_start = $4 \
             AND used_count + $5 <= $6 AND used_cents + $7 <= $8",
        )
        .bind(count)
        .bind(cents)
        .bind(cap.id)
        .bind(start)
        .bind(count)
        .bind(cap.rule.max_count.unwrap_or(i64::MAX))
        .bind(cents)
        .bind(cap.rule.max_cents.unwrap_or(i64::MAX))
        .execute(&mut *tx)
        .await?;
        if done.rows_affected() == 1 {
            return Ok(true);
        }
        // No room, or the window has no counter yet.
        if first {
            sqlx::query(
                "INSERT INTO cap_counter (rule_id, window_start, used_count, used_cents) VALUES ($1, $2, 0, 0) ON CONFLICT DO NOTHING",
            )
            .bind(cap.id)
            .bind(start)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(false)
}

async fn give_one_back(tx: &mut Connection, rule_id: i64, start: i64, count: i64, cents: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE cap_counter SET used_count = used_count - $1, used_cents = used_cents - $2 WHERE rule_id = $3 AND window_start = $4",
    )
    .bind(count)
    .bind(cents)
    .bind(rule_id)
    .bind(start)
    .execute(tx)
    .await
    .map(drop)
}

/// Counters of caps whose windows are over: no lead is given back so late that it would matter. They are deleted
/// before [`OLD_TAKEN`], so that giving back has no effect then.
pub const OLD_COUNTERS: OldRows = OldRows {
    name: "caps whose windows are over",
    keep: Keep::Days(100),
    statement: "DELETE FROM cap_counter WHERE (rule_id, window_start) IN (SELECT c.rule_id, c.window_start FROM cap_counter c \
                JOIN cap_rule k ON k.id = c.rule_id WHERE c.window_start < $1 AND k.\"window\" <> 'total' LIMIT $2)",
};

/// The stored takes under them.
pub const OLD_TAKEN: OldRows = OldRows {
    name: "what was taken under them",
    keep: Keep::Days(100),
    statement: "DELETE FROM cap_taken WHERE (push_id, rule_id) IN (SELECT t.push_id, t.rule_id FROM cap_taken t WHERE t.window_start < $1 \
                AND NOT EXISTS (SELECT 1 FROM cap_counter c WHERE c.rule_id = t.rule_id AND c.window_start = t.window_start) LIMIT $2)",
};
