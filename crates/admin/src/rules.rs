//! The rules of an account's form, and who may change which account.

use std::collections::BTreeSet;

use super::model::{AdminForm, AdminRow, AdminUpdate};
use super::role::Grantable;
use super::store;
use base::canonical;
use base::db::Connection;
use base::form_limits;
use frame::access::accounts::Details;
use frame::access::{DataScope, Viewer};
use frame::api::check::{present, present_phone};
use frame::api::{self, ApiError, Check, say};

form_limits! {
    /// Of an account.
    admin {
        REAL_NAME: usize = 32,
        USERNAME: usize = 32,
    }
}

/// Most roles of one account.
const MOST_ROLES: usize = 20;

/// The fields of an account's form, tidied.
#[derive(Debug)]
pub struct Profile {
    pub real_name: String,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub org_id: Option<i64>,
    pub sub_org_id: Option<i64>,
    pub role_ids: BTreeSet<i64>,
}

impl Profile {
    /// The fields as stored.
    pub fn details(&self) -> Details<'_> {
        Details {
            real_name: &self.real_name,
            phone: self.phone.as_deref(),
            email: self.email.as_deref(),
            org_id: self.org_id,
            sub_org_id: self.sub_org_id,
            role_ids: &self.role_ids,
        }
    }

    /// From the form of a new account.
    pub fn of_form(form: AdminForm, viewer: &Viewer) -> Profile {
        let AdminForm { username: _, real_name, phone, email, org_id, sub_org_id, role_ids } = form;
        Profile { real_name, phone, email, org_id, sub_org_id, role_ids: role_ids.into_iter().collect() }.tidy(viewer)
    }

    /// From the form of a changed account.
    pub fn of_update(update: AdminUpdate, viewer: &Viewer) -> Profile {
        let AdminUpdate { id: _, version: _, real_name, phone, email, org_id, sub_org_id, role_ids } = update;
        Profile { real_name, phone, email, org_id, sub_org_id, role_ids: role_ids.into_iter().collect() }.tidy(viewer)
    }

    /// Tidies the fields. Without an organisation the account gets the viewer's; in the viewer's organisation without a
    /// team, the viewer's team.
    fn tidy(mut self, viewer: &Viewer) -> Profile {
        self.real_name = canonical::trimmed(&self.real_name).to_owned();
        self.phone = present_phone(self.phone);
        self.email = present(self.email);
        self.org_id = self.org_id.or(viewer.org_id);
        if self.org_id == viewer.org_id {
            self.sub_org_id = self.sub_org_id.or(viewer.sub_org_id);
        }
        self
    }

    /// Whether the change gives the account another organisation, another team or other roles.
    pub fn moves(&self, before: &AdminRow) -> bool {
        let held: BTreeSet<i64> = before.roles.iter().map(|role| role.id).collect();
        (self.org_id, self.sub_org_id) != (before.org_id, before.sub_org_id) || self.role_ids != held
    }
}

/// Checks all fields at once. `username` is given for a new account only, `held` are the roles of an existing one,
/// which it may keep although they are switched off.
pub fn check(username: Option<&str>, profile: &Profile, grantable: &[Grantable], held: Option<&AdminRow>) -> api::Result<()> {
    let mut check = Check::new();
    if let Some(username) = username {
        let allowed = username.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte));
        check.text("username", username, 3..=USERNAME);
        check.that("username", allowed, say("只能使用小写字母、数字和 . _ -", "Use only lower-case letters, digits and . _ -"));
    }
    check.name("realName", &profile.real_name, 1..=REAL_NAME);
    if let Some(phone) = &profile.phone {
        check.phone("phone", phone);
    }
    if let Some(email) = &profile.email {
        check.email("email", email);
    }
    check.that("subOrgId", profile.org_id.is_some() || profile.sub_org_id.is_none(), say("请先选择机构", "Choose an organisation first"));
    check.that("roleIds", !profile.role_ids.is_empty(), say("请选择角色", "Choose a role"));
    check.that("roleIds", profile.role_ids.len() <= MOST_ROLES, say("角色过多", "Too many roles"));
    for id in &profile.role_ids {
        let kept = held.is_some_and(|row| row.holds(*id));
        let found = grantable.iter().find(|choice| choice.role.id == *id && (choice.enabled || kept));
        check.that("roleIds", found.is_some(), say("不能授予该角色", "You cannot grant this role"));
        if let Some(choice) = found {
            let message = say("角色的数据范围与账号所属机构不符", "The role's data scope does not fit the account's organisation");
            check.that("roleIds", fits(choice.role.scope, profile), message);
        }
    }
    check.done()
}

/// Whether a role's scope fits an account: the platform's scopes are for platform staff, an organisation's and a
/// team's for people who belong to one.
fn fits(scope: DataScope, profile: &Profile) -> bool {
    match scope {
        DataScope::All | DataScope::Own => profile.org_id.is_none(),
        DataScope::Org => profile.org_id.is_some(),
        DataScope::SubOrg => profile.sub_org_id.is_some(),
        DataScope::Myself => true,
    }
}

/// Whether the account's organisation exists. The error is the same if it is outside the viewer's scope.
pub async fn check_organisation(tx: &mut Connection, profile: &Profile) -> api::Result<()> {
    match profile.org_id {
        Some(org) if !store::organisation_exists(tx, org, profile.sub_org_id).await? => Err(not_your_organisation()),
        _ => Ok(()),
    }
}

/// The refusal of an account that would end up outside the viewer's scope.
pub fn not_your_organisation() -> ApiError {
    ApiError::field("orgId", say("请选择您管理的机构", "Choose an organisation that you manage"))
}

/// Refuses changes of the built-in administrator, and of accounts with more rights than the viewer: a person who
/// resets a password or a phone could sign in as that account.
pub fn may_change(row: &AdminRow, grantable: &[Grantable]) -> api::Result<()> {
    if row.builtin {
        return Err(ApiError::State(say("内置管理员不能修改", "The built-in administrator cannot be changed")));
    }
    let within = row.roles.iter().all(|held| grantable.iter().any(|choice| choice.role.id == held.id));
    match within {
        true => Ok(()),
        false => Err(ApiError::State(say("该账号的权限超出您的权限", "This account has more permissions than you"))),
    }
}

/// Refuses actions that people may not take on their own account.
pub fn not_oneself(viewer: &Viewer, row: &AdminRow) -> api::Result<()> {
    match viewer.id == row.id {
        true => Err(ApiError::State(say("不能对自己的账号进行此操作", "You cannot do this to your own account"))),
        false => Ok(()),
    }
}
