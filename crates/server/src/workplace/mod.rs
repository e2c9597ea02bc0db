//! The workplace: the viewer's work of today. It is built from the parts of the areas, each only for viewers who may
//! see it there.

use std::sync::Arc;

use serde::Serialize;

use admin::{self, AuditRow, LoginRow};
use base::clock;
use frame::api::first_steps::{FirstStep, FirstSteps};
use frame::api::open_work::{OpenWork, Unusual, Work, WorkQueue};
use frame::api::{Access, Calls, Ctx, Nothing, Result};
use frame::message::{self, MessageRow};
use frame::sms;
use lead::{applicant, feedback, push};
use stats::{self, TodayFigure};
use trade::finance::{receipt, recharge};
use trade::org::{self, payee};
use trade::{agreement, channel, finance, partner, plan, project, user};

use crate::monitor;

/// Most entries of a list on the workplace.
const MOST: i64 = 6;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new().get("/workplace", Access::SignedIn, today)
}

/// The viewer's day.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Workplace {
    /// Epoch milliseconds.
    pub at: i64,
    /// The Shanghai day, `YYYY-MM-DD`.
    pub day: String,
    /// 1 is Monday.
    pub weekday: i8,
    /// Of Shanghai's clock, for the greeting.
    pub hour: i8,
    /// What has to be done before the first lead is sold, for those who may do it; empty after that.
    pub first_steps: Vec<FirstStep>,
    /// The viewer's todos, newest first.
    pub todos: Vec<MessageRow>,
    /// The customers in the queue, for a viewer who answers customers and is offline.
    pub queued_while_offline: Option<i64>,
    /// The viewer's open work: queues with overdue rows first, and then by their oldest row.
    pub queues: Vec<WorkQueue>,
    /// What is not as it should be, each line with the page that shows it.
    pub unusual: Vec<Unusual>,
    /// Today until now compared with yesterday until the same time, for viewers who may see statistics.
    pub business: Vec<TodayFigure>,
    /// Recent changes, for viewers who may see the audit trail.
    pub operations: Option<Vec<AuditRow>>,
    /// Sign-ins and attempts under the viewer's own name.
    pub sign_ins: Vec<LoginRow>,
}

async fn today(cx: Arc<Ctx>, _: Nothing) -> Result<Workplace> {
    let mut work = OpenWork::new(&cx)?;
    receipt::open_work(&mut work);
    org::open_work(&mut work);
    payee::open_work(&mut work);
    finance::open_work(&mut work);
    partner::open_work(&mut work);
    pay::open_work(&mut work);
    plan::open_work(&mut work);
    push::open_work(&mut work);
    feedback::open_work(&mut work);
    crm::open_work(&mut work);
    project::open_work(&mut work);
    sms::open_work(&mut work);
    let is_offline = chat::open_work(&cx, &mut work).await?;
    finance::unusual(&mut work);
    plan::unusual(&mut work);
    user::unusual(&cx, &mut work).await?;
    let Work { queues, mut unusual } = work.read().await?;
    unusual.extend(monitor::unusual(&cx).await?);
    let queued = queues.iter().find(|queue| queue.href == chat::QUEUED).map(|queue| queue.count);
    let now = clock::local(cx.now);
    Ok(Workplace {
        at: cx.now,
        day: now.date().to_string(),
        weekday: now.date().weekday().to_monday_one_offset(),
        hour: now.hour(),
        first_steps: first_steps(&cx).await?,
        todos: message::todos(&cx, MOST).await?,
        queued_while_offline: queued.filter(|_| is_offline),
        queues,
        unusual,
        business: stats::today(&cx).await?,
        operations: admin::recent_operations(&cx, MOST).await?,
        sign_ins: admin::own_sign_ins(&cx, MOST).await?,
    })
}

/// In the order in which a person needs them.
async fn first_steps(cx: &Ctx) -> Result<Vec<FirstStep>> {
    let mut steps = FirstSteps::new(cx)?;
    admin::first_step(&mut steps);
    payee::first_step(&mut steps);
    org::first_step(&mut steps);
    recharge::first_step(&mut steps);
    plan::first_step(&mut steps);
    channel::first_step(&mut steps);
    agreement::first_step(&mut steps);
    applicant::first_step(&mut steps);
    steps.read().await
}
