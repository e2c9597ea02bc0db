//! Targets: set for objects within the viewer's scope, and copied from the month before.

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::Row;

use super::model::{
    AchievementMetric, AchievementObject, TargetCopy, TargetEntry, TargetForm, TargetQuery, TargetRow, TargetTable, TargetsWritten,
};
use super::month::Month;
use super::objects::{self, Object};
use super::sums::{self, Of};
use base::db::{Connection, Sql};
use base::form_limits;
use frame::access::ScopeColumns;
use frame::access::audit::{self, Action, Change, Module, Stamp, Target};
use frame::api::{ApiError, Body, Ctx, Query, Result, Say, say};
use frame::terms;

/// Targets in the audit trail.
pub const TARGET: Target = Target { module: Module::Achievement, kind: "achievement_target", id: None };

/// Targets that are set at once, at most: four of each row of the table.
const MOST: usize = 4 * MOST_ROWS;
/// Rows of the table, at most.
const MOST_ROWS: usize = 200;
/// Months ahead, at most.
const AHEAD: i32 = 12;

form_limits! {
    /// Of a target.
    achievementTarget {
        /// In fen: ten thousand million yuan.
        MOST_CENTS: i64 = 1_000_000_000_000,
        MOST_CLUES: i64 = 1_000_000,
    }
}

/// Who sees a target: its organisation; for a team also the team and its people; for a salesperson themselves.
const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("p.org_id IN (SELECT w.id FROM organisation w WHERE w.owner_admin_id = ?)"),
    org: Some("p.org_id"),
    sub_org: Some(
        "((p.object_type = 'team' AND p.object_id = ?) \
         OR (p.object_type = 'person' AND p.object_id IN (SELECT w.id FROM salesperson w WHERE w.sub_org_id = ?)))",
    ),
    myself: Some("(p.object_type = 'person' AND p.object_id = ?)"),
};

/// A target to be written.
struct NewTarget {
    month: Month,
    org_id: i64,
    object: (AchievementObject, i64),
    metric: AchievementMetric,
    /// `None` removes the target.
    target: Option<i64>,
}

/// `GET /crm/achievements/targets`: the targets of a month, a row for each object for which the viewer may set them.
pub async fn table(cx: Arc<Ctx>, Query(query): Query<TargetQuery>) -> Result<TargetTable> {
    let month = month_ahead(&query.month, cx.now).map_err(|message| ApiError::field("month", message))?;
    let scope = cx.viewer()?.scope();
    let objects = objects::of(cx.db(), scope, query.org_id).await?;
    let is_matched = |object: &&Object| {
        object.is_shown_to(scope)
            && !object.is_gone
            && query.sub_org_id.is_none_or(|team| object.sub_org_id == Some(team))
            && query.object_type.is_none_or(|kind| object.kind == kind)
            && query.object_id.is_none_or(|id| object.id == id)
    };
    let mut shown: Vec<&Object> = objects.values().filter(is_matched).collect();
    // People first, by team.
    shown.sort_by(|one, other| {
        let first = (other.kind, &one.org_name, &one.sub_org_name, &one.name, one.id);
        first.cmp(&(one.kind, &other.org_name, &other.sub_org_name, &other.name, other.id))
    });
    let total = shown.len() as i64;
    shown.truncate(MOST_ROWS);
    let set = sums::targets(cx.db(), Of::Organisations(scope, query.org_id), (month.plus(-1), month)).await?;
    let targets = |object: &Object, month: Month| {
        let four = set.get(&(object.kind, object.id, month.to_string())).copied().unwrap_or_default();
        four.to_vec()
    };
    let row = |object: &&Object| TargetRow {
        object_type: object.kind,
        object_id: object.id,
        name: object.name.clone(),
        org_name: object.org_name.clone(),
        sub_org_name: object.sub_org_name.clone(),
        targets: targets(object, month),
        before: targets(object, month.plus(-1)),
    };
    Ok(TargetTable { rows: shown.iter().map(row).collect(), total })
}

/// `PUT /crm/achievements/target`: sets all of the targets or none.
pub async fn set(cx: Arc<Ctx>, Body(body): Body<TargetForm>) -> Result<TargetsWritten> {
    if body.targets.is_empty() || body.targets.len() > MOST {
        return Err(ApiError::field("targets", say(format!("一次 1 到 {MOST} 个目标"), format!("1 to {MOST} targets at once"))));
    }
    let scope = cx.viewer()?.scope();
    let objects = objects::of(cx.db(), scope, None).await?;
    let mut wanted: Vec<(Object, NewTarget)> = Vec::with_capacity(body.targets.len());
    for (place, entry) in body.targets.iter().enumerate() {
        let object = objects.get(&(entry.object_type, entry.object_id)).filter(|object| object.is_shown_to(scope) && !object.is_gone);
        let wrong = |name: &str, message: Say| ApiError::field(&format!("targets.{place}.{name}"), message);
        let Some(object) = object else { return Err(wrong("objectId", say("请选择对象", "Choose an object"))) };
        let month = month_ahead(&entry.month, cx.now).map_err(|message| wrong("month", message))?;
        check(entry).map_err(|message| wrong("target", message))?;
        let new = NewTarget { month, org_id: object.org_id, object: (object.kind, object.id), metric: entry.metric, target: entry.target };
        wanted.push((object.clone(), new));
    }
    // All forms lock targets in this order, which prevents deadlocks.
    wanted.sort_by_key(|(object, new)| (new.month, object.kind, object.id, new.metric));
    let (cx, wanted) = (&*cx, &wanted);
    cx.db()
        .transact(|mut tx| {
            async move {
                let mut written = 0;
                for (object, new) in wanted {
                    written += i64::from(write(cx, &mut tx, object, new).await?);
                }
                let answer = TargetsWritten { written };
                cx.keep_answer(&mut tx, &answer).await?;
                Ok(answer)
            }
            .boxed()
        })
        .await
}

fn month_ahead(text: &str, now: i64) -> std::result::Result<Month, Say> {
    Month::read(text)
        .filter(|month| *month <= Month::of(now).plus(AHEAD))
        .ok_or_else(|| say(format!("月份为 YYYY-MM，最多提前 {AHEAD} 个月"), format!("A month is YYYY-MM, at most {AHEAD} months ahead")))
}

fn check(entry: &TargetEntry) -> std::result::Result<(), Say> {
    let most = if entry.metric.is_money() { MOST_CENTS } else { MOST_CLUES };
    match entry.target.is_none_or(|target| (0..=most).contains(&target)) {
        true => Ok(()),
        false => Err(say(format!("必须在 0 到 {most} 之间"), format!("Must be between 0 and {most}"))),
    }
}

/// Writes a target with its audit row. Returns whether it changed.
async fn write(cx: &Ctx, tx: &mut Connection, object: &Object, new: &NewTarget) -> Result<bool> {
    let Some((id, before)) = put(tx, new, cx.stamp()?).await? else { return Ok(false) };
    let value = |target: i64| if new.metric.is_money() { terms::yuan(target) } else { target.to_string() };
    let change = |field: &str, after: String| Change { field: field.to_owned(), before: None, after: Some(after) };
    let changes = [
        change("month", new.month.to_string()),
        change("objectType", <&str>::from(object.kind).to_owned()),
        change("objectName", object.name.clone()),
        change("metric", <&str>::from(new.metric).to_owned()),
        Change { field: "target".to_owned(), before: before.map(value), after: new.target.map(value) },
    ];
    let action = match (before, new.target) {
        (None, _) => Action::Create,
        (Some(_), None) => Action::Delete,
        _ => Action::Update,
    };
    audit::record(tx, &cx.actor()?, TARGET.of(id), action, &changes).await?;
    Ok(true)
}

/// Writes a target. Returns its id and its previous value, or none if it was the same.
async fn put(tx: &mut Connection, new: &NewTarget, stamp: Stamp) -> Result<Option<(i64, Option<i64>)>> {
    let mut sql = Sql::new("SELECT p.id, p.target FROM achievement_target p WHERE p.month = ");
    sql.bind(new.month.to_string()).and("p.object_type = ", Some(new.object.0)).and("p.object_id = ", Some(new.object.1));
    sql.and("p.metric = ", Some(new.metric));
    tx.hold(&mut sql, "p");
    let found: Option<(i64, i64)> =
        sql.fetch_optional(&mut *tx).await?.map(|row| Ok::<_, sqlx::Error>((row.try_get("id")?, row.try_get("target")?))).transpose()?;
    if found.map(|(_, target)| target) == new.target {
        return Ok(None);
    }
    let (Some(target), before) = (new.target, found.map(|(_, target)| target)) else {
        let Some((id, target)) = found else { return Ok(None) };
        sqlx::query("DELETE FROM achievement_target WHERE id = $1").bind(id).execute(&mut *tx).await?;
        return Ok(Some((id, Some(target))));
    };
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO achievement_target (month, org_id, object_type, object_id, metric, target, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (month, object_type, object_id, metric) DO UPDATE \
         SET target = excluded.target, version = achievement_target.version + 1, updated_at = excluded.updated_at, updated_by = excluded.updated_by \
         RETURNING id",
    )
    .bind(new.month.to_string())
    .bind(new.org_id)
    .bind(new.object.0)
    .bind(new.object.1)
    .bind(new.metric)
    .bind(target)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await?;
    Ok(Some((id, before)))
}

/// `POST /crm/achievements/copy`: targets of the month before, for objects of the viewer's scope that have none.
pub async fn copy(cx: Arc<Ctx>, Body(body): Body<TargetCopy>) -> Result<TargetsWritten> {
    let month = month_ahead(&body.month, cx.now).map_err(|message| ApiError::field("month", message))?;
    let (cx, org_id) = (&*cx, body.org_id);
    cx.db()
        .transact(|mut tx| {
            async move {
                let written = copied(cx, &mut tx, month, org_id).await?;
                if written > 0 {
                    let change = |field: &str, after: String| Change { field: field.to_owned(), before: None, after: Some(after) };
                    let changes = [
                        change("month", month.to_string()),
                        change("copiedFrom", month.plus(-1).to_string()),
                        change("copied", written.to_string()),
                    ];
                    audit::record(&mut tx, &cx.actor()?, TARGET, Action::Create, &changes).await?;
                }
                let answer = TargetsWritten { written };
                cx.keep_answer(&mut tx, &answer).await?;
                Ok(answer)
            }
            .boxed()
        })
        .await
}

async fn copied(cx: &Ctx, tx: &mut Connection, month: Month, org_id: Option<i64>) -> Result<i64> {
    let stamp = cx.stamp()?;
    let mut sql = Sql::new(
        "INSERT INTO achievement_target (month, org_id, object_type, object_id, metric, target, created_at, updated_at, created_by, updated_by) SELECT ",
    );
    sql.push("CAST(").bind(month.to_string()).push(" AS TEXT), p.org_id, p.object_type, p.object_id, p.metric, p.target");
    for value in [stamp.at, stamp.at, stamp.admin_id, stamp.admin_id] {
        sql.push(", CAST(").bind(value).push(" AS BIGINT)");
    }
    sql.push(" FROM achievement_target p WHERE p.month = ").bind(month.plus(-1).to_string());
    sql.push(
        " AND NOT (p.object_type = 'person' AND p.object_id IN (SELECT x.id FROM salesperson x WHERE x.status = 'left' OR x.deleted_at IS NOT NULL)) \
         AND NOT (p.object_type = 'team' AND p.object_id IN (SELECT x.id FROM sub_organisation x WHERE x.deleted_at IS NOT NULL))",
    );
    sql.and("p.org_id = ", org_id);
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    sql.push(" ORDER BY p.id ON CONFLICT (month, object_type, object_id, metric) DO NOTHING");
    Ok(sql.execute(tx).await? as i64)
}
