//! One channel: view, creation, changes, deletion. Every change is one transaction with its audit row.

use std::sync::Arc;

use super::form::Form;
use super::list::{self, TARGET};
use super::model::{
    ChannelEdit, ChannelMode, ChannelModeChange, ChannelNow, ChannelQr, ChannelRow, ChannelSecret, ChannelSecretChange, ChannelSecretEnd,
    ChannelStatus, ChannelStatusChange, NewChannel,
};
use super::store::{self, Sealed};
use super::{status, trial};
use crate::compliance::{self, TargetType};
use crate::ledger::partner_items;
use base::crypto::{self, place};
use base::db;
use base::db::Connection;
use base::locale::Locale;
use base::qr;
use frame::access::audit::{self, Action, AuditEntry, Target};
use frame::access::{Scope, Viewer};
use frame::api::owner;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, IdQuery, Result, say};
use frame::dict::ChoiceBook;
use frame::rotation::{self, LONGEST_OVERLAP};
use frame::{setting, terms};
use futures_util::FutureExt;
use serde::Deserialize;

/// Characters of a generated key and of a generated secret (139 and 232 bits).
const KEY_LENGTH: usize = 24;
const SECRET_LENGTH: usize = 40;
/// The permissions to see amounts payable to channels: either of them.
const PAYABLE: [&str; 2] = ["finance/account/journal", "finance/partner/list"];
/// Bytes of a host with its port.
const LONGEST_HOST: usize = 261;
/// Hours for which an old secret stays valid by default.
const OVERLAP_HOURS: i64 = 24;

impl Versioned for ChannelRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<ChannelRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /channel/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ChannelNow> {
    let row = seen(&cx, id).await?;
    let mut now = list::now(&cx, vec![row]).await?.remove(0);
    let viewer = cx.viewer()?;
    if PAYABLE.iter().any(|point| viewer.has(point)) {
        now.payable = Some(partner_items::payable(cx.db().read(), id).await?);
    }
    Ok(now)
}

/// The origin of the viewer's page, which only the browser knows.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct QrQuery {
    /// `https://leadlane.example.com`.
    pub origin: String,
}

/// `GET /channel/qr/{id}?origin=`: the address that counts a channel's visitors as a QR code. Without a landing page it is that of the
/// page of products.
pub async fn qr_code(cx: Arc<Ctx>, IdQuery(id, QrQuery { origin }): IdQuery<QrQuery>) -> Result<ChannelQr> {
    let row = seen(&cx, id).await?;
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")).unwrap_or_default();
    if host.is_empty() || host.len() > LONGEST_HOST || !host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte)) {
        return Err(ApiError::Malformed("origin".to_owned()));
    }
    let products = if row.landing_url.is_none() { "/products" } else { "" };
    let address = format!("{origin}/v/{}{products}", row.code);
    let picture = qr::picture(&address);
    Ok(ChannelQr { address, path: picture.path, size: picture.size })
}

/// A channel within the viewer's scope.
pub(super) async fn seen(cx: &Ctx, id: i64) -> Result<ChannelRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /channel/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    let row = seen(&cx, id).await?;
    let entries = audit::history(cx.db(), TARGET.kind, row.id).await?;
    Ok(entries.into_iter().map(|entry| AuditEntry { diff: terms::history::in_words(entry.diff, cx.locale), ..entry }).collect())
}

/// `POST /channel`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<NewChannel>) -> Result<ChannelSecret> {
    let viewer = cx.viewer()?;
    let mut form = Form::of_new(body);
    form.check(&*cx.app.service::<ChoiceBook>().current(cx.db()).await?)?;
    // If a check is required the channel begins disabled: it cannot have been checked yet.
    let status = match cx.setting(&setting::COMPLIANCE_REQUIRED_FOR_CHANNELS).await? {
        true => ChannelStatus::Disabled,
        false => ChannelStatus::Enabled,
    };
    let mut tx = cx.db().begin().await?;
    form.owner_admin_id = owner::allowed(&mut tx, viewer, form.owner_admin_id, None).await?;

    let (app_key, app_secret) = (crypto::random_text(KEY_LENGTH), crypto::random_text(SECRET_LENGTH));
    let sealed = Sealed { app_key: &app_key, app_secret_enc: &cx.app.keys.seal(&place::CHANNEL_SECRET.of(&app_key), &app_secret) };
    let id = store::insert(&mut tx, &form, sealed, status, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("渠道编码 {} 已存在", form.code), format!("Channel {} already exists", form.code))),
        false => error.into(),
    })?;
    let row = store::find(&mut *tx, Scope::All, id).await?;
    cx.record(&mut tx, TARGET.of(id), None, row.as_ref()).await?;
    cx.commit(tx, ChannelSecret { id, app_key, app_secret, old_secret_until: None }).await
}

/// `PUT /channel`.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<ChannelEdit>) -> Result<ChannelRow> {
    let viewer = cx.viewer()?;
    let (id, version) = (body.id, body.version);
    let choices = cx.app.service::<ChoiceBook>().current(cx.db()).await?;
    let mut tx = cx.db().begin().await?;
    let before = versioned::current::<ChannelRow>(&cx, &mut tx, id, version).await?;
    let mut form = Form::of_edit(body, &before)?;
    form.check(&choices)?;
    form.owner_admin_id = owner::allowed(&mut tx, viewer, form.owner_admin_id, before.owner_admin_id).await?;
    let written = store::update(&mut tx, id, version, &form, cx.stamp()?).await?;
    versioned::changed(&cx, tx, before, written).await
}

/// `PUT /channel/status`.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<ChannelStatusChange>) -> Result<ChannelRow> {
    let required = cx.setting(&setting::COMPLIANCE_REQUIRED_FOR_CHANNELS).await?;
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &ChannelRow| {
        async move {
            status::change(before.status, body.status)?;
            if body.status == ChannelStatus::Enabled {
                compliance::must_pass(&mut tx, TargetType::Channel, body.id, required, stamp.at).await?;
            }
            Ok(store::set_status(&mut tx, body.id, body.version, body.status, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// `PUT /channel/mode`: live mode needs a test lead that passed with the channel's present terms; test mode is
/// possible at any time.
pub async fn change_mode(cx: Arc<Ctx>, Body(body): Body<ChannelModeChange>) -> Result<ChannelRow> {
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &ChannelRow| {
        async move {
            if before.mode == body.mode {
                let (chinese, english) = (before.mode.label(Locale::Chinese), before.mode.label(Locale::English));
                return Err(ApiError::State(say(format!("渠道已经是{chinese}模式"), format!("The channel is already {english}"))));
            }
            if body.mode == ChannelMode::Live {
                trial::must_have_passed(&mut tx, before).await?;
            }
            Ok(store::set_mode(&mut tx, body.id, body.version, body.mode, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// `PUT /channel/secret`: a new secret. The old one stays valid beside it for a while, so that the channel can change
/// over without a gap.
pub async fn rotate_secret(cx: Arc<Ctx>, Body(body): Body<ChannelSecretChange>) -> Result<ChannelSecret> {
    let viewer = cx.viewer()?;
    let overlap_hours = body.overlap_hours.unwrap_or(OVERLAP_HOURS);
    Check::new().range("overlapHours", overlap_hours, 0..=LONGEST_OVERLAP).done()?;
    let mut tx = cx.db().begin().await?;
    let before = versioned::current::<ChannelRow>(&cx, &mut tx, body.id, body.version).await?;
    let app_secret = crypto::random_text(SECRET_LENGTH);
    let sealed = cx.app.keys.seal(&place::CHANNEL_SECRET.of(&before.app_key), &app_secret);
    let old_until = rotation::valid_until(cx.now, overlap_hours);
    if !store::set_secret(&mut tx, body.id, body.version, &sealed, old_until, cx.stamp()?).await? {
        return Err(overtaken(&mut tx, viewer, body.id).await?);
    }
    let changes = rotation::diff("", true, before.old_secret_until, old_until);
    audit::record(&mut tx, &cx.actor()?, TARGET.of(body.id), Action::Update, &changes).await?;
    tx.commit().await?;
    Ok(ChannelSecret { id: before.id, app_key: before.app_key, app_secret, old_secret_until: old_until })
}

/// `PUT /channel/secretEnd`: the old secret ends at once.
pub async fn end_old_secret(cx: Arc<Ctx>, Body(body): Body<ChannelSecretEnd>) -> Result<ChannelRow> {
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &ChannelRow| {
        async move {
            if before.old_secret_until.is_none_or(|until| until <= stamp.at) {
                return Err(ApiError::State(say("没有仍然有效的旧密钥", "There is no old secret that is still valid")));
            }
            Ok(store::end_old_secret(&mut tx, body.id, body.version, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// `DELETE /channel/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let mut tx = cx.db().begin().await?;
    let before: ChannelRow = versioned::hold_as_platform_staff(&cx, &mut tx, id).await?;
    if let Some(referrer) = store::referrer(&mut tx, id).await? {
        return Err(ApiError::State(referrer));
    }
    if !store::delete(&mut tx, id, cx.stamp()?).await? {
        return Err(ApiError::Missing);
    }
    versioned::deleted(&cx, tx, before).await
}

async fn overtaken(tx: &mut Connection, viewer: &Viewer, id: i64) -> Result<ApiError> {
    Ok(store::find(tx, viewer.scope(), id).await?.map_or(ApiError::Missing, |row| ApiError::stale(&row)))
}
