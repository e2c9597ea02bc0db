//! One reply: seen, made, changed, disabled, deleted. Every change is one transaction with its audit row.

use std::sync::Arc;

use futures_util::FutureExt;

use super::form::Form;
use super::list::TARGET;
use super::model::{ChatReplyBody, ChatReplyRow};
use super::store;
use crate::codes::ReplyKind;
use crate::group::{self, ChatUseChange};
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Result, check_step, say};

impl Versioned for ChatReplyRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<ChatReplyRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    /// The id is left out because the group's name is recorded; uses are not a change; the match mode only matters with
    /// a keyword.
    fn diff(before: Option<&ChatReplyRow>, after: Option<&ChatReplyRow>) -> Vec<Change> {
        let has_keyword = [before, after].into_iter().flatten().any(|row| row.kind == ReplyKind::Keyword);
        let mut changes = audit::changes(before, after);
        changes.retain(|change| match change.field.as_str() {
            "name" | "groupId" | "useCount" => false,
            "matchMode" => has_keyword,
            _ => true,
        });
        changes
    }
}

/// `GET /chat/reply/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ChatReplyRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /chat/reply/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /chat/reply`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<ChatReplyBody>) -> Result<ChatReplyRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new reply has none".to_owned()));
    }
    if cx.viewer()?.scope() != Scope::All {
        return Err(ApiError::Forbidden);
    }
    let form = Form::of(body);
    form.check()?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                check_group(&mut tx, form.group_id).await?;
                let id = store::insert(&mut tx, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/reply`.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<ChatReplyBody>) -> Result<ChatReplyRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let form = Form::of(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: ChatReplyRow = versioned::current(cx, &mut tx, id, version).await?;
                form.check()?;
                if form.group_id != before.group_id {
                    check_group(&mut tx, form.group_id).await?;
                }
                let written = store::write(&mut tx, id, version, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/reply/status`.
pub async fn set_status(cx: Arc<Ctx>, Body(body): Body<ChatUseChange>) -> Result<ChatReplyRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: ChatReplyRow = versioned::current(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, body.status, ("该回复", "reply"))?;
                let written = store::set_status(&mut tx, body.id, body.version, body.status, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `DELETE /chat/reply/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: ChatReplyRow = versioned::ours(cx, &mut tx, id).await?;
                if !store::delete(&mut tx, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                versioned::deleted_within(cx, &mut tx, before).await
            }
            .boxed()
        })
        .await
}

async fn check_group(tx: &mut Connection, group_id: Option<i64>) -> Result<()> {
    let Some(id) = group_id else { return Ok(()) };
    match group::store::in_use(tx, &[id]).await?.is_empty() {
        false => Ok(()),
        true => Err(ApiError::field("groupId", say("请选择启用的分组", "Choose an enabled group"))),
    }
}

/// The error for a reply that exists already: names the keyword, the shortcut, or else the kind.
fn taken(error: sqlx::Error, form: &Form) -> ApiError {
    if !db::is_duplicate(&error) {
        return error.into();
    }
    let (zh, en) = if form.group_id.is_some() { ("该分组", "This group") } else { ("“全部分组”", "“All groups”") };
    match form.kind {
        ReplyKind::Keyword => ApiError::field(
            "keyword",
            say(format!("{zh}已有关键词“{}”的回复", form.keyword), format!("{en} already has a reply to the keyword “{}”", form.keyword)),
        ),
        ReplyKind::Quick => ApiError::field(
            "shortcut",
            say(format!("{zh}已有快捷码“{}”", form.shortcut), format!("{en} already has the shortcut “{}”", form.shortcut)),
        ),
        kind @ (ReplyKind::Welcome | ReplyKind::Default | ReplyKind::OffHours) => ApiError::field(
            "kind",
            say(
                format!("{zh}已有{}", ReplyKind::label(kind, Locale::Chinese)),
                format!("{en} already has a reply of the kind “{}”", ReplyKind::label(kind, Locale::English)),
            ),
        ),
    }
}
