//! The key with which an organisation signs its calls: made at the first request, shown once, rotated without a gap.
//! Calls under `/org/api/secret`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::model::{OrgRow, OrgStatus};
use super::record::record;
use super::store;
use base::crypto::{self, place};
use base::db::{self, Connection};
use frame::access::audit::{Action, Change, Stamp};
use frame::api::versioned;
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, say};
use frame::rotation::{self, LONGEST_OVERLAP, Secrets};

/// Characters of a generated key and of a generated secret (139 and 232 bits).
const KEY_LENGTH: usize = 24;
const SECRET_LENGTH: usize = 40;
/// Hours for which an old secret stays valid by default.
const OVERLAP_HOURS: i64 = 24;

/// The signing key of an organisation, without its secret.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgSigning {
    /// The organisation's id.
    pub id: i64,
    /// None if there is none yet.
    pub app_key: Option<String>,
    /// Until when the previous secret is valid, epoch milliseconds.
    pub old_secret_until: Option<i64>,
    /// When the secret was made, epoch milliseconds.
    pub updated_at: Option<i64>,
    /// 0 if there is none yet.
    pub version: i64,
}

/// The organisation that gets a new secret, and how long the previous one stays valid.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct OrgSecretChange {
    /// The organisation's id.
    pub id: i64,
    /// As read; 0 if there was none.
    pub version: i64,
    /// 0 to 720 hours, in which both are valid; absent: 24.
    pub overlap_hours: Option<i64>,
}

/// The organisation whose old secret ends at once.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgSecretEnd {
    /// The organisation's id.
    pub id: i64,
    pub version: i64,
}

/// The key and secret with which an organisation signs its calls. The secret is shown only here.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgSecret {
    /// The organisation's id.
    pub id: i64,
    pub app_key: String,
    pub app_secret: String,
    /// Until when the previous one is valid, epoch milliseconds; none if there is none.
    pub old_secret_until: Option<i64>,
}

/// The key for signing calls to an organisation: the same as for its own calls.
pub(super) struct Signer {
    pub app_key: String,
    pub secret: String,
}

/// An organisation that makes signed calls.
pub struct OrgCaller {
    pub id: i64,
    pub status: OrgStatus,
    /// All of them are valid.
    pub secrets: Secrets,
}

/// The organisation of an app key, unless it was deleted. After a rotation the previous secret is valid, too, for the
/// time that was set.
pub async fn by_app_key<'e>(
    on: impl Executor<'e, Database = Any>,
    app_key: &str,
    now: i64,
) -> std::result::Result<Option<OrgCaller>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT o.id, o.status, k.app_secret_enc, k.old_secret_enc, k.old_secret_until FROM org_signing_key k \
         JOIN organisation o ON o.id = k.org_id WHERE k.app_key = $1 AND o.deleted_at IS NULL",
    )
    .bind(app_key)
    .fetch_optional(on)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let id: i64 = row.try_get("id")?;
    let secrets = Secrets::read(&row, place::ORGANISATION_SECRET.of(id), now)?;
    Ok(Some(OrgCaller { id, status: db::code(&row, "status")?, secrets }))
}

/// `GET /org/api/secret/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<OrgSigning> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(find(cx.db().read(), id).await?)
}

/// `PUT /org/api/secret`: the first key and secret, or a new secret. The old one stays valid beside it for a while,
/// so that the organisation can change over without a gap.
pub async fn rotate(cx: Arc<Ctx>, Body(body): Body<OrgSecretChange>) -> Result<OrgSecret> {
    let mut tx = cx.db().begin().await?;
    let before = current(&cx, &mut tx, body.id, body.version).await?;
    let overlap_hours = body.overlap_hours.unwrap_or(OVERLAP_HOURS);
    Check::new().range("overlapHours", overlap_hours, 0..=LONGEST_OVERLAP).done()?;
    let app_secret = crypto::random_text(SECRET_LENGTH);
    let sealed = cx.app.keys.seal(&place::ORGANISATION_SECRET.of(body.id), &app_secret);
    let old_secret_until = before.app_key.is_some().then(|| rotation::valid_until(cx.now, overlap_hours)).flatten();
    let app_key = before.app_key.clone().unwrap_or_else(|| crypto::random_text(KEY_LENGTH));
    let written = match before.app_key {
        None => insert(&mut tx, body.id, &app_key, &sealed, cx.stamp()?).await?,
        Some(_) => set_secret(&mut tx, body.id, body.version, &sealed, old_secret_until, cx.stamp()?).await?,
    };
    if !written {
        return Err(ApiError::stale(&find(&mut *tx, body.id).await?));
    }
    let changes = rotation::diff("api.", before.app_key.is_some(), before.old_secret_until, old_secret_until);
    record(&cx, &mut tx, body.id, Action::Update, &changes).await?;
    tx.commit().await?;
    Ok(OrgSecret { id: body.id, app_key, app_secret, old_secret_until })
}

/// `PUT /org/api/secretEnd`: the old secret ends at once.
pub async fn end_old(cx: Arc<Ctx>, Body(body): Body<OrgSecretEnd>) -> Result<OrgSigning> {
    let mut tx = cx.db().begin().await?;
    let before = current(&cx, &mut tx, body.id, body.version).await?;
    let Some(until) = before.old_secret_until.filter(|until| *until > cx.now) else {
        return Err(ApiError::State(say("没有仍然有效的旧密钥", "There is no old secret that is still valid")));
    };
    let stamp = cx.stamp()?;
    let ended = sqlx::query(
        "UPDATE org_signing_key SET old_secret_enc = NULL, old_secret_until = NULL, version = version + 1, updated_by = $1 \
         WHERE org_id = $2 AND version = $3",
    )
    .bind(stamp.admin_id)
    .bind(body.id)
    .bind(body.version)
    .execute(&mut *tx)
    .await?;
    let after = find(&mut *tx, body.id).await?;
    if ended.rows_affected() != 1 {
        return Err(ApiError::stale(&after));
    }
    let ended_at = Change { field: "api.oldSecretUntil".to_owned(), before: Some(until.to_string()), after: None };
    record(&cx, &mut tx, body.id, Action::Update, &[ended_at]).await?;
    tx.commit().await?;
    Ok(after)
}

/// The key in the version that the viewer has on screen, and may change.
async fn current(cx: &Ctx, tx: &mut Connection, id: i64, version: i64) -> Result<OrgSigning> {
    versioned::hold_as_platform_staff::<OrgRow>(cx, tx, id).await?;
    let signing = find(&mut *tx, id).await?;
    match signing.version == version {
        true => Ok(signing),
        false => Err(ApiError::stale(&signing)),
    }
}

async fn find<'e>(on: impl Executor<'e, Database = Any>, org_id: i64) -> std::result::Result<OrgSigning, sqlx::Error> {
    let row = sqlx::query("SELECT app_key, old_secret_until, updated_at, version FROM org_signing_key WHERE org_id = $1")
        .bind(org_id)
        .fetch_optional(on)
        .await?;
    row.map_or(Ok(OrgSigning { id: org_id, app_key: None, old_secret_until: None, updated_at: None, version: 0 }), |row| read(&row, org_id))
}

fn read(row: &AnyRow, org_id: i64) -> std::result::Result<OrgSigning, sqlx::Error> {
    Ok(OrgSigning {
        id: org_id,
        app_key: row.try_get("app_key")?,
        old_secret_until: row.try_get("old_secret_until")?,
        updated_at: row.try_get("updated_at")?,
        version: row.try_get("version")?,
    })
}

/// Stores an organisation's first key. Returns whether it was the first.
pub async fn insert(
    tx: &mut Connection,
    org_id: i64,
    app_key: &str,
    secret_enc: &str,
    stamp: Stamp,
) -> std::result::Result<bool, sqlx::Error> {
    sqlx::query(
        "INSERT INTO org_signing_key (org_id, app_key, app_secret_enc, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (org_id) DO NOTHING",
    )
    .bind(org_id)
    .bind(app_key)
    .bind(secret_enc)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Sets the encrypted secret over the given version, and until when the previous one stays valid, if at all. Returns
/// whether that version existed.
pub async fn set_secret(
    tx: &mut Connection,
    org_id: i64,
    version: i64,
    secret_enc: &str,
    old_until: Option<i64>,
    stamp: Stamp,
) -> std::result::Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE org_signing_key SET old_secret_enc = CASE WHEN $1 = 1 THEN app_secret_enc ELSE NULL END, old_secret_until = $2, \
           app_secret_enc = $3, version = version + 1, updated_at = $4, updated_by = $5 WHERE org_id = $6 AND version = $7",
    )
    .bind(i64::from(old_until.is_some()))
    .bind(old_until)
    .bind(secret_enc)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(org_id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}
