//! What the pages of a role have in common, apart from them: each viewer gets their own, also from an isolate and a
//! memo that others use too.

use std::sync::Arc;
use std::time::Duration;

use base::locale::Locale;
use base::routes;
use render::{Bundle, RenderConfig, RenderPool};
use serde_json::{Value, json};

use super::browser::{Browser, Page, between, start_engine};
use testing::{TestApp, on_both};

/// The address that a document names.
fn address(page: &Page) -> String {
    let key = page.props()["roleData"].as_str().expect("a key").to_owned();
    let address = format!("/role-data/{key}");
    let link = format!(r#"<link data-rel="preload" href="{address}" as="fetch" crossorigin>"#);
    assert!(page.text().contains(&link), "a browser begins to fetch it after the style sheet");
    address
}

/// The menu and the points of a page's viewer.
async fn data(browser: &Browser, page: &Page) -> Value {
    let answer = browser.get(&address(page)).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    serde_json::from_str(answer.text()).expect("JSON")
}

on_both!(the_menu_and_the_points_of_a_role_are_a_file_of_their_own);
async fn the_menu_and_the_points_of_a_role_are_a_file_of_their_own(app: TestApp) {
    let operator = Browser::of(&app, "operator").await.in_english();
    let page = operator.get("/channel/list").await;
    assert!(page.props().get("menu").is_none() && page.props().get("points").is_none());
    // S3.04: no permission point is in the menu, no list of children is empty; the points come by their paths.
    let found = data(&operator, &page).await;
    let menu = found["menu"].to_string();
    assert!(menu.contains(r#""type":1"#) && !menu.contains(r#""type":2"#) && !menu.contains(r#""children":[]"#), "{menu}");
    assert!(found["points"].as_array().unwrap().contains(&json!("channel/list/create")));
    let answer = operator.get(&address(&page)).await;
    assert_eq!(answer.header("cache-control"), Some("private, max-age=43200, immutable"));
    // All pages of the role in one language share it.
    assert_eq!(address(&operator.get("/home").await), address(&page));
    let chinese = Browser::of(&app, "operator").await;
    assert_ne!(address(&chinese.get("/home").await), address(&page));
}

on_both!(no_role_gets_the_menu_of_another);
async fn no_role_gets_the_menu_of_another(app: TestApp) {
    let admin = Browser::of(&app, "admin").await.in_english();
    let auditor = Browser::of(&app, "auditor").await.in_english();
    let (of_admin, of_auditor) = (admin.get("/channel/list").await, auditor.get("/channel/list").await);
    let own = data(&auditor, &of_auditor).await;
    assert!(!own["points"].as_array().unwrap().contains(&json!("channel/list/create")));
    for address in [address(&of_admin), "/role-data/x".to_owned(), "/role-data/%00".to_owned()] {
        let answer = auditor.get(&address).await;
        assert_eq!((answer.status, answer.header("cache-control"), answer.text()), (409, Some("no-store"), ""), "{address}");
    }
    let stranger = Browser::stranger(&app).get(&address(&of_admin)).await;
    assert_eq!((stranger.status, stranger.header("cache-control"), stranger.text()), (401, Some("no-store"), ""));
    let gone = admin.cookie("token", "x").get(&address(&of_admin)).await;
    assert_eq!(gone.status, 401);
}

/// An engine of one isolate, which remembers up to so many MB of pages.
fn engine(memo_mb: u64) -> Arc<RenderPool> {
    let bundle = Bundle { script: front::SERVER_BUNDLE, source_map: None };
    start_engine(bundle, RenderConfig { isolates: 1, memo_mb, deadline: Duration::from_secs(30), ..RenderConfig::default() })
}

on_both!(viewers_of_one_isolate_see_their_own_menu_before_and_after_a_change);
async fn viewers_of_one_isolate_see_their_own_menu_before_and_after_a_change(app: TestApp) {
    for memo_mb in [0, 8] {
        let engine = engine(memo_mb);
        let of = async |username: &str| Browser::with_engine(&app, engine.clone()).signed_in(&app, username).await.in_english();
        let (operator, auditor) = (of("operator").await, of("auditor").await);
        let mut keys = Vec::new();
        for turn in 0..4 {
            // A page is not taken from the memo of before the change.
            if turn == 2 {
                app.execute(
                    "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
                     WHERE r.code = 'auditor' AND m.path = 'channel/list/create'",
                )
                .await;
                app.execute("UPDATE role SET version = version + 1 WHERE code = 'auditor'").await;
            }
            let (first, second) = (operator.get("/channel/list").await, auditor.get("/channel/list").await);
            assert!(first.root().contains("New channel"), "memo {memo_mb}, turn {turn}");
            assert_eq!(second.root().contains("New channel"), turn >= 2, "memo {memo_mb}, turn {turn}");
            assert_ne!(address(&first), address(&second), "memo {memo_mb}, turn {turn}");
            keys.push(address(&second));
        }
        assert!(keys[0] == keys[1] && keys[1] != keys[2] && keys[2] == keys[3]);
        app.execute(
            "DELETE FROM role_menu WHERE role_id = (SELECT id FROM role WHERE code = 'auditor') \
             AND menu_id = (SELECT id FROM menu_node WHERE path = 'channel/list/create')",
        )
        .await;
        app.execute("UPDATE role SET version = version + 1 WHERE code = 'auditor'").await;
    }
}

on_both!(parts_kept_for_a_role_show_nothing_of_another_viewer);
async fn parts_kept_for_a_role_show_nothing_of_another_viewer(app: TestApp) {
    let shared = engine(0);
    // Keeps no parts.
    let forgets = "{const {share} = globalThis; globalThis.share = (json) => ({...share(json), parts: undefined})}";
    let script = format!("{};{forgets}", front::SERVER_BUNDLE).leak();
    let config = RenderConfig { isolates: 1, memo_mb: 0, deadline: Duration::from_secs(30), ..RenderConfig::default() };
    let fresh = start_engine(Bundle { script, source_map: None }, config);
    let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    let first = Browser::with_engine(&app, shared.clone()).cookie("token", north.token());
    let second = Browser::with_engine(&app, shared).cookie("token", south.token());
    let alone = Browser::with_engine(&app, fresh).cookie("token", south.token());
    let mut compared = 0;
    for route in routes::all().filter(|route| route.page.is_some() && !route.public && route.parent.is_none()) {
        let path = route.path.as_deref().expect("a page has a path");
        for address in [path.to_owned(), format!("{path}?current=2&keyword=x")] {
            if first.get(&address).await.status != 200 {
                continue;
            }
            let by_itself = alone.get(&address).await;
            // The second time its own parts are kept too.
            for time in 1..=2 {
                assert!(second.get(&address).await.root() == by_itself.root(), "{address}, time {time}");
            }
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

on_both!(a_page_that_the_browser_draws_has_the_menu_in_its_document);
async fn a_page_that_the_browser_draws_has_the_menu_in_its_document(app: TestApp) {
    let bundle = Bundle { script: "globalThis.render = () => { throw new Error(); };", source_map: None };
    let broken = start_engine(bundle, RenderConfig { isolates: 1, ..RenderConfig::default() });
    let operator = Browser::with_engine(&app, broken).signed_in(&app, "operator").await.in_english();
    let page = operator.get("/channel/list").await;
    assert!(page.is_shell() && !page.text().contains("/role-data/"));
    let json = between(page.text(), r#"id="role-data">"#, "</script>").expect("the menu");
    let data: Value = serde_json::from_str(json).unwrap();
    assert!(data["points"].as_array().unwrap().contains(&json!("channel/list/create")));
}

on_both!(the_login_page_names_no_menu);
async fn the_login_page_names_no_menu(app: TestApp) {
    let page = Browser::of(&app, "operator").await.get("/login").await;
    page.is("login", 200);
    assert!(page.props().get("roleData").is_none() && !page.text().contains("/role-data/"));
}

on_both!(a_role_in_two_languages_has_two_menus);
async fn a_role_in_two_languages_has_two_menus(app: TestApp) {
    let browser = Browser::of(&app, "operator").await;
    for (locale, title) in [(Locale::Chinese, "渠道列表"), (Locale::English, "Channel list")] {
        let browser = browser.cookie("locale", locale.tag());
        let page = browser.get("/channel/list").await;
        let found = data(&browser, &page).await;
        assert_eq!(found["locale"], locale.tag());
        assert!(found["menu"].to_string().contains(title) && page.root().contains(&format!("{title}</a>")));
    }
}
