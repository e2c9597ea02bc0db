//! The page route of an uploaded file: `/files/{id}`.

use axum::http::Method;

use crate::pages::browser::Browser;
use testing::upload::png;
use testing::{TestApp, on_both};

const PATH: &str = "/common/upload";

on_both!(a_file_that_no_record_has_is_its_uploaders_alone);
async fn a_file_that_no_record_has_is_its_uploaders_alone(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for fields in [&[][..], &[("bizType", "avatar")]] {
        let made = operator.upload(PATH, fields, "a.png", &png()).await.ok();
        let (call, page) = (format!("/common/file/{}", made["id"]), made["url"].as_str().unwrap().to_owned());
        operator.get(&call).await;
        app.sign_in("admin").await.get(&call).await.refused("1004");
        app.sign_in("south.manager").await.get(&call).await.refused("1004");
        app.stranger().get(&call).await.refused("2000");

        let own = Browser::of(&app, "operator").await.get(&page).await;
        assert_eq!((own.status, &own.body[..], own.header("content-type")), (200, &png()[..], Some("image/png")));
        assert_eq!((own.header("cache-control"), own.header("x-content-type-options")), (Some("private, no-cache"), Some("nosniff")));
        for other in [Browser::of(&app, "admin").await, Browser::stranger(&app)] {
            let page = other.get(&page).await;
            assert_eq!((page.status, page.body.len(), page.header("content-type")), (404, 0, None));
        }
    }
}

on_both!(the_cookie_reads_pictures_and_does_nothing_else);
async fn the_cookie_reads_pictures_and_does_nothing_else(app: TestApp) {
    let made = app.sign_in("operator").await.upload(PATH, &[], "a.png", &png()).await.ok();
    let (id, browser) = (made["id"].as_i64().unwrap(), Browser::of(&app, "operator").await);
    let page = browser.get(&format!("/files/{id}")).await;
    let held = browser.with("if-none-match", page.header("etag").unwrap()).get(&format!("/files/{id}")).await;
    assert_eq!((held.status, held.body.len()), (304, 0));
    assert_eq!(browser.with("if-none-match", "\"other\"").get(&format!("/files/{id}")).await.status, 200);
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        assert_eq!(browser.send(method, &format!("/files/{id}"), String::new()).await.status, 405);
    }
    let call = browser.send(Method::DELETE, &format!("/api/common/file/{id}"), String::new()).await;
    assert!(String::from_utf8_lossy(&call.body).contains("\"2000\""));
    for path in ["/files/0", "/files/x", "/files/999999", "/files/..%2Fupload", "/files/1%2F..%2F1"] {
        assert_eq!(browser.get(path).await.status, 404, "{path}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM file").await, 1);
}
