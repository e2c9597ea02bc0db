//! A member of the service staff as master data: who may make one, how it is checked, written and deleted.

use super::form::Form;
use super::list::TARGET;
use super::model::{ChatStaffBody, ChatStaffRow};
use super::store;
use crate::assign;
use crate::group;
use base::codes::UseStatus;
use base::db::{self, Connection, Tx};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Change, Target};
use frame::api::master_data::MasterData;
use frame::api::owner::require_whole_scope;
use frame::api::{ApiError, Ctx, Result, Versioned, check_step, say};

impl Versioned for ChatStaffRow {
    const TARGET: Target = TARGET;
    /// Ids are left out because the names are recorded; presence and open conversations are not a change of the record.
    const LEFT_OUT: &'static [&'static str] = &["adminId", "groupIds", "presence", "lastSeenAt", "open"];

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
}

impl MasterData for ChatStaffRow {
    type Body = ChatStaffBody;
    type Form = Form;
    const NAME: &'static str = "record";

    async fn view(cx: &Ctx, id: i64) -> Result<ChatStaffRow> {
        let mut rows = [store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?];
        store::add_groups(cx.db().read(), &mut rows).await?;
        let [mut row] = rows;
        row.presence = Some(row.presence_at(cx.now));
        Ok(row)
    }

    fn id_and_version(body: &ChatStaffBody) -> (Option<i64>, Option<i64>) {
        (body.id, body.version)
    }

    fn form(body: ChatStaffBody) -> Form {
        Form::of(body)
    }

    fn check_new(cx: &Ctx, form: &Form) -> Result<()> {
        require_whole_scope(cx)?;
        form.admin_id.ok_or_else(choose_account)?;
        form.check()
    }

    async fn insert(cx: &Ctx, tx: &mut Connection, form: &Form) -> Result<i64> {
        let admin_id = form.admin_id.ok_or_else(choose_account)?;
        if !store::is_account(tx, admin_id).await? {
            return Err(choose_account());
        }
        check_groups(tx, &form.group_ids).await?;
        store::insert(tx, admin_id, form, cx.stamp()?).await.map_err(taken)
    }

    /// When they leave a group, their conversations of that group stay theirs.
    async fn write(cx: &Ctx, tx: &mut Connection, before: &ChatStaffRow, form: &Form) -> Result<(bool, Vec<Change>)> {
        if form.admin_id.is_some_and(|admin_id| admin_id != before.admin_id) {
            return Err(ApiError::field("adminId", say("账号不能修改", "The account cannot be changed")));
        }
        form.check()?;
        let added: Vec<i64> = form.group_ids.iter().copied().filter(|group| !before.group_ids.contains(group)).collect();
        check_groups(tx, &added).await?;
        Ok((store::write(tx, before.id, before.version, form, cx.stamp()?).await?, Vec::new()))
    }

    /// A member of the staff who still has conversations cannot be disabled.
    async fn check_status(_: &Ctx, tx: &mut Connection, before: &ChatStaffRow, to: UseStatus) -> Result<()> {
        check_step(before.status, to, ("该客服", "agent"))?;
        match to {
            UseStatus::Disabled => check_finished(tx, before.id, ("停用", "disabled")).await,
            UseStatus::Enabled => Ok(()),
        }
    }

    /// A member of the staff who still has conversations cannot be deleted. On deletion they leave all groups.
    async fn before_delete(_: &Ctx, tx: &mut Connection, before: &ChatStaffRow) -> Result<()> {
        check_finished(tx, before.id, ("删除", "deleted")).await?;
        Ok(store::leave_groups(tx, before.id).await?)
    }

    /// Takes the lock of assignments, so that nothing is assigned meanwhile. Staff with a disabled account cannot be
    /// enabled.
    async fn lock_first(cx: &Ctx, tx: &mut Tx, id: i64, to: Option<UseStatus>) -> Result<()> {
        if to == Some(UseStatus::Enabled) {
            check_account(tx, id).await?;
        }
        Ok(cx.db().lock(tx, assign::LOCK).await?)
    }
}

fn choose_account() -> ApiError {
    ApiError::field("adminId", say("请选择启用的平台账号", "Choose an enabled account of the platform"))
}

/// Refuses to enable a member of the staff whose account is disabled. The account is held before the lock of assignments.
async fn check_account(tx: &mut Connection, id: i64) -> Result<()> {
    let Some(row) = store::find(&mut *tx, Scope::All, id).await? else { return Err(ApiError::Missing) };
    match store::is_account(tx, row.admin_id).await? {
        true => Ok(()),
        false => Err(ApiError::State(say("该客服的账号已停用，请先启用账号", "The account of this agent is disabled: enable it first"))),
    }
}

/// Refuses to disable or delete a member of the staff who still has conversations. The caller has the lock of
/// assignments, so that none is assigned meanwhile.
async fn check_finished(tx: &mut Connection, id: i64, (zh, en): (&str, &str)) -> Result<()> {
    match store::unfinished(tx, id).await? {
        0 => Ok(()),
        count => Err(ApiError::State(say(
            format!("该客服还有 {count} 个进行中或已挂起的会话，不能{zh}。请先转接或结束这些会话"),
            format!("This agent still has {count} open or snoozed conversations and cannot be {en}. Transfer or close them first"),
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
        true => ApiError::field("adminId", say("该账号已是客服人员", "This account is already an agent")),
        false => error.into(),
    }
}
