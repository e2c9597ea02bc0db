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
use crate::locale::Locale;
use crate::pages::preferences::Preferences;

/// Longest user agent that is kept.
const USER_AGENT: usize = 200;

/// Attaches a [`RequestInfo`], and writes one line about the request when it has been answered:
/// its path without the query, which may hold a password or a phone.
pub async fn attach(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response<Body> {
    let began = Instant::now();
    let info = read(&app, &request);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
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
    if let Ok(id) = HeaderValue::from_str(&info.request_id) {
        response.headers_mut().insert("x-request-id", id);
    }
    if info.secure {
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    response
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
