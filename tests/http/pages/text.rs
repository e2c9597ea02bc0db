//! What people type is text, wherever it stands; and what one viewer sees, another does not.

use serde_json::json;

use super::browser::Browser;
use testing::{TestApp, on_both};

const HOSTILE: &[&str] = &[
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "<img src=x onerror=alert(1)>",
    r#"" onfocus="alert(1)" x=""#,
    "'; alert(1); '",
    "${alert(1)} {{7*7}} <%= 7 %>",
    "a\u{2028}\u{2029}b",
    r"\u003c/script>\",
    "&lt;b&gt; &amp; 渠道 😀",
];

/// Nothing that was typed has become markup: the document has its own three scripts and no more.
fn is_text(html: &str) {
    assert_eq!(html.matches("<script").count(), 3);
    assert_eq!(html.matches("</script").count(), 3);
    for markup in ["<script>alert", "<img", " onfocus=\"alert", "<!--<", "<%="] {
        assert!(!html.contains(markup), "{markup}");
    }
}

on_both!(markup_in_a_record_is_text);
async fn markup_in_a_record_is_text(app: TestApp) {
    let maker = app.sign_in("operator").await;
    for (number, text) in HOSTILE.iter().enumerate() {
        let channel = json!({"code": format!("hostile-{number}"), "name": text, "remark": text, "type": "api", "settleMode": "none"});
        maker.post("/channel", channel).await.ok();
    }
    let page = Browser::of(&app, "operator").await.get("/channel/list?sort=code&order=asc").await;
    page.is("channelList", 200);
    is_text(page.text());
    assert!(page.root().contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    let rows = page.props()["data"]["list"]["data"]["list"].clone();
    for (row, text) in rows.as_array().unwrap().iter().zip(HOSTILE) {
        assert_eq!((row["name"].as_str(), row["remark"].as_str()), (Some(text.trim()), Some(text.trim())), "as it was typed");
    }
}

on_both!(markup_in_an_address_is_text);
async fn markup_in_an_address_is_text(app: TestApp) {
    let (stranger, operator) = (Browser::stranger(&app), Browser::of(&app, "operator").await);
    for text in HOSTILE {
        let query = serde_urlencoded::to_string([("keyword", text), ("redirect", text), ("query", text)]).unwrap();
        let page = operator.get(&format!("/channel/list?{query}")).await;
        page.is("channelList", 200);
        is_text(page.text());
        assert!(page.props()["url"].as_str().unwrap().ends_with(&query));
        for path in ["/login", "/home", "/nowhere"] {
            is_text(stranger.get(&format!("{path}?{query}")).await.text());
        }
        is_text(stranger.submit("/login", &[("username", text), ("password", "x"), ("redirect", text), ("query", text)]).await.text());
    }
    for path in [r#"/"onfocus="alert(1)""#, "/%3Cscript%3Ealert(1)%3C/script%3E", "/'><b>".replace(['<', '>'], "").as_str()] {
        let page = operator.get(path).await;
        page.is("notFound", 404);
        is_text(page.text());
    }
}

on_both!(two_viewers_in_turn_leave_no_trace_of_each_other);
async fn two_viewers_in_turn_leave_no_trace_of_each_other(app: TestApp) {
    let viewers = ["north.manager", "south.manager"];
    let browsers = [Browser::of(&app, viewers[0]).await, Browser::of(&app, viewers[1]).await.in_english().cookie("theme", "dark")];
    let first = [browsers[0].get("/admin/list").await, browsers[1].get("/admin/list").await];
    for _ in 0..5 {
        for (index, browser) in browsers.iter().enumerate() {
            let page = browser.get("/admin/list").await;
            page.is("adminList", 200);
            let (own, other) = (viewers[index], viewers[1 - index]);
            assert!(page.root().contains(own) && !page.text().contains(other.split('.').next().unwrap()), "{own}");
            assert!(page.root() == first[index].root(), "the same props make the same page");
        }
        // A stranger's page between them knows neither.
        let page = Browser::stranger(&app).get("/login").await;
        assert!(!page.text().contains("manager") && page.props()["viewer"].is_null());
    }
}
