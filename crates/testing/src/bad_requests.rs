//! Requests that are refused as malformed.

use axum::http::Method;
use serde_json::Value;

use crate::{Actor, TestApp};

/// Nothing has been written since the world began.
pub async fn nothing_is_written(app: &TestApp) {
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 12);
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator WHERE version > 1").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
}

pub async fn malformed(who: &Actor, method: Method, path: &str, body: &[u8]) {
    let answer = who.send(method, path, body.to_vec()).await;
    assert_eq!(answer.refused("4000"), Value::Null);
    assert_eq!(answer.status, 400);
}
