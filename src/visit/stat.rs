//! The daily figures: what one row of events adds to them, at every grain at which they are kept.

use std::collections::BTreeMap;

use sqlx::Row;

use super::lead::LeadEvent;
use super::model::{SubjectKind, System};
use super::store::no_rows;
use crate::db::{self, Connection, Sql};

/// Figures, or what is added to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub pv: i64,
    pub uv: i64,
    pub test_pv: i64,
    pub test_uv: i64,
    pub exposure_pv: i64,
    pub exposure_uv: i64,
    pub cost_cents: i64,
    pub income_cents: i64,
    pub registered: i64,
    pub applied: i64,
    pub matched: i64,
    pub sold: i64,
    pub returned: i64,
}

/// The columns of figures, in the order of [`Figures::each`].
pub(super) const COLUMNS: [&str; 13] = [
    "pv",
    "uv",
    "test_pv",
    "test_uv",
    "exposure_pv",
    "exposure_uv",
    "cost_cents",
    "income_cents",
    "registered",
    "applied",
    "matched",
    "sold",
    "returned",
];

impl Figures {
    pub(super) fn each(&mut self) -> [&mut i64; COLUMNS.len()] {
        [
            &mut self.pv,
            &mut self.uv,
            &mut self.test_pv,
            &mut self.test_uv,
            &mut self.exposure_pv,
            &mut self.exposure_uv,
            &mut self.cost_cents,
            &mut self.income_cents,
            &mut self.registered,
            &mut self.applied,
            &mut self.matched,
            &mut self.sold,
            &mut self.returned,
        ]
    }

    pub fn add(&mut self, mut more: Figures) {
        for (figure, more) in self.each().into_iter().zip(more.each()) {
            *figure += *more;
        }
    }

    fn is_zero(&self) -> bool {
        *self == Figures::default()
    }
}

/// What makes a row of `uv_stat_daily` the only one. Sorted alike on every node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatKey {
    pub day: String,
    pub kind: SubjectKind,
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

/// Figures by their keys, each with the organisation that the subject belongs to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Stats(pub BTreeMap<StatKey, (i64, Figures)>);

impl Stats {
    /// Adds what visits of a group have brought. What a product's visitors bring is
    /// their channel's and its organisation's income too.
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
                SubjectKind::Match | SubjectKind::Org | SubjectKind::Plan => counted,
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

    /// Adds exposures of a plan, which are its product's and its organisation's too.
    pub fn exposures(&mut self, plan: Group<'_>, product_id: Option<i64>, pv: i64, uv: i64) {
        let figures = Figures { exposure_pv: pv, exposure_uv: uv, ..Figures::default() };
        self.add(plan, &figures);
        if let Some(product_id) = product_id {
            self.add(Group { kind: SubjectKind::Product, subject_id: product_id, ..plan }, &figures);
        }
        if plan.org_id != 0 {
            self.add(Group { kind: SubjectKind::Org, subject_id: plan.org_id, ..plan }, &figures);
        }
    }

    /// Adds what became of applicants of a channel; what became of them with a plan is its, its
    /// product's and its organisation's too.
    pub fn leads(&mut self, day: &str, lead: &LeadEvent, number: i64) {
        let figures = lead.figures(number);
        let channel = Group { day, kind: SubjectKind::Channel, subject_id: lead.channel_id, channel_id: 0, system: lead.system, org_id: 0 };
        self.add(channel, &figures);
        let buyer = Group { channel_id: lead.channel_id, org_id: lead.org_id.unwrap_or_default(), ..channel };
        // What channels get is theirs alone.
        let figures = Figures { cost_cents: 0, ..figures };
        for (kind, id) in [(SubjectKind::Plan, lead.plan_id), (SubjectKind::Product, lead.product_id), (SubjectKind::Org, lead.org_id)] {
            if let Some(subject_id) = id {
                self.add(Group { kind, subject_id, ..buyer }, &figures);
            }
        }
    }

    /// Adds figures of one group to the rows that hold them.
    pub fn add(&mut self, group: Group<'_>, figures: &Figures) {
        if figures.is_zero() {
            return;
        }
        let channels = if group.channel_id == 0 { &[0][..] } else { &[group.channel_id, 0] };
        for channel_id in channels {
            for system in [Some(group.system), None] {
                let key =
                    StatKey { day: group.day.to_owned(), kind: group.kind, subject_id: group.subject_id, channel_id: *channel_id, system };
                let (org_id, held) = self.0.entry(key).or_default();
                *org_id = (*org_id).max(group.org_id);
                held.add(*figures);
            }
        }
    }

    /// Adds these figures to the stored ones.
    pub async fn write(&self, tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
        self.upsert(tx, now, true).await
    }

    /// Puts these figures in the place of the stored ones.
    pub async fn replace(&self, tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
        self.upsert(tx, now, false).await
    }

    async fn upsert(&self, tx: &mut Connection, now: i64, adds: bool) -> Result<(), sqlx::Error> {
        let rows: Vec<_> = self.0.iter().collect();
        for some in db::pieces(&rows) {
            let mut sql = Sql::new("INSERT INTO uv_stat_daily (day, subject_type, subject_id, channel_id, system, org_id, computed_at");
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
            sql.push(" ON CONFLICT (day, subject_type, subject_id, channel_id, system) DO UPDATE SET computed_at = excluded.computed_at, org_id = ");
            sql.push(match adds {
                true => "CASE WHEN excluded.org_id > uv_stat_daily.org_id THEN excluded.org_id ELSE uv_stat_daily.org_id END",
                false => "excluded.org_id",
            });
            for column in COLUMNS {
                sql.push(", ").push(column).push(" = ");
                if adds {
                    sql.push("uv_stat_daily.").push(column).push(" + ");
                }
                sql.push("excluded.").push(column);
            }
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
        for row in sql.fetch_all(tx).await? {
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
                *figure = row.try_get(column)?;
            }
            stats.0.insert(key, (row.try_get("org_id")?, figures));
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
}
