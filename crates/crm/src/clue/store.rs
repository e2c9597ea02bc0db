//! Clues in the database: the list, one clue, and what its page shows.

use std::collections::HashMap;

use sqlx::{Any, Executor, FromRow, Row};

use super::model::{ClueDue, ClueFilters, ClueHolder, ClueReached, ClueRow, ClueState, FollowRow, OwnerChange, SamePerson};
use crate::model::open_stages;
use base::db::sql::typed;
use base::db::{Connection, Sql};
use base::locale::Locale;
use frame::access::{Scope, ScopeColumns};
use frame::api::YesNo;
use trade::plan::push::people;

/// Who sees a clue: its salesperson, its team, its organisation, and the organisation's account manager.
pub const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("k.org_id IN (SELECT m.id FROM organisation m WHERE m.owner_admin_id = ?)"),
    org: Some("k.org_id"),
    sub_org: Some("k.sub_org_id"),
    myself: Some("k.owner_id"),
};

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT k.id, k.no, k.name_mask, k.phone_mask, k.city, k.stage, k.level, k.star, \
     CASE WHEN n.id IS NULL THEN 0 ELSE 1 END AS is_new, k.owner_id, a.real_name AS owner_name, k.pool_id, p.name AS pool_name, k.org_id, \
     o.short_name AS org_name, k.sub_org_id, t.name AS sub_org_name, k.push_id, k.plan_id, q.name AS plan_name, k.channel_id, c.name AS channel_name, \
     k.test, k.next_follow_at, k.escalation, k.last_follow_at, k.last_follow_text, k.follow_count, k.sms_count, k.assigned_at, k.response_due_at, k.first_follow_at, \
     k.reclaim_at, k.claimable_at, k.visited_at, k.signed_at, k.disbursed_at, k.lost_reason, i.label_zh AS lost_zh, i.label_en AS lost_en, i.tag_color AS lost_color, k.version, k.created_at, k.updated_at \
     FROM clue k JOIN organisation o ON o.id = k.org_id LEFT JOIN new_lead n ON n.clue_id = k.id LEFT JOIN administrator a ON a.id = k.owner_id \
     LEFT JOIN clue_pool p ON p.id = k.pool_id LEFT JOIN sub_organisation t ON t.id = k.sub_org_id LEFT JOIN plan q ON q.id = k.plan_id \
     LEFT JOIN channel c ON c.id = k.channel_id LEFT JOIN dict_type y ON y.code = 'lead_lost_reason' \
     LEFT JOIN dict_item i ON i.type_id = y.id AND i.value = k.lost_reason WHERE 1 = 1";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT k.id FROM clue k WHERE 1 = 1";

/// Appends the conditions of the filters, within a scope. What a salesperson or a team reached stays in the lists
/// behind their achievements, also after a transfer.
pub fn narrow(sql: &mut Sql, filters: &ClueFilters, scope: Scope) {
    match_filters(sql, filters);
    match scope {
        Scope::Myself(id) if [filters.signed_by, filters.visited_by].contains(&Some(id)) => {}
        Scope::SubOrg(id) if [filters.signed_team, filters.visited_team].contains(&Some(id)) => {}
        Scope::SubOrg(id) if filters.signed_by.is_some() => {
            sql.push(" AND (k.sub_org_id = ").bind(id).push(" OR k.signed_sub_org_id = ").bind(id).push(")");
        }
        Scope::SubOrg(id) if filters.visited_by.is_some() => {
            sql.push(" AND (k.sub_org_id = ").bind(id).push(" OR k.visited_sub_org_id = ").bind(id).push(")");
        }
        scope => scope.apply(sql, SCOPE),
    }
}

/// Appends the conditions of the filters, without a scope.
pub fn match_filters(sql: &mut Sql, filters: &ClueFilters) {
    // Numbers are in capitals.
    let keyword = typed(filters.keyword.as_deref()).map(str::to_uppercase);
    sql.and("k.no = ", keyword)
        .and("k.phone_hash = ", filters.phone_hash.clone())
        .and("k.org_id = ", filters.org_id)
        .and("k.sub_org_id = ", filters.sub_org_id)
        .and("k.owner_id = ", filters.owner_id)
        .and("k.pool_id = ", filters.pool_id)
        .and("k.plan_id = ", filters.plan_id)
        .and("k.channel_id = ", filters.channel_id)
        .and("k.stage = ", filters.stage)
        .and("k.level = ", filters.level)
        .and("k.star = ", filters.star)
        // Written so that the index of overdue clues is used.
        .and("k.escalation > 0 AND k.escalation >= ", filters.escalation.filter(|step| *step > 0))
        .and("k.reclaim_at < ", filters.reclaim.map(|_| filters.reclaim_ends()))
        .and("k.created_at >= ", filters.created_from)
        .and("k.created_at < ", filters.created_to)
        .and("k.assigned_at >= ", filters.assigned_from)
        .and("k.assigned_at < ", filters.assigned_to)
        .and("k.visited_at >= ", filters.visited_from)
        .and("k.visited_at < ", filters.visited_to)
        // Written so that the index of a salesperson's visits is used.
        .and("k.visited_at IS NOT NULL AND k.visited_by = ", filters.visited_by)
        .and("k.visited_sub_org_id = ", filters.visited_team)
        .and("k.signed_sub_org_id = ", filters.signed_team)
        .and("k.signed_at >= ", filters.signed_from)
        .and("k.signed_at < ", filters.signed_to)
        .and("k.signed_at IS NOT NULL AND k.signed_by = ", filters.signed_by);
    sql.and("COALESCE((SELECT z.star FROM applicant z WHERE z.id = k.user_id), -1) = ", filters.user_star);
    match filters.test {
        // Test leads are few, so they are found by their applicants.
        Some(YesNo::Yes) => sql.push(" AND k.test = 1 AND k.user_id IN ").push(people::TEST_USERS),
        Some(YesNo::No) => sql.push(" AND k.test = 0"),
        None => sql,
    };
    match filters.reached {
        Some(ClueReached::Contacted) => sql.push(" AND k.first_follow_at IS NOT NULL"),
        Some(ClueReached::Visited) => sql.push(" AND k.visited_at IS NOT NULL"),
        Some(ClueReached::Signed) => sql.push(" AND k.signed_at IS NOT NULL"),
        Some(ClueReached::Disbursed) => sql.push(" AND k.disbursed_at IS NOT NULL"),
        None => sql,
    };
    match filters.state {
        Some(ClueState::Open) => sql.push(concat!(" AND k.stage IN ", open_stages!())),
        Some(ClueState::Closed) => sql.push(" AND k.stage IN ('disbursed', 'invalid', 'lost')"),
        None => sql,
    };
    match filters.holder {
        Some(ClueHolder::Owned) => sql.push(" AND k.owner_id IS NOT NULL"),
        Some(ClueHolder::Pool) => sql.push(" AND k.pool_id IS NOT NULL"),
        None => sql,
    };
    let (today_ends, week_ends) = filters.day_ends();
    match filters.due {
        // Clues without a planned contact are left out.
        Some(ClueDue::Overdue) => sql.push(PLANNED_BEFORE).bind(filters.now),
        Some(ClueDue::Today) => sql.push(PLANNED_BEFORE).bind(today_ends),
        Some(ClueDue::Week) => sql.push(PLANNED_BEFORE).bind(week_ends),
        Some(ClueDue::None) => {
            sql.push(concat!(" AND k.next_follow_at IS NULL AND k.owner_id IS NOT NULL AND k.stage IN ", open_stages!()))
        }
        None => sql,
    };
    if filters.unseen.is_some() {
        sql.push(" AND k.id IN (SELECT n.clue_id FROM new_lead n WHERE n.clue_id IS NOT NULL)");
    }
    if filters.followed_by.is_some() || filters.followed_from.is_some() || filters.followed_to.is_some() {
        sql.push(" AND k.id IN (SELECT f.clue_id FROM clue_follow f WHERE 1 = 1");
        sql.and("f.admin_id = ", filters.followed_by).and("f.at >= ", filters.followed_from).and("f.at < ", filters.followed_to).push(")");
    }
}

const PLANNED_BEFORE: &str = " AND k.next_follow_at < ";

/// One clue within a scope.
pub async fn find<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
    locale: Locale,
) -> Result<Option<ClueRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("k.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.map(|row| ClueRow::read(&row, locale)).transpose()
}

/// The clue of a push.
pub async fn of_push<'e>(on: impl Executor<'e, Database = Any>, push_id: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT id FROM clue WHERE push_id = $1").bind(push_id).fetch_optional(on).await
}

/// When the next contact of each push's clue is planned, in epoch milliseconds; pushes without a plan are left out.
pub async fn next_contacts<'e>(on: impl Executor<'e, Database = Any>, push_ids: &[i64]) -> Result<HashMap<i64, i64>, sqlx::Error> {
    if push_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut sql = Sql::new("SELECT push_id, next_follow_at FROM clue WHERE next_follow_at IS NOT NULL AND push_id IN ");
    sql.ids(push_ids.iter().copied());
    sql.fetch_all(on).await?.iter().map(|row| Ok((row.try_get("push_id")?, row.try_get("next_follow_at")?))).collect()
}

/// What the person of each clue asked for, in fen, and since when the clue is in its stage; by the clues' ids.
pub async fn asked_and_since<'e>(
    on: impl Executor<'e, Database = Any>,
    ids: &[i64],
) -> Result<HashMap<i64, (Option<i64>, i64)>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT k.id, u.amount_cents, COALESCE((SELECT MAX(f.at) FROM clue_follow f WHERE f.clue_id = k.id AND f.stage_to = k.stage \
           AND f.stage_from <> f.stage_to), k.created_at) AS since FROM clue k JOIN applicant u ON u.id = k.user_id WHERE k.id IN ",
    );
    sql.ids(ids.iter().copied());
    let rows = sql.fetch_all(on).await?;
    rows.iter().map(|row| Ok((row.try_get("id")?, (row.try_get("amount_cents")?, row.try_get("since")?)))).collect()
}

/// The clue of a push within a scope, if it has one.
pub async fn visible_of_push<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, push_id: i64) -> Result<Option<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT k.id FROM clue k WHERE k.push_id = ");
    sql.bind(push_id);
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.map(|row| row.try_get("id")).transpose()
}

/// The push that brought a clue, if one did.
pub async fn push_of<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT push_id FROM clue WHERE id = $1").bind(id).fetch_one(on).await
}

/// The applicant and the phone's hash of a clue.
pub async fn person<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<(i64, Option<String>), sqlx::Error> {
    let row = sqlx::query("SELECT user_id, phone_hash FROM clue WHERE id = $1").bind(id).fetch_one(on).await?;
    Ok((row.try_get("user_id")?, row.try_get("phone_hash")?))
}

/// Whether the lead of a clue was given back.
pub async fn is_returned<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<bool, sqlx::Error> {
    let row = sqlx::query(
        "SELECT k.id FROM clue k LEFT JOIN push_record h ON h.id = k.push_id WHERE k.id = $1 AND (k.lost_reason = 'returned' OR h.status = 'returned')",
    )
    .bind(id)
    .fetch_optional(on)
    .await?;
    Ok(row.is_some())
}

/// Follow-ups shown on a clue's page, at most.
const MOST_FOLLOWS: i64 = 200;

/// Follow-ups of a clue, the latest first.
pub async fn follows<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<FollowRow>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT f.id, a.real_name AS admin_name, f.type, f.result, f.content, f.stage_from, f.stage_to, f.next_follow_at, f.files, f.at \
         FROM clue_follow f JOIN administrator a ON a.id = f.admin_id WHERE f.clue_id = $1 ORDER BY f.at DESC, f.id DESC LIMIT $2",
    )
    .bind(id)
    .bind(MOST_FOLLOWS)
    .fetch_all(on)
    .await?;
    rows.iter().map(FollowRow::from_row).collect()
}

/// Changes of a clue's owner, the latest first.
pub async fn owners<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Vec<OwnerChange>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT l.id, f.real_name AS from_name, t.real_name AS to_name, p.name AS pool_name, l.way, a.real_name AS admin_name, l.at \
         FROM clue_owner_log l LEFT JOIN administrator f ON f.id = l.from_owner LEFT JOIN administrator t ON t.id = l.to_owner \
         LEFT JOIN clue_pool p ON p.id = l.to_pool LEFT JOIN administrator a ON a.id = l.admin_id \
         WHERE l.clue_id = $1 ORDER BY l.at DESC, l.id DESC LIMIT $2",
    )
    .bind(id)
    .bind(MOST_FOLLOWS)
    .fetch_all(on)
    .await?;
    rows.iter().map(OwnerChange::from_row).collect()
}

/// Other clues of the same person in the organisation, at most.
const MOST_SAME: i64 = 20;

/// Other clues of the same person in the organisation, the latest first, with whether the scope reaches them.
pub async fn same_person(
    on: impl Executor<'_, Database = Any>,
    scope: Scope,
    org_id: i64,
    phone_hash: &str,
    id: i64,
) -> Result<Vec<SamePerson>, sqlx::Error> {
    let mut sql = Sql::new("SELECT k.id, k.no, k.stage, a.real_name AS owner_name, k.created_at, CASE WHEN 1 = 1");
    scope.apply(&mut sql, SCOPE);
    sql.push(" THEN 1 ELSE 0 END AS is_visible FROM clue k LEFT JOIN administrator a ON a.id = k.owner_id WHERE k.org_id = ").bind(org_id);
    sql.push(" AND k.phone_hash = ").bind(phone_hash.to_owned()).push(" AND k.id <> ").bind(id);
    sql.push(" ORDER BY k.created_at DESC, k.id DESC LIMIT ").bind(MOST_SAME);
    sql.fetch_all(on).await?.iter().map(SamePerson::from_row).collect()
}

/// The number, time and price of a sale.
pub async fn sale<'e>(on: impl Executor<'e, Database = Any>, push_id: i64) -> Result<Option<(String, Option<i64>, i64)>, sqlx::Error> {
    let row = sqlx::query("SELECT no, sold_at, price_cents FROM push_record WHERE id = $1").bind(push_id).fetch_optional(on).await?;
    row.map(|row| Ok((row.try_get("no")?, row.try_get("sold_at")?, row.try_get("price_cents")?))).transpose()
}

/// Whether a person wants no text messages of an organisation.
pub async fn opted_out<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, phone_hash: &str) -> Result<bool, sqlx::Error> {
    let found: Option<i64> = sqlx::query_scalar("SELECT at FROM clue_opt_out WHERE org_id = $1 AND phone_hash = $2")
        .bind(org_id)
        .bind(phone_hash.to_owned())
        .fetch_optional(on)
        .await?;
    Ok(found.is_some())
}

/// Holds a clue until the transaction ends.
pub async fn hold(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("SELECT k.id FROM clue k WHERE k.id = ");
    sql.bind(id);
    tx.hold(&mut sql, "k");
    sql.fetch_optional(tx).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::list::Clues;
    use super::*;
    use crate::model::ClueStage;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Clues>("clue");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Clues>(&[]).await;
    }

    #[tokio::test]
    async fn every_scope_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, ClueFilters::default);
        for (index, filters, scope) in [
            ("clue_org", none(), Scope::Org(1)),
            ("clue_sub_org", none(), Scope::SubOrg(1)),
            ("clue_owner", none(), Scope::Myself(1)),
            ("clue_stage", ClueFilters { stage: Some(ClueStage::New), ..none() }, Scope::Org(1)),
            ("clue_plan", ClueFilters { plan_id: Some(1), ..none() }, Scope::All),
            ("clue_channel", ClueFilters { channel_id: Some(1), ..none() }, Scope::All),
            ("clue_in_pool", ClueFilters { pool_id: Some(1), ..none() }, Scope::All),
        ] {
            let plan = plan::<Clues>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
