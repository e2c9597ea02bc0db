//! An organisation's server that tests can make answer anything.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::org::with;
use crate::support::{Actor, TestApp};

/// What it answers next, and what it was sent.
#[derive(Clone, Default)]
pub struct Buyer(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    answer: (u16, String),
    received: Vec<Value>,
}

impl Buyer {
    /// Starts it and gives an organisation delivery settings that lead there.
    pub async fn of(app: &TestApp, admin: &Actor, org: &str, changes: Value) -> Buyer {
        let buyer = Buyer::default();
        buyer.answers(200, json!({"code": "0000", "data": {"orderNo": "A-1"}}));
        let state = buyer.clone();
        let answer = move |body: Bytes| {
            let mut held = state.0.lock().unwrap();
            held.received.push(serde_json::from_slice(&body).unwrap());
            let (status, text) = held.answer.clone();
            async move { (StatusCode::from_u16(status).unwrap(), text) }
        };
        let router = Router::new().route("/", post(answer)).route("/hang", post(std::future::pending::<&'static str>));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });

        let id = app.organisation(org).await;
        let version = admin.get(&format!("/org/api/{id}")).await.ok()["version"].clone();
        let settings = json!({
            "id": id, "version": version, "matchUrl": null, "applyUrl": "https://api.example.com/apply", "queryUrl": null, "crypto": "none",
            "fieldMap": {"name": "userName", "phone": "mobile", "phoneMd5": "md5", "leadNo": "leadNo", "city": "city", "applyAmount": "amount"},
            "valueMap": {}, "matchOkExpr": "code == \"0000\"", "applyOkExpr": "code == \"0000\"", "timeoutMs": 600, "retryMax": 2,
            "status": "enabled"
        });
        admin.put("/org/api", with(settings, changes.clone())).await.ok();
        // No form takes an address of this machine.
        let matching = if changes["matchUrl"].is_null() { "match_url".to_owned() } else { format!("'{address}'") };
        let sql = format!("UPDATE org_api_config SET apply_url = '{address}', match_url = {matching} WHERE org_id = {id}");
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

    /// What it was sent, and forgets it.
    pub fn received(&self) -> Vec<Value> {
        std::mem::take(&mut self.0.lock().unwrap().received)
    }
}
