//! An official account as master data: who may make one, how it is checked, written and deleted; and the call that tries its keys.

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::Row;

use super::api;
use super::form::{Form, is_app_id};
use super::list::TARGET;
use super::model::{WechatBody, WechatKey, WechatKeys, WechatRow};
use super::store;
use crate::SCOPE;
use crate::group;
use base::codes::UseStatus;
use base::db::{self, Connection, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, Change, Target};
use frame::access::versions::Table;
use frame::api::master_data::MasterData;
use frame::api::obstacle::{Obstacles, obstacle};
use frame::api::options::{self, SelectOption};
use frame::api::owner::require_whole_scope;
use frame::api::{ApiError, Body, Ctx, OptionsQuery, Query, Result, Versioned, say};

impl Versioned for WechatRow {
    const TARGET: Target = TARGET;
    /// The id is left out because the group's name is recorded; actions of WeChat and customers are not a change of the
    /// record.
    const LEFT_OUT: &'static [&'static str] =
        &["groupId", "callbackPath", "verifiedAt", "receivedAt", "refusedAt", "refusal", "tokenError", "followers"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<WechatRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

impl MasterData for WechatRow {
    type Body = WechatBody;
    type Form = Form;
    const NAME: &'static str = "account";

    async fn view(cx: &Ctx, id: i64) -> Result<WechatRow> {
        store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
    }

    fn id_and_version(body: &WechatBody) -> (Option<i64>, Option<i64>) {
        (body.id, body.version)
    }

    fn form(body: WechatBody) -> Form {
        Form::of(body)
    }

    fn check_new(cx: &Ctx, form: &Form) -> Result<()> {
        require_whole_scope(cx)?;
        if !is_app_id(&form.app_id) {
            return Err(ApiError::field("appId", say("以 wx 开头的字母和数字", "Letters and digits that begin with wx")));
        }
        form.check(&WechatKeys::default())
    }

    /// A new account is disabled.
    async fn insert(cx: &Ctx, tx: &mut Connection, form: &Form) -> Result<i64> {
        check_group(tx, form.group_id).await?;
        let id = store::insert(tx, form, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
            true => ApiError::field("appId", say("该公众号已存在", "This official account already exists")),
            false => error.into(),
        })?;
        store::set_keys(tx, &cx.app.keys, id, WechatKeys::default(), form).await?;
        Ok(id)
    }

    /// The trail names the keys that were replaced, and not their values.
    async fn write(cx: &Ctx, tx: &mut Connection, before: &WechatRow, form: &Form) -> Result<(bool, Vec<Change>)> {
        let stored = store::keys_of(tx, &cx.app.keys, before.id).await?;
        form.check(&stored)?;
        if form.group_id != before.group_id {
            check_group(tx, form.group_id).await?;
        }
        let written = store::write(tx, before.id, before.version, form, cx.stamp()?).await?;
        let replaced = store::set_keys(tx, &cx.app.keys, before.id, stored, form).await?;
        let mut more = Vec::new();
        if !replaced.is_empty() {
            more.push(Change { field: "keys".to_owned(), before: None, after: Some(replaced.join(", ")) });
        }
        Ok((written, more))
    }

    /// A disabled account takes no messages and sends none.
    async fn check_status(_: &Ctx, tx: &mut Connection, before: &WechatRow, to: UseStatus) -> Result<()> {
        if before.status == to {
            return Err(ApiError::State(say("状态没有变化", "The status is unchanged")));
        }
        if to == UseStatus::Enabled && group::store::in_use(tx, &[before.group_id]).await?.is_empty() {
            return Err(ApiError::State(say("所属分组已停用，请先启用或更换分组", "Its group is disabled: enable it or choose another")));
        }
        Ok(())
    }

    /// An account with followers cannot be deleted. On deletion its keys are deleted.
    async fn before_delete(_: &Ctx, tx: &mut Connection, before: &WechatRow) -> Result<()> {
        if let Some(reason) = obstacle(tx, FOLLOWERS, before.id).await? {
            return Err(ApiError::State(reason));
        }
        Ok(store::delete_keys(tx, before.id).await?)
    }
}

/// `GET /chat/wechat/options`: accounts, by name.
pub async fn accounts(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    let mut sql = Sql::new("SELECT w.id, w.name FROM chat_wechat w WHERE w.deleted_at IS NULL");
    sql.and_contains(&["w.name"], query.keyword.as_deref());
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    sql.push(" ORDER BY w.name, w.id LIMIT ").bind(options::MOST);
    let option = |row: &sqlx::any::AnyRow| Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? });
    let read = async { sql.fetch_all(cx.db().read()).await?.iter().map(option).collect::<std::result::Result<Vec<_>, sqlx::Error>>() };
    cx.choices(&[Table::ChatWechat], query.keyword.as_deref(), (), read).await
}

/// `POST /chat/wechat/check`: requests a token from WeChat with the stored keys. `tokenError` of the row has the
/// result.
pub async fn check(cx: Arc<Ctx>, Body(body): Body<WechatKey>) -> Result<WechatRow> {
    let scope = cx.viewer()?.scope();
    store::find(cx.db().read(), scope, body.id).await?.ok_or(ApiError::Missing)?;
    let account = store::account(cx.db().read(), &cx.app.keys, body.id).await?.ok_or(ApiError::Missing)?;
    api::renew_token(&cx.app, &account).await?;
    let (cx, id) = (&*cx, body.id);
    cx.db()
        .transact(|mut tx| {
            async move {
                let row = store::find(&mut **tx, scope, id).await?.ok_or(ApiError::Missing)?;
                let checked = Change { field: "tokenError".to_owned(), before: None, after: Some(row.token_error.clone()) };
                audit::record(&mut tx, &cx.actor()?, TARGET.of(id), Action::Other, &[checked]).await?;
                cx.keep_answer(&mut tx, &row).await?;
                Ok(row)
            }
            .boxed()
        })
        .await
}

const FOLLOWERS: Obstacles = &[(
    "SELECT f.customer_id FROM chat_wechat_follower f WHERE f.wechat_id = $1 LIMIT 1",
    "该公众号已有客户，不能删除，可停用",
    "The account has customers and cannot be deleted. Disable it instead",
)];

async fn check_group(tx: &mut Connection, group_id: i64) -> Result<()> {
    match group::store::in_use(tx, &[group_id]).await?.is_empty() {
        false => Ok(()),
        true => Err(ApiError::field("groupId", say("请选择启用的分组", "Choose an enabled group"))),
    }
}
