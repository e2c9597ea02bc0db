//! How calls are declared: method, path, who may make it, and a handler. There is no other way to
//! add a call, so none is without its permission point (default deny).

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body as HttpBody;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, Response, header};
use axum::routing::{MethodFilter, on};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::ctx::{self, App, Ctx, RequestInfo};
use super::error::{self, ApiError};
use super::form::Form;
use super::idempotency;
use super::input::{Arrives, Input, InputDoc, Raw};
use super::refusal::{self, Refused};
use crate::access::Viewer;
use crate::access::session::{self, Use};
use crate::setting;
use base::limits::{Asker, Rate};
use base::say::say;

/// Bodies of JSON calls, at most.
pub const MAX_BODY: usize = 1024 * 1024;
/// The type that a caller accepts to get the file itself.
pub const FILE: &str = "application/octet-stream";

/// Where the calls of partners' programs begin.
const PARTNERS: &str = "/open/";

/// Longest time until an answer begins. A file may take longer to arrive.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(30);

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
    /// Accounts whose active role holds all of these points.
    EveryPoint(&'static [&'static str]),
}

impl Access {
    /// Whether a viewer may make such a call.
    pub fn lets(self, viewer: &Viewer) -> bool {
        match self {
            Access::Open | Access::SignedIn => true,
            Access::Point(point) => viewer.has(point),
            Access::AnyPoint(points) => points.iter().any(|point| viewer.has(point)),
            Access::EveryPoint(points) => points.iter().all(|point| viewer.has(point)),
        }
    }
}

/// Who may make a call, by its path below `/api`: for a file that a call has made and that is fetched later.
pub type AccessOf = fn(&str) -> Option<Access>;

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
    /// Whether it takes a form with a file.
    pub takes_files: bool,
    pub(super) describe: fn(&mut SchemaGenerator) -> (InputDoc, Option<schemars::Schema>, bool),
    route: axum::routing::MethodRouter<Arc<App>>,
}

/// A list of calls, and the records whose files are uploaded.
#[derive(Default)]
pub struct Calls {
    calls: Vec<Call>,
}

/// The viewer that the page pipeline has already established; calls made in process carry it
/// instead of a token. It cannot be sent from outside.
#[derive(Clone)]
pub struct InProcess(pub Arc<Viewer>);

/// Marks a call that is made once more in process, for the account that asked for its file. It cannot be sent from outside.
#[derive(Clone, Copy)]
pub struct Again;

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

    /// A poll whose answer is a number that is read together with the session, in one statement: see
    /// [`session::viewer_with`](crate::access::session::viewer_with). The handler finds it in [`Ctx::number`].
    pub fn poll_number<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        number: &'static str,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add_with(Method::GET, path, access, Manner::Polls, Some(number), handler)
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

    /// A `POST` that changes something; `Idempotency-Key` is honoured. Without one, the same body within five seconds is
    /// the same call.
    pub fn post<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::POST, path, access, Manner::Writes, handler)
    }

    /// The same that may be sent again as often as its sender likes: it notes a state, or its sender numbers what is sent.
    /// Without an `Idempotency-Key` each call counts.
    pub fn post_repeatable<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::POST, path, access, Manner::Repeats, handler)
    }

    /// A `PUT`; `Idempotency-Key` is honoured.
    pub fn put<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::PUT, path, access, Manner::Writes, handler)
    }

    /// A `PUT` of a state that is switched to and fro. Without an `Idempotency-Key` each call counts.
    pub fn put_repeatable<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::PUT, path, access, Manner::Repeats, handler)
    }

    /// A `DELETE`; `Idempotency-Key` is honoured.
    pub fn delete<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        path: &'static str,
        access: Access,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add(Method::DELETE, path, access, Manner::Writes, handler)
    }

    fn add<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        self,
        method: Method,
        path: &'static str,
        access: Access,
        manner: Manner,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        self.add_with(method, path, access, manner, None, handler)
    }

    fn add_with<I: Input, O: Output + 'static, F: Future<Output = super::Result<O>> + Send + 'static>(
        mut self,
        method: Method,
        path: &'static str,
        access: Access,
        manner: Manner,
        number: Option<&'static str>,
        handler: impl Fn(Arc<Ctx>, I) -> F + Clone + Send + Sync + 'static,
    ) -> Calls {
        let filter = MethodFilter::try_from(method.clone()).expect("a method that routes");
        let writes = matches!(manner, Manner::Writes | Manner::Repeats);
        let idempotent = writes && access != Access::Open;
        // Lists, files of them, and charts: what is asked for by `POST` and changes nothing.
        let heavy = manner == Manner::Reads && method == Method::POST;
        let terms = Terms { path, access, manner, number, idempotent, heavy };
        let endpoint = move |State(app): State<Arc<App>>, params: Result<RawPathParams, RawPathParamsRejection>, request: Request| {
            let handler = handler.clone();
            async move {
                let info = request.extensions().get::<RequestInfo>().cloned().expect("the outermost layer sets it");
                let (locale, request_id) = (info.locale, info.request_id.clone());
                let answer = match &params {
                    Ok(params) => serve(app, terms, params, info, request, handler).await,
                    Err(_) => Err(ApiError::Malformed("the path is no UTF-8 text".to_owned())),
                };
                answer.unwrap_or_else(|error| match path.starts_with(PARTNERS) {
                    true => error.respond_to_partner(locale, &request_id),
                    false => error.respond(locale, &request_id),
                })
            }
        };
        self.calls.push(Call {
            method,
            path,
            access,
            writes,
            quiet: manner == Manner::Polls,
            takes_files: I::ARRIVES == Arrives::AsForm,
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
    /// Writes, and is meant to be sent again.
    Repeats,
}

/// On what terms a call is made.
#[derive(Clone, Copy)]
struct Terms {
    /// As declared.
    path: &'static str,
    access: Access,
    manner: Manner,
    /// Read together with the session.
    number: Option<&'static str>,
    /// Whether an `Idempotency-Key` is honoured.
    idempotent: bool,
    /// Whether it takes so much that nobody may make it all the time.
    heavy: bool,
}

async fn serve<I: Input, O: Output, F: Future<Output = super::Result<O>> + Send>(
    app: Arc<App>,
    terms: Terms,
    path: &RawPathParams,
    info: RequestInfo,
    request: Request,
    handler: impl Fn(Arc<Ctx>, I) -> F,
) -> super::Result<Response<HttpBody>> {
    let (parts, body) = request.into_parts();
    let now = app.clock.now();
    let using = if terms.manner == Manner::Polls { Use::Quiet } else { Use::Active };
    let (viewer, number) = match parts.extensions.get::<InProcess>() {
        Some(InProcess(viewer)) => (Some(viewer.clone()), None),
        None => match parts.headers.get("token").and_then(|value| value.to_str().ok()) {
            Some(token) if terms.access != Access::Open => {
                let known = session::viewer_with(app.gate(), token, using, &info.origin, now, terms.number).await?;
                known.map_or((None, None), |(viewer, number)| (Some(Arc::new(viewer)), number))
            }
            _ => (None, None),
        },
    };
    let answer = answer(&app, terms, path, &info, &parts, body, viewer.clone(), number, handler).await;
    let mut response = answer.inspect_err(|error| tell(&app, error, terms, path, &info, &parts, viewer.as_deref()))?;
    let aged = |viewer: &&Arc<Viewer>| using == Use::Active && now - viewer.token_issued_at > session::RENEW_AFTER;
    let in_process = parts.extensions.get::<InProcess>().is_some();
    if let Some(viewer) = viewer.as_ref().filter(aged).filter(|_| !in_process) {
        let token = session::issue(&app.keys, viewer.id, viewer.session_id, now);
        response.headers_mut().insert("token", HeaderValue::from_str(&token).expect("a JWT is plain text"));
        response.headers_mut().entry(header::SET_COOKIE).or_insert(ctx::token_cookie(&token, info.secure));
    }
    Ok(response)
}

#[expect(clippy::too_many_arguments, reason = "one call, taken apart")]
async fn answer<I: Input, O: Output, F: Future<Output = super::Result<O>> + Send>(
    app: &Arc<App>,
    Terms { path: call, access, manner, idempotent, heavy, .. }: Terms,
    path: &RawPathParams,
    info: &RequestInfo,
    parts: &Parts,
    body: HttpBody,
    viewer: Option<Arc<Viewer>>,
    number: Option<i64>,
    handler: impl Fn(Arc<Ctx>, I) -> F,
) -> super::Result<Response<HttpBody>> {
    allow(access, viewer.as_deref(), parts.uri.path())?;
    let again = parts.extensions.get::<Again>().is_some();
    let now = app.clock.now();
    if let Some(viewer) = viewer.as_ref().filter(|_| heavy && !again) {
        let minute = app.settings.get(&app.db, &setting::SECURITY_READS_MINUTE).await?;
        app.limits.take(Asker::Reader(viewer.id), Rate { burst: minute, minute }, now).map_err(too_many_reads)?;
    }
    let (body, form) = match I::ARRIVES {
        Arrives::Whole => (axum::body::to_bytes(body, MAX_BODY).await.map_err(|_| ApiError::TooLarge)?, None),
        Arrives::AsForm => {
            let form = match parts.extensions.get::<Form>() {
                // Of a call made in process. It cannot be sent from outside.
                Some(form) => form.clone(),
                None => Form::receive(&parts.headers, body).await?,
            };
            (form.identity().into(), Some(form))
        }
    };
    let at_once = asks_for_file(&parts.headers);
    let cx = Ctx::new(app.clone(), viewer, info.clone(), call, ctx::Manner { at_once, again, number }, now);
    let claim = match parts.headers.get("idempotency-key") {
        Some(key) if idempotent => Some(Arc::new(idempotency::claim(&app.keys, cx.viewer()?, key, parts, &body, now)?)),
        // A file takes longer to arrive than a second press.
        None if idempotent && manner == Manner::Writes && form.is_none() => {
            Some(Arc::new(idempotency::claim_without_key(&app.keys, cx.viewer()?, parts, &body, now)))
        }
        _ => None,
    };
    let cx = Arc::new(match &claim {
        Some(claim) => cx.made_once(claim.clone()),
        None => cx,
    });
    let run = async {
        let input = I::read(&Raw {
            path,
            query: parts.uri.query().unwrap_or_default(),
            headers: &parts.headers,
            body: &body,
            form: form.as_ref(),
        })?;
        handler(cx.clone(), input).await.map(Output::respond)
    };
    match &claim {
        Some(claim) => idempotency::once(&cx, claim, run).await,
        None => run.await,
    }
}

fn too_many_reads(retry_after: i64) -> ApiError {
    ApiError::TooOften {
        message: say(format!("查询过于频繁，请 {retry_after} 秒后再试"), format!("Too many queries: try again in {retry_after} s")),
        retry_after,
    }
}

/// Writes a refusal to the log.
fn tell(app: &App, error: &ApiError, terms: Terms, path: &RawPathParams, info: &RequestInfo, parts: &Parts, viewer: Option<&Viewer>) {
    let query = parts.uri.query().unwrap_or_default();
    let of_partner = terms.access == Access::Open && terms.path.starts_with("/open/");
    let refused = Refused {
        method: parts.method.as_str(),
        call: terms.path,
        record: path.iter().find_map(|(_, value)| value.parse().ok()),
        points: match &terms.access {
            Access::Open | Access::SignedIn => &[],
            Access::Point(point) => std::slice::from_ref(point),
            Access::AnyPoint(points) | Access::EveryPoint(points) => points,
        },
        viewer,
        app_id: query.split('&').find_map(|pair| pair.strip_prefix("appId=")).filter(|_| of_partner),
        info,
    };
    refusal::tell(app, error, &refused);
}

/// Whether a caller wants a file itself: he says so by name. Who takes anything, as browsers' clients
/// do by default, is answered as JSON.
fn asks_for_file(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(FILE)))
}

/// Calls that an account with a made password may make before it has chosen its own.
const BEFORE_PASSWORD_CHANGE: &[&str] = &["/admin/password", "/admin/logout", "/admin/me", "/menu/listByToken"];

/// Calls that an account may make which must set up a second factor first, beside these.
const BEFORE_ENROLMENT: &[&str] = &["/admin/me/secondFactor"];

/// The guard of every call: default deny.
fn allow(access: Access, viewer: Option<&Viewer>, path: &str) -> super::Result<()> {
    if access == Access::Open {
        return Ok(());
    }
    let viewer = viewer.ok_or(ApiError::LoginExpired)?;
    if !access.lets(viewer) {
        return Err(ApiError::Forbidden);
    }
    if viewer.must_change_password && !BEFORE_PASSWORD_CHANGE.iter().any(|open| path.ends_with(open)) {
        return Err(ApiError::State(say("请先修改密码", "Change your password first")));
    }
    let enrols = || BEFORE_PASSWORD_CHANGE.iter().chain(BEFORE_ENROLMENT).any(|open| path.ends_with(open));
    if viewer.must_enrol && !enrols() {
        return Err(ApiError::State(say("请先开启两步验证", "Set up two-step verification first")));
    }
    Ok(())
}
