//! How calls are declared: method, path, who may make it, and a handler. There is no other way to
//! add a call, so none is without its permission point (default deny).

use std::sync::Arc;

use axum::Router;
use axum::body::Body as HttpBody;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{HeaderValue, Method, Response, header};
use axum::routing::{MethodFilter, on};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::ctx::{App, Ctx, RequestInfo};
use super::error::{self, ApiError, say};
use super::form::Form;
use super::idempotency;
use super::input::{Arrives, Input, InputDoc, Raw};
use crate::access::Viewer;
use crate::access::session::{self, Use};

/// Bodies of JSON calls, at most.
pub const MAX_BODY: usize = 1024 * 1024;

/// What a caller accepts who wants a file itself.
pub const FILE: &str = "application/octet-stream";

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody; signing in itself.
    Open,
    /// Any signed-in account; its own affairs.
    SignedIn,
    /// Accounts whose active role holds this permission point.
    Point(&'static str),
    /// Accounts whose active role holds one of these points: choices that several screens need.
    AnyPoint(&'static [&'static str]),
}

/// A declared call.
pub struct Call {
    pub method: Method,
    /// Below `/api`, with `{name}` parameters.
    pub path: &'static str,
    pub access: Access,
    /// Whether it changes anything.
    pub writes: bool,
    /// Whether pages make it by themselves, again and again, so that it keeps no session open.
    pub quiet: bool,
    pub(super) describe: fn(&mut SchemaGenerator) -> (InputDoc, Option<schemars::Schema>, bool),
    route: axum::routing::MethodRouter<Arc<App>>,
}

/// A list of calls.
#[derive(Default)]
pub struct Calls {
    calls: Vec<Call>,
}

/// The viewer that the page pipeline has already established; calls made in process carry it
/// instead of a token. It cannot be sent from outside.
#[derive(Clone)]
pub struct InProcess(pub Arc<Viewer>);

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

impl Calls {
    /// An empty list.
    pub fn new() -> Calls {
        Calls::default()
    }

    /// A `GET`; it changes nothing.
    pub fn get<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::GET, path, access, Manner::Reads, handler)
    }

    /// A `GET` that pages make by themselves, again and again: a poll, a wait for news. It is no
    /// use of the session, which ends as idle (`session.idle_minutes`) whatever a page asks so.
    pub fn poll<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::GET, path, access, Manner::Polls, handler)
    }

    /// A `POST` that only reads: lists and exports.
    pub fn list<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::POST, path, access, Manner::Reads, handler)
    }

    /// A `POST` that changes something; `Idempotency-Key` is honoured.
    pub fn post<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::POST, path, access, Manner::Writes, handler)
    }

    /// A `PUT`.
    pub fn put<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::PUT, path, access, Manner::Writes, handler)
    }

    /// A `DELETE`.
    pub fn delete<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::DELETE, path, access, Manner::Writes, handler)
    }

    fn add<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        mut self,
        method: Method,
        path: &'static str,
        access: Access,
        manner: Manner,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        let filter = MethodFilter::try_from(method.clone()).expect("a method that routes");
        let writes = manner == Manner::Writes;
        let terms = Terms { path, access, manner, idempotent: writes && method == Method::POST && access != Access::Open };
        let endpoint = move |State(app): State<Arc<App>>, params: Result<RawPathParams, RawPathParamsRejection>, request: Request| {
            let handler = handler.clone();
            async move {
                let info = request.extensions().get::<RequestInfo>().cloned().expect("the outermost layer sets it");
                let (locale, request_id) = (info.locale, info.request_id.clone());
                let answer = match &params {
                    Ok(params) => serve(app, terms, params, info, request, handler).await,
                    Err(_) => Err(ApiError::Malformed("the path is no UTF-8 text".to_owned())),
                };
                answer.unwrap_or_else(|error| error.respond(locale, &request_id))
            }
        };
        self.calls.push(Call {
            method,
            path,
            access,
            writes,
            quiet: manner == Manner::Polls,
            describe: |schemas| (I::doc(schemas), O::schema(schemas), O::IS_FILE),
            route: on(filter, endpoint),
        });
        self
    }

    /// Both lists.
    pub fn and(mut self, more: Calls) -> Calls {
        self.calls.extend(more.calls);
        self
    }

    /// The declared calls.
    pub fn iter(&self) -> impl Iterator<Item = &Call> {
        self.calls.iter()
    }

    /// The router of all calls, to be nested under `/api`.
    pub fn router(self) -> Router<Arc<App>> {
        self.calls.into_iter().fold(Router::new(), |router, call| router.route(call.path, call.route))
    }
}

/// What a call does when it is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Reads,
    Polls,
    Writes,
}

/// On what terms a call is made.
#[derive(Clone, Copy)]
struct Terms {
    /// As declared.
    path: &'static str,
    access: Access,
    manner: Manner,
    /// Whether an `Idempotency-Key` is honoured.
    idempotent: bool,
}

async fn serve<I: Input, O: Output, F: Future<Output = super::Result<O>> + Send>(
    app: Arc<App>,
    Terms { path: call, access, manner, idempotent }: Terms,
    path: &RawPathParams,
    info: RequestInfo,
    request: Request,
    handler: impl Fn(Arc<Ctx>, I) -> F,
) -> super::Result<Response<HttpBody>> {
    let (parts, body) = request.into_parts();
    let now = app.clock.now();
    let using = if manner == Manner::Polls { Use::Quiet } else { Use::Active };
    let viewer = match parts.extensions.get::<InProcess>() {
        Some(InProcess(viewer)) => Some(viewer.clone()),
        None => match parts.headers.get("token").and_then(|value| value.to_str().ok()) {
            Some(token) if access != Access::Open => session::viewer(app.gate(), token, using, now).await?.map(Arc::new),
            _ => None,
        },
    };
    allow(access, viewer.as_deref(), parts.uri.path())?;

    let (body, form) = match I::ARRIVES {
        Arrives::Whole => (axum::body::to_bytes(body, MAX_BODY).await.map_err(|_| ApiError::TooLarge)?, None),
        Arrives::AsForm => {
            let form = Form::receive(&parts.headers, body).await?;
            (form.identity().into(), Some(form))
        }
    };
    let aged = |viewer: &&Arc<Viewer>| using == Use::Active && now - viewer.token_issued_at > session::RENEW_AFTER;
    let renewed = viewer.as_ref().filter(aged).map(|viewer| {
        let token = session::issue(&app.keys, viewer.id, viewer.session_id, now);
        (super::ctx::token_cookie(&token, info.secure), token)
    });
    let in_process = parts.extensions.get::<InProcess>().is_some();
    let at_once = parts.headers.get(header::ACCEPT).is_some_and(|kinds| kinds.as_bytes() == FILE.as_bytes());
    let cx = Arc::new(Ctx::new(app, viewer, info, call, at_once, now));
    let run = async {
        let input = I::read(&Raw { path, query: parts.uri.query().unwrap_or_default(), body: &body, form: form.as_ref() })?;
        handler(cx.clone(), input).await.map(Output::respond)
    };
    let mut response = match parts.headers.get("idempotency-key") {
        Some(key) if idempotent => idempotency::once(&cx, key, &parts, &body, run).await?,
        _ => run.await?,
    };
    if let Some((cookie, token)) = renewed.filter(|_| !in_process) {
        response.headers_mut().insert("token", HeaderValue::from_str(&token).expect("a JWT is plain text"));
        response.headers_mut().entry(header::SET_COOKIE).or_insert(cookie);
    }
    Ok(response)
}

/// Calls that an account with a made password may make before it has chosen its own.
const BEFORE_PASSWORD_CHANGE: &[&str] = &["/admin/password", "/admin/logout", "/admin/me", "/menu/listByToken"];

/// The guard of every call: default deny.
fn allow(access: Access, viewer: Option<&Viewer>, path: &str) -> super::Result<()> {
    if access == Access::Open {
        return Ok(());
    }
    let viewer = viewer.ok_or(ApiError::LoginExpired)?;
    let held = match access {
        Access::Open | Access::SignedIn => true,
        Access::Point(point) => viewer.has(point),
        Access::AnyPoint(points) => points.iter().any(|point| viewer.has(point)),
    };
    if !held {
        return Err(ApiError::Forbidden);
    }
    if viewer.must_change_password && !BEFORE_PASSWORD_CHANGE.iter().any(|open| path.ends_with(open)) {
        return Err(ApiError::State(say("请先修改密码", "Change your password first")));
    }
    Ok(())
}
