//! The headers of pages and assets.

use std::collections::HashSet;

use base::routes;
use serde_json::Value;

use super::browser::{Browser, Page, between};
use testing::{TestApp, on_both};

on_both!(a_page_runs_only_what_carries_its_nonce);
async fn a_page_runs_only_what_carries_its_nonce(app: TestApp) {
    let (stranger, operator) = (Browser::stranger(&app), Browser::of(&app, "operator").await);
    let mut nonces = HashSet::new();
    for page in [
        stranger.get("/login").await,
        stranger.get("/login").await,
        stranger.get("/nowhere").await,
        operator.get("/channel/list").await,
        operator.get("/admin/list").await,
        operator.get("/channel/list?current=x").await,
        operator.cookie("sheet", "").get("/channel/list").await,
    ] {
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
        for rule in ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "connect-src 'self'"] {
            assert!(policy.contains(rule), "{policy}");
        }
        let nonce = between(policy, "'nonce-", "'").expect("a nonce");
        assert!(nonce.len() >= 22, "{nonce}");
        assert!(
            policy.contains(&format!("script-src 'self' 'nonce-{nonce}';"))
                && policy.contains(&format!("style-src 'self' 'nonce-{nonce}';"))
        );
        assert!(nonces.insert(nonce.to_owned()), "no two answers share one");
        obeys(&page, nonce);
    }
}

/// Nothing in the page is against its own policy.
fn obeys(page: &Page, nonce: &str) {
    let (html, own) = (page.text(), format!(r#"nonce="{nonce}""#));
    let tags = |name: &str| html.split(name).skip(1).map(|rest| rest.split('>').next().unwrap().to_owned()).collect::<Vec<_>>();
    for script in tags("<script") {
        assert!(script.contains(&own) || script.contains(r#"type="application/json""#), "<script{script}>");
    }
    for style in tags("<style") {
        assert!(style.contains(&own), "<style{style}>");
    }
    let root = page.root();
    for forbidden in [" style=", " onclick=", " onload=", " onerror=", "javascript:", "<iframe", "<base"] {
        assert!(!root.contains(forbidden), "{forbidden}");
    }
    for (attribute, rest) in
        ["href=\"", "src=\"", "action=\""].iter().flat_map(|name| html.split(*name).skip(1).map(move |rest| (name, rest)))
    {
        let address = rest.split('"').next().unwrap();
        let ours =
            (address.starts_with('/') && !address.starts_with("//")) || address.starts_with("data:image/svg+xml,") || address == "#main";
        let link = *attribute == "href=\"" && routes::all().any(|route| route.external.as_deref() == Some(address));
        assert!(ours || link, "{attribute}{address}");
    }
}

on_both!(pages_are_kept_by_nobody_and_assets_for_ever);
async fn pages_are_kept_by_nobody_and_assets_for_ever(app: TestApp) {
    let (stranger, operator) = (Browser::stranger(&app), Browser::of(&app, "operator").await);
    for page in [
        stranger.get("/login").await,
        stranger.get("/channel/list").await,
        stranger.get("/nowhere").await,
        operator.get("/channel/list").await,
        operator.get("/channel/list?current=x").await,
        stranger.submit("/login", &[]).await,
    ] {
        assert_eq!(page.header("cache-control"), Some("no-store"), "{}", page.status);
        guarded(&page);
    }
    let manifest: Value = serde_json::from_str(front::MANIFEST).unwrap();
    for (name, kind) in [("client", "text/javascript"), ("css", "text/css")] {
        let asset = stranger.get(&format!("/assets/{}", manifest[name].as_str().unwrap())).await;
        assert_eq!(asset.status, 200);
        assert_eq!(asset.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert!(asset.header("content-type").unwrap().starts_with(kind));
        guarded(&asset);
    }
    guarded(&stranger.get("/api/nowhere").await);
    guarded(&stranger.get("/healthz").await);
}

fn guarded(answer: &Page) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    assert_eq!(answer.header("x-request-id").map(str::len), Some(16));
    assert_eq!(answer.header("server"), None);
}

on_both!(a_browser_that_has_not_loaded_the_sheet_gets_it_in_the_document);
async fn a_browser_that_has_not_loaded_the_sheet_gets_it_in_the_document(app: TestApp) {
    let again = Browser::stranger(&app);
    let linked = again.get("/login").await;
    let file = between(linked.text(), "<link rel=\"stylesheet\" href=\"", "\"").expect("a link");
    let sheet = again.get(file).await;
    let name = file.strip_prefix("/assets/").unwrap();
    for (first, other) in [(again.cookie("sheet", ""), "none"), (again.cookie("sheet", "app-OLD.css"), "that of another release")] {
        let page = first.get("/login").await;
        assert!(page.text().contains(sheet.text()) && !page.text().contains("rel=\"stylesheet\""), "{other}");
        assert!(page.text().contains(&format!("sheet={name};")), "the page's script keeps its name, {other}");
    }
    assert!(!linked.text().contains(sheet.text()) && !sheet.text().contains("</style"));
}

on_both!(every_file_that_a_page_names_is_there);
async fn every_file_that_a_page_names_is_there(app: TestApp) {
    let operator = Browser::of(&app, "operator").await;
    for page in [operator.get("/channel/list").await, operator.get("/admin/list").await, operator.get("/login").await] {
        let files: HashSet<&str> = page.text().split("\"/assets/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert!(files.len() > 2);
        for file in files {
            assert_eq!(operator.get(&format!("/assets/{file}")).await.status, 200, "{file}");
        }
    }
}
