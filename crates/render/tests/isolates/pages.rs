//! The pages of the product's bundle.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{config, start};
use render::{Bundle, RenderConfig, Shared};

/// The bundle the build embeds.
fn pages() -> Bundle {
    Bundle { script: front::SERVER_BUNDLE, source_map: Some(front::SERVER_BUNDLE_MAP) }
}

/// What the pages of a role have in common: a menu, and the points that it holds.
fn role(locale: &str, points: &[&str]) -> Shared {
    let menu = json!([{
        "id": 1, "name": "channel", "path": "/channel", "type": 1, "title": "Channels", "icon": "channel", "order": 1,
        "external": null, "hidden": false, "children": [{
            "id": 2, "name": "channelList", "path": "/channel/list", "type": 1, "title": "Channel list", "icon": null,
            "order": 1, "external": null, "hidden": false, "children": null,
        }],
    }]);
    let json = json!({"locale": locale, "menu": menu, "points": points}).to_string();
    Shared { key: json.as_str().into(), json: json.into() }
}

/// Props of the channel list as `crates/site/src/pages` hands them over.
fn channel_list(viewer: &str, locale: &str, channel: &str) -> Arc<str> {
    let rows: Vec<_> = (1..=20)
        .map(|id| {
            json!({
                "id": id, "code": format!("CH{id}"), "name": channel, "type": "ads", "settleMode": "registered",
                "unitPriceCents": 123_456, "shareBp": 0, "landingUrl": null, "appKey": "key", "ipAllow": [],
                "callbackUrl": null, "mode": "live", "status": "enabled", "dedupDays": 30, "dedupScope": "site", "requiredFields": [], "caps": [], "filters": null, "usage": [], "oldSecretUntil": null, "ownerAdminId": 1,
                "ownerName": viewer, "remark": "", "version": 1, "createdAt": 1_763_700_000_000_i64,
                "updatedAt": 1_763_700_000_000_i64,
            })
        })
        .collect();
    json!({
        "url": "/channel/list?current=1", "route": "channelList", "head": {"title": "Channels"}, "status": 200,
        "viewer": {
            "id": 1, "name": viewer, "username": viewer, "role": "operator", "roleName": "Operator", "scope": "all",
            "orgId": null, "orgName": null, "avatar": null, "mustChangePwd": false,
        },
        "locale": locale, "theme": "light", "today": "2026-01-31",
        "settings": settings(),
        "data": {
            "list": envelope(json!({ "list": rows, "total": 20, "totalIsExact": true, "current": 1, "pageSize": 20 })),
            "choices": envelope(json!({})),
            "owners": envelope(json!([{ "value": 1, "label": viewer }])),
        },
    })
    .to_string()
    .into()
}

fn settings() -> Value {
    json!({
        "theme": "light", "themeColor": "#165DFF", "menuWidth": 220, "device": "desktop", "tabBar": true,
        "menuFromServer": true, "navbar": true, "footer": true, "menu": true, "menuCollapse": false, "colorWeak": false,
        "pageTitle": false, "links": true,
    })
}

fn envelope(data: Value) -> Value {
    json!({ "code": "0000", "desc": "", "data": data })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_keep_two_viewers_apart() {
    let pool = start(pages(), config(1)).expect("the bundle starts");
    let ann = channel_list("Ann Arbor", "zh-CN", "北辰渠道");
    let bob = channel_list("Bob Burton", "en-US", "Southern channel");
    let mut before = None;
    for _ in 0..5 {
        let page = pool.render_with(ann.clone(), Some(role("zh-CN", &["channel/list/list"]))).await.unwrap().html;
        assert!(page.contains("Ann Arbor") && page.contains("北辰渠道") && !page.contains("Bob"));
        assert_eq!(before.get_or_insert_with(|| page.clone()), &page, "the same props give the same bytes");
        let page = pool.render_with(bob.clone(), Some(role("en-US", &["channel/list/list"]))).await.unwrap().html;
        assert!(page.contains("Southern channel") && !page.contains("Ann Arbor") && !page.contains("北辰"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_props_in_two_roles_are_two_pages() {
    for memo_mb in [0, 8] {
        let pool = start(pages(), RenderConfig { memo_mb, ..config(1) }).expect("the bundle starts");
        let props = channel_list("Ann Arbor", "en-US", "Southern channel");
        let (maker, reader) = (role("en-US", &["channel/list/list", "channel/list/create"]), role("en-US", &["channel/list/list"]));
        for turn in 0..3 {
            let made = pool.render_with(props.clone(), Some(maker.clone())).await.unwrap();
            let read = pool.render_with(props.clone(), Some(reader.clone())).await.unwrap();
            assert!(made.html.contains("New channel") && !read.html.contains("New channel"), "memo {memo_mb}, turn {turn}");
            assert!(read.html.contains(r#"<a href="/channel/list" aria-current="page">"#));
            let stranger = pool.render(props.clone()).await.unwrap();
            assert!(!stranger.html.contains("data-group") && !stranger.html.contains("New channel"));
            assert_eq!((made.timings.memo, stranger.timings.memo), (memo_mb > 0 && turn > 0, memo_mb > 0 && turn > 0));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_keeps_a_bounded_number_of_roles() {
    let pool = start(pages(), config(1)).expect("the bundle starts");
    let props = channel_list("Ann Arbor", "en-US", "Southern channel");
    for turn in 0..200 {
        let point = format!("point/{turn}");
        let page = pool.render_with(props.clone(), Some(role("en-US", &["channel/list/create", &point]))).await.unwrap();
        assert!(page.html.contains("New channel"), "role {turn}");
    }
    let broken = Shared { key: "broken".into(), json: "{".into() };
    assert!(pool.render_with(props.clone(), Some(broken)).await.is_err(), "the browser draws this page");
    assert!(pool.render_with(props, Some(role("en-US", &[]))).await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_show_markup_in_data_as_text() {
    let pool = start(pages(), config(1)).expect("the bundle starts");
    let page = pool.render(channel_list("</script><script>alert(1)</script>", "zh-CN", "<img src=x onerror=alert(1)>")).await.unwrap();
    assert!(page.html.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(!page.html.contains("<script") && !page.html.contains("<img src=x"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_for_strangers_render() {
    let pool = start(pages(), config(1)).expect("the bundle starts");
    for (route, url, status) in
        [("login", "/login", 200), ("notFound", "/none", 404), ("forbidden", "/no", 403), ("serverError", "/oh", 500)]
    {
        for locale in ["zh-CN", "en-US"] {
            let props = json!({
                "url": url, "route": route, "head": {"title": route, "isSpecial": true}, "status": status, "viewer": null,
                "locale": locale, "theme": "dark", "today": "2026-01-31", "settings": settings(), "data": {},
            });
            let page = pool.render(props.to_string().into()).await.unwrap_or_else(|failure| panic!("{route}: {failure:?}"));
            assert!(page.html.len() > 100 && !page.html.contains(" style="), "{route}: {}", page.html);
        }
    }
}

/// A page of charts as the product's bundle draws it, with figures from `seed`, for a viewer of that name.
fn charts(name: &str, seed: i64) -> Arc<str> {
    let labels: Vec<String> = (1..=30).map(|day| format!("2026-01-{day:02}")).collect();
    let series = |n: i64| json!({"name": format!("series {n}"), "values": (0..30).map(|i| (i * seed * n) % 17).collect::<Vec<_>>()});
    let chart = |kind: &str| json!({"id": kind, "title": kind, "kind": kind, "axis": "Day", "labels": labels, "series": [series(1), series(2)], "colors": []});
    let answer = json!({"from": "2026-01-01", "to": "2026-01-30", "days": 30, "charts": (["line", "stack", "share", "rank"].map(chart))});
    json!({
        "url": "/visualization", "route": "visualization", "head": {"title": "Charts"}, "status": 200, "locale": "zh-CN", "theme": "light", "today": "2026-01-31",
        "viewer": {"id": 1, "name": name, "username": name, "role": "admin", "roleName": "r", "scope": "all", "orgId": null, "orgName": null,
                   "avatar": null, "mustChangePwd": false},
        "settings": {"theme": "light", "themeColor": "#165DFF", "menuWidth": 220, "device": "desktop", "tabBar": true, "menuFromServer": true,
                     "navbar": false, "footer": false, "menu": true, "menuCollapse": false, "colorWeak": false,
                     "pageTitle": false, "links": true},
        "noPictures": cfg!(feature = "quickjs"),
        "data": {"page": {"code": "0000", "desc": "", "data": answer}},
    })
    .to_string()
    .into()
}

#[tokio::test(flavor = "multi_thread")]
async fn charts_are_pure_leave_nothing_behind_and_show_nothing_of_others() {
    let product = Bundle { script: front::SERVER_BUNDLE, source_map: Some(front::SERVER_BUNDLE_MAP) };
    let pool =
        start(product, RenderConfig { deadline: Duration::from_secs(30), heap_mb: 96, ..config(1) }).expect("the product's bundle starts");
    let first = pool.render(charts("Ann", 3)).await.unwrap().html;
    let pictures = if cfg!(feature = "v8") { 4 } else { 0 };
    let drawn = |mark: &str| first.matches(mark).count();
    assert_eq!(
        drawn(r#"viewBox="0 0 600 260""#) + drawn(r#"<svg width="100%""#),
        pictures,
        "bars by size are drawn in parts of their width"
    );
    assert_eq!(first.matches("<table").count(), 4, "the figures are there in any case");
    let second = pool.render(charts("Bob", 5)).await.unwrap().html;
    assert!(first.contains("Ann") && second.contains("Bob") && !second.contains("Ann") && first != second);

    let rounds = if cfg!(feature = "v8") { 167 } else { 5 };
    for _ in 0..rounds {
        assert_eq!(pool.render(charts("Ann", 3)).await.unwrap().html, first, "the same props are the same bytes");
    }
    // 500 pictures of the library that were kept would be gigabytes: the isolate would have been replaced or recycled.
    let stats = pool.stats();
    assert_eq!((stats.replacements, stats.recycles, stats.failures.total()), (0, 0, 0), "{stats:?}");
}
