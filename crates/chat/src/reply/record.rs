//! A reply as master data: who may make one, how it is checked and written.

use super::form::Form;
use super::list::TARGET;
use super::model::{ChatReplyBody, ChatReplyRow};
use super::store;
use crate::codes::ReplyKind;
use crate::group;
use base::codes::UseStatus;
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Change, Target};
use frame::api::master_data::MasterData;
use frame::api::owner::require_whole_scope;
use frame::api::{ApiError, Ctx, Result, Versioned, check_step, say};

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
        let mut changes = audit::changes_without(&["name", "groupId", "useCount"], before, after);
        changes.retain(|change| change.field != "matchMode" || has_keyword);
        changes
    }
}

impl MasterData for ChatReplyRow {
    type Body = ChatReplyBody;
    type Form = Form;
    const NAME: &'static str = "reply";

    async fn view(cx: &Ctx, id: i64) -> Result<ChatReplyRow> {
        store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
    }

    fn id_and_version(body: &ChatReplyBody) -> (Option<i64>, Option<i64>) {
        (body.id, body.version)
    }

    fn form(body: ChatReplyBody) -> Form {
        Form::of(body)
    }

    fn check_new(cx: &Ctx, form: &Form) -> Result<()> {
        require_whole_scope(cx)?;
        form.check()
    }

    async fn insert(cx: &Ctx, tx: &mut Connection, form: &Form) -> Result<i64> {
        check_group(tx, form.group_id).await?;
        store::insert(tx, form, cx.stamp()?).await.map_err(|error| taken(error, form))
    }

    async fn write(cx: &Ctx, tx: &mut Connection, before: &ChatReplyRow, form: &Form) -> Result<(bool, Vec<Change>)> {
        form.check()?;
        if form.group_id != before.group_id {
            check_group(tx, form.group_id).await?;
        }
        let written = store::write(tx, before.id, before.version, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
        Ok((written, Vec::new()))
    }

    async fn check_status(_: &Ctx, _: &mut Connection, before: &ChatReplyRow, to: UseStatus) -> Result<()> {
        check_step(before.status, to, ("该回复", "reply"))
    }
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
