//! Whether a salesperson works and takes leads.

use std::sync::Arc;

use futures_util::FutureExt;

use super::model::{ReceivingChange, SalesStatusChange, SalespersonRow};
use super::{hand_over, store};
use crate::model::SalesStatus;
use base::codes::Codes;
use base::locale::Locale;
use frame::api::versioned;
use frame::api::{ApiError, Body, Ctx, Result, say};

/// `PUT /crm/salesperson/receiving`.
pub async fn set_receiving(cx: Arc<Ctx>, Body(body): Body<ReceivingChange>) -> Result<SalespersonRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: SalespersonRow = versioned::current_in_scope(cx, &mut tx, body.id, Some(body.version)).await?;
                if body.receiving && before.status != SalesStatus::Active {
                    return Err(ApiError::State(say(
                        format!("销售人员当前为“{}”，不能接收线索", before.status.label(Locale::Chinese)),
                        format!("The salesperson is {} and cannot receive leads", before.status.label(Locale::English)),
                    )));
                }
                let written = store::set_receiving(&mut tx, body.id, body.version, body.receiving, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /crm/salesperson/status`. The open clues of one who leaves are given away in the same transaction.
pub async fn set_status(cx: Arc<Ctx>, Body(body): Body<SalesStatusChange>) -> Result<SalespersonRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                // Salespeople are locked by id, the lower first.
                let mut people = vec![body.id];
                people.extend(body.hand_over_to);
                people.sort_unstable();
                for id in people {
                    store::hold(&mut tx, id).await?;
                }
                let before: SalespersonRow = versioned::current_in_scope(cx, &mut tx, body.id, Some(body.version)).await?;
                allowed(before.status, body.status)?;
                if body.status != SalesStatus::Left && body.hand_over_to.is_some() {
                    return Err(ApiError::field(
                        "handOverTo",
                        say("只有离职时移交线索", "Leads are only handed over when a salesperson leaves"),
                    ));
                }
                let mut more = Vec::new();
                if body.status == SalesStatus::Left {
                    let to = match body.hand_over_to {
                        Some(id) => Some(hand_over::receiver(cx, &mut tx, &before, id).await?),
                        None => None,
                    };
                    let given = hand_over::all(cx, &mut tx, &before, to.as_ref()).await?;
                    let name = to.map_or_else(|| cx.locale.pick("公海池", "Pool").to_owned(), |to| to.name);
                    more.extend(hand_over::trail_line(&name, given));
                }
                let written = store::set_status(&mut tx, body.id, body.version, body.status, cx.stamp()?).await?;
                versioned::changed_with_within(cx, &mut tx, before, written, more).await
            }
            .boxed()
        })
        .await
}

/// Allows a change of status, or refuses it and names the present status.
fn allowed(from: SalesStatus, to: SalesStatus) -> Result<()> {
    match from.may_become(to) {
        true => Ok(()),
        false => Err(ApiError::State(say(
            format!("销售人员当前为“{}”，不能改为“{}”", from.label(Locale::Chinese), to.label(Locale::Chinese)),
            format!("The salesperson is {}; the status cannot become {}", from.label(Locale::English), to.label(Locale::English)),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SalesStatus::{Active, Away, Left};

    #[test]
    fn only_the_listed_changes_are_allowed() {
        let granted = [(Active, Away), (Active, Left), (Away, Active), (Away, Left), (Left, Active)];
        for from in [Active, Away, Left] {
            for to in [Active, Away, Left] {
                assert_eq!(allowed(from, to).is_ok(), granted.contains(&(from, to)), "{from:?} to {to:?}");
            }
        }
    }
}
