//! Signing in and out, and one's own account.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::account::{new_password, target};
use super::told_to;
use crate::access::audit::{self, Action};
use crate::access::password::{LONGEST, Policy};
use crate::access::session::{self, Use};
use crate::access::sign_in::{self, Proof, SignIn};
use crate::access::verification::{self, Forgotten, Reset, Sent};
use crate::access::{DataScope, Scope, Viewer};
use crate::api::calls::WithCookie;
use crate::api::ctx::token_cookie;
use crate::api::{self, ApiError, Body, Check, Ctx, Nothing, Query, Say, say};
use crate::crypto;
use crate::locale::Locale;

/// The signed-in person, as pages and the browser know him.
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
    /// True until a made or expired password has been replaced.
    pub must_change_pwd: bool,
}

/// What a browser may know of its viewer.
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
    }
}

/// The sign-in form. Fields it does not know are left alone: other clients send their whole form.
#[derive(Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(default)]
#[derive(Default)]
#[ts(export, export_to = "api-types.ts")]
pub struct LoginForm {
    pub username: String,
    pub password: String,
}

/// The answer to a sign-in.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct SignedIn {
    /// To be sent in the header `token`.
    pub token: String,
    pub user: ViewerInfo,
}

/// `GET /admin/login`: the specification's form of it. Queries are never logged.
pub async fn login_by_address(cx: Arc<Ctx>, Query(form): Query<LoginForm>) -> api::Result<WithCookie<SignedIn>> {
    login(cx, Body(form)).await
}

/// `POST /admin/login`.
pub async fn login(cx: Arc<Ctx>, Body(form): Body<LoginForm>) -> api::Result<WithCookie<SignedIn>> {
    Check::new()
        .that("username", !form.username.trim().is_empty(), say("用户名不能为空", "Username cannot be empty"))
        .that("password", !form.password.is_empty(), say("密码不能为空", "Password cannot be empty"))
        .done()?;
    let token = match sign_in::sign_in(cx.app.gate(), &form.username, &form.password, &cx.origin, cx.now).await? {
        SignIn::Done { token, .. } => token,
        SignIn::Wrong => {
            told_to::if_locked(cx.db(), &form.username, &cx.origin, cx.now).await?;
            return Err(ApiError::Credentials);
        }
        SignIn::TooMany { retry_after } => return Err(ApiError::TooMany { retry_after }),
    };
    let viewer = session::viewer(cx.app.gate(), &token, Use::Active, cx.now).await?.ok_or(ApiError::Credentials)?;
    let cookie = token_cookie(&token, cx.secure);
    Ok(WithCookie { data: SignedIn { token, user: viewer_info(&viewer, cx.locale) }, cookie })
}

/// `POST /admin/logout`: ends this session, not the account's others.
pub async fn logout(cx: Arc<Ctx>, _: Nothing) -> api::Result<WithCookie<()>> {
    let mut tx = cx.db().begin().await?;
    session::revoke(&mut tx, cx.viewer()?.session_id, cx.now).await?;
    tx.commit().await?;
    Ok(WithCookie { data: (), cookie: token_cookie("", cx.secure) })
}

/// A person's own new password.
#[derive(Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PasswordChange {
    pub old: String,
    pub new: String,
}

fn too_weak(policy: &Policy) -> Say {
    let Policy { shortest, words, .. } = policy;
    let mut chinese = format!("{shortest} 到 {LONGEST} 个字符，须含字母和数字，且不能与用户名相同");
    let mut english = format!("{shortest} to {LONGEST} characters with a letter and a digit, other than the user name");
    if !words.is_empty() {
        chinese.push_str("，也不能含公司规定的禁用词");
        english.push_str(", and without the words that are not allowed");
    }
    say(chinese, english)
}

fn worn(policy: &Policy) -> Say {
    match policy.history {
        ..=1 => say("新密码不能与原密码相同", "Choose another password than the old one"),
        count => say(format!("不能与最近 {count} 次使用的密码相同"), format!("Choose another password than the last {count}")),
    }
}

/// `PUT /admin/password`. This session goes on, the account's others end. Wrong old passwords
/// count as failed sign-ins, so that a stolen session is no way around that limit.
pub async fn change_password(cx: Arc<Ctx>, Body(change): Body<PasswordChange>) -> api::Result<()> {
    let viewer = cx.viewer()?;
    let policy = Policy::of(&*cx.app.settings.values(cx.db()).await?);
    Check::new()
        .that("old", !change.old.is_empty(), say("必填", "Required"))
        .that("new", policy.accepts(&change.new, &viewer.username), too_weak(&policy))
        .that("new", change.new != change.old, worn(&policy))
        .done()?;
    let attempt = match sign_in::prove(cx.app.gate(), &viewer.username, &change.old, &cx.origin, cx.now).await? {
        Proof::Right { attempt, .. } => attempt,
        Proof::Wrong => {
            told_to::if_locked(cx.db(), &viewer.username, &cx.origin, cx.now).await?;
            return Err(ApiError::field("old", say("原密码不正确", "The old password is wrong")));
        }
        Proof::TooMany { retry_after } => return Err(ApiError::TooMany { retry_after }),
    };
    let hash = crypto::hash_password(change.new.clone()).await;

    let mut tx = cx.db().begin().await?;
    sign_in::succeeded(&mut tx, attempt, viewer.id, "confirmed").await?;
    if policy.history > 1 && policy.is_worn(&mut tx, viewer.id, &change.new).await? {
        tx.commit().await?;
        return Err(ApiError::field("new", worn(&policy)));
    }
    sign_in::set_password(&mut tx, viewer.id, &hash, false, Some(viewer.session_id), cx.now).await?;
    audit::record(&mut tx, &cx.actor()?, target(viewer.id), Action::Update, &[new_password()]).await?;
    tx.commit().await?;
    Ok(())
}

/// Who asks for a verification code.
#[derive(Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct CodeRequest {
    pub phone: String,
    /// Lower-case hex MD5 of the phone and today's date, `YYYYMMDD` in Asia/Shanghai.
    pub sign: String,
}

/// `GET /admin/sendCode`. The answer is the same whether the phone is an account's or nobody's.
pub async fn send_code(cx: Arc<Ctx>, Query(asked): Query<CodeRequest>) -> api::Result<()> {
    Check::new().phone("phone", &asked.phone).done()?;
    match verification::send(cx.app.gate(), &asked.phone, &asked.sign, &cx.origin, cx.now).await? {
        Sent::Accepted => Ok(()),
        Sent::BadSign => Err(ApiError::field("sign", say("签名不正确", "The sign is wrong"))),
        Sent::TooMany { retry_after } => Err(ApiError::TooMany { retry_after }),
    }
}

/// A forgotten password's replacement.
#[derive(Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PasswordReset {
    pub phone: String,
    pub code: String,
    pub password: String,
}

/// `POST /admin/resetPassword`.
pub async fn reset_password(cx: Arc<Ctx>, Body(reset): Body<PasswordReset>) -> api::Result<()> {
    let PasswordReset { phone, code, password } = &reset;
    Check::new().phone("phone", phone).text("code", code, 1..=6).done()?;
    let forgotten = Forgotten { phone, code, password };
    match verification::reset_password(cx.app.gate(), forgotten, &cx.origin, &cx.request_id, cx.now).await? {
        Reset::Done { .. } => Ok(()),
        Reset::Wrong => Err(ApiError::Credentials),
        Reset::Weak(policy) => Err(ApiError::field("password", too_weak(&policy))),
        Reset::Worn(policy) => Err(ApiError::field("password", worn(&policy))),
    }
}
