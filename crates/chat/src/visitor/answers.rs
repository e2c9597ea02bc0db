//! Answers other than pages: errors as a sentence, redirections, scripts.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;

use base::locale::Locale;
use base::sentence_page;
use frame::api::ApiError;

/// The error page; for the page's script, the text of the error.
pub(super) fn failed(error: &ApiError, locale: Locale, is_script: bool) -> Response<Body> {
    let status = match error {
        ApiError::Missing => StatusCode::NOT_FOUND,
        ApiError::TooMany { .. } | ApiError::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
        ApiError::Fields(_) => StatusCode::BAD_REQUEST,
        ApiError::Forbidden => StatusCode::FORBIDDEN,
        error => error.status(),
    };
    if let ApiError::Internal(cause) = error {
        tracing::error!(cause = format!("{cause:#}"), "a visitor's page failed");
    }
    let [chinese, english] = match error {
        // Also for addresses of earlier versions, which contained a key.
        ApiError::Missing => [
            "此地址不存在或已失效，请从原网站重新打开在线咨询".to_owned(),
            "This address opens nothing. Please open the chat again from the site where you found it".to_owned(),
        ],
        error => [error.text(Locale::Chinese), error.text(Locale::English)],
    };
    match is_script {
        true => (status, [(header::CACHE_CONTROL, "no-store")], locale.pick(chinese, english)).into_response(),
        false => sentence_page::page(status, locale, &chinese, &english),
    }
}

/// Whether an error is shown in the page, with what was typed.
pub(super) fn is_shown(error: &ApiError) -> bool {
    matches!(
        error,
        ApiError::Fields(_)
            | ApiError::State(_)
            | ApiError::TooMany { .. }
            | ApiError::TooOften { .. }
            | ApiError::TooLarge
            | ApiError::WrongType(_)
            | ApiError::Busy
    )
}

/// The text of an error for a visitor: the message of the first wrong field.
pub(super) fn message_of(error: &ApiError, locale: Locale) -> String {
    match error {
        ApiError::Fields(fields) if !fields.is_empty() => fields[0].1.get(locale).to_owned(),
        error => error.text(locale),
    }
}

/// Redirects to the browser's thread on a group's page.
pub(super) fn go_to(page: &str) -> Response<Body> {
    see_other(&format!("/talk/{page}"))
}

/// Redirects to the page where a thread begins.
pub(super) fn begin_at(page: &str) -> Response<Body> {
    see_other(&format!("/talk?g={page}"))
}

pub(super) fn see_other(address: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let to = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/talk"));
    response.headers_mut().insert(header::LOCATION, to);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

pub(super) fn script(text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    response.headers_mut().insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    response
}
