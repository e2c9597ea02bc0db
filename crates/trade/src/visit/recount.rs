//! The results of applicants from their own rows, without those that are noted but not added up yet. It is one
//! statement, which sees an event with its note or neither.

use sqlx::Row;

use super::batch::day_of;
use super::lead::{self, LeadEvent};
use super::stat::{Stats, UNRATED};
use base::clock::{self, DAY, HOUR};
use base::db::{Connection, Sql};

/// The count of one event on a day.
pub struct Happened {
    pub day: String,
    pub event: LeadEvent,
    pub number: i64,
    /// The stars under which it is counted so far.
    pub star: i64,
}

/// Adds the results of applicants on a day (`YYYY-MM-DD`).
pub async fn of_day(tx: &mut Connection, day: &str, stats: &mut Stats) -> Result<(), sqlx::Error> {
    let Some(from) = clock::day_start(day) else { return Ok(()) };
    for happened in fetch(tx, &Of::Day { day, from }).await? {
        stats.leads(day, &happened.event, happened.number, happened.star);
    }
    Ok(())
}

/// The results of some applicants, on all days.
pub async fn of_users(tx: &mut Connection, ids: &[i64]) -> Result<Vec<Happened>, sqlx::Error> {
    fetch(tx, &Of::Users(ids)).await
}

/// The applicants and times that count.
enum Of<'o> {
    /// A day, with the epoch milliseconds of its beginning.
    Day {
        day: &'o str,
        from: i64,
    },
    Users(&'o [i64]),
}

async fn fetch(tx: &mut Connection, of: &Of<'_>) -> Result<Vec<Happened>, sqlx::Error> {
    let mut all = Vec::new();
    for row in counting(of).fetch_all(tx).await? {
        let noted: String = row.try_get("day")?;
        all.push(Happened {
            day: match noted.as_str() {
                "" => day_of(row.try_get::<i64, _>("day_no")? * DAY - 8 * HOUR),
                _ => noted,
            },
            event: lead::read(&row)?,
            number: row.try_get("number")?,
            star: row.try_get::<Option<i64>, _>("star")?.unwrap_or(UNRATED),
        });
    }
    Ok(all)
}

/// A source of rows: its columns in the form of `happened`, its tables, and the columns of its time and applicant.
struct Source {
    select: &'static str,
    from: &'static str,
    until: &'static str,
    /// Empty if they concern no applicant.
    users: &'static str,
}

const SOURCES: &[Source] = &[
    Source {
        select: "SELECT CASE WHEN a.reason IS NULL THEN 'applied' ELSE 'registered' END AS kind, a.created_at AS at, CAST('' AS TEXT) AS day, \
             a.id AS user_id, a.channel_id, CAST(NULL AS BIGINT) AS product_id, CAST(NULL AS BIGINT) AS plan_id, CAST(NULL AS BIGINT) AS org_id, \
             a.system, 1 AS number, a.channel_cost_cents AS cost_cents, CAST(0 AS BIGINT) AS income_cents FROM applicant a WHERE a.test = 0",
        from: " AND a.created_at >= ",
        until: " AND a.created_at < ",
        users: " AND a.id IN ",
    },
    // A round's first lead has the product; an organisation has an applicant once.
    Source {
        select: "SELECT 'matched', m.created_at, '', m.user_id, m.channel_id, h.product_id, m.plan_id, m.org_id, u.system, 1, 0, 0 \
             FROM match_record m JOIN applicant u ON u.id = m.user_id LEFT JOIN push_record h ON h.user_id = m.user_id AND h.plan_id = m.plan_id \
             WHERE m.direction = 'round' AND m.status = 'matched' AND m.test = 0",
        from: " AND m.created_at >= ",
        until: " AND m.created_at < ",
        users: " AND m.user_id IN ",
    },
    Source {
        select: "SELECT CASE p.test WHEN 0 THEN 'pushed' ELSE 'test_pushed' END, p.created_at, '', p.user_id, p.channel_id, p.product_id, p.plan_id, p.org_id, COALESCE(u.system, 'other'), \
             1, 0, 0 FROM push_record p LEFT JOIN applicant u ON u.id = p.user_id WHERE 1 = 1",
        from: " AND p.created_at >= ",
        until: " AND p.created_at < ",
        users: " AND p.user_id IN ",
    },
    Source {
        select: "SELECT CASE q.status WHEN 'rejected' THEN 'refused' ELSE q.status END, q.created_at, '', q.user_id, q.channel_id, q.product_id, \
             q.plan_id, q.org_id, COALESCE(u.system, 'other'), 1, 0, 0 FROM push_record q LEFT JOIN applicant u ON u.id = q.user_id \
             WHERE q.status IN ('duplicate', 'failed', 'rejected') AND q.test = 0",
        from: " AND q.created_at >= ",
        until: " AND q.created_at < ",
        users: " AND q.user_id IN ",
    },
    Source {
        select: "SELECT CASE s.test WHEN 0 THEN 'sold' ELSE 'test_sold' END, COALESCE(s.sold_at, 0), '', s.user_id, s.channel_id, s.product_id, s.plan_id, s.org_id, COALESCE(u.system, 'other'), \
             1, COALESCE(k.cost_cents, 0), s.price_cents FROM push_record s LEFT JOIN applicant u ON u.id = s.user_id \
             LEFT JOIN lead_cost k ON k.user_id = s.user_id AND k.push_id = s.id WHERE s.sold_at IS NOT NULL",
        from: " AND COALESCE(s.sold_at, 0) >= ",
        until: " AND COALESCE(s.sold_at, 0) < ",
        users: " AND s.user_id IN ",
    },
    Source {
        select: "SELECT 'returned', COALESCE(b.sold_at, 0), '', b.user_id, b.channel_id, b.product_id, b.plan_id, b.org_id, \
             COALESCE(u.system, 'other'), 1, -COALESCE(k.charged_cents, 0), -b.price_cents FROM push_record b \
             JOIN lead_return r ON r.push_id = b.id AND r.status = 'approved' LEFT JOIN applicant u ON u.id = b.user_id \
             LEFT JOIN lead_cost k ON k.user_id = b.user_id AND k.charged_push_id = b.id WHERE b.sold_at IS NOT NULL AND b.test = 0",
        from: " AND COALESCE(b.sold_at, 0) >= ",
        until: " AND COALESCE(b.sold_at, 0) < ",
        users: " AND b.user_id IN ",
    },
    Source {
        select: "SELECT 'decided', d.reviewed_at, '', h.user_id, h.channel_id, h.product_id, h.plan_id, h.org_id, COALESCE(u.system, 'other'), \
             1, -COALESCE(k.charged_cents, 0), -h.price_cents FROM lead_return d JOIN push_record h ON h.id = d.push_id \
             LEFT JOIN applicant u ON u.id = h.user_id LEFT JOIN lead_cost k ON k.user_id = h.user_id AND k.charged_push_id = h.id \
             WHERE d.status = 'approved' AND h.test = 0",
        from: " AND d.reviewed_at >= ",
        until: " AND d.reviewed_at < ",
        users: " AND h.user_id IN ",
    },
    Source {
        select: "SELECT CASE f.star WHEN 0 THEN 'stars0' WHEN 1 THEN 'stars1' WHEN 2 THEN 'stars2' ELSE 'stars3' END, f.created_at, '', \
             f.user_id, f.channel_id, h.product_id, h.plan_id, f.org_id, u.system, 1, 0, 0 FROM feedback f \
             JOIN applicant u ON u.id = f.user_id LEFT JOIN push_record h ON h.id = f.push_id WHERE f.star IS NOT NULL AND u.test = 0",
        from: " AND f.created_at >= ",
        until: " AND f.created_at < ",
        users: " AND f.user_id IN ",
    },
    Source {
        select: "SELECT t.kind, c.created_at, '', c.user_id, c.channel_id, h.product_id, c.plan_id, c.org_id, u.system, 1, 0, 0 FROM clue c \
             JOIN applicant u ON u.id = c.user_id LEFT JOIN push_record h ON h.id = c.push_id \
             JOIN (SELECT 'contacted' AS kind UNION ALL SELECT 'visited' UNION ALL SELECT 'signed' UNION ALL SELECT 'disbursed') t ON \
               CASE t.kind WHEN 'contacted' THEN c.first_follow_at WHEN 'visited' THEN c.visited_at WHEN 'signed' THEN c.signed_at \
               ELSE c.disbursed_at END IS NOT NULL WHERE c.channel_id IS NOT NULL AND c.test = 0",
        from: " AND c.created_at >= ",
        until: " AND c.created_at < ",
        users: " AND c.user_id IN ",
    },
    Source {
        select: "SELECT 'money', y.paid_at, '', c.user_id, c.channel_id, h.product_id, c.plan_id, c.org_id, u.system, 1, 0, \
             CASE y.type WHEN 'refund' THEN -y.amount_cents ELSE y.amount_cents END FROM money_record y JOIN clue c ON c.id = y.clue_id \
             JOIN applicant u ON u.id = c.user_id LEFT JOIN push_record h ON h.id = c.push_id \
             WHERE y.status = 'confirmed' AND y.deleted_at IS NULL AND c.channel_id IS NOT NULL AND c.test = 0",
        from: " AND y.paid_at >= ",
        until: " AND y.paid_at < ",
        users: " AND c.user_id IN ",
    },
    Source {
        select: "SELECT 'share', g.at, '', g.user_id, g.channel_id, h.product_id, c.plan_id, c.org_id, u.system, 1, g.cents, 0 \
             FROM loan_share g JOIN money_record y ON y.id = g.money_id JOIN clue c ON c.id = y.clue_id JOIN applicant u ON u.id = g.user_id \
             LEFT JOIN push_record h ON h.id = c.push_id WHERE 1 = 1",
        from: " AND g.at >= ",
        until: " AND g.at < ",
        users: " AND g.user_id IN ",
    },
    Source {
        select: "SELECT 'share_back', g.back_at, '', g.user_id, g.channel_id, h.product_id, c.plan_id, c.org_id, u.system, 1, -g.cents, 0 \
             FROM loan_share g JOIN money_record y ON y.id = g.money_id JOIN clue c ON c.id = y.clue_id JOIN applicant u ON u.id = g.user_id \
             LEFT JOIN push_record h ON h.id = c.push_id WHERE g.back_at IS NOT NULL",
        from: " AND g.back_at >= ",
        until: " AND g.back_at < ",
        users: " AND g.user_id IN ",
    },
    Source {
        select: "SELECT 'adjust', i.at, '', CAST(NULL AS BIGINT), i.channel_id, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), \
             'other', 1, i.amount_cents, 0 FROM partner_item i WHERE i.kind = 'adjust'",
        from: " AND i.at >= ",
        until: " AND i.at < ",
        users: "",
    },
];

fn counting(of: &Of<'_>) -> Sql {
    let mut sql = Sql::new(
        "SELECT kind, day, day_no, user_id, channel_id, product_id, plan_id, org_id, system, star, CAST(SUM(number) AS BIGINT) AS number, \
           CAST(SUM(cost_cents) AS BIGINT) AS cost_cents, CAST(SUM(income_cents) AS BIGINT) AS income_cents, \
           CAST(NULL AS BIGINT) AS money_id FROM (SELECT n.kind, n.day, \
           (n.at + 28800000) / 86400000 AS day_no, n.channel_id, n.product_id, n.plan_id, n.org_id, n.system, z.star, n.number, n.cost_cents, \
           n.income_cents, ",
    );
    // By applicant only if some are selected: a day has many.
    sql.push(if matches!(of, Of::Users(_)) { "n.user_id" } else { "CAST(NULL AS BIGINT) AS user_id" }).push(" FROM (");
    let sources = SOURCES.iter().filter(|source| matches!(of, Of::Day { .. }) || !source.users.is_empty());
    for (index, source) in sources.enumerate() {
        sql.push(if index == 0 { "" } else { " UNION ALL " }).push(source.select);
        match of {
            Of::Day { from, .. } => sql.push(source.from).bind(*from).push(source.until).bind(*from + DAY),
            Of::Users(ids) => sql.push(source.users).ids(ids.iter().copied()),
        };
    }
    sql.push(
        " UNION ALL SELECT e.kind, CAST(0 AS BIGINT), e.day, e.user_id, e.channel_id, e.product_id, e.plan_id, e.org_id, e.system, -1, \
           -e.cost_cents, -e.income_cents FROM lead_event e WHERE ",
    );
    match of {
        Of::Day { day, .. } => sql.push("e.day = ").bind((*day).to_owned()),
        Of::Users(ids) => sql.push("e.user_id IN ").ids(ids.iter().copied()),
    };
    sql.push(
        ") n LEFT JOIN lead_star z ON z.user_id = n.user_id) happened \
         GROUP BY kind, day, day_no, user_id, channel_id, product_id, plan_id, org_id, system, star",
    );
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn a_day_and_some_applicants_are_counted_without_the_others() {
        let plans = Plans::open().await;
        for of in [Of::Day { day: "2026-03-01", from: 1 }, Of::Users(&[1, 2])] {
            let plan = plans.of(counting(&of)).await;
            for table in ["a", "m", "h", "u", "p", "q", "s", "k", "b", "r", "d", "f", "c", "y", "g"] {
                assert!(!plan.contains(&format!("SCAN {table} ")) && plan.contains(&format!("SEARCH {table} ")), "{table}: {plan}");
            }
            assert_eq!((plan.contains("SCAN i "), plan.contains("SEARCH i ")), (false, matches!(of, Of::Day { .. })), "{plan}");
        }
    }
}
