//! An actor, who makes calls, and the answers.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, header};
use serde_json::Value;
use tower::ServiceExt;

/// The content type of [`multipart`].
pub const MULTIPART: &str = "multipart/form-data; boundary=----a-boundary-of-tests";

/// A form with files in one field, each a name and a content, as browsers send it.
pub fn multipart(fields: &[(&str, &str)], field: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
    const BOUNDARY: &str = "----a-boundary-of-tests";
    let mut body = Vec::new();
    for (other, value) in fields {
        body.extend(format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{other}\"\r\n\r\n{value}\r\n").into_bytes());
    }
    for (name, content) in files {
        let name = name.replace('"', "%22").replace(['\r', '\n'], "");
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n");
        body.extend(head.into_bytes());
        body.extend(b"Content-Type: text/html\r\n\r\n");
        body.extend(*content);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
    body
}

/// A person, or a program, with or without a token.
#[derive(Clone)]
pub struct Actor {
    router: Router,
    headers: HeaderMap,
    address: IpAddr,
    /// Whether each writing call has a key of its own, as those of our pages do.
    keyed: bool,
}

/// Numbers the keys of calls.
static PRESSES: AtomicU64 = AtomicU64::new(0);

impl Actor {
    pub(super) fn new(router: Router, token: Option<String>) -> Actor {
        let mut headers = HeaderMap::new();
        if let Some(token) = token {
            headers.insert("token", HeaderValue::from_str(&token).unwrap());
        }
        Actor { router, headers, address: IpAddr::from([127, 0, 0, 1]), keyed: true }
    }

    /// The same person with one more header.
    pub fn with(&self, name: &'static str, value: &str) -> Actor {
        let mut actor = self.clone();
        actor.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        actor
    }

    /// The same person with one more line of a header that may have several.
    pub fn with_another(&self, name: &'static str, value: &str) -> Actor {
        let mut actor = self.clone();
        actor.headers.append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        actor
    }

    /// The same person with a program that sends no keys.
    pub fn without_keys(&self) -> Actor {
        Actor { keyed: false, ..self.clone() }
    }

    /// The same person with an English interface.
    pub fn in_english(&self) -> Actor {
        self.with("cookie", "locale=en-US")
    }

    /// The same person at another address.
    pub fn from(&self, address: impl Into<IpAddr>) -> Actor {
        Actor { address: address.into(), ..self.clone() }
    }

    /// The same person at any address.
    pub fn at(&self, address: &str) -> Actor {
        Actor { address: address.parse().expect("an address"), ..self.clone() }
    }

    /// The token of the calls.
    pub fn token(&self) -> &str {
        self.headers["token"].to_str().unwrap()
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(Method::POST, path, Some(&body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.call(Method::PUT, path, Some(&body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call(Method::DELETE, path, None).await
    }

    /// Makes a call below `/api`.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        self.send(method, path, body.map_or_else(Vec::new, |body| serde_json::to_vec(body).unwrap())).await
    }

    /// Uploads a file with fields beside it.
    pub async fn upload(&self, path: &str, fields: &[(&str, &str)], name: &str, content: &[u8]) -> Answer {
        self.upload_as("file", path, fields, name, content).await
    }

    /// The same in a field of another name.
    pub async fn upload_as(&self, field: &str, path: &str, fields: &[(&str, &str)], name: &str, content: &[u8]) -> Answer {
        self.with("content-type", MULTIPART).send(Method::POST, path, multipart(fields, field, &[(name, content)])).await
    }

    /// Exports a list as a file, at once.
    pub async fn export(&self, path: &str, body: Value) -> Answer {
        self.with("accept", "application/octet-stream").post(path, body).await
    }

    /// Makes a call with any bytes as its body.
    pub async fn send(&self, method: Method, path: &str, body: Vec<u8>) -> Answer {
        self.ask(method, &format!("/api{path}"), body).await
    }

    /// Asks for any address.
    pub async fn ask(&self, method: Method, path: &str, body: Vec<u8>) -> Answer {
        self.ask_with(method, path, Body::from(body)).await
    }

    /// The same with a body that arrives as the test wants.
    pub async fn ask_with(&self, method: Method, path: &str, body: Body) -> Answer {
        let mut request = Request::new(body);
        *request.method_mut() = method.clone();
        *request.uri_mut() = path.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        *request.headers_mut() = self.headers.clone();
        request.headers_mut().entry(header::CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
        if self.keyed && method != Method::GET {
            let key = || HeaderValue::from_str(&format!("press {}", PRESSES.fetch_add(1, Ordering::Relaxed))).unwrap();
            request.headers_mut().entry("idempotency-key").or_insert_with(key);
        }
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((self.address, 50_000))));
        let response = self.router.clone().oneshot(request).await.expect("the router answers");
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.expect("the answer's body arrives");
        Answer { call: format!("{method} {path}"), status: parts.status, headers: parts.headers, body }
    }
}

/// An answer.
pub struct Answer {
    /// What was asked, for messages.
    call: String,
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    /// The envelope's code.
    #[track_caller]
    pub fn code(&self) -> String {
        self.envelope()["code"].as_str().expect("an envelope has a code").to_owned()
    }

    /// The envelope's text for people.
    #[track_caller]
    pub fn desc(&self) -> String {
        self.envelope()["desc"].as_str().expect("an envelope has a text").to_owned()
    }

    /// The data of a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        self.refused("0000")
    }

    /// The data of a refusal with this code.
    #[track_caller]
    pub fn refused(&self, code: &str) -> Value {
        let envelope = self.envelope();
        assert_eq!(envelope["code"], code, "{} was answered {envelope}", self.call);
        envelope["data"].clone()
    }

    /// The message of the only field that is wrong.
    #[track_caller]
    pub fn wrong(&self, field: &str) -> String {
        let data = self.refused("1001");
        let fields: Vec<&String> = data.as_object().expect("fields are an object").keys().collect();
        assert_eq!(fields, [field], "{} was answered {data}", self.call);
        data[field].as_str().unwrap().to_owned()
    }

    /// A header's text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    #[track_caller]
    fn envelope(&self) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        let envelope: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{} was answered {text:?}", self.call));
        let names: Vec<&String> = envelope.as_object().expect("an envelope is an object").keys().collect();
        // S3.08
        assert_eq!(names, ["code", "desc", "data"], "{} was answered {envelope}", self.call);
        envelope
    }
}
