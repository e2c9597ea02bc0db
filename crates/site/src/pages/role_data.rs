//! `GET /role-data/{key}`: the menu and the points that all pages of a role have in common. A browser requests it once
//! for each role, language and version; the document names it, and hydration waits for it.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};

use super::Site;
use super::files::{bare, reader};
use base::locale::Locale;
use frame::api::ctx::RequestInfo;

/// The file under its key never changes; a browser keeps it for a working day, as it may be one that others use too. The
/// key of a version that is no longer the role's, or of another role, is refused: the document is of before a change, and
/// the browser loads it again.
pub(super) async fn of_viewer(State(site): State<Arc<Site>>, Path(key): Path<String>, request: Request) -> Response<Body> {
    let info = request.extensions().get::<RequestInfo>().cloned().expect("the outermost layer sets it");
    let viewer = match reader(&site, request.headers(), &info).await {
        Ok(Some(viewer)) => viewer,
        Ok(None) => return bare(StatusCode::UNAUTHORIZED),
        Err(response) => return *response,
    };
    let named = [Locale::Chinese, Locale::English].map(|locale| viewer.role.page_json(locale)).into_iter().find(|one| *one.key == *key);
    let Some(data) = named else { return bare(StatusCode::CONFLICT) };
    let mut response = Response::new(Body::from(data.json.as_bytes().to_vec()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=43200, immutable"));
    response
}
