//! One member of the service staff: seen, made, changed, disabled, deleted. Every change is one transaction with its audit
//! row.

use std::sync::Arc;

use futures_util::FutureExt;

use super::form::Form;
use super::list::TARGET;
use super::model::{ChatStaffBody, ChatStaffRow};
use super::store;
use crate::assign;
use crate::group::{self, ChatUseChange};
use base::codes::UseStatus;
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Result, check_step, say};

impl Versioned for ChatStaffRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<ChatStaffRow>, sqlx::Error> {
        let Some(row) = store::find(&mut *tx, scope, id).await? else { return Ok(None) };
        let mut rows = [row];
        store::add_groups(tx, &mut rows).await?;
        let [row] = rows;
        Ok(Some(row))
    }

    /// Names stand for the ids beside them; what they do is not a change of the record.
    fn diff(before: Option<&ChatStaffRow>, after: Option<&ChatStaffRow>) -> Vec<Change> {
        let mut changes = audit::changes(before, after);
        changes.retain(|change| !["adminId", "groupIds", "presence", "lastSeenAt", "open"].contains(&change.field.as_str()));
        changes
    }
}

/// `GET /chat/manage/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ChatStaffRow> {
    let mut rows = [store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?];
    store::add_groups(cx.db().read(), &mut rows).await?;
    let [mut row] = rows;
    row.presence = Some(row.presence_at(cx.now));
    Ok(row)
}

/// `GET /chat/manage/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /chat/manage`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<ChatStaffBody>) -> Result<ChatStaffRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new record has none".to_owned()));
    }
    if cx.viewer()?.scope() != Scope::All {
        return Err(ApiError::Forbidden);
    }
    let choose = || ApiError::field("adminId", say("请选择启用的平台账号", "Choose an enabled account of the platform"));
    let admin_id = body.admin_id.ok_or_else(choose)?;
    let form = Form::of(body);
    form.check()?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                if !store::is_account(&mut tx, admin_id).await? {
                    return Err(choose());
                }
                check_groups(&mut tx, &form.group_ids).await?;
                let id = store::insert(&mut tx, admin_id, form, cx.stamp()?).await.map_err(taken)?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/manage`. Conversations of a group that they leave stay theirs.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<ChatStaffBody>) -> Result<ChatStaffRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let admin_id = body.admin_id;
    let form = Form::of(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: ChatStaffRow = versioned::current(cx, &mut tx, id, version).await?;
                if admin_id.is_some_and(|admin_id| admin_id != before.admin_id) {
                    return Err(ApiError::field("adminId", say("账号不能修改", "The account cannot be changed")));
                }
                form.check()?;
                let added: Vec<i64> = form.group_ids.iter().copied().filter(|group| !before.group_ids.contains(group)).collect();
                check_groups(&mut tx, &added).await?;
                let written = store::write(&mut tx, id, version, form, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/manage/status`. A member of the staff who still has conversations is not disabled, and one whose account is
/// disabled is not enabled.
pub async fn set_status(cx: Arc<Ctx>, Body(body): Body<ChatUseChange>) -> Result<ChatStaffRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                if body.status == UseStatus::Enabled {
                    check_account(&mut tx, body.id).await?;
                }
                cx.db().lock(&mut tx, assign::LOCK).await?;
                let before: ChatStaffRow = versioned::current(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, body.status, ("该客服", "member of the staff"))?;
                if body.status == UseStatus::Disabled {
                    check_finished(&mut tx, body.id, ("停用", "disabled")).await?;
                }
                let written = store::set_status(&mut tx, body.id, body.version, body.status, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `DELETE /chat/manage/{id}`. A member of the staff who still has conversations is not deleted.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                cx.db().lock(&mut tx, assign::LOCK).await?;
                let before: ChatStaffRow = versioned::ours(cx, &mut tx, id).await?;
                check_finished(&mut tx, id, ("删除", "deleted")).await?;
                if !store::delete(&mut tx, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                versioned::deleted_within(cx, &mut tx, before).await
            }
            .boxed()
        })
        .await
}

/// Refuses to enable a member of the staff whose account is disabled. The account is held before the lock of assignments.
async fn check_account(tx: &mut Connection, id: i64) -> Result<()> {
    let Some(row) = store::find(&mut *tx, Scope::All, id).await? else { return Err(ApiError::Missing) };
    match store::is_account(tx, row.admin_id).await? {
        true => Ok(()),
        false => Err(ApiError::State(say(
            "该客服的账号已停用，请先启用账号",
            "The account of this member of the staff is disabled: enable it first",
        ))),
    }
}

/// Refuses to disable or delete a member of the staff who still has conversations. The caller has the lock of
/// assignments, so that none is assigned meanwhile.
async fn check_finished(tx: &mut Connection, id: i64, (zh, en): (&str, &str)) -> Result<()> {
    match store::unfinished(tx, id).await? {
        0 => Ok(()),
        count => Err(ApiError::State(say(
            format!("该客服还有 {count} 个进行中或已挂起的会话，不能{zh}。请先转接或结束这些会话"),
            format!(
                "This member of the staff still has {count} open or snoozed conversations and cannot be {en}. Transfer or close them first"
            ),
        ))),
    }
}

async fn check_groups(tx: &mut Connection, ids: &[i64]) -> Result<()> {
    match group::store::in_use(tx, ids).await?.len() == ids.len() {
        true => Ok(()),
        false => Err(ApiError::field("groupIds", say("请选择启用的分组", "Choose enabled groups"))),
    }
}

fn taken(error: sqlx::Error) -> ApiError {
    match db::is_duplicate(&error) {
        true => ApiError::field("adminId", say("该账号已是客服人员", "This account is already a member of the service staff")),
        false => error.into(),
    }
}
