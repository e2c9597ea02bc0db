//! One salesperson: seen, made, changed. Every change is one transaction with its audit row.

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::Row;

use super::form::Form;
use super::list::TARGET;
use super::model::{SalespersonBody, SalespersonRow};
use super::{options, store};
use crate::clue::holder;
use crate::model::SalesStatus;
use base::db::{Connection, Sql};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Target};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Result, say};
use trade::org;

impl Versioned for SalespersonRow {
    const TARGET: Target = TARGET;
    /// Ids are left out because the names are recorded; counts and the account's status are not part of a change.
    const LEFT_OUT: &'static [&'static str] = &["orgId", "subOrgId", "held", "assignedToday", "accountStatus"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<SalespersonRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /crm/salesperson/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<SalespersonRow> {
    let mut rows = [store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?];
    store::add_today(cx.db(), &mut rows, cx.now).await?;
    let [row] = rows;
    Ok(row)
}

/// `GET /crm/salesperson/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /crm/salesperson`: an account of an organisation becomes a salesperson.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<SalespersonBody>) -> Result<SalespersonRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new salesperson has none".to_owned()));
    }
    let id = body.admin_id.ok_or_else(|| ApiError::field("adminId", say("请选择账号", "Choose an account")))?;
    let form = Form::of(&body, None);
    form.check(SalesStatus::Active)?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let (org_id, team) = account(cx, &mut tx, id).await?;
                if store::has_clues_elsewhere(&mut tx, id, org_id).await? {
                    return Err(ApiError::State(say(
                        "该账号曾是其他机构的销售人员，请使用新账号",
                        "This account was a salesperson of another organisation: use a new account",
                    )));
                }
                let team = move_account(cx, &mut tx, id, (org_id, team), form.sub_org_id).await?;
                if !store::insert(&mut tx, id, (org_id, team), form, cx.stamp()?).await? {
                    return Err(ApiError::Duplicate(say("该账号已是销售人员", "This account is already a salesperson")));
                }
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /crm/salesperson`. Another team moves the account and the open clues there.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<SalespersonBody>) -> Result<SalespersonRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                hold_account(&mut tx, id).await?;
                let before: SalespersonRow = versioned::current_in_scope(cx, &mut tx, id, Some(version)).await?;
                let form = Form::of(body, Some(&before));
                form.check(before.status)?;
                let team = move_account(cx, &mut tx, id, (before.org_id, before.sub_org_id), form.sub_org_id).await?;
                if team != before.sub_org_id {
                    holder::move_to_team(&mut tx, id, team).await?;
                }
                let written = store::write(&mut tx, id, version, team, &form, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// Locks an account until the transaction ends. An account is always locked before its salesperson.
async fn hold_account(tx: &mut Connection, id: i64) -> std::result::Result<(), sqlx::Error> {
    let mut sql = Sql::new("SELECT a.id FROM administrator a WHERE a.id = ");
    sql.bind(id);
    tx.hold(&mut sql, "a");
    sql.fetch_optional(tx).await.map(drop)
}

/// Holds an enabled account within the viewer's scope, and returns its organisation and team.
async fn account(cx: &Ctx, tx: &mut Connection, id: i64) -> Result<(i64, Option<i64>)> {
    let mut sql = Sql::new(
        "SELECT a.org_id, a.sub_org_id FROM administrator a JOIN organisation o ON o.id = a.org_id AND o.deleted_at IS NULL \
         WHERE a.deleted_at IS NULL AND a.status = 'enabled'",
    );
    sql.and("a.id = ", Some(id));
    cx.viewer()?.scope().apply(&mut sql, options::ACCOUNTS);
    tx.hold(&mut sql, "a");
    let row = sql.fetch_optional(tx).await?;
    let row =
        row.ok_or_else(|| ApiError::field("adminId", say("请选择机构的启用账号", "Choose an enabled account of the organisation")))?;
    Ok((row.try_get("org_id")?, row.try_get("sub_org_id")?))
}

/// Moves an account to the team of the form, if that is another one, and returns the team. Staff of a team cannot
/// move an account to another team.
async fn move_account(
    cx: &Ctx,
    tx: &mut Connection,
    id: i64,
    (org_id, team): (i64, Option<i64>),
    wanted: Option<i64>,
) -> Result<Option<i64>> {
    let Some(wanted) = wanted.filter(|wanted| Some(*wanted) != team) else { return Ok(team) };
    if matches!(cx.viewer()?.scope(), Scope::SubOrg(_)) {
        return Err(ApiError::field("subOrgId", say("您不能把成员调到其他团队", "You cannot move people to another team")));
    }
    if !org::has_sub(&mut *tx, org_id, wanted).await? {
        return Err(ApiError::field("subOrgId", say("请选择该机构启用的团队", "Choose an enabled team of the organisation")));
    }
    (cx.app.move_to_team)(cx, tx, id, wanted).await?;
    Ok(Some(wanted))
}
