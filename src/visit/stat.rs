//! The daily figures: what one row of events adds to them, at every grain at which they are kept.

use std::collections::BTreeMap;

use sqlx::Row;

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
}

impl Figures {
    fn add(&mut self, more: &Figures) {
        self.pv += more.pv;
        self.uv += more.uv;
        self.test_pv += more.test_pv;
        self.test_uv += more.test_uv;
        self.exposure_pv += more.exposure_pv;
        self.exposure_uv += more.exposure_uv;
        self.cost_cents += more.cost_cents;
        self.income_cents += more.income_cents;
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
                held.add(figures);
            }
        }
    }

    /// Adds these figures to the stored ones.
    pub async fn write(&self, tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
        self.upsert(
            tx,
            now,
            " ON CONFLICT (day, subject_type, subject_id, channel_id, system) DO UPDATE SET \
             org_id = CASE WHEN excluded.org_id > uv_stat_daily.org_id THEN excluded.org_id ELSE uv_stat_daily.org_id END, \
             pv = uv_stat_daily.pv + excluded.pv, uv = uv_stat_daily.uv + excluded.uv, \
             test_pv = uv_stat_daily.test_pv + excluded.test_pv, test_uv = uv_stat_daily.test_uv + excluded.test_uv, \
             exposure_pv = uv_stat_daily.exposure_pv + excluded.exposure_pv, exposure_uv = uv_stat_daily.exposure_uv + excluded.exposure_uv, \
             cost_cents = uv_stat_daily.cost_cents + excluded.cost_cents, \
             income_cents = uv_stat_daily.income_cents + excluded.income_cents, computed_at = excluded.computed_at",
        )
        .await
    }

    /// Puts these figures in the place of the stored ones.
    pub async fn replace(&self, tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
        self.upsert(
            tx,
            now,
            " ON CONFLICT (day, subject_type, subject_id, channel_id, system) DO UPDATE SET org_id = excluded.org_id, \
             pv = excluded.pv, uv = excluded.uv, test_pv = excluded.test_pv, test_uv = excluded.test_uv, \
             exposure_pv = excluded.exposure_pv, exposure_uv = excluded.exposure_uv, cost_cents = excluded.cost_cents, \
             income_cents = excluded.income_cents, computed_at = excluded.computed_at",
        )
        .await
    }

    async fn upsert(&self, tx: &mut Connection, now: i64, conflict: &'static str) -> Result<(), sqlx::Error> {
        let rows: Vec<_> = self.0.iter().collect();
        for some in db::pieces(&rows) {
            let mut sql = Sql::new(
                "INSERT INTO uv_stat_daily (day, subject_type, subject_id, channel_id, system, org_id, pv, uv, test_pv, test_uv, \
                 exposure_pv, exposure_uv, cost_cents, income_cents, computed_at) VALUES ",
            );
            for (index, (key, (org_id, figures))) in some.iter().enumerate() {
                sql.push(if index == 0 { "(" } else { ", (" }).bind(key.day.clone());
                sql.push(", ").bind(<&str>::from(key.kind)).push(", ").bind(key.subject_id).push(", ").bind(key.channel_id);
                sql.push(", ").bind(key.system.map_or("", <&str>::from)).push(", ").bind(*org_id);
                for figure in [
                    figures.pv,
                    figures.uv,
                    figures.test_pv,
                    figures.test_uv,
                    figures.exposure_pv,
                    figures.exposure_uv,
                    figures.cost_cents,
                    figures.income_cents,
                    now,
                ] {
                    sql.push(", ").bind(figure);
                }
                sql.push(")");
            }
            sql.push(conflict);
            sql.execute(&mut *tx).await?;
        }
        Ok(())
    }

    /// The stored figures of a day.
    pub async fn of_day(tx: &mut Connection, day: &str) -> Result<Stats, sqlx::Error> {
        let mut stats = Stats::default();
        let rows = sqlx::query(
            "SELECT subject_type, subject_id, channel_id, system, org_id, pv, uv, test_pv, test_uv, exposure_pv, exposure_uv, \
             cost_cents, income_cents FROM uv_stat_daily WHERE day = $1",
        )
        .bind(day)
        .fetch_all(tx)
        .await?;
        for row in rows {
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
            let figures = Figures {
                pv: row.try_get("pv")?,
                uv: row.try_get("uv")?,
                test_pv: row.try_get("test_pv")?,
                test_uv: row.try_get("test_uv")?,
                exposure_pv: row.try_get("exposure_pv")?,
                exposure_uv: row.try_get("exposure_uv")?,
                cost_cents: row.try_get("cost_cents")?,
                income_cents: row.try_get("income_cents")?,
            };
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
