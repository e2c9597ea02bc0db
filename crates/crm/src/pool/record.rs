//! A pool as master data: who may make one, how it is checked, written and deleted.

use super::form::Form;
use super::list::TARGET;
use super::model::{PoolBody, PoolRow};
use super::store;
use base::codes::UseStatus;
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Change, Target};
use frame::api::master_data::MasterData;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Ctx, Result, say};
use trade::org;

impl Versioned for PoolRow {
    const TARGET: Target = TARGET;
    /// Ids are left out because the names are recorded; the count of clues is not part of a change.
    const LEFT_OUT: &'static [&'static str] = &["orgId", "subOrgIds", "clues"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PoolRow>, sqlx::Error> {
        let Some(row) = store::find(&mut *tx, scope, id).await? else { return Ok(None) };
        let mut rows = [row];
        store::add_team_names(tx, &mut rows).await?;
        let [row] = rows;
        Ok(Some(row))
    }
}

impl MasterData for PoolRow {
    type Body = PoolBody;
    type Form = Form;
    const NAME: &'static str = "pool";

    async fn view(cx: &Ctx, id: i64) -> Result<PoolRow> {
        let mut rows = [store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?];
        store::add_team_names(cx.db().read(), &mut rows).await?;
        let [row] = rows;
        Ok(row)
    }

    fn id_and_version(body: &PoolBody) -> (Option<i64>, Option<i64>) {
        (body.id, body.version)
    }

    fn form(body: PoolBody) -> Form {
        Form::of(body)
    }

    fn check_new(cx: &Ctx, form: &Form) -> Result<()> {
        may_change(cx)?;
        org_of(cx, form)?;
        form.check()
    }

    async fn insert(cx: &Ctx, tx: &mut Connection, form: &Form) -> Result<i64> {
        let org_id = org_of(cx, form)?;
        if org::find(&mut *tx, cx.viewer()?.scope(), org_id).await?.is_none() {
            return Err(choose_org());
        }
        check_teams(tx, org_id, &form.sub_org_ids).await?;
        store::insert(tx, org_id, form, cx.stamp()?).await.map_err(|error| taken(error, form))
    }

    async fn write(cx: &Ctx, tx: &mut Connection, before: &PoolRow, form: &Form) -> Result<(bool, Vec<Change>)> {
        if form.org_id.is_some_and(|org| org != before.org_id) {
            return Err(ApiError::field("orgId", say("公海池所属机构不能修改", "The organisation of a pool cannot be changed")));
        }
        form.check()?;
        let added: Vec<i64> = form.sub_org_ids.iter().copied().filter(|team| !before.sub_org_ids.contains(team)).collect();
        check_teams(tx, before.org_id, &added).await?;
        let written = store::write(tx, before.id, before.version, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
        Ok((written, Vec::new()))
    }

    /// New clues do not go to a pool that is switched off; those in it stay until they are claimed or assigned.
    async fn check_status(_: &Ctx, tx: &mut Connection, before: &PoolRow, to: UseStatus) -> Result<()> {
        if before.status == to {
            return Err(ApiError::State(match to {
                UseStatus::Enabled => say("公海池已启用", "The pool is already enabled"),
                UseStatus::Disabled => say("公海池已停用", "The pool is already disabled"),
            }));
        }
        match to {
            UseStatus::Disabled => keep_one(tx, before).await,
            UseStatus::Enabled => Ok(()),
        }
    }

    async fn before_delete(_: &Ctx, tx: &mut Connection, before: &PoolRow) -> Result<()> {
        if before.clues > 0 {
            let clues = before.clues;
            return Err(ApiError::State(say(
                format!("公海池中还有 {clues} 条进行中的线索，不能删除"),
                format!("The pool still has {clues} open leads and cannot be deleted"),
            )));
        }
        keep_one(tx, before).await
    }

    /// Only people of the whole organisation, and platform staff, may change a pool.
    async fn current(cx: &Ctx, tx: &mut Connection, id: i64, version: Option<i64>) -> Result<PoolRow> {
        let row = versioned::current_in_scope(cx, tx, id, version).await?;
        may_change(cx)?;
        Ok(row)
    }
}

/// The organisation of a new pool: the form's, else the viewer's.
fn org_of(cx: &Ctx, form: &Form) -> Result<i64> {
    form.org_id.or(cx.viewer()?.org_id).ok_or_else(choose_org)
}

fn choose_org() -> ApiError {
    ApiError::field("orgId", say("请选择机构", "Choose an organisation"))
}

/// A team's people see the pools that the team uses, and change none.
fn may_change(cx: &Ctx) -> Result<()> {
    match cx.viewer()?.scope() {
        Scope::All | Scope::Own(_) | Scope::Org(_) => Ok(()),
        Scope::SubOrg(_) | Scope::Myself(_) | Scope::Nothing => Err(ApiError::Forbidden),
    }
}

/// Refuses to disable or delete the last pool in use of an organisation.
async fn keep_one(tx: &mut Connection, row: &PoolRow) -> Result<()> {
    match row.status == UseStatus::Disabled || store::has_another(tx, row.org_id, row.id).await? {
        true => Ok(()),
        false => Err(ApiError::State(say(
            "这是该机构唯一启用的公海池，不能停用或删除",
            "This is the only enabled pool of the organisation and can be neither disabled nor deleted",
        ))),
    }
}

async fn check_teams(tx: &mut Connection, org_id: i64, teams: &[i64]) -> Result<()> {
    match store::other_teams(tx, org_id, teams).await? {
        0 => Ok(()),
        _ => Err(ApiError::field("subOrgIds", say("请选择该机构启用的团队", "Choose enabled teams of the organisation"))),
    }
}

fn taken(error: sqlx::Error, form: &Form) -> ApiError {
    match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(
            format!("该机构已有公海池“{}”", form.name),
            format!("The organisation already has a pool named “{}”", form.name),
        )),
        false => error.into(),
    }
}
