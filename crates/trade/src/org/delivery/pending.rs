//! Delivery settings that await approval: leads carry names and numbers of people, and an answer decides whether a lead is paid for.
//! Settings that say otherwise where leads go, how they are encrypted, what is sent or how answers are read hold, as a whole, once a
//! second person agrees.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::end_change;
use super::form::check;
use super::keys::{fingerprint, rotated};
use super::model::{DeliveryStatus, OrgApi, OrgApiForm, OrgKey};
use super::store::{Kept, kept, make, write};
use crate::org::{OrgRow, store as orgs};
use base::crypto::{Keys, place};
use base::db::{Connection, Tx};
use frame::access::audit::Stamp;
use frame::api::owner::require_platform_staff;
use frame::api::{ApiError, Body, Ctx, Result, say, versioned};
use frame::decision::{self, DecisionAction, DecisionForm};
use frame::message;
use frame::proposal::{self, Proposal, ProposalKind, ProposalVersion};

/// Proposals of delivery settings.
const DELIVERY: ProposalKind = ProposalKind {
    action: DecisionAction::ChangeDelivery,
    table: "org_api_config",
    point: "org/list/apiAudit",
    route: "orgList",
    name: ("接口配置", "Delivery settings"),
};

/// Settings that are proposed, without their new key, which is kept beside them, encrypted.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wanted {
    form: OrgApiForm,
    /// Of the new key.
    fingerprint: Option<String>,
    key_hash: Option<String>,
}

impl Wanted {
    fn of(house: &Keys, form: &OrgApiForm) -> Wanted {
        let key = form.key.as_deref();
        let fingerprint = key.map(|key| fingerprint(house, key));
        Wanted { form: OrgApiForm { key: None, ..form.clone() }, fingerprint, key_hash: key.map(|key| house.lookup_hash(key)) }
    }

    /// The settings as they would be.
    pub(super) fn shown_beside(self, now: &OrgApi) -> OrgApi {
        let Wanted { form, fingerprint, .. } = self;
        let added_at = now.decision.as_ref().map_or(0, |decision| decision.asked_at);
        let keys =
            keys_after(&now.keys, fingerprint.map(|fingerprint| (fingerprint, added_at)), form.crypto == now.crypto, form.overlap_hours);
        OrgApi {
            id: now.id,
            match_url: form.match_url,
            apply_url: form.apply_url,
            query_url: form.query_url,
            crypto: form.crypto,
            keys,
            field_map: form.field_map,
            value_map: form.value_map,
            match_ok_expr: form.match_ok_expr,
            apply_ok_expr: form.apply_ok_expr,
            query_ok_expr: form.query_ok_expr,
            query_none_expr: form.query_none_expr,
            known_expr: form.known_expr,
            timeout_ms: form.timeout_ms,
            retry_max: form.retry_max,
            status: form.status,
            proposed: None,
            decision: None,
            version: now.version,
        }
    }
}

/// The keys that an approval leads to, as [`rotated`] makes them: the new one (its fingerprint and when it was proposed), and those of
/// now with the time for which they stay. Without a new key those of the same encryption stay as they are.
fn keys_after(now: &[OrgKey], new: Option<(String, i64)>, has_same_crypto: bool, overlap_hours: i64) -> Vec<OrgKey> {
    if new.is_none() && has_same_crypto {
        return now.to_vec();
    }
    let stays = |key: &OrgKey| if has_same_crypto && key.valid_until.is_none() { overlap_hours } else { 0 };
    let old = now.iter().map(|key| OrgKey { overlap_hours: Some(stays(key)), ..key.clone() });
    let new =
        new.map(|(fingerprint, added_at)| OrgKey { fingerprint, added_at, valid_until: None, is_proposed: true, overlap_hours: None });
    new.into_iter().chain(old).collect()
}

/// Whether a form says otherwise than the settings in use where leads go, how they are encrypted, what of an applicant is sent, or
/// which answers are paid for.
pub(super) fn is_needed(now: &OrgApi, form: &OrgApiForm) -> bool {
    form.key.is_some()
        || (&form.match_url, &form.apply_url, &form.query_url, form.crypto) != (&now.match_url, &now.apply_url, &now.query_url, now.crypto)
        || (&form.field_map, &form.value_map) != (&now.field_map, &now.value_map)
        || (&form.match_ok_expr, &form.apply_ok_expr, &form.known_expr) != (&now.match_ok_expr, &now.apply_ok_expr, &now.known_expr)
        || (&form.query_ok_expr, &form.query_none_expr) != (&now.query_ok_expr, &now.query_none_expr)
}

/// The key of the open proposal that a form without a key keeps: one for the same encryption.
pub(super) async fn kept_key(tx: &mut Connection, house: &Keys, now: &OrgApi, form: &OrgApiForm) -> Result<Option<String>> {
    match &now.proposed {
        Some(proposed) if form.key.is_none() && form.crypto == proposed.crypto => new_key(tx, house, now.id).await,
        _ => Ok(None),
    }
}

/// Whether a form stops delivery, for which one person is enough.
pub(super) fn stops(now: &OrgApi, form: &OrgApiForm) -> bool {
    form.status == DeliveryStatus::Disabled && now.status == DeliveryStatus::Enabled
}

/// Refuses other changes while settings await approval, which would undo them; delivery alone can be disabled at any time.
pub(super) fn check_unchanged(now: &OrgApi, form: &OrgApiForm) -> Result<()> {
    let has_same_tries = (form.timeout_ms, form.retry_max) == (now.timeout_ms, now.retry_max);
    if now.proposed.is_none() || stops(now, form) && has_same_tries {
        return Ok(());
    }
    Err(ApiError::State(say(
        "有待审核的接口配置，请先审核或撤回",
        "Delivery settings await approval: have them approved or withdraw them first",
    )))
}

/// Proposes the settings of a form; tells whether there was the form's version.
pub async fn propose(tx: &mut Tx, house: &Keys, (org, now): (&OrgRow, &OrgApi), form: &OrgApiForm, stamp: Stamp) -> Result<bool> {
    make(tx, now.id, stamp).await?;
    let sealed = form.key.as_deref().map(|key| house.seal(&place::ORGANISATION_API_KEY_PROPOSED.of(now.id), key));
    if !touch(tx, now.id, form.version, sealed, stamp).await? {
        return Ok(false);
    }
    proposal::submit(tx, &of(org, now, &Wanted::of(house, form)), stamp).await?;
    Ok(true)
}

/// Withdraws what is proposed of an organisation that is deleted.
pub(in crate::org) async fn forget(tx: &mut Connection, org_id: i64, at: i64) -> Result<()> {
    decision::withdraw(tx, DELIVERY.table, org_id, at).await?;
    Ok(message::done(tx, DELIVERY.table, org_id, at).await?)
}

/// `PUT /org/api/audit`: decides on the settings that await approval.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<OrgApi> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let (org, Kept { settings: before, keys, .. }) = current(cx, &mut tx, body.id, body.version).await?;
                let Some(wanted) = proposal::proposed::<Wanted>(before.decision.as_ref(), DecisionAction::ChangeDelivery)? else {
                    return Err(ApiError::State(say("没有待审核的修改", "No change awaits approval")));
                };
                let house = &cx.app.keys;
                let key = new_key(&mut tx, house, before.id).await?;
                // The key is the one that was proposed.
                let wanted = Wanted { key_hash: key.as_deref().map(|key| house.lookup_hash(key)), ..wanted };
                proposal::decide(cx, &mut tx, &of(&org, &before, &wanted), before.decision.as_ref(), body).await?;
                let has_key = key.is_some();
                let mut version = body.version;
                if body.approve {
                    let form = OrgApiForm { version, key, ..wanted.form };
                    let keys = if form.crypto == before.crypto { keys } else { Vec::new() };
                    check(&form, !keys.is_empty())?;
                    let keys = match &form.key {
                        Some(key) => rotated(house, before.id, keys, key, form.overlap_hours, cx.now),
                        None => keys,
                    };
                    if !write(&mut tx, &form, &keys, cx.stamp()?).await? {
                        return Err(ApiError::stale(&before));
                    }
                    version += 1;
                }
                if !touch(&mut tx, before.id, version, None, cx.stamp()?).await? {
                    return Err(ApiError::stale(&before));
                }
                end_change(cx, &mut tx, &before, has_key && body.approve, proposal::decided(body)).await
            }
            .boxed()
        })
        .await
}

/// `PUT /org/api/withdraw`: takes back the settings that await approval.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<ProposalVersion>) -> Result<OrgApi> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let (_, Kept { settings: before, .. }) = current(cx, &mut tx, body.id, body.version).await?;
                proposal::withdraw(cx, &mut tx, &DELIVERY, before.id, before.decision.as_ref()).await?;
                touch(&mut tx, before.id, body.version, None, cx.stamp()?).await?;
                end_change(cx, &mut tx, &before, false, proposal::withdrawn()).await
            }
            .boxed()
        })
        .await
}

/// The settings of an organisation that the viewer may change, in the version that is meant, held until the transaction ends.
async fn current(cx: &Ctx, tx: &mut Connection, id: i64, version: i64) -> Result<(OrgRow, Kept)> {
    let viewer = cx.viewer()?;
    versioned::hold::<OrgRow>(tx, id).await?;
    let org = orgs::find(&mut *tx, viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
    require_platform_staff(viewer)?;
    let kept = kept(tx, id, cx.now).await?;
    match kept.settings.version == version {
        true => Ok((org, kept)),
        false => Err(ApiError::stale(&kept.settings)),
    }
}

async fn new_key(tx: &mut Connection, house: &Keys, org_id: i64) -> Result<Option<String>> {
    let sealed: Option<String> =
        sqlx::query_scalar("SELECT proposed_enc FROM org_api_config WHERE org_id = $1").bind(org_id).fetch_one(tx).await?;
    Ok(sealed.map(|sealed| house.open(&place::ORGANISATION_API_KEY_PROPOSED.of(org_id), &sealed)).transpose()?)
}

/// Keeps the key that is proposed, none to forget it, and counts the version up; tells whether there was the given one.
async fn touch(
    tx: &mut Connection,
    org_id: i64,
    version: i64,
    sealed: Option<String>,
    stamp: Stamp,
) -> std::result::Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE org_api_config SET proposed_enc = $1, version = version + 1, updated_at = $2, updated_by = $3 WHERE org_id = $4 AND version = $5",
    )
    .bind(sealed)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(org_id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// A change of the settings as something to be decided on.
fn of<'p>(org: &'p OrgRow, now: &OrgApi, wanted: &Wanted) -> Proposal<'p> {
    let from = json!({
        "matchUrl": now.match_url, "applyUrl": now.apply_url, "queryUrl": now.query_url, "crypto": now.crypto, "fieldMap": now.field_map,
        "valueMap": now.value_map, "matchOkExpr": now.match_ok_expr, "applyOkExpr": now.apply_ok_expr, "queryOkExpr": now.query_ok_expr,
        "queryNoneExpr": now.query_none_expr, "knownExpr": now.known_expr
    });
    let to = serde_json::to_value(wanted).expect("settings serialise");
    Proposal { kind: &DELIVERY, id: now.id, record: &org.name, from, to }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The preview of a new key has the keys that the approval makes.
    #[test]
    fn the_preview_of_a_key_is_what_the_approval_makes_of_it() {
        let house = Keys::new(b"secret", &[7; 32]);
        let stored = rotated(&house, 1, rotated(&house, 1, Vec::new(), "a", 0, 0), "b", 24, 0);
        let now: Vec<OrgKey> = stored
            .iter()
            .map(|key| OrgKey {
                fingerprint: key.fingerprint.clone(),
                added_at: key.added_at,
                valid_until: key.valid_until,
                is_proposed: false,
                overlap_hours: None,
            })
            .collect();
        for (has_same_crypto, overlap_hours) in [(true, 0), (true, 720), (false, 720)] {
            let preview = keys_after(&now, Some((fingerprint(&house, "c"), 5)), has_same_crypto, overlap_hours);
            let kept = if has_same_crypto { stored.clone() } else { Vec::new() };
            let made = rotated(&house, 1, kept, "c", overlap_hours, 5);
            let staying = preview.iter().filter(|key| key.overlap_hours != Some(0));
            assert!(staying.map(|key| &key.fingerprint).eq(made.iter().map(|key| &key.fingerprint)), "{has_same_crypto} {overlap_hours}");
            assert_eq!(preview.iter().map(|key| key.is_proposed).collect::<Vec<_>>(), [true, false, false]);
        }
        assert_eq!(keys_after(&now, None, true, 24), now);
        assert!(keys_after(&now, None, false, 24).iter().all(|key| key.overlap_hours == Some(0)));
    }
}
