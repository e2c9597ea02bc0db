//! Signing in by the form alone, without scripts.

use super::browser::{Browser, Page};
use testing::world::PASSWORD;
use testing::{TestApp, on_both};

async fn sign_in(browser: &Browser, username: &str, password: &str, redirect: &str, query: &str) -> Page {
    browser.submit("/login", &[("username", username), ("password", password), ("redirect", redirect), ("query", query)]).await
}

/// The form again, with why.
#[track_caller]
fn is_refused(page: &Page, error: &str, text: &str) {
    page.is("login", 200);
    assert_eq!(page.props()["loginError"]["kind"], error);
    assert!(page.root().contains(text), "{text}");
    assert!(page.headers.get("set-cookie").is_none() && !page.text().contains(PASSWORD));
}

on_both!(the_form_signs_in_and_leads_back);
async fn the_form_signs_in_and_leads_back(app: TestApp) {
    let browser = Browser::stranger(&app);
    // What was asked for goes through the form. S2.19
    let form = browser.get("/login?redirect=channelList&keyword=%E5%8C%97&current=2").await;
    let html = form.root();
    assert!(html.contains(r#"action="/login" method="post""#));
    assert!(
        html.contains(r#"name="redirect" value="channelList""#) && html.contains(r#"name="query" value="keyword=%E5%8C%97&amp;current=2""#)
    );

    let done = sign_in(&browser, "operator", PASSWORD, "channelList", "keyword=%E5%8C%97&current=2").await;
    assert_eq!((done.status, done.redirect()), (303, "/channel/list?keyword=%E5%8C%97&current=2"));
    assert_eq!(done.header("cache-control"), Some("no-store"));
    let cookie = done.set_cookie("token").expect("the token's cookie");
    let (token, attributes) = cookie.split_once(';').unwrap();
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(attributes.contains(attribute), "{cookie}");
    }

    // The next page hands the token to its scripts, once.
    let browser = browser.cookie("token", token);
    assert!(done.set_cookie("handoff").expect("a note for the next page").starts_with("1; HttpOnly"));
    let first = browser.cookie("handoff", "1").get(done.redirect()).await;
    first.is("channelList", 200);
    assert_eq!(first.props()["token"], token);
    assert!(first.set_cookie("handoff").unwrap().contains("Max-Age=0"), "and the note is gone");
    let second = browser.get("/channel/list").await;
    assert!(second.props().get("token").is_none() && !second.text().contains(token));
}

on_both!(the_form_says_what_is_wrong);
async fn the_form_says_what_is_wrong(app: TestApp) {
    let browser = Browser::stranger(&app);
    // S5.01
    for (username, password) in [("", ""), ("operator", ""), ("  ", "x")] {
        is_refused(&sign_in(&browser, username, password, "", "").await, "empty", "用户名不能为空");
    }
    is_refused(&browser.in_english().submit("/login", &[]).await, "empty", "Username cannot be empty");
    is_refused(&sign_in(&browser, "operator", &"x".repeat(20_000), "", "").await, "empty", "用户名不能为空");
    // S5.02: the same for whoever is somebody and nobody.
    for username in ["operator", "nobody-of-that-name", "opera\0tor", "operator' OR '1'='1"] {
        let page = sign_in(&browser, username, "Wrong-Kettle-1", "channelList", "current=2").await;
        is_refused(&page, "credentials", "账号或者密码错误");
        assert!(
            page.root().contains(r#"name="redirect" value="channelList""#) && page.root().contains(r#"name="query" value="current=2""#)
        );
    }
    for _ in 0..4 {
        sign_in(&browser, "operator", "Wrong-Kettle-1", "", "").await;
    }
    // X9: and when it opens again.
    is_refused(&sign_in(&browser, "operator", PASSWORD, "", "").await, "locked", "尝试次数过多，请 15 分钟后再试");
    assert_eq!(app.count("SELECT COUNT(*) FROM admin_session").await, 0);
}

on_both!(the_form_says_that_an_address_is_refused);
async fn the_form_says_that_an_address_is_refused(app: TestApp) {
    let (browser, operator) = (Browser::stranger(&app), Browser::of(&app, "operator").await);
    app.set("security.sign_in_deny", serde_json::json!(["127.0.0.1"])).await;
    is_refused(&sign_in(&browser, "operator", PASSWORD, "", "").await, "address", "当前 IP 禁止登录");
    assert!(operator.get("/channel/list").await.redirect().starts_with("/login?"), "an open session has ended");
    app.set("security.sign_in_deny", serde_json::json!([])).await;
    app.set("security.sign_in_allow", serde_json::json!(["10.0.0.0/8"])).await;
    app.set("security.sign_in_network_roles", serde_json::json!(["operator"])).await;
    let page = sign_in(&browser.in_english(), "operator", PASSWORD, "", "").await;
    is_refused(&page, "credentialsOrAddress", "or this account cannot log in from your IP address");
    assert!(operator.get("/channel/list").await.redirect().starts_with("/login?"));
}

on_both!(another_site_signs_nobody_in);
async fn another_site_signs_nobody_in(app: TestApp) {
    let browser = Browser::stranger(&app).with("host", "leadlane.example");
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", "https://evil.example"),
        ("origin", "https://leadlane.example.evil.example"),
        ("origin", "null"),
    ] {
        let page = sign_in(&browser.with(name, value), "operator", PASSWORD, "", "").await;
        assert_eq!(page.redirect(), "/login", "{name}: {value}");
        assert!(page.headers.get("set-cookie").is_none());
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM admin_session").await, 0);
    for (name, value) in [("sec-fetch-site", "same-origin"), ("origin", "https://leadlane.example")] {
        let page = sign_in(&browser.with(name, value), "operator", PASSWORD, "", "").await;
        assert!(page.set_cookie("token").is_some(), "{name}: {value}");
    }
}

on_both!(the_form_leads_only_to_our_own_pages);
async fn the_form_leads_only_to_our_own_pages(app: TestApp) {
    let browser = Browser::stranger(&app);
    let led = async |redirect: &str, query: &str| sign_in(&browser, "operator", PASSWORD, redirect, query).await.redirect().to_owned();
    for foreign in
        ["", "//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "login", "notFound", "channel", "nowhere"]
    {
        assert_eq!(led(foreign, "").await, "/", "{foreign}");
    }
    assert_eq!(led("adminList", "").await, "/admin/list");
    assert_eq!(led("adminList", "?current=2").await, "/admin/list?current=2");
    for query in ["a=1\r\nset-cookie: token=x", "keyword=北", "a b"] {
        assert_eq!(led("adminList", query).await, "/admin/list", "{query:?}");
    }
}

on_both!(the_cookie_is_secure_where_the_connection_is);
async fn the_cookie_is_secure_where_the_connection_is(app: TestApp) {
    // Nobody who is no trusted proxy can say so.
    let browser = Browser::stranger(&app).with("x-forwarded-proto", "https");
    let page = sign_in(&browser, "operator", PASSWORD, "", "").await;
    assert!(!page.set_cookie("token").unwrap().contains("Secure"));
    assert!(page.set_cookie("__Host-token").is_none());
}

// S-L3
on_both!(over_https_the_cookies_are_the_hosts_own);
async fn over_https_the_cookies_are_the_hosts_own(app: TestApp) {
    let app = app.behind(&["127.0.0.1"]).await;
    let browser = Browser::stranger(&app).with("x-forwarded-proto", "https").with("x-forwarded-for", "203.0.113.9");
    let page = sign_in(&browser, "operator", PASSWORD, "", "").await;
    let cookie = page.set_cookie("__Host-token").expect("the token's cookie").to_owned();
    assert!(cookie.contains("; Path=/;") && cookie.ends_with("; Secure") && !cookie.contains("Domain"), "{cookie}");
    assert!(page.set_cookie("token").is_none());
    assert!(page.set_cookie("handoff").unwrap().ends_with("; Secure"));
    assert_eq!(page.headers["strict-transport-security"], "max-age=31536000");
    let token = cookie.split(';').next().unwrap();
    browser.cookie("__Host-token", token).get("/channel/list").await.is("channelList", 200);
    // One that a subdomain could have set opens nothing.
    assert!(browser.cookie("token", token).get("/channel/list").await.redirect().starts_with("/login"));
}

/// S-H1: the form waits in the same short queue as the call, and says so when it is full.
mod busy {
    use base::password_hashing::Priority;

    use super::*;

    on_both!(the_form_says_that_too_many_wait);
    async fn the_form_says_that_too_many_wait(app: TestApp) {
        let browser = Browser::stranger(&app);
        let mut places = Vec::new();
        while let Ok(place) = app.app.hashing.place(Priority::Staff) {
            places.push(place);
        }
        is_refused(&sign_in(&browser, "operator", PASSWORD, "", "").await, "busy", "服务繁忙，请稍后再试");
        assert_eq!(app.count("SELECT COUNT(*) FROM login_log").await, 0, "the try does not count");
        drop(places);
        assert!(sign_in(&browser, "operator", PASSWORD, "", "").await.set_cookie("token").is_some());
    }
}
