//! The router of all calls with the layers around it, the connections, and the work that concerns several areas.
//!
//! Not here: pages, assets, health and metrics (`site`), and what a call of an area does (the crate of that area). Used
//! by `site`, the program and the tests (`testing`).

mod arrival;
pub mod city_codes;
pub mod compress;
mod connection;
mod descriptors;
pub mod dispatch;
pub mod head_watch;
mod info;
pub mod monitor;
pub mod open;
pub mod phone_hashes;
pub mod retention;
pub mod search;
pub mod serve;
mod shown;
pub mod trail_watch;
pub mod visualization;
pub mod workplace;

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, Response, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use tower::ServiceBuilder;
use tower::util::MapRequestLayer;
use tower_http::catch_panic::CatchPanicLayer;

use self::arrival::Late;
use base::locale::Locale;
use frame::api::calls::{ANSWER_WITHIN, Access, Calls, Download, FileRule};
use frame::api::ctx::{App, Ctx, RequestInfo};
use frame::api::error::{self, ApiError};
use frame::api::{Nothing, Result as Answer, openapi};
use frame::workers::Workers;
use frame::{dict, export, message, sms, upload};
use lead::{applicant, distribution, feedback, push, returns};
use trade::{
    agreement, blacklist, channel, checks, compliance, finance, match_log, org, partner, plan, product, project, risk, user, visit,
};

pub use serve::{Limits, serve};

/// [`ANSWER_WITHIN`] for a request with a file: 20 MB over a connection of a megabit.
const RECEIVE_WITHIN: Duration = Duration::from_secs(180);

/// The forms beside the calls that take files, as their routes are written.
const FILE_FORMS: &[&str] = &["/talk/{group}", "/crm/progress"];

/// Starts the workers of all areas.
pub fn start_workers(workers: &mut Workers) {
    workers.start_awaited("the outbox worker", dispatch::work);
    workers.start_awaited("the sweeper of uploads", upload::work);
    workers.start_awaited("the worker of exports", |app, stop| export::work(app.clone(), move || api(app.clone()), stop));
    workers.start_awaited("the sweeper of old rows", retention::work);
    workers.start_awaited("the chain of the audit trail", trail_watch::work);
    workers.start(head_watch::work);
    workers.start(phone_hashes::work);
    workers.start(city_codes::work);
    trade::start_workers(workers);
    stats::start_workers(workers);
    crm::start_workers(workers);
    pay::start_workers(workers);
    chat::start_workers(workers);
    lead::start_workers(workers);
}

/// Every call of the application.
pub fn calls() -> Calls {
    Calls::new()
        .get("/openapi.json", Access::SignedIn, description)
        .and(admin::calls())
        .and(agreement::calls())
        .and(applicant::calls())
        .and(blacklist::calls())
        .and(channel::calls())
        .and(checks::calls())
        .and(compliance::calls())
        .and(crm::calls())
        .and(chat::calls())
        .and(dict::calls())
        .and(distribution::calls())
        .and(feedback::calls())
        .and(finance::calls())
        .and(message::calls())
        .and(open::calls())
        .and(org::calls())
        .and(partner::calls())
        .and(pay::calls())
        .and(plan::calls())
        .and(push::calls())
        .and(upload::calls(file_rules, access_of))
        .and(export::calls(access_of))
        .and(product::calls())
        .and(returns::calls())
        .and(sms::calls())
        .and(stats::calls())
        .and(project::calls())
        .and(monitor::calls())
        .and(visualization::calls())
        .and(user::calls())
        .and(visit::calls())
        .and(match_log::calls())
        .and(risk::calls())
        .and(workplace::calls())
        .and(search::calls())
}

/// The access to a call that makes a file.
fn access_of(path: &str) -> Option<Access> {
    static ACCESS: LazyLock<HashMap<&'static str, Access>> =
        LazyLock::new(|| calls().iter().filter(|call| call.method == Method::POST).map(|call| (call.path, call.access)).collect());
    ACCESS.get(path).copied()
}

/// The records that files belong to.
fn file_rules() -> &'static [&'static FileRule] {
    static RULES: LazyLock<Vec<&'static FileRule>> = LazyLock::new(|| calls().file_rules().to_vec());
    &RULES
}

/// The API's own description, bare, as programs that read such documents expect it. The platform's own
/// people see it: it names every call that there is.
async fn description(cx: Arc<Ctx>, _: Nothing) -> Answer<Download> {
    static DOCUMENT: OnceLock<Vec<u8>> = OnceLock::new();
    if cx.viewer()?.org_id.is_some() {
        return Err(ApiError::Forbidden);
    }
    let document = DOCUMENT.get_or_init(|| openapi::document(&calls()).to_string().into_bytes());
    Ok(Download(error::json(StatusCode::OK, document.clone())))
}

/// `/api` and the links of channels, with all layers: for tests of calls.
pub fn api_router(app: Arc<App>) -> Router {
    let links = open::links(app.clone())
        .merge(partner::pages(app.clone()))
        .merge(pay::pages(app.clone()))
        .merge(chat::pages(app.clone()))
        .layer(middleware::from_fn(show_in_time));
    layered(app.clone(), links.nest("/api", api(app)))
}

/// The whole application: the calls, the pages for people without an account, and what `site` adds, with `pages` for every other
/// address.
pub fn router(app: Arc<App>, api: Router, site: Router, pages: Router) -> Router {
    let rest = site
        .merge(open::links(app.clone()))
        .merge(partner::pages(app.clone()))
        .merge(pay::pages(app.clone()))
        .merge(chat::pages(app.clone()))
        .fallback_service(pages.layer(middleware::from_fn(shown::note)))
        .layer(middleware::from_fn(show_in_time));
    layered(app, Router::new().nest("/api", api).merge(rest))
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

/// The probes, for a separate listener.
pub fn status_router(status: Router) -> Router {
    status.layer(middleware::from_fn(show_in_time))
}

fn layered(app: Arc<App>, inside: Router) -> Router {
    let layers = ServiceBuilder::new()
        // Before routing: therefore these layers are around another router.
        .layer(MapRequestLayer::new(override_method))
        .layer(middleware::from_fn_with_state(app, info::attach))
        .layer(middleware::from_fn(security_headers))
        .layer(middleware::from_fn(one_host))
        .layer(middleware::from_fn(compress::answers))
        .layer(CatchPanicLayer::custom(panicked));
    Router::new().fallback_service(layers.service(inside.layer(middleware::from_fn(shown::note))))
}

/// Proxies that forbid `PUT` and `DELETE` let them through as `POST`: with `?_method=PUT`, which none of them
/// removes, or `X-HTTP-Method-Override`. Only for calls with our token in the header, which no other site can send: a
/// form or a link of another site keeps its own method.
fn override_method(mut request: Request) -> Request {
    if *request.method() != Method::POST || !request.uri().path().starts_with("/api/") || !request.headers().contains_key("token") {
        return request;
    }
    let said = request.uri().query().and_then(|query| {
        let rest: Vec<&str> = query.split('&').filter(|field| !field.starts_with(METHOD)).collect();
        let said = query.split('&').find_map(|field| field.strip_prefix(METHOD))?;
        Some((method(said.as_bytes())?, rest.join("&")))
    });
    let in_header = request.headers().get("x-http-method-override").and_then(|said| method(said.as_bytes()));
    match said {
        Some((wanted, rest)) => {
            *request.method_mut() = wanted;
            *request.uri_mut() = with_query(request.uri(), &rest);
        }
        None => *request.method_mut() = in_header.unwrap_or(Method::POST),
    }
    request
}

/// The query field with the method.
const METHOD: &str = "_method=";

/// A method that `POST` may replace.
fn method(said: &[u8]) -> Option<Method> {
    match said {
        b"PUT" => Some(Method::PUT),
        b"DELETE" => Some(Method::DELETE),
        _ => None,
    }
}

/// An address with another query.
fn with_query(uri: &Uri, query: &str) -> Uri {
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{mark}{query}", uri.path()).parse().expect("a part of an address is one")
}

/// Refuses a request that names two hosts: it is unknown which of them a proxy has checked.
async fn one_host(request: Request, next: Next) -> Response<Body> {
    match request.headers().get_all(header::HOST).iter().nth(1) {
        None => next.run(request).await,
        Some(_) => refuse(request.extensions().get::<RequestInfo>(), &ApiError::Malformed("Host".to_owned())),
    }
}

async fn no_call(request: Request) -> Response<Body> {
    refuse(request.extensions().get::<RequestInfo>(), &ApiError::NoCall)
}

/// How long a request may take: longer if it may bring files.
fn limit_of(request: &Request) -> Duration {
    let kind = request.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    if kind.starts_with(b"multipart/") && takes_files(request) { RECEIVE_WITHIN } else { ANSWER_WITHIN }
}

/// Whether a request goes to a call or a form that takes files.
fn takes_files(request: &Request) -> bool {
    static CALLS: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| calls().iter().filter(|call| call.takes_files).map(|call| call.path).collect());
    let path = request.extensions().get::<MatchedPath>().map_or(request.uri().path(), MatchedPath::as_str);
    *request.method() == Method::POST && (FILE_FORMS.contains(&path) || CALLS.contains(path.strip_prefix("/api").unwrap_or(path)))
}

/// Answers a request within its time limit; its body must arrive with a minimum speed.
async fn in_time(request: Request, next: Next) -> Result<Response<Body>, ApiError> {
    let (limit, late) = (limit_of(&request), Late::default());
    let request = request.map(|body| late.watch(body));
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) if !late.is_late() => Ok(response),
        _ => Err(ApiError::Busy),
    }
}

async fn answer_in_time(request: Request, next: Next) -> Response<Body> {
    let info = request.extensions().get::<RequestInfo>().cloned();
    in_time(request, next).await.unwrap_or_else(|error| refuse(info.as_ref(), &error))
}

/// The same for pages, forms and links, for people or programs that are not API clients.
async fn show_in_time(request: Request, next: Next) -> Response<Body> {
    let locale = request.extensions().get::<RequestInfo>().map_or(Locale::Chinese, |info| info.locale);
    in_time(request, next).await.unwrap_or_else(|error| (error.status(), error.text(locale)).into_response())
}

fn refuse(info: Option<&RequestInfo>, error: &ApiError) -> Response<Body> {
    match info {
        Some(info) => error.respond(info.locale, &info.request_id),
        None => error.respond(Locale::Chinese, ""),
    }
}

/// A panic is a fault of this program like any other; its text only goes to the log.
fn panicked(panic: Box<dyn Any + Send>) -> Response<Body> {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without text");
    ApiError::Internal(anyhow::anyhow!("panic: {text}")).respond(Locale::Chinese, "")
}

/// Whether a policy lets any site frame its page.
fn names_frames(policy: &HeaderValue) -> bool {
    let mut rules = policy.to_str().unwrap_or_default().split(';').map(str::trim);
    rules.any(|rule| rule.starts_with("frame-ancestors ") && rule != "frame-ancestors 'none'")
}

async fn security_headers(request: Request, next: Next) -> Response<Body> {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    // A page that says who may frame it has its own header: a second one would contradict it.
    if !headers.get(header::CONTENT_SECURITY_POLICY).is_some_and(names_frames) {
        headers.entry(header::X_FRAME_OPTIONS).or_insert(HeaderValue::from_static("DENY"));
    }
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    // An answer that is not a page needs to load nothing.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    response
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Every `$ref` of a document.
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }

    #[test]
    fn every_call_is_described_with_its_point() {
        let calls = calls();
        let document = openapi::document(&calls);
        let mut ids = std::collections::HashSet::new();
        for call in calls.iter() {
            let operation = &document["paths"][format!("/api{}", call.path)][call.method.as_str().to_lowercase()];
            assert!(operation.is_object(), "{} {}", call.method, call.path);
            assert!(ids.insert(operation["operationId"].to_string()), "{operation}");
            if let Access::Point(point) = call.access {
                assert_eq!(operation["x-permission-point"], json!([point]));
            }
            assert_eq!(operation.get("security").is_none(), call.access == Access::Open, "{} {}", call.method, call.path);
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = openapi::document(&calls());
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(!found.is_empty());
        for reference in found {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        }
    }
}
