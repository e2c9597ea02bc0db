//! The first facts about a request: its id, its origin, its language.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, header};
use axum::middleware::Next;

use base::locale::Locale;
use frame::access::session::Origin;
use frame::api::ctx::{App, RequestInfo};
use frame::api::error::Code;
use frame::api::preferences::Preferences;
use frame::meter::{Answered, RequestKind, Waited};

use super::shown::Pattern;

/// Longest user agent that is kept.
const USER_AGENT: usize = 200;

/// Attaches a [`RequestInfo`], counts the request, and writes one log line after the answer: its path without keys,
/// and without the query, which may contain a password or a phone.
pub async fn attach(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response<Body> {
    let began = Instant::now();
    let info = read(&app, &request);
    let (method, path, pattern) = (request.method().clone(), request.uri().path().to_owned(), Pattern::default());
    let flight = RequestKind::of(&path).map(|kind| app.meter.requests.begin(kind));
    request.extensions_mut().insert(info.clone());
    request.extensions_mut().insert(pattern.clone());
    let mut response = next.run(request).await;
    let path = pattern.shown(&path);
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
        let waited = response.extensions().get::<Waited>().is_some();
        flight.answered(&Answered { at, method: method.as_str(), path: &path, code, waited, request_id: &info.request_id });
    }
    if let Ok(id) = HeaderValue::from_str(&info.request_id) {
        response.headers_mut().insert("x-request-id", id);
    }
    if info.secure {
        let policy = if app.config.hsts_subdomains { "max-age=31536000; includeSubDomains" } else { "max-age=31536000" };
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(policy));
    }
    response
}

/// The code of an answer: that of its envelope, otherwise a status of 400 and above, otherwise 0.
fn code_of(response: &Response<Body>) -> u16 {
    match response.extensions().get::<Code>() {
        Some(Code(code)) => code.parse().unwrap_or(0),
        None if response.status().as_u16() >= 400 => response.status().as_u16(),
        None => 0,
    }
}

fn read(app: &App, request: &Request) -> RequestInfo {
    let headers = request.headers();
    // On `[::]` an IPv4 peer arrives as `::ffff:10.0.0.1`, which means 10.0.0.1.
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip().to_canonical());
    let trusted = peer.is_some_and(|peer| app.config.trusted_proxies.contains(&peer));
    RequestInfo {
        locale: locale(headers),
        origin: Origin {
            ip: address(headers, peer, &app.config.trusted_proxies).map_or_else(|| "unknown".to_owned(), |ip| ip.to_string()),
            user_agent: text(headers, header::USER_AGENT.as_str()).unwrap_or_default().chars().take(USER_AGENT).collect(),
        },
        request_id: hex::encode(rand::random::<[u8; 8]>()),
        secure: trusted && from_the_right(headers, "x-forwarded-proto").next() == Some("https"),
    }
}

/// Of a browser the language of its pages; of other clients `Accept-Language`, else Chinese.
fn locale(headers: &HeaderMap) -> Locale {
    let asked = text(headers, header::ACCEPT_LANGUAGE.as_str());
    match headers.contains_key(header::COOKIE) || asked.is_none() {
        true => Preferences::read(headers, false).locale,
        false => Locale::from_tag(asked),
    }
}

/// The address of the person: the peer's, or behind trusted proxies the nearest address that is not one of them. Each
/// proxy appends the address of its client, in the same line or in a new one, so what the client itself wrote is to
/// the left of the trusted part.
fn address(headers: &HeaderMap, peer: Option<IpAddr>, trusted: &[IpAddr]) -> Option<IpAddr> {
    let peer = peer?;
    if !trusted.contains(&peer) {
        return Some(peer);
    }
    let mut hops = from_the_right(headers, "x-forwarded-for").map_while(hop);
    hops.find(|hop| !trusted.contains(hop)).or(Some(peer))
}

/// The parts of a list that may be spread over several lines, the last one first.
fn from_the_right<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    let lines = headers.get_all(name).iter().rev();
    lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(',')).map(str::trim)
}

/// An address as proxies write it: some add the port, or put it in brackets.
fn hop(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))?;
    Some(address.to_canonical())
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn from(lines: &[&'static str], peer: &str, trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-forwarded-for", HeaderValue::from_static(line));
        }
        let trusted: Vec<IpAddr> = trusted.iter().map(|address| ip(address)).collect();
        address(&headers, Some(ip(peer)), &trusted).unwrap().to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted = ["10.0.0.1", "10.0.0.2"];
        let lines = ["6.6.6.6, 203.0.113.9, 10.0.0.2"];
        assert_eq!(from(&lines, "192.0.2.1", &trusted), "192.0.2.1");
        assert_eq!(from(&lines, "10.0.0.1", &trusted), "203.0.113.9");
        assert_eq!(from(&[], "10.0.0.1", &trusted), "10.0.0.1");
    }

    /// S-M1: HAProxy's `option forwardfor` appends a line of its own to the one that was sent.
    #[test]
    fn addresses_that_a_client_sends_itself_are_not_trusted() {
        for lines in [
            &["6.6.6.6", "203.0.113.9"][..],
            &["6.6.6.6, 7.7.7.7", "203.0.113.9"],
            &["6.6.6.6", "8.8.8.8, 203.0.113.9", "10.0.0.2"],
            &["rubbish", "203.0.113.9,10.0.0.2"],
            &["10.0.0.2", "203.0.113.9:40001"],
            &["6.6.6.6", "::ffff:203.0.113.9"],
        ] {
            assert_eq!(from(lines, "10.0.0.1", &["10.0.0.1", "10.0.0.2"]), "203.0.113.9", "{lines:?}");
        }
        assert_eq!(from(&["6.6.6.6", "[2001:db8::7]:443"], "10.0.0.1", &["10.0.0.1"]), "2001:db8::7");
        // Nothing to the left of an unreadable part is trusted.
        for lines in [&["6.6.6.6", "rubbish"][..], &["6.6.6.6, "], &["6.6.6.6", ""]] {
            assert_eq!(from(lines, "10.0.0.1", &["10.0.0.1"]), "10.0.0.1", "{lines:?}");
        }
    }
}
