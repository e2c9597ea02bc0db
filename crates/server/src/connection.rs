//! One connection with its watch, which knows what it waits for, and may end it.
//!
//! A connection costs a request a few atomic numbers and no timer: [`super::serve`] checks all of them regularly, and
//! ends those that have waited too long for their phase.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, Response, Version, header};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;
use tower::ServiceExt;

use base::locale::Locale;
use frame::api::ApiError;

/// The part of a request's body that is still read after an answer that did not wait for it, and for how long, so
/// that the connection can be used again.
const DRAINED: u64 = 64 * 1024;
const DRAINED_WITHIN: Duration = Duration::from_millis(500);
/// The bytes that are read and dropped of a connection that is closed while its other side still sends: a whole
/// upload. Closed earlier, it would be reset, and the answer might be lost.
const LINGERED: u64 = 32 * 1024 * 1024;

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The first byte of its first request; or, after we have closed it, the last byte that is still sent.
    Silent = 0,
    /// The rest of a request's head.
    Head = 1,
    /// The next request.
    Idle = 2,
    /// The end of the answer.
    Busy = 3,
    /// The rest of a request's body, which the answer needs.
    Body = 4,
}

/// The state of a connection, for the watch.
pub struct Watch {
    /// Since when times are counted.
    beginning: Instant,
    /// The phase, in the three lowest bits, and the millisecond in which it began.
    state: AtomicU64,
    /// Bytes of a body that have come since the phase [`Phase::Body`] began.
    received: AtomicU64,
    /// The millisecond since which its other side takes no written bytes; 0 if it does.
    stuck: AtomicU64,
    /// Whether the other side still sends bytes that are dropped.
    lingers: AtomicBool,
    at_once: AtomicBool,
    ending: AtomicBool,
    end: Notify,
}

impl Watch {
    /// Of a connection that begins now.
    pub fn new(beginning: Instant) -> Watch {
        let watch = Watch {
            beginning,
            state: AtomicU64::new(0),
            received: AtomicU64::new(0),
            stuck: AtomicU64::new(0),
            lingers: AtomicBool::new(false),
            at_once: AtomicBool::new(false),
            ending: AtomicBool::new(false),
            end: Notify::new(),
        };
        watch.enter(Phase::Silent);
        watch
    }

    /// What it waits for, and since which millisecond.
    pub fn state(&self) -> (Phase, u64) {
        let state = self.state.load(Relaxed);
        let phase = match state & 7 {
            0 => Phase::Silent,
            1 => Phase::Head,
            2 => Phase::Idle,
            3 => Phase::Busy,
            _ => Phase::Body,
        };
        (phase, state >> 3)
    }

    /// Bytes a second of a body that began to be waited for in a millisecond.
    pub fn speed(&self, since: u64) -> u64 {
        self.received.load(Relaxed).saturating_mul(1000) / self.now().saturating_sub(since).max(1)
    }

    /// Since which millisecond nothing of what is written is taken.
    pub fn stuck_since(&self) -> Option<u64> {
        Some(self.stuck.load(Relaxed)).filter(|since| *since > 0)
    }

    /// Ends it at once.
    pub fn end_now(&self) {
        self.at_once.store(true, Relaxed);
        self.end_when_answered();
    }

    /// Ends it after the answer of its current request.
    pub fn end_when_answered(&self) {
        self.ending.store(true, Relaxed);
        self.end.notify_one();
    }

    /// Whether it is to end.
    pub fn is_ending(&self) -> bool {
        self.ending.load(Relaxed)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.beginning.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }

    fn enter(&self, phase: Phase) {
        self.state.store(self.now() << 3 | phase as u64, Relaxed);
    }

    fn heard(&self) {
        if matches!(self.state().0, Phase::Silent | Phase::Idle) {
            self.enter(Phase::Head);
        }
    }

    fn waits_for_body(&self) {
        if self.state().0 == Phase::Busy {
            self.received.store(0, Relaxed);
            self.enter(Phase::Body);
        }
    }

    fn received(&self, bytes: usize) {
        self.received.fetch_add(bytes as u64, Relaxed);
    }

    /// The body is complete, or is not needed any more.
    fn has_body(&self) {
        if self.state().0 == Phase::Body {
            self.enter(Phase::Busy);
        }
    }

    fn written(&self, outcome: &Poll<std::io::Result<usize>>) {
        let stuck = self.stuck.load(Relaxed);
        match outcome {
            Poll::Pending if stuck == 0 => self.stuck.store(self.now(), Relaxed),
            Poll::Ready(_) if stuck > 0 => self.stuck.store(0, Relaxed),
            _ => {}
        }
    }
}

/// Serves the requests of a connection, until it ends.
pub async fn attend(http: http1::Builder, stream: TcpStream, peer: SocketAddr, router: Router, watch: Arc<Watch>) {
    let service = service_fn(|request| answer(router.clone(), watch.clone(), peer, request));
    let stream = Watched { stream, watch: watch.clone(), said_goodbye: false, lingered: 0 };
    let mut connection = std::pin::pin!(http.serve_connection(TokioIo::new(stream), service));
    loop {
        tokio::select! {
            biased;
            // A client that breaks the connection off, or does not speak HTTP, gets nothing more.
            _ = connection.as_mut() => return,
            () = watch.end.notified() => match watch.at_once.load(Relaxed) {
                true => return,
                false => connection.as_mut().graceful_shutdown(),
            }
        }
    }
}

async fn answer(
    router: Router,
    watch: Arc<Watch>,
    peer: SocketAddr,
    request: hyper::Request<Incoming>,
) -> Result<Response<Answered>, Infallible> {
    watch.enter(Phase::Busy);
    let (parts, body) = request.into_parts();
    let refrains = parts.headers.contains_key(header::EXPECT);
    let (body, unread) = match body.is_end_stream() {
        true => (Body::empty(), None),
        false => {
            let (hand_back, unread) = oneshot::channel();
            (Body::new(Asked { body: Some(body), hand_back: Some(hand_back), watch: watch.clone() }), Some(unread))
        }
    };
    let mut request = Request::from_parts(parts, body);
    request.extensions_mut().insert(ConnectInfo(peer));
    let Ok(mut response) = match is_hostless(&request) {
        true => Ok(ApiError::Malformed("Host".to_owned()).respond(Locale::Chinese, "")),
        false => router.oneshot(request).await,
    };
    if let Some(rest) = unread.and_then(|mut unread| unread.try_recv().ok())
        && (refrains || !drained(rest).await)
    {
        // The connection cannot be used again, so clients that keep connections get a notice.
        watch.lingers.store(true, Relaxed);
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| Answered { body, watch }))
}

/// An HTTP/1.1 request must name its host. Two hosts are refused together with other malformed requests.
fn is_hostless(request: &Request) -> bool {
    request.version() == Version::HTTP_11 && !request.headers().contains_key(header::HOST)
}

/// Reads the unread rest of a request, if it is short and arrives soon.
async fn drained(mut rest: Incoming) -> bool {
    if rest.size_hint().lower() > DRAINED {
        return false;
    }
    let drain = async {
        let mut size = 0;
        while let Some(frame) = rest.frame().await {
            size += frame.ok()?.data_ref().map_or(0, Bytes::len) as u64;
            if size > DRAINED {
                return None;
            }
        }
        Some(())
    };
    matches!(tokio::time::timeout(DRAINED_WITHIN, drain).await, Ok(Some(())))
}

/// A request's body, returned when it is dropped before its end.
struct Asked {
    body: Option<Incoming>,
    hand_back: Option<oneshot::Sender<Incoming>>,
    watch: Arc<Watch>,
}

impl HttpBody for Asked {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let body = self.body.as_mut().expect("it is there until dropped");
        let Poll::Ready(frame) = Pin::new(body).poll_frame(cx) else {
            self.watch.waits_for_body();
            return Poll::Pending;
        };
        match &frame {
            Some(Ok(frame)) => self.watch.received(frame.data_ref().map_or(0, Bytes::len)),
            None | Some(Err(_)) => {
                self.hand_back = None;
                self.watch.has_body();
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(SizeHint::default, HttpBody::size_hint)
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.watch.has_body();
        if let (Some(body), Some(hand_back)) = (self.body.take(), self.hand_back.take())
            && !body.is_end_stream()
        {
            // Nothing waits for it if the connection itself is gone.
            let _ = hand_back.send(body);
        }
    }
}

/// An answer's body: when it is dropped, the connection waits for the next request.
struct Answered {
    body: Body,
    watch: Arc<Watch>,
}

impl HttpBody for Answered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Answered {
    fn drop(&mut self) {
        self.watch.enter(Phase::Idle);
    }
}

/// A stream that reports its bytes to its watch.
struct Watched {
    stream: TcpStream,
    watch: Arc<Watch>,
    said_goodbye: bool,
    lingered: u64,
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if buffer.filled().len() > before {
            self.watch.heard();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch.written(&outcome);
        outcome
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.watch.written(&outcome);
        outcome
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    /// Announces the end, and reads the other side's rest, if it is sending.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        if !self.said_goodbye {
            ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
            self.said_goodbye = true;
            self.watch.enter(Phase::Silent);
        }
        if !self.watch.lingers.load(Relaxed) {
            return Poll::Ready(Ok(()));
        }
        let mut scrap = [0; 16 * 1024];
        while self.lingered < LINGERED {
            let mut buffer = ReadBuf::new(&mut scrap);
            ready!(Pin::new(&mut self.stream).poll_read(cx, &mut buffer))?;
            match buffer.filled().len() {
                0 => break,
                read => self.lingered += read as u64,
            }
        }
        Poll::Ready(Ok(()))
    }
}
