//! The address is the list's state: filters and pages are GET forms and links, and what is malformed is said.

use super::browser::Browser;
use super::content::channels;
use crate::support::{TestApp, on_both};

on_both!(an_address_filters_and_pages);
async fn an_address_filters_and_pages(app: TestApp) {
    let maker = app.sign_in("operator").await;
    channels(&maker, "alpha", 21).await;
    channels(&maker, "omega", 2).await;
    let operator = Browser::of(&app, "operator").await;
    let rows = async |query: &str| {
        let page = operator.get(&format!("/channel/list{query}")).await;
        page.is("channelList", 200);
        ["alpha", "omega"].map(|name| page.root().matches(&format!(r#""ll-mono">{name}-"#)).count())
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
    assert!(html.contains(r#"class="ll-filters" popover="auto" role="search" action="/channel/list" method="get">"#));
    assert!(html.contains(r#"name="keyword" value="alpha""#) && html.contains(r#"<option value="enabled" selected="">"#));
    for kept in [r#"name="sort" value="name""#, r#"name="order" value="asc""#, r#"name="pageSize" value="10""#] {
        assert!(html.contains(kept), "a search keeps {kept}");
    }
    let next = "/channel/list?keyword=alpha&amp;status=enabled&amp;sort=name&amp;order=asc&amp;pageSize=10&amp;current=2";
    assert!(html.contains(&format!(r#"href="{next}""#)), "a page keeps the filters");
}

on_both!(a_malformed_address_is_told_so);
async fn a_malformed_address_is_told_so(app: TestApp) {
    let operator = Browser::of(&app, "operator").await.in_english();
    for query in [
        "current=x",
        "pageSize=x",
        "sort=password_hash",
        "sort=constructor",
        "order=sideways",
        "status=nonsense",
        "ownerAdminId=1%20OR%201=1",
        "createdFrom=yesterday",
        "createdTo=2026-02-30",
        "keyword=%00",
    ] {
        let page = operator.get(&format!("/channel/list?{query}")).await;
        page.is("channelList", 400);
        assert_eq!(page.props()["data"]["list"]["code"], "4000", "{query}");
        assert!(page.root().contains(r#"role="alert""#) && page.root().contains("The filters in this link are not valid"), "{query}");
        assert!(page.root().contains(r#"href="/channel/list""#), "{query}: a way out");
    }
}
