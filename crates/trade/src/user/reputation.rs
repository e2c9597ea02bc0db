//! What is known of a person before an application: the stars of the last feedback and the score of the last risk
//! report, of any application with the same phone. Rules of channels and plans may use both.

use std::collections::HashMap;

use sqlx::Row;

use base::clock::DAY;
use base::db::{self, Connection, Sql};
use frame::api::App;
use frame::setting;
use frame::terms::applicant::{Fact, Facts, SCORE, STAR};

/// What is known of one person at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reputation {
    /// 0 to 3, of the last feedback that gave stars.
    pub star: Option<i64>,
    /// 0 to 100, of the last risk report; a high score speaks against the person.
    pub score: Option<i64>,
}

impl Reputation {
    /// The facts of an applicant with these added; unknown values are no facts.
    pub fn add_to(self, facts: Facts) -> Facts {
        let facts = self.star.into_iter().fold(facts, |facts, star| facts.with(STAR, Fact::Number(star)));
        self.score.into_iter().fold(facts, |facts, score| facts.with(SCORE, Fact::Number(score)))
    }
}

/// A column by which a person is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The keyed hash of the phone.
    Phone,
    /// The keyed hash of the phone's MD5, which channels send.
    PhoneMd5,
}

/// A person, by hash, and the moment at which their past ends.
pub type Asked = (String, i64);

/// For how long feedback and risk reports count, in milliseconds.
pub async fn span(app: &App) -> Result<i64, sqlx::Error> {
    Ok(app.settings.get(&app.db, &setting::LEAD_PAST_DAYS).await? * DAY)
}

/// What is known of one person now, by a hash.
pub async fn of(app: &App, by: By, hash: &str, now: i64) -> Result<Reputation, sqlx::Error> {
    let mut on = app.db.read().acquire().await?;
    let asked = [(hash.to_owned(), now)];
    Ok(of_all(&mut on, by, &asked, span(app).await?).await?.remove(&0).unwrap_or_default())
}

/// What was known of several people, each at a moment, by position; `span` is how far back it counts, in
/// milliseconds.
pub async fn of_all(on: &mut Connection, by: By, asked: &[Asked], span: i64) -> Result<HashMap<usize, Reputation>, sqlx::Error> {
    let mut found = HashMap::new();
    let numbered: Vec<(i64, &Asked)> = (0..).zip(asked).collect();
    for some in db::padded(&numbered) {
        for row in statement(by, some.copied(), span).fetch_all(&mut *on).await? {
            let place = usize::try_from(row.try_get::<i64, _>("place")?).unwrap_or_default();
            found.insert(place, Reputation { star: row.try_get("star")?, score: row.try_get("score")? });
        }
    }
    Ok(found)
}

fn statement<'a>(by: By, asked: impl Iterator<Item = (i64, &'a Asked)>, span: i64) -> Sql {
    let hash = match by {
        By::Phone => "e.phone_hash",
        By::PhoneMd5 => "e.phone_md5_hash",
    };
    // A cross join, so that SQLite begins with the person's applications. Applicants of channels in test mode and
    // erased applicants do not count.
    let mut sql = Sql::new("SELECT v.column1 AS place, (SELECT f.star FROM applicant e CROSS JOIN feedback f WHERE ");
    sql.push(hash).push(
        " = v.column2 AND +e.test = 0 AND e.status <> 'erased' AND f.user_id = e.id AND f.star IS NOT NULL AND f.created_at > v.column3 \
           AND f.created_at <= v.column4 ORDER BY f.created_at DESC, f.id DESC LIMIT 1) AS star, \
           (SELECT r.score FROM applicant e CROSS JOIN risk_report r WHERE ",
    );
    sql.push(hash).push(
        " = v.column2 AND +e.test = 0 AND e.status <> 'erased' AND r.user_id = e.id AND r.status = 'done' AND r.score IS NOT NULL \
           AND r.updated_at > v.column3 AND r.updated_at <= v.column4 ORDER BY r.updated_at DESC, r.id DESC LIMIT 1) AS score FROM (VALUES ",
    );
    let mut comma = "(";
    for (place, (hash, until)) in asked {
        sql.push(comma).bind(place).then(hash.clone()).then(*until - span).then(*until).push(")");
        comma = ", (";
    }
    sql.push(") AS v");
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn a_past_is_found_by_indexes() {
        let plans = Plans::open().await;
        for (by, index) in [(By::Phone, "applicant_phone (phone_hash=?"), (By::PhoneMd5, "(phone_md5_hash=?")] {
            let asked = ("x".to_owned(), 1);
            let plan = plans.of(statement(by, [(0, &asked)].into_iter(), 1)).await;
            assert_eq!(plan.matches(index).count(), 2, "{plan}");
            assert!(plan.contains("feedback_user (user_id=?") && plan.contains("risk_report_user (user_id=?"), "{plan}");
        }
    }

    #[test]
    fn what_is_not_known_is_no_fact() {
        let facts = Reputation { star: Some(0), score: None }.add_to(Facts::new());
        assert_eq!((facts.get(STAR), facts.get(SCORE)), (Some(&Fact::Number(0)), None));
    }
}
