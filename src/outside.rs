//! Calls to other people's addresses: bounded in time and size, without redirects, and never into a
//! network of our own, neither by an address nor by a name that leads there.

use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::http::{Method, Request, Uri, header};
use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::TokioExecutor;
use tower::Service;

use crate::api::check::is_public_host;

/// Most bytes of an answer that are read.
pub const LONGEST_ANSWER: usize = 64 * 1024;

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

/// Why nothing came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the address is not one of a public host over https")]
    NotPublic,
    #[error("no answer in time")]
    TooLate,
    #[error("the answer is too large")]
    TooLarge,
    #[error("the other side cannot be reached")]
    Unreachable,
}

/// Who calls. `private` lets it call plain addresses and networks of our own: for tests.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    pub private: bool,
}

impl Caller {
    /// Posts JSON and reads the answer, all of it within a time; and tells how many milliseconds it took.
    pub async fn post_json(self, address: &str, body: String, within: Duration) -> (Result<Answer, Fault>, i64) {
        let began = Instant::now();
        let answer = tokio::time::timeout(within, self.exchange(address, body)).await.unwrap_or(Err(Fault::TooLate));
        (answer, i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX))
    }

    async fn exchange(self, address: &str, body: String) -> Result<Answer, Fault> {
        let uri: Uri = address.parse().map_err(|_| Fault::NotPublic)?;
        let public = uri.scheme_str() == Some("https") && uri.host().is_some_and(is_public_host);
        if !(public || self.private) {
            return Err(Fault::NotPublic);
        }
        let mut plain = HttpConnector::new_with_resolver(Resolver { private: self.private });
        plain.enforce_http(false);
        let tls = HttpsConnectorBuilder::new().with_native_roots().map_err(|_| Fault::Unreachable)?;
        let connector = match self.private {
            true => tls.https_or_http().enable_http1().wrap_connector(plain),
            false => tls.https_only().enable_http1().wrap_connector(plain),
        };
        let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector);
        let request = Request::builder()
            .method(Method::POST)
            .uri(uri)
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .header(header::ACCEPT, "application/json")
            .header(header::USER_AGENT, "Leadlane")
            .body(Full::new(Bytes::from(body)))
            .map_err(|_| Fault::NotPublic)?;
        let answer = client.request(request).await.map_err(|error| match refused(&error) {
            true => Fault::NotPublic,
            false => Fault::Unreachable,
        })?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, LONGEST_ANSWER).collect().await.map_err(|error| match error.is::<LengthLimitError>() {
            true => Fault::TooLarge,
            false => Fault::Unreachable,
        })?;
        Ok(Answer { status: head.status.as_u16(), body: body.to_bytes().to_vec() })
    }
}

/// A name that leads into a network of our own, and nowhere else.
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
            let (answer, _) = Caller { private: false }.post_json(address, String::new(), Duration::from_secs(5)).await;
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
