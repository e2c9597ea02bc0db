//! What machines ask: health, numbers, assets.

use base::db::Engine;

use super::browser::Browser;
use testing::{TestApp, on_both};

on_both!(health_is_told_without_signing_in);
async fn health_is_told_without_signing_in(app: TestApp) {
    let stranger = Browser::stranger(&app);
    for (path, text) in [("/healthz", "ok"), ("/readyz", "ready")] {
        let answer = stranger.get(path).await;
        assert_eq!((answer.status, answer.text()), (200, text), "{path}");
    }
    if app.app.db.engine() == Engine::Sqlite {
        // Its file cannot be taken away from the process that has it open.
        return;
    }
    app.app.db.close().await;
    assert_eq!(stranger.get("/healthz").await.status, 200, "alive");
    let ready = stranger.get("/readyz").await;
    assert_eq!((ready.status, ready.text()), (503, "the database does not answer"));
}

on_both!(numbers_are_prometheus_text);
async fn numbers_are_prometheus_text(app: TestApp) {
    let stranger = Browser::stranger(&app);
    let renders = async || {
        let answer = stranger.get("/metrics").await;
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-type").unwrap().starts_with("text/plain"));
        for line in answer.text().lines().filter(|line| !line.starts_with('#')) {
            let (name, value) = line.rsplit_once(' ').expect("a name and a value");
            assert!(name.starts_with("leadlane_") && value.parse::<f64>().is_ok(), "{line}");
        }
        let line = answer.text().lines().find(|line| line.starts_with("leadlane_renders_total ")).expect("the number of renders");
        line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()
    };
    let before = renders().await;
    stranger.get("/login").await.is("login", 200);
    assert!(renders().await > before);
}

on_both!(an_unknown_asset_is_not_found);
async fn an_unknown_asset_is_not_found(app: TestApp) {
    let stranger = Browser::stranger(&app);
    for name in [
        "nothing.js",
        "..",
        "%2e%2e",
        "..%2f..%2fCargo.toml",
        "..%5c..%5cCargo.toml",
        "server.js",
        "manifest.json",
        "%00",
        "%ff",
        "client-*.js",
    ] {
        let answer = stranger.get(&format!("/assets/{name}")).await;
        assert!(matches!(answer.status, 400 | 404), "{name}: {}", answer.status);
        assert!(answer.header("cache-control").is_none_or(|kept| !kept.contains("immutable")), "{name}");
        assert!(!answer.text().contains("[package]"));
    }
    for path in ["/assets", "/assets/", "/assets/../Cargo.toml", "/assets/a/b"] {
        assert_eq!(stranger.get(path).await.status, 404, "{path}");
    }
}
