//! Achievements, added up from confirmed money and from clues; and targets as they are stored.

use std::collections::HashMap;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::{AchievementMetric, AchievementObject, MonthFigure};
use super::month::Month;
use base::codes::Codes;
use base::db::{Db, Sql};
use frame::access::Scope;

/// Values of the four metrics, in the order of [`AchievementMetric`].
pub type Four = [i64; 4];

/// The source of a sum.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    Money,
    Signed,
    Visited,
}

const SOURCES: [Source; 3] = [Source::Money, Source::Signed, Source::Visited];

/// How sums are split by time: before and since a moment, or day by day.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    Since(i64),
    Day,
}

/// Which rows count.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// Those of the organisations that a scope reaches, or of one of them. A team's and a salesperson's scope reach
    /// all of their organisation, because ranks compare all of it.
    Organisations(Scope, Option<i64>),
    /// Those of one object.
    Object(AchievementObject, i64),
}

/// The organisations in a scope, for a table whose column of the organisation has the given name.
macro_rules! organisations {
    ($column:literal) => {
        ::frame::access::ScopeColumns {
            owner: Some(concat!($column, " IN (SELECT w.id FROM organisation w WHERE w.owner_admin_id = ?)")),
            org: Some($column),
            sub_org: Some(concat!($column, " = (SELECT w.org_id FROM sub_organisation w WHERE w.id = ?)")),
            myself: Some(concat!($column, " = (SELECT w.org_id FROM administrator w WHERE w.id = ?)")),
        }
    };
}
pub(super) use organisations;

/// A sum of one group.
pub struct Sum {
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub person_id: Option<i64>,
    /// With [`Part::Since`] 1 for rows since the moment and 0 for earlier ones; with [`Part::Day`] the number of the
    /// day.
    pub part: i64,
    pub four: Four,
}

/// Sums from one moment to another, by organisation, team, person and part; without test leads.
pub async fn sums(db: &Db, of: Of, (from, to): (i64, i64), part: Part) -> Result<Vec<Sum>, sqlx::Error> {
    let mut all = Vec::new();
    for source in SOURCES {
        for row in statement(source, of, (from, to), part).fetch_all(db.read()).await? {
            all.push(read(source, &row)?);
        }
    }
    Ok(all)
}

fn statement(source: Source, of: Of, (from, to): (i64, i64), part: Part) -> Sql {
    let mut sql = Sql::new(match source {
        Source::Money => "SELECT m.org_id, m.sub_org_id, m.sales_id AS person_id, ",
        Source::Signed => "SELECT k.org_id, k.signed_sub_org_id AS sub_org_id, k.signed_by AS person_id, ",
        Source::Visited => "SELECT k.org_id, k.visited_sub_org_id AS sub_org_id, k.visited_by AS person_id, ",
    });
    let (at, since, until) = match source {
        Source::Money => ("m.paid_at", " AND m.paid_at >= ", " AND m.paid_at < "),
        Source::Signed => ("k.signed_at", " AND k.signed_at >= ", " AND k.signed_at < "),
        Source::Visited => ("k.visited_at", " AND k.visited_at >= ", " AND k.visited_at < "),
    };
    match part {
        Part::Since(moment) => {
            sql.push("CASE WHEN ").push(at).push(" >= ").bind(moment).push(" THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END AS part")
        }
        Part::Day => sql.push("(").push(at).push(" + 28800000) / 86400000 AS part"),
    };
    sql.push(match source {
        Source::Money => {
            ", CAST(COALESCE(SUM(m.loan_cents), 0) AS BIGINT) AS first, \
             CAST(SUM(CASE m.type WHEN 'refund' THEN -m.amount_cents ELSE m.amount_cents END) AS BIGINT) AS second \
             FROM money_record m WHERE m.status = 'confirmed' AND m.deleted_at IS NULL"
        }
        Source::Signed => ", COUNT(*) AS first, CAST(0 AS BIGINT) AS second FROM clue k WHERE k.test = 0 AND k.signed_at IS NOT NULL",
        Source::Visited => ", COUNT(*) AS first, CAST(0 AS BIGINT) AS second FROM clue k WHERE k.test = 0 AND k.visited_at IS NOT NULL",
    });
    sql.push(since).bind(from).push(until).bind(to);
    narrow(&mut sql, source, of);
    sql.push(" GROUP BY 1, 2, 3, 4");
    sql
}

fn narrow(sql: &mut Sql, source: Source, of: Of) {
    let money = matches!(source, Source::Money);
    let org = if money { "m.org_id = " } else { "k.org_id = " };
    match of {
        Of::Organisations(scope, org_id) => {
            sql.and(org, org_id);
            scope.apply(sql, if money { organisations!("m.org_id") } else { organisations!("k.org_id") });
        }
        Of::Object(AchievementObject::Company, id) => drop(sql.and(org, Some(id))),
        Of::Object(AchievementObject::Team, id) => {
            // Filtered by the team's organisation too: the index has the organisation beside the time.
            sql.push(" AND ").push(org).push("(SELECT w.org_id FROM sub_organisation w WHERE w.id = ").bind(id).push(")");
            let column = match source {
                Source::Money => "m.sub_org_id = ",
                Source::Signed => "k.signed_sub_org_id = ",
                Source::Visited => "k.visited_sub_org_id = ",
            };
            sql.and(column, Some(id));
        }
        Of::Object(AchievementObject::Person, id) => {
            let column = match source {
                Source::Money => "m.sales_id = ",
                Source::Signed => "k.signed_by = ",
                Source::Visited => "k.visited_by = ",
            };
            sql.and(column, Some(id));
        }
    }
}

fn read(source: Source, row: &AnyRow) -> Result<Sum, sqlx::Error> {
    let (first, second): (i64, i64) = (row.try_get("first")?, row.try_get("second")?);
    Ok(Sum {
        org_id: row.try_get("org_id")?,
        sub_org_id: row.try_get("sub_org_id")?,
        person_id: row.try_get("person_id")?,
        part: row.try_get("part")?,
        four: match source {
            Source::Money => [first, second, 0, 0],
            Source::Signed => [0, 0, first, 0],
            Source::Visited => [0, 0, 0, first],
        },
    })
}

/// Adds values to others.
pub fn add(to: &mut Four, more: &Four) {
    for (sum, value) in to.iter_mut().zip(more) {
        *sum += value;
    }
}

/// Targets by object and month; a metric without one is absent.
pub type Targets = HashMap<(AchievementObject, i64, String), [Option<i64>; 4]>;

/// Targets of the months from one to another.
pub async fn targets(db: &Db, of: Of, (from, to): (Month, Month)) -> Result<Targets, sqlx::Error> {
    let mut sql = Sql::new("SELECT a.month, a.object_type, a.object_id, a.metric, a.target FROM achievement_target a WHERE a.month >= ");
    sql.bind(from.to_string()).push(" AND a.month <= ").bind(to.to_string());
    match of {
        Of::Organisations(scope, org_id) => {
            sql.and("a.org_id = ", org_id);
            scope.apply(&mut sql, organisations!("a.org_id"));
        }
        Of::Object(kind, id) => drop(sql.and("a.object_type = ", Some(kind)).and("a.object_id = ", Some(id))),
    }
    let mut all = Targets::new();
    for row in sql.fetch_all(db.read()).await? {
        let metric: AchievementMetric = row.try_get("metric")?;
        let key = (row.try_get("object_type")?, row.try_get("object_id")?, row.try_get("month")?);
        all.entry(key).or_default()[metric.index()] = Some(row.try_get("target")?);
    }
    Ok(all)
}

/// The months after another for which the organisations that a scope reaches have targets.
pub async fn months_with_targets(db: &Db, scope: Scope, after: Month) -> Result<Vec<Month>, sqlx::Error> {
    let mut sql = Sql::new("SELECT DISTINCT a.month FROM achievement_target a WHERE a.month > ");
    sql.bind(after.to_string());
    scope.apply(&mut sql, organisations!("a.org_id"));
    let rows = sql.fetch_all(db.read()).await?;
    let months = rows.iter().map(|row| row.try_get("month")).collect::<Result<Vec<String>, _>>()?;
    Ok(months.iter().filter_map(|month| Month::read(month)).collect())
}

/// The four metrics of one object in a month, for "my day".
pub async fn month_of(db: &Db, (kind, id): (AchievementObject, i64), month: Month) -> Result<Vec<MonthFigure>, sqlx::Error> {
    let of = Of::Object(kind, id);
    let mut actual = Four::default();
    for sum in sums(db, of, (month.start(), month.end()), Part::Since(month.start())).await? {
        add(&mut actual, &sum.four);
    }
    let targets = targets(db, of, (month, month)).await?.into_values().next().unwrap_or_default();
    let figure =
        |metric: &AchievementMetric| MonthFigure { metric: *metric, target: targets[metric.index()], actual: actual[metric.index()] };
    Ok(AchievementMetric::ALL.iter().map(figure).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn sums_and_targets_are_found_by_indexes() {
        let plans = Plans::open().await;
        for (index, source, of) in [
            ("money_record_org_paid", Source::Money, Of::Organisations(Scope::Org(1), None)),
            ("money_record_org_paid", Source::Money, Of::Organisations(Scope::All, Some(1))),
            ("money_record_org_paid", Source::Money, Of::Organisations(Scope::Myself(1), None)),
            ("money_record_status_paid", Source::Money, Of::Organisations(Scope::All, None)),
            ("money_record_sales_paid", Source::Money, Of::Object(AchievementObject::Person, 1)),
            ("clue_org_signed", Source::Signed, Of::Organisations(Scope::SubOrg(1), None)),
            ("clue_org_visited", Source::Visited, Of::Object(AchievementObject::Team, 1)),
            ("clue_signed", Source::Signed, Of::Object(AchievementObject::Person, 1)),
            ("clue_visited", Source::Visited, Of::Object(AchievementObject::Person, 1)),
        ] {
            let plan = plans.of(statement(source, of, (1, 2), Part::Day)).await;
            assert!(plan.contains(&format!(" INDEX {index} ")), "{index}: {plan}");
        }
    }
}
