//! The person behind a request, with the active role's points and data scope.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::role::Role;
use super::versions::Versions;
use base::locale::Locale;

/// The scope of a role, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum DataScope {
    /// Everything; platform staff only.
    All,
    /// Records that name the viewer as owner; platform staff only.
    Own,
    /// The viewer's organisation.
    Org,
    /// The viewer's sub-organisation.
    SubOrg,
    /// The viewer's own records.
    #[serde(rename = "self")]
    #[strum(serialize = "self")]
    Myself,
}

impl DataScope {
    /// The label.
    pub fn label(self, locale: Locale) -> &'static str {
        match self {
            DataScope::All => locale.pick("全部", "All"),
            DataScope::Own => locale.pick("名下", "Owned"),
            DataScope::Org => locale.pick("本机构", "Organisation"),
            DataScope::SubOrg => locale.pick("本团队", "Team"),
            DataScope::Myself => locale.pick("仅本人", "Self"),
        }
    }
}

/// The rows that a viewer may see, computed from role and account together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    All,
    Own(i64),
    Org(i64),
    SubOrg(i64),
    Myself(i64),
    /// The role's scope does not fit this account: no rows.
    Nothing,
}

/// The account of a request, in its active role.
#[derive(Clone, Debug)]
pub struct Viewer {
    pub id: i64,
    pub session_id: i64,
    pub username: String,
    pub name: String,
    pub avatar: Option<String>,
    pub org_id: Option<i64>,
    pub org_name: Option<String>,
    pub sub_org_id: Option<i64>,
    pub must_change_password: bool,
    /// The role requires a second factor, and the account has none yet.
    pub must_enrol: bool,
    pub role: Arc<Role>,
    /// When the token was issued, epoch milliseconds.
    pub token_issued_at: i64,
    /// The versions of tables as they were read with the session; none without a session.
    pub versions: Versions,
}

impl Viewer {
    /// Whether the active role holds a permission point.
    pub fn has(&self, point: &str) -> bool {
        self.role.points.contains(point)
    }

    /// Whether role, points and scope are the same as in an earlier read.
    pub fn has_same_rights_as(&self, other: &Viewer) -> bool {
        let rights = |viewer: &Viewer| {
            let Viewer { id, role, must_change_password, must_enrol, .. } = viewer;
            (*id, role.id, role.version, viewer.scope(), *must_change_password, *must_enrol)
        };
        rights(self) == rights(other)
    }

    /// The rows that this viewer may see. An account of an organisation never sees more than the organisation,
    /// whatever its role says.
    pub fn scope(&self) -> Scope {
        match (self.role.scope, self.org_id, self.sub_org_id) {
            (DataScope::Myself, _, _) => Scope::Myself(self.id),
            (DataScope::All, None, _) => Scope::All,
            (DataScope::Own, None, _) => Scope::Own(self.id),
            (DataScope::Org | DataScope::SubOrg, None, _) => Scope::Nothing,
            (_, Some(_), Some(sub_org)) => Scope::SubOrg(sub_org),
            (DataScope::SubOrg, Some(_), None) => Scope::Nothing,
            (_, Some(org), None) => Scope::Org(org),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(scope: DataScope, org_id: Option<i64>, sub_org_id: Option<i64>) -> Viewer {
        Viewer {
            id: 7,
            session_id: 1,
            username: "u".into(),
            name: "U".into(),
            avatar: None,
            org_id,
            org_name: None,
            sub_org_id,
            must_change_password: false,
            must_enrol: false,
            role: Arc::new(Role { scope, ..Role::default() }),
            token_issued_at: 0,
            versions: Versions::default(),
        }
    }

    #[test]
    fn an_organisations_account_never_sees_past_it() {
        assert_eq!(viewer(DataScope::All, Some(3), None).scope(), Scope::Org(3));
        assert_eq!(viewer(DataScope::Own, Some(3), None).scope(), Scope::Org(3));
        assert_eq!(viewer(DataScope::All, Some(3), Some(4)).scope(), Scope::SubOrg(4));
        assert_eq!(viewer(DataScope::Org, Some(3), Some(4)).scope(), Scope::SubOrg(4));
    }

    #[test]
    fn a_scope_without_its_organisation_is_empty() {
        assert_eq!(viewer(DataScope::Org, None, None).scope(), Scope::Nothing);
        assert_eq!(viewer(DataScope::SubOrg, Some(3), None).scope(), Scope::Nothing);
        assert_eq!(viewer(DataScope::All, None, None).scope(), Scope::All);
        assert_eq!(viewer(DataScope::Myself, Some(3), None).scope(), Scope::Myself(7));
    }
}
