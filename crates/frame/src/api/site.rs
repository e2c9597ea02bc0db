//! The origin of a request: a page of Leadlane, or one of another site.

use axum::http::{HeaderMap, HeaderValue, header};

/// Whether a request comes from a page of Leadlane, or from no page: another site must not be able to sign a person in
/// or out.
pub fn same_site(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    match (text(header::ORIGIN), text(header::HOST)) {
        (Some(origin), Some(host)) => origin.split_once("://").is_some_and(|(_, from)| from == host),
        // Browsers of today always send an origin with a form; other programs are not led by another site.
        (None, _) => true,
        (Some(_), None) => false,
    }
}
