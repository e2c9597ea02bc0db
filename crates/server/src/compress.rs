//! Compression of answers made per request: pages and JSON. Assets are compressed at build time.

use std::io::Write;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Response, header};
use axum::middleware::Next;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Smaller bodies are sent as they are: they fit into one packet anyway.
const WORTHWHILE: u64 = 1024;
/// Larger ones are files, which stream.
const IN_MEMORY: u64 = 8 * 1024 * 1024;

/// An encoding that a browser accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Zstd,
    Brotli,
    Gzip,
}

impl Encoding {
    /// The name in headers.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Zstd => "zstd",
            Encoding::Brotli => "br",
            Encoding::Gzip => "gzip",
        }
    }

    /// The first of `preferred` that a request accepts.
    pub fn accepted(headers: &HeaderMap, preferred: &[Encoding]) -> Option<Encoding> {
        let accepted = headers.get(header::ACCEPT_ENCODING)?.to_str().ok()?;
        let accepts = |encoding: &Encoding| {
            accepted.split(',').any(|part| {
                let mut parts = part.split(';').map(str::trim);
                parts.next() == Some(encoding.name())
                    && !parts.any(|weight| weight.strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()) == Some(0.0))
            })
        };
        preferred.iter().copied().find(accepts)
    }
}

/// The layer: compresses text answers that are whole in memory.
pub async fn answers(request: Request, next: Next) -> Response<Body> {
    // Cheapest first: a page is compressed once, for one reader.
    let encoding = Encoding::accepted(request.headers(), &[Encoding::Zstd, Encoding::Gzip, Encoding::Brotli]);
    let response = next.run(request).await;
    let Some(encoding) = encoding.filter(|_| compressible(&response)) else { return response };
    let (mut parts, body) = response.into_parts();
    let bytes = match axum::body::to_bytes(body, IN_MEMORY as usize).await {
        Ok(bytes) => bytes,
        Err(_) => return Response::from_parts(parts, Body::empty()),
    };
    match compress(encoding, &bytes) {
        Ok(smaller) => {
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
            parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(smaller))
        }
        Err(error) => {
            tracing::error!(%error, "an answer could not be compressed");
            Response::from_parts(parts, Body::from(bytes))
        }
    }
}

fn compressible(response: &Response<Body>) -> bool {
    let text = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let whole = response.body().size_hint().exact().is_some_and(|size| (WORTHWHILE..=IN_MEMORY).contains(&size));
    whole && (text.starts_with("text/html") || text == "application/json") && !response.headers().contains_key(header::CONTENT_ENCODING)
}

fn compress(encoding: Encoding, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    match encoding {
        Encoding::Zstd => zstd::bulk::compress(bytes, 1),
        Encoding::Gzip => {
            let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::new(1));
            encoder.write_all(bytes)?;
            encoder.finish()
        }
        Encoding::Brotli => {
            let mut encoder = brotli::CompressorWriter::new(Vec::with_capacity(bytes.len() / 4), 4096, 2, 20);
            encoder.write_all(bytes)?;
            Ok(encoder.into_inner())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(text: &'static str) -> Option<Encoding> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(text));
        Encoding::accepted(&headers, &[Encoding::Zstd, Encoding::Gzip, Encoding::Brotli])
    }

    #[test]
    fn a_refused_encoding_is_not_used() {
        assert_eq!(accepted("gzip, deflate, br, zstd"), Some(Encoding::Zstd));
        assert_eq!(accepted("gzip;q=0, br;q=0.5"), Some(Encoding::Brotli));
        assert_eq!(accepted("identity"), None);
    }
}
