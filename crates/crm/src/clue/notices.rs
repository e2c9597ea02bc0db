//! Messages about clues: given to a salesperson, contact due, overdue for long, about to go back to a pool, gone back.

use super::holder::ClueState;
use base::db::Connection;
use base::locale::Locale;
use frame::access::{Viewer, role};
use frame::api::{Say, say};
use frame::message::{self, Audience, Link, NewMessage};
use frame::places;

/// Points of those who look after the clues of others.
const POINT: &str = "crm/clue/assign";
const GIVEN: &str = "clue_given";
const DUE: &str = "clue_due";
const ESCALATED: &str = "clue_escalated";
const RECLAIM: &str = "clue_reclaim";

/// Notifies a salesperson of new clues: one message, which links to the clue, or to all new ones if there are several.
pub async fn given(tx: &mut Connection, owner: i64, clues: &[ClueState], by: Option<i64>, now: i64) -> Result<(), sqlx::Error> {
    let Some(first) = clues.first() else { return Ok(()) };
    let (title, content, link) = match clues.len() {
        1 => (
            say(format!("新线索：{}", first.no), format!("New lead: {}", first.no)),
            say(
                format!("{}，{}，请尽快联系。", first.name_mask, places::label(&first.city, Locale::Chinese)),
                format!("{}, {}. Please contact them soon.", first.name_mask, places::label(&first.city, Locale::English)),
            ),
            page_of(first.id),
        ),
        count => (
            say(format!("{count} 条新线索"), format!("{count} new leads")),
            say("已分配给你，请尽快联系。", "They were assigned to you. Please contact them soon."),
            new_clues(),
        ),
    };
    let message = NewMessage { link: Some(link), sender_id: by, ..NewMessage::to_person(owner, GIVEN, title, content, now) };
    send_about(tx, first, message, now).await
}

/// Sends a salesperson a message about clues transferred to them, with the mover and the former owner.
pub async fn transferred(
    tx: &mut Connection,
    to: (i64, &str),
    clues: &[ClueState],
    from: &str,
    by: &Viewer,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (owner, name) = to;
    let Some(first) = clues.first() else { return Ok(()) };
    let (title, content, link) = match clues.len() {
        1 => (
            say(format!("线索转给你：{}", first.no), format!("Lead transferred to you: {}", first.no)),
            say(
                format!("{} 将线索 {}（{}）从 {from} 转给 {name}。", by.name, first.no, first.name_mask),
                format!("{} moved lead {} ({}) from {from} to {name}.", by.name, first.no, first.name_mask),
            ),
            page_of(first.id),
        ),
        count => (
            say(format!("{count} 条线索转给你"), format!("{count} leads transferred to you")),
            say(
                format!("{} 将 {count} 条线索从 {from} 转给 {name}。", by.name),
                format!("{} moved {count} leads from {from} to {name}.", by.name),
            ),
            new_clues(),
        ),
    };
    let message = NewMessage { link: Some(link), sender_id: Some(by.id), ..NewMessage::to_person(owner, GIVEN, title, content, now) };
    send_about(tx, first, message, now).await
}

async fn send_about(tx: &mut Connection, clue: &ClueState, message: NewMessage, now: i64) -> Result<(), sqlx::Error> {
    message::send(tx, &NewMessage { biz_id: Some(clue.id), ..message }, now).await.map(drop)
}

/// The list of new clues, for a message about several.
fn new_clues() -> Link {
    Link { route: "crmClue", query: vec![("unseen", "yes".to_owned())] }
}

/// Closes the to-dos of a clue that was followed up.
pub async fn followed(tx: &mut Connection, clue_id: i64, now: i64) -> Result<(), sqlx::Error> {
    ended(tx, clue_id, now).await
}

/// Closes all to-dos of a clue.
pub async fn ended(tx: &mut Connection, clue_id: i64, now: i64) -> Result<(), sqlx::Error> {
    for biz in [DUE, ESCALATED, RECLAIM] {
        message::done(tx, biz, clue_id, now).await?;
    }
    Ok(())
}

/// Reminds the owner of a clue that its contact is due, or its first response.
pub async fn due(tx: &mut Connection, clue: &ClueState, owner: i64, now: i64) -> Result<(), sqlx::Error> {
    let first = clue.first_follow_at.is_none();
    let title = match first {
        true => say(format!("首次响应超时：{}", clue.no), format!("First response overdue: {}", clue.no)),
        false => say(format!("待跟进：{}", clue.no), format!("Follow-up due: {}", clue.no)),
    };
    let city = |locale| places::label(&clue.city, locale);
    let content =
        say(format!("{}，{}。", clue.name_mask, city(Locale::Chinese)), format!("{}, {}.", clue.name_mask, city(Locale::English)));
    message::send(tx, &todo(clue, DUE, Audience::Person(owner), title, content, now), now).await.map(drop)
}

/// Sends to-dos about a contact that is overdue for some days: after 3 its owner again, after 5 the team leads, after 7 the
/// organisation's managers.
pub async fn escalated(
    tx: &mut Connection,
    clue: &ClueState,
    owner: i64,
    days: i64,
    owner_name: &str,
    now: i64,
) -> Result<(), sqlx::Error> {
    message::done(tx, ESCALATED, clue.id, now).await?;
    let title = say(format!("逾期 {days} 天未跟进：{}", clue.no), format!("{days} days overdue: {}", clue.no));
    let content = say(format!("{}，负责人 {owner_name}。", clue.name_mask), format!("{}, owner {owner_name}.", clue.name_mask));
    let audiences: Vec<Audience> = match days {
        3 => vec![Audience::Person(owner)],
        _ => {
            let (roles, leads) = role::holders(&mut *tx, POINT, clue.org_id, clue.sub_org_id).await?;
            match days {
                5 if !leads.is_empty() => leads.into_iter().map(Audience::Person).collect(),
                _ => roles.into_iter().map(Audience::Role).collect(),
            }
        }
    };
    for audience in audiences {
        let message = NewMessage { org_id: Some(clue.org_id), ..todo(clue, ESCALATED, audience, title.clone(), content.clone(), now) };
        message::send(tx, &message, now).await?;
    }
    Ok(())
}

/// Reminds the owner of a clue that it goes back to a pool at a moment.
pub async fn reclaim_soon(tx: &mut Connection, clue: &ClueState, owner: i64, reclaim_at: i64, now: i64) -> Result<(), sqlx::Error> {
    message::done(tx, RECLAIM, clue.id, now).await?;
    let title = say(format!("即将回收：{}", clue.no), format!("About to be reclaimed: {}", clue.no));
    let content = say(
        format!("{} 长时间未跟进，到期将退回公海。", clue.name_mask),
        format!("{} has not been followed up for long and will go back to the pool.", clue.name_mask),
    );
    let message = NewMessage { due_at: Some(reclaim_at), ..todo(clue, RECLAIM, Audience::Person(owner), title, content, now) };
    message::send(tx, &message, now).await.map(drop)
}

/// Notifies the former owner of a clue that it went back to a pool.
pub async fn reclaimed(tx: &mut Connection, clue: &ClueState, owner: i64, now: i64) -> Result<(), sqlx::Error> {
    ended(tx, clue.id, now).await?;
    let title = say(format!("线索已回收：{}", clue.no), format!("Lead reclaimed: {}", clue.no));
    let content = say("长时间未跟进，已退回公海。", "It was not followed up in time and went back to the pool.");
    let message = NewMessage { biz_id: Some(clue.id), ..NewMessage::to_person(owner, "clue_reclaimed", title, content, now) };
    message::send(tx, &message, now).await.map(drop)
}

fn todo(clue: &ClueState, biz: &'static str, audience: Audience, title: Say, content: Say, now: i64) -> NewMessage {
    let message = NewMessage::to_person(0, biz, title, content, now);
    NewMessage {
        kind: message::MessageKind::Todo,
        state: Some(message::MessageState::NotStarted),
        link: Some(page_of(clue.id)),
        biz_id: Some(clue.id),
        audience,
        ..message
    }
}

fn page_of(clue_id: i64) -> Link {
    Link { route: "crmClueDetail", query: vec![("id", clue_id.to_string())] }
}
