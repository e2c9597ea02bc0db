//! The viewer's own second factor: setting it up, its recovery codes, turning it off.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};

use super::account::target;
use super::account_messages;
use super::sign_in::{prove_again, wrong_code};
use base::db::Tx;
use base::qr;
use frame::access::audit::{self, Action, Change};
use frame::access::second_factor::{self, Checked, ISSUER};
use frame::access::totp::Secret;
use frame::access::{session, sign_in};
use frame::api::{self, ApiError, Body, Check, Ctx, Nothing, Say, say};

/// The state of the viewer's own second factor.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SecondFactor {
    /// Since when a code is required, epoch milliseconds; none if none is.
    pub since: Option<i64>,
    pub recovery_codes_left: i64,
}

/// `GET /admin/me/secondFactor`.
pub async fn status(cx: Arc<Ctx>, _: Nothing) -> api::Result<SecondFactor> {
    let status = second_factor::status(cx.db(), cx.viewer()?.id).await?;
    Ok(SecondFactor { since: status.confirmed_at, recovery_codes_left: status.recovery_codes_left })
}

/// The password, again.
#[derive(Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PasswordAgain {
    pub password: String,
}

/// The secret for an authenticator, shown only here.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct Enrolment {
    /// Base32, to be typed if the picture cannot be scanned.
    pub secret: String,
    /// The address in the picture.
    pub address: String,
    /// The picture: an SVG path, dark on light, and the side of its square.
    pub path: String,
    pub size: i64,
}

/// `POST /admin/me/secondFactor`: makes a secret. It is active once a code of it has been right.
pub async fn begin(cx: Arc<Ctx>, Body(PasswordAgain { password }): Body<PasswordAgain>) -> api::Result<Enrolment> {
    let viewer = cx.viewer()?;
    let attempt = confirm_password(&cx, &password).await?;
    let context = &*cx;
    let begun: Option<Enrolment> = cx
        .db()
        .transact(|mut tx| {
            async move {
                sign_in::succeeded(&mut tx, attempt, viewer.id, "confirmed").await?;
                let secret = second_factor::begin(&mut tx, &context.app.keys, viewer.id, context.now).await?;
                let begun = secret.map(|secret| enrolment(&secret, &viewer.username));
                if let Some(enrolment) = &begun {
                    context.keep_answer(&mut tx, enrolment).await?;
                }
                Ok::<_, ApiError>(begun)
            }
            .boxed()
        })
        .await?;
    // The password was right and is recorded as such, even if this fails.
    begun.ok_or_else(|| ApiError::State(say("两步验证已开启，请先关闭", "Two-step verification is already on, turn it off first")))
}

fn enrolment(secret: &Secret, username: &str) -> Enrolment {
    let address = secret.address(ISSUER, username);
    let picture = qr::picture(&address);
    Enrolment { secret: secret.base32(), address, path: picture.path, size: picture.size }
}

/// A code of the authenticator.
#[derive(Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct AuthenticatorCode {
    pub code: String,
}

/// Codes for when the authenticator is lost, shown only here; each can be used once.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct RecoveryCodes {
    pub codes: Vec<String>,
}

/// `PUT /admin/me/secondFactor`: activates the secret. The account's other sessions, which began without it, end.
pub async fn confirm(cx: Arc<Ctx>, Body(AuthenticatorCode { code }): Body<AuthenticatorCode>) -> api::Result<RecoveryCodes> {
    let viewer = cx.viewer()?;
    let code: String = code.split_whitespace().collect();
    let mut tx = cx.db().begin().await?;
    if !second_factor::confirm(&mut tx, &cx.app.keys, viewer.id, &code, cx.now).await.map_err(ApiError::Internal)? {
        return Err(ApiError::field("code", say("验证码不正确，请检查手机时间", "This code is incorrect; check the clock of your phone")));
    }
    let codes = second_factor::make_recovery_codes(&mut tx, &cx.app.keys, viewer.id, cx.now).await?;
    session::revoke_all(&mut tx, viewer.id, Some(viewer.session_id), cx.now).await?;
    record(&cx, &mut tx, false, true).await?;
    tx.commit().await?;
    Ok(RecoveryCodes { codes })
}

/// The password and a code, for actions that weaken an account.
#[derive(Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PasswordAndCode {
    pub password: String,
    pub code: String,
}

/// `POST /admin/me/secondFactor/codes`: ten new recovery codes; earlier ones are no longer valid.
pub async fn new_codes(cx: Arc<Ctx>, Body(form): Body<PasswordAndCode>) -> api::Result<RecoveryCodes> {
    let viewer = cx.viewer()?;
    let mut tx = prove_both(&cx, &form).await?;
    let codes = second_factor::make_recovery_codes(&mut tx, &cx.app.keys, viewer.id, cx.now).await?;
    let made = Change { field: "recoveryCodes".to_owned(), before: None, after: None };
    audit::record(&mut tx, &cx.actor()?, target(viewer.id), Action::Update, &[made]).await?;
    cx.commit(tx, RecoveryCodes { codes }).await
}

/// `POST /admin/me/secondFactor/remove`. If the role requires a second factor, the person has to set up another one
/// next.
pub async fn remove(cx: Arc<Ctx>, Body(form): Body<PasswordAndCode>) -> api::Result<()> {
    let viewer = cx.viewer()?;
    let mut tx = prove_both(&cx, &form).await?;
    second_factor::remove(&mut tx, viewer.id).await?;
    record(&cx, &mut tx, true, false).await?;
    cx.commit(tx, ()).await
}

/// Begins a transaction for a person who has given the password and a code again.
async fn prove_both(cx: &Ctx, form: &PasswordAndCode) -> api::Result<Tx> {
    let viewer = cx.viewer()?;
    Check::new().text("code", form.code.trim(), 1..=32).done()?;
    if second_factor::status(cx.db(), viewer.id).await?.confirmed_at.is_none() {
        return Err(ApiError::State(say("您没有开启两步验证", "Two-step verification is not on")));
    }
    let attempt = confirm_password(cx, &form.password).await?;
    let mut tx = cx.db().begin().await?;
    sign_in::succeeded(&mut tx, attempt, viewer.id, "confirmed").await?;
    match second_factor::check(cx.db(), &mut tx, &cx.app.keys, viewer.id, &form.code, cx.now).await.map_err(ApiError::Internal)? {
        Checked::Right => Ok(tx),
        Checked::Wrong { guessed } => {
            tx.commit().await?;
            account_messages::guessed(cx.db(), guessed.then_some(viewer.id), &cx.origin, cx.now).await?;
            Err(ApiError::WrongProof { field: "code", message: wrong_code(&form.code) })
        }
        Checked::TooMany { retry_after } => {
            tx.commit().await?;
            Err(ApiError::TooMany { retry_after })
        }
    }
}

async fn confirm_password(cx: &Ctx, password: &str) -> api::Result<i64> {
    let wrong: Say = say("密码不正确", "The password is incorrect");
    Check::new().that("password", !password.is_empty(), say("必填", "Required")).done()?;
    prove_again(cx, "password", password, wrong).await
}

async fn record(cx: &Ctx, tx: &mut Tx, before: bool, after: bool) -> api::Result<()> {
    let text = |on: bool| Some(on.to_string());
    let change = Change { field: "secondFactor".to_owned(), before: text(before), after: text(after) };
    Ok(audit::record(tx, &cx.actor()?, target(cx.viewer()?.id), Action::Update, &[change]).await?)
}
