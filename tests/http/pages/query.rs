//! The address is the list's state: filters and pages are GET forms and links, and what is malformed is said.

use serde_json::json;

use super::browser::Browser;
use super::content::channels;
use testing::{TestApp, on_both};

on_both!(an_address_filters_and_pages);
async fn an_address_filters_and_pages(app: TestApp) {
    let maker = app.sign_in("operator").await;
    channels(&maker, "alpha", 21).await;
    channels(&maker, "omega", 2).await;
    let operator = Browser::of(&app, "operator").await;
    let rows = async |query: &str| {
        let page = operator.get(&format!("/channel/list{query}")).await;
        page.is("channelList", 200);
        ["alpha", "omega"].map(|name| page.root().matches(&format!(r#"=ll-mono>{name}-"#)).count())
    };
    assert_eq!(rows("?pageSize=50").await, [21, 2]);
    assert_eq!(rows("?keyword=alpha&current=2").await, [1, 0]);
    assert_eq!(rows("?keyword=omega").await, [0, 2]);
    assert_eq!(rows("?keyword=omega&type=ads").await, [0, 0]);
    // A form sends its empty fields too, and they do not filter.
    assert_eq!(rows("?keyword=omega&status=&type=&createdFrom=&createdTo=&current=&pageSize=&sort=&order=").await, [0, 2]);
    assert_eq!(rows("?keyword=omega&keyword=alpha&current=2").await, [1, 0], "the last of a repeated name");
    assert_eq!(rows("?keyword=omega&utm_source=x&constructor=y&__proto__=z").await, [0, 2], "unknown names are left alone");
    assert_eq!(rows("?pageSize=50&current=2").await, [0, 0], "beyond the last page");

    let page = operator.get("/channel/list?keyword=alpha&status=enabled&pageSize=10&sort=name&order=asc").await;
    let html = page.root();
    assert!(
        html.contains(r#"class="ll-filters" popover="auto" role="search""#) && html.contains(r#" action="/channel/list" method="get">"#)
    );
    assert!(html.contains(r#"name="keyword" value="alpha""#) && html.contains(r#"<option value="enabled" selected>"#));
    for kept in [r#"name="sort" value="name""#, r#"name="order" value="asc""#, r#"name="pageSize" value="10""#] {
        assert!(html.contains(kept), "a search keeps {kept}");
    }
    let next = "/channel/list?keyword=alpha&amp;status=enabled&amp;sort=name&amp;order=asc&amp;pageSize=10&amp;current=2";
    assert!(html.contains(&format!(r#"href="{next}""#)), "a page keeps the filters");
}

on_both!(a_malformed_address_is_told_so);
async fn a_malformed_address_is_told_so(app: TestApp) {
    let operator = Browser::of(&app, "operator").await.in_english();
    for query in ["current=x", "pageSize=x", "sort=password_hash", "sort=constructor", "order=sideways", "keyword=%00"] {
        let page = operator.get(&format!("/channel/list?{query}")).await;
        page.is("channelList", 400);
        assert_eq!(page.props()["data"]["list"]["code"], "4000", "{query}");
        assert!(page.root().contains(r#"role="alert""#) && page.root().contains("The filters in this link are not valid"), "{query}");
        assert!(page.root().contains(r#"href="/channel/list""#), "{query}: a way out");
    }
}

on_both!(a_filter_that_is_none_any_more_is_left_out_with_a_notice);
async fn a_filter_that_is_none_any_more_is_left_out_with_a_notice(app: TestApp) {
    let maker = app.sign_in("operator").await;
    channels(&maker, "alpha", 2).await;
    channels(&maker, "omega", 1).await;
    let operator = Browser::of(&app, "operator").await.in_english();
    for (query, kept) in [
        ("status=nonsense", "leftOut=yes"),
        ("keyword=alpha&status=nonsense&current=1", "keyword=alpha&current=1&leftOut=yes"),
        ("ownerAdminId=1%20OR%201=1&keyword=alpha", "keyword=alpha&leftOut=yes"),
        ("createdFrom=yesterday&createdTo=2026-02-30&keyword=alpha", "keyword=alpha&leftOut=yes"),
    ] {
        let to = format!("/channel/list?{kept}");
        assert_eq!(operator.get(&format!("/channel/list?{query}")).await.redirect(), to);
        let page = operator.get(&to).await;
        page.is("channelList", 200);
        assert!(page.root().contains("not valid any more"), "{query}");
        let total = if kept.contains("alpha") { 2 } else { 3 };
        assert_eq!(page.props()["data"]["list"]["data"]["total"], total, "{query}");
    }
    assert!(!operator.get("/channel/list?keyword=alpha").await.root().contains("not valid any more"));
    // Calls go on to refuse it, and name the filters.
    let refused = maker.post("/channel/page", json!({"keyword": "alpha", "status": "nonsense", "createdTo": "x"})).await.refused("4000");
    assert_eq!(refused, json!({"filters": ["createdTo", "status"]}));
    maker.export("/channel/page/export", json!({"status": "nonsense", "format": "csv"})).await.refused("4000");
    // A range that ends before it begins is a wrong field, which the page says.
    let page = operator.get("/channel/list?createdFrom=2026-03-02&createdTo=2026-03-01").await;
    page.is("channelList", 200);
    assert!(page.root().contains("Must not be before the start") && page.root().contains(r#"href="/channel/list""#));
}
