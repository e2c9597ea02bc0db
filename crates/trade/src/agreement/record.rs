//! One agreement: view, entry, changes, deletion. Every change is one transaction with its audit row.

use std::sync::Arc;

use super::form::Form;
use super::list::TARGET;
use super::model::{AgreementDetail, AgreementForm};
use super::store;
use crate::agreement::Register;
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Target};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Result, say};

impl Versioned for AgreementDetail {
    const TARGET: Target = TARGET;
    /// The trail names a text by its digest; the state follows from the moments, and consents are no change of the agreement.
    const LEFT_OUT: &'static [&'static str] = &["text", "state", "consents"];

    fn key(&self) -> (i64, i64) {
        (self.agreement.id, self.agreement.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<AgreementDetail>, sqlx::Error> {
        match scope {
            Scope::All => store::find(tx, id, None).await,
            _ => Ok(None),
        }
    }
}

/// `GET /agreement/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<AgreementDetail> {
    cx.overseer()?;
    let mut on = cx.db().read().acquire().await?;
    store::find(&mut on, id, Some(cx.now)).await?.ok_or(ApiError::Missing)
}

/// `GET /agreement/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.agreement.id).await?)
}

/// `POST /agreement`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<AgreementForm>) -> Result<AgreementDetail> {
    cx.overseer()?;
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new agreement has none".to_owned()));
    }
    let form = Form::of(body, None, cx.now);
    form.check(None, cx.now)?;
    let mut tx = cx.db().begin().await?;
    let id = store::insert(&mut tx, &form, cx.stamp()?).await.map_err(|error| taken(error, &form))?;
    let created = versioned::created(&cx, tx, id).await?;
    cx.app.service::<Register>().forget();
    Ok(created)
}

/// `PUT /agreement`: all fields, if no consent names it; otherwise name, end and a missing text.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<AgreementForm>) -> Result<AgreementDetail> {
    cx.overseer()?;
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let mut tx = cx.db().begin().await?;
    let before = versioned::current::<AgreementDetail>(&cx, &mut tx, id, version).await?;
    let consents = store::consents(&mut tx, id).await?;
    let form = Form::of(body, Some(&before), cx.now);
    form.check(Some((&before, consents)), cx.now)?;
    let written = store::update(&mut tx, id, version, &form, cx.stamp()?).await.map_err(|error| taken(error, &form))?;
    let changed = versioned::changed(&cx, tx, before, written).await?;
    cx.app.service::<Register>().forget();
    Ok(changed)
}

/// `DELETE /agreement/{id}`: only if no consent names it.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    cx.overseer()?;
    let mut tx = cx.db().begin().await?;
    let before: AgreementDetail = versioned::hold_as_platform_staff(&cx, &mut tx, id).await?;
    if !store::delete(&mut tx, id).await? {
        return Err(ApiError::State(say(
            "已有授权引用这份授权书，不能删除，可以设置结束时间",
            "Consents name this agreement: it cannot be deleted, set its end instead",
        )));
    }
    versioned::deleted(&cx, tx, before).await?;
    cx.app.service::<Register>().forget();
    Ok(())
}

fn taken(error: sqlx::Error, form: &Form) -> ApiError {
    let Form { code, edition, .. } = form;
    match db::is_duplicate(&error) {
        true => {
            ApiError::Duplicate(say(format!("授权书 {code} 已有版本 {edition}"), format!("Agreement {code} already has version {edition}")))
        }
        false => error.into(),
    }
}
