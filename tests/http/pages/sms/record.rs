//! Screens that say where messages go.

use serde_json::{Value, json};

use crate::pages::browser::Browser;
use testing::private::withdraw;
use testing::sms::{Provider, sent};
use testing::{TestApp, on_both};

// S-M4: where messages go is said plainly: on the screen, and on the server's page.
on_both!(where_messages_go_is_told);
async fn where_messages_go_is_told(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let at = |way: &str, host: Value, missing: bool| json!({"way": way, "host": host, "keyMissing": missing});
    assert_eq!(admin.get("/sms/route").await.ok(), at("file", Value::Null, false));
    let browser = Browser::of(&app, "admin").await;
    assert!(browser.get("/admin/sms").await.root().contains("没有人能收到"));
    assert!(browser.get("/dashboard/server").await.root().contains("没有人能收到"));
    app.set("sms.log_in_clear", json!(true)).await;
    assert_eq!(admin.get("/sms/route").await.ok(), at("clear_file", Value::Null, false));
    assert!(browser.in_english().get("/admin/sms").await.root().contains("log file in plain text"));
    app.set("sms.provider_url", json!("https://sms.example.com/send")).await;
    assert_eq!(admin.get("/sms/route").await.ok(), at("provider", json!("sms.example.com"), true));
    app.set_secret("sms.provider_key", "a key").await;
    assert_eq!(admin.get("/server/status").await.ok()["outbox"]["messages"], at("provider", json!("sms.example.com"), false));
    // Those that are not tried any more are counted where they are listed.
    app.set("sms.provider_url", json!("")).await;
    let provider = Provider::of_address(&app).await;
    provider.answers(200, r#"{"code":"17"}"#);
    sent(&app, &admin, "13612345678").await;
    provider.answers(500, "");
    sent(&app, &admin, "13612345679").await;
    let outbox = admin.get("/server/status").await.ok()["outbox"].clone();
    assert_eq!((&outbox["messagesFailed"], &outbox["messagesUnconfirmed"], &outbox["leadsUnconfirmed"]), (&json!(1), &json!(1), &json!(0)));
    let page = browser.get("/dashboard/server").await;
    assert!(page.root().contains("/admin/sms?state=failed") && page.root().contains("/admin/sms?state=unconfirmed"));
    let rows = async |filters: Value| admin.post("/sms/page", filters).await.ok()["list"].as_array().unwrap().len();
    assert_eq!((rows(json!({"state": "failed"})).await, rows(json!({"state": "unconfirmed"})).await), (1, 1));

    // Each has a page, which begins with what became of it and what can be done.
    let failed = admin.post("/sms/page", json!({"state": "failed"})).await.ok()["list"][0].clone();
    let address = format!("/admin/sms/{}", failed["id"]);
    let page = browser.get(&address).await;
    page.is("adminSmsDetail", 200);
    assert!(page.root().contains("可以再试一次或放弃。") && page.root().contains("再试一次</button>"), "{}", page.root());
    assert!(page.root().contains("136****5678") && !page.text().contains("13612345678"), "the phone is masked");
    assert!(browser.get("/admin/sms").await.root().contains(&format!(r#"href="{address}""#)), "the list links to it");
    let auditor = Browser::of(&app, "auditor").await;
    let read = auditor.get(&format!("{address}?tab=history")).await;
    assert!(read.root().contains("ll-timeline") && !read.root().contains("ll-page-acts"), "{}", read.root());
    auditor.get("/admin/sms/999999").await.is("adminSmsDetail", 404);
    withdraw(&app, "auditor", "admin/sms/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/admin/sms").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
}
