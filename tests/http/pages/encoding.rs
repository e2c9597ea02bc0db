//! Compression: what is decoded is what would have come plain.

use std::io::Read;

use serde_json::Value;

use super::browser::{Browser, Page, between};
use super::content::channels;
use testing::{TestApp, on_both};

/// Accept-Encoding, and what comes of it.
const PAGES: &[(&str, Option<&str>)] = &[
    ("zstd", Some("zstd")),
    ("br", Some("br")),
    ("gzip", Some("gzip")),
    ("gzip, deflate, br, zstd", Some("zstd")),
    ("gzip, deflate, br", Some("gzip")),
    ("gzip;q=0, br;q=0.5", Some("br")),
    ("deflate, identity", None),
    ("", None),
];

fn decoded(page: &Page, encoding: Option<&str>) -> String {
    assert_eq!(page.header("content-encoding"), encoding);
    let mut text = String::new();
    match encoding {
        None => text.push_str(page.text()),
        Some("zstd") => text = String::from_utf8(zstd::decode_all(&page.body[..]).unwrap()).unwrap(),
        Some("gzip") => drop(flate2::read::GzDecoder::new(&page.body[..]).read_to_string(&mut text).unwrap()),
        Some(_) => drop(brotli::Decompressor::new(&page.body[..], 4096).read_to_string(&mut text).unwrap()),
    }
    text
}

on_both!(a_page_is_the_same_in_every_encoding);
async fn a_page_is_the_same_in_every_encoding(app: TestApp) {
    channels(&app.sign_in("operator").await, "dense", 20).await;
    let operator = Browser::of(&app, "operator").await;
    // Each answer has its own nonce.
    let same =
        |page: &Page, text: String| text.replace(between(page.header("content-security-policy").unwrap(), "'nonce-", "'").unwrap(), "");
    let plain = operator.get("/channel/list").await;
    let plain_text = same(&plain, plain.text().to_owned());
    for (accepted, encoding) in PAGES {
        let page = operator.with("accept-encoding", accepted).get("/channel/list").await;
        assert!(same(&page, decoded(&page, *encoding)) == plain_text, "{accepted}");
        if encoding.is_some() {
            assert!(page.body.len() * 3 < plain.body.len(), "{accepted}: {} of {} bytes", page.body.len(), plain.body.len());
            assert!(page.header("vary").unwrap().contains("accept-encoding"));
            assert!(page.header("content-length").is_none_or(|length| length == page.body.len().to_string()));
        }
    }
}

on_both!(an_asset_is_the_same_in_every_encoding);
async fn an_asset_is_the_same_in_every_encoding(app: TestApp) {
    let stranger = Browser::stranger(&app);
    let manifest: Value = serde_json::from_str(front::MANIFEST).unwrap();
    let address = format!("/assets/{}", manifest["client"].as_str().unwrap());
    let plain = stranger.get(&address).await;
    for (accepted, encoding) in
        [("br", Some("br")), ("gzip", Some("gzip")), ("gzip, deflate, br, zstd", Some("br")), ("zstd", None), ("", None)]
    {
        let asset = stranger.with("accept-encoding", accepted).get(&address).await;
        assert!(decoded(&asset, encoding) == plain.text(), "{accepted}");
        assert_eq!(asset.header("vary"), Some("accept-encoding"));
    }
}
