//! The first steps of an installation, for the workplace: what has to be there before the first lead is sold. The areas
//! add their steps with the conditions of SQL that say how far each is; all are read in one statement, and none is read
//! after the last step was seen done.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use sqlx::Row;
use strum::FromRepr;

use super::Result;
use super::ctx::Ctx;
use crate::access::{Scope, Viewer};
use crate::setting::MESSAGE_FIRST_STEPS;
use base::db::Sql;
use base::say::Say;

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRepr, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
#[repr(i64)]
pub enum FirstStepState {
    Open,
    /// Something is there, but it is not enough.
    Begun,
    Done,
}

/// A step as the workplace shows it, in the viewer's language.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FirstStep {
    pub title: String,
    pub state: FirstStepState,
    /// What is to be done; empty if it is done.
    pub note: String,
    /// Where it is done, for viewers who may do it.
    pub href: Option<&'static str>,
}

/// A step of an area. Its conditions contain no input of users.
pub struct Step {
    /// The point of those who do it.
    pub point: &'static str,
    pub href: &'static str,
    pub title: Say,
    /// What is to be done while nothing is there, and once something is.
    pub open: Say,
    pub begun: Say,
    /// Conditions of SQL: something is there; it is done.
    pub has_begun: &'static str,
    pub is_done: &'static str,
}

/// Whether this process has seen the last step done. What was sold stays sold, so it is not read again.
#[derive(Default)]
struct Finished(AtomicBool);

/// The steps, in the order in which they were added.
pub struct FirstSteps<'c> {
    cx: &'c Ctx,
    viewer: &'c Viewer,
    steps: Vec<Step>,
}

impl<'c> FirstSteps<'c> {
    pub fn new(cx: &'c Ctx) -> Result<FirstSteps<'c>> {
        Ok(FirstSteps { cx, viewer: cx.viewer()?, steps: Vec::new() })
    }

    pub fn add(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// The steps, for viewers who see everything and may do one of them; none once the last step is done, and if they are
    /// switched off.
    pub async fn read(self) -> Result<Vec<FirstStep>> {
        let finished = self.cx.app.service::<Finished>();
        let may = |step: &Step| self.viewer.has(step.point);
        if finished.0.load(Ordering::Relaxed)
            || self.viewer.scope() != Scope::All
            || !self.steps.iter().any(may)
            || !self.cx.setting(&MESSAGE_FIRST_STEPS).await?
        {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new("SELECT ");
        for (place, step) in self.steps.iter().enumerate() {
            sql.push(if place == 0 { "CAST(CASE WHEN " } else { ", CAST(CASE WHEN " }).push(step.is_done);
            sql.push(" THEN 2 WHEN ").push(step.has_begun).push(" THEN 1 ELSE 0 END AS BIGINT)");
        }
        let Some(row) = sql.fetch_optional(self.cx.db().read()).await? else { return Ok(Vec::new()) };
        let state = |place| Ok(FirstStepState::from_repr(row.try_get(place)?).unwrap_or(FirstStepState::Open));
        let states = (0..self.steps.len()).map(state).collect::<std::result::Result<Vec<_>, sqlx::Error>>()?;
        if states.last() == Some(&FirstStepState::Done) {
            finished.0.store(true, Ordering::Relaxed);
            return Ok(Vec::new());
        }
        let locale = self.cx.locale;
        let shown = |(step, state): (&Step, FirstStepState)| FirstStep {
            title: step.title.get(locale).to_owned(),
            state,
            note: match state {
                FirstStepState::Open => step.open.get(locale).to_owned(),
                FirstStepState::Begun => step.begun.get(locale).to_owned(),
                FirstStepState::Done => String::new(),
            },
            href: may(step).then_some(step.href),
        };
        Ok(self.steps.iter().zip(states).map(shown).collect())
    }
}
