//! The roles that a viewer may give to an account.

use std::sync::Arc;

use sqlx::Row;

use frame::access::role::Role;
use frame::access::versions::Table;
use frame::access::{DataScope, Scope, Viewer};
use frame::api::{self, Ctx, OptionsQuery, Query, SelectOption};

/// A role that is within the viewer's own rights.
pub struct Grantable {
    pub role: Arc<Role>,
    /// A role that is switched off stays with its holders, but is not given to others.
    pub enabled: bool,
}

/// All roles within the viewer's own rights, in order.
pub async fn grantable(cx: &Ctx) -> api::Result<Vec<Grantable>> {
    let viewer = cx.viewer()?;
    let rows =
        sqlx::query("SELECT id, version, status FROM role WHERE deleted_at IS NULL ORDER BY sort, id").fetch_all(cx.db().read()).await?;
    let mut found = Vec::new();
    for row in rows {
        let role = cx.app.roles.get(cx.db(), row.try_get("id")?, row.try_get("version")?).await?;
        if within(viewer, &role) {
            found.push(Grantable { role, enabled: row.try_get::<&str, _>("status")? == "enabled" });
        }
    }
    Ok(found)
}

/// Whether a viewer has all grants of a role: its menus and points, and no wider data scope. Nodes that are switched
/// off count as well, since they may be switched on at any time.
pub fn within(viewer: &Viewer, role: &Role) -> bool {
    let held = &viewer.role;
    let grants = held.is_builtin || !role.is_builtin && role.granted.is_subset(&held.granted);
    grants && reaches(viewer, role.scope) && role.points.is_subset(&held.points) && role.routes.is_subset(&held.routes)
}

/// Whether a data scope is no wider than the viewer's.
pub fn reaches(viewer: &Viewer, scope: DataScope) -> bool {
    match viewer.scope() {
        Scope::All => true,
        Scope::Own(_) => matches!(scope, DataScope::Own | DataScope::Myself),
        Scope::Org(_) => matches!(scope, DataScope::Org | DataScope::SubOrg | DataScope::Myself),
        Scope::SubOrg(_) => matches!(scope, DataScope::SubOrg | DataScope::Myself),
        Scope::Myself(_) => scope == DataScope::Myself,
        Scope::Nothing => false,
    }
}

/// `GET /role/options`: the roles that the viewer may grant.
pub async fn options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> api::Result<Vec<SelectOption>> {
    let keyword = query.keyword.unwrap_or_default().trim().to_lowercase();
    let own = &cx.viewer()?.role;
    let read = async {
        let choices = grantable(&cx).await?.into_iter().filter(|choice| choice.enabled);
        let option = |choice: Grantable| SelectOption { value: choice.role.id, label: choice.role.name(cx.locale).to_owned() };
        api::Result::Ok(choices.map(option).collect::<Vec<_>>())
    };
    let options = cx.choices(&[Table::Role], None, (own.id, own.version), read).await?;
    Ok(options.iter().filter(|option| option.label.to_lowercase().contains(&keyword)).cloned().collect())
}
