//! A service group as master data: who may make one, how it is checked, written and deleted.

use std::sync::Arc;

use super::form::Form;
use super::list::TARGET;
use super::model::{ChatGroupBody, ChatGroupRow};
use super::store;
use crate::wechat;
use base::codes::UseStatus;
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{AuditEntry, Change, Target};
use frame::api::master_data::{self, MasterData};
use frame::api::owner::require_whole_scope;
use frame::api::{ApiError, Ctx, Id, Result, Versioned, check_step, say};
use frame::terms;

impl Versioned for ChatGroupRow {
    const TARGET: Target = TARGET;
    /// Counts are not part of a change; the key of the visitors' page never changes.
    const LEFT_OUT: &'static [&'static str] = &["pageKey", "staff", "online", "queued", "open"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<ChatGroupRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /chat/group/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let entries = master_data::history::<ChatGroupRow>(cx.clone(), id).await?;
    Ok(entries.into_iter().map(|entry| AuditEntry { diff: terms::history::in_words(entry.diff, cx.locale), ..entry }).collect())
}

impl MasterData for ChatGroupRow {
    type Body = ChatGroupBody;
    type Form = Form;
    const NAME: &'static str = "group";

    async fn view(cx: &Ctx, id: i64) -> Result<ChatGroupRow> {
        let mut rows = [store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?];
        store::add_online(cx.db().read(), &mut rows, cx.now).await?;
        let [row] = rows;
        Ok(row)
    }

    fn id_and_version(body: &ChatGroupBody) -> (Option<i64>, Option<i64>) {
        (body.id, body.version)
    }

    fn form(body: ChatGroupBody) -> Form {
        Form::of(body)
    }

    fn check_new(cx: &Ctx, form: &Form) -> Result<()> {
        require_whole_scope(cx)?;
        form.check()
    }

    async fn insert(cx: &Ctx, tx: &mut Connection, form: &Form) -> Result<i64> {
        store::insert(tx, form, cx.stamp()?).await.map_err(|error| taken(error, form))
    }

    async fn write(cx: &Ctx, tx: &mut Connection, before: &ChatGroupRow, form: &Form) -> Result<(bool, Vec<Change>)> {
        form.check()?;
        let written = store::write(tx, before.id, before.version, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
        Ok((written, Vec::new()))
    }

    /// A disabled group takes no new conversations; its present ones go on. A group that an official account uses
    /// cannot be disabled.
    async fn check_status(_: &Ctx, tx: &mut Connection, before: &ChatGroupRow, to: UseStatus) -> Result<()> {
        check_step(before.status, to, ("该分组", "group"))?;
        if to == UseStatus::Disabled
            && let Some(name) = wechat::store::serves_group(tx, before.id).await?
        {
            return Err(ApiError::State(say(
                format!("公众号“{name}”的会话进入该分组，请先停用公众号或更换分组"),
                format!("Conversations of the official account “{name}” go to this group: disable the account or choose another group"),
            )));
        }
        Ok(())
    }

    /// A group that is referred to cannot be deleted.
    async fn before_delete(_: &Ctx, tx: &mut Connection, before: &ChatGroupRow) -> Result<()> {
        match store::referred(tx, before.id).await? {
            Some(reason) => Err(ApiError::State(reason)),
            None => Ok(()),
        }
    }
}

fn taken(error: sqlx::Error, form: &Form) -> ApiError {
    match db::is_duplicate(&error) {
        true => ApiError::field("name", say(format!("已有分组“{}”", form.name), format!("A group named “{}” already exists", form.name))),
        false => error.into(),
    }
}
