//! One product: view, creation, changes, deletion. Every change is one transaction with its audit row.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use super::facts::compliance_facts;
use super::form::{self, Form};
use super::list::TARGET;
use super::model::{ProductCheck, ProductForm, ProductNow, ProductRow, ProductStatus, ProductStatusChange};
use super::{now, status, store};
use crate::compliance::{self, TargetType};
use crate::org::{self, OrgStatus};
use base::db;
use base::db::Connection;
use base::locale::Locale;
use frame::access::audit::{self, AuditEntry, Target};
use frame::access::{Scope, Viewer};
use frame::api::owner::require_platform_staff;
use frame::api::versioned::{self, Versioned};
use frame::api::{self, ApiError, Body, Ctx, FileRule, Id, Result, say};
use frame::dict::ChoiceBook;
use frame::{setting, terms, upload};

/// The most products whose status is changed at once: those of the longest page.
const MOST_AT_ONCE: usize = 200;

/// Logos: seen by who sees the product.
pub const LOGO: FileRule = FileRule { biz_type: "product_logo", pictures_only: true, masks_names: false, sees: sees_logo };

fn sees_logo(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        let shown = viewer.has("product/list/view") || viewer.has("product/list/list");
        Ok(shown && store::find(cx.db().read(), viewer.scope(), id).await?.is_some())
    })
}

impl Versioned for ProductRow {
    const TARGET: Target = TARGET;
    /// Names stand for the ids beside them.
    const LEFT_OUT: &'static [&'static str] = &["orgId", "logoFileId"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<ProductRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /product/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ProductNow> {
    let row = store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(now::of_one(cx.db(), row, cx.now).await?)
}

/// `GET /product/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let entries = audit::history(cx.db(), TARGET.kind, id).await?;
    Ok(entries.into_iter().map(|entry| AuditEntry { diff: terms::history::in_words(entry.diff, cx.locale), ..entry }).collect())
}

/// `GET /product/check/{id}`: what a product needs to go online.
pub async fn latest_check(cx: Arc<Ctx>, Id(id): Id) -> Result<ProductCheck> {
    let mut on = cx.db().read().acquire().await?;
    let (name, facts) = compliance_facts(&mut on, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let (passed, check) = compliance::standing(&mut on, TargetType::Product, id, cx.now).await?;
    let changed = match &check {
        Some(check) => !compliance::is_unchanged(&mut on, check, &name, &facts).await?,
        None => false,
    };
    Ok(ProductCheck { passed: passed && !changed, changed, check })
}

/// `POST /product`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<ProductForm>) -> Result<ProductRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new product has none".to_owned()));
    }
    let viewer = cx.viewer()?;
    require_platform_staff(viewer)?;
    let form = Form::of(body);
    form.check(&*cx.app.service::<ChoiceBook>().current(cx.db()).await?)?;
    let mut tx = cx.db().begin().await?;
    check_organisation(&mut tx, viewer, form.org_id, None).await?;
    let id = store::insert(&mut tx, &form, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("产品编码 {} 已存在", form.code), format!("Product {} already exists", form.code))),
        false => error.into(),
    })?;
    settle_logo(&cx, &mut tx, id, &form).await?;
    store::write(&mut tx, id, 0, &form, cx.stamp()?).await?;
    versioned::created(&cx, tx, id).await
}

/// `PUT /product`. A product that is online must stay fit for it.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<ProductForm>) -> Result<ProductRow> {
    let viewer = cx.viewer()?;
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let limit = cx.setting(&setting::COMPLIANCE_MAX_RATE_BP).await?;
    let choices = cx.app.service::<ChoiceBook>().current(cx.db()).await?;
    let mut tx = cx.db().begin().await?;
    let before = versioned::current::<ProductRow>(&cx, &mut tx, id, version).await?;
    let form = Form::of(body);
    if form.code != before.code {
        return Err(ApiError::field("code", say("产品编码创建后不能修改", "A product's code cannot be changed")));
    }
    form.check(&choices)?;
    match before.status {
        ProductStatus::Archived => {
            return Err(ApiError::State(say("产品已归档，不能修改", "The product is archived; it cannot be changed")));
        }
        ProductStatus::Online => match form.unfit(limit) {
            unfit if unfit.is_empty() => {}
            unfit => return Err(ApiError::Fields(unfit)),
        },
        ProductStatus::Draft | ProductStatus::Offline => {}
    }
    check_organisation(&mut tx, viewer, form.org_id, Some(before.org_id)).await?;
    settle_logo(&cx, &mut tx, id, &form).await?;
    let written = store::write(&mut tx, id, version, &form, cx.stamp()?).await?;
    versioned::changed(&cx, tx, before, written).await
}

/// `PUT /product/status`.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<ProductStatusChange>) -> Result<ProductRow> {
    let limit = cx.setting(&setting::COMPLIANCE_MAX_RATE_BP).await?;
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &ProductRow| {
        async move {
            status::change(before.status, body.status)?;
            if body.status == ProductStatus::Online {
                may_go_online(&mut tx, before, limit, stamp.at).await?;
            }
            Ok(store::set_status(&mut tx, body.id, body.version, body.status, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// Products, each in the version that the viewer has on screen.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ProductsStatusChange {
    /// At most 200.
    pub products: Vec<ProductVersion>,
    pub status: ProductStatus,
}

/// One of them.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ProductVersion {
    pub id: i64,
    pub version: i64,
}

/// The result of a change of several products.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct ProductsChanged {
    /// How many were changed.
    pub done: i64,
    pub refused: Vec<ProductRefused>,
}

/// A product that was not changed.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct ProductRefused {
    pub id: i64,
    /// Empty for one that does not exist.
    pub name: String,
    /// The reason, in the viewer's language.
    pub reason: String,
}

/// `PUT /product/statusMany`: each product by itself, so that a refused one does not stop the others.
pub async fn change_many(cx: Arc<Ctx>, Body(body): Body<ProductsStatusChange>) -> Result<ProductsChanged> {
    let count = body.products.len();
    if count == 0 || count > MOST_AT_ONCE {
        return Err(ApiError::field("products", say(format!("1 到 {MOST_AT_ONCE} 个"), format!("1 to {MOST_AT_ONCE}"))));
    }
    let mut answer = ProductsChanged { done: 0, refused: Vec::new() };
    for ProductVersion { id, version } in body.products {
        match change_status(cx.clone(), Body(ProductStatusChange { id, version, status: body.status })).await {
            Ok(_) => answer.done += 1,
            Err(refusal @ (ApiError::Internal(_) | ApiError::Busy | ApiError::Forbidden)) => return Err(refusal),
            Err(refusal) => {
                let found = store::find(cx.db().read(), cx.viewer()?.scope(), id).await?;
                let name = found.map(|row| row.name).unwrap_or_default();
                answer.refused.push(ProductRefused { id, name, reason: refusal.text(cx.locale) });
            }
        }
    }
    Ok(answer)
}

/// `DELETE /product/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let mut tx = cx.db().begin().await?;
    let before: ProductRow = versioned::hold_as_platform_staff(&cx, &mut tx, id).await?;
    if before.status == ProductStatus::Online {
        return Err(ApiError::State(say("产品正在上架，请先下架", "The product is online: take it offline first")));
    }
    if let Some(referrer) = store::referrer(&mut tx, id).await? {
        return Err(ApiError::State(referrer));
    }
    if !store::delete(&mut tx, id, cx.stamp()?).await? {
        return Err(ApiError::Missing);
    }
    versioned::deleted(&cx, tx, before).await
}

/// The conditions for going online: a lender and a rate within the limit, an active organisation, and a compliance
/// check of the product's present state.
async fn may_go_online(tx: &mut Connection, row: &ProductRow, limit_bp: i64, now: i64) -> Result<()> {
    if let Some(refusal) = form::refusal(&form::unfit(&row.lender_name, row.annual_rate_max_bp, limit_bp)) {
        return Err(refusal);
    }
    let organisation = org::find(&mut *tx, Scope::All, row.org_id).await?;
    if organisation.is_none_or(|organisation| organisation.status != OrgStatus::Active) {
        return Err(ApiError::State(say(
            "所属机构不在合作中，不能上架",
            "The organisation is not active, so the product cannot go online",
        )));
    }
    let (_, facts) = compliance_facts(&mut *tx, Scope::All, row.id).await?.ok_or(ApiError::Missing)?;
    compliance::must_match(tx, TargetType::Product, row.id, &row.name, &facts, now).await
}

/// The new organisation of a product: it may stay the same, or be an active one that the viewer sees.
async fn check_organisation(tx: &mut Connection, viewer: &Viewer, org_id: i64, before: Option<i64>) -> Result<()> {
    if before == Some(org_id) {
        return Ok(());
    }
    let found = org::find(tx, viewer.scope(), org_id).await?;
    match found.is_some_and(|organisation| organisation.status == OrgStatus::Active) {
        true => Ok(()),
        false => Err(ApiError::field("orgId", say("请选择合作中的机构", "Choose an active organisation"))),
    }
}

/// Takes the form's picture for the product.
async fn settle_logo(cx: &Ctx, tx: &mut Connection, id: i64, form: &Form) -> Result<()> {
    let files = form.logo_file_id.as_slice();
    match upload::settle(tx, LOGO.biz_type, id, files, cx.viewer()?.id, cx.now).await? {
        true => Ok(()),
        false => Err(ApiError::field("logoFileId", say("请重新上传图标", "Upload the logo again"))),
    }
}
