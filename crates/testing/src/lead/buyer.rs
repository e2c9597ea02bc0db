//! A buyer's server.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::RawQuery;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use base::clock::Clock;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::org::with;
use crate::{Actor, TestApp};

/// What it answers next, and what it was sent.
#[derive(Clone, Default)]
pub struct Buyer(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    answer: (u16, String),
    /// It keeps what it is sent, and never answers.
    hangs: bool,
    /// Until when it keeps what it is sent before it answers.
    held_until: Option<Arc<Notify>>,
    /// How long it takes, in milliseconds of a test's clock.
    takes: Option<(Clock, i64)>,
    /// What it answers when it is asked whether it has a lead.
    knows: (u16, String),
    received: Vec<Value>,
    /// The keys of what it was sent, in the same order.
    keys: Vec<String>,
    /// Each call as it came: its path, its query and its body.
    calls: Vec<(&'static str, String, String)>,
    asked: usize,
}

impl Buyer {
    /// Starts it and gives an organisation delivery settings that lead there.
    pub async fn of(app: &TestApp, admin: &Actor, org: &str, changes: Value) -> Buyer {
        let buyer = Buyer::default();
        buyer.answers(200, json!({"code": "0000", "data": {"orderNo": "A-1"}}));
        let state = buyer.clone();
        let answer = move |headers: HeaderMap, RawQuery(query): RawQuery, body: Bytes| {
            let mut held = state.0.lock().unwrap();
            held.calls.push(("/", query.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap()));
            held.received.push(serde_json::from_slice(&body).unwrap());
            held.keys.push(headers.get("idempotency-key").map_or("", |key| key.to_str().unwrap()).to_owned());
            let ((status, text), hangs, until) = (held.answer.clone(), held.hangs, held.held_until.clone());
            if let Some((clock, milliseconds)) = &held.takes {
                clock.advance(*milliseconds);
            }
            async move {
                if hangs {
                    std::future::pending::<()>().await;
                }
                if let Some(until) = until {
                    until.notified().await;
                }
                (StatusCode::from_u16(status).unwrap(), text)
            }
        };
        let state = buyer.clone();
        let knows = move |RawQuery(query): RawQuery, body: String| {
            let mut held = state.0.lock().unwrap();
            held.asked += 1;
            held.calls.push(("/query", query.unwrap_or_default(), body));
            let (status, text) = held.knows.clone();
            async move { (StatusCode::from_u16(status).unwrap(), text) }
        };
        let router = Router::new().route("/", post(answer)).route("/query", post(knows));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });

        let id = app.organisation(org).await;
        let version = admin.get(&format!("/org/api/{id}")).await.ok()["version"].clone();
        let settings = json!({
            "id": id, "version": version, "matchUrl": null, "applyUrl": "https://api.example.com/apply", "queryUrl": null, "crypto": "none",
            "fieldMap": {"name": "userName", "phone": "mobile", "phoneMd5": "md5", "leadNo": "leadNo", "city": "city", "applyAmount": "amount"},
            "valueMap": {}, "matchOkExpr": "code == \"0000\"", "applyOkExpr": "code == \"0000\"", "queryOkExpr": "", "queryNoneExpr": "", "timeoutMs": 600, "retryMax": 2,
            "status": "enabled"
        });
        let row = admin.put("/org/api", with(settings, changes.clone())).await.ok();
        app.approve("/org/api", &row).await;
        // No form takes an address of this machine.
        let matching = if changes["matchUrl"].is_null() { "match_url".to_owned() } else { format!("'{address}'") };
        let asking = if changes["queryUrl"].is_null() { "query_url".to_owned() } else { format!("'{address}/query'") };
        let sql =
            format!("UPDATE org_api_config SET apply_url = '{address}', match_url = {matching}, query_url = {asking} WHERE org_id = {id}");
        app.execute(Box::leak(sql.into_boxed_str())).await;
        buyer
    }

    /// Sets what it answers from now on.
    pub fn answers(&self, status: u16, body: Value) {
        self.0.lock().unwrap().answer = (status, body.to_string());
    }

    /// The same with a body that is no JSON.
    pub fn answers_rubbish(&self) {
        self.0.lock().unwrap().answer = (200, "<html>".to_owned());
    }

    /// Sets whether it keeps what it is sent and does not answer.
    pub fn hangs(&self, hangs: bool) {
        self.0.lock().unwrap().hangs = hangs;
    }

    /// From now on it answers a call only after a notification, one call for each.
    pub fn waits(&self) -> Arc<Notify> {
        self.0.lock().unwrap().held_until.get_or_insert_default().clone()
    }

    /// Waits until it has been sent so many calls since what it received was last asked.
    pub async fn until_it_has(&self, calls: usize) {
        while self.keys().len() < calls {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// From now on each answer takes it so many milliseconds of the test's clock.
    pub fn takes(&self, app: &TestApp, milliseconds: i64) {
        self.0.lock().unwrap().takes = Some((app.app.clock.clone(), milliseconds));
    }

    /// Sets what it answers when it is asked whether it has a lead.
    pub fn knows(&self, status: u16, body: Value) {
        self.0.lock().unwrap().knows = (status, body.to_string());
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.0.lock().unwrap().asked
    }

    /// What it was sent, and forgets it.
    pub fn received(&self) -> Vec<Value> {
        let mut held = self.0.lock().unwrap();
        held.keys.clear();
        std::mem::take(&mut held.received)
    }

    /// All calls that came, each with its path, its query and its body, and forgets them.
    pub fn calls(&self) -> Vec<(&'static str, String, String)> {
        std::mem::take(&mut self.0.lock().unwrap().calls)
    }

    /// The keys under which it was sent something since that was last asked.
    pub fn keys(&self) -> Vec<String> {
        self.0.lock().unwrap().keys.clone()
    }
}
