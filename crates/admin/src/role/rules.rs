//! Who may change which role, and the rules of its forms. Roles belong to the platform: platform staff who see
//! everything manage them. A role cannot be made wider than the viewer's own. Wider roles, the built-in one and the
//! viewer's own cannot be changed.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter;

use super::grantable::{reaches, within};
use super::model::{RoleForm, RoleRow, RoleUpdate};
use base::canonical;
use base::form_limits;
use base::locale::Locale;
use base::routes;
use frame::access::audit::Change;
use frame::access::menu::{self, Node};
use frame::access::role::Role;
use frame::access::{DataScope, Scope, Viewer};
use frame::api::check::present;
use frame::api::{self, ApiError, Check, Say, say};

form_limits! {
    /// Of a role.
    role {
        CODE: usize = 32,
        MOST_SORT: i64 = 9999,
        NAME: usize = 32,
        NAME_EN: usize = 64,
    }
}

/// Most nodes of one grant: many times the whole menu.
const MOST_NODES: usize = 5000;

/// Refuses viewers who may not manage roles.
pub fn may_manage(viewer: &Viewer) -> api::Result<()> {
    match viewer.scope() {
        Scope::All => Ok(()),
        _ => Err(ApiError::Forbidden),
    }
}

/// Refuses viewers who may not change grants.
pub fn may_grant(viewer: &Viewer) -> api::Result<()> {
    match viewer.has("admin/role-list/grant") {
        true => Ok(()),
        false => Err(ApiError::Forbidden),
    }
}

/// Why a viewer may not change a role; none if they may. `held` are the roles of the viewer's account.
pub fn refusal(viewer: &Viewer, held: &HashSet<i64>, row: &RoleRow, role: &Role) -> Option<Say> {
    if row.builtin {
        return Some(say("内置角色不能修改", "The built-in role cannot be changed"));
    }
    if held.contains(&row.id) {
        return Some(say("不能修改自己拥有的角色", "You cannot change a role that you have yourself"));
    }
    (!within(viewer, role)).then(|| say("该角色的权限超出您的权限", "This role has more permissions than you"))
}

/// The fields of a role's form, tidied.
#[derive(Debug)]
pub struct Profile {
    pub name: String,
    pub name_en: String,
    pub data_scope: DataScope,
    pub default_route: Option<String>,
    pub sort: i64,
}

impl Profile {
    /// From the form of a new role.
    pub fn of_form(form: &RoleForm) -> Profile {
        Profile::tidy(&form.name, &form.name_en, form.data_scope, form.default_route.clone(), form.sort)
    }

    /// From the form of a changed role.
    pub fn of_update(update: &RoleUpdate) -> Profile {
        Profile::tidy(&update.name, &update.name_en, update.data_scope, update.default_route.clone(), update.sort)
    }

    fn tidy(name: &str, name_en: &str, data_scope: DataScope, default_route: Option<String>, sort: i64) -> Profile {
        Profile {
            name: canonical::trimmed(name).to_owned(),
            name_en: canonical::trimmed(name_en).to_owned(),
            data_scope,
            default_route: present(default_route),
            sort,
        }
    }
}

/// Checks all fields at once. `code` is given for a new role only; `reached` are the names of the routes that the
/// role will open.
pub fn check(viewer: &Viewer, code: Option<&str>, profile: &Profile, reached: &HashSet<&str>) -> api::Result<()> {
    let mut check = Check::new();
    if let Some(code) = code {
        let plain = code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        check.text("code", code, 2..=CODE);
        check.that(
            "code",
            plain && code.starts_with(|first: char| first.is_ascii_lowercase()),
            say(
                "以小写字母开头，只能使用小写字母、数字和 _",
                "Start with a lower-case letter and use only lower-case letters, digits and _",
            ),
        );
    }
    check.name("name", &profile.name, 1..=NAME).name("nameEn", &profile.name_en, 1..=NAME_EN).range("sort", profile.sort, 0..=MOST_SORT);
    check.that("dataScope", reaches(viewer, profile.data_scope), say("数据范围超出您的权限", "The data scope is wider than yours"));
    if let Some(route) = &profile.default_route {
        let opens = reached.contains(route.as_str()) && is_first_page(route);
        check.that("defaultRoute", opens, say("请选择该角色能打开的页面", "Choose a page that the role can open"));
    }
    check.done()
}

/// Whether a route can be a first page: a screen with a link in the menu.
fn is_first_page(name: &str) -> bool {
    routes::by_name(name).is_some_and(|route| route.page.is_some() && !route.public && !route.hidden)
}

/// The nodes to store for a grant of `asked`: with the menus above them, without those for everyone. Points that the
/// viewer does not hold cannot be granted.
pub fn nodes_to_grant(viewer: &Viewer, asked: &[i64]) -> api::Result<BTreeSet<i64>> {
    let held: HashMap<i64, &Node> = viewer.role.nodes.iter().map(|node| (node.id, node)).collect();
    let wrong = |message| Err(ApiError::field("menuIds", message));
    if asked.len() > MOST_NODES {
        return wrong(say("权限过多", "Too many permissions"));
    }
    if !asked.iter().all(|id| held.contains_key(id)) {
        return wrong(say("不能授予您自己没有的权限", "You cannot grant permissions that you do not have"));
    }
    let above = |id: &i64| held.get(id).and_then(|node| node.parent_id);
    let given: HashSet<i64> = menu::grantable(&viewer.role.nodes).iter().map(|node| node.id).collect();
    Ok(asked.iter().filter(|id| given.contains(id)).flat_map(|id| iter::successors(Some(*id), above)).collect())
}

/// The audit changes of a grant: the codes that were added and removed. The menus above them change along and are
/// left out.
pub fn diff(before: &BTreeSet<i64>, after: &BTreeSet<i64>, nodes: &[Node]) -> Vec<Change> {
    let parents: HashSet<i64> = nodes.iter().filter_map(|node| node.parent_id).collect();
    let names = |ids: &mut dyn Iterator<Item = &i64>| {
        let ids: HashSet<&i64> = ids.collect();
        let mut names: Vec<&str> = nodes
            .iter()
            .filter(|node| ids.contains(&node.id) && (node.is_point || !parents.contains(&node.id)))
            .map(|node| node.name.as_str())
            .collect();
        names.sort_unstable();
        Some(names.join(", ")).filter(|text| !text.is_empty())
    };
    let withdrawn = names(&mut before.difference(after));
    let granted = names(&mut after.difference(before));
    let change = |field: &str, before, after| Change { field: field.to_owned(), before, after };
    let mut changes = Vec::new();
    if granted.is_some() {
        changes.push(change("granted", None, granted));
    }
    if withdrawn.is_some() {
        changes.push(change("withdrawn", withdrawn, None));
    }
    changes
}

/// The same changes with the titles of screens and points instead of their codes.
pub fn in_words(diff: Vec<Change>, locale: Locale) -> Vec<Change> {
    let titles = |codes: Option<String>| {
        let titles: Vec<_> = codes?.split(", ").map(|code| routes::title(code, locale)).collect();
        Some(titles.join(locale.pick("、", ", ")))
    };
    let with_titles = |Change { field, before, after }: Change| match &*field {
        "granted" | "withdrawn" => Change { field, before: titles(before), after: titles(after) },
        _ => Change { field, before, after },
    };
    diff.into_iter().map(with_titles).collect()
}
