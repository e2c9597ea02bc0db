//! A person with a browser or a program, and the answers that they get.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use ureq::http::{HeaderMap, Method, Request};

/// Makes requests to one node. Follows no redirect and keeps no cookie by itself.
#[derive(Clone)]
pub struct Client {
    agent: ureq::Agent,
    base: String,
    headers: Vec<(&'static str, String)>,
}

/// Numbers the keys of calls, one for each as those of our pages.
static PRESSES: AtomicU64 = AtomicU64::new(0);

/// An answer.
pub struct Answer {
    asked: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: String,
}

impl Client {
    /// A stranger.
    pub fn new(base: &str) -> Client {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().into();
        Client { agent, base: base.to_owned(), headers: Vec::new() }
    }

    /// The same person with one more header.
    pub fn with(&self, name: &'static str, value: &str) -> Client {
        let mut client = self.clone();
        client.headers.push((name, value.to_owned()));
        client
    }

    /// A person with this token: in the header for calls, in the cookie for pages.
    pub fn with_token(&self, token: &str) -> Client {
        self.with("token", token).with("cookie", &format!("token={token}; locale=en-US"))
    }

    /// The token that the client sends.
    pub fn token(&self) -> &str {
        let held = self.headers.iter().find(|(name, _)| *name == "token");
        &held.expect("somebody who has signed in").1
    }

    /// The same person at another node.
    pub fn at(&self, node: &super::Node) -> Client {
        Client { base: node.base.clone(), ..self.clone() }
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "").expect("an answer")
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &body.to_string()).expect("an answer")
    }

    #[track_caller]
    pub fn put(&self, path: &str, body: &Value) -> Answer {
        self.send("PUT", path, &body.to_string()).expect("an answer")
    }

    /// Sends a form as a browser without scripts does.
    #[track_caller]
    pub fn form(&self, path: &str, fields: &str) -> Answer {
        self.with("content-type", "application/x-www-form-urlencoded").send("POST", path, fields).expect("an answer")
    }

    /// Makes any request; fails when there is no whole answer.
    pub fn send(&self, method: &str, path: &str, body: &str) -> Result<Answer, ureq::Error> {
        let asked = format!("{method} {path}");
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if asked.starts_with("POST /api") || asked.starts_with("PUT /api") || asked.starts_with("DELETE /api") {
            request = request.header("idempotency-key", format!("press {}", PRESSES.fetch_add(1, Ordering::Relaxed)));
        }
        if !body.is_empty() && !self.headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        let mut response = self.agent.run(request.body(body.to_owned()).expect("a request"))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.body_mut().read_to_string()?;
        Ok(Answer { asked, status, headers, body })
    }
}

impl Answer {
    /// The data of a success.
    #[track_caller]
    pub fn ok(&self) -> Value {
        self.refused("0000")
    }

    /// The data of an answer with this code.
    #[track_caller]
    pub fn refused(&self, code: &str) -> Value {
        assert_eq!(self.code().as_deref(), Some(code), "{} was answered {} {}", self.asked, self.status, self.body);
        self.json()["data"].clone()
    }

    /// The envelope's code, if this is one.
    pub fn code(&self) -> Option<String> {
        serde_json::from_str::<Value>(&self.body).ok()?["code"].as_str().map(str::to_owned)
    }

    /// The address that a redirect leads to.
    #[track_caller]
    pub fn redirect(&self) -> &str {
        assert!((300..400).contains(&self.status), "{} was answered {} {}", self.asked, self.status, self.body);
        self.headers["location"].to_str().unwrap()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{} was answered {}", self.asked, self.body))
    }
}
