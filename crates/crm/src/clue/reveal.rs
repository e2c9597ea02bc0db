//! The name and phone of the person a clue is about: shown one at a time.

use std::sync::Arc;

use serde::Serialize;

use super::list::TARGET;
use super::model::ClueApplicant;
use super::{record, store};
use frame::access::Scope;
use frame::api::{ApiError, Ctx, Id, Result, say};
use frame::reveal;
use trade::plan::push::model::PushStatus;
use trade::plan::push::rows as pushes;
use trade::user;

/// The person a clue is about.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueContact {
    pub name: String,
    pub phone: String,
}

/// The person of a lead that was bought, with what they said.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BoughtContact {
    #[serde(flatten)]
    #[ts(flatten)]
    pub contact: ClueContact,
    pub applicant: ClueApplicant,
}

/// `GET /crm/reveal/{id}`.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<ClueContact> {
    record::seen(&cx, id).await?;
    if store::is_returned(cx.db().read(), id).await? {
        return Err(returned());
    }
    shown(&cx, id).await
}

/// `GET /plan/push/reveal/{id}`: the same for a lead that its buyer has accepted, from the list of pushes.
pub async fn of_push(cx: Arc<Ctx>, Id(id): Id) -> Result<BoughtContact> {
    let push = pushes::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    match push.status {
        PushStatus::Accepted => {}
        PushStatus::Returned => return Err(returned()),
        _ => {
            return Err(ApiError::State(say("只有已成交的线索可以查看明文", "Only the person of an accepted lead can be revealed")));
        }
    }
    let clue_id = store::of_push(cx.db().read(), id).await?.ok_or(ApiError::Missing)?;
    let contact = shown(&cx, clue_id).await?;
    let clue = store::find(cx.db().read(), Scope::All, clue_id, cx.locale).await?.ok_or(ApiError::Missing)?;
    let (user_id, _) = store::person(cx.db().read(), clue.id).await?;
    Ok(BoughtContact { contact, applicant: record::applicant(&cx, user_id, Some(id)).await? })
}

/// Shows who a clue is about.
async fn shown(cx: &Ctx, clue_id: i64) -> Result<ClueContact> {
    let mut tx = cx.db().begin().await?;
    let (user_id, _) = store::person(&mut *tx, clue_id).await?;
    let person = user::person::reveal(&mut *tx, &cx.app.keys, user_id).await.map_err(ApiError::Internal)?;
    let Some(person) = person else {
        return Err(ApiError::State(say(
            "该申请人已注销，个人信息已清除",
            "The applicant has been erased: there are no personal details to show",
        )));
    };
    let push_id = store::push_of(&mut *tx, clue_id).await?;
    let edited = record::edited(cx, &mut *tx, push_id).await?;
    reveal::written(cx, tx, TARGET.of(clue_id), &[]).await?;
    Ok(ClueContact { name: edited.map_or(person.name, |edited| edited.name), phone: person.phone })
}

fn returned() -> ApiError {
    ApiError::State(say("线索已退单，不能查看明文", "The lead was returned: its person cannot be revealed"))
}
