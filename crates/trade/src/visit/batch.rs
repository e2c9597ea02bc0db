//! Events of a moment, merged: one row for a visitor, subject, channel and day.
//!
//! Merging must not change the result: whether events are written one by one or all at once, the rows are the same.
//! So a row stores the first and the last event in the order of arrival, and the check for a repetition is made again
//! where two batches meet.

use std::collections::BTreeMap;

use super::model::{Exposure, Seen, Source, Subject, SubjectKind, System, Visit};
use super::store;
use base::clock;
use base::db::Connection;

/// Views of one visitor within this many milliseconds are one: pages fire twice.
pub const REPEATED: i64 = 1000;

/// The unique key of a row of `uv_event`. Sorted alike on every node.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VisitKey {
    pub day: String,
    pub kind: SubjectKind,
    pub subject_id: i64,
    pub channel_id: i64,
    pub visitor: String,
}

impl VisitKey {
    pub fn subject(&self) -> Subject {
        Subject { kind: self.kind, id: self.subject_id }
    }
}

/// Views of one visitor, merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visits {
    pub pv: i64,
    /// Times of the first and the last that arrived.
    pub first_at: i64,
    pub last_at: i64,
    pub system: System,
    pub org_id: i64,
    pub charge_cents: i64,
    pub test: bool,
    pub source: Option<Source>,
}

/// The unique key of a row of `plan_exposure`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExposureKey {
    pub day: String,
    pub plan_id: i64,
    pub visitor: String,
}

/// Exposures of one plan, or of one product, to one visitor, merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposures {
    /// How often it was shown; 0 if it was only chosen.
    pub shown: i64,
    /// The first that arrived, of either kind.
    pub first: Exposure,
    /// When it was shown first and last, in the order of arrival; none if it was only chosen.
    pub shown_at: Option<(i64, i64)>,
    pub clicked_at: Option<i64>,
}

/// Events that are written together.
#[derive(Debug, Default)]
pub struct Batch {
    pub visits: BTreeMap<VisitKey, Visits>,
    pub exposures: BTreeMap<ExposureKey, Exposures>,
    /// Products that were shown, once for each channel, as visits are: no product has more visitors than exposures.
    pub products: BTreeMap<VisitKey, Exposures>,
}

impl Batch {
    /// Writes what was merged: rows and figures, in this transaction.
    pub async fn write(&self, tx: &mut Connection, now: i64) -> Result<(), sqlx::Error> {
        store::write(tx, self, now).await
    }

    /// Merges one more event.
    pub fn add(&mut self, seen: &Seen) {
        match seen {
            Seen::Visit(visit) => self.add_visit(visit),
            Seen::Exposure(exposure) => self.add_exposure(exposure),
        }
    }

    fn add_visit(&mut self, visit: &Visit) {
        let key = VisitKey {
            day: day_of(visit.at),
            kind: visit.subject.kind,
            subject_id: visit.subject.id,
            channel_id: visit.channel_id,
            visitor: visit.visitor.clone(),
        };
        match self.visits.get_mut(&key) {
            Some(merged) => {
                merged.pv += i64::from(!is_repetition(visit.at, merged.last_at));
                merged.last_at = visit.at;
            }
            None => {
                let merged = Visits {
                    pv: 1,
                    first_at: visit.at,
                    last_at: visit.at,
                    system: visit.system,
                    org_id: visit.org_id,
                    charge_cents: visit.charge_cents,
                    test: visit.test,
                    source: visit.source.clone(),
                };
                self.visits.insert(key, merged);
            }
        }
    }

    fn add_exposure(&mut self, exposure: &Exposure) {
        let (day, visitor) = (day_of(exposure.at), exposure.visitor.clone());
        if let Some(plan_id) = exposure.plan_id {
            let key = ExposureKey { day: day.clone(), plan_id, visitor: visitor.clone() };
            self.exposures.entry(key).or_insert_with(|| Exposures::none(exposure)).add(exposure);
        }
        if let Some(subject_id) = exposure.product_id {
            let key = VisitKey { day, kind: SubjectKind::ProductShown, subject_id, channel_id: exposure.channel_id, visitor };
            self.products.entry(key).or_insert_with(|| Exposures::none(exposure)).add(exposure);
        }
    }
}

impl Exposures {
    fn none(first: &Exposure) -> Exposures {
        Exposures { shown: 0, first: first.clone(), shown_at: None, clicked_at: None }
    }

    fn add(&mut self, exposure: &Exposure) {
        if exposure.clicked {
            self.clicked_at = self.clicked_at.or(Some(exposure.at));
            return;
        }
        let (first, repeated) = match self.shown_at {
            Some((first, last)) => (first, is_repetition(exposure.at, last)),
            None => (exposure.at, false),
        };
        self.shown += i64::from(!repeated);
        self.shown_at = Some((first, exposure.at));
    }
}

fn is_repetition(at: i64, last_at: i64) -> bool {
    (at - last_at).abs() < REPEATED
}

/// The day that an event counts for.
pub fn day_of(at: i64) -> String {
    clock::day(at).to_string()
}
