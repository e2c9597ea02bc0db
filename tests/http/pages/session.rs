//! The cookie opens pages and nothing else; a token that is none any more opens nothing.

use base::clock::HOUR;
use base::crypto::Keys;
use frame::access::session;

use super::browser::Browser;
use testing::{TestApp, on_both};

async fn is_sent_to_login(browser: &Browser) {
    assert_eq!(browser.get("/channel/list?current=2").await.redirect(), "/login?redirect=channelList&current=2");
    // And public pages show nothing of the viewer.
    let home = browser.get("/home").await;
    home.is("home", 200);
    assert!(home.props()["viewer"].is_null() && home.props().get("roleData").is_none());
}

// S2.19
on_both!(a_token_that_is_none_opens_no_page);
async fn a_token_that_is_none_opens_no_page(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (stranger, token) = (Browser::stranger(&app), operator.token());
    let foreign = session::issue(&Keys::new(b"another house's secret, long enough", &[7; 32]), 2, 1, app.now());
    let no_session = session::issue(&app.app.keys, app.account("operator").await, 999, app.now());
    let another = session::issue(&app.app.keys, app.account("admin").await, 1, app.now());
    let (head, tail) = token.rsplit_once('.').unwrap();
    let (header, claims) = head.split_once('.').unwrap();
    for bad in [
        "".to_owned(),
        "x".to_owned(),
        "a.b.c".to_owned(),
        "%00".to_owned(),
        "9".repeat(8000),
        format!("{head}."),
        format!("{head}.{}", tail.chars().rev().collect::<String>()),
        format!("{header}.{}.{tail}", claims.to_lowercase()),
        format!("eyJhbGciOiJub25lIn0.{claims}."),
        foreign,
        no_session,
        another,
    ] {
        is_sent_to_login(&stranger.cookie("token", &bad)).await;
    }
    stranger.cookie("token", token).get("/channel/list").await.is("channelList", 200);
}

on_both!(a_session_ends_with_the_next_page);
async fn a_session_ends_with_the_next_page(app: TestApp) {
    let (operator, auditor) = (app.sign_in("operator").await, app.sign_in("auditor").await);
    let browser = Browser::stranger(&app).cookie("token", operator.token());
    browser.get("/channel/list").await.is("channelList", 200);
    operator.post("/admin/logout", serde_json::json!({})).await.ok();
    is_sent_to_login(&browser).await;

    let browser = Browser::stranger(&app).cookie("token", auditor.token());
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'auditor'").await;
    is_sent_to_login(&browser).await;
    app.execute("UPDATE administrator SET status = 'enabled' WHERE username = 'auditor'").await;
    browser.get("/channel/list").await.is("channelList", 200);
    app.advance(13 * HOUR);
    is_sent_to_login(&browser).await;
}

on_both!(the_cookie_opens_no_call_and_the_header_no_page);
async fn the_cookie_opens_no_call_and_the_header_no_page(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (cookie, header) =
        (Browser::stranger(&app).cookie("token", operator.token()), Browser::stranger(&app).with("token", operator.token()));
    for path in ["/api/admin/me", "/api/menu/listByToken", "/api/channel/options"] {
        assert!(cookie.get(path).await.text().starts_with(r#"{"code":"2000""#), "{path}");
        assert!(header.get(path).await.text().starts_with(r#"{"code":"0000""#), "{path}");
    }
    let create = cookie.with("content-type", "application/json").send(axum::http::Method::POST, "/api/channel", "{}".to_owned()).await;
    assert!(create.text().starts_with(r#"{"code":"2000""#));
    is_sent_to_login(&header).await;
    cookie.get("/channel/list").await.is("channelList", 200);
}
