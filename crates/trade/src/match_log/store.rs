//! Questions in the database, and their counts by day.

use std::collections::HashMap;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::{
    Direction, FailedCondition, MatchDay, MatchDayFilters, MatchDetail, MatchFilters, MatchRow, MatchStatus, PassedPlan, PassedPlans,
};
use super::passed_over::{Passed, PassedOver, UnmetCondition, most_first};
use crate::plan;
use base::clock;
use base::crypto;
use base::db::sql::typed;
use base::db::{self, Connection, Db, Sql};
use base::locale::Locale;
use frame::access::{Scope, ScopeColumns};
use frame::api::YesNo;
use frame::old_rows::{Keep, OldRows};
use frame::places;
use frame::setting;

/// Who sees a question: the platform, and the manager of the channel.
const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("m.channel_id IN (SELECT s.id FROM channel s WHERE s.owner_admin_id = ?)"),
    org: None,
    sub_org: None,
    myself: None,
};

/// Who sees a day: the same.
const DAY_SCOPE: ScopeColumns = ScopeColumns { owner: Some("c.owner_admin_id"), org: None, sub_org: None, myself: None };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = "SELECT m.id, m.no, m.direction, m.user_id, u.no AS user_no, m.phone_mask, m.city, m.channel_id, c.name AS channel_name, \
     m.plan_id, p.name AS plan_name, m.org_id, o.name AS org_name, m.status, m.bid_cents, m.cost_ms, m.test, m.created_at FROM match_record m \
     JOIN channel c ON c.id = m.channel_id LEFT JOIN applicant u ON u.id = m.user_id LEFT JOIN plan p ON p.id = m.plan_id \
     LEFT JOIN organisation o ON o.id = m.org_id WHERE 1 = 1";

/// The same rows, for the count.
pub const COUNT: &str = "SELECT m.id FROM match_record m WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &MatchFilters, scope: Scope) {
    let keyword = typed(filters.keyword.as_deref());
    if let Some(hash) = &filters.phone_hash {
        sql.push(" AND m.user_id IN (SELECT n.id FROM applicant n WHERE n.phone_hash = ").bind(hash.clone()).push(")");
    }
    sql.and("m.no = ", keyword.map(str::to_uppercase))
        .and("m.direction = ", filters.direction.map(<&str>::from))
        .and("m.status = ", filters.status.map(<&str>::from))
        .and("m.channel_id = ", filters.channel_id)
        .and("m.org_id = ", filters.org_id)
        .and("m.plan_id = ", filters.plan_id)
        .and("m.user_id = ", filters.user_id)
        .and("m.created_at >= ", filters.created_from)
        .and("m.created_at < ", filters.created_to);
    match filters.test {
        // In the form of the index of test leads.
        Some(YesNo::Yes) => sql.push(" AND m.test = 1"),
        Some(YesNo::No) => sql.push(" AND m.test = 0"),
        None => sql,
    };
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<MatchRow, sqlx::Error> {
    Ok(MatchRow {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        direction: db::code(row, "direction")?,
        user_id: row.try_get("user_id")?,
        user_no: row.try_get("user_no")?,
        phone_mask: row.try_get("phone_mask")?,
        city: places::stored(row, "city")?,
        channel_id: row.try_get("channel_id")?,
        channel_name: row.try_get("channel_name")?,
        plan_id: row.try_get("plan_id")?,
        plan_name: row.try_get("plan_name")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        status: db::code(row, "status")?,
        bid_cents: row.try_get("bid_cents")?,
        cost_ms: row.try_get("cost_ms")?,
        test: db::flag(row, "test")?,
        created_at: row.try_get("created_at")?,
    })
}

/// One question within a scope, with all stored data.
pub async fn find(db: &Db, scope: Scope, id: i64, locale: Locale) -> Result<Option<MatchDetail>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    match sql.fetch_optional(db.read()).await? {
        None => Ok(None),
        Some(row) => Ok(details(db, scope, vec![read(&row)?], locale).await?.pop()),
    }
}

/// The questions on an applicant within a scope, oldest first.
pub async fn of_user(db: &Db, scope: Scope, user_id: i64, locale: Locale) -> Result<Vec<MatchDetail>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.user_id = ", Some(user_id));
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY m.created_at, m.id");
    let rows = sql.fetch_all(db.read()).await?.iter().map(read).collect::<Result<_, _>>()?;
    details(db, scope, rows, locale).await
}

/// The data of a question that lists leave out.
#[derive(Default)]
struct Kept {
    request: String,
    response: Option<String>,
    passed: Passed,
}

/// The data of questions. Conditions of plans are left out where the plans are outside the scope.
async fn details(db: &Db, scope: Scope, asked: Vec<MatchRow>, locale: Locale) -> Result<Vec<MatchDetail>, sqlx::Error> {
    let mut sql = Sql::new("SELECT id, request, response, passed_over FROM match_record WHERE id IN ");
    sql.ids(asked.iter().map(|row| row.id));
    let mut kept: HashMap<i64, Kept> = HashMap::new();
    for row in sql.fetch_all(db.read()).await? {
        let one = Kept { request: row.try_get("request")?, response: row.try_get("response")?, passed: db::json(&row, "passed_over")? };
        kept.insert(row.try_get("id")?, one);
    }
    let mut sql = Sql::new("SELECT id, name FROM plan WHERE id IN ");
    sql.ids(kept.values().flat_map(|one| one.passed.values().flatten().copied()));
    let mut names: HashMap<i64, String> = HashMap::new();
    for row in sql.fetch_all(db.read()).await? {
        names.insert(row.try_get("id")?, row.try_get("name")?);
    }
    let ids: Vec<i64> = names.keys().copied().collect();
    let shown = plan::within(db, scope, &ids).await?;
    let detail = |asked: MatchRow| {
        let Kept { request, response, passed } = kept.remove(&asked.id).unwrap_or_default();
        let named = |id: i64| Some(PassedPlan { id, name: names.get(&id)?.clone() });
        // A round asks and answers nothing: its conditions stand in the place of an answer.
        let (response, unmet) = match asked.direction {
            Direction::Round => (None, unmet_in(response.as_deref())),
            Direction::Inbound | Direction::Outbound => (response, Vec::new()),
        };
        let conditions = |reason: PassedOver| -> Vec<FailedCondition> {
            if reason != PassedOver::Rules {
                return Vec::new();
            }
            let condition = |one: &UnmetCondition| {
                let plan_ids: Vec<i64> = one.plans.iter().copied().filter(|id| shown.contains(id)).collect();
                (!plan_ids.is_empty()).then(|| FailedCondition { text: one.condition.sentence(locale), plan_ids })
            };
            unmet.iter().filter_map(condition).collect()
        };
        let passed_over = most_first(passed)
            .into_iter()
            .map(|(reason, ids)| PassedPlans { reason, plans: ids.into_iter().filter_map(named).collect(), conditions: conditions(reason) })
            .collect();
        MatchDetail { asked, request, response, passed_over }
    };
    Ok(asked.into_iter().map(detail).collect())
}

/// The conditions that are stored with a round.
fn unmet_in(stored: Option<&str>) -> Vec<UnmetCondition> {
    stored.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// A round of distribution on record.
#[derive(Debug)]
pub struct RoundRow {
    pub id: i64,
    pub user_id: i64,
    /// When it began and ended; epoch milliseconds.
    pub began: i64,
    pub ended: i64,
    /// JSON: ids of plans by the reason for passing them over.
    pub passed_over: String,
}

/// The rounds that ended within a time, after one of them (its end and its id), in order: of test leads or of live
/// ones.
pub async fn rounds(db: &Db, test: bool, (from, until): (i64, i64), after: (i64, i64), most: i64) -> Result<Vec<RoundRow>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT id, user_id, cost_ms, passed_over, created_at FROM match_record WHERE direction = 'round' AND user_id IS NOT NULL \
           AND test = $1 AND created_at >= $2 AND created_at < $3 AND (created_at > $4 OR id > $5) ORDER BY created_at, id LIMIT $6",
    )
    .bind(i64::from(test))
    .bind(from.max(after.0))
    .bind(until)
    .bind(after.0)
    .bind(after.1)
    .bind(most)
    .fetch_all(db.read())
    .await?;
    rows.iter()
        .map(|row| {
            let ended: i64 = row.try_get("created_at")?;
            Ok(RoundRow {
                id: row.try_get("id")?,
                user_id: row.try_get("user_id")?,
                began: ended - row.try_get::<i64, _>("cost_ms")?,
                ended,
                passed_over: row.try_get("passed_over")?,
            })
        })
        .collect()
}

/// How many rounds of test leads, or of live ones, ended within a time; counted up to a limit.
pub async fn count_rounds(db: &Db, test: bool, from: i64, until: i64, most: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT COUNT(*) FROM (SELECT 1 FROM match_record WHERE direction = 'round' AND test = $1 AND created_at >= $2 AND created_at < $3 LIMIT $4) AS counted",
    )
    .bind(i64::from(test))
    .bind(from)
    .bind(until)
    .bind(most)
    .fetch_one(db.read())
    .await
}

/// Organisations that answered that they know the person of any of these applicants.
pub async fn known_to(db: &Db, users: impl IntoIterator<Item = i64>) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT COUNT(DISTINCT org_id) AS known FROM match_record WHERE direction = 'outbound' AND status = 'exists' AND user_id IN ",
    );
    sql.ids(users);
    let row = sql.fetch_optional(db.read()).await?.ok_or(sqlx::Error::RowNotFound)?;
    row.try_get("known")
}

/// A number for a question at a moment.
pub fn number(at: i64) -> String {
    format!("M{}-{}", clock::day_compact(at), crypto::random_text(8).to_uppercase())
}

/// A question to be stored.
pub struct NewMatch<'n> {
    pub no: &'n str,
    pub direction: Direction,
    pub user_id: Option<i64>,
    pub phone_mask: &'n str,
    pub city: &'n str,
    pub channel_id: i64,
    /// The plan, and its organisation.
    pub plan: Option<(i64, i64)>,
    pub request: &'n str,
    /// The answer; of a round, the conditions that the applicant did not meet, as JSON.
    pub response: Option<&'n str>,
    pub status: MatchStatus,
    pub bid_cents: Option<i64>,
    /// JSON: ids of plans by the reason.
    pub passed_over: &'n str,
    pub cost_ms: i64,
    pub expires_at: Option<i64>,
    pub test: bool,
    pub at: i64,
}

/// Stores a question.
pub async fn add(tx: &mut Connection, new: &NewMatch<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO match_record (no, direction, user_id, phone_mask, city, channel_id, plan_id, org_id, request, response, status, bid_cents, \
           passed_over, cost_ms, expires_at, test, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
    )
    .bind(new.no)
    .bind(<&str>::from(new.direction))
    .bind(new.user_id)
    .bind(new.phone_mask)
    .bind(new.city)
    .bind(new.channel_id)
    .bind(new.plan.map(|(plan_id, _)| plan_id))
    .bind(new.plan.map(|(_, org_id)| org_id))
    .bind(new.request)
    .bind(new.response)
    .bind(<&str>::from(new.status))
    .bind(new.bid_cents)
    .bind(new.passed_over)
    .bind(new.cost_ms)
    .bind(new.expires_at)
    .bind(i64::from(new.test))
    .bind(new.at)
    .execute(tx)
    .await
    .map(drop)
}

/// Counts a channel's question on its day.
pub async fn count(tx: &mut Connection, channel_id: i64, status: MatchStatus, test: bool, at: i64) -> Result<(), sqlx::Error> {
    let is = |among: &[MatchStatus]| i64::from(!test && among.contains(&status));
    sqlx::query(
        "INSERT INTO match_daily (day, channel_id, asked, matched, known, refused, no_plan, test, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (day, channel_id) DO UPDATE SET asked = match_daily.asked + excluded.asked, \
         matched = match_daily.matched + excluded.matched, known = match_daily.known + excluded.known, \
         refused = match_daily.refused + excluded.refused, no_plan = match_daily.no_plan + excluded.no_plan, \
         test = match_daily.test + excluded.test, updated_at = excluded.updated_at",
    )
    .bind(clock::day(at).to_string())
    .bind(channel_id)
    .bind(i64::from(!test))
    .bind(is(&[MatchStatus::Matched]))
    .bind(is(&[MatchStatus::Exists]))
    .bind(is(&[MatchStatus::NotQualified, MatchStatus::Capped]))
    .bind(is(&[MatchStatus::NoPlan]))
    .bind(i64::from(test))
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// How many questions a channel has asked on the day of a moment, including test mode.
pub async fn asked_on(tx: &mut Connection, channel_id: i64, at: i64) -> Result<i64, sqlx::Error> {
    let asked: Option<i64> = sqlx::query_scalar("SELECT asked + test FROM match_daily WHERE day = $1 AND channel_id = $2")
        .bind(clock::day(at).to_string())
        .bind(channel_id)
        .fetch_optional(tx)
        .await?;
    Ok(asked.unwrap_or(0))
}

/// The query of the days, before [`narrow_days`].
pub const DAYS: &str = "SELECT s.id, s.day, s.channel_id, c.name AS channel_name, s.asked, s.matched, s.known, s.refused, s.no_plan, s.test \
     FROM match_daily s JOIN channel c ON c.id = s.channel_id WHERE 1 = 1";

/// The same rows, for the count and the sums.
pub const DAYS_COUNT: &str = "SELECT s.id FROM match_daily s JOIN channel c ON c.id = s.channel_id WHERE 1 = 1";
pub const DAYS_TOTALS: &str = "SELECT CAST(0 AS BIGINT) AS id, '' AS day, CAST(0 AS BIGINT) AS channel_id, '' AS channel_name, \
     CAST(COALESCE(SUM(s.asked), 0) AS BIGINT) AS asked, CAST(COALESCE(SUM(s.matched), 0) AS BIGINT) AS matched, \
     CAST(COALESCE(SUM(s.known), 0) AS BIGINT) AS known, CAST(COALESCE(SUM(s.refused), 0) AS BIGINT) AS refused, \
     CAST(COALESCE(SUM(s.no_plan), 0) AS BIGINT) AS no_plan, CAST(COALESCE(SUM(s.test), 0) AS BIGINT) AS test \
     FROM match_daily s JOIN channel c ON c.id = s.channel_id WHERE 1 = 1";

/// The conditions of the days, within a scope.
pub fn narrow_days(sql: &mut Sql, filters: &MatchDayFilters, scope: Scope) {
    sql.and("s.day >= ", filters.day_from.clone()).and("s.day <= ", filters.day_to.clone()).and("s.channel_id = ", filters.channel_id);
    scope.apply(sql, DAY_SCOPE);
}

/// Reads a row of [`DAYS`].
pub fn read_day(row: &AnyRow) -> Result<MatchDay, sqlx::Error> {
    let (asked, matched): (i64, i64) = (row.try_get("asked")?, row.try_get("matched")?);
    Ok(MatchDay {
        id: row.try_get("id")?,
        day: row.try_get("day")?,
        channel_id: row.try_get("channel_id")?,
        channel_name: row.try_get("channel_name")?,
        asked,
        matched,
        known: row.try_get("known")?,
        refused: row.try_get("refused")?,
        no_plan: row.try_get("no_plan")?,
        match_bp: (asked > 0).then(|| matched * 10_000 / asked),
        test: row.try_get("test")?,
    })
}

/// Old questions and rounds. Rounds that found a buyer stay as long as the daily figures are rebuilt from them.
pub const OLD_ROUNDS: OldRows = OldRows {
    name: "questions and rounds",
    keep: Keep::AsSet(&setting::LEAD_TRIES_DAYS),
    statement: "DELETE FROM match_record WHERE id IN (SELECT m.id FROM match_record m WHERE m.created_at < $1 \
                AND NOT (m.direction = 'round' AND m.status = 'matched') \
                AND NOT EXISTS (SELECT 1 FROM push_record h WHERE h.match_id = m.id) ORDER BY m.created_at, m.id LIMIT $2)",
};

/// Wipes the data of an applicant in questions and rounds.
pub async fn erase(tx: &mut Connection, user_id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE match_record SET phone_mask = '***', city = '', request = '', response = NULL WHERE user_id = $1")
        .bind(user_id)
        .execute(tx)
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::list::{Days, Matches};
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_of_both_lists_uses_an_index() {
        every_sort_walks_an_index::<Matches>(&[]).await;
        every_sort_walks_an_index::<Days>(&[]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, MatchFilters::default);
        for (index, filters) in [
            ("match_direction", MatchFilters { direction: Some(Direction::Outbound), ..none() }),
            ("match_status", MatchFilters { status: Some(MatchStatus::Exists), ..none() }),
            ("match_channel", MatchFilters { channel_id: Some(1), ..none() }),
            ("match_org", MatchFilters { org_id: Some(1), ..none() }),
            ("match_plan", MatchFilters { plan_id: Some(1), ..none() }),
            ("match_user", MatchFilters { user_id: Some(1), ..none() }),
        ] {
            let plan = plan::<Matches>(&plans, filters, Scope::All).await;
            assert!(plan.contains(&format!("SEARCH m USING COVERING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
