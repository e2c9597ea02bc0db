//! Messages about plans: that one, or a change of one, waits for a decision, how that ended, and that one was paused automatically.

use super::model::{PlanRow, PlanStatus};
use base::db::Connection;
use base::locale::Locale::{Chinese, English};
use frame::api::{Say, say};
use frame::decision::Verdict;
use frame::message::{self, NewMessage, Notices};

const NOTICES: Notices = Notices { biz: "plan", point: "plan/list/audit", route: "planList" };
/// Those about a change of a plan's terms.
const CHANGES: Notices = Notices { biz: "plan_change", ..NOTICES };

/// Closes the to-do of a plan whose status has just changed, and asks those who decide or notifies the maker. Belongs to the
/// transaction of the change.
pub(super) async fn moved(tx: &mut Connection, plan: &PlanRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    NOTICES.close(tx, plan.id, now).await?;
    match plan.status {
        PlanStatus::Pending => {
            let (name, org) = (&plan.name, &plan.org_name);
            let title = say(format!("计划待审：{name}"), format!("Plan awaiting approval: {name}"));
            let content = say(format!("{org} 的计划已提交，请审核。"), format!("A plan of {org} was submitted. Please review it."));
            NOTICES.ask(tx, about(&NOTICES, plan, title, content, now), by, now).await?;
        }
        PlanStatus::Rejected => {
            let Some(maker) = maker(tx, plan.id).await?.filter(|maker| *maker != by) else { return Ok(()) };
            let (name, note) = (&plan.name, plan.reject_note.as_deref().unwrap_or_default());
            let title = say(format!("计划被驳回：{name}"), format!("Plan rejected: {name}"));
            message::send(tx, &about(&NOTICES, plan, title, Say::same(note), now).to(maker), now).await?;
        }
        // What was asked of its terms has no meaning any more.
        PlanStatus::Ended => CHANGES.close(tx, plan.id, now).await?,
        _ => {}
    }
    Ok(())
}

/// Asks those who decide to review a change of terms.
pub async fn change_asked(tx: &mut Connection, plan: &PlanRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    CHANGES.close(tx, plan.id, now).await?;
    let (name, org) = (&plan.name, &plan.org_name);
    let title = say(format!("计划变更待审：{name}"), format!("Plan change awaiting approval: {name}"));
    let content = say(
        format!("{org} 的计划申请修改投放条件，审核通过前按原条件投放。"),
        format!("A change to the terms of a plan of {org} was requested. Until it is approved, the plan runs on its current terms."),
    );
    CHANGES.ask(tx, about(&CHANGES, plan, title, content, now), by, now).await
}

/// Closes the to-do about a change of terms, and sends the decision to those who asked for it.
pub(super) async fn change_ended(
    tx: &mut Connection,
    plan: &PlanRow,
    verdict: Option<&Verdict<'_>>,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    CHANGES.close(tx, plan.id, now).await?;
    let (name, note) = (&plan.name, verdict.and_then(|verdict| verdict.note).unwrap_or_default());
    let title = match verdict {
        Some(Verdict { approve: true, .. }) => say(format!("计划变更已生效：{name}"), format!("Plan change applied: {name}")),
        Some(_) => say(format!("计划变更被驳回：{name}"), format!("Plan change rejected: {name}")),
        None => say(format!("计划变更已撤回：{name}"), format!("Plan change withdrawn: {name}")),
    };
    for maker in plan.decision.iter().flat_map(|decision| &decision.makers).filter(|maker| **maker != by) {
        message::send(tx, &about(&NOTICES, plan, title.clone(), Say::same(note), now).to(*maker), now).await?;
    }
    Ok(())
}

/// Notifies the organisation's account manager, and those of its people who see the plan, that it was paused automatically.
pub(super) async fn paused(tx: &mut Connection, plan: &PlanRow, manager: Option<i64>, now: i64) -> Result<(), sqlx::Error> {
    let Some(reason) = plan.pause_reason else { return Ok(()) };
    let name = &plan.name;
    let title = say(format!("计划已暂停：{name}"), format!("Plan paused: {name}"));
    let content = say(format!("原因：{}。", reason.label(Chinese)), format!("Reason: {}.", reason.label(English)));
    let message = about(&NOTICES, plan, title, content, now);
    if let Some(manager) = manager {
        message::send(tx, &message.clone().to(manager), now).await?;
    }
    message::to_holders(tx, "plan/list/list", (plan.org_id, plan.sub_org_id), message, now).await
}

fn about(of: &Notices, plan: &PlanRow, title: Say, content: Say, now: i64) -> NewMessage {
    of.about(plan.id, ("keyword", plan.no.clone()), title, content, now)
}

/// Who made a plan.
async fn maker(tx: &mut Connection, id: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT created_by FROM plan WHERE id = $1").bind(id).fetch_one(tx).await
}
