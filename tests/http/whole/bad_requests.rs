//! Requests that no client of ours sends: each is answered clearly, and nothing is written.

use axum::http::Method;
use serde_json::{Value, json};

use testing::bad_requests::{malformed, nothing_is_written};
use testing::{TestApp, on_both};

on_both!(what_is_no_json_object_is_malformed);
async fn what_is_no_json_object_is_malformed(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for body in [&b""[..], b"{", b"[]", b"null", b"1", b"username=x", b"\xff\xfe", b"{\"username\": \"a\",}", b"{} {}"] {
        malformed(&operator, Method::POST, "/admin", body).await;
        malformed(&operator, Method::PUT, "/admin/status", body).await;
        malformed(&app.stranger(), Method::POST, "/admin/login", body).await;
    }
    malformed(&operator, Method::POST, "/admin", "[".repeat(100_000).as_bytes()).await;
    nothing_is_written(&app).await;
}

on_both!(unknown_fields_and_wrong_types_are_malformed);
async fn unknown_fields_and_wrong_types_are_malformed(app: TestApp) {
    let (operator, id) = (app.sign_in("operator").await, app.account("north.sales1").await);
    let (new, role) = (json!({"username": "new.person", "realName": "New", "roleIds": [1]}), app.role("auditor").await);
    let with = |field: &str, value: Value| {
        let mut body = new.clone();
        body[field] = value;
        body
    };
    for body in [
        with("status", json!("enabled")),
        with("builtin", json!(true)),
        with("passwordHash", json!("x")),
        with("username", json!(1)),
        with("username", Value::Null),
        with("realName", json!(["x"])),
        with("phone", json!(13800000009_i64)),
        with("orgId", json!("1x")),
        with("orgId", json!(1.5)),
        with("roleIds", json!(role)),
        with("roleIds", json!([format!("{role}x")])),
        with("roleIds", json!([1e30])),
        with("roleIds", json!({"0": role})),
    ] {
        malformed(&operator, Method::POST, "/admin", body.to_string().as_bytes()).await;
    }
    for body in [
        json!({"id": id, "status": "disabled"}),
        json!({"id": id, "version": "1.5", "status": "disabled"}),
        json!({"id": id, "version": 1, "status": "disabled", "reason": "x"}),
        json!({"id": id, "version": 1, "status": true}),
    ] {
        malformed(&operator, Method::PUT, "/admin/status", body.to_string().as_bytes()).await;
    }
    nothing_is_written(&app).await;
}

on_both!(nul_and_paths_in_ids_and_names_go_nowhere);
async fn nul_and_paths_in_ids_and_names_go_nowhere(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for id in ["0", "-1", "x", "1x", "1%00", "%00", "..%2F1", "%2e%2e%2f1", "1;DROP", "99999999999999999999", "1.0", "1%20", "%ff"] {
        for (method, path) in
            [(Method::GET, "/admin/"), (Method::GET, "/admin/history/"), (Method::DELETE, "/admin/"), (Method::GET, "/channel/")]
        {
            let answer = operator.call(method, &format!("{path}{id}"), None).await;
            assert!(["4000", "4004"].contains(&answer.code().as_str()), "{path}{id} was answered {}", answer.code());
        }
    }
    for path in ["/admin/../admin/me", "/../etc/passwd", "/admin//me", "/%2e%2e/admin/me", "/admin/me/"] {
        operator.get(path).await.refused("4004");
    }
    for field in ["username", "realName", "phone", "email"] {
        let mut body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
        body[field] = json!("a\0b");
        malformed(&operator, Method::POST, "/admin", body.to_string().as_bytes()).await;
    }
    malformed(&operator, Method::POST, "/admin", b"{\"user\\u0000name\": 1}").await;
    malformed(&app.stranger(), Method::POST, "/admin/login", b"{\"username\": \"a\\u0000\", \"password\": \"x\"}").await;
    malformed(&app.stranger(), Method::GET, "/admin/login?username=a%00&password=x", b"").await;
    malformed(&operator, Method::GET, "/admin/options?keyword=%00", b"").await;
    nothing_is_written(&app).await;
}

on_both!(markup_is_kept_as_the_text_it_is);
async fn markup_is_kept_as_the_text_it_is(app: TestApp) {
    let (operator, id) = (app.sign_in("operator").await, app.account("south.sales1").await);
    let text = "<script>\"&'</script>";
    let body = json!({
        "id": id, "version": 1, "realName": text, "orgId": app.organisation("south").await, "roleIds": [app.role("org_sales").await]
    });
    let answer = operator.put("/admin", body).await;
    assert_eq!(answer.ok()["realName"], text);
    assert_eq!((answer.header("content-type"), answer.header("x-content-type-options")), (Some("application/json"), Some("nosniff")));
    assert_eq!(operator.get(&format!("/admin/{id}")).await.ok()["realName"], text);
    assert_eq!(app.trail("administrator", id).await[0].diff[0].after.as_deref(), Some(text));
    assert_eq!(operator.post("/admin/page", json!({"keyword": "<script>"})).await.ok()["total"], 1);
}

on_both!(a_body_of_two_megabytes_is_too_large);
async fn a_body_of_two_megabytes_is_too_large(app: TestApp) {
    let body = json!({"username": "new.person", "realName": "x".repeat(2 << 20), "roleIds": []}).to_string().into_bytes();
    for (who, path) in
        [(app.sign_in("operator").await, "/admin"), (app.sign_in("operator").await, "/admin/page"), (app.stranger(), "/admin/login")]
    {
        let answer = who.send(Method::POST, path, body.clone()).await;
        answer.refused("4013");
        assert_eq!(answer.status, 413);
    }
    nothing_is_written(&app).await;
}

on_both!(calls_that_there_are_not_say_so);
async fn calls_that_there_are_not_say_so(app: TestApp) {
    for who in [app.stranger(), app.sign_in("admin").await] {
        for (method, path) in [
            (Method::GET, ""),
            (Method::GET, "/nothing"),
            (Method::POST, "/admin/nothing/1"),
            (Method::GET, "/admin/page"),
            (Method::PATCH, "/admin"),
            (Method::DELETE, "/admin"),
        ] {
            let answer = who.call(method, path, None).await;
            answer.refused("4004");
            assert_eq!((answer.status.as_u16(), answer.header("content-type")), (404, Some("application/json")));
        }
    }
}

// X5
on_both!(post_stands_in_for_methods_that_proxies_forbid);
async fn post_stands_in_for_methods_that_proxies_forbid(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    let change = |version: i64, status: &str| json!({"id": id, "version": version, "status": status});
    let put = manager.with("x-http-method-override", "PUT");
    put.post("/admin/status", change(1, "disabled")).await.ok();
    // Said in the query, for a header may be taken away; it counts before one.
    manager.post("/admin/status?_method=PUT", change(2, "enabled")).await.ok();
    manager.with("x-http-method-override", "DELETE").post("/admin/status?x=1&_method=PUT&y=2", change(3, "disabled")).await.ok();
    // Only for the two, and only on POST: a link cannot delete.
    let delete = manager.with("x-http-method-override", "DELETE");
    delete.get(&format!("/admin/{id}")).await.ok();
    manager.get(&format!("/admin/{id}?_method=DELETE")).await.ok();
    for other in ["GET", "delete", "PATCH", ""] {
        manager.with("x-http-method-override", other).post(&format!("/admin/{id}"), json!({})).await.refused("4004");
        manager.post(&format!("/admin/{id}?_method={other}"), json!({})).await.refused("4004");
    }
    // A form of another site has a cookie at most, and no header of ours.
    let elsewhere = app.stranger().with("cookie", &format!("token={}", manager.token()));
    elsewhere.post(&format!("/admin/{id}?_method=DELETE"), json!({})).await.refused("4004");
    elsewhere.with("x-http-method-override", "DELETE").post(&format!("/admin/{id}"), json!({})).await.refused("4004");
    manager.get(&format!("/admin/{id}")).await.ok();
    manager.post(&format!("/admin/{id}?_method=DELETE"), json!({})).await.ok();
    manager.get(&format!("/admin/{id}")).await.refused("1004");
}

on_both!(two_hosts_are_one_too_many);
async fn two_hosts_are_one_too_many(app: TestApp) {
    let admin = app.sign_in("admin").await.with("host", "leads.example.com");
    admin.get("/admin/me").await.ok();
    let answer = admin.with_another("host", "evil.example").get("/admin/me").await;
    answer.refused("4000");
    assert_eq!(answer.status, 400);
}

// S3.08
on_both!(every_answer_is_an_envelope_that_nobody_keeps);
async fn every_answer_is_an_envelope_that_nobody_keeps(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for answer in [operator.get("/admin/me").await, operator.get("/nothing").await, app.stranger().get("/admin/me").await] {
        answer.code();
        assert_eq!((answer.header("content-type"), answer.header("cache-control")), (Some("application/json"), Some("no-store")));
        for (name, value) in [("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("x-frame-options", "DENY")] {
            assert_eq!(answer.header(name), Some(value));
        }
        assert!(answer.header("x-request-id").is_some());
    }
}
