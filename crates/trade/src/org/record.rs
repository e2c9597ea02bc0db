//! One organisation: view, creation, changes, deletion. Every change is one transaction with its audit row.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::delivery;
use super::form::Form;
use super::list::TARGET;
use super::model::{OrgCheck, OrgForm, OrgRow, OrgStatus, OrgStatusChange, RevealedOrg};
use super::payee;
use super::terms::{self, OrgTerms};
use super::{status, store};
use crate::compliance::{self, TargetType};
use crate::ledger::account;
use base::db;
use base::db::Connection;
use base::locale::Locale;
use base::mask;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::owner;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Ctx, FileRule, Id, Result, say};
use frame::proposal;
use frame::{reveal, upload};

/// Pictures of licences: seen by who sees the organisation.
pub const LICENCE: FileRule = FileRule { biz_type: "org_licence", pictures_only: true, masks_names: false, sees: sees_licence };

fn sees_licence(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("org/list/view") && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for OrgRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<OrgRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    /// The audit changes: names instead of the ids beside them.
    fn diff(before: Option<&OrgRow>, after: Option<&OrgRow>) -> Vec<Change> {
        let mut changes = audit::changes_without(
            &["ownerAdminId", "payeeOrgId", "licenceFileId", "deliveryMakers", "decision", "proposed"],
            before,
            after,
        );
        let proposed = |row: Option<&OrgRow>| row.and_then(|row| row.proposed);
        let (was, is) = (proposed(before), proposed(after));
        changes.extend(proposal::changes((before, was.as_ref()), (after, is.as_ref())));
        changes
    }
}

/// `GET /org/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<OrgRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /org/history/{id}`. Changes of delivery settings are only for those who may see the settings.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    let mut entries = audit::history(cx.db(), TARGET.kind, row.id).await?;
    if !cx.viewer()?.has("org/list/apiView") {
        entries.retain_mut(|entry| {
            let all = entry.diff.len();
            entry.diff.retain(|Change { field, .. }| !field.strip_prefix("asked.").unwrap_or(field).starts_with("api."));
            all == 0 || !entry.diff.is_empty()
        });
    }
    Ok(entries)
}

/// `GET /org/reveal/{id}`: the whole phones. The reveal is recorded first.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<RevealedOrg> {
    let mut tx = cx.db().begin().await?;
    store::find(&mut *tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let phones = store::phones(&mut tx, &cx.app.keys, id).await?;
    let seen = ["contactPhone", "alertPhones"].map(|field| Change { field: field.to_owned(), before: None, after: None });
    reveal::written(&cx, tx, TARGET.of(id), &seen).await?;
    Ok(phones)
}

/// `POST /org`: its terms await approval.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<OrgForm>) -> Result<OrgRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new organisation has none".to_owned()));
    }
    let viewer = cx.viewer()?;
    let mut form = Form::of(body);
    form.check()?;
    let mut tx = cx.db().begin().await?;
    form.owner_admin_id = owner::allowed(&mut tx, viewer, form.owner_admin_id, None).await?;
    payee::check_choice(&mut tx, form.payee_org_id, None).await?;
    let held = OrgTerms::FIRST.in_form(&form);
    let id = store::insert(&mut tx, &held, OrgStatus::Pending, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("机构编码 {} 已存在", form.code), format!("Organisation {} already exists", form.code))),
        false => error.into(),
    })?;
    settle_licence(&cx, &mut tx, id, &form).await?;
    store::write(&mut tx, &cx.app.keys, id, 0, &held, cx.stamp()?).await?;
    let row = store::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    terms::propose(&cx, &mut tx, &row, &form).await?;
    versioned::created(&cx, tx, id).await
}

/// `PUT /org`: changed terms await approval; all other fields are written at once.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<OrgForm>) -> Result<OrgRow> {
    let viewer = cx.viewer()?;
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let mut tx = cx.db().begin().await?;
    let before = versioned::current::<OrgRow>(&cx, &mut tx, id, version).await?;
    let stored = store::phones(&mut tx, &cx.app.keys, id).await?;
    let masked: Vec<(String, String)> = stored.alert_phones.iter().map(|phone| (mask::phone(phone), phone.clone())).collect();
    let mut form = Form::of(body).with_stored(&masked);
    if form.code != before.code {
        return Err(ApiError::field("code", say("机构编码创建后不能修改", "An organisation's code cannot be changed")));
    }
    form.check()?;
    form.owner_admin_id = owner::allowed(&mut tx, viewer, form.owner_admin_id, before.owner_admin_id).await?;
    payee::check_choice(&mut tx, form.payee_org_id, before.payee_org_id).await?;
    settle_licence(&cx, &mut tx, id, &form).await?;
    let written = store::write(&mut tx, &cx.app.keys, id, version, &terms::kept(&before, &form), cx.stamp()?).await?;
    if written {
        terms::propose(&cx, &mut tx, &before, &form).await?;
    }
    versioned::changed(&cx, tx, before, written).await
}

/// `PUT /org/status`.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<OrgStatusChange>) -> Result<OrgRow> {
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &OrgRow| {
        async move {
            status::change(before.status, body.status)?;
            match body.status {
                OrgStatus::Active => {
                    // For the first activation a passed check is needed; later ones only need that none has failed
                    // since.
                    let required = before.status == OrgStatus::Pending;
                    compliance::must_pass(&mut tx, TargetType::Organisation, body.id, required, stamp.at).await?;
                }
                OrgStatus::Terminated => {
                    // First, so that a concurrent sale is seen, or is not made.
                    account::close(&mut tx, body.id, stamp.at).await?;
                    if let Some(owed) = store::unsettled(&mut tx, body.id).await? {
                        return Err(ApiError::State(owed));
                    }
                }
                OrgStatus::Pending | OrgStatus::Paused => {}
            }
            Ok(store::set_status(&mut tx, body.id, body.version, body.status, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// `GET /org/check/{id}`: what the first activation of an organisation needs.
pub async fn latest_check(cx: Arc<Ctx>, Id(id): Id) -> Result<OrgCheck> {
    let mut on = cx.db().read().acquire().await?;
    store::find(&mut on, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let (passed, check) = compliance::standing(&mut on, TargetType::Organisation, id, cx.now).await?;
    Ok(OrgCheck { passed, check })
}

/// `DELETE /org/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let mut tx = cx.db().begin().await?;
    let before: OrgRow = versioned::hold_as_platform_staff(&cx, &mut tx, id).await?;
    if let Some(referrer) = store::referrer(&mut tx, id).await? {
        return Err(ApiError::State(referrer));
    }
    delivery::pending::forget(&mut tx, id, cx.now).await?;
    terms::forget(&mut tx, id, cx.now).await?;
    if !store::delete(&mut tx, id, cx.stamp()?).await? {
        return Err(ApiError::Missing);
    }
    versioned::deleted(&cx, tx, before).await
}

/// Takes the form's picture for the organisation.
async fn settle_licence(cx: &Ctx, tx: &mut Connection, id: i64, form: &Form) -> Result<()> {
    let files = form.licence_file_id.as_slice();
    match upload::settle(tx, LICENCE.biz_type, id, files, cx.viewer()?.id, cx.now).await? {
        true => Ok(()),
        false => Err(ApiError::field("licenceFileId", say("请重新上传许可证照片", "Upload the licence image again"))),
    }
}

/// Writes the audit row of a change.
pub(super) async fn record(cx: &Ctx, tx: &mut Connection, id: i64, action: Action, changes: &[Change]) -> Result<()> {
    Ok(audit::record(tx, &cx.actor()?, TARGET.of(id), action, changes).await?)
}
