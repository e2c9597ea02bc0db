//! Posts of the shell's buttons without scripts: signing out, another language, another theme.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Site, redirect};
use base::locale::Locale;
use frame::access::session::{self, Origin, Use};
use frame::api::ctx::{RequestInfo, token_cookie};
use frame::api::preferences::{Preferences, Theme};
use frame::api::site::same_site;

/// Longest form.
const MAX_FORM: usize = 16 * 1024;
/// How long a browser keeps a choice, in seconds: a year, as in the scripts.
const KEPT: i64 = 365 * 24 * 60 * 60;

/// Reads a form; one that is invalid, or too long, counts as empty.
pub(super) async fn form<F: DeserializeOwned + Default>(body: Body) -> F {
    axum::body::to_bytes(body, MAX_FORM).await.ok().and_then(|bytes| serde_urlencoded::from_bytes(&bytes).ok()).unwrap_or_default()
}

/// `POST /logout`: ends this session, as `POST /api/admin/logout` does.
pub(super) async fn sign_out(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let info = request.extensions().get::<RequestInfo>().cloned().expect("the outermost layer sets it");
    if !same_site(request.headers()) {
        return see_other("/");
    }
    if let Some(token) = Preferences::read(request.headers(), info.secure).token
        && let Err(error) = end(&site, token, &info.origin).await
    {
        tracing::error!(request.id = info.request_id, %error, "a session was not ended");
        return see_other("/exception/500");
    }
    let mut response = see_other("/login");
    response.headers_mut().append(header::SET_COOKIE, token_cookie("", info.secure));
    response
}

async fn end(site: &Site, token: &str, origin: &Origin) -> Result<(), sqlx::Error> {
    let now = site.app.clock.now();
    let Some(viewer) = session::viewer(site.app.gate(), token, Use::Active, origin, now).await? else { return Ok(()) };
    let mut tx = site.app.db.begin().await?;
    session::revoke(&mut tx, viewer.session_id, now).await?;
    tx.commit().await
}

/// The choice, and the page on which it was made.
#[derive(Default, Deserialize)]
struct Choice {
    locale: Option<String>,
    /// Present to change from light to dark, or back.
    theme: Option<String>,
    #[serde(default)]
    back: String,
}

/// `POST /preferences`: stores a choice in the browser's cookies and leads back.
pub(super) async fn choose(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let secure = parts.extensions.get::<RequestInfo>().is_some_and(|info| info.secure);
    if !same_site(&parts.headers) {
        return see_other("/");
    }
    let chosen: Choice = form(body).await;
    let mut response = see_other(local_address(&chosen.back));
    let mut keep = |name: &str, value: &str| {
        let cookie = format!("{name}={value}; Path=/; Max-Age={KEPT}; SameSite=Lax{}", if secure { "; Secure" } else { "" });
        response.headers_mut().append(header::SET_COOKIE, HeaderValue::from_str(&cookie).expect("names of ours"));
    };
    if let Some(locale) = chosen.locale {
        keep("locale", Locale::from_tag(Some(&locale)).tag());
    }
    if chosen.theme.is_some() {
        let other = match Preferences::read(&parts.headers, secure).theme.unwrap_or(site.look.settings.theme) {
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Light,
        };
        keep("theme", other.name());
    }
    response
}

/// An address of this site; the home page in place of any other.
pub(super) fn local_address(back: &str) -> &str {
    let local = back.starts_with('/') && !back.starts_with("//") && back.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if local { back } else { "/" }
}

/// Redirects to a page after a form.
pub(super) fn see_other(to: &str) -> Response<Body> {
    let mut response = redirect(to);
    *response.status_mut() = StatusCode::SEE_OTHER;
    response
}

#[cfg(test)]
mod tests {
    use super::local_address;

    #[test]
    fn the_way_back_stays_here() {
        assert_eq!(local_address("/channel/list?keyword=%E5%8C%97&current=2"), "/channel/list?keyword=%E5%8C%97&current=2");
        for elsewhere in ["", "//evil.example", "https://evil.example", "/\\evil.example", "javascript:1", "/a\r\nSet-Cookie: x", "/北"] {
            assert_eq!(local_address(elsewhere), "/", "{elsewhere}");
        }
    }
}
