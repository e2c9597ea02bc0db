//! The login form without JavaScript: a person can sign in before, or without, the page's scripts.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Response, header};
use serde::Deserialize;

use super::plain::{form, same_site, see_other};
use super::preferences::Preferences;
use super::{Props, Site, Spent, guard, redirect, respond};
use crate::access::sign_in::{self, SignIn};
use crate::admin::told_to;
use crate::api::ctx::{RequestInfo, token_cookie};
use crate::routes;

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
    let form: Form = form(body).await;
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
    let mut response = see_other(&to);
    response.headers_mut().append(header::SET_COOKIE, token_cookie(token, secure));
    // The next page hands the token to its scripts, once.
    let handoff = HeaderValue::from_static("handoff=1; HttpOnly; SameSite=Lax; Path=/; Max-Age=60");
    response.headers_mut().append(header::SET_COOKIE, handoff);
    response
}
