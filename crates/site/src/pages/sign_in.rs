//! The login form without JavaScript: a person can sign in before, or without, the page's scripts.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Response, header};
use serde::{Deserialize, Serialize};

use super::plain::{form, see_other};
use super::{Props, Site, Spent, guard, redirect, respond};
use admin::account_messages;
use base::canonical;
use base::routes;
use frame::access::second_factor::{self, SecondStep};
use frame::access::sign_in::{self, SignIn};
use frame::api::ApiError;
use frame::api::calls::ANSWER_WITHIN;
use frame::api::ctx::{RequestInfo, token_cookie};
use frame::api::preferences::Preferences;
use frame::api::site::same_site;

#[derive(Default, Deserialize)]
struct Form {
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    /// For the second step, instead of both: the ticket of the first one; and a code.
    #[serde(default)]
    ticket: String,
    #[serde(default)]
    code: String,
    /// The name of the next route.
    #[serde(default)]
    redirect: String,
    /// The query of that route.
    #[serde(default)]
    query: String,
}

/// Why the form is shown again; `LoginError` of `js/lib/types.ts`.
#[derive(Clone, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(super) enum Refusal {
    Empty,
    Credentials,
    /// The same, or the account may not sign in from this address.
    CredentialsOrAddress,
    /// This address is on the deny list.
    Address,
    /// The password was generated too long ago.
    Stale,
    /// Minutes until the next try counts.
    Locked {
        minutes: i64,
    },
    Busy,
    /// No refusal yet: a code is needed besides the password.
    Code {
        ticket: String,
    },
    /// A wrong code; the same ticket accepts another one.
    WrongCode {
        ticket: String,
    },
    /// The password is needed again.
    Lapsed,
}

impl Refusal {
    /// The refusal for the log, if it may be an attempt to break in.
    fn logged_as(&self) -> Option<ApiError> {
        match self {
            Refusal::Credentials | Refusal::WrongCode { .. } => Some(ApiError::Credentials),
            Refusal::CredentialsOrAddress => Some(ApiError::CredentialsOrAddress),
            Refusal::Address => Some(ApiError::Address),
            Refusal::Locked { minutes } => Some(ApiError::TooMany { retry_after: minutes * 60 }),
            Refusal::Empty | Refusal::Stale | Refusal::Busy | Refusal::Code { .. } | Refusal::Lapsed => None,
        }
    }
}

/// `POST /login`.
pub async fn submit(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let info = parts.extensions.get::<RequestInfo>().cloned().expect("the outermost layer sets it");
    if !same_site(&parts.headers) {
        return redirect("/login");
    }
    let form: Form = form(body).await;
    let refusal = match tokio::time::timeout(ANSWER_WITHIN, attempt(&site, &form, &info)).await {
        Ok(Ok(Ok(token))) => return signed_in(&token, &form, info.secure),
        Ok(Ok(Err(refusal))) => {
            if let Some(error) = refusal.logged_as() {
                super::tell(&site.app, &error, "POST", "/login", None, &info);
            }
            refusal
        }
        Ok(Err(error)) => {
            tracing::error!(request.id = info.request_id, cause = format!("{error:#}"), "signing in failed");
            let preferences = Preferences::read(&parts.headers, info.secure);
            return super::broken(&site, &info, &preferences, "/login", "").await;
        }
        Err(_) => Refusal::Busy,
    };
    let preferences = Preferences::read(&parts.headers, info.secure);
    let query = match (form.redirect.as_str(), form.query.trim_start_matches('?')) {
        ("", _) => String::new(),
        (name, "") => format!("redirect={name}"),
        (name, query) => format!("redirect={name}&{query}"),
    };
    let props = Props {
        path: "/login",
        query: &query,
        route: routes::by_name("login").expect("the table has its login page"),
        status: 200,
        viewer: None,
        data: "{}",
        login_error: Some(refusal),
        form_error: None,
        preferences: &preferences,
    };
    respond(&site, &info, &props, Spent::default()).await
}

/// The token of a person who is signed in, or what is still required.
async fn attempt(site: &Site, form: &Form, info: &RequestInfo) -> anyhow::Result<Result<String, Refusal>> {
    let (gate, origin, now) = (site.app.gate(), &info.origin, site.app.clock.now());
    let locked = |retry_after: i64| Refusal::Locked { minutes: (retry_after + 59) / 60 };
    if !form.ticket.is_empty() {
        return Ok(match second_factor::sign_in(gate, &form.ticket, &form.code, origin, now).await? {
            SecondStep::Done { token } => Ok(token),
            SecondStep::Lapsed => Err(Refusal::Lapsed),
            SecondStep::TooMany { retry_after } => Err(locked(retry_after)),
            SecondStep::Wrong { guessed } => {
                account_messages::guessed(&site.app.db, guessed, origin, now).await?;
                Err(Refusal::WrongCode { ticket: form.ticket.clone() })
            }
        });
    }
    if form.username.trim().is_empty() || form.password.is_empty() {
        return Ok(Err(Refusal::Empty));
    }
    Ok(match sign_in::sign_in(gate, &canonical::account_name(&form.username), &form.password, origin, now).await? {
        SignIn::Done { token, .. } => Ok(token),
        SignIn::Owed { ticket } => Err(Refusal::Code { ticket }),
        SignIn::Stale => Err(Refusal::Stale),
        SignIn::TooMany { retry_after } => Err(locked(retry_after)),
        SignIn::Busy => Err(Refusal::Busy),
        SignIn::Denied => Err(Refusal::Address),
        SignIn::Wrong { closed, is_limited } => {
            account_messages::locked(&site.app.db, closed, origin, now).await?;
            Err(if is_limited { Refusal::CredentialsOrAddress } else { Refusal::Credentials })
        }
    })
}

fn signed_in(token: &str, form: &Form, secure: bool) -> Response<Body> {
    let to = guard::after_login(&form.redirect, &form.query).unwrap_or_else(|| "/".to_owned());
    let mut response = see_other(&to);
    response.headers_mut().append(header::SET_COOKIE, token_cookie(token, secure));
    // The next page passes the token to its scripts, once.
    response.headers_mut().append(header::SET_COOKIE, handoff(true, secure));
    response
}

/// The cookie that makes the next page pass the token to its scripts; or the header that deletes it.
pub(super) fn handoff(wanted: bool, secure: bool) -> HeaderValue {
    HeaderValue::from_static(match (wanted, secure) {
        (true, true) => "handoff=1; HttpOnly; SameSite=Lax; Path=/; Max-Age=60; Secure",
        (true, false) => "handoff=1; HttpOnly; SameSite=Lax; Path=/; Max-Age=60",
        (false, true) => "handoff=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure",
        (false, false) => "handoff=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0",
    })
}
