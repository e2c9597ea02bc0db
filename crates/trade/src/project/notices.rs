//! Messages about projects: one waits for a step, was returned, or is launched.

use super::model::{ProjectRow, ProjectStage, ProjectStatus};
use base::db::Connection;
use base::locale::Locale::{Chinese, English};
use frame::api::{Say, say};
use frame::message::{self, Link, MessageKind, NewMessage};

/// What these messages are about.
const BIZ: &str = "project";

/// Title, content, and the route that it leads to.
type Words = (Say, Say, &'static str);

/// Closes the to-do of a project whose step or status has just changed, and asks those who take the next step or notifies the
/// applicant. Belongs to the transaction of the change.
pub(super) async fn moved(tx: &mut Connection, project: &ProjectRow, now: i64) -> Result<(), sqlx::Error> {
    use MessageKind::{Message, Todo};
    message::done(tx, BIZ, project.id, now).await?;
    match project.status {
        ProjectStatus::Submitted => {
            // The applicant cannot decide on the own project.
            let todo = to_applicant(project, Todo, waiting(project), now).asked_by(project.applicant_admin_id);
            message::to_overseers(tx, "project/list/audit", todo, now).await?;
            if project.stage != ProjectStage::Review {
                message::send(tx, &to_applicant(project, Message, passed(project), now), now).await?;
            }
        }
        ProjectStatus::Returned => _ = message::send(tx, &to_applicant(project, Todo, returned(project), now), now).await?,
        ProjectStatus::Launched => _ = message::send(tx, &to_applicant(project, Message, launched(project), now), now).await?,
        ProjectStatus::Draft | ProjectStatus::Withdrawn => {}
    }
    Ok(())
}

fn to_applicant(project: &ProjectRow, kind: MessageKind, (title, content, route): Words, now: i64) -> NewMessage {
    NewMessage {
        kind,
        link: Some(Link { route, query: vec![("id", project.id.to_string())] }),
        biz_id: Some(project.id),
        ..NewMessage::to_person(project.applicant_admin_id, BIZ, title, content, now)
    }
}

fn waiting(project: &ProjectRow) -> Words {
    let (name, applicant, stage) = (&project.content.name, &project.applicant_name, project.stage);
    (
        say(format!("项目待处理：{name}"), format!("Project awaiting action: {name}")),
        say(
            format!("{applicant} 的项目到了“{}”这一步，请处理。", stage.label(Chinese)),
            format!("The project of {applicant} has reached the step “{}”. Please handle it.", stage.label(English)),
        ),
        "projectProfile",
    )
}

fn passed(project: &ProjectRow) -> Words {
    let name = &project.content.name;
    (
        say(format!("项目进入下一步：{name}"), format!("Your project moved to the next step: {name}")),
        say(
            format!("现在的步骤是“{}”。", project.stage.label(Chinese)),
            format!("The current step is “{}”.", project.stage.label(English)),
        ),
        "projectProfile",
    )
}

fn returned(project: &ProjectRow) -> Words {
    let name = &project.content.name;
    (
        say(format!("项目被退回：{name}"), format!("Your project was returned: {name}")),
        say("请按退回原因修改后重新提交。", "Correct it according to the return reasons and submit it again."),
        "resultError",
    )
}

fn launched(project: &ProjectRow) -> Words {
    let name = &project.content.name;
    (
        say(format!("项目已上线：{name}"), format!("Your project is launched: {name}")),
        say("全部步骤已经完成。", "All steps are complete."),
        "projectProfile",
    )
}
