//! Links that count visitors and redirect them, and the script that counts on a landing page: `GET /v/{channel}`,
//! `GET /v/{channel}.js`, `POST /v/{channel}`, `GET /p/{product}?c={channel}`.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use axum::routing::get;
use serde::Deserialize;

use super::person::{self, Person};
use super::seen::VisitContext;
use super::{guide, products};
use base::clock;
use base::locale::Locale;
use base::sentence_page;
use frame::access::session::Origin;
use frame::api::App;
use frame::api::cookies::cookies;
use frame::api::ctx::RequestInfo;
use frame::setting;
use trade::channel::{self, ChannelStatus};
use trade::product;
use trade::visit::Recorder;
use trade::visit::Seen;

/// The cookie that identifies a device.
const DEVICE: &str = "ll_device";
/// How long a browser keeps it, in seconds: a year.
const KEPT: i64 = 365 * 24 * 60 * 60;
/// Longest body of a beacon.
const MAX_BEACON: usize = 1024;
/// How long a visitor waits at a full queue.
const PATIENCE: Duration = Duration::from_secs(10);
/// The script of landing pages. It is the same for all channels: it reads its own address.
const SCRIPT: &str = include_str!("visit.js");

/// The links.
pub fn links(app: Arc<App>) -> Router {
    Router::new()
        .route("/v/{code}", get(channel_link).post(beacon))
        .route("/v/{code}/products", get(products::page))
        .route("/p/{code}", get(product_link))
        .route("/p/{code}/logo", get(products::logo))
        .route("/partner-api", get(guide::page))
        .with_state(app)
}

/// `GET /v/{channel}` and `GET /v/{channel}.js`.
async fn channel_link(State(app): State<Arc<App>>, Path(code): Path<String>, request: Request) -> Response<Body> {
    let guest = Guest::of(&app, request);
    let (code, is_script) = code.strip_suffix(".js").map_or((code.as_str(), false), |code| (code, true));
    let answer = async {
        let Some(channel) = open_channel(&app, code).await? else { return Ok(gone()) };
        if is_script {
            return Ok(script());
        }
        let Some(to) = channel.landing_url.as_deref().filter(|to| leads_out(to)) else { return Ok(gone()) };
        let person = guest.person(&app, None).await?;
        let visit = VisitContext { channel: Some(&channel), person: &person, at: guest.at };
        guest.count(&app, visit.landing()).await?;
        Ok(guest.led_on(to))
    };
    answer.await.unwrap_or_else(Fault::answer)
}

/// The channel of a visitor.
#[derive(Default, Deserialize)]
struct By {
    c: Option<String>,
}

/// `GET /p/{product}?c={channel}`. An unknown or disabled channel counts as none.
async fn product_link(State(app): State<Arc<App>>, Path(code): Path<String>, request: Request) -> Response<Body> {
    let By { c } = serde_urlencoded::from_str(request.uri().query().unwrap_or_default()).unwrap_or_default();
    let guest = Guest::of(&app, request);
    let answer = async {
        if !is_code(&code) {
            return Ok(gone());
        }
        let found = product::shown(&app.db, product::Named::Codes(&[code]), guest.at).await?;
        let Some(product) = found.into_iter().next().filter(|product| product.online) else { return Ok(gone()) };
        let Some(to) = product.jump_url.as_deref().filter(|to| leads_out(to)) else { return Ok(gone()) };
        let channel = match c.as_deref() {
            Some(code) => open_channel(&app, code).await?,
            None => None,
        };
        let person = guest.person(&app, None).await?;
        let visit = VisitContext { channel: channel.as_ref(), person: &person, at: guest.at };
        guest.count(&app, visit.product(&product)).await?;
        Ok(guest.led_on(to))
    };
    answer.await.unwrap_or_else(Fault::answer)
}

/// The content of a beacon.
#[derive(Default, Deserialize)]
struct Beacon {
    /// The landing page's name for the device.
    device: Option<String>,
}

/// `POST /v/{channel}`: the landing page was seen.
async fn beacon(State(app): State<Arc<App>>, Path(code): Path<String>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let beacon: Beacon = match axum::body::to_bytes(body, MAX_BEACON).await {
        Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
        Err(_) => return plain(StatusCode::PAYLOAD_TOO_LARGE),
    };
    let guest = Guest::of(&app, Request::from_parts(parts, Body::empty()));
    let answer = async {
        let Some(channel) = open_channel(&app, &code).await? else { return Ok(plain(StatusCode::NOT_FOUND)) };
        let person = guest.person(&app, beacon.device.as_deref()).await?;
        let visit = VisitContext { channel: Some(&channel), person: &person, at: guest.at };
        guest.count(&app, visit.landing()).await?;
        Ok(elsewhere(plain(StatusCode::NO_CONTENT)))
    };
    answer.await.unwrap_or_else(Fault::answer)
}

/// A channel that redirects its visitors.
pub(super) async fn open_channel(app: &App, code: &str) -> Result<Option<channel::Visited>, Fault> {
    if !is_code(code) {
        return Ok(None);
    }
    let found = channel::by_code(app.db.read(), code).await?;
    Ok(found.filter(|channel| channel.status != ChannelStatus::Disabled))
}

/// Whether a text can be the code of a channel or a product.
pub(super) fn is_code(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// A visitor who follows a link.
pub(super) struct Guest {
    origin: Origin,
    secure: bool,
    /// The name of the device: the visitor's, or one made here.
    device: String,
    is_new: bool,
    /// Whether a person looks at the page.
    looks: bool,
    pub(super) at: i64,
}

impl Guest {
    pub(super) fn of(app: &App, request: Request) -> Guest {
        let RequestInfo { origin, secure, .. } = request.extensions().get::<RequestInfo>().cloned().expect("the outermost layer sets it");
        let at = app.clock.now();
        let brought = cookies(request.headers())
            .find_map(|(name, value)| (name == DEVICE).then_some(value))
            .filter(|device| person::is_device(device))
            .map(str::to_owned);
        Guest {
            is_new: brought.is_none(),
            device: brought.unwrap_or_else(|| person::device_of(&app.keys, &origin.ip, &origin.user_agent, &clock::day(at).to_string())),
            looks: *request.method() != Method::HEAD && !person::is_robot(&origin.user_agent) && !person::is_prefetch(request.headers()),
            origin,
            secure,
            at,
        }
    }

    /// The visitor, by the name of the device here or on the page that reports it.
    pub(super) async fn person(&self, app: &App, given_device: Option<&str>) -> Result<Person, Fault> {
        let most = app.settings.get(&app.db, &setting::VISIT_ADDRESS_VISITORS).await?;
        let device = given_device.filter(|device| person::is_device(device)).unwrap_or(&self.device);
        Ok(Person::new(&app.keys, device, &self.origin.ip, &self.origin.user_agent, most))
    }

    /// Counts what the visitor sees, if a person looks at it.
    pub(super) async fn count(&self, app: &App, seen: impl IntoIterator<Item = Seen>) -> Result<(), Fault> {
        if !self.looks {
            return Ok(());
        }
        let noted = tokio::time::timeout(PATIENCE, app.service::<Recorder>().note(seen.into_iter().collect())).await;
        noted.ok().and_then(Result::ok).ok_or(Fault)
    }

    /// Redirects the visitor.
    fn led_on(&self, to: &str) -> Response<Body> {
        let Ok(to) = HeaderValue::from_str(to) else { return gone() };
        let mut response = plain(StatusCode::FOUND);
        response.headers_mut().insert(header::LOCATION, to);
        self.remembered(response)
    }

    /// An answer with the cookie that identifies the device.
    pub(super) fn remembered(&self, mut response: Response<Body>) -> Response<Body> {
        if self.is_new && self.looks {
            let secure = if self.secure { "; Secure" } else { "" };
            let cookie = format!("{DEVICE}={}; HttpOnly; SameSite=Lax; Path=/; Max-Age={KEPT}{secure}", self.device);
            response.headers_mut().insert(header::SET_COOKIE, HeaderValue::from_str(&cookie).expect("hex digits"));
        }
        response
    }
}

/// The database failed, or the recorder has stopped.
pub(super) struct Fault;

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Fault {
        tracing::error!(%error, "a link was not answered");
        Fault
    }
}

impl Fault {
    pub(super) fn answer(self) -> Response<Body> {
        sentence_page::page(
            StatusCode::SERVICE_UNAVAILABLE,
            Locale::Chinese,
            "服务繁忙，请稍后再试。",
            "The service is busy, please try again.",
        )
    }
}

/// Only addresses of the web, as channels and products have them: a link never runs a script.
fn leads_out(to: &str) -> bool {
    let to = to.get(..8).unwrap_or(to).to_ascii_lowercase();
    to.starts_with("http://") || to.starts_with("https://")
}

pub(super) fn gone() -> Response<Body> {
    sentence_page::page(StatusCode::NOT_FOUND, Locale::Chinese, "链接已失效。", "This link is no longer valid.")
}

pub(super) fn plain(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The script, which any landing page may load and keep for an hour.
fn script() -> Response<Body> {
    let mut response = elsewhere(Response::new(Body::from(SCRIPT)));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    response
}

/// Allows pages of other sites to read this answer.
fn elsewhere(mut response: Response<Body>) -> Response<Body> {
    response.headers_mut().insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::leads_out;

    #[test]
    fn links_lead_to_the_web_alone() {
        for good in ["https://example.com/a", "HTTP://example.com"] {
            assert!(leads_out(good), "{good}");
        }
        for bad in ["", "//example.com", "javascript:alert(1)", "data:text/html,x", "/admin", "https:example", "httpx://a"] {
            assert!(!leads_out(bad), "{bad}");
        }
    }
}
