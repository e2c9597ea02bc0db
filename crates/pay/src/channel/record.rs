//! One payee channel: view, create, change, enable, delete. Those who set its parameters may not enable it, because
//! payments that a provider reports under these parameters are credited without a second person.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::Deserialize;

use super::form::{ChannelFormChecked, is_code};
use super::list::TARGET;
use super::model::{PayProvider, PayeeChannelForm, PayeeChannelRow, PayeeChannelStatus, PayeeChannelStep};
use super::{shown, store};
use base::db::{self, Connection, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::access::versions::Table;
use frame::api::obstacle::{Obstacles, obstacle};
use frame::api::options::{self, SelectOption};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Query, Result, Say, say};
use frame::proposal;
use trade::org::{self, payee};

impl Versioned for PayeeChannelRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PayeeChannelRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn diff(before: Option<&PayeeChannelRow>, after: Option<&PayeeChannelRow>) -> Vec<Change> {
        let mut changes =
            audit::changes_without(&["payeeOrgId", "keysBy", "payeeEnabled", "hasOrders", "decision", "proposed"], before, after);
        let proposed = |row: Option<&PayeeChannelRow>| row.and_then(|row| row.proposed.clone());
        let (was, is) = (proposed(before), proposed(after));
        changes.extend(proposal::changes((before, was.as_ref()), (after, is.as_ref())));
        changes.retain(|change| change.field != "asked.payeeOrgId");
        changes
    }
}

/// `GET /payChannel/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PayeeChannelRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}

/// `GET /payChannel/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// Filters of the choices of channels.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct ChannelOptionsQuery {
    /// A part of a name or a code.
    pub keyword: Option<String>,
    /// Only those that take new orders.
    pub open: bool,
}

/// `GET /payChannel/options`: the channels that the viewer may choose. For users of an organisation, the enabled
/// channels of the payee that the organisation pays.
pub async fn choices(cx: Arc<Ctx>, Query(query): Query<ChannelOptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    let keyword = query.keyword.as_deref();
    let mut sql = Sql::new("SELECT c.id, c.name FROM payee_channel c WHERE c.deleted_at IS NULL");
    sql.and_contains(&["c.code", "c.name"], keyword);
    if query.open {
        sql.push(
            " AND c.status = 'enabled' \
             AND EXISTS (SELECT 1 FROM payee_organisation p WHERE p.id = c.payee_org_id AND p.status = 'enabled')",
        );
    }
    payable_by(&mut sql, cx.viewer()?.scope());
    sql.push(" ORDER BY c.sort, c.id LIMIT ").bind(options::MOST);
    let read = async { sql.fetch_all(cx.db().read()).await?.iter().map(org::choice).collect::<std::result::Result<Vec<_>, _>>() };
    cx.choices(&[Table::PayeeChannel, Table::PayeeOrganisation, Table::Organisation], keyword, query.open, read).await
}

/// Appends the condition for the channels that a viewer may choose.
pub(crate) fn payable_by(sql: &mut Sql, scope: Scope) {
    match scope {
        Scope::Org(id) => {
            sql.push(" AND c.status = 'enabled' AND c.payee_org_id = (SELECT o.payee_org_id FROM organisation o WHERE o.id = ")
                .bind(id)
                .push(")");
        }
        scope if scope.is_platforms() => {}
        _ => drop(sql.push(" AND 1 = 0")),
    }
}

/// `POST /payChannel`: a new channel is disabled.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<PayeeChannelForm>) -> Result<PayeeChannelRow> {
    let viewer = cx.overseer()?;
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new channel has none".to_owned()));
    }
    let code = body.code.as_deref().unwrap_or_default().trim().to_owned();
    if !is_code(&code) {
        return Err(ApiError::field("code", say("2 到 32 位字母、数字、- 或 _", "2 to 32 letters, digits, - or _")));
    }
    let Some(provider) = body.provider else { return Err(ApiError::field("provider", say("必填", "Required"))) };
    let form = ChannelFormChecked::of(body, provider, cx.app.config.private_calls)?;
    form.check_old_key(&[])?;
    let (cx, form, code) = (&*cx, &form, &code);
    cx.db()
        .transact(|mut tx| {
            async move {
                payee::check_choice_of(&mut tx, viewer.scope(), form.payee_org_id).await?;
                let id =
                    store::insert(&mut tx, code, provider, form, cx.stamp()?).await.map_err(|error| match db::is_duplicate(&error) {
                        true => ApiError::Duplicate(say(format!("编码“{code}”已存在"), format!("Code “{code}” already exists"))),
                        false => error.into(),
                    })?;
                store::set_params(&mut tx, &cx.app.keys, id, &form.params, viewer.id).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /payChannel`. A change of parameters, merchant or gateway disables the channel until another person enables it.
/// If payers may see the channel, a change of payee or instructions awaits approval.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<PayeeChannelForm>) -> Result<PayeeChannelRow> {
    let viewer = cx.overseer()?;
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let provider = view(cx.clone(), Id(id)).await?.provider;
    let form = ChannelFormChecked::of(body, provider, cx.app.config.private_calls)?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PayeeChannelRow>(cx, &mut tx, id, version).await?;
                form.check_old_key(&before.param_names)?;
                check_payee(&mut tx, viewer.scope(), &before, form.payee_org_id).await?;
                let is_another = form.mch_no != before.mch_no || form.params.contains_key("appId");
                if provider.is_online() && is_another && obstacle(&mut tx, ORDERS, id).await?.is_some() {
                    // Its orders must be queried at the merchant where they were made.
                    let wrong = say(
                        "已有订单，不能更换商户号或应用，请新建通道",
                        "There are orders: the merchant and the app cannot be changed. Make another channel",
                    );
                    return Err(ApiError::field(if form.mch_no == before.mch_no { "params.appId" } else { "mchNo" }, wrong));
                }
                let is_shown = shown::is_shown(&mut tx, &before).await?;
                let kept =
                    ChannelFormChecked { payee_org_id: before.payee_org_id, instructions: before.instructions.clone(), ..form.clone() };
                let written = store::update(&mut tx, id, version, if is_shown { &kept } else { form }, cx.stamp()?).await?;
                if written {
                    shown::propose(cx, &mut tx, &before, if is_shown { form } else { &kept }).await?;
                }
                let moved = !is_shown && (form.payee_org_id, &form.instructions) != (before.payee_org_id, &before.instructions)
                    || provider.is_online()
                        && (&form.mch_no, &form.gateway_url, &form.old_key_until)
                            != (&before.mch_no, &before.gateway_url, &before.old_key_until);
                let mut more = Vec::new();
                if written && (moved || !form.params.is_empty()) {
                    store::set_params(&mut tx, &cx.app.keys, id, &form.params, viewer.id).await?;
                    let names: Vec<&str> = form.params.keys().map(String::as_str).collect();
                    if !names.is_empty() {
                        more.push(Change { field: "params".to_owned(), before: None, after: Some(names.join(", ")) });
                    }
                }
                versioned::changed_with_within(cx, &mut tx, before, written, more).await
            }
            .boxed()
        })
        .await
}

/// Checks a change of payee: refused if the channel has orders, if the viewer may not choose the new payee, or if a
/// bank channel's new payee has no approved account.
pub(super) async fn check_payee(tx: &mut Connection, scope: Scope, before: &PayeeChannelRow, payee_org_id: i64) -> Result<()> {
    if payee_org_id == before.payee_org_id {
        return Ok(());
    }
    if obstacle(tx, ORDERS, before.id).await?.is_some() {
        let wrong = say("已有订单，不能更换收款主体", "There are orders: the payee cannot be changed");
        return Err(ApiError::field("payeeOrgId", wrong));
    }
    payee::check_choice_of(tx, scope, payee_org_id).await?;
    let has_account = before.provider != PayProvider::Bank || payee::has_account(tx, payee_org_id).await?;
    match has_account {
        true => Ok(()),
        false => Err(ApiError::field("payeeOrgId", no_account())),
    }
}

fn no_account() -> Say {
    say("该收款主体的银行账户尚未审核通过", "The bank account of this payee is not approved yet")
}

/// `PUT /payChannel/status`.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<PayeeChannelStep>) -> Result<PayeeChannelRow> {
    let (viewer, stamp, body) = (cx.viewer()?, cx.stamp()?, &body);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &PayeeChannelRow| {
        async move {
            if before.status == body.status {
                return Err(ApiError::State(say("状态没有变化", "The status is unchanged")));
            }
            if body.status == PayeeChannelStatus::Enabled {
                check_enabled_by(before, viewer.id)?;
                if before.provider == PayProvider::Bank && !payee::has_account(&mut tx, before.payee_org_id).await? {
                    return Err(ApiError::State(no_account()));
                }
            }
            Ok(store::set_status(&mut tx, body.id, body.version, body.status, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// Refuses to enable a channel whose parameters are incomplete, or were set by the viewer.
fn check_enabled_by(row: &PayeeChannelRow, viewer_id: i64) -> Result<()> {
    let missing: Vec<&str> =
        row.provider.param_names().iter().copied().filter(|name| !row.param_names.iter().any(|set| set == name)).collect();
    if !missing.is_empty() {
        let names = missing.join(", ");
        return Err(ApiError::State(say(format!("请先填写参数：{names}"), format!("Parameters are missing: {names}"))));
    }
    if row.keys_by.contains(&viewer_id) {
        return Err(ApiError::State(say(
            "须由另一人启用，填写参数的人不能启用",
            "The channel must be enabled by someone other than the person who set its parameters",
        )));
    }
    Ok(())
}

/// `DELETE /payChannel/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::hold_as_platform_staff::<PayeeChannelRow>(cx, &mut tx, id).await?;
                for obstacles in [ORDERS, LINKS] {
                    if let Some(referrer) = obstacle(&mut tx, obstacles, id).await? {
                        return Err(ApiError::State(referrer));
                    }
                }
                shown::forget(&mut tx, id, cx.now).await?;
                match store::delete(&mut tx, id, before.version, cx.stamp()?).await? {
                    true => versioned::deleted_within(cx, &mut tx, before).await,
                    false => Err(ApiError::Missing),
                }
            }
            .boxed()
        })
        .await
}

/// Rows that prevent a channel's deletion, and a change of its payee.
pub(super) const ORDERS: Obstacles =
    &[("SELECT id FROM payment_order WHERE payee_channel_id = $1", "该通道已有订单", "There are orders of this channel")];
const LINKS: Obstacles =
    &[("SELECT id FROM payment_link WHERE payee_channel_id = $1", "链接池里有该通道的链接", "The link pool holds links of this channel")];
