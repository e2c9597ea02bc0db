//! A provider of short messages.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::RawQuery;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use server::dispatch;

use crate::{Actor, TestApp};

/// A provider that tests can make answer anything, and what it was sent.
#[derive(Clone, Default)]
pub struct Provider(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    answer: (u16, String),
    sent: Vec<(String, String, Value)>,
}

impl Provider {
    pub async fn of(app: &TestApp) -> Provider {
        let provider = Provider::of_address(app).await;
        app.set_secret("sms.provider_key", "the provider's key").await;
        provider
    }

    /// One whose key is set already.
    pub async fn of_address(app: &TestApp) -> Provider {
        let provider = Provider::default();
        provider.answers(200, r#"{"code":"0000","no":"P-1"}"#);
        let state = provider.clone();
        let answer = move |RawQuery(query): RawQuery, headers: HeaderMap, body: Bytes| {
            let mut held = state.0.lock().unwrap();
            let key = headers.get("idempotency-key").map_or("", |key| key.to_str().unwrap()).to_owned();
            held.sent.push((key, query.unwrap_or_default(), serde_json::from_slice(&body).unwrap()));
            let (status, text) = held.answer.clone();
            async move { (StatusCode::from_u16(status).unwrap(), text) }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/send", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/send", post(answer))).await });
        app.set("sms.provider_url", json!(address)).await;
        provider
    }

    pub fn answers(&self, status: u16, text: &str) {
        self.0.lock().unwrap().answer = (status, text.to_owned());
    }

    /// How often it was called and not yet asked about by [`Provider::sent`].
    pub fn calls(&self) -> usize {
        self.0.lock().unwrap().sent.len()
    }

    pub fn sent(&self) -> Vec<(String, String, Value)> {
        std::mem::take(&mut self.0.lock().unwrap().sent)
    }
}

/// Sends a test message to a phone, and answers its row as it is then.
pub async fn sent(app: &TestApp, who: &Actor, phone: &str) -> Value {
    let id = who.post("/sms/test", json!({ "phone": phone })).await.ok()["id"].clone();
    dispatch::send_all(&app.app).await.unwrap();
    who.get(&format!("/sms/{id}")).await.ok()
}
