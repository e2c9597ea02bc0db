//! Records that people change: in the version that they have before them, and with a word in the trail.
//! What a record is and where it lies is its area's.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Serialize;

use super::{ApiError, Ctx, Result};
use crate::access::Scope;
use crate::access::audit::{self, Action, Change, Target};
use base::db::{Connection, Sql, Try, Tx};
use base::locale::Locale;

/// A kind of such records.
pub trait Versioned: Serialize + Send + Sync + Sized {
    const TARGET: Target;
    /// Fields of its JSON that the trail leaves out: ids beside names, counts, what no person changes.
    const LEFT_OUT: &'static [&'static str] = &[];
    /// Its id and its version.
    fn key(&self) -> (i64, i64);
    /// One within a scope, its words in one language.
    fn find(
        tx: &mut Connection,
        scope: Scope,
        id: i64,
        locale: Locale,
    ) -> impl Future<Output = std::result::Result<Option<Self>, sqlx::Error>> + Send;
    /// What the trail says of one that was made, changed or deleted: every field that differs and is not in `LEFT_OUT`, unless an
    /// area says otherwise.
    fn diff(before: Option<&Self>, after: Option<&Self>) -> Vec<Change> {
        audit::changes_without(Self::LEFT_OUT, before, after)
    }
}

/// A record held for a change by staff of the platform. Staff of an organisation may see it, but are refused: they do not set the
/// terms of their organisation.
pub async fn hold_as_platform_staff<R: Versioned>(cx: &Ctx, tx: &mut Connection, id: i64) -> Result<R> {
    let scope = cx.viewer()?.scope();
    hold::<R>(tx, id).await?;
    let row = R::find(tx, scope, id, cx.locale).await?.ok_or(ApiError::Missing)?;
    match scope.is_platforms() {
        true => Ok(row),
        false => Err(ApiError::Forbidden),
    }
}

/// Holds a record until the transaction ends, before all that belongs to it: who edits it and who decides on
/// it come one after the other, and do not wait for each other until the database ends one of them.
pub async fn hold<R: Versioned>(tx: &mut Connection, id: i64) -> Result<()> {
    let mut sql = Sql::new("UPDATE ");
    sql.push(R::TARGET.kind).push(" SET version = version WHERE id = ").bind(id);
    sql.execute(tx).await?;
    Ok(())
}

/// The same, in the version that the viewer has on screen.
pub async fn current<R: Versioned>(cx: &Ctx, tx: &mut Connection, id: i64, version: i64) -> Result<R> {
    let row: R = hold_as_platform_staff(cx, tx, id).await?;
    match row.key().1 == version {
        true => Ok(row),
        false => Err(ApiError::stale(&row)),
    }
}

/// A record within the viewer's scope, held until the transaction ends, in the given version or, without one, in
/// the newest: for records that an organisation's own people change.
pub async fn current_in_scope<R: Versioned>(cx: &Ctx, tx: &mut Connection, id: i64, version: Option<i64>) -> Result<R> {
    hold::<R>(tx, id).await?;
    let row = R::find(tx, cx.viewer()?.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)?;
    match version.is_none_or(|version| version == row.key().1) {
        true => Ok(row),
        false => Err(ApiError::stale(&row)),
    }
}

/// The same, for calls of the specification, whose client may not know of versions: without one it is
/// the newest.
pub async fn current_or_newest<R: Versioned>(cx: &Ctx, tx: &mut Connection, id: i64, version: Option<i64>) -> Result<R> {
    match version {
        Some(version) => current(cx, tx, id, version).await,
        None => hold_as_platform_staff(cx, tx, id).await,
    }
}

/// A change of one record in the version that the viewer has on screen, by a person of the platform.
/// `write` looks whether it may be, writes it, and tells whether it met that version. Where others stand in
/// the way all of it is done again ([`base::db::Db::transact`]), so it may change nothing but the database.
pub async fn change<'env, R: Versioned + 'env>(
    cx: &'env Ctx,
    id: i64,
    version: i64,
    write: impl for<'t> Fn(Try<'t, 'env>, &'t R) -> BoxFuture<'t, Result<bool>> + Copy + Send + Sync + 'env,
) -> Result<R> {
    cx.db()
        .transact(move |mut tx| {
            async move {
                let before: R = current(cx, &mut tx, id, version).await?;
                let written = write(tx.lend(), &before).await?;
                let after = write_down(cx, &mut tx, before, written, Action::Update, Vec::new()).await?;
                cx.keep_answer(&mut tx, &after).await?;
                Ok(after)
            }
            .boxed()
        })
        .await
}

/// Ends the making of a record: its audit row, and the record.
pub async fn created<R: Versioned>(cx: &Ctx, mut tx: Tx, id: i64) -> Result<R> {
    let row = created_within(cx, &mut tx, id).await?;
    tx.commit().await?;
    Ok(row)
}

/// The same within [`base::db::Db::transact`], which commits it. So are the others of that name.
pub async fn created_within<R: Versioned>(cx: &Ctx, tx: &mut Tx, id: i64) -> Result<R> {
    created_with_within(cx, tx, id, Vec::new()).await
}

/// The same, of a record of whose making the trail tells more than the record does.
pub async fn created_with_within<R: Versioned>(cx: &Ctx, tx: &mut Tx, id: i64, more: Vec<Change>) -> Result<R> {
    let row = R::find(&mut *tx, Scope::All, id, cx.locale).await?.ok_or(ApiError::Missing)?;
    let mut changes = R::diff(None, Some(&row));
    changes.extend(more);
    record::<R>(cx, tx, id, Action::Create, &changes).await?;
    cx.keep_answer(tx, &row).await?;
    Ok(row)
}

/// Ends a change: the audit row, and the record as it is now. A write that met another version than the
/// one just read was overtaken by another transaction.
pub async fn changed<R: Versioned>(cx: &Ctx, tx: Tx, before: R, written: bool) -> Result<R> {
    end_change(cx, tx, before, written, Vec::new()).await
}

/// The same, of a change whose caller may have named no version ([`current_or_newest`]): then the trail
/// says that the caller had not seen the record before the change.
pub async fn changed_unseen<R: Versioned>(cx: &Ctx, tx: Tx, before: R, written: bool, version: Option<i64>) -> Result<R> {
    end_change(cx, tx, before, written, unseen(cx, version)).await
}

/// What the trail says of a change whose caller named no version; nothing of others.
pub fn unseen(cx: &Ctx, version: Option<i64>) -> Vec<Change> {
    let newest = cx.locale.pick("未指定，取最新", "not given, latest used").to_owned();
    version.is_none().then_some(Change { field: "version".to_owned(), before: None, after: Some(newest) }).into_iter().collect()
}

/// See [`changed`].
pub async fn changed_within<R: Versioned>(cx: &Ctx, tx: &mut Tx, before: R, written: bool) -> Result<R> {
    changed_as_within(cx, tx, before, written, Action::Update).await
}

/// The same, of a change that the trail has a name of its own for.
pub async fn changed_as_within<R: Versioned>(cx: &Ctx, tx: &mut Tx, before: R, written: bool, action: Action) -> Result<R> {
    changed_as_with_within(cx, tx, before, written, action, Vec::new()).await
}

/// The same, of a change of which the trail tells more than the record does.
pub async fn changed_with_within<R: Versioned>(cx: &Ctx, tx: &mut Tx, before: R, written: bool, more: Vec<Change>) -> Result<R> {
    changed_as_with_within(cx, tx, before, written, Action::Update, more).await
}

/// The same, of a change that the trail has a name of its own for and of which it tells more than the record does.
pub async fn changed_as_with_within<R: Versioned>(
    cx: &Ctx,
    tx: &mut Tx,
    before: R,
    written: bool,
    action: Action,
    more: Vec<Change>,
) -> Result<R> {
    let after = write_down(cx, tx, before, written, action, more).await?;
    cx.keep_answer(tx, &after).await?;
    Ok(after)
}

async fn end_change<R: Versioned>(cx: &Ctx, mut tx: Tx, before: R, written: bool, more: Vec<Change>) -> Result<R> {
    let after = write_down(cx, &mut tx, before, written, Action::Update, more).await?;
    cx.commit(tx, after).await
}

/// Writes a change into the trail, and answers the record as it is now.
async fn write_down<R: Versioned>(cx: &Ctx, tx: &mut Connection, before: R, written: bool, action: Action, more: Vec<Change>) -> Result<R> {
    let (id, _) = before.key();
    let after = R::find(&mut *tx, cx.viewer()?.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)?;
    if !written {
        return Err(ApiError::stale(&after));
    }
    let mut changes = R::diff(Some(&before), Some(&after));
    changes.extend(more);
    record::<R>(cx, tx, id, action, &changes).await?;
    Ok(after)
}

/// Ends the deletion of a record: its audit row.
pub async fn deleted<R: Versioned>(cx: &Ctx, mut tx: Tx, before: R) -> Result<()> {
    deleted_within(cx, &mut tx, before).await?;
    Ok(tx.commit().await?)
}

/// See [`deleted`].
pub async fn deleted_within<R: Versioned>(cx: &Ctx, tx: &mut Tx, before: R) -> Result<()> {
    record::<R>(cx, tx, before.key().0, Action::Delete, &R::diff(Some(&before), None)).await?;
    cx.keep_answer(tx, &()).await
}

async fn record<R: Versioned>(cx: &Ctx, tx: &mut Connection, id: i64, action: Action, changes: &[Change]) -> Result<()> {
    Ok(audit::record(tx, &cx.actor()?, R::TARGET.of(id), action, changes).await?)
}
