//! Addresses and methods that no link of ours has: never our fault, never a page that was not rendered.

use axum::http::Method;

use super::browser::Browser;
use testing::{TestApp, on_both};

on_both!(an_odd_path_is_a_page_like_any_other);
async fn an_odd_path_is_a_page_like_any_other(app: TestApp) {
    for browser in [Browser::stranger(&app), Browser::of(&app, "operator").await] {
        for path in [
            "/../etc/passwd",
            "/..%2f..%2fetc%2fpasswd",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/assets/../server.js",
            "/%00",
            "/%0A",
            "/x/%0D%0Ay",
            "/x/%E2%80%A8",
            "/%E2%80%A9/",
            "/channel/list%00",
            "/channel%2flist",
            "/%zz",
            "/%",
            "/%e5%8c",
            "/%ff%fe",
            "/channel//list",
            "/CHANNEL/LIST",
            "/channel/list;jsessionid=1",
            "/channel/list/x",
            "/channel/list.json",
            "//evil.example/channel/list",
            "//",
            "/*",
            "/:id",
            "/__proto__",
            "/constructor",
            "/index.php?s=x",
            "/.git/config",
            &format!("/{}", "a".repeat(60_000)),
            &"/a".repeat(20_000),
        ] {
            let page = browser.get(path).await;
            page.is("notFound", 404);
        }
    }
}

on_both!(a_trailing_slash_is_the_same_page);
async fn a_trailing_slash_is_the_same_page(app: TestApp) {
    let operator = Browser::of(&app, "operator").await;
    for path in ["/channel/list/", "/channel/list///", "/channel/list/?current=1", "/channel/list?", "/channel/list?&&=&"] {
        operator.get(path).await.is("channelList", 200);
    }
    assert_eq!(Browser::stranger(&app).get("/channel/list/?current=2").await.redirect(), "/login?redirect=channelList&current=2");
}

on_both!(an_odd_query_breaks_nothing);
async fn an_odd_query_breaks_nothing(app: TestApp) {
    let (stranger, operator) = (Browser::stranger(&app), Browser::of(&app, "operator").await);
    let many = "a=1&".repeat(12_000);
    for query in [
        "=",
        "&",
        "%",
        "%zz=%zz",
        "keyword=%ff%fe",
        "keyword=%F0%9F%98%80",
        "__proto__=1&constructor=2&toString=3&hasOwnProperty=4",
        "__proto__[x]=1&a[]=2&a[b]=3",
        "redirect=__proto__",
        "redirect=toString&redirect=constructor",
        "redirect=//evil.example",
        "a=1;b=2",
        "?",
        many.as_str(),
    ] {
        for path in ["/login", "/home"] {
            let page = stranger.get(&format!("{path}?{query}")).await;
            page.is(&path[1..], 200);
        }
        let page = operator.get(&format!("/channel/list?{query}")).await;
        assert!(matches!(page.status, 200 | 400) && !page.is_shell(), "{}: {}", &query[..query.len().min(40)], page.status);
        assert!(stranger.get(&format!("/channel/list?{query}")).await.redirect().starts_with("/login?redirect=channelList"));
    }
    // No link of a page repeats a field that no filter holds.
    let long = format!("keyword={}", "a".repeat(60_000));
    for path in ["/login", "/home", "/channel/list"] {
        assert_eq!(operator.get(&format!("{path}?{long}")).await.status, 400, "{path}");
    }
}

on_both!(pages_answer_get_and_head_alone);
async fn pages_answer_get_and_head_alone(app: TestApp) {
    let operator = Browser::of(&app, "operator").await;
    for (path, status) in [("/channel/list", 200), ("/login", 200), ("/nowhere", 404), ("/channel/list?current=x", 400), ("/", 302)] {
        let head = operator.send(Method::HEAD, path, String::new()).await;
        assert_eq!((head.status, head.body.len()), (status, 0), "{path}");
        assert_eq!(head.header("cache-control"), Some("no-store"), "{path}");
    }
    for method in
        [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS, Method::TRACE, Method::from_bytes(b"PROPFIND").unwrap()]
    {
        for path in ["/channel/list", "/nowhere", "/", "/healthz", "/assets/x.js"] {
            let page = operator.send(method.clone(), path, "x".repeat(100)).await;
            assert_eq!(page.status, 405, "{method} {path}");
        }
    }
    // Only a call may say that it is another method.
    let disguised = operator.with("x-http-method-override", "DELETE").with("token", "x");
    disguised.send(Method::POST, "/login?_method=DELETE", String::new()).await.is("login", 200);
}

on_both!(odd_headers_break_nothing);
async fn odd_headers_break_nothing(app: TestApp) {
    let operator = Browser::of(&app, "operator").await;
    let long = "x".repeat(20_000);
    for (name, value) in [
        ("accept-language", "*;q=nonsense,,,;"),
        ("accept-encoding", "*;q=nonsense, ;;;"),
        ("user-agent", long.as_str()),
        ("x-forwarded-for", "999.999.999.999, ::1, unknown"),
        ("x-http-method-override", "TRACE"),
        ("if-none-match", "*"),
        ("range", "bytes=0-1"),
        ("content-length", "0"),
        ("host", "evil.example"),
    ] {
        operator.with(name, value).get("/channel/list").await.is("channelList", 200);
    }
    for cookies in ["locale", ";;;=;=x; =; theme=dark=light", "token; token=; token", "locale=\"en-US\""] {
        let page = Browser::stranger(&app).with("cookie", cookies).get("/login").await;
        page.is("login", 200);
    }
}
