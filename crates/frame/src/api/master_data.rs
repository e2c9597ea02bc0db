//! Records of master data: one form makes and changes them, they are switched on and off, and deleted. Their calls.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::input::{Body, Id};
use super::versioned::{self, Versioned};
use super::{ApiError, Ctx, Result};
use crate::access::audit::{self, AuditEntry, Change};
use crate::access::stamped;
use base::codes::UseStatus;
use base::db::{Connection, Tx};

/// A kind of such records: what differs between them. Its table is `TARGET.kind`, with the columns `status`, `version`,
/// `updated_at`, `updated_by` and `deleted_at`. What takes `tx` runs in the transaction of the call.
pub trait MasterData: Versioned + JsonSchema + 'static {
    /// The form as it is sent.
    type Body: DeserializeOwned + JsonSchema + Send + 'static;
    /// The fields of the form, tidied.
    type Form: Send + Sync;
    /// What a refusal calls a new one: `group` for "a new group has none".
    const NAME: &'static str;

    /// A record within the viewer's scope, as its page shows it.
    fn view(cx: &Ctx, id: i64) -> impl Future<Output = Result<Self>> + Send;

    /// The id and the version in a form: none of a new record.
    fn id_and_version(body: &Self::Body) -> (Option<i64>, Option<i64>);

    /// The fields of a form.
    fn form(body: Self::Body) -> Self::Form;

    /// Refuses a new record that the viewer may not make, and a form with wrong fields.
    fn check_new(cx: &Ctx, form: &Self::Form) -> Result<()>;

    /// Adds a record, or refuses what other rows forbid, and returns its id.
    fn insert(cx: &Ctx, tx: &mut Connection, form: &Self::Form) -> impl Future<Output = Result<i64>> + Send;

    /// Checks a form, and writes it over the version that was read. Returns whether that version was met, and what the trail says
    /// beside the fields that differ.
    fn write(cx: &Ctx, tx: &mut Connection, before: &Self, form: &Self::Form) -> impl Future<Output = Result<(bool, Vec<Change>)>> + Send;

    /// Refuses a status that the record may not get.
    fn check_status(cx: &Ctx, tx: &mut Connection, before: &Self, to: UseStatus) -> impl Future<Output = Result<()>> + Send;

    /// Refuses to delete a record that has to stay, and deletes what goes with it.
    fn before_delete(cx: &Ctx, tx: &mut Connection, before: &Self) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, tx, before);
        async { Ok(()) }
    }

    /// Locks what is locked before the record, where it gets a status or, without one, is deleted.
    fn lock_first(cx: &Ctx, tx: &mut Tx, id: i64, to: Option<UseStatus>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, tx, id, to);
        async { Ok(()) }
    }

    /// The record, held for a change, in the given version or, without one, in the newest: by staff of the platform, unless an area
    /// lets others.
    fn current(cx: &Ctx, tx: &mut Connection, id: i64, version: Option<i64>) -> impl Future<Output = Result<Self>> + Send {
        versioned::current_or_newest(cx, tx, id, version)
    }
}

/// A change of the status of a record.
#[derive(Debug, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct UseChange {
    pub id: i64,
    pub version: i64,
    pub status: UseStatus,
}

/// `GET …/{id}`: one record.
pub async fn view<R: MasterData>(cx: Arc<Ctx>, Id(id): Id) -> Result<R> {
    R::view(&cx, id).await
}

/// `GET …/history/{id}`: its entries of the audit trail, the newest first, at most 100.
pub async fn history<R: MasterData>(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    R::view(&cx, id).await?;
    Ok(audit::history(cx.db(), R::TARGET.kind, id).await?)
}

/// `POST …`: a new record.
pub async fn create<R: MasterData>(cx: Arc<Ctx>, Body(body): Body<R::Body>) -> Result<R> {
    if R::id_and_version(&body) != (None, None) {
        return Err(ApiError::Malformed(format!("id: a new {} has none", R::NAME)));
    }
    let (cx, form) = (&*cx, &R::form(body));
    R::check_new(cx, form)?;
    cx.db()
        .transact(|mut tx| {
            async move {
                let id = R::insert(cx, &mut tx, form).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT …`: a change of its fields.
pub async fn update<R: MasterData>(cx: Arc<Ctx>, Body(body): Body<R::Body>) -> Result<R> {
    let (Some(id), Some(version)) = R::id_and_version(&body) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let (cx, form) = (&*cx, &R::form(body));
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = R::current(cx, &mut tx, id, Some(version)).await?;
                let (written, more) = R::write(cx, &mut tx, &before, form).await?;
                versioned::changed_with_within(cx, &mut tx, before, written, more).await
            }
            .boxed()
        })
        .await
}

/// `PUT …/status`: a change of its status.
pub async fn set_status<R: MasterData>(cx: Arc<Ctx>, Body(body): Body<UseChange>) -> Result<R> {
    let (cx, UseChange { id, version, status }) = (&*cx, body);
    cx.db()
        .transact(|mut tx| {
            async move {
                R::lock_first(cx, &mut tx, id, Some(status)).await?;
                let before = R::current(cx, &mut tx, id, Some(version)).await?;
                R::check_status(cx, &mut tx, &before, status).await?;
                let written = stamped::set_code(&mut tx, (R::TARGET.kind, "status"), id, version, status.into(), cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `DELETE …/{id}`: takes it out of every list.
pub async fn delete<R: MasterData>(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                R::lock_first(cx, &mut tx, id, None).await?;
                let before = R::current(cx, &mut tx, id, None).await?;
                R::before_delete(cx, &mut tx, &before).await?;
                if !stamped::remove(&mut tx, R::TARGET.kind, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                versioned::deleted_within(cx, &mut tx, before).await
            }
            .boxed()
        })
        .await
}
