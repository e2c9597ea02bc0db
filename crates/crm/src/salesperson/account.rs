//! Salespeople and their accounts: a salesperson belongs to the organisation and the team of the account.

use super::model::SalespersonRow;
use super::{hand_over, store};
use crate::clue::holder;
use crate::model::SalesStatus;
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action};
use frame::access::stamped;
use frame::api::versioned::Versioned;
use frame::api::{ApiError, Ctx, Result, say};
use frame::message::{self, Link, NewMessage};

/// The point for assigning the clues of a pool.
const ASSIGNERS: &str = "crm/clue/assign";

/// Updates the salesperson of an account that was moved, in the transaction that moves it. Within the organisation the
/// salesperson and the open clues move to the new team. A move to another organisation is refused while there are open
/// clues; otherwise the account is no longer a salesperson.
pub async fn account_moved(cx: &Ctx, tx: &mut Connection, id: i64, org_id: Option<i64>, sub_org_id: Option<i64>) -> Result<()> {
    store::hold(tx, id).await?;
    let Some(before) = store::find(&mut *tx, Scope::All, id).await? else { return Ok(()) };
    if org_id != Some(before.org_id) {
        let reason = |open: i64| {
            say(
                format!("该账号还有 {open} 条进行中的线索，请先移交再更换机构"),
                format!("This account owns {open} open leads: hand them over before it changes its organisation"),
            )
        };
        return end(cx, tx, before, reason).await;
    }
    if sub_org_id == before.sub_org_id {
        return Ok(());
    }
    store::set_team(tx, id, before.version, sub_org_id, cx.stamp()?).await?;
    holder::move_to_team(tx, id, sub_org_id).await?;
    let after = store::find(&mut *tx, Scope::All, id).await?;
    let changes = SalespersonRow::diff(Some(&before), after.as_ref());
    Ok(audit::record(tx, &cx.actor()?, SalespersonRow::TARGET.of(id), Action::Update, &changes).await?)
}

/// Ends the work of a salesperson whose account is deleted, in the transaction that deletes it. Refused while there
/// are open clues.
pub async fn account_deleted(cx: &Ctx, tx: &mut Connection, id: i64) -> Result<()> {
    store::hold(tx, id).await?;
    let Some(before) = store::find(&mut *tx, Scope::All, id).await? else { return Ok(()) };
    let reason = |open: i64| {
        say(
            format!("该账号还有 {open} 条进行中的线索，请先移交再删除"),
            format!("This account owns {open} open leads: hand them over before it is deleted"),
        )
    };
    end(cx, tx, before, reason).await
}

/// Returns the open clues of a salesperson whose account is disabled to their pools, in the transaction that disables
/// it. Returns how many there were. The salesperson is set to away: an assignment that waits for the salesperson's row
/// reads that row again, but may still see the old status of the account.
pub async fn account_disabled(cx: &Ctx, tx: &mut Connection, id: i64) -> Result<i64> {
    store::hold(tx, id).await?;
    let Some(before) = store::find(&mut *tx, Scope::All, id).await? else { return Ok(0) };
    let given = hand_over::all(cx, tx, &before, None).await?;
    if before.status == SalesStatus::Active {
        store::set_status(tx, id, before.version, SalesStatus::Away, cx.stamp()?).await?;
    }
    if given > 0 {
        notify_assigners(tx, &before, given, cx.now).await?;
    }
    let after = store::find(&mut *tx, Scope::All, id).await?;
    let mut changes = SalespersonRow::diff(Some(&before), after.as_ref());
    changes.extend(hand_over::trail_line(cx.locale.pick("公海池", "Pool"), given));
    if !changes.is_empty() {
        audit::record(tx, &cx.actor()?, SalespersonRow::TARGET.of(id), Action::Update, &changes).await?;
    }
    Ok(given)
}

/// How many open clues an account owns.
pub async fn open_clues_of_account(on: &mut Connection, id: i64) -> std::result::Result<i64, sqlx::Error> {
    store::open_clues(on, id).await
}

/// Notifies people who assign clues that the clues of a disabled account are in their pools.
async fn notify_assigners(tx: &mut Connection, former: &SalespersonRow, given: i64, now: i64) -> std::result::Result<(), sqlx::Error> {
    let name = &former.name;
    let title = say(format!("{name} 的 {given} 条线索已退回公海"), format!("{given} leads of {name} went to their pools"));
    let content = say(
        format!("{name} 的账号已停用，其 {given} 条进行中的线索已退回公海，请安排跟进。"),
        format!("The account of {name} was disabled. Its {given} open leads are in their pools: assign them."),
    );
    let message = NewMessage {
        link: Some(Link { route: "crmClue", query: vec![("holder", "pool".to_owned())] }),
        biz_id: Some(former.id),
        ..NewMessage::to_person(0, "clue_hand_over", title, content, now)
    };
    message::to_holders(tx, ASSIGNERS, (former.org_id, former.sub_org_id), message, now).await
}

/// Takes a salesperson without open clues out of every list.
async fn end(cx: &Ctx, tx: &mut Connection, before: SalespersonRow, reason: impl Fn(i64) -> frame::api::Say) -> Result<()> {
    let open = store::open_clues(tx, before.id).await?;
    if open > 0 {
        return Err(ApiError::State(reason(open)));
    }
    let stamp = cx.stamp()?;
    if before.status != SalesStatus::Left {
        store::set_status(tx, before.id, before.version, SalesStatus::Left, stamp).await?;
    }
    stamped::remove(tx, "salesperson", before.id, stamp).await?;
    let changes = SalespersonRow::diff(Some(&before), None);
    Ok(audit::record(tx, &cx.actor()?, SalespersonRow::TARGET.of(before.id), Action::Delete, &changes).await?)
}
