//! Files that a page shows or links to. A browser requests them with the cookie alone, which authorises page `GET`s
//! and nothing else; they come from the same calls as under `/api`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use tower::ServiceExt;

use super::Site;
use frame::access::Viewer;
use frame::access::session::{self, Use};
use frame::api::calls::InProcess;
use frame::api::ctx::RequestInfo;
use frame::api::preferences::Preferences;

/// `GET /files/{id}`: an upload. A viewer who may not read it gets no information about it.
pub(super) async fn upload(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let (asked, _) = request.into_parts();
    let path = asked.uri.path().replacen("/files/", "/common/file/", 1);
    serve(&site, &path, asked).await
}

/// `GET /exports/{id}`: the file of the viewer's own export.
pub(super) async fn export(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let (asked, _) = request.into_parts();
    let path = format!("{}/file", asked.uri.path().replacen("/exports/", "/export/", 1));
    serve(&site, &path, asked).await
}

/// The answer of a `GET` call as this browser's viewer, if it is a file.
async fn serve(site: &Site, path: &str, asked: Parts) -> Response<Body> {
    let info = asked.extensions.get::<RequestInfo>().cloned().expect("the outermost layer sets it");
    let viewer = match reader(site, &asked.headers, &info).await {
        Ok(Some(viewer)) => viewer,
        Ok(None) => return bare(StatusCode::NOT_FOUND),
        Err(response) => return *response,
    };
    let Ok(mut call) = Request::get(path).body(Body::empty()) else { return bare(StatusCode::NOT_FOUND) };
    call.extensions_mut().insert(InProcess(Arc::new(viewer)));
    call.extensions_mut().insert(info);
    let response = site.api.clone().oneshot(call).await.unwrap_or_else(|never| match never {});
    match response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes) {
        // An envelope: a refusal.
        Some(b"application/json") if response.status().is_server_error() => bare(response.status()),
        Some(b"application/json") | None => bare(StatusCode::NOT_FOUND),
        Some(_) if is_held(&asked.headers, response.headers()) => {
            let (mut parts, _) = response.into_parts();
            parts.status = StatusCode::NOT_MODIFIED;
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::empty())
        }
        Some(_) => response,
    }
}

/// The viewer of the cookie's session, whose activity this is not; an answer of its own if it cannot be read.
pub(super) async fn reader(site: &Site, headers: &HeaderMap, info: &RequestInfo) -> Result<Option<Viewer>, Box<Response<Body>>> {
    let Some(token) = Preferences::read(headers, info.secure).token else { return Ok(None) };
    let app = &site.app;
    session::viewer(app.gate(), token, Use::Quiet, &info.origin, app.clock.now()).await.map_err(|error| {
        tracing::error!(request.id = info.request_id, %error, "a file's reader could not be known");
        Box::new(bare(StatusCode::INTERNAL_SERVER_ERROR))
    })
}

/// Whether the browser has this content already.
fn is_held(asked: &HeaderMap, found: &HeaderMap) -> bool {
    let tag = found.get(header::ETAG).and_then(|tag| tag.to_str().ok());
    let held = asked.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    tag.zip(held).is_some_and(|(tag, held)| held.split(',').any(|one| one.trim().trim_start_matches("W/") == tag))
}

/// An answer without content.
pub(super) fn bare(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
