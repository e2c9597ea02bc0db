//! What is known of a request before anything else: its id, where it comes from, its language.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, header};
use axum::middleware::Next;

use crate::access::session::Origin;
use crate::api::ctx::{App, RequestInfo};
use crate::api::error::Code;
use crate::locale::Locale;
use crate::meter::{Answered, RequestKind};
use crate::pages::preferences::Preferences;

/// Longest user agent that is kept.
const USER_AGENT: usize = 200;

/// Attaches a [`RequestInfo`], counts the request, and writes one line about it when it has been
/// answered: its path without the query, which may hold a password or a phone.
pub async fn attach(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response<Body> {
    let began = Instant::now();
    let info = read(&app, &request);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let flight = RequestKind::of(&path).map(|kind| app.meter.requests.begin(kind));
    request.extensions_mut().insert(info.clone());
    let mut response = next.run(request).await;
    tracing::debug!(
        request.id = info.request_id,
        http.method = %method,
        http.path = path,
        http.status = response.status().as_u16(),
        duration.ms = began.elapsed().as_secs_f64() * 1000.0,
        "answered"
    );
    if let Some(flight) = flight {
        let (at, code) = (app.clock.now(), code_of(&response));
        flight.answered(&Answered { at, method: method.as_str(), path: &path, code, request_id: &info.request_id });
    }
    if let Ok(id) = HeaderValue::from_str(&info.request_id) {
        response.headers_mut().insert("x-request-id", id);
    }
    if info.secure {
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    response
}

/// What came of a request: an envelope's code, else a status of 400 and above, else 0.
fn code_of(response: &Response<Body>) -> u16 {
    match response.extensions().get::<Code>() {
        Some(Code(code)) => code.parse().unwrap_or(0),
        None if response.status().as_u16() >= 400 => response.status().as_u16(),
        None => 0,
    }
}

fn read(app: &App, request: &Request) -> RequestInfo {
    let headers = request.headers();
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
    let trusted = peer.is_some_and(|peer| app.config.trusted_proxies.contains(&peer));
    RequestInfo {
        locale: locale(headers),
        origin: Origin {
            ip: address(headers, peer, &app.config.trusted_proxies).map_or_else(|| "unknown".to_owned(), |ip| ip.to_string()),
            user_agent: text(headers, header::USER_AGENT.as_str()).unwrap_or_default().chars().take(USER_AGENT).collect(),
        },
        request_id: hex::encode(rand::random::<[u8; 8]>()),
        secure: trusted && text(headers, "x-forwarded-proto") == Some("https"),
    }
}

/// The language cookie, else `Accept-Language`, else Chinese.
fn locale(headers: &HeaderMap) -> Locale {
    let asked = text(headers, header::ACCEPT_LANGUAGE.as_str());
    match headers.contains_key(header::COOKIE) || asked.is_none() {
        true => Preferences::read(headers).locale,
        false => Locale::from_tag(asked),
    }
}

/// The address of the person: the peer's, or behind trusted proxies the nearest one that is none of them.
fn address(headers: &HeaderMap, peer: Option<IpAddr>, trusted: &[IpAddr]) -> Option<IpAddr> {
    let peer = peer?;
    if !trusted.contains(&peer) {
        return Some(peer);
    }
    let forwarded = text(headers, "x-forwarded-for").unwrap_or_default();
    let hops = forwarded.rsplit(',').map_while(|hop| hop.trim().parse::<IpAddr>().ok());
    hops.into_iter().find(|hop| !trusted.contains(hop)).or(Some(peer))
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_static("6.6.6.6, 203.0.113.9, 10.0.0.2"));
        let trusted = [ip("10.0.0.1"), ip("10.0.0.2")];
        assert_eq!(address(&headers, Some(ip("192.0.2.1")), &trusted), Some(ip("192.0.2.1")));
        assert_eq!(address(&headers, Some(ip("10.0.0.1")), &trusted), Some(ip("203.0.113.9")));
        assert_eq!(address(&HeaderMap::new(), Some(ip("10.0.0.1")), &trusted), Some(ip("10.0.0.1")));
    }
}
