//! A page's data: the calls its route declares, made in process as this viewer.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, header};
use futures_util::future::join_all;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};
use tower::ServiceExt;

use super::columns::packed;
use base::routes::Load;
use frame::access::Viewer;
use frame::api::calls::InProcess;
use frame::api::ctx::RequestInfo;
use frame::api::form::Form;

/// The largest answer in a page.
const MAX_ANSWER: usize = 4 * 1024 * 1024;

/// The answers of a page's calls.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The JSON object of their envelopes, by load name, with rows as columns.
    pub data: String,
    /// Whether a call failed by a fault of this program, or for lack of capacity.
    pub failed: bool,
    /// Whether a call refused the page's query as malformed.
    pub malformed: bool,
    /// The filters that caused it, if a list has no such values.
    pub refused: Vec<String>,
    /// Whether the record in the page's address does not exist.
    pub missing: bool,
}

/// The parts of a page's address for its calls.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Parameters of its path.
    pub parameters: &'a [(&'a str, &'a str)],
    pub query: &'a str,
}

/// Makes all calls at once.
pub async fn run(api: &Router, loads: &[Load], viewer: &Arc<Viewer>, info: &RequestInfo, asked: Asked<'_>) -> Loaded {
    let envelopes = join_all(loads.iter().map(|load| call(api, load, viewer, info, asked))).await;
    let mut loaded = Loaded { data: String::with_capacity(envelopes.iter().map(|(_, text)| text.len() + 32).sum()), ..Loaded::default() };
    loaded.data.push('{');
    for (index, (name, envelope)) in envelopes.iter().enumerate() {
        if index > 0 {
            loaded.data.push(',');
        }
        loaded.data.push_str(&Value::from(*name).to_string());
        loaded.data.push(':');
        loaded.data.push_str(&packed(envelope));
        loaded.failed |= matches!(code_of(envelope), "5000" | "5003");
        if code_of(envelope) == "4000" {
            loaded.malformed = true;
            loaded.refused.extend(refused_filters(envelope));
        }
        loaded.missing |= code_of(envelope) == "1004";
    }
    loaded.data.push('}');
    loaded
}

/// The code at the beginning of an envelope.
fn code_of(envelope: &str) -> &str {
    envelope.strip_prefix(r#"{"code":""#).and_then(|rest| rest.get(..4)).unwrap_or("5000")
}

/// The filters in an envelope whose values a list does not know.
fn refused_filters(envelope: &str) -> Vec<String> {
    let envelope: Value = serde_json::from_str(envelope).unwrap_or_default();
    let names = envelope["data"]["filters"].as_array().into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// The query parameter of an address from which filters were removed: the page shows a notice then.
const LEFT_OUT: &str = "leftOut";

/// A page's address without some of its filters; none if it has none of them.
pub fn without(path: &str, query: &str, refused: &[String]) -> Option<String> {
    let given = serde_urlencoded::from_str::<Vec<(String, String)>>(query).ok()?;
    let count = given.len();
    let mut kept: Vec<(String, String)> = given.into_iter().filter(|(name, _)| !refused.contains(name)).collect();
    if kept.len() == count {
        return None;
    }
    kept.retain(|(name, _)| name != LEFT_OUT);
    kept.push((LEFT_OUT.to_owned(), "yes".to_owned()));
    Some(format!("{path}?{}", serde_urlencoded::to_string(kept).ok()?))
}

async fn call<'l>(api: &Router, load: &'l Load, viewer: &Arc<Viewer>, info: &RequestInfo, asked: Asked<'_>) -> (&'l str, String) {
    let request = Request::builder().method(load.method.clone()).uri(&*address(&load.path, asked));
    let request = match load.method {
        // A page's query is for its list: choices and records beside it do not use it.
        Method::GET => request.body(Body::empty()),
        _ => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body_of(asked.query))),
    };
    (&load.name, answer(api, request, viewer, info).await)
}

/// The answer of a `POST` with a JSON body, made as this viewer.
pub async fn post(api: &Router, path: &str, viewer: &Arc<Viewer>, info: &RequestInfo, body: String) -> String {
    let request = Request::builder().method(Method::POST).uri(path).header(header::CONTENT_TYPE, "application/json");
    answer(api, request.body(Body::from(body)), viewer, info).await
}

/// The answer of a call without a body, made as this viewer.
pub async fn bare(api: &Router, method: Method, path: &str, viewer: &Arc<Viewer>, info: &RequestInfo) -> String {
    answer(api, Request::builder().method(method).uri(path).body(Body::empty()), viewer, info).await
}

/// The answer of `POST /common/upload`, made as this viewer.
pub async fn upload(api: &Router, form: Form, viewer: &Arc<Viewer>, info: &RequestInfo) -> String {
    let request = Request::builder().method(Method::POST).uri("/common/upload").extension(form);
    answer(api, request.body(Body::empty()), viewer, info).await
}

async fn answer(api: &Router, request: axum::http::Result<Request<Body>>, viewer: &Arc<Viewer>, info: &RequestInfo) -> String {
    let mut request = match request {
        Ok(request) => request,
        Err(_) => return r#"{"code":"4000","desc":"Malformed request","data":null}"#.to_owned(),
    };
    request.extensions_mut().insert(InProcess(viewer.clone()));
    request.extensions_mut().insert(info.clone());
    let response = api.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
    let bytes = axum::body::to_bytes(response.into_body(), MAX_ANSWER).await.unwrap_or_default();
    match String::from_utf8(bytes.into()) {
        Ok(envelope) if envelope.starts_with('{') => envelope,
        _ => r#"{"code":"5000","desc":"Internal server error","data":null}"#.to_owned(),
    }
}

/// The page's query parameters: texts, the last of a repeated name.
fn parameters(query: &str) -> Map<String, Value> {
    let pairs = serde_urlencoded::from_str::<Vec<(String, String)>>(query).unwrap_or_default();
    pairs.into_iter().map(|(name, value)| (name, value.into())).collect()
}

/// The page's query as a call's body.
fn body_of(query: &str) -> String {
    Value::Object(parameters(query)).to_string()
}

/// A call's path with the parameters of the page's path, otherwise of its query, in place of `{name}`. A record that
/// the page's address does not name is `0`, which is no record.
fn address<'p>(path: &'p str, asked: Asked<'_>) -> Cow<'p, str> {
    if !path.contains('{') {
        return Cow::Borrowed(path);
    }
    let given = parameters(asked.query);
    let in_path = |name: &str| asked.parameters.iter().find(|(parameter, _)| *parameter == name).map(|(_, value)| *value);
    let mut parts = path.split('{');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        let in_query = || given.get(name).and_then(Value::as_str).filter(|value| !value.is_empty());
        let value = in_path(name).or_else(in_query).unwrap_or("0");
        whole.extend(utf8_percent_encode(value, NON_ALPHANUMERIC));
        whole.push_str(rest);
    }
    Cow::Owned(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_loses_the_filters_that_are_refused() {
        let refused = ["status".to_owned(), "city".to_owned()];
        assert_eq!(without("/a", "status=x&keyword=%E5%8C%97&status=y", &refused).unwrap(), "/a?keyword=%E5%8C%97&leftOut=yes");
        assert_eq!(without("/a", "leftOut=yes&city=x&current=2", &refused).unwrap(), "/a?current=2&leftOut=yes");
        assert_eq!(without("/a", "keyword=x&leftOut=yes", &refused), None);
    }

    #[test]
    fn an_address_becomes_a_body_of_texts() {
        let body: Value = serde_json::from_str(&body_of("keyword=%E5%8C%97&current=2&current=3")).unwrap();
        assert_eq!(body, serde_json::json!({"current": "3", "keyword": "北"}));
        assert_eq!(body_of(""), "{}");
    }

    #[test]
    fn a_record_is_named_by_the_pages_address() {
        let by_query = |path, query| address(path, Asked { parameters: &[], query });
        assert_eq!(by_query("/project/{id}", "id=7&tab=a"), "/project/7");
        assert_eq!(by_query("/project/{id}/steps", ""), "/project/0/steps");
        assert_eq!(by_query("/project/{id}", "id=..%2Fadmin%3F"), "/project/%2E%2E%2Fadmin%3F", "it stays one part of the path");
        assert_eq!(by_query("/channel/page", "id=7"), "/channel/page");
        assert_eq!(address("/crm/clue/{id}", Asked { parameters: &[("id", "7")], query: "id=8" }), "/crm/clue/7");
    }

    #[test]
    fn an_envelope_begins_with_its_code() {
        assert_eq!(code_of(r#"{"code":"1003","desc":"","data":{"code":"5000"}}"#), "1003");
        assert_eq!(code_of("<html>"), "5000");
    }
}
