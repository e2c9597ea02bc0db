//! How leads reach an organisation by API: its addresses, its keys, the names of fields and values there, and which answer means
//! yes. Keys come in and never go out. Calls under `/org/api`.

mod form;
mod keys;
mod model;
pub mod pending;
mod store;

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::{Any, Executor};

use self::form::{check, tidied};
use self::keys::rotated;
use self::store::{Kept, find, kept, write};
use super::OrgRow;
use super::record::record;
use super::signing::Signer;
use super::store as orgs;
use base::crypto::{Keys, WrongKey, place};
use base::db::{Connection, Tx};
use frame::access::audit::{self, Action, Change, Stamp};
use frame::api::owner::require_platform_staff;
use frame::api::{ApiError, Body, Ctx, Id, Result, versioned};
use frame::proposal;

pub use self::form::{FIELDS, check_expression, check_names};
pub use self::model::{DeliveryStatus, OrgApi, OrgApiForm, OrgCrypto, OrgKey, blank};

/// `GET /org/api/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<OrgApi> {
    orgs::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(settings(cx.db().read(), id, cx.now).await?)
}

/// The delivery settings of an organisation, blank where it has none.
pub async fn settings<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, now: i64) -> std::result::Result<OrgApi, sqlx::Error> {
    Ok(kept(on, org_id, now).await?.settings)
}

/// `PUT /org/api`: settings with another address, encryption or key await approval, as a whole; others are written at once.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<OrgApiForm>) -> Result<OrgApi> {
    let viewer = cx.viewer()?;
    let form = tidied(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let id = form.id;
                versioned::hold::<OrgRow>(&mut tx, id).await?;
                let org = orgs::find(&mut **tx, viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
                require_platform_staff(viewer)?;
                let Kept { settings: before, keys, .. } = kept(&mut **tx, id, cx.now).await?;
                if before.version != form.version {
                    return Err(ApiError::stale(&before));
                }
                let proposed_key = pending::kept_key(&mut tx, &cx.app.keys, &before, form).await?;
                // A key for another kind of seal is none.
                check(form, proposed_key.is_some() || form.crypto == before.crypto && !keys.is_empty())?;
                let keeps_proposing = proposed_key.is_some() && !pending::stops(&before, form);
                let written = if pending::is_needed(&before, form) || keeps_proposing {
                    let form = &OrgApiForm { key: form.key.clone().or(proposed_key), ..form.clone() };
                    pending::propose(&mut tx, &cx.app.keys, (&org, &before), form, cx.stamp()?).await?
                } else {
                    pending::check_unchanged(&before, form)?;
                    write(&mut tx, form, &keys, cx.stamp()?).await?
                };
                if !written {
                    return Err(ApiError::stale(&kept(&mut **tx, id, cx.now).await?.settings));
                }
                end_change(cx, &mut tx, &before, false, Vec::new()).await
            }
            .boxed()
        })
        .await
}

/// Ends a change: the trail's entry, with what it says besides the settings, and the settings as they are now.
async fn end_change(cx: &Ctx, tx: &mut Tx, before: &OrgApi, new_key: bool, more: Vec<Change>) -> Result<OrgApi> {
    let Kept { settings: after, .. } = find(&mut **tx, before.id, cx.now).await?.ok_or(ApiError::Missing)?;
    let mut changes = diff(before, &after, new_key);
    changes.extend(more.into_iter().map(|change| Change { field: format!("api.{}", change.field), ..change }));
    record(cx, tx, before.id, Action::Update, &changes).await?;
    cx.keep_answer(tx, &after).await?;
    Ok(after)
}

/// Keeps the first settings of an organisation, which are in order.
pub async fn begin(tx: &mut Connection, house: &Keys, form: &OrgApiForm, stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
    let keys = form.key.as_deref().map(|key| rotated(house, form.id, Vec::new(), key, 0, stamp.at)).unwrap_or_default();
    write(tx, form, &keys, stamp).await
}

/// How an organisation is called: its settings, its key in use, opened, and what we sign with where it has a
/// signing key.
pub(super) async fn in_use<'e>(
    on: impl Executor<'e, Database = Any>,
    house: &Keys,
    org_id: i64,
    now: i64,
) -> Result<(OrgApi, Option<String>, Option<Signer>)> {
    let Kept { settings, keys, signs } = kept(on, org_id, now).await?;
    let key = keys
        .iter()
        .find(|key| key.valid_until.is_none())
        .map(|key| house.open(&place::ORGANISATION_API_KEYS.of(org_id), &key.sealed))
        .transpose()?;
    let opened = |(app_key, secret): (String, String)| {
        Ok::<_, WrongKey>(Signer { app_key, secret: house.open(&place::ORGANISATION_SECRET.of(org_id), &secret)? })
    };
    Ok((settings, key, signs.map(opened).transpose()?))
}

/// The change as the trail shows it: maps line by line, and of a key that there is another.
pub fn diff(before: &OrgApi, after: &OrgApi, new_key: bool) -> Vec<Change> {
    let mut changes = audit::changes(Some(&readable(before)), Some(&readable(after)));
    if new_key {
        changes.push(Change { field: "key".to_owned(), before: Some("***".to_owned()), after: Some("***".to_owned()) });
    }
    let proposed = |settings: &OrgApi| settings.proposed.as_deref().map(readable);
    let (was, is) = (proposed(before), proposed(after));
    changes.extend(proposal::changes((Some(&readable(before)), was.as_ref()), (Some(&readable(after)), is.as_ref())));
    for change in &mut changes {
        change.field = match change.field.strip_prefix("asked.") {
            Some(field) => format!("asked.api.{field}"),
            None => format!("api.{}", change.field),
        };
    }
    changes
}

fn readable(settings: &OrgApi) -> serde_json::Value {
    let mut value = serde_json::to_value(settings).expect("settings serialise");
    let fields: Vec<String> = settings.field_map.iter().map(|(our, their)| format!("{our} = {their}")).collect();
    let values: Vec<String> =
        settings.value_map.iter().flat_map(|(field, map)| map.iter().map(move |(our, their)| format!("{field}.{our} = {their}"))).collect();
    value["fieldMap"] = fields.into();
    value["valueMap"] = values.into();
    // Which keys are valid changes by itself.
    value["keys"] = serde_json::Value::Null;
    value["proposed"] = serde_json::Value::Null;
    value["decision"] = serde_json::Value::Null;
    value
}
