//! What people are told of a plan: that one waits to be decided on, how that ended, and that one was
//! paused by the program.

use super::model::{PlanRow, PlanStatus};
use base::db::Connection;
use base::locale::Locale::{Chinese, English};
use frame::api::{Say, say};
use frame::decision::Verdict;
use frame::message::{self, Link, NewMessage};

/// What these messages are about.
const BIZ: &str = "plan";
/// And those about a change of its terms.
const CHANGE: &str = "plan_change";

/// Tells what became of a plan that was just moved: what was to be done with it is done, and the
/// next is somebody's. It belongs to the transaction of the move.
pub(super) async fn moved(tx: &mut Connection, plan: &PlanRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, plan.id, now).await?;
    match plan.status {
        PlanStatus::Pending => {
            let (name, org) = (&plan.name, &plan.org_name);
            let title = say(format!("计划待审：{name}"), format!("Plan awaiting approval: {name}"));
            let content = say(format!("{org} 的计划已提交，请审核。"), format!("A plan of {org} was submitted. Please review it."));
            message::to_overseers(tx, "plan/list/audit", about(plan, 0, title, content, now).asked_by(by), now).await?;
        }
        PlanStatus::Rejected => {
            let Some(maker) = maker(tx, plan.id).await?.filter(|maker| *maker != by) else { return Ok(()) };
            let (name, note) = (&plan.name, plan.reject_note.as_deref().unwrap_or_default());
            let title = say(format!("计划被驳回：{name}"), format!("Plan rejected: {name}"));
            let message = about(plan, maker, title, say(note.to_owned(), note.to_owned()), now);
            message::send(tx, &message, now).await?;
        }
        // What was asked of its terms has no meaning any more.
        PlanStatus::Ended => message::done(tx, CHANGE, plan.id, now).await?,
        _ => {}
    }
    Ok(())
}

/// Tells those who decide that a change of terms waits for them.
pub async fn change_asked(tx: &mut Connection, plan: &PlanRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, CHANGE, plan.id, now).await?;
    let (name, org) = (&plan.name, &plan.org_name);
    let title = say(format!("计划变更待审：{name}"), format!("Plan change awaiting approval: {name}"));
    let content = say(
        format!("{org} 的计划申请修改投放条件，审核通过前按原条件投放。"),
        format!("A change to the terms of a plan of {org} was requested. Until it is approved, the plan runs on its current terms."),
    );
    let about = NewMessage { biz_type: CHANGE, ..about(plan, 0, title, content, now) };
    message::to_overseers(tx, "plan/list/audit", about.asked_by(by), now).await
}

/// Nobody has to decide on it any more; who asked for a change is told how that ended.
pub(super) async fn change_ended(
    tx: &mut Connection,
    plan: &PlanRow,
    verdict: Option<&Verdict<'_>>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    message::done(tx, CHANGE, plan.id, now).await?;
    let (name, note) = (&plan.name, verdict.and_then(|verdict| verdict.note).unwrap_or_default());
    let title = match verdict {
        Some(Verdict { approve: true, .. }) => say(format!("计划变更已生效：{name}"), format!("Plan change applied: {name}")),
        Some(_) => say(format!("计划变更被驳回：{name}"), format!("Plan change rejected: {name}")),
        None => say(format!("计划变更已撤回：{name}"), format!("Plan change withdrawn: {name}")),
    };
    for maker in plan.decision.iter().flat_map(|decision| &decision.makers).filter(|maker| **maker != by) {
        message::send(tx, &about(plan, *maker, title.clone(), say(note.to_owned(), note.to_owned()), now), now).await?;
    }
    Ok(())
}

/// Tells the organisation's account manager, and those of its people who see the plan, that the program paused it.
pub(super) async fn paused(tx: &mut Connection, plan: &PlanRow, manager: Option<i64>, now: i64) -> Result<(), sqlx::Error> {
    let Some(reason) = plan.pause_reason else { return Ok(()) };
    let name = &plan.name;
    let title = say(format!("计划已暂停：{name}"), format!("Plan paused: {name}"));
    let content = say(format!("原因：{}。", reason.label(Chinese)), format!("Reason: {}.", reason.label(English)));
    if let Some(manager) = manager {
        message::send(tx, &about(plan, manager, title.clone(), content.clone(), now), now).await?;
    }
    let message = about(plan, 0, title, content, now);
    message::to_holders(tx, "plan/list/list", (plan.org_id, plan.sub_org_id), message, now).await
}

fn about(plan: &PlanRow, admin_id: i64, title: Say, content: Say, now: i64) -> NewMessage {
    NewMessage {
        link: Some(Link { route: "planList", query: vec![("keyword", plan.no.clone())] }),
        biz_id: Some(plan.id),
        ..NewMessage::to_person(admin_id, BIZ, title, content, now)
    }
}

/// Who made a plan.
async fn maker(tx: &mut Connection, id: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT created_by FROM plan WHERE id = $1").bind(id).fetch_one(tx).await
}
