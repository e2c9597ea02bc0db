//! Uploads and exports whose files lie in a bucket.

use axum::http::Method;
use base::clock::MINUTE;
use base::config::Config;
use base::storage::Storage;
use frame::{export, upload};
use serde_json::{Value, json};

use testing::bucket::{FakeBucket, Trouble};
use testing::channel::{form, make};
use testing::upload::{png, png_of};
use testing::{TestApp, on_both};

const UPLOAD: &str = "/common/upload";
const EXPORT: &str = "/channel/page/export";

async fn open(app: TestApp) -> (TestApp, FakeBucket) {
    let fake = FakeBucket::start().await;
    let config = Config::read(fake.settings("/house")).unwrap();
    (app.with_files_in(Storage::open(&config.storage).unwrap()).await, fake)
}

on_both!(uploads_and_exports_go_through_a_bucket);
async fn uploads_and_exports_go_through_a_bucket(app: TestApp) {
    let (app, fake) = open(app).await;
    let operator = app.sign_in("operator").await;
    // Longer than one part.
    let picture = png_of(9 << 20);
    let made = operator.upload(UPLOAD, &[], "a.png", &picture).await.ok();
    let path = format!("/common/file/{}", made["id"]);
    let back = operator.get(&path).await;
    assert!(back.body == picture);
    assert_eq!(back.header("content-length"), Some(picture.len().to_string().as_str()));
    assert_eq!((fake.keys().len(), fake.uploads()), (1, (1, 0)));
    assert!(!fake.content(&fake.keys()[0]).windows(4).any(|part| part == b"IHDR"), "it lies there encrypted");
    assert!(fake.keys()[0].starts_with("house/files/20"), "{:?}", fake.keys());
    app.sign_in("auditor").await.get(&path).await.refused("1004");

    make(&operator, form("code-0001")).await;
    let id = operator.post(EXPORT, json!({"format": "csv", "columns": ["code"]})).await.ok()["taskId"].as_i64().unwrap();
    assert_eq!(app.make_exports().await, 1);
    let file = operator.get(&format!("/export/{id}/file")).await;
    assert_eq!(String::from_utf8_lossy(&file.body), "\u{feff}渠道编码\r\ncode-0001\r\n");
    assert_eq!(fake.keys().len(), 2);

    operator.delete(&path).await.ok();
    operator.delete(&format!("/export/{id}")).await.ok();
    assert_eq!(fake.keys(), [""; 0]);
    assert!(!app.app.config.data.join("files").exists() || std::fs::read_dir(app.app.config.data.join("files")).unwrap().next().is_none());
}

on_both!(a_bucket_in_trouble_costs_the_call_and_nothing_else);
async fn a_bucket_in_trouble_costs_the_call_and_nothing_else(app: TestApp) {
    let (app, fake) = open(app).await;
    let operator = app.sign_in("operator").await;
    let refused = Trouble::Refused(403, "AccessDenied");
    fake.trouble(Method::PUT, 1, refused);
    let answer = operator.upload(UPLOAD, &[], "a.png", &png()).await;
    answer.refused("5000");
    let told = String::from_utf8_lossy(&answer.body);
    assert!(!["bucket", "127.0.0.1", "AccessDenied", "AKID"].iter().any(|inner| told.contains(inner)), "{told}");
    assert_eq!(upload::sweep(&app.app).await.unwrap(), 1, "what may lie there is removed with its row");
    assert_eq!((app.count("SELECT COUNT(*) FROM file").await, fake.keys().len()), (0, 0));

    let made = operator.upload(UPLOAD, &[], "a.png", &png()).await.ok();
    let path = format!("/common/file/{}", made["id"]);
    fake.trouble(Method::GET, 1, refused);
    operator.get(&path).await.refused("5000");
    assert_eq!(operator.get(&path).await.body, png());
    // Gone from the bucket, not out of order.
    fake.trouble(Method::GET, 1, Trouble::Refused(404, "NoSuchKey"));
    operator.get(&path).await.refused("1004");
    // One that cannot be removed now is removed by the sweep.
    fake.trouble(Method::DELETE, 1, refused);
    operator.delete(&path).await.ok();
    assert_eq!(fake.keys().len(), 1);
    assert_eq!(upload::sweep(&app.app).await.unwrap(), 1);
    assert_eq!(fake.keys(), [""; 0]);

    // An export is made by another try.
    make(&operator, form("code-0001")).await;
    let id = operator.post(EXPORT, json!({"format": "csv"})).await.ok()["taskId"].as_i64().unwrap();
    fake.trouble(Method::PUT, 1, refused);
    app.make_exports().await;
    app.advance(10 * MINUTE);
    app.make_exports().await;
    let operator = app.sign_in("operator").await;
    let task: Value = operator.get(&format!("/export/{id}")).await.ok();
    assert_eq!((&task["status"], fake.keys().len()), (&json!("success"), 1));
    app.advance(8 * base::clock::DAY);
    export::sweep(&app.app).await.unwrap();
    assert_eq!(fake.keys(), [""; 0]);
}
