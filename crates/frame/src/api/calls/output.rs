//! What a handler may answer with: data, data with a cookie, or a file.

use axum::body::Body as HttpBody;
use axum::http::{HeaderValue, Response, header};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use crate::api::error;

/// What a handler may answer with.
pub trait Output: Send {
    /// Whether it may be a file.
    const IS_FILE: bool = false;
    /// The whole answer.
    fn respond(self) -> Response<HttpBody>;
    /// Its data's schema; none for files.
    fn schema(schemas: &mut SchemaGenerator) -> Option<schemars::Schema>;
}

impl<T: Serialize + JsonSchema + Send> Output for T {
    fn respond(self) -> Response<HttpBody> {
        error::success(&self)
    }

    fn schema(schemas: &mut SchemaGenerator) -> Option<schemars::Schema> {
        Some(schemas.subschema_for::<T>())
    }
}

/// An answer with a cookie.
pub struct WithCookie<T> {
    pub data: T,
    pub cookie: HeaderValue,
}

impl<T: Serialize + JsonSchema + Send> Output for WithCookie<T> {
    fn respond(self) -> Response<HttpBody> {
        let mut response = error::success(&self.data);
        response.headers_mut().insert(header::SET_COOKIE, self.cookie);
        response
    }

    fn schema(schemas: &mut SchemaGenerator) -> Option<schemars::Schema> {
        Some(schemas.subschema_for::<T>())
    }
}

/// A file, streamed.
pub struct Download(pub Response<HttpBody>);

impl Output for Download {
    const IS_FILE: bool = true;

    fn respond(self) -> Response<HttpBody> {
        self.0
    }

    fn schema(_: &mut SchemaGenerator) -> Option<schemars::Schema> {
        None
    }
}
