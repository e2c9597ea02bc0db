//! What people are told of a plan: that one waits to be decided on, how that ended, and that one was
//! paused by the program.

use super::model::{PlanRow, PlanStatus};
use crate::api::{Say, say};
use crate::db::Connection;
use crate::locale::Locale::{Chinese, English};
use crate::message::{self, Audience, Link, NewMessage};

/// What these messages are about.
const BIZ: &str = "plan";

/// Tells what became of a plan that was just moved: what was to be done with it is done, and the
/// next is somebody's. It belongs to the transaction of the move.
pub(super) async fn moved(tx: &mut Connection, plan: &PlanRow, by: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, BIZ, plan.id, now).await?;
    match plan.status {
        PlanStatus::Pending => {
            let (name, org) = (&plan.name, &plan.org_name);
            let title = say(format!("计划待审：{name}"), format!("A plan waits: {name}"));
            let content = say(format!("{org} 的计划已提交，请审核。"), format!("A plan of {org} was handed in. Please decide."));
            message::to_overseers(tx, "plan/list/audit", about(plan, 0, title, content, now).asked_by(by), now).await?;
        }
        PlanStatus::Rejected => {
            let Some(maker) = maker(tx, plan.id).await?.filter(|maker| *maker != by) else { return Ok(()) };
            let (name, note) = (&plan.name, plan.reject_note.as_deref().unwrap_or_default());
            let title = say(format!("计划被驳回：{name}"), format!("Your plan was rejected: {name}"));
            let message = about(plan, maker, title, say(note.to_owned(), note.to_owned()), now);
            message::send(tx, &message, now).await?;
        }
        _ => {}
    }
    Ok(())
}

/// Tells the organisation's account manager and its people that the program paused a plan.
pub(super) async fn paused(tx: &mut Connection, plan: &PlanRow, manager: Option<i64>, now: i64) -> Result<(), sqlx::Error> {
    let Some(reason) = plan.pause_reason else { return Ok(()) };
    let name = &plan.name;
    let title = say(format!("计划已暂停：{name}"), format!("A plan was paused: {name}"));
    let content = say(format!("原因：{}。", reason.label(Chinese)), format!("Why: {}.", reason.label(English)));
    if let Some(manager) = manager {
        message::send(tx, &about(plan, manager, title.clone(), content.clone(), now), now).await?;
    }
    let to_people =
        NewMessage { audience: Audience::Organisation(plan.org_id), org_id: Some(plan.org_id), ..about(plan, 0, title, content, now) };
    message::send(tx, &to_people, now).await.map(drop)
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
