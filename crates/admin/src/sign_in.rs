//! Signing in and out, and the viewer's own account.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::account::{new_password, target};
use super::account_messages;
use base::canonical;
use base::crypto;
use base::password_hashing::Priority;
use frame::access::audit::{self, Action};
use frame::access::password_rules::{LONGEST, Policy};
use frame::access::second_factor::{self, SecondStep};
use frame::access::session::{self, Use};
use frame::access::sign_in::{self, Proof, SignIn};
use frame::access::{ViewerInfo, viewer_info};
use frame::api::calls::WithCookie;
use frame::api::ctx::token_cookie;
use frame::api::input::{OwnBody, OwnQuery};
use frame::api::{self, ApiError, Body, Check, Ctx, Nothing, Query, Say, say};
use frame::setting;
use frame::sms::verification::{self, Forgotten, Reset, Sent};

/// The sign-in form. Unknown fields are ignored: other clients send their whole form.
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
    /// Clients send it in the header `token`.
    pub token: String,
    pub user: ViewerInfo,
}

/// `GET /admin/login`: the form in the specification. Queries are never logged.
///
/// It returns a token and sets no cookie, so that no address to which a browser is led can sign a person in to our
/// pages; a client of the old system sends the token as a header and needs no cookie. An account with a second factor
/// gets a refusal in words, since such a client has no second step.
pub async fn login_by_address(cx: Arc<Ctx>, OwnQuery(form): OwnQuery<LoginForm>) -> api::Result<SignedIn> {
    if !cx.setting(&setting::SECURITY_LOGIN_BY_ADDRESS).await? {
        return Err(ApiError::State(say("此登录方式已停用，请改用 POST", "Login by URL is turned off, use POST")));
    }
    signed_in(
        &cx,
        by_password(&cx, form).await.map_err(|error| match error {
            ApiError::SecondFactor { .. } => ApiError::State(say(
                "该账号已开启两步验证，请在网页上登录",
                "This account uses two-step verification, log in on the web page",
            )),
            other => other,
        })?,
    )
    .await
}

/// `POST /admin/login`. An account with a second factor gets `1007` and a ticket for [`login_by_code`].
pub async fn login(cx: Arc<Ctx>, OwnBody(form): OwnBody<LoginForm>) -> api::Result<WithCookie<SignedIn>> {
    let token = by_password(&cx, form).await?;
    with_cookie(&cx, token).await
}

/// The second step of a sign-in.
#[derive(Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct SecondStepForm {
    /// From the answer to the first step; valid for five minutes and five codes, in the same browser.
    pub ticket: String,
    /// Six digits, or a recovery code.
    pub code: String,
}

/// `POST /admin/login/code`.
pub async fn login_by_code(cx: Arc<Ctx>, OwnBody(form): OwnBody<SecondStepForm>) -> api::Result<WithCookie<SignedIn>> {
    Check::new().text("ticket", &form.ticket, 1..=64).text("code", form.code.trim(), 1..=32).done()?;
    match second_factor::sign_in(cx.app.gate(), &form.ticket, &form.code, &cx.origin, cx.now).await.map_err(ApiError::Internal)? {
        SecondStep::Done { token } => with_cookie(&cx, token).await,
        SecondStep::Lapsed => Err(ApiError::State(lapsed())),
        SecondStep::Wrong { guessed } => {
            account_messages::guessed(cx.db(), guessed, &cx.origin, cx.now).await?;
            Err(ApiError::WrongProof { field: "code", message: wrong_code(&form.code) })
        }
        SecondStep::TooMany { retry_after } => Err(ApiError::TooMany { retry_after }),
    }
}

/// The text for a ticket that is no longer valid.
pub fn lapsed() -> Say {
    say("登录已超时，请重新输入密码", "This login has timed out, enter your password again")
}

/// The text for a code that is wrong, or was used.
pub fn wrong_code(code: &str) -> Say {
    // A recovery code does not have six digits, and the authenticator does not show a next one.
    match second_factor::plain(code).chars().count() {
        0..=6 => say("验证码不正确或已使用，请等下一个验证码", "This code is incorrect or has already been used, wait for the next one"),
        _ => say("恢复码不正确或已使用，请换一个", "This recovery code is incorrect or has already been used, enter another"),
    }
}

async fn with_cookie(cx: &Ctx, token: String) -> api::Result<WithCookie<SignedIn>> {
    let cookie = token_cookie(&token, cx.secure);
    Ok(WithCookie { data: signed_in(cx, token).await?, cookie })
}

async fn signed_in(cx: &Ctx, token: String) -> api::Result<SignedIn> {
    let viewer = session::viewer(cx.app.gate(), &token, Use::Active, &cx.origin, cx.now).await?.ok_or(ApiError::Credentials)?;
    Ok(SignedIn { token, user: viewer_info(&viewer, cx.locale) })
}

/// The token of an account that gave its password and needs no second step.
async fn by_password(cx: &Ctx, form: LoginForm) -> api::Result<String> {
    Check::new()
        .that("username", !form.username.trim().is_empty(), say("用户名不能为空", "Username cannot be empty"))
        .that("password", !form.password.is_empty(), say("密码不能为空", "Password cannot be empty"))
        .done()?;
    match sign_in::sign_in(cx.app.gate(), &canonical::account_name(&form.username), &form.password, &cx.origin, cx.now).await? {
        SignIn::Done { token, .. } => Ok(token),
        SignIn::Owed { ticket } => Err(ApiError::SecondFactor { ticket, lives_for: second_factor::TICKET_LIFETIME }),
        SignIn::Wrong { closed, is_limited } => {
            account_messages::locked(cx.db(), closed, &cx.origin, cx.now).await?;
            Err(if is_limited { ApiError::CredentialsOrAddress } else { ApiError::Credentials })
        }
        SignIn::Denied => Err(ApiError::Address),
        SignIn::Stale => Err(ApiError::State(stale())),
        SignIn::TooMany { retry_after } => Err(ApiError::TooMany { retry_after }),
        SignIn::Busy => Err(ApiError::Busy),
    }
}

/// `POST /admin/logout`: ends this session, but not the account's others.
pub async fn logout(cx: Arc<Ctx>, _: Nothing) -> api::Result<WithCookie<()>> {
    let mut tx = cx.db().begin().await?;
    session::revoke(&mut tx, cx.viewer()?.session_id, cx.now).await?;
    cx.commit(tx, ()).await?;
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

/// The text for a generated password that was not used in time.
pub fn stale() -> Say {
    say(
        "初始密码已超过 72 小时未修改，请联系管理员重新生成，或用手机验证码找回密码",
        "Your initial password was not changed within 72 hours. Ask an administrator for a new one, or reset it with a code sent to your phone",
    )
}

fn too_weak(policy: &Policy) -> Say {
    let Policy { shortest, words, .. } = policy;
    let mut chinese = format!("{shortest} 到 {LONGEST} 个字符，不能是常见密码，且不能与用户名相同");
    let mut english = format!("{shortest} to {LONGEST} characters, not a common password and not the same as the username");
    if !words.is_empty() {
        chinese.push_str("，也不能含公司规定的禁用词");
        english.push_str(", and without words that the company does not allow");
    }
    say(chinese, english)
}

fn worn(policy: &Policy) -> Say {
    match policy.history {
        ..=1 => say("新密码不能与原密码相同", "The new password must differ from the old one"),
        count => say(format!("不能与最近 {count} 次使用的密码相同"), format!("The new password must differ from your last {count}")),
    }
}

/// Requires a signed-in person's password again. Returns its line in the login log, which must be confirmed in the
/// transaction of the action. Wrong passwords count as failed sign-ins.
pub(super) async fn prove_again(cx: &Ctx, field: &'static str, password: &str, wrong: Say) -> api::Result<i64> {
    match sign_in::prove(cx.app.gate(), &cx.viewer()?.username, password, &cx.origin, cx.now).await? {
        Proof::Right(proven) => Ok(proven.attempt),
        Proof::Wrong { closed } => {
            account_messages::locked(cx.db(), closed, &cx.origin, cx.now).await?;
            Err(ApiError::WrongProof { field, message: wrong })
        }
        Proof::Denied => Err(ApiError::Address),
        Proof::TooMany { retry_after } => Err(ApiError::TooMany { retry_after }),
        Proof::Busy => Err(ApiError::Busy),
    }
}

/// `PUT /admin/password`. This session goes on, the account's others end. Wrong old passwords count as failed
/// sign-ins, so that a stolen session cannot be used to avoid that limit.
pub async fn change_password(cx: Arc<Ctx>, Body(change): Body<PasswordChange>) -> api::Result<()> {
    let viewer = cx.viewer()?;
    let policy = Policy::of(&*cx.app.settings.values(cx.db()).await?);
    Check::new()
        .that("old", !change.old.is_empty(), say("必填", "Required"))
        .that("new", policy.accepts(&change.new, &viewer.username), too_weak(&policy))
        .that("new", change.new != change.old, worn(&policy))
        .done()?;
    let attempt = prove_again(&cx, "old", &change.old, say("原密码不正确", "The old password is incorrect")).await?;
    let place = cx.app.hashing.place(Priority::Staff)?;
    let is_worn = policy.history > 1 && policy.is_worn(cx.db(), &place, viewer.id, &change.new).await?;
    let hash = if is_worn { None } else { Some(place.hash(&change.new).await) };
    drop(place);

    let mut tx = cx.db().begin().await?;
    sign_in::succeeded(&mut tx, attempt, viewer.id, "confirmed").await?;
    let Some(hash) = hash else {
        tx.commit().await?;
        return Err(ApiError::field("new", worn(&policy)));
    };
    sign_in::set_password(&mut tx, viewer.id, &hash, false, Some(viewer.session_id), cx.now).await?;
    audit::record(&mut tx, &cx.actor()?, target(viewer.id), Action::Update, &[new_password()]).await?;
    tx.commit().await?;
    Ok(())
}

/// A request for a verification code.
#[derive(Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct CodeRequest {
    pub phone: String,
    /// Hex MD5 of the phone and today's date, `YYYYMMDD` in Asia/Shanghai.
    pub sign: String,
}

/// `GET /admin/sendCode`. The answer is the same whether or not the phone belongs to an account.
pub async fn send_code(cx: Arc<Ctx>, Query(asked): Query<CodeRequest>) -> api::Result<()> {
    let phone = canonical::phone_or_text(&asked.phone);
    Check::new().phone("phone", &phone).done()?;
    let given = asked.sign.to_ascii_lowercase();
    // The sign may be computed from the phone as it was typed.
    let sign = match crypto::same(&verification::sign(&asked.phone, cx.now), &given) {
        true => verification::sign(&phone, cx.now),
        false => given,
    };
    match verification::send(cx.app.gate(), &phone, &sign, &cx.origin, cx.now).await? {
        Sent::Accepted => Ok(()),
        Sent::BadSign => Err(ApiError::field("sign", say("签名不正确", "The sign is incorrect"))),
        Sent::TooMany { retry_after } => Err(ApiError::TooMany { retry_after }),
        Sent::Busy => Err(ApiError::Busy),
    }
}

/// A new password in place of a lost one.
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
    let (phone, code) = (&canonical::phone_or_text(&reset.phone), &canonical::code(&reset.code));
    let password = &reset.password;
    Check::new().phone("phone", phone).text("code", code, 1..=6).done()?;
    let forgotten = Forgotten { phone, code, password };
    match verification::reset_password(cx.app.gate(), forgotten, &cx.origin, &cx.request_id, cx.now).await? {
        Reset::Done { .. } => Ok(()),
        Reset::Wrong => Err(ApiError::WrongCode),
        Reset::Weak(policy) => Err(ApiError::field("password", too_weak(&policy))),
        Reset::Worn(policy) => Err(ApiError::field("password", worn(&policy))),
        Reset::TooMany { retry_after } => Err(ApiError::TooMany { retry_after }),
        Reset::Busy => Err(ApiError::Busy),
    }
}
