//! The shell's buttons without scripts: `POST /logout` and `POST /preferences`.

use serde_json::json;

use super::browser::Browser;
use testing::{TestApp, on_both};

on_both!(signing_out_ends_this_session_and_no_other);
async fn signing_out_ends_this_session_and_no_other(app: TestApp) {
    let (here, there) = (Browser::of(&app, "operator").await, Browser::of(&app, "operator").await);
    assert!(here.get("/channel/list").await.root().contains(r#"action="/logout" method="post""#));
    let done = here.submit("/logout", &[]).await;
    assert_eq!((done.status, done.redirect()), (303, "/login"));
    assert!(done.set_cookie("token").unwrap().starts_with(';'), "the cookie is emptied");
    assert_eq!(here.get("/channel/list").await.status, 302, "the old cookie opens nothing");
    there.get("/channel/list").await.is("channelList", 200);
    assert_eq!(Browser::stranger(&app).submit("/logout", &[]).await.redirect(), "/login");
}

on_both!(another_site_signs_nobody_out);
async fn another_site_signs_nobody_out(app: TestApp) {
    let browser = Browser::of(&app, "operator").await;
    for foreign in [
        browser.with("sec-fetch-site", "cross-site"),
        browser.with("sec-fetch-site", "same-site"),
        browser.with("origin", "https://evil.example"),
    ] {
        assert_eq!(foreign.submit("/logout", &[]).await.redirect(), "/");
        assert!(foreign.submit("/preferences", &[("locale", "en-US")]).await.set_cookie("locale").is_none());
    }
    browser.get("/channel/list").await.is("channelList", 200);
}

on_both!(a_choice_is_kept_and_leads_back);
async fn a_choice_is_kept_and_leads_back(app: TestApp) {
    let browser = Browser::of(&app, "operator").await;
    let form = browser.get("/channel/list?keyword=a&current=2").await;
    assert!(form.root().contains(r#"name="back" value="/channel/list?keyword=a&amp;current=2""#));
    let chosen = browser.submit("/preferences", &[("locale", "en-US"), ("back", "/channel/list?keyword=a&current=2")]).await;
    assert_eq!((chosen.status, chosen.redirect()), (303, "/channel/list?keyword=a&current=2"));
    let cookie = chosen.set_cookie("locale").unwrap();
    assert!(cookie.starts_with("en-US;") && cookie.contains("SameSite=Lax") && cookie.contains("Max-Age=31536000"), "{cookie}");
    assert!(chosen.set_cookie("theme").is_none());

    assert!(browser.submit("/preferences", &[("theme", "other")]).await.set_cookie("theme").unwrap().starts_with("dark;"));
    let dark = browser.cookie("theme", "dark");
    assert!(dark.submit("/preferences", &[("theme", "other")]).await.set_cookie("theme").unwrap().starts_with("light;"));
}

on_both!(a_form_of_nonsense_does_no_harm);
async fn a_form_of_nonsense_does_no_harm(app: TestApp) {
    let browser = Browser::of(&app, "operator").await;
    for back in ["//evil.example/", "https://evil.example/", "/\\evil.example", "/a\r\nSet-Cookie: b=1"] {
        assert_eq!(browser.submit("/preferences", &[("theme", "other"), ("back", back)]).await.redirect(), "/");
    }
    let odd = browser.submit("/preferences", &[("locale", "xx\r\nSet-Cookie: b=1")]).await;
    assert_eq!(odd.set_cookie("locale").unwrap().split(';').next(), Some("en-US"), "an unknown language is the one all understand");
    let long = browser.submit("/preferences", &[("theme", "other"), ("back", &"/x".repeat(20_000))]).await;
    assert_eq!((long.redirect(), long.set_cookie("theme")), ("/", None));
    assert_eq!(browser.get("/logout").await.status, 404, "a link signs nobody out");
    assert_eq!(app.sign_in("operator").await.get("/admin/me").await.ok()["username"], json!("operator"));
}
