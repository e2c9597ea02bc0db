//! One account: view, freezing and release.

use std::sync::Arc;

use futures_util::FutureExt;

use super::as_of;
use super::list::{self, TARGET};
use super::model::{AccountDetail, AccountMoment, AccountRow, AccountStatusChange};
use crate::ledger::account;
use crate::ledger::account::AccountStatus;
use crate::org::{self, OrgStatus};
use frame::access::audit::{self, Action, AuditEntry};
use frame::api::owner::require_platform_staff;
use frame::api::{ApiError, Body, Check, Ctx, Id, IdQuery, Result, say};
use frame::decision;

/// `GET /finance/account/{id}?at=…`: the account of the organisation of this id, with what it held at a moment.
pub async fn view(cx: Arc<Ctx>, IdQuery(id, moment): IdQuery<AccountMoment>) -> Result<AccountDetail> {
    let account = list::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let as_of = match moment.at {
        Some(end) => Some(as_of::before(cx.db(), id, end).await?),
        None => None,
    };
    let low = list::held_if_low(cx.db().read(), id).await?.is_some();
    Ok(AccountDetail { account, as_of, low })
}

/// `GET /finance/account/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = list::find(cx.db().read(), cx.viewer()?.scope(), id.0).await?.ok_or(ApiError::Missing)?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `PUT /finance/account/status`: a frozen account holds and pays nothing. An account of an organisation whose
/// contract has ended stays frozen.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<AccountStatusChange>) -> Result<AccountRow> {
    let viewer = cx.viewer()?;
    let (cx, body) = (&*cx, &body);
    let note = body.note.trim();
    let row = cx
        .db()
        .transact(|mut tx| {
            async move {
                let before = list::find(&mut **tx, viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
                require_platform_staff(viewer)?;
                Check::new().text("note", note, 1..=decision::REASON).done()?;
                let organisation = org::find(&mut **tx, viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
                if body.status == AccountStatus::Normal && organisation.status == OrgStatus::Terminated {
                    return Err(ApiError::State(say(
                        "机构已终止合作，账户不能解冻",
                        "The organisation is terminated: its account stays frozen",
                    )));
                }
                if !account::change_status(&mut tx, body.id, body.status, note, cx.now).await? {
                    return Err(ApiError::State(match body.status {
                        AccountStatus::Frozen => say("账户已冻结", "The account is frozen already"),
                        AccountStatus::Normal => say("账户未冻结", "The account is not frozen"),
                    }));
                }
                let after = list::find(&mut **tx, viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
                let mut changes = audit::changes(Some(&before), Some(&after));
                // The audit trail also stores the reason of a release.
                if let Some(change) = changes.iter_mut().find(|change| change.field == "statusNote") {
                    change.after = Some(note.to_owned());
                }
                audit::record(&mut tx, &cx.actor()?, TARGET.of(body.id), Action::Money, &changes).await?;
                cx.keep_answer(&mut tx, &after).await?;
                Ok(after)
            }
            .boxed()
        })
        .await?;
    if row.status == AccountStatus::Normal {
        cx.app.credited.notify_one();
    }
    Ok(row)
}
