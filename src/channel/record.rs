//! One channel: seen, made, changed, deleted. Every change is one transaction with its audit row.

use std::sync::Arc;

use sqlx::AnyConnection;

use super::form::Form;
use super::list::TARGET;
use super::model::{ChannelEdit, ChannelRow, ChannelSecret, ChannelSecretChange, ChannelStatus, ChannelStatusChange, NewChannel};
use super::status;
use super::store::{self, Sealed};
use crate::access::audit::{self, Action, AuditEntry, Change};
use crate::access::{Scope, Viewer};
use crate::api::{ApiError, Body, Ctx, Id, Result, say};
use crate::compliance::{self, TargetType};
use crate::{crypto, db, setting};

/// Characters of a made key and of a made secret (139 and 232 bits).
const KEY_LENGTH: usize = 24;
const SECRET_LENGTH: usize = 40;

/// `GET /channel/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ChannelRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /channel/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /channel`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<NewChannel>) -> Result<ChannelSecret> {
    let viewer = cx.viewer()?;
    let mut form = Form::of_new(body);
    form.check()?;
    let mut tx = cx.db().begin().await?;
    form.owner_admin_id = owner(&mut tx, viewer, form.owner_admin_id, None).await?;

    let (app_key, app_secret) = (crypto::random_text(KEY_LENGTH), crypto::random_text(SECRET_LENGTH));
    let sealed = Sealed { app_key: &app_key, app_secret_enc: &cx.app.keys.encrypt(&app_secret) };
    // Where a check is required it begins switched off: nobody could have checked it yet.
    let status = match cx.setting(&setting::COMPLIANCE_REQUIRED_FOR_CHANNELS).await? {
        true => ChannelStatus::Disabled,
        false => ChannelStatus::Enabled,
    };
    let id = store::insert(&mut tx, &form, sealed, status, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("渠道编码 {} 已存在", form.code), format!("There is a channel {} already", form.code))),
        false => error.into(),
    })?;
    let row = store::find(&mut *tx, Scope::All, id).await?;
    cx.record(&mut tx, TARGET.of(id), None, row.as_ref()).await?;
    tx.commit().await?;
    Ok(ChannelSecret { id, app_key, app_secret })
}

/// `PUT /channel`.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<ChannelEdit>) -> Result<ChannelRow> {
    let viewer = cx.viewer()?;
    let (id, version) = (body.id, body.version);
    let mut tx = cx.db().begin().await?;
    let before = current(&mut tx, viewer, id, version).await?;
    let mut form = Form::of_edit(body, &before)?;
    form.check()?;
    form.owner_admin_id = owner(&mut tx, viewer, form.owner_admin_id, before.owner_admin_id).await?;
    let written = store::update(&mut tx, id, version, &form, cx.stamp()?).await?;
    changed(&cx, tx, before, written).await
}

/// `PUT /channel/status`.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<ChannelStatusChange>) -> Result<ChannelRow> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    let before = current(&mut tx, viewer, body.id, body.version).await?;
    status::change(before.status, body.status)?;
    if body.status == ChannelStatus::Enabled {
        let required = cx.setting(&setting::COMPLIANCE_REQUIRED_FOR_CHANNELS).await?;
        compliance::must_pass(&mut tx, TargetType::Channel, body.id, required, cx.now).await?;
    }
    let written = store::set_status(&mut tx, body.id, body.version, body.status, cx.stamp()?).await?;
    changed(&cx, tx, before, written).await
}

/// `PUT /channel/secret`: a new secret; the old one ends at once.
pub async fn rotate_secret(cx: Arc<Ctx>, Body(body): Body<ChannelSecretChange>) -> Result<ChannelSecret> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    let before = current(&mut tx, viewer, body.id, body.version).await?;
    let app_secret = crypto::random_text(SECRET_LENGTH);
    let sealed = cx.app.keys.encrypt(&app_secret);
    if !store::set_secret(&mut tx, body.id, body.version, &sealed, cx.stamp()?).await? {
        return Err(overtaken(&mut tx, viewer, body.id).await?);
    }
    // That it changed is told, never what it was or is.
    let change = Change { field: "appSecret".to_owned(), before: Some("***".to_owned()), after: Some("***".to_owned()) };
    audit::record(&mut tx, &cx.actor()?, TARGET.of(body.id), Action::Update, &[change]).await?;
    tx.commit().await?;
    Ok(ChannelSecret { id: before.id, app_key: before.app_key, app_secret })
}

/// `DELETE /channel/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    let before = store::find(&mut *tx, viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
    if let Some(referrer) = store::referrer(&mut tx, id).await? {
        return Err(ApiError::State(referrer));
    }
    if !store::delete(&mut tx, id, cx.stamp()?).await? {
        return Err(ApiError::Missing);
    }
    cx.record(&mut tx, TARGET.of(id), Some(&before), None).await?;
    tx.commit().await?;
    Ok(())
}

/// The channel in the version that the viewer has before him.
async fn current(tx: &mut AnyConnection, viewer: &Viewer, id: i64, version: i64) -> Result<ChannelRow> {
    let row = store::find(tx, viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
    match row.version == version {
        true => Ok(row),
        false => Err(ApiError::stale(&row)),
    }
}

/// Ends a change: the audit row and the channel as it is now. A write that met another version
/// than the one just read was overtaken by another transaction.
async fn changed(cx: &Ctx, mut tx: db::Tx, before: ChannelRow, written: bool) -> Result<ChannelRow> {
    let viewer = cx.viewer()?;
    if !written {
        return Err(overtaken(&mut tx, viewer, before.id).await?);
    }
    let after = store::find(&mut *tx, viewer.scope(), before.id).await?.ok_or(ApiError::Missing)?;
    cx.record(&mut tx, TARGET.of(after.id), Some(&before), Some(&after)).await?;
    tx.commit().await?;
    Ok(after)
}

async fn overtaken(tx: &mut AnyConnection, viewer: &Viewer, id: i64) -> Result<ApiError> {
    Ok(store::find(tx, viewer.scope(), id).await?.map_or(ApiError::Missing, |row| ApiError::stale(&row)))
}

/// Who is to own the channel. It may stay with whom it is; it may go to an enabled account of the
/// platform; and who sees only his own channels keeps them his.
async fn owner(tx: &mut AnyConnection, viewer: &Viewer, wanted: Option<i64>, before: Option<i64>) -> Result<Option<i64>> {
    let wrong = |message| Err(ApiError::field("ownerAdminId", message));
    match (viewer.scope(), wanted) {
        (Scope::Own(me), None) => Ok(Some(me)),
        (Scope::Own(me), Some(other)) if other != me => wrong(say("只能由自己负责", "Only you can own your channels")),
        (Scope::Own(_) | Scope::All, wanted) if wanted == before => Ok(wanted),
        (Scope::Own(_) | Scope::All, Some(admin)) if !store::can_own(tx, admin).await? => {
            wrong(say("请选择启用中的平台账号", "Choose an enabled account of the platform"))
        }
        (Scope::Own(_) | Scope::All, wanted) => Ok(wanted),
        // A channel made in another scope would be nobody's to see.
        _ => Err(ApiError::Forbidden),
    }
}
