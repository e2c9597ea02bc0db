//! A person with a browser and no scripts, and the pages that they get.
//!
//! ```
//! let operator = Browser::of(&app, "operator").await.in_english();
//! let page = operator.get("/channel/list?keyword=a").await;
//! page.is("channelList", 200);                             // the route that was rendered, in an isolate, and its status
//! assert!(page.root().contains("New channel"));            // the HTML of the page itself
//! assert_eq!(page.props()["status"], 200);                 // what its scripts would begin with
//! ```

use std::net::SocketAddr;
use std::sync::{Arc, LazyLock, Once};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, header};
use render::{Bundle, RenderConfig, RenderPool, init_platform};
use serde_json::Value;
use site::pages::document::Manifest;
use site::pages::front_end::FrontEnd;
use site::pages::settings::Settings;
use site::pages::{self, Look, Site};
use tokio::runtime::Runtime;
use tower::ServiceExt;

use testing::{MULTIPART, TestApp, multipart};

/// Makes requests to the whole router. Follows no redirect, keeps no cookie by itself. It has loaded the style sheet before.
#[derive(Clone)]
pub struct Browser {
    router: Router,
    headers: HeaderMap,
    cookies: Vec<(String, String)>,
}

/// An answer.
pub struct Page {
    /// What was asked, for messages.
    asked: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Browser {
    /// Somebody who has not signed in.
    pub fn stranger(app: &TestApp) -> Browser {
        Browser::with_engine(app, ENGINE.clone())
    }

    /// The same over another engine.
    pub fn with_engine(app: &TestApp, renderer: Arc<RenderPool>) -> Browser {
        Browser::on(app, renderer, Look::default())
    }

    /// The same over a node with these settings of the layout.
    pub async fn with_settings(app: &TestApp, settings: Settings) -> Browser {
        let look = Look::of(settings, &ENGINE).await.expect("the engine knows the shades of the theme");
        Browser::on(app, ENGINE.clone(), look)
    }

    fn on(app: &TestApp, renderer: Arc<RenderPool>, look: Look) -> Browser {
        let app = app.app.clone();
        let manifest = Manifest::parse(front::MANIFEST).expect("the build's manifest");
        let cookies = vec![("sheet".to_owned(), manifest.css.clone())];
        let front_end = FrontEnd::embedded(manifest);
        let site = Site { api: server::api(app.clone()), app, renderer, front_end, look };
        Browser { router: pages::router(Arc::new(site)), headers: HeaderMap::new(), cookies }
    }

    /// A person who has signed in.
    pub async fn of(app: &TestApp, username: &str) -> Browser {
        Browser::stranger(app).signed_in(app, username).await
    }

    /// The same browser after somebody has signed in there.
    pub async fn signed_in(&self, app: &TestApp, username: &str) -> Browser {
        self.cookie("token", app.sign_in(username).await.token())
    }

    /// The same browser with a cookie.
    pub fn cookie(&self, name: &str, value: &str) -> Browser {
        let mut browser = self.clone();
        browser.cookies.retain(|(held, _)| held != name);
        browser.cookies.push((name.to_owned(), value.to_owned()));
        browser
    }

    /// The same browser with an English interface.
    pub fn in_english(&self) -> Browser {
        self.cookie("locale", "en-US")
    }

    /// The same browser with one more header.
    pub fn with(&self, name: &'static str, value: &str) -> Browser {
        let mut browser = self.clone();
        browser.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        browser
    }

    pub async fn get(&self, address: &str) -> Page {
        self.send(Method::GET, address, String::new()).await
    }

    /// Sends a form.
    pub async fn submit(&self, address: &str, fields: &[(&str, &str)]) -> Page {
        let form = serde_urlencoded::to_string(fields).unwrap();
        self.with("content-type", "application/x-www-form-urlencoded").send(Method::POST, address, form).await
    }

    /// Sends a form with files, each a name and a content.
    pub async fn submit_files(&self, address: &str, fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Page {
        self.with("content-type", MULTIPART).send(Method::POST, address, multipart(fields, "files", files)).await
    }

    pub async fn send(&self, method: Method, address: &str, body: impl Into<Body>) -> Page {
        let mut request = Request::new(body.into());
        *request.method_mut() = method.clone();
        *request.uri_mut() = address.parse().unwrap_or_else(|error| panic!("{address}: {error}"));
        *request.headers_mut() = self.headers.clone();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 50_000))));
        if !self.cookies.is_empty() {
            let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request.headers_mut().insert(header::COOKIE, HeaderValue::from_str(&cookies.join("; ")).unwrap());
        }
        let response = self.router.clone().oneshot(request).await.expect("the router answers");
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.expect("the answer's body arrives");
        let asked = format!("{method} {}", &address[..address.len().min(100)]);
        Page { asked, status: parts.status.as_u16(), headers: parts.headers, body }
    }
}

impl Page {
    /// The whole answer.
    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    /// That this route was rendered, on the server, with this status.
    #[track_caller]
    pub fn is(&self, route: &str, status: u16) {
        let props = self.props();
        let told = (self.status, props["status"].as_u64(), props["route"].as_str());
        assert_eq!(told, (status, Some(u64::from(status)), Some(route)), "{}", self.asked);
        assert!(!self.is_shell(), "{} was not rendered: {:?}", self.asked, self.header("server-timing"));
    }

    /// Whether the browser has to draw the page.
    pub fn is_shell(&self) -> bool {
        self.root().is_empty() || self.tag("html").contains(r#"data-render="shell""#)
    }

    /// The HTML of the page itself.
    #[track_caller]
    pub fn root(&self) -> &str {
        between(self.text(), r#"<div id="root">"#, "</div>\n<script type=\"application/json\" id=\"props\">")
            .unwrap_or_else(|| panic!("{} was answered {} {}", self.asked, self.status, self.text()))
    }

    /// The props for its scripts, with whole rows.
    #[track_caller]
    pub fn props(&self) -> Value {
        let json = between(self.text(), r#"id="props">"#, "</script>");
        let json = json.unwrap_or_else(|| panic!("{} was answered {} {:?}", self.asked, self.status, self.text()));
        let mut props: Value = serde_json::from_str(json).expect("props are JSON");
        for envelope in props["data"].as_object_mut().into_iter().flat_map(|data| data.values_mut()) {
            let data = &mut envelope["data"];
            unpack(if data["list"].is_object() { &mut data["list"] } else { data });
        }
        props
    }

    /// The opening tag of the first element of a name.
    #[track_caller]
    pub fn tag(&self, name: &str) -> &str {
        between(self.text(), &format!("<{name}"), ">").unwrap_or_else(|| panic!("{} has no <{name}>", self.asked))
    }

    /// Where it redirects to.
    #[track_caller]
    pub fn redirect(&self) -> &str {
        assert!(matches!(self.status, 302 | 303), "{} was answered {}", self.asked, self.status);
        self.header("location").expect("a redirect has an address")
    }

    /// A header's text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The attributes and value with which a cookie is set.
    pub fn set_cookie(&self, name: &str) -> Option<&str> {
        let lines = self.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix('=')).next()
    }
}

/// The text between two marks: the first `from`, and the next `to` after it.
pub fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to).map(|(inside, _)| inside)
}

/// The engine over the real bundle, one for all tests of this program.
static ENGINE: LazyLock<Arc<RenderPool>> = LazyLock::new(|| {
    let bundle = Bundle { script: front::SERVER_BUNDLE, source_map: Some(front::SERVER_BUNDLE_MAP) };
    // A crowded machine may be slow; no page here is meant to fail.
    start_engine(bundle, RenderConfig { isolates: 2, deadline: Duration::from_secs(30), ..RenderConfig::default() })
});

/// Starts an engine.
pub fn start_engine(bundle: Bundle, config: RenderConfig) -> Arc<RenderPool> {
    static PLATFORM: Once = Once::new();
    PLATFORM.call_once(init_platform);
    // The engine's delayed work outlives the test that is the first to need it.
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
    let _inside = RUNTIME.enter();
    Arc::new(RenderPool::start(bundle, config).expect("the engine starts"))
}

/// Makes whole rows of a list's columns.
fn unpack(list: &mut Value) {
    let Some(names) = list["columns"].as_array() else { return };
    let row = |values: &Value| -> Value {
        names.iter().map(|name| name.as_str().unwrap().to_owned()).zip(values.as_array().unwrap().clone()).collect()
    };
    let Some(rows) = list["rows"].as_array() else { return };
    *list = rows.iter().map(row).collect();
}
