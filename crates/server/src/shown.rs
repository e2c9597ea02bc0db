//! The path of a request for logs, counters and screens. A part of an address may be a key that opens a payment or a
//! download, so the pattern of the route is shown instead.

use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::extract::{MatchedPath, Request};
use axum::http::Response;
use axum::middleware::Next;

use base::routes;

/// Shown for an address without a route: any part of it may be a mistyped key.
const NOWHERE: &str = "(no such address)";
/// The most digits of a record's id in a shown address: a phone number has more.
const MOST_DIGITS: usize = 10;

/// The pattern of the request's route, noted before the answer: an answer by time-out may have none.
#[derive(Clone, Default)]
pub struct Pattern(Arc<OnceLock<String>>);

/// Notes the pattern of the route. It is a layer around the routes, after one of them is chosen.
pub async fn note(request: Request, next: Next) -> Response<Body> {
    if let (Some(pattern), Some(matched)) = (request.extensions().get::<Pattern>(), request.extensions().get::<MatchedPath>()) {
        let _ = pattern.0.set(matched.as_str().to_owned());
    }
    next.run(request).await
}

impl Pattern {
    /// The path without its keys: `/pay/{token}`, `/api/channel/12`.
    pub fn shown(&self, path: &str) -> String {
        match self.0.get() {
            Some(pattern) => filled(pattern, path),
            None if routes::by_path(path).is_some() => path.to_owned(),
            None => NOWHERE.to_owned(),
        }
    }
}

/// A pattern with the ids of the path in it, which are digits and not keys.
fn filled(pattern: &str, path: &str) -> String {
    let mut segments = path.split('/');
    let parts = pattern.split('/').map(|part| {
        let segment = segments.next().unwrap_or_default();
        if part.starts_with('{') && is_id(segment) { segment } else { part }
    });
    parts.collect::<Vec<_>>().join("/")
}

fn is_id(segment: &str) -> bool {
    (1..=MOST_DIGITS).contains(&segment.len()) && segment.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shown_with_ids_and_without_keys() {
        for (pattern, path, shown) in [
            ("/talk/{group}/events", "/talk/xMDYARDFUha9P8v57Z2GeSjtEmmTyenU/events", "/talk/{group}/events"),
            ("/talk/{group}/file/{id}", "/talk/xMDYARDFUha9P8v57Z2GeSjtEmmTyenU/file/7", "/talk/{group}/file/7"),
            ("/api/user/reveal/{id}", "/api/user/reveal/12", "/api/user/reveal/12"),
            ("/api/user/reveal/{id}", "/api/user/reveal/13800000000", "/api/user/reveal/{id}"),
            ("/api/channel/page", "/api/channel/page", "/api/channel/page"),
        ] {
            assert_eq!(filled(pattern, path), shown);
        }
    }

    #[test]
    fn pages_are_shown_as_they_are_and_what_leads_nowhere_is_not() {
        let unmatched = Pattern::default();
        assert_eq!(unmatched.shown("/channel/list"), "/channel/list");
        assert_eq!(unmatched.shown("/talks/xMDYARDFUha9P8v57Z2GeSjtEmmTyenU"), NOWHERE);
    }
}
