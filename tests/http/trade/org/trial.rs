//! `POST /org/api/test`: a made-up applicant goes out, and what comes back is told.

use axum::Router;
use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use testing::org::with;
use testing::{Actor, TestApp, on_both};

const KEY: &str = "00112233445566778899aabbccddeeff";

/// An organisation's server: its address, and what it has received.
async fn other_side() -> (String, mpsc::UnboundedReceiver<String>) {
    let (tell, told) = mpsc::unbounded_channel();
    let good = move |body: Bytes| {
        tell.send(String::from_utf8(body.to_vec()).unwrap()).unwrap();
        async { r#"{"code": "0000", "echo": "13812345678"}"# }
    };
    let router = Router::new()
        .route("/good", post(good))
        .route("/no", post(|| async { r#"{"code": "0001"}"# }))
        .route("/hang", post(std::future::pending::<&'static str>))
        .route("/garbage", post(|| async { vec![0xffu8, 0, 1] }))
        .route("/huge", post(|| async { "x".repeat(65 * 1024) }))
        .route("/broken", post(|| async { StatusCode::INTERNAL_SERVER_ERROR }))
        .route("/moved", post(|| async { (StatusCode::FOUND, [(header::LOCATION, "/good")]).into_response() }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, told)
}

/// Gives North Star settings whose addresses are the other side's: no form takes such.
async fn lead_to(app: &TestApp, admin: &Actor, apply: &str, changes: Value) -> i64 {
    let north = app.organisation("north").await;
    let version = admin.get(&format!("/org/api/{north}")).await.ok()["version"].clone();
    let settings = json!({
        "id": north, "version": version, "matchUrl": null, "applyUrl": "https://api.example.com/apply", "queryUrl": null, "crypto": "none",
        "fieldMap": {"name": "userName", "phone": "user.mobile", "sex": "gender", "idNo": "idCard", "phoneMd5": "md5"},
        "valueMap": {"sex": {"male": "1"}}, "matchOkExpr": "code == \"0000\"", "applyOkExpr": "code == \"0000\"", "timeoutMs": 700,
        "retryMax": 3, "status": "disabled"
    });
    let row = admin.put("/org/api", with(settings, changes)).await.ok();
    if row["proposed"].is_object() {
        app.approve("/org/api", &row).await;
    }
    let sql = format!("UPDATE org_api_config SET apply_url = '{apply}'");
    app.execute(Box::leak(sql.into_boxed_str())).await;
    north
}

on_both!(each_answer_is_told_for_what_it_is);
async fn each_answer_is_told_for_what_it_is(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let (server, mut told) = other_side().await;
    for (path, status, verdict) in [
        ("/good", Some(200), "accepted"),
        ("/no", Some(200), "refused"),
        ("/hang", None, "too_late"),
        ("/garbage", Some(200), "unreadable"),
        ("/huge", None, "too_large"),
        ("/broken", Some(500), "bad_status"),
        ("/moved", Some(302), "bad_status"),
    ] {
        let north = lead_to(&app, &admin, &format!("{server}{path}"), json!({})).await;
        let trials = admin.post("/org/api/test", json!({"id": north})).await.ok();
        assert_eq!(trials.as_array().unwrap().len(), 1, "there is no address to match at");
        let trial = &trials[0];
        assert_eq!((&trial["call"], &trial["status"], &trial["verdict"]), (&json!("apply"), &json!(status), &json!(verdict)), "{path}");
        assert!((0..=5000).contains(&trial["milliseconds"].as_i64().unwrap()));
        let last = app.trail("organisation", north).await.remove(0);
        assert_eq!((last.diff[0].field.as_str(), last.diff[0].after.clone()), ("api.test", Some(format!("apply: {verdict}"))));
    }
    // What the other side got, and what is shown of it.
    let sent: Value = serde_json::from_str(&told.recv().await.unwrap()).unwrap();
    assert_eq!((&sent["userName"], &sent["user"]["mobile"], &sent["gender"]), (&json!("测试用户"), &json!("10000010000"), &json!("1")));
    assert!(told.try_recv().is_err(), "a redirect is not followed");
    let north = lead_to(&app, &admin, &format!("{server}/good"), json!({})).await;
    let trials = admin.post("/org/api/test", json!({"id": north})).await.ok();
    let shown = trials.to_string();
    assert!(shown.contains("100****0000") && shown.contains("138****5678"), "{shown}");
    for hidden in ["10000010000", "990000199001010000", "13812345678"] {
        assert!(!shown.contains(hidden), "{hidden}");
    }

    let north = lead_to(&app, &admin, "http://127.0.0.1:1/nobody", json!({})).await;
    assert_eq!(admin.post("/org/api/test", json!({"id": north})).await.ok()[0]["verdict"], "unreachable");
}

on_both!(what_is_sealed_goes_out_sealed);
async fn what_is_sealed_goes_out_sealed(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let (server, mut told) = other_side().await;
    let sealed = json!({"crypto": "aes", "key": KEY});
    let north = lead_to(&app, &admin, &format!("{server}/good"), sealed).await;
    let trials = admin.post("/org/api/test", json!({"id": north})).await.ok();
    assert_eq!((&trials[0]["sealed"], &trials[0]["verdict"]), (&json!(true), &json!("accepted")));
    assert!(trials[0]["request"].as_str().unwrap().contains("userName"), "shown as it was before");
    let sent = told.recv().await.unwrap();
    let body: Value = serde_json::from_str(&sent).unwrap();
    assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["data"]);
    assert!(!sent.contains("userName") && !trials.to_string().contains(KEY));
}

on_both!(settings_are_tried_before_they_are_saved);
async fn settings_are_tried_before_they_are_saved(app: TestApp) {
    let admin = app.sign_in("admin").await.in_english();
    let typed = json!({
        "fieldMap": {"sex": "gender", "phone": "user.mobile"}, "valueMap": {"sex": {"male": "1"}},
        "expressions": {"applyOkExpr": "code == 0", "matchOkExpr": "", "knownExpr": "code == 2"}, "answer": r#"{"code": "0"}"#
    });
    let tried = admin.post("/org/api/preview", typed.clone()).await.ok();
    let message = |name: &str| serde_json::from_str::<Value>(tried[name].as_str().unwrap()).unwrap();
    assert_eq!(message("application"), json!({"gender": "1", "user": {"mobile": "10000010000"}, "test": true}));
    assert_eq!(message("question"), json!({"gender": "1", "test": true}), "a question identifies no person");
    assert_eq!(tried["met"], json!({"applyOkExpr": true, "knownExpr": false}), "an empty condition is not tried");
    let fields = tried["fields"].as_array().unwrap();
    assert_eq!((&fields[0], fields.len()), (&json!({"name": "age", "title": "Age", "example": "30"}), 26));
    assert_eq!(admin.post("/org/api/preview", json!({})).await.ok()["met"], json!({}));

    for (field, wrong) in [
        ("answer", json!({"answer": "<html>"})),
        ("answer", json!({"answer": "1".repeat(8001)})),
        ("fieldMap", json!({"fieldMap": {"secret": "x"}})),
        ("fieldMap", json!({"fieldMap": {"name": "user name"}})),
        ("valueMap", json!({"valueMap": {"sex": {"male": ""}}})),
        ("applyOkExpr", json!({"expressions": {"applyOkExpr": "eval(code)"}})),
        ("other", json!({"expressions": {"other": "code == 0"}})),
    ] {
        admin.post("/org/api/preview", with(typed.clone(), wrong)).await.wrong(field);
    }
    app.sign_in("auditor").await.post("/org/api/preview", typed).await.refused("1003");
}

on_both!(whoever_may_not_sends_nothing);
async fn whoever_may_not_sends_nothing(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let (server, mut told) = other_side().await;
    let (north, south) = (lead_to(&app, &admin, &format!("{server}/good"), json!({})).await, app.organisation("south").await);
    let refused = admin.in_english().post("/org/api/test", json!({"id": south})).await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "Enter a match or apply URL first");
    admin.post("/org/api/test", json!({"id": 999_999})).await.refused("1004");
    admin.post("/org/api/test", json!({"id": north, "url": server})).await.refused("4000");
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code = 'org_manager' AND m.path LIKE 'org/%' ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    app.sign_in("north.manager").await.post("/org/api/test", json!({"id": north})).await.refused("1003");
    app.sign_in("south.manager").await.post("/org/api/test", json!({"id": north})).await.refused("1004");
    assert!(told.try_recv().is_err());
}
