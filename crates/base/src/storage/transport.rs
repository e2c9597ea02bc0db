//! The transport of requests to a bucket: HTTP/1.1 with limits on every wait, over TLS with the machine's
//! certificates unless the endpoint is plain. Redirects are not followed.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use axum::http::Method;
use http_body_util::BodyExt;
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{Connect, HttpConnector};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::client::{
    self, ClientOptions, HttpClient, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse, HttpResponseBody, HttpService,
};
use object_store::{BackoffConfig, RetryConfig};
use tower_http::timeout::TimeoutBody;

/// A connection that was unused for so long is not used again: the other side may be closing it.
const IDLE: Duration = Duration::from_secs(15);

/// The timeouts of a bucket.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For the head of an answer, beyond what sending the request takes on the slowest line.
    pub answer: Duration,
    /// The slowest accepted connection, bytes a millisecond.
    pub slowest: u64,
    /// Between two pieces of an answer.
    pub pause: Duration,
    /// How often a request that failed for external reasons is repeated, within `retrying`.
    pub retries: usize,
    /// After this, counted from the first try, no further one is made.
    pub retrying: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let seconds = Duration::from_secs;
        Patience { connect: seconds(5), answer: seconds(15), slowest: 128, pause: seconds(15), retries: 3, retrying: seconds(20) }
    }
}

impl Patience {
    pub fn retry(&self) -> RetryConfig {
        let backoff = BackoffConfig { max_backoff: Duration::from_secs(2), ..BackoffConfig::default() };
        RetryConfig { backoff, max_retries: self.retries, retry_timeout: self.retrying }
    }
}

/// Makes the client of a bucket.
#[derive(Debug)]
pub struct Transport {
    pub patience: Patience,
    /// Whether the endpoint is reached by TLS only.
    pub tls: bool,
}

impl client::HttpConnector for Transport {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut plain = HttpConnector::new();
        plain.set_connect_timeout(Some(self.patience.connect));
        plain.set_nodelay(true);
        if !self.tls {
            return Ok(HttpClient::new(Exchange::over(plain, self.patience)));
        }
        plain.enforce_http(false);
        let certificates = HttpsConnectorBuilder::new().with_native_roots();
        let tls = certificates.map_err(|error| object_store::Error::Generic { store: "S3", source: error.into() })?;
        Ok(HttpClient::new(Exchange::over(tls.https_only().enable_http1().wrap_connector(plain), self.patience)))
    }
}

struct Exchange<C> {
    client: Client<C, HttpRequestBody>,
    patience: Patience,
}

impl<C: Connect + Clone> Exchange<C> {
    fn over(connector: C, patience: Patience) -> Exchange<C> {
        let client = Client::builder(TokioExecutor::new()).pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE).build(connector);
        Exchange { client, patience }
    }
}

impl<C> fmt::Debug for Exchange<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").field("patience", &self.patience).finish_non_exhaustive()
    }
}

#[async_trait]
impl<C: Connect + Clone + Send + Sync + 'static> HttpService for Exchange<C> {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let sending = Duration::from_millis(request.body().content_length() as u64 / self.patience.slowest);
        // The library repeats requests that may be repeated, and does not count DELETE among them.
        let again = (request.method() == Method::DELETE).then_some(HttpErrorKind::Request);
        let answer = tokio::time::timeout(self.patience.answer + sending, self.client.request(request)).await;
        let answer = answer.map_err(|late| HttpError::new(again.unwrap_or(HttpErrorKind::Timeout), late))?.map_err(|error| {
            let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Interrupted };
            HttpError::new(again.unwrap_or(kind), error)
        })?;
        let (head, body) = answer.into_parts();
        let body = TimeoutBody::new(self.patience.pause, body).map_err(|error| HttpError::new_boxed(HttpErrorKind::Interrupted, error));
        Ok(HttpResponse::from_parts(head, HttpResponseBody::new(body)))
    }
}
