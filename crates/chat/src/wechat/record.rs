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
use crate::group::{self, ChatUseChange};
use base::codes::UseStatus;
use base::db::{self, Connection, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Target};
use frame::api::obstacle::{Obstacles, obstacle};
use frame::api::options::{self, SelectOption};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, OptionsQuery, Query, Result, say};

impl Versioned for WechatRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<WechatRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    /// The group's name stands for its id; what WeChat and customers do is not a change of the record.
    fn diff(before: Option<&WechatRow>, after: Option<&WechatRow>) -> Vec<Change> {
        let mut changes = audit::changes(before, after);
        changes.retain(|change| {
            !["groupId", "callbackPath", "verifiedAt", "receivedAt", "refusedAt", "refusal", "tokenError", "followers"]
                .contains(&change.field.as_str())
        });
        changes
    }
}

/// `GET /chat/wechat/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<WechatRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /chat/wechat/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `GET /chat/wechat/options`: accounts, by name.
pub async fn accounts(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Vec<SelectOption>> {
    let mut sql = Sql::new("SELECT w.id, w.name FROM chat_wechat w WHERE w.deleted_at IS NULL");
    sql.and_contains(&["w.name"], query.keyword.as_deref());
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    sql.push(" ORDER BY w.name, w.id LIMIT ").bind(options::MOST);
    let rows = sql.fetch_all(cx.db().read()).await?;
    let option = |row: &sqlx::any::AnyRow| Ok(SelectOption { value: row.try_get("id")?, label: row.try_get("name")? });
    Ok(rows.iter().map(option).collect::<std::result::Result<_, sqlx::Error>>()?)
}

/// `POST /chat/wechat`: a new account is disabled.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<WechatBody>) -> Result<WechatRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new account has none".to_owned()));
    }
    if cx.viewer()?.scope() != Scope::All {
        return Err(ApiError::Forbidden);
    }
    let app_id = body.app_id.as_deref().unwrap_or_default().trim().to_owned();
    let form = Form::of(body);
    if !is_app_id(&app_id) {
        return Err(ApiError::field("appId", say("以 wx 开头的字母和数字", "Letters and digits that begin with wx")));
    }
    form.check(&WechatKeys::default())?;
    let (cx, form, app_id) = (&*cx, &form, &app_id);
    cx.db()
        .transact(|mut tx| {
            async move {
                check_group(&mut tx, form.group_id).await?;
                let id = store::insert(&mut tx, app_id, form, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
                    true => ApiError::field("appId", say("该公众号已存在", "This official account already exists")),
                    false => error.into(),
                })?;
                store::set_keys(&mut tx, &cx.app.keys, id, WechatKeys::default(), form).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/wechat`. The audit names the keys that were replaced, and not their values.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<WechatBody>) -> Result<WechatRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let form = Form::of(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: WechatRow = versioned::current(cx, &mut tx, id, version).await?;
                let stored = store::keys_of(&mut tx, &cx.app.keys, id).await?;
                form.check(&stored)?;
                if form.group_id != before.group_id {
                    check_group(&mut tx, form.group_id).await?;
                }
                let written = store::write(&mut tx, id, version, form, cx.stamp()?).await?;
                let replaced = store::set_keys(&mut tx, &cx.app.keys, id, stored, form).await?;
                let mut more = Vec::new();
                if !replaced.is_empty() {
                    more.push(Change { field: "keys".to_owned(), before: None, after: Some(replaced.join(", ")) });
                }
                versioned::changed_with_within(cx, &mut tx, before, written, more).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/wechat/status`. A disabled account takes no messages and sends none.
pub async fn set_status(cx: Arc<Ctx>, Body(body): Body<ChatUseChange>) -> Result<WechatRow> {
    let (stamp, body) = (cx.stamp()?, &body);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &WechatRow| {
        async move {
            if before.status == body.status {
                return Err(ApiError::State(say("状态没有变化", "The status is unchanged")));
            }
            if body.status == UseStatus::Enabled && group::store::in_use(&mut tx, &[before.group_id]).await?.is_empty() {
                return Err(ApiError::State(say(
                    "所属分组已停用，请先启用或更换分组",
                    "Its group is disabled: enable it or choose another",
                )));
            }
            Ok(store::set_status(&mut tx, body.id, body.version, body.status, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// `POST /chat/wechat/check`: asks WeChat for a token with the stored keys. `tokenError` of the row says what came of it.
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

/// `DELETE /chat/wechat/{id}`. An account that customers have written to stays.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: WechatRow = versioned::ours(cx, &mut tx, id).await?;
                if let Some(reason) = obstacle(&mut tx, FOLLOWERS, id).await? {
                    return Err(ApiError::State(reason));
                }
                if !store::delete(&mut tx, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                versioned::deleted_within(cx, &mut tx, before).await
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
