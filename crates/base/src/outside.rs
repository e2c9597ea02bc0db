//! Calls to other servers: limited in time and size, without redirects, and never into our own network, neither by an
//! address nor by a name that leads there.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, Method, Request, Response, header};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::TokioExecutor;
use tower::Service;

use crate::networks::is_public_host;

/// The most bytes of an answer.
pub const LONGEST_ANSWER: usize = 64 * 1024;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the address is not one of a public host over https")]
    NotPublic,
    #[error("no answer in time")]
    TooLate,
    #[error("the answer is too large")]
    TooLarge,
    /// Nothing was sent.
    #[error("the other side cannot be reached")]
    Unreachable,
    /// The request may have arrived.
    #[error("the connection ended before the answer did")]
    Cut,
}

/// The kind of caller. `private` allows plain addresses and our own network: for tests.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    pub private: bool,
}

impl Caller {
    /// Posts JSON and reads the whole answer within a time; returns also the milliseconds that it took. A `key` is
    /// sent as `Idempotency-Key`: a repeated request has the same.
    pub async fn post_json(self, address: &str, body: String, key: Option<&str>, within: Duration) -> (Result<Answer, Fault>, i64) {
        let began = Instant::now();
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(address)
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .header(header::ACCEPT, "application/json");
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        let answer = match request.body(body) {
            Ok(request) => self.send(request, within).await.map(|answer| {
                let status = answer.status().as_u16();
                Answer { status, body: answer.into_body() }
            }),
            Err(_) => Err(Fault::NotPublic),
        };
        (answer, i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX))
    }

    /// Sends a request and reads the answer with its headers, completely, within a time.
    pub async fn send(self, request: Request<impl Into<Bytes>>, within: Duration) -> Result<Response<Vec<u8>>, Fault> {
        self.send_for(request, within, LONGEST_ANSWER).await
    }

    /// The same, for an answer of at most so many bytes.
    pub async fn send_for(self, request: Request<impl Into<Bytes>>, within: Duration, longest: usize) -> Result<Response<Vec<u8>>, Fault> {
        let sent = Arc::new(AtomicBool::new(false));
        match tokio::time::timeout(within, self.exchange(request.map(Into::into), sent.clone(), longest)).await {
            Ok(answer) => answer,
            Err(_) if sent.load(Ordering::Relaxed) => Err(Fault::TooLate),
            Err(_) => Err(Fault::Unreachable),
        }
    }

    async fn exchange(self, request: Request<Bytes>, sent: Arc<AtomicBool>, longest: usize) -> Result<Response<Vec<u8>>, Fault> {
        let uri = request.uri();
        let public = uri.scheme_str() == Some("https") && uri.host().is_some_and(is_public_host);
        if !(public || self.private) {
            return Err(Fault::NotPublic);
        }
        let mut request = request.map(|body| Noted { body: Full::new(body), taken: sent.clone() });
        request.headers_mut().insert(header::USER_AGENT, HeaderValue::from_static("Leadlane"));
        let answer = self.client()?.request(request).await.map_err(|error| match refused(&error) {
            true => Fault::NotPublic,
            false if sent.load(Ordering::Relaxed) => Fault::Cut,
            false => Fault::Unreachable,
        })?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, longest).collect().await.map_err(|error| match error.is::<LengthLimitError>() {
            true => Fault::TooLarge,
            false => Fault::Cut,
        })?;
        Ok(Response::from_parts(head, body.to_bytes().to_vec()))
    }

    /// The client, made once: reading the system's certificates takes milliseconds. It keeps no connections: one that
    /// the other side closes meanwhile would leave a call in doubt.
    fn client(self) -> Result<&'static HttpsClient, Fault> {
        static PUBLIC: OnceLock<Option<HttpsClient>> = OnceLock::new();
        static PRIVATE: OnceLock<Option<HttpsClient>> = OnceLock::new();
        let held = if self.private { &PRIVATE } else { &PUBLIC };
        held.get_or_init(|| client(self.private)).as_ref().ok_or(Fault::Unreachable)
    }
}

type HttpsClient = Client<HttpsConnector<HttpConnector<Resolver>>, Noted>;

fn client(private: bool) -> Option<HttpsClient> {
    let mut plain = HttpConnector::new_with_resolver(Resolver { private });
    plain.enforce_http(false);
    let tls =
        HttpsConnectorBuilder::new().with_native_roots().inspect_err(|error| tracing::error!(%error, "no certificates to trust")).ok()?;
    let connector = match private {
        true => tls.https_or_http().enable_http1().wrap_connector(plain),
        false => tls.https_only().enable_http1().wrap_connector(plain),
    };
    Some(Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector))
}

/// A body that notes when it is read for sending: before that nothing has been sent.
struct Noted {
    body: Full<Bytes>,
    taken: Arc<AtomicBool>,
}

impl Body for Noted {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.taken.store(true, Ordering::Relaxed);
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A name that only leads into our own network.
#[derive(Debug, thiserror::Error)]
#[error("the name leads to no public address")]
struct Inside;

/// Whether a call failed because of [`Inside`].
fn refused(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<Inside>())
}

/// Finds the addresses of a name, and keeps the public ones.
#[derive(Clone)]
struct Resolver {
    private: bool,
}

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let private = self.private;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public: Vec<SocketAddr> = found.filter(|address| private || is_public_host(&address.ip().to_string())).collect();
            match public.is_empty() {
                true => Err(std::io::Error::other(Inside)),
                false => Ok(public.into_iter()),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nothing_of_our_own_network_is_called() {
        for address in ["https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "http://example.com/", "https://localhost/", "x"] {
            let (answer, _) = Caller { private: false }.post_json(address, String::new(), None, Duration::from_secs(5)).await;
            assert_eq!(answer, Err(Fault::NotPublic), "{address}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_followed() {
        let name: Name = "localhost".parse().unwrap();
        let error = Resolver { private: false }.call(name.clone()).await.unwrap_err();
        assert!(refused(&error) || error.get_ref().is_some_and(|inner| inner.is::<Inside>()));
        assert!(Resolver { private: true }.call(name).await.is_ok());
    }
}
