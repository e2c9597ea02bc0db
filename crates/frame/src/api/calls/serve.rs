//! How a call is served: the viewer is found, the permission and the limits are checked, the input is read, and the handler is run.

use std::sync::Arc;

use axum::body::Body as HttpBody;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, Response, header};
use axum::routing::{MethodFilter, MethodRouter, on};
use futures_util::future::BoxFuture;

use super::{Access, Again, FILE, InProcess, MAX_BODY};
use crate::access::Viewer;
use crate::access::session::{self, Use};
use crate::api;
use crate::api::ctx::{self, App, Ctx, RequestInfo};
use crate::api::error::ApiError;
use crate::api::form::Form;
use crate::api::idempotency;
use crate::api::input::{Arrives, Raw};
use crate::api::refusal::{self, Refused};
use crate::setting;
use base::rate_limits::{Asker, Rate};
use base::say::say;

/// Where the calls of partners' programs begin.
const PARTNERS: &str = "/open/";

/// What a call does when it is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    Reads,
    Polls,
    Writes,
    /// Writes, and is meant to be sent again.
    Repeats,
}

/// The terms on which a call is made.
#[derive(Clone, Copy)]
pub struct Terms {
    /// As declared.
    pub path: &'static str,
    pub access: Access,
    pub manner: Manner,
    /// Read together with the session.
    pub number: Option<&'static str>,
    /// Whether an `Idempotency-Key` is honoured.
    pub idempotent: bool,
    /// Whether it takes so much that an account may make it only so often.
    pub heavy: bool,
    pub arrives: Arrives,
}

/// A handler with its input and output hidden: it reads the input, does its work and responds. So the code
/// around it is compiled once, not for each call.
pub type Handler = Arc<dyn Fn(Arc<Ctx>, &Raw<'_>) -> BoxFuture<'static, api::Result<Response<HttpBody>>> + Send + Sync>;

/// The route of a call.
pub fn route(method: &Method, terms: Terms, handler: Handler) -> MethodRouter<Arc<App>> {
    let filter = MethodFilter::try_from(method.clone()).expect("a method that routes");
    on(filter, async move |State(app): State<Arc<App>>, params: Result<RawPathParams, RawPathParamsRejection>, request: Request| {
        let info = request.extensions().get::<RequestInfo>().cloned().expect("the outermost layer sets it");
        let (locale, request_id) = (info.locale, info.request_id.clone());
        let answer = match &params {
            Ok(params) => serve(app, terms, params, info, request, &handler).await,
            Err(_) => Err(ApiError::Malformed("the path is no UTF-8 text".to_owned())),
        };
        answer.unwrap_or_else(|error| match terms.path.starts_with(PARTNERS) {
            true => error.respond_to_partner(locale, &request_id),
            false => error.respond(locale, &request_id),
        })
    })
}

async fn serve(
    app: Arc<App>,
    terms: Terms,
    path: &RawPathParams,
    info: RequestInfo,
    request: Request,
    handler: &Handler,
) -> api::Result<Response<HttpBody>> {
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
async fn answer(
    app: &Arc<App>,
    Terms { path: call, access, manner, idempotent, heavy, arrives, .. }: Terms,
    path: &RawPathParams,
    info: &RequestInfo,
    parts: &Parts,
    body: HttpBody,
    viewer: Option<Arc<Viewer>>,
    number: Option<i64>,
    handler: &Handler,
) -> api::Result<Response<HttpBody>> {
    allow(access, viewer.as_deref(), parts.uri.path())?;
    let again = parts.extensions.get::<Again>().is_some();
    let now = app.clock.now();
    if let Some(viewer) = viewer.as_ref().filter(|_| heavy && !again) {
        let minute = app.settings.get(&app.db, &setting::SECURITY_READS_MINUTE).await?;
        app.limits.take(Asker::Reader(viewer.id), Rate { burst: minute, minute }, now).map_err(too_many_reads)?;
    }
    let (body, form) = match arrives {
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
        let query = parts.uri.query().unwrap_or_default();
        handler(cx.clone(), &Raw { path, query, headers: &parts.headers, body: &body, form: form.as_ref() }).await
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

/// Whether a caller wants a file itself and names the type. A caller that accepts anything, as browsers' clients
/// do by default, is answered as JSON.
fn asks_for_file(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(FILE)))
}

/// Calls that an account with a made password may make before it has chosen its own.
const BEFORE_PASSWORD_CHANGE: &[&str] = &["/admin/password", "/admin/logout", "/admin/me", "/menu/listByToken"];
/// Calls that an account may make beside these before it has set up the second factor that it must have.
const BEFORE_ENROLMENT: &[&str] = &["/admin/me/secondFactor"];

/// The guard of every call: default deny.
fn allow(access: Access, viewer: Option<&Viewer>, path: &str) -> api::Result<()> {
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
