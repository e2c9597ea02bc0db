//! The front end's files, embedded by the build under hashed names and compressed in advance; in development, files
//! of a folder.

use std::io::Read as _;

use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::routing::{MethodRouter, get};
use flate2::read::GzDecoder;

use crate::pages::front_end::FrontEnd;
use front::{ASSETS, Asset};
use server::compress::Encoding;

/// `GET /assets/{name}`.
pub fn route(front_end: &FrontEnd) -> MethodRouter {
    match front_end {
        FrontEnd::Embedded(_) => get(embedded),
        #[cfg(debug_assertions)]
        FrontEnd::Folder(folder) => {
            let folder = folder.clone();
            get(async move |Path(name): Path<String>| folder.asset(&name).await)
        }
    }
}

/// A name contains its content's hash, so it may be cached forever.
async fn embedded(Path(name): Path<String>, headers: HeaderMap) -> Response<Body> {
    let Some(asset) = find(&name) else {
        return Response::builder().status(StatusCode::NOT_FOUND).body(Body::empty()).expect("a response without headers");
    };
    let encoding = Encoding::accepted(&headers, &[Encoding::Brotli, Encoding::Gzip]);
    let mut response = Response::new(match encoding {
        Some(Encoding::Brotli) => Body::from(asset.br),
        Some(_) => Body::from(asset.gz),
        None => Body::from(unpacked(asset.gz)),
    });
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
    }
    response
}

fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.binary_search_by(|asset| asset.name.cmp(name)).ok().map(|index| &ASSETS[index])
}

/// The text of an asset of the build.
pub fn text(name: &str) -> String {
    let asset = find(name).expect("the manifest names files of the build");
    String::from_utf8(unpacked(asset.gz)).expect("the build writes UTF-8")
}

/// The plain bytes of an asset, some hundred KB at most.
fn unpacked(gz: &'static [u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(gz).read_to_end(&mut plain).expect("the build has packed it");
    plain
}
