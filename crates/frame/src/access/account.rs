//! The account types that areas and pages share.

use serde::Serialize;

use super::{DataScope, Scope, Viewer};
use base::codes;
use base::locale::Locale;

codes! {
    /// Whether an account can sign in.
    pub enum AdminStatus {
        Disabled("停用", "Disabled"),
        Enabled("启用", "Enabled"),
        /// Enabled, but locked for a while after too many wrong passwords.
        Locked("锁定", "Locked"),
    }
}

/// The signed-in person, as pages and the browser know them.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts", rename = "Viewer")]
pub struct ViewerInfo {
    pub id: i64,
    pub name: String,
    pub username: String,
    /// Code of the active role.
    pub role: String,
    pub role_name: String,
    pub scope: DataScope,
    pub org_id: Option<i64>,
    pub org_name: Option<String>,
    pub avatar: Option<String>,
    /// True until a generated or expired password has been replaced.
    pub must_change_pwd: bool,
    /// True until a second factor has been set up, if the role requires one.
    pub must_enrol: bool,
}

/// The viewer's data that a browser may get.
pub fn viewer_info(viewer: &Viewer, locale: Locale) -> ViewerInfo {
    ViewerInfo {
        id: viewer.id,
        name: viewer.name.clone(),
        username: viewer.username.clone(),
        role: viewer.role.code.clone(),
        role_name: viewer.role.name(locale).to_owned(),
        scope: match viewer.scope() {
            Scope::All => DataScope::All,
            Scope::Own(_) => DataScope::Own,
            Scope::Org(_) => DataScope::Org,
            Scope::SubOrg(_) => DataScope::SubOrg,
            Scope::Myself(_) => DataScope::Myself,
            Scope::Nothing => viewer.role.scope,
        },
        org_id: viewer.org_id,
        org_name: viewer.org_name.clone(),
        avatar: viewer.avatar.clone(),
        must_change_pwd: viewer.must_change_password,
        must_enrol: viewer.must_enrol,
    }
}
