//! A bucket in memory, with the part of S3's protocol that files need. It refuses unsigned requests, and can simulate
//! trouble. The HTTP tests use it, too, so it does not depend on this crate.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, RawQuery, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use sha2::{Digest, Sha256};

pub const BUCKET: &str = "leadlane-files";
const KEY_ID: &str = "AKIDEXAMPLE";
const REGION: &str = "cn-north-1";
/// The fewest bytes of every part but the last.
const LEAST: usize = 5 << 20;

/// What happens to a request.
#[derive(Clone, Copy, Debug)]
pub enum Trouble {
    /// It gets this status and code of S3, and nothing is done.
    Refused(u16, &'static str),
    /// It is done and answered a little later, even if the caller has stopped waiting.
    Slow,
    /// It is never answered, and nothing is done.
    Hangs,
    /// It is done, and never answered.
    DoneUnheard,
    /// Its answer breaks off in the middle.
    BreaksOff,
    /// Its answer stops in the middle and does not break off.
    Stalls,
}

#[derive(Default)]
struct Content {
    objects: BTreeMap<String, Bytes>,
    /// Keys and parts of open uploads, by name.
    uploads: BTreeMap<String, (String, BTreeMap<u32, Bytes>)>,
    begun: usize,
    troubles: VecDeque<(Method, Trouble)>,
    requests: Vec<String>,
}

type Shared = Arc<Mutex<Content>>;

#[derive(Clone)]
pub struct FakeBucket {
    address: std::net::SocketAddr,
    content: Shared,
}

impl FakeBucket {
    /// Serves until the runtime ends.
    pub async fn start() -> FakeBucket {
        let content = Shared::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(serve).layer(DefaultBodyLimit::disable()).with_state(content.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        FakeBucket { address, content }
    }

    /// The settings of this bucket. `place` is the text after the bucket's name.
    pub fn settings(&self, place: &str) -> BTreeMap<String, String> {
        [
            ("LEADLANE_STORAGE", format!("s3:{BUCKET}{place}")),
            ("LEADLANE_S3_ENDPOINT", format!("http://{}", self.address)),
            ("LEADLANE_S3_REGION", REGION.to_owned()),
            ("LEADLANE_S3_ACCESS_KEY_ID", KEY_ID.to_owned()),
            ("LEADLANE_S3_SECRET_ACCESS_KEY", "hush-hush".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }

    /// Makes the next requests with this method meet trouble.
    pub fn trouble(&self, method: Method, times: usize, trouble: Trouble) {
        self.lock().troubles.extend(std::iter::repeat_n((method, trouble), times));
    }

    /// The keys of all objects.
    pub fn keys(&self) -> Vec<String> {
        self.lock().objects.keys().cloned().collect()
    }

    /// The content of a key.
    #[allow(dead_code, reason = "the tests of calls share this file and use it")]
    pub fn content(&self, key: &str) -> Vec<u8> {
        self.lock().objects[key].to_vec()
    }

    /// How many uploads in parts were begun, and how many of them are open.
    pub fn uploads(&self) -> (usize, usize) {
        let content = self.lock();
        (content.begun, content.uploads.len())
    }

    /// Methods and paths of the requests since the last call; clears them and all troubles.
    pub fn take_requests(&self) -> Vec<String> {
        let mut content = self.lock();
        content.troubles.clear();
        std::mem::take(&mut content.requests)
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap()
    }
}

async fn serve(
    State(shared): State<Shared>,
    method: Method,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let trouble = {
        let mut content = shared.lock().unwrap();
        content.requests.push(format!("{method} {uri}"));
        let place = content.troubles.iter().position(|(troubled, _)| *troubled == method);
        place.and_then(|place| content.troubles.remove(place)).map(|(_, trouble)| trouble)
    };
    let answer = move || answer(&shared, &method, uri.path(), query.as_deref().unwrap_or_default(), &headers, &body);
    match trouble {
        None => answer(),
        Some(Trouble::Slow) => {
            let late = async move {
                tokio::time::sleep(Duration::from_millis(100)).await;
                answer()
            };
            tokio::spawn(late).await.unwrap()
        }
        Some(Trouble::Refused(status, code)) => refusal(status, code),
        Some(Trouble::Hangs) => std::future::pending().await,
        Some(Trouble::DoneUnheard) => {
            answer();
            std::future::pending().await
        }
        Some(broken @ (Trouble::BreaksOff | Trouble::Stalls)) => half(answer(), matches!(broken, Trouble::Stalls)).await,
    }
}

fn answer(shared: &Shared, method: &Method, path: &str, query: &str, headers: &HeaderMap, body: &Bytes) -> Response {
    if !is_signed(headers, body) {
        return refusal(403, "AccessDenied");
    }
    let Some(key) = path.strip_prefix('/').and_then(|path| path.strip_prefix(BUCKET)?.strip_prefix('/')) else {
        return refusal(404, "NoSuchBucket");
    };
    let mut content = shared.lock().unwrap();
    let query: BTreeMap<String, String> = serde_urlencoded::from_str(query).unwrap();
    match (method.as_str(), query.get("uploadId")) {
        ("POST", None) if query.contains_key("uploads") => {
            content.begun += 1;
            let name = format!("upload-{}", content.begun);
            content.uploads.insert(name.clone(), (key.to_owned(), BTreeMap::new()));
            xml(format!("<InitiateMultipartUploadResult><UploadId>{name}</UploadId></InitiateMultipartUploadResult>"))
        }
        ("PUT", Some(name)) => match content.uploads.get_mut(name) {
            Some((_, parts)) => {
                parts.insert(query["partNumber"].parse().unwrap(), body.clone());
                ([(header::ETAG, tag(body))], "").into_response()
            }
            None => refusal(404, "NoSuchUpload"),
        },
        ("POST", Some(name)) => match content.uploads.remove(name) {
            Some((key, parts)) if parts.values().rev().skip(1).all(|part| part.len() >= LEAST) => {
                content.objects.insert(key, parts.into_values().collect::<Vec<_>>().concat().into());
                xml("<CompleteMultipartUploadResult><ETag>\"whole\"</ETag></CompleteMultipartUploadResult>".to_owned())
            }
            Some(_) => refusal(400, "EntityTooSmall"),
            None => refusal(404, "NoSuchUpload"),
        },
        ("DELETE", Some(name)) => match content.uploads.remove(name) {
            Some(_) => StatusCode::NO_CONTENT.into_response(),
            None => refusal(404, "NoSuchUpload"),
        },
        ("PUT", None) => {
            content.objects.insert(key.to_owned(), body.clone());
            ([(header::ETAG, tag(body))], "").into_response()
        }
        ("GET", None) => match content.objects.get(key) {
            Some(object) => object_of(object, headers),
            None => refusal(404, "NoSuchKey"),
        },
        ("DELETE", None) => {
            content.objects.remove(key);
            StatusCode::NO_CONTENT.into_response()
        }
        _ => refusal(501, "NotImplemented"),
    }
}

/// Whether a request names its caller, for this region, and has the signed hash of its body. The signature itself is
/// the library's task.
fn is_signed(headers: &HeaderMap, body: &Bytes) -> bool {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let signed = header("authorization").strip_prefix(&format!("AWS4-HMAC-SHA256 Credential={KEY_ID}/"));
    signed.is_some_and(|rest| rest.contains(&format!("/{REGION}/s3/aws4_request")) && rest.contains("Signature="))
        && header("x-amz-content-sha256") == hex::encode(Sha256::digest(body))
}

fn object_of(object: &Bytes, headers: &HeaderMap) -> Response {
    let size = object.len();
    let range = headers.get(header::RANGE).and_then(|range| {
        let (from, to) = range.to_str().ok()?.strip_prefix("bytes=")?.split_once('-')?;
        Some((from.parse::<usize>().ok()?, to.parse().unwrap_or(size - 1)))
    });
    let mut response = match range {
        None => Body::from(object.clone()).into_response(),
        Some((from, to)) => {
            let range = format!("bytes {from}-{to}/{size}");
            (StatusCode::PARTIAL_CONTENT, [(header::CONTENT_RANGE, range)], object.slice(from..=to)).into_response()
        }
    };
    response.headers_mut().insert(header::ETAG, tag(object).parse().unwrap());
    response.headers_mut().insert(header::LAST_MODIFIED, "Sat, 21 Nov 2026 08:00:00 GMT".parse().unwrap());
    response
}

fn tag(content: &Bytes) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(content)[..16]))
}

fn xml(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/xml")], text).into_response()
}

fn refusal(status: u16, code: &str) -> Response {
    (StatusCode::from_u16(status).unwrap(), xml(format!("<Error><Code>{code}</Code></Error>"))).into_response()
}

/// Half of an answer whose length says that it is whole.
async fn half(whole: Response, stalls: bool) -> Response {
    let (mut head, body) = whole.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    head.headers.insert(header::CONTENT_LENGTH, body.len().into());
    let pieces = stream::unfold(0, move |step| {
        let half = body.slice(..body.len() / 2);
        async move {
            match (step, stalls) {
                (0, _) => Some((Ok(half), 1)),
                (1, false) => Some((Err(std::io::Error::other("broken off")), 2)),
                (1, true) => std::future::pending().await,
                _ => None,
            }
        }
    });
    Response::from_parts(head, Body::from_stream(pieces))
}
