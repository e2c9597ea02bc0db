//! A page request, from address to document: viewer, guard, loads, render, document.
//!
//! Everything that a page depends on is decided here, in Rust: the viewer, the right to the page, and its data.
//! Rendering is a pure function of the result; if it fails, the document carries the same data and the browser draws
//! the page.

pub mod assets;
mod columns;
pub mod document;
mod files;
pub mod follow_up;
pub mod front_end;
mod guard;
mod loads;
mod plain;
mod role_data;
pub mod settings;
mod sign_in;
pub mod status;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};

use self::document::{Frame, content_security_policy, escape_json};
use self::front_end::FrontEnd;
use self::guard::Verdict;
use self::loads::Asked;
use self::settings::Settings;
use base::clock;
use base::locale::Locale;
use base::routes::{self, Route};
use base::sentence_page::nonce;
use frame::access::Viewer;
use frame::access::session::{self, Use};
use frame::api::ctx::RequestInfo;
use frame::api::preferences::{Preferences, Theme};
use frame::api::refusal::{self, Refused};
use frame::api::{ApiError, App, list};
use render::{RenderFailure, RenderPool, Shared, Timings};

/// The shared data of all pages.
pub struct Site {
    pub app: Arc<App>,
    /// The `/api` calls, for loads made in process.
    pub api: Router,
    /// Shared, so that several sites may have one engine.
    pub renderer: Arc<RenderPool>,
    pub front_end: FrontEnd,
    pub look: Look,
}

/// The settings of every document, computed once.
pub struct Look {
    pub settings: Settings,
    json: String,
    /// Rules for a theme colour that the style sheet does not have.
    css: String,
}

impl Look {
    /// Computes the settings; an isolate computes the shades of a theme colour.
    pub async fn of(settings: Settings, renderer: &RenderPool) -> Result<Look, RenderFailure> {
        let css = match settings.shades_request() {
            Some(request) => renderer.render(request.into()).await?.html.to_string(),
            None => String::new(),
        };
        Ok(Look { json: settings.json(), settings, css })
    }
}

impl Default for Look {
    fn default() -> Look {
        let settings = Settings::default();
        Look { json: settings.json(), settings, css: String::new() }
    }
}

/// The whole application.
pub fn router(site: Arc<Site>) -> Router {
    let app = site.app.clone();
    let renderer = site.renderer.clone();
    app.meter.watch(move || renderer.stats());
    let own = Router::new().merge(status::router(site.clone())).route("/assets/{name}", assets::route(&site.front_end));
    server::router(app, site.api.clone(), own, pages(site))
}

/// The probes, for a separate listener.
pub fn status_router(site: Arc<Site>) -> Router {
    server::status_router(status::router_of_machines(site))
}

/// The router of all pages.
fn pages(site: Arc<Site>) -> Router {
    Router::new()
        .route("/login", post(sign_in::submit).get(page))
        .route("/logout", post(plain::sign_out).get(page))
        .route("/preferences", post(plain::choose).get(page))
        .route("/crm/progress", post(follow_up::submit).get(page))
        .route("/files/{id}", get(files::upload))
        .route("/exports/{id}", get(files::export))
        .route("/role-data/{key}", get(role_data::of_viewer))
        .fallback(get(page))
        .with_state(site)
}

async fn page(State(site): State<Arc<Site>>, request: Request) -> Response<Body> {
    let info = request.extensions().get::<RequestInfo>().cloned().expect("the outermost layer sets it");
    let preferences = Preferences::read(request.headers(), info.secure);
    if let Some(name) = list::too_long(request.uri().query().unwrap_or_default()) {
        let error = ApiError::Malformed(format!("{name}: longer than {} characters", list::MAX_FILTER));
        return (error.status(), error.text(preferences.locale)).into_response();
    }
    show(&site, &info, &preferences, request.uri().path(), request.uri().query().unwrap_or_default(), None).await
}

/// Renders a page for the viewer of the session cookie. `form_error` is the refusal of its form with the typed values.
async fn show(
    site: &Site,
    info: &RequestInfo,
    preferences: &Preferences<'_>,
    path: &str,
    query: &str,
    form_error: Option<&follow_up::FormError>,
) -> Response<Body> {
    let began = Instant::now();

    let viewer = match preferences.token {
        Some(token) => session::viewer(site.app.gate(), token, Use::Active, &info.origin, site.app.clock.now()).await,
        None => Ok(None),
    };
    let viewer = match viewer {
        Ok(viewer) => viewer.map(Arc::new),
        Err(error) => {
            tracing::error!(request.id = info.request_id, %error, "a page could not learn its viewer");
            return broken(site, info, preferences, path, query).await;
        }
    };
    let (route, status) = match guard::decide(path, query, viewer.as_deref()) {
        Verdict::Redirect(to) => return redirect(&to),
        Verdict::Page(route, status) => (route, status),
        Verdict::Forbidden(refused) => {
            if !site.look.settings.menu_from_server
                && let Some(first) = viewer.as_deref().and_then(guard::first_accessible)
            {
                return redirect(&first);
            }
            tell(&site.app, &ApiError::Forbidden, "GET", refused.path.as_deref().unwrap_or_default(), viewer.as_deref(), info);
            (guard::not_found_page(), 404)
        }
    };
    if let Some(viewer) = &viewer
        && status == 200
        && query.is_empty()
        && let Some(search) = opens_with(site, route, viewer).await
    {
        return redirect(&format!("{path}{search}"));
    }
    let known = began.elapsed();

    let loaded = match &viewer {
        Some(viewer) if !route.loads.is_empty() => {
            let parameters = route.parameters(path).unwrap_or_default();
            loads::run(&site.api, &route.loads, viewer, info, Asked { parameters: &parameters, query }).await
        }
        _ => loads::Loaded { data: "{}".to_owned(), ..loads::Loaded::default() },
    };
    // An old bookmark may name a filter value that no longer exists.
    if status == 200
        && form_error.is_none()
        && let Some(to) = loads::without(path, query, &loaded.refused)
    {
        return redirect(&to);
    }
    let status = match status {
        200 if loaded.failed => 500,
        200 if loaded.malformed => 400,
        200 if loaded.missing => 404,
        status => status,
    };
    let loaded_at = began.elapsed();

    let viewer = viewer.as_deref();
    let props = Props { path, query, route, status, viewer, data: &loaded.data, login_error: None, form_error, preferences };
    let mut response = respond(site, info, &props, Spent { viewer: known, loads: loaded_at - known }).await;
    if preferences.handoff {
        response.headers_mut().append(header::SET_COOKIE, sign_in::handoff(false, info.secure));
    }
    response
}

/// The query with which a page opens by default: that of the viewer's default view.
async fn opens_with(site: &Site, route: &Route, viewer: &Viewer) -> Option<String> {
    if !route.loads.iter().any(|load| load.name == "views") {
        return None;
    }
    let path = route.path.as_deref()?;
    match stats::views::default_of(&site.app.db, viewer.id, path).await {
        Ok(search) => search,
        // The page opens without it.
        Err(error) => {
            tracing::warn!(%error, "the default view of a page could not be read");
            None
        }
    }
}

/// Writes a refusal to the log, like the calls of `/api`.
fn tell(app: &App, error: &ApiError, method: &str, path: &'static str, viewer: Option<&Viewer>, info: &RequestInfo) {
    refusal::tell(app, error, &Refused { method, call: path, record: None, points: &[], viewer, app_id: None, info });
}

/// The error page, if even the viewer cannot be determined.
async fn broken(site: &Site, info: &RequestInfo, preferences: &Preferences<'_>, path: &str, query: &str) -> Response<Body> {
    let route = routes::by_name("serverError").expect("the table has its error page");
    let props = Props { path, query, route, status: 500, viewer: None, data: "{}", login_error: None, form_error: None, preferences };
    respond(site, info, &props, Spent::default()).await
}

fn redirect(to: &str) -> Response<Body> {
    let location = HeaderValue::from_str(to).unwrap_or(HeaderValue::from_static("/login"));
    Response::builder()
        .status(StatusCode::FOUND)
        .header(header::LOCATION, location)
        .header(header::CACHE_CONTROL, "no-store")
        .body(Body::empty())
        .expect("a response of fixed headers")
}

/// What the layout shows of a page's route; its type is `PageHead` of `js/lib/types.ts`.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    title: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_special: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record_title: Option<&'a str>,
}

impl Head<'_> {
    fn of(route: &Route, locale: Locale) -> Head<'_> {
        Head {
            title: route.title.get(locale),
            is_special: route.path.is_none(),
            parent: route.parent.as_deref(),
            record_title: route.record_title.as_deref(),
        }
    }
}

/// The name of the project.
const PROJECT: &str = "Leadlane";

/// A page's props before they are JSON; their type is `PageProps` of `js/lib/types.ts`.
struct Props<'a> {
    path: &'a str,
    query: &'a str,
    route: &'static Route,
    status: u16,
    viewer: Option<&'a Viewer>,
    /// A JSON object of envelopes.
    data: &'a str,
    login_error: Option<sign_in::Refusal>,
    form_error: Option<&'a follow_up::FormError>,
    preferences: &'a Preferences<'a>,
}

impl Props<'_> {
    fn theme(&self, look: &Look) -> Theme {
        self.preferences.theme.unwrap_or(look.settings.theme)
    }

    /// What the browser calls the page: the name of the project, and before it the record and the page if the settings say
    /// so. After a navigation in the browser `js/shell/layout.tsx` sets the same.
    fn title(&self, look: &Look) -> String {
        if !look.settings.page_title {
            return PROJECT.to_owned();
        }
        let record = self.record_title();
        let in_menu = |list: &&'static Route| self.viewer.is_some_and(|viewer| viewer.role.routes.contains(&list.name));
        let list = self.route.parent.as_deref().filter(|_| record.is_some()).and_then(routes::by_name).filter(in_menu);
        let page = self.title_of(list.unwrap_or(self.route), look);
        record.as_deref().into_iter().chain([page, PROJECT]).collect::<Vec<&str>>().join(" · ")
    }

    /// The name of the page's record, from the page's loads.
    fn record_title(&self) -> Option<String> {
        let (load, field) = self.route.record_title.as_deref()?.split_once('.')?;
        let data: serde_json::Value = serde_json::from_str(self.data).ok()?;
        data[load]["data"][field].as_str().filter(|name| !name.is_empty()).map(str::to_owned)
    }

    /// The title of a route: that in the viewer's menu, which administrators may have changed, else that of the table.
    fn title_of(&self, route: &'static Route, look: &Look) -> &str {
        let role = self.viewer.filter(|_| look.settings.menu_from_server).map(|viewer| &viewer.role);
        let node = role.and_then(|role| role.nodes.iter().find(|node| !node.is_point && node.name == route.name));
        match node {
            Some(node) => self.preferences.locale.pick(&node.title_zh, &node.title_en),
            None => route.title.get(self.preferences.locale),
        }
    }

    /// What the page has in common with all others of the viewer's role: menu and points. The login page shows neither.
    fn shared(&self) -> Option<Shared> {
        let viewer = self.viewer.filter(|_| self.route.name != "login")?;
        let data = viewer.role.page_json(self.preferences.locale);
        Some(Shared { key: data.key.clone(), json: data.json.clone() })
    }

    /// The JSON for the isolate and for the browser, safe inside a script, without what the pages of the role have in
    /// common: it names that by its key. The loads' answers, which are JSON, are inserted without parsing.
    fn json(&self, look: &Look, now: i64, shared: Option<&Shared>) -> Result<String, serde_json::Error> {
        #[derive(serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Own<'a> {
            url: String,
            route: &'a str,
            head: Head<'a>,
            status: u16,
            viewer: Option<frame::access::ViewerInfo>,
            #[serde(skip_serializing_if = "Option::is_none")]
            role_data: Option<&'a str>,
            locale: &'static str,
            theme: &'static str,
            today: String,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            no_pictures: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            login_error: Option<&'a sign_in::Refusal>,
            #[serde(skip_serializing_if = "Option::is_none")]
            form_error: Option<&'a follow_up::FormError>,
            #[serde(skip_serializing_if = "Option::is_none")]
            token: Option<&'a str>,
        }
        let locale = self.preferences.locale;
        let own = Own {
            url: if self.query.is_empty() { self.path.to_owned() } else { format!("{}?{}", self.path, self.query) },
            route: &self.route.name,
            head: Head::of(self.route, locale),
            status: self.status,
            viewer: self.viewer.map(|viewer| frame::access::viewer_info(viewer, locale)),
            role_data: shared.map(|shared| &*shared.key),
            locale: locale.tag(),
            theme: self.theme(look).name(),
            today: clock::day(now).to_string(),
            // QuickJS needs longer for a chart than a whole page may take.
            no_pictures: render::ENGINE == "quickjs",
            login_error: self.login_error.as_ref(),
            form_error: self.form_error,
            token: self.preferences.token.filter(|_| self.preferences.handoff && self.viewer.is_some()),
        };
        let ready = [("settings", look.json.as_str()), ("data", self.data)];

        let mut json = Vec::with_capacity(1024 + ready.iter().map(|(_, text)| text.len()).sum::<usize>());
        serde_json::to_writer(&mut json, &own)?;
        let closing = json.pop();
        for (name, text) in ready {
            json.extend_from_slice(b",\"");
            json.extend_from_slice(name.as_bytes());
            json.extend_from_slice(b"\":");
            json.extend_from_slice(text.as_bytes());
        }
        json.extend(closing);
        Ok(escape_json(String::from_utf8(json).expect("JSON is UTF-8")))
    }
}

/// Renders a small page without a viewer, to check that an isolate answers.
pub async fn probe(site: &Site) -> Result<(), RenderFailure> {
    let route = routes::by_name("notFound").expect("the table has its not-found page");
    let preferences = Preferences::default();
    let props = Props {
        path: "/",
        query: "",
        route,
        status: 404,
        viewer: None,
        data: "{}",
        login_error: None,
        form_error: None,
        preferences: &preferences,
    };
    let json = props.json(&site.look, site.app.clock.now(), None).expect("fixed props are JSON");
    site.renderer.render(json.into()).await.map(drop).inspect_err(|failure| report(site, "", route, failure))
}

/// Logs that a page was not rendered, so that the browser draws it. Anyone can request a page that throws
/// repeatedly: these lines are limited. The page's address is left out, since it may be a key.
fn report(site: &Site, request_id: &str, route: &Route, failure: &RenderFailure) {
    match failure {
        RenderFailure::Threw { message, stack } => {
            if let Some(left_out) = site.app.limits.line(site.app.clock.now()) {
                tracing::error!(request.id = request_id, route = route.name, left_out, "a page threw: {message}\n{stack}");
            }
        }
        failure => tracing::debug!(request.id = request_id, route = route.name, %failure, "a page was not rendered"),
    }
}

/// The times of a page's steps before rendering.
#[derive(Default)]
struct Spent {
    viewer: Duration,
    loads: Duration,
}

async fn respond(site: &Site, info: &RequestInfo, props: &Props<'_>, spent: Spent) -> Response<Body> {
    let shared = props.shared();
    let json: Arc<str> = match props.json(&site.look, site.app.clock.now(), shared.as_ref()) {
        Ok(json) => json.into(),
        Err(error) => {
            tracing::error!(request.id = info.request_id, %error, "a page's props are no JSON");
            return plain_failure();
        }
    };
    let manifest = site.front_end.manifest(&site.renderer);
    let rendered = site.renderer.render_with(json.clone(), shared.clone()).await;
    let (html, timings, failure) = match &rendered {
        Ok(rendered) => (Some(rendered.html.as_str()), rendered.timings, None),
        Err(failure) => {
            report(site, &info.request_id, props.route, failure);
            (None, Timings::default(), Some(failure.code()))
        }
    };
    let composing = Instant::now();
    let nonce = nonce();
    let title = props.title(&site.look);
    let frame = Frame {
        manifest: &manifest,
        locale: props.preferences.locale,
        theme: props.theme(&site.look),
        title: &title,
        page: props.route.page.as_deref().unwrap_or_default(),
        starts_at_use: props.route.name == "login" && props.login_error.is_none(),
        look: &site.look,
        shared: shared.as_ref(),
        sheet: site.front_end.sheet_for(props.preferences.sheet),
        nonce: &nonce,
    };
    let document = frame.document(html, &json);
    Response::builder()
        .status(props.status)
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::CONTENT_SECURITY_POLICY, content_security_policy(&nonce))
        .header("server-timing", server_timing(&spent, &timings, failure, composing.elapsed()))
        .body(Body::from(document))
        .expect("a status of ours and headers of plain text")
}

/// The answer if even the error page cannot be made.
fn plain_failure() -> Response<Body> {
    Response::builder()
        .status(StatusCode::INTERNAL_SERVER_ERROR)
        .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
        .body(Body::from("Internal server error"))
        .expect("a response of fixed headers")
}

fn server_timing(spent: &Spent, timings: &Timings, failure: Option<&str>, document: Duration) -> String {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let mut text = format!(
        "viewer;dur={:.3}, loads;dur={:.3}, queue;dur={:.3}, render;dur={:.3}, document;dur={:.3}",
        milliseconds(spent.viewer),
        milliseconds(spent.loads),
        milliseconds(timings.queued),
        milliseconds(timings.render),
        milliseconds(document),
    );
    if timings.memo {
        text.push_str(", memo");
    }
    if let Some(failure) = failure {
        text.push_str(", shell;desc=");
        text.push_str(failure);
    }
    text
}
