//! Edits the answers of an applicant by hand: `/user/said/{id}`, `PUT /user`. The phone, the ID number and the
//! channel stay. A push that is sold already keeps the data promised to its buyer.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::{Any, Executor};

use super::changes;
use super::form::SaidForm;
use super::list::TARGET;
use super::model::{UserRow, UserStatus};
use super::person;
use super::rounds;
use super::store;
use crate::plan::push::edited::{self, Edited};
use frame::access::Scope;
use frame::access::audit::{self, Action};
use frame::api::{ApiError, Body, Ctx, Id, Result, say};
use frame::dict::ChoiceBook;

/// The answers of an applicant, for the form.
#[derive(Debug, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct UserSaid {
    pub id: i64,
    pub version: i64,
    pub name_mask: String,
    pub province: String,
    #[ts(type = "Record<string, string | number | boolean>")]
    pub applicant: Map<String, Value>,
}

/// The new data of an applicant, over the version that the request names.
#[derive(Debug, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct UserEdit {
    pub id: i64,
    pub version: i64,
    pub said: SaidForm,
}

/// `GET /user/said/{id}`.
pub async fn said(cx: Arc<Ctx>, Id(id): Id) -> Result<UserSaid> {
    let on = cx.db().read();
    let user = store::find(on, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    may_be_edited(&user)?;
    as_form(on, user).await
}

/// `PUT /user`. The next round uses the new data.
pub async fn edit(cx: Arc<Ctx>, Body(body): Body<UserEdit>) -> Result<UserRow> {
    let choices = cx.app.service::<ChoiceBook>().current(cx.db()).await?;
    let (cx, body, choices) = (&*cx, &body, &choices);
    cx.db()
        .transact(|mut tx| {
            async move {
                let scope = cx.viewer()?.scope();
                rounds::hold(&mut tx, body.id).await?;
                let before = store::find(&mut **tx, scope, body.id).await?.ok_or(ApiError::Missing)?;
                may_be_edited(&before)?;
                if before.version != body.version {
                    return Err(ApiError::stale(&as_form(&mut **tx, before).await?));
                }
                let person = person::reveal(&mut **tx, &cx.app.keys, before.id).await.map_err(ApiError::Internal)?;
                let (person, (no, province, said)) =
                    person.zip(person::said(&mut **tx, before.id).await?).ok_or_else(|| ApiError::stale(&before))?;
                let form = body.said.clone().read(choices, &said, person.id_no.as_deref(), cx.now);
                let form = form.map_err(|error| error.below("said"))?;
                let old = Edited { name: person.name.clone(), province, said };
                let new = Edited {
                    name: form.name.clone().unwrap_or_else(|| person.name.clone()),
                    province: form.province.clone(),
                    said: form.applicant.clone(),
                };
                if new == old {
                    return Ok(before);
                }
                edited::keep_sold(&mut tx, &cx.app.keys, before.id, &old).await?;
                changes::set_said(&mut tx, &cx.app.keys, (before.id, &no), &new, cx.viewer()?.id, cx.now).await?;
                let after = store::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
                let mut changes = audit::changes(Some(&before), Some(&after));
                changes.extend(edited::changes(&old, &new));
                audit::record(&mut tx, &cx.actor()?, TARGET.of(before.id), Action::Update, &changes).await?;
                store::find(&mut **tx, scope, before.id).await?.ok_or(ApiError::Missing)
            }
            .boxed()
        })
        .await
}

/// Accepts an applicant whose data may be edited now. Refuses any other, with the reason.
fn may_be_edited(user: &UserRow) -> Result<()> {
    match user.status {
        UserStatus::Erased => Err(ApiError::State(say("该用户已注销", "The applicant has already been erased"))),
        UserStatus::Matching => Err(ApiError::State(say("正在匹配，请稍后再试", "Plans are being matched: try again later"))),
        _ => Ok(()),
    }
}

async fn as_form<'e>(on: impl Executor<'e, Database = Any>, user: UserRow) -> Result<UserSaid> {
    let (_, province, applicant) = person::said(on, user.id).await?.ok_or(ApiError::Missing)?;
    Ok(UserSaid { id: user.id, version: user.version, name_mask: user.name_mask, province, applicant })
}
