//! The login form without JavaScript: a person can sign in before, or without, the page's scripts.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use serde::Deserialize;

use super::preferences::Preferences;
use super::{Props, Site, Spent, guard, redirect, respond};
use crate::access::sign_in::{self, SignIn};
use crate::admin::told_to;
use crate::api::ctx::{RequestInfo, token_cookie};
use crate::routes;

/// Longest form.
const MAX_FORM: usize = 16 * 1024;

#[derive(Default, Deserialize)]
struct Form {
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
    /// Route name to go on to.
    #[serde(default)]
    redirect: String,
    /// The query that route was asked with.
    #[serde(default)]
    query: String,
}

/// `POST /login`.
pub async fn submit(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let info = parts.extensions.get::<RequestInfo>().cloned().expect("the outermost layer sets it");
    if !same_site(&parts.headers) {
        return redirect("/login");
    }
    let form: Form =
        axum::body::to_bytes(body, MAX_FORM).await.ok().and_then(|bytes| serde_urlencoded::from_bytes(&bytes).ok()).unwrap_or_default();
    let refusal = if form.username.trim().is_empty() || form.password.is_empty() {
        "empty"
    } else {
        let now = site.app.clock.now();
        match sign_in::sign_in(site.app.gate(), &form.username, &form.password, &info.origin, now).await {
            Ok(SignIn::Done { token, .. }) => return signed_in(&token, &form, info.secure),
            Ok(SignIn::Wrong) => {
                if let Err(error) = told_to::if_locked(&site.app.db, &form.username, &info.origin, now).await {
                    tracing::error!(request.id = info.request_id, %error, "a locked account was not told");
                }
                "credentials"
            }
            Ok(SignIn::TooMany { .. }) => "locked",
            Err(error) => {
                tracing::error!(request.id = info.request_id, %error, "signing in failed");
                let preferences = Preferences::read(&parts.headers);
                return super::broken(&site, &info, &preferences, "/login", "").await;
            }
        }
    };
    let preferences = Preferences::read(&parts.headers);
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
        preferences: &preferences,
    };
    respond(&site, &info, &props, Spent::default()).await
}

fn signed_in(token: &str, form: &Form, secure: bool) -> Response<Body> {
    let to = guard::after_login(&form.redirect, &form.query).unwrap_or_else(|| "/".to_owned());
    let mut response = redirect(&to);
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().append(header::SET_COOKIE, token_cookie(token, secure));
    // The next page hands the token to its scripts, once.
    let handoff = HeaderValue::from_static("handoff=1; HttpOnly; SameSite=Lax; Path=/; Max-Age=60");
    response.headers_mut().append(header::SET_COOKIE, handoff);
    response
}

/// Whether the form was sent from a page of ours: another site must not sign a person in as somebody else.
fn same_site(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    match (text(header::ORIGIN), text(header::HOST)) {
        (Some(origin), Some(host)) => origin.split_once("://").is_some_and(|(_, from)| from == host),
        // A form always sends its origin in today's browsers; other programs have no other site to act for.
        (None, _) => true,
        (Some(_), None) => false,
    }
}
