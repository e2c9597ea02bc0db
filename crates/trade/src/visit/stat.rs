//! The daily figures: what one row of events adds to them, at every level at which they are kept.

use std::collections::BTreeMap;

use sqlx::Row;

use super::lead::{LeadEvent, LeadKind};
use super::model::{SubjectKind, System};
use super::store::no_rows;
use base::db::{self, Connection, Sql};

macro_rules! figures {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Figures, or an increase of them: each is a column of the same name.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Figures {
            $($(#[$doc])* pub $name: i64,)*
        }

        /// The columns of figures, in the order of [`Figures::each`].
        pub(super) const COLUMNS: &[&str] = &[$(stringify!($name),)*];

        impl Figures {
            pub(super) fn each(&mut self) -> [&mut i64; COLUMNS.len()] {
                [$(&mut self.$name,)*]
            }
        }
    };
}

figures! {
    pv,
    uv,
    test_pv,
    test_uv,
    exposure_pv,
    exposure_uv,
    /// What channels get, less charges for returns, with corrections of their statements.
    cost_cents,
    /// What organisations pay, less refunds.
    income_cents,
    registered,
    applied,
    matched,
    sold,
    /// By the day of the sale.
    returned,
    /// Leads that were offered to organisations.
    pushed,
    /// Offers that were duplicates, failed deliveries, and refusals.
    duplicates,
    failed,
    refused,
    /// Refunds and charges for returns, by the day of the sale.
    refund_cents,
    charged_cents,
    /// Returns and their money, by the day of the decision.
    decided,
    decided_refund_cents,
    decided_charged_cents,
    /// Feedback by number of stars.
    stars_0,
    stars_1,
    stars_2,
    stars_3,
    /// Clues that reached a stage, by the day on which they began.
    contacted,
    visited,
    signed,
    disbursed,
    /// Confirmed money of clues, less refunds.
    money_cents,
    /// Test leads that were offered, and those that test organisations accepted. They are in no figure above.
    test_pushed,
    test_sold,
}

/// Columns of visits, which come first; the others are of applicants.
pub(super) const OF_VISITS: usize = 6;
/// Columns of visits, and of money that includes visits.
const WITH_VISITS: usize = OF_VISITS + 2;

impl Figures {
    pub fn add(&mut self, mut more: Figures) {
        for (figure, more) in self.each().into_iter().zip(more.each()) {
            *figure += *more;
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Figures::default()
    }

    /// The opposite of all figures.
    pub(super) fn negative(mut self) -> Figures {
        for figure in self.each() {
            *figure = -*figure;
        }
        self
    }

    /// The same with returns, and their money, on the day of the decision.
    pub fn by_decision(self) -> Figures {
        Figures {
            returned: self.decided,
            refund_cents: self.decided_refund_cents,
            charged_cents: self.decided_charged_cents,
            income_cents: self.income_cents + self.refund_cents - self.decided_refund_cents,
            cost_cents: self.cost_cents + self.charged_cents - self.decided_charged_cents,
            ..self
        }
    }
}

/// The unique key of a row of `uv_stat_daily`, and with a month instead of the day of `uv_stat_monthly`. Sorted alike
/// on every node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatKey {
    pub day: String,
    pub kind: SubjectKind,
    /// 0 for all channels and for all organisations.
    pub subject_id: i64,
    /// 0 for all.
    pub channel_id: i64,
    /// None for all.
    pub system: Option<System>,
}

/// The events of one subject, channel and system on a day.
#[derive(Clone, Copy, Debug)]
pub struct Group<'d> {
    pub day: &'d str,
    pub kind: SubjectKind,
    pub subject_id: i64,
    pub channel_id: i64,
    pub system: System,
    pub org_id: i64,
}

/// The unique key of a row of `star_stat_daily`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StarKey {
    pub day: String,
    /// [`UNRATED`] for applicants without stars.
    pub star: i64,
    /// 0 for all.
    pub channel_id: i64,
    /// 0 for all.
    pub org_id: i64,
}

/// The stars of applicants without a rating.
pub const UNRATED: i64 = -1;

/// Figures by their keys.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Each with the organisation that the subject belongs to.
    pub rows: BTreeMap<StatKey, (i64, Figures)>,
    pub stars: BTreeMap<StarKey, Figures>,
}

impl Stats {
    /// Adds the visits of a group. The income from a product's visitors is also their channel's and its
    /// organisation's.
    pub fn visits(&mut self, group: Group<'_>, pv: i64, uv: i64, charge_cents: i64, test: bool) {
        let counted = match test {
            true => Figures { test_pv: pv, test_uv: uv, ..Figures::default() },
            false => Figures { pv, uv, ..Figures::default() },
        };
        let charge_cents = if test { 0 } else { charge_cents };
        self.add(
            group,
            &match group.kind {
                SubjectKind::Channel => Figures { cost_cents: charge_cents, ..counted },
                SubjectKind::Product => Figures { income_cents: charge_cents, ..counted },
                _ => counted,
            },
        );
        if group.kind == SubjectKind::Product && group.channel_id != 0 {
            let channel = Group { kind: SubjectKind::Channel, subject_id: group.channel_id, channel_id: 0, org_id: 0, ..group };
            self.add(channel, &Figures { income_cents: charge_cents, ..Figures::default() });
        }
        if group.kind == SubjectKind::Product && group.org_id != 0 {
            let org = Group { kind: SubjectKind::Org, subject_id: group.org_id, ..group };
            self.add(org, &Figures { income_cents: charge_cents, ..Figures::default() });
        }
    }

    /// Adds exposures of a plan or a product, which are also its organisation's; but those of a plan with a product
    /// are the plan's alone, since the product that it showed is counted itself.
    pub fn exposures(&mut self, shown: Group<'_>, has_product: bool, pv: i64, uv: i64) {
        let figures = Figures { exposure_pv: pv, exposure_uv: uv, ..Figures::default() };
        self.add(shown, &figures);
        if shown.org_id != 0 && !has_product {
            self.add(Group { kind: SubjectKind::Org, subject_id: shown.org_id, ..shown }, &figures);
        }
    }

    /// Adds the results of applicants of a channel with this many stars; results with a plan also count for its
    /// product and its organisation.
    pub fn leads(&mut self, day: &str, lead: &LeadEvent, number: i64, star: i64) {
        let figures = lead.figures(number);
        if lead.kind != LeadKind::Adjust {
            self.stars(day, lead, &figures, star);
        }
        let channel = Group { day, kind: SubjectKind::Channel, subject_id: lead.channel_id, channel_id: 0, system: lead.system, org_id: 0 };
        self.add(channel, &figures);
        let buyer = Group { channel_id: lead.channel_id, org_id: lead.org_id.unwrap_or_default(), ..channel };
        // The cost belongs to the channel alone.
        let figures = Figures { cost_cents: 0, charged_cents: 0, decided_charged_cents: 0, ..figures };
        for (kind, id) in [(SubjectKind::Plan, lead.plan_id), (SubjectKind::Product, lead.product_id), (SubjectKind::Org, lead.org_id)] {
            if let Some(subject_id) = id {
                self.add(Group { kind, subject_id, ..buyer }, &figures);
            }
        }
    }

    /// Adds the results of applicants to the rows of their stars.
    pub fn stars(&mut self, day: &str, lead: &LeadEvent, figures: &Figures, star: i64) {
        // The cost belongs to the channel alone.
        let organisations = [
            Some((0, *figures)),
            lead.org_id.map(|id| (id, Figures { cost_cents: 0, charged_cents: 0, decided_charged_cents: 0, ..*figures })),
        ];
        for (org_id, figures) in organisations.into_iter().flatten().filter(|(_, figures)| !figures.is_zero()) {
            for channel_id in [0, lead.channel_id] {
                self.stars.entry(StarKey { day: day.to_owned(), star, channel_id, org_id }).or_default().add(figures);
            }
        }
    }

    /// Copies what cannot be counted any more once the visits of a day are deleted: visits and exposures, and cost
    /// and income, which include visits.
    pub fn keep_visits(&mut self, stored: &Stats) {
        for (key, (org_id, kept)) in &stored.rows {
            let (org, figures) = self.rows.entry(key.clone()).or_default();
            *org = (*org).max(*org_id);
            let mut kept = *kept;
            for (figure, kept) in figures.each().into_iter().zip(kept.each()).take(WITH_VISITS) {
                *figure = *kept;
            }
        }
        self.sum_all();
    }

    /// Recomputes the rows of all channels and of all organisations from the single ones.
    fn sum_all(&mut self) {
        let mut all: BTreeMap<StatKey, (i64, Figures)> = BTreeMap::new();
        for (key, (_, figures)) in &self.rows {
            if let Some(kind) = key.kind.all() {
                all.entry(StatKey { kind, subject_id: 0, ..key.clone() }).or_default().1.add(*figures);
            }
        }
        self.rows.retain(|key, _| !matches!(key.kind, SubjectKind::AllChannels | SubjectKind::AllOrgs));
        self.rows.extend(all);
    }

    /// Removes rows in which all figures are zero.
    pub(super) fn drop_zeros(&mut self) {
        self.rows.retain(|_, (_, figures)| !figures.is_zero());
        self.stars.retain(|_, figures| !figures.is_zero());
    }

    /// Adds figures of one group to the rows that hold them.
    pub fn add(&mut self, group: Group<'_>, figures: &Figures) {
        if figures.is_zero() {
            return;
        }
        let channels = if group.channel_id == 0 { &[0][..] } else { &[group.channel_id, 0] };
        // All channels, and all organisations, have one row, too: lists of systems and of days read it.
        let all = group.kind.all().map(|all| (all, 0, 0));
        for (kind, subject_id, org) in std::iter::once((group.kind, group.subject_id, group.org_id)).chain(all) {
            for channel_id in channels {
                for system in [Some(group.system), None] {
                    let key = StatKey { day: group.day.to_owned(), kind, subject_id, channel_id: *channel_id, system };
                    let (org_id, held) = self.rows.entry(key).or_default();
                    *org_id = (*org_id).max(org);
                    held.add(*figures);
                }
            }
        }
    }

    /// Adds these figures to the stored ones of their days and months.
    pub async fn write(&self, tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
        self.upsert(tx, Table::DAILY, now).await?;
        self.write_months(tx, now).await
    }

    /// Replaces the stored figures of their days.
    pub async fn replace(&self, tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
        self.upsert(tx, Table { adds: false, ..Table::DAILY }, now).await
    }

    async fn write_months(&self, tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
        let month = |day: &str| day.get(..7).unwrap_or(day).to_owned();
        let mut months = Stats::default();
        for (key, (org_id, figures)) in &self.rows {
            let (org, held) = months.rows.entry(StatKey { day: month(&key.day), ..key.clone() }).or_default();
            *org = (*org).max(*org_id);
            held.add(*figures);
        }
        for (key, figures) in &self.stars {
            months.stars.entry(StarKey { day: month(&key.day), ..key.clone() }).or_default().add(*figures);
        }
        months.drop_zeros();
        months.upsert(tx, Table::MONTHLY, now).await
    }

    /// Recomputes the figures of a month (`YYYY-MM`) as the sums of its days.
    pub async fn sum_month(tx: &mut Connection, month: &str, now: i64) -> Result<(), sqlx::Error> {
        let days = [format!("{month}-01"), format!("{month}-31")];
        for (table, from, keys, columns) in [
            (Table::MONTHLY.subjects, Table::DAILY.subjects, "subject_type, subject_id, channel_id, system", COLUMNS),
            (Table::MONTHLY.stars, Table::DAILY.stars, "star, channel_id, org_id", &COLUMNS[OF_VISITS..]),
        ] {
            let mut sql = Sql::new("DELETE FROM ");
            sql.push(table).push(" WHERE month = ").bind(month.to_owned());
            sql.execute(&mut *tx).await?;
            let has_org = columns.len() == COLUMNS.len();
            let mut sql = Sql::new("INSERT INTO ");
            sql.push(table).push(" (month, computed_at, ").push(keys).push(if has_org { ", org_id" } else { "" });
            for column in columns {
                sql.push(", ").push(column);
            }
            sql.push(") SELECT ").bind(month.to_owned()).then(now).push(", ").push(keys).push(if has_org { ", MAX(org_id)" } else { "" });
            for column in columns {
                sql.push(", CAST(SUM(").push(column).push(") AS BIGINT)");
            }
            sql.push(" FROM ").push(from).push(" WHERE day >= ").bind(days[0].clone()).push(" AND day <= ").bind(days[1].clone());
            sql.push(" GROUP BY ").push(keys);
            sql.execute(&mut *tx).await?;
        }
        Ok(())
    }

    async fn upsert(&self, tx: &mut Connection, table: Table, now: i64) -> Result<(), sqlx::Error> {
        let rows: Vec<_> = self.rows.iter().collect();
        for some in db::pieces(&rows) {
            let mut sql = Sql::new("INSERT INTO ");
            sql.push(table.subjects)
                .push(" AS t (")
                .push(table.time)
                .push(", subject_type, subject_id, channel_id, system, org_id, computed_at");
            for column in COLUMNS {
                sql.push(", ").push(column);
            }
            sql.push(") VALUES ");
            for (index, (key, (org_id, figures))) in some.iter().enumerate() {
                sql.push(if index == 0 { "(" } else { ", (" }).bind(key.day.clone());
                sql.then(<&str>::from(key.kind)).then(key.subject_id).then(key.channel_id);
                sql.then(key.system.map_or("", <&str>::from)).then(*org_id).then(now);
                let mut figures = *figures;
                for figure in figures.each() {
                    sql.then(*figure);
                }
                sql.push(")");
            }
            sql.push(" ON CONFLICT (").push(table.time).push(", subject_type, subject_id, channel_id, system) DO UPDATE SET ");
            sql.push("computed_at = excluded.computed_at, org_id = ");
            sql.push(match table.adds {
                true => "CASE WHEN excluded.org_id > t.org_id THEN excluded.org_id ELSE t.org_id END",
                false => "excluded.org_id",
            });
            assign(&mut sql, COLUMNS, table.adds);
            sql.execute(&mut *tx).await?;
        }
        let rows: Vec<_> = self.stars.iter().collect();
        let columns = &COLUMNS[OF_VISITS..];
        for some in db::pieces(&rows) {
            let mut sql = Sql::new("INSERT INTO ");
            sql.push(table.stars).push(" AS t (").push(table.time).push(", star, channel_id, org_id, computed_at");
            for column in columns {
                sql.push(", ").push(column);
            }
            sql.push(") VALUES ");
            for (index, (key, figures)) in some.iter().enumerate() {
                sql.push(if index == 0 { "(" } else { ", (" }).bind(key.day.clone());
                sql.then(key.star).then(key.channel_id).then(key.org_id).then(now);
                let mut figures = **figures;
                for figure in figures.each().into_iter().skip(OF_VISITS) {
                    sql.then(*figure);
                }
                sql.push(")");
            }
            sql.push(" ON CONFLICT (")
                .push(table.time)
                .push(", star, channel_id, org_id) DO UPDATE SET computed_at = excluded.computed_at");
            assign(&mut sql, columns, table.adds);
            sql.execute(&mut *tx).await?;
        }
        Ok(())
    }

    /// The stored figures of a day.
    pub async fn of_day(tx: &mut Connection, day: &str) -> Result<Stats, sqlx::Error> {
        let mut stats = Stats::default();
        let mut sql = Sql::new("SELECT subject_type, subject_id, channel_id, system, org_id");
        for column in COLUMNS {
            sql.push(", ").push(column);
        }
        sql.push(" FROM uv_stat_daily WHERE day = ").bind(day.to_owned());
        for row in sql.fetch_all(&mut *tx).await? {
            let system = match row.try_get::<&str, _>("system")? {
                "" => None,
                _ => Some(db::code(&row, "system")?),
            };
            let key = StatKey {
                day: day.to_owned(),
                kind: db::code(&row, "subject_type")?,
                subject_id: row.try_get("subject_id")?,
                channel_id: row.try_get("channel_id")?,
                system,
            };
            let mut figures = Figures::default();
            for (figure, column) in figures.each().into_iter().zip(COLUMNS) {
                *figure = row.try_get(*column)?;
            }
            stats.rows.insert(key, (row.try_get("org_id")?, figures));
        }
        let columns = &COLUMNS[OF_VISITS..];
        let mut sql = Sql::new("SELECT star, channel_id, org_id");
        for column in columns {
            sql.push(", ").push(column);
        }
        sql.push(" FROM star_stat_daily WHERE day = ").bind(day.to_owned());
        for row in sql.fetch_all(tx).await? {
            let key = StarKey {
                day: day.to_owned(),
                star: row.try_get("star")?,
                channel_id: row.try_get("channel_id")?,
                org_id: row.try_get("org_id")?,
            };
            let mut figures = Figures::default();
            for (figure, column) in figures.each().into_iter().skip(OF_VISITS).zip(columns) {
                *figure = row.try_get(*column)?;
            }
            stats.stars.insert(key, figures);
        }
        Ok(stats)
    }

    /// Removes a stored row.
    pub async fn remove(tx: &mut Connection, key: &StatKey) -> Result<(), sqlx::Error> {
        sqlx::query(
            "DELETE FROM uv_stat_daily WHERE day = $1 AND subject_type = $2 AND subject_id = $3 AND channel_id = $4 AND system = $5",
        )
        .bind(&key.day)
        .bind(<&str>::from(key.kind))
        .bind(key.subject_id)
        .bind(key.channel_id)
        .bind(key.system.map_or("", <&str>::from))
        .execute(tx)
        .await
        .map(no_rows)
    }

    /// Removes a stored row of stars.
    pub async fn remove_star(tx: &mut Connection, key: &StarKey) -> Result<(), sqlx::Error> {
        sqlx::query("DELETE FROM star_stat_daily WHERE day = $1 AND star = $2 AND channel_id = $3 AND org_id = $4")
            .bind(&key.day)
            .bind(key.star)
            .bind(key.channel_id)
            .bind(key.org_id)
            .execute(tx)
            .await
            .map(no_rows)
    }
}

/// A table of figures.
#[derive(Clone, Copy)]
struct Table {
    subjects: &'static str,
    stars: &'static str,
    /// The column of the day or the month.
    time: &'static str,
    /// Whether figures are added to the stored ones or replace them.
    adds: bool,
}

impl Table {
    const DAILY: Table = Table { subjects: "uv_stat_daily", stars: "star_stat_daily", time: "day", adds: true };
    const MONTHLY: Table = Table { subjects: "uv_stat_monthly", stars: "star_stat_monthly", time: "month", adds: true };
}

/// Sets columns to the inserted values, or adds these.
fn assign(sql: &mut Sql, columns: &[&'static str], adds: bool) {
    for column in columns {
        sql.push(", ").push(column).push(" = ");
        if adds {
            sql.push("t.").push(column).push(" + ");
        }
        sql.push("excluded.").push(column);
    }
}
