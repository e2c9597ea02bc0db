//! The Router of everything: `/api`, pages, assets, health; and the layers around them.

pub mod assets;
mod compress;
mod info;
mod serve;
mod status;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::routing::get;
use tower::ServiceBuilder;
use tower::util::MapRequestLayer;
use tower_http::catch_panic::CatchPanicLayer;

use crate::api::calls::{Access, Calls, Download};
use crate::api::ctx::{App, Ctx, RequestInfo};
use crate::api::error::{self, ApiError};
use crate::api::{Nothing, Result as Answer, openapi};
use crate::locale::Locale;
use crate::pages::{self, Site};
use crate::{
    admin, blacklist, channel, compliance, crm, dict, export, feedback, matching, message, monitor, open, org, plan, product, project,
    returns, risk, upload, user, visualization, workplace,
};

pub use serve::serve;

/// Longest time until an answer begins. A file may take longer to arrive.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// The same for a request that brings a file: 20 MB over a line of a megabit.
const RECEIVE_WITHIN: Duration = Duration::from_secs(180);

/// The records that files belong to, each with who may read its files.
const FILE_RULES: &[upload::Rule] = &[admin::AVATAR, org::LICENCE, org::PROOF, product::LOGO, returns::PROOF];

/// Every call of the application.
pub fn calls() -> Calls {
    Calls::new()
        .get("/openapi.json", Access::SignedIn, description)
        .and(admin::calls())
        .and(blacklist::calls())
        .and(channel::calls())
        .and(compliance::calls())
        .and(crm::calls())
        .and(dict::calls())
        .and(feedback::calls())
        .and(message::calls())
        .and(open::calls())
        .and(org::calls())
        .and(plan::calls())
        .and(upload::calls(FILE_RULES))
        .and(export::calls())
        .and(product::calls())
        .and(returns::calls())
        .and(project::calls())
        .and(monitor::calls())
        .and(visualization::calls())
        .and(user::calls())
        .and(matching::calls())
        .and(risk::calls())
        .and(workplace::calls())
}

/// The API's own description, bare, as programs that read such documents expect it.
async fn description(_: Arc<Ctx>, _: Nothing) -> Answer<Download> {
    let document = openapi::document(&calls()).to_string();
    Ok(Download(error::json(StatusCode::OK, document.into_bytes())))
}

/// `/api` and the links of channels, behind all layers: what tests of calls talk to.
pub fn api_router(app: Arc<App>) -> Router {
    layered(app.clone(), open::links(app.clone()).nest("/api", api(app)))
}

/// The whole application.
pub fn router(site: Arc<Site>) -> Router {
    let app = site.app.clone();
    app.meter.watch(site.renderer.clone());
    let inside = Router::new()
        .nest("/api", site.api.clone())
        .merge(status::router(site.clone()))
        .merge(open::links(app.clone()))
        .route("/assets/{name}", get(assets::serve))
        .fallback_service(pages::router(site));
    layered(app, inside)
}

/// The calls without the outer layers, as pages make them in process.
pub fn api(app: Arc<App>) -> Router {
    calls()
        .router()
        .method_not_allowed_fallback(no_call)
        .fallback(no_call)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(answer_in_time))
        .with_state(app)
}

fn layered(app: Arc<App>, inside: Router) -> Router {
    let layers = ServiceBuilder::new()
        .layer(middleware::from_fn_with_state(app, info::attach))
        .layer(middleware::from_fn(security_headers))
        .layer(middleware::from_fn(compress::answers))
        .layer(CatchPanicLayer::custom(panicked))
        // Before routing, which is why these layers stand around a router of their own.
        .layer(MapRequestLayer::new(override_method));
    Router::new().fallback_service(layers.service(inside))
}

/// Proxies that forbid `PUT` and `DELETE` let them through as `POST` (`X-HTTP-Method-Override`).
fn override_method(mut request: Request) -> Request {
    let wanted = request.headers().get("x-http-method-override").map(HeaderValue::as_bytes);
    if *request.method() == Method::POST {
        match wanted {
            Some(b"PUT") => *request.method_mut() = Method::PUT,
            Some(b"DELETE") => *request.method_mut() = Method::DELETE,
            _ => {}
        }
    }
    request
}

async fn no_call(request: Request) -> Response<Body> {
    refuse(request.extensions().get::<RequestInfo>(), &ApiError::NoCall)
}

async fn answer_in_time(request: Request, next: Next) -> Response<Body> {
    let info = request.extensions().get::<RequestInfo>().cloned();
    let kind = request.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let limit = if kind.starts_with(b"multipart/") { RECEIVE_WITHIN } else { ANSWER_WITHIN };
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => refuse(info.as_ref(), &ApiError::Busy),
    }
}

fn refuse(info: Option<&RequestInfo>, error: &ApiError) -> Response<Body> {
    match info {
        Some(info) => error.respond(info.locale, &info.request_id),
        None => error.respond(Locale::Chinese, ""),
    }
}

/// A panic is our fault like any other; its text goes to the log only.
fn panicked(panic: Box<dyn Any + Send>) -> Response<Body> {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without text");
    ApiError::Internal(anyhow::anyhow!("panic: {text}")).respond(Locale::Chinese, "")
}

async fn security_headers(request: Request, next: Next) -> Response<Body> {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    // Anything that is not a page has no business loading anything.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    response
}
