//! The calls on administrators. Every change is one transaction with its entry in the audit trail.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::model::{
    AdminCreated, AdminFilters, AdminForm, AdminOpenWork, AdminRow, AdminStatusChange, AdminUpdate, AdminVersion, LatestAccountsQuery,
    MadePassword, RevealedPhone,
};
use super::rules::{self, Profile};
use super::{account_messages, role, store};
use base::db::Connection;
use base::db::page::Page;
use base::{canonical, crypto};
use frame::access::AdminStatus;
use frame::access::audit::{self, Action, AuditEntry, Change, Module, Target};
use frame::access::{accounts, second_factor, session, sign_in};
use frame::api::export::{self, Cell, Exported, Sheet, column, yes_or_no};
use frame::api::{self, ApiError, Body, Ctx, Id, ListQuery, OptionsQuery, Query, SelectOption, hash_phone, number_search, say};
use frame::reveal;

/// The table's name in the audit trail.
const KIND: &str = "administrator";

/// An account, as the audit trail refers to it.
pub fn target(id: i64) -> Target {
    Target { module: Module::Admin, kind: KIND, id: Some(id) }
}

/// The audit changes of an account. Ids are left out because the names are recorded.
fn diff(before: Option<&AdminRow>, after: Option<&AdminRow>) -> Vec<Change> {
    const LEFT_OUT: &[&str] = &["orgId", "subOrgId", "builtin", "lastLoginAt", "lastLoginIp"];
    audit::changes_without(LEFT_OUT, before, after)
}

/// Replaces a phone in the keyword by its hash, and counts this as a search by number.
async fn concealed(cx: &Ctx, mut query: ListQuery<AdminFilters>) -> api::Result<ListQuery<AdminFilters>> {
    let AdminFilters { keyword, phone_hash, .. } = &mut query.filters;
    let number = hash_phone(keyword, phone_hash, &cx.app.keys, Target { module: Module::Admin, kind: KIND, id: None });
    number_search::admit(cx, &mut query, number).await?;
    Ok(query)
}

/// `POST /admin/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<AdminFilters>) -> api::Result<Page<AdminRow>> {
    let query = concealed(&cx, query).await?;
    Ok(store::page(&cx, cx.viewer()?.scope(), &query).await?)
}

/// The most accounts of [`latest`].
const LATEST: i64 = 5;

/// `GET /admin/latest?orgId=`: the newest accounts of an organisation, for its page.
pub async fn latest(cx: Arc<Ctx>, Query(query): Query<LatestAccountsQuery>) -> api::Result<Vec<AdminRow>> {
    let filters = AdminFilters { org_id: Some(query.org_id), ..AdminFilters::default() };
    Ok(store::latest(&cx, cx.viewer()?.scope(), &filters, LATEST).await?)
}

/// `GET /admin/{id}`.
pub async fn get(cx: Arc<Ctx>, Id(id): Id) -> api::Result<AdminRow> {
    store::find(&mut cx.db().read().acquire().await?, &cx, id).await
}

/// Whether the viewer may see an account, or owns it.
pub async fn is_seen(cx: Arc<Ctx>, id: i64) -> api::Result<bool> {
    if cx.viewer()?.id == id {
        return Ok(true);
    }
    match get(cx, Id(id)).await {
        Ok(_) => Ok(true),
        Err(ApiError::Missing) => Ok(false),
        Err(error) => Err(error),
    }
}

/// `GET /admin/openWork/{id}`: the work that others get when the account is disabled.
pub async fn open_work(cx: Arc<Ctx>, Id(id): Id) -> api::Result<AdminOpenWork> {
    let mut on = cx.db().read().acquire().await?;
    store::find(&mut on, &cx, id).await?;
    Ok(AdminOpenWork {
        clues: crm::open_clues_of_account(&mut on, id).await?,
        conversations: chat::conversations_of_account(&mut on, id).await?,
    })
}

/// `GET /admin/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> api::Result<Vec<AuditEntry>> {
    get(cx.clone(), Id(id)).await?;
    Ok(audit::history(cx.db(), KIND, id).await?)
}

/// `GET /admin/options`.
pub async fn options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> api::Result<Arc<Vec<SelectOption>>> {
    store::options(&cx, query.keyword.as_deref()).await
}

/// `POST /admin/page/export`.
pub async fn export(cx: Arc<Ctx>, query: ListQuery<AdminFilters>) -> api::Result<Exported> {
    let (query, scope) = (concealed(&cx, query).await?, cx.viewer()?.scope());
    let ids = |most| store::ids(&cx, scope, &query, most);
    let (reader, asked) = (cx.clone(), Arc::new(query.clone()));
    let rows = move |ids: Vec<i64>| {
        let (cx, query) = (reader.clone(), asked.clone());
        async move { store::by_ids(&cx, scope, &query, &ids).await }
    };
    export::export(cx.clone(), &query, sheet(), export::Reading { ids, rows, last: std::future::ready(Ok(None)) }).await
}

fn sheet() -> Sheet<AdminRow> {
    Sheet {
        target: Target { module: Module::Admin, kind: KIND, id: None },
        title: say("管理员列表", "Administrators"),
        columns: vec![
            column("username", "用户名", "Username", |row, _| Cell::text(row.username.clone())),
            column("realName", "姓名", "Name", |row, _| Cell::text(row.real_name.clone())),
            column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
            column("roles", "角色", "Roles", |row, _| Cell::text(row.role_names())),
            column("orgName", "所属机构", "Organisation", |row, locale| {
                Cell::text(row.org_name.clone().unwrap_or_else(|| locale.pick("平台", "Platform").to_owned()))
            }),
            column("subOrgName", "所属团队", "Team", |row, _| Cell::text(row.sub_org_name.clone())),
            column("phoneMask", "手机号", "Mobile", |row, _| Cell::text(row.phone_mask.clone())),
            column("email", "邮箱", "Email", |row, _| Cell::text(row.email.clone())),
            column("mustChangePwd", "待改密码", "Must change password", |row, locale| {
                Cell::text(yes_or_no(row.must_change_pwd, locale).to_owned())
            }),
            column("secondFactor", "两步验证", "Two-step verification", |row, locale| {
                Cell::text(yes_or_no(row.second_factor, locale).to_owned())
            }),
            column("lastLoginAt", "最近登录", "Last login", |row, _| Cell::time(row.last_login_at)),
            column("lastLoginIp", "登录 IP", "Login IP", |row, _| Cell::text(row.last_login_ip.clone())),
            column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
            column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
        ],
    }
}

/// `POST /admin`: returns the initial password, only here.
pub async fn create(cx: Arc<Ctx>, Body(form): Body<AdminForm>) -> api::Result<AdminCreated> {
    let username = canonical::account_name(&form.username).to_lowercase();
    let profile = Profile::of_form(form, cx.viewer()?);
    rules::check(Some(&username), &profile, &role::grantable(&cx).await?, None)?;
    let password = crypto::random_password();
    let hash = cx.app.hashing.hash(&password).await?;

    let mut tx = cx.db().begin().await?;
    rules::check_organisation(&mut tx, &profile).await?;
    let id = store::insert(&mut tx, &cx, &username, &hash, &profile).await?;
    let made = still_reached(store::find(&mut tx, &cx, id).await)?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Create, &diff(None, Some(&made))).await?;
    cx.commit(tx, AdminCreated { id, password }).await
}

/// `PUT /admin`.
pub async fn update(cx: Arc<Ctx>, Body(update): Body<AdminUpdate>) -> api::Result<AdminRow> {
    let viewer = cx.viewer()?;
    let grantable = role::grantable(&cx).await?;
    let (id, version) = (update.id, update.version);
    let profile = Profile::of_update(update, viewer);

    let mut tx = cx.db().begin().await?;
    let before = store::claim(&mut tx, &cx, id, version).await?;
    rules::may_change(&before, &grantable)?;
    rules::check(None, &profile, &grantable, Some(&before))?;
    rules::check_organisation(&mut tx, &profile).await?;
    let moves = profile.moves(&before);
    if moves {
        rules::not_oneself(viewer, &before)?;
    }
    store::write_profile(&mut tx, &cx, id, &profile).await?;
    if moves {
        session::revoke_all(&mut tx, id, None, cx.now).await?;
        account_messages::moved(&mut tx, id, cx.now).await?;
        crm::account_moved(&cx, &mut tx, id, profile.org_id, profile.sub_org_id).await?;
    }
    let after = still_reached(store::find(&mut tx, &cx, id).await)?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Update, &diff(Some(&before), Some(&after))).await?;
    tx.commit().await?;
    Ok(after)
}

/// Moves an account to another team of its organisation, for the area of salespeople: the same rules as a change of the
/// account itself.
pub fn move_to_team<'a>(cx: &'a Ctx, tx: &'a mut Connection, id: i64, team: i64) -> BoxFuture<'a, api::Result<()>> {
    move_account(cx, tx, id, team).boxed()
}

async fn move_account(cx: &Ctx, tx: &mut Connection, id: i64, team: i64) -> api::Result<()> {
    let before = store::find_any(tx, cx, id).await?;
    rules::may_change(&before, &role::grantable(cx).await?)?;
    rules::not_oneself(cx.viewer()?, &before)?;
    accounts::set_team(tx, id, team, cx.viewer()?.id, cx.now).await?;
    session::revoke_all(tx, id, None, cx.now).await?;
    account_messages::moved(tx, id, cx.now).await?;
    let after = store::find_any(tx, cx, id).await?;
    Ok(audit::record(tx, &cx.actor()?, target(id), Action::Update, &diff(Some(&before), Some(&after))).await?)
}

/// Refuses a change that would put an account out of the viewer's scope.
fn still_reached(found: api::Result<AdminRow>) -> api::Result<AdminRow> {
    found.map_err(|error| match error {
        ApiError::Missing => rules::not_your_organisation(),
        other => other,
    })
}

/// `PUT /admin/status`. Enabling a locked account lets it try again at once. Disabling an account hands its work over: its
/// open clues go to their pools in the same transaction, and its conversations back to the queue right after it. What the
/// account has submitted for a decision stays: another person decides.
pub async fn set_status(cx: Arc<Ctx>, Body(change): Body<AdminStatusChange>) -> api::Result<AdminRow> {
    if change.status == AdminStatus::Locked {
        return Err(ApiError::field("status", say("只能启用或停用", "Only enabled or disabled can be set")));
    }
    let grantable = role::grantable(&cx).await?;
    let (cx, change, grantable) = (&*cx, &change, &grantable);
    let (after, conversations) = cx
        .db()
        .transact(|mut tx| {
            async move {
                let AdminStatusChange { id, version, status } = *change;
                let before = store::claim(&mut tx, cx, id, version).await?;
                rules::may_change(&before, grantable)?;
                rules::not_oneself(cx.viewer()?, &before)?;
                if before.status == status {
                    return Err(ApiError::State(match status {
                        AdminStatus::Disabled => say("账号已停用", "The account is already disabled"),
                        _ => say("账号已启用", "The account is already enabled"),
                    }));
                }
                accounts::set_status(&mut tx, id, status).await?;
                let mut conversations = 0;
                let mut handed = Vec::new();
                match status {
                    AdminStatus::Disabled => {
                        session::revoke_all(&mut tx, id, None, cx.now).await?;
                        let clues = crm::account_disabled(cx, &mut tx, id).await?;
                        conversations = chat::account_disabled(cx, &mut tx, id).await?;
                        handed = [("handedOver", clues), ("requeued", conversations)].into_iter().filter_map(counted).collect();
                    }
                    _ => sign_in::unlock(&mut tx, &before.username, &cx.origin, cx.now).await?,
                }
                let after = store::find(&mut tx, cx, id).await?;
                let mut changes = diff(Some(&before), Some(&after));
                changes.extend(handed);
                audit::record(&mut tx, &cx.actor()?, target(id), Action::Update, &changes).await?;
                cx.keep_answer(&mut tx, &after).await?;
                Ok((after, conversations))
            }
            .boxed()
        })
        .await?;
    if conversations > 0 {
        chat::requeue_now(&cx.app).await;
    }
    Ok(after)
}

/// An audit line with the number of records that left an account; none if there were none.
fn counted((field, count): (&str, i64)) -> Option<Change> {
    (count > 0).then(|| Change { field: field.to_owned(), before: None, after: Some(count.to_string()) })
}

/// `PUT /admin/resetPwd`: returns a generated password, only here. The account must replace it.
pub async fn reset_password(cx: Arc<Ctx>, Body(AdminVersion { id, version }): Body<AdminVersion>) -> api::Result<MadePassword> {
    let grantable = role::grantable(&cx).await?;
    let password = crypto::random_password();
    let hash = cx.app.hashing.hash(&password).await?;

    let mut tx = cx.db().begin().await?;
    let before = store::claim(&mut tx, &cx, id, version).await?;
    rules::may_change(&before, &grantable)?;
    rules::not_oneself(cx.viewer()?, &before)?;
    sign_in::set_password(&mut tx, id, &hash, true, None, cx.now).await?;
    sign_in::unlock(&mut tx, &before.username, &cx.origin, cx.now).await?;
    account_messages::password_reset(&mut tx, id, cx.now).await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Update, &[new_password()]).await?;
    tx.commit().await?;
    Ok(MadePassword { password })
}

/// `PUT /admin/secondFactor`: removes the second factor of a person who has lost it. The person's
/// sessions end, and they get a message.
pub async fn remove_second_factor(cx: Arc<Ctx>, Body(AdminVersion { id, version }): Body<AdminVersion>) -> api::Result<AdminRow> {
    let grantable = role::grantable(&cx).await?;

    let mut tx = cx.db().begin().await?;
    let before = store::claim(&mut tx, &cx, id, version).await?;
    rules::may_change(&before, &grantable)?;
    rules::not_oneself(cx.viewer()?, &before)?;
    if !second_factor::remove(&mut tx, id).await? {
        return Err(ApiError::State(say("该账号没有开启两步验证", "Two-step verification is not on for this account")));
    }
    session::revoke_all(&mut tx, id, None, cx.now).await?;
    account_messages::second_factor_removed(&mut tx, id, cx.now).await?;
    let after = store::find(&mut tx, &cx, id).await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Update, &diff(Some(&before), Some(&after))).await?;
    tx.commit().await?;
    Ok(after)
}

/// The audit line of a new password, without the password.
pub fn new_password() -> Change {
    Change { field: "password".to_owned(), before: None, after: None }
}

/// `DELETE /admin/{id}`. Conversations of the account go back to the queue; open clues must be handed over before.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> api::Result<()> {
    let grantable = role::grantable(&cx).await?;

    let mut tx = cx.db().begin().await?;
    let before = store::find(&mut tx, &cx, id).await?;
    rules::may_change(&before, &grantable)?;
    rules::not_oneself(cx.viewer()?, &before)?;
    store::claim(&mut tx, &cx, id, before.version).await?;
    if let Some(reason) = store::looks_after(&mut tx, id).await? {
        return Err(ApiError::State(reason));
    }
    crm::account_deleted(&cx, &mut tx, id).await?;
    accounts::delete(&mut tx, id, cx.now).await?;
    session::revoke_all(&mut tx, id, None, cx.now).await?;
    let conversations = chat::account_disabled(&cx, &mut tx, id).await?;
    audit::record(&mut tx, &cx.actor()?, target(id), Action::Delete, &diff(Some(&before), None)).await?;
    tx.commit().await?;
    if conversations > 0 {
        chat::requeue_now(&cx.app).await;
    }
    Ok(())
}

/// `GET /admin/reveal/{id}`: the whole phone. The reveal is recorded first.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> api::Result<RevealedPhone> {
    let mut tx = cx.db().begin().await?;
    store::find(&mut tx, &cx, id).await?;
    let phone = store::phone(&mut tx, &cx, id).await?;
    let seen = Change { field: "phone".to_owned(), before: None, after: None };
    reveal::written(&cx, tx, target(id), &[seen]).await?;
    Ok(RevealedPhone { phone })
}
