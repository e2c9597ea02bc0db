//! The viewer's own account: profile, active role, open sessions.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::account::target;
use super::session::{not_the_current, session_change};
use frame::access::audit::{self, Action, Change};
use frame::access::network::AddressRules;
use frame::access::online::{self, StillOpen};
use frame::access::session;
use frame::access::{Viewer, ViewerInfo, user_agent, viewer_info};
use frame::api::{self, ApiError, Body, Ctx, Id, Nothing, say};

/// The signed-in person with all their roles.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct Me {
    #[serde(flatten)]
    pub viewer: ViewerInfo,
    /// In order; `role` is the code of the active one.
    pub roles: Vec<OwnRole>,
}

/// A role that the viewer may use.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct OwnRole {
    pub id: i64,
    pub code: String,
    /// In the viewer's language.
    pub name: String,
}

/// `GET /admin/me`.
pub async fn me(cx: Arc<Ctx>, _: Nothing) -> api::Result<Me> {
    let viewer = cx.viewer()?;
    let roles = online::roles_of(cx.db(), viewer.id).await?;
    let roles = roles.into_iter().map(|role| OwnRole { id: role.id, name: role.name(cx.locale).to_owned(), code: role.code });
    Ok(Me { viewer: viewer_info(viewer, cx.locale), roles: roles.collect() })
}

/// The key of the viewer's drafts.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct DraftKey {
    /// 32 bytes, as hex.
    pub key: String,
}

/// `GET /admin/me/draftKey`: the key with which this browser encrypts the inputs of unfinished forms before it keeps
/// them in its own storage: HMAC-SHA256 of a label and the account's id with the installation's key of look-ups, which no table
/// holds. Each session of the account gets the same key, on every node; browsers hold it in memory only.
///
/// It protects what is left in a browser's storage: the next person at a shared machine, a copy of the browser's profile
/// and an account that signs in later read nothing without a session of the account. It does not protect against
/// code that runs in our pages, against a person who uses the account's open session or knows its password, nor against
/// one who can read the keys of the server. A session that had the key could have kept it: the end of the session does not
/// change the key. It opens nothing that the server stores.
pub async fn draft_key(cx: Arc<Ctx>, _: Nothing) -> api::Result<DraftKey> {
    Ok(DraftKey { key: cx.app.keys.lookup_hash(&format!("key of drafts {}", cx.viewer()?.id)) })
}

/// The role to work in.
#[derive(Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RoleSwitch {
    pub role_id: i64,
}

/// `PUT /admin/role`: changes the role of this session; the viewer's other sessions keep theirs. The next sign-in
/// begins with the role chosen last.
pub async fn switch_role(cx: Arc<Ctx>, Body(RoleSwitch { role_id }): Body<RoleSwitch>) -> api::Result<ViewerInfo> {
    let viewer = cx.viewer()?;
    let held = online::roles_of(cx.db(), viewer.id).await?;
    let not_held = || ApiError::field("roleId", say("您没有这个角色，或它已停用", "You do not have this role, or it is disabled"));
    let chosen = held.iter().find(|role| role.id == role_id).ok_or_else(not_held)?;
    if role_id != viewer.role.id {
        ensure_allowed(&cx, &chosen.code).await?;
        let mut tx = cx.db().begin().await?;
        if !online::switch_role(&mut tx, viewer.id, viewer.session_id, role_id).await? {
            return Err(not_held());
        }
        let change = Change {
            field: "activeRole".to_owned(),
            before: Some(viewer.role.name(cx.locale).to_owned()),
            after: Some(chosen.name(cx.locale).to_owned()),
        };
        audit::record(&mut tx, &cx.actor()?, target(viewer.id), Action::Other, &[change]).await?;
        tx.commit().await?;
    }
    let role = cx.app.roles.get(cx.db(), role_id, chosen.version).await?;
    Ok(viewer_info(&Viewer { role, ..viewer.clone() }, cx.locale))
}

/// Refuses a role that may not be used from this address, or from where the session began: the session would end.
async fn ensure_allowed(cx: &Ctx, role: &str) -> api::Result<()> {
    let settings = cx.app.settings.values(cx.db()).await?;
    let rules = AddressRules::of(&settings);
    let began_at = session::address(cx.db().read(), cx.viewer()?.session_id).await?;
    match [Some(cx.origin.ip.as_str()), began_at.as_deref()].into_iter().flatten().any(|ip| rules.refuse(role, ip)) {
        true => Err(ApiError::field("roleId", say("该角色不能从当前 IP 使用", "This role cannot be used from your IP address"))),
        false => Ok(()),
    }
}

/// One of the viewer's own open sessions.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OwnSession {
    pub id: i64,
    /// It is the session of this request.
    pub current: bool,
    /// Name of its role.
    pub role_name: String,
    pub ip: String,
    /// Name and version, and the system; empty if the browser did not send them.
    pub browser: String,
    pub os: String,
    /// Epoch milliseconds, as the other times.
    pub created_at: i64,
    pub last_seen_at: i64,
    pub expires_at: i64,
}

/// `GET /admin/me/sessions`: the last used first.
pub async fn sessions(cx: Arc<Ctx>, _: Nothing) -> api::Result<Vec<OwnSession>> {
    let viewer = cx.viewer()?;
    let open = online::sessions_of(cx.db(), viewer.id, StillOpen::at(cx.app.gate(), cx.now).await?).await?;
    let sessions = open.into_iter().map(|session| {
        let client = user_agent::read(&session.user_agent, cx.locale);
        OwnSession {
            id: session.id,
            current: session.id == viewer.session_id,
            role_name: cx.locale.pick(session.role_zh, session.role_en),
            ip: session.ip,
            browser: client.browser,
            os: client.os,
            created_at: session.created_at,
            last_seen_at: session.last_seen_at,
            expires_at: session.expires_at,
        }
    });
    Ok(sessions.collect())
}

/// `DELETE /admin/me/sessions/{id}`: ends another session of the viewer. The current one ends by signing out, which
/// also clears the cookie.
pub async fn end_session(cx: Arc<Ctx>, Id(id): Id) -> api::Result<()> {
    let viewer = cx.viewer()?;
    if id == viewer.session_id {
        return Err(not_the_current());
    }
    let open = online::sessions_of(cx.db(), viewer.id, StillOpen::at(cx.app.gate(), cx.now).await?).await?;
    let session = open.into_iter().find(|session| session.id == id).ok_or(ApiError::Missing)?;
    let mut tx = cx.db().begin().await?;
    if !online::revoke_of(&mut tx, viewer.id, id, cx.now).await? {
        return Err(ApiError::Missing);
    }
    let change = session_change(&session.ip, user_agent::read(&session.user_agent, cx.locale));
    audit::record(&mut tx, &cx.actor()?, target(viewer.id), Action::ForceOut, &[change]).await?;
    tx.commit().await?;
    Ok(())
}
