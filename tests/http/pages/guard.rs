//! Who gets which page. Specification, sections 2 and 6.

use base::routes;
use serde_json::json;
use site::pages::settings::Settings;

use super::browser::{Browser, between};
use testing::org::receipt;
use testing::world::PASSWORD;
use testing::{TestApp, on_both, project};

on_both!(a_stranger_sees_the_login_page_and_little_else);
async fn a_stranger_sees_the_login_page_and_little_else(app: TestApp) {
    let stranger = Browser::stranger(&app);
    assert_eq!(stranger.get("/").await.redirect(), "/login"); // S2.01
    stranger.get("/login").await.is("login", 200); // S2.02
    // S2.03: the layout, without any data.
    let home = stranger.get("/home").await;
    home.is("home", 200);
    assert!(home.root().contains(r#"<main id="main""#));
    assert_eq!(home.props()["data"], json!({}));
    stranger.get("/nowhere").await.is("notFound", 404); // S2.04
    stranger.get("/channel").await.is("notFound", 404);
}

on_both!(a_stranger_is_sent_to_login_with_where_they_were_going);
async fn a_stranger_is_sent_to_login_with_where_they_were_going(app: TestApp) {
    let stranger = Browser::stranger(&app);
    // S2.19: the route's name, and the query as it came.
    for route in routes::all().filter(|route| route.page.is_some() && !route.public && route.parent.is_none()) {
        let path = route.path.as_deref().expect("a screen has an address");
        assert_eq!(stranger.get(path).await.redirect(), format!("/login?redirect={}", route.name));
        let asked = "keyword=%E5%8C%97%26&status=enabled&current=2&empty=";
        let page = stranger.get(&format!("{path}?{asked}")).await;
        assert_eq!(page.redirect(), format!("/login?redirect={}&{asked}", route.name));
        assert!(page.body.is_empty());
        assert_eq!(page.header("cache-control"), Some("no-store"));
    }
}

on_both!(a_page_opens_only_from_the_viewers_menu);
async fn a_page_opens_only_from_the_viewers_menu(app: TestApp) {
    let project = project::file(&app.sign_in("operator").await, json!({})).await;
    // S2.21, S6.03: account, and the screens it has: those of these addresses, and those below an address that ends with a slash.
    for (username, screens) in [
        ("admin", &["/"][..]),
        ("operator", &["/"]),
        ("channel.manager", &["/channel/list", "/channel/uv-list", "/chart/", "/chartMon/"]),
        (
            "north.manager",
            &[
                "/admin/list",
                "/admin/audit",
                "/admin/login-log",
                "/chart/",
                "/chartMon/",
                "/crm/",
                "/finance/recharge",
                "/finance/account",
                "/finance/invoice",
                "/payConfig/order-list",
            ],
        ),
        ("nobody", &[]),
    ] {
        let browser = Browser::of(&app, username).await;
        let home = browser.get("/home").await;
        let menu = between(home.root(), r#"<nav class="app-menu""#, "</nav>").expect("a menu");
        for route in routes::all().filter(|route| route.page.is_some() && !route.public && route.parent.is_none()) {
            let path = route.path.as_deref().unwrap();
            // A record's page is asked for one; the form is whole without.
            let names_one = route.hidden && route.loads.iter().any(|load| load.path.contains("{id}"));
            let page = browser.get(&if names_one { format!("{path}?id={project}") } else { path.to_owned() }).await;
            let has = |screen: &&str| path == *screen || (screen.ends_with('/') && path.starts_with(screen));
            let opens = route.everyone || screens.iter().any(has);
            match opens {
                true => page.is(&route.name, route.status),
                false => {
                    page.is("notFound", 404);
                    assert_eq!(page.props()["viewer"]["username"], username, "the shell of the viewer is around it");
                    assert_eq!(page.props()["data"].as_object().unwrap().len(), 0, "and no data in it");
                }
            }
            let linked = menu.contains(&format!(r#"href="{path}""#));
            assert_eq!(linked, opens && !route.hidden, "{username}'s menu: {path}");
        }
        // S2.17
        for address in ["https://arco.design", "https://arco.design/vue/docs/pro/faq"] {
            assert!(menu.contains(&format!(r#"<a href="{address}" target="_blank""#)), "{username}'s menu: {address}");
        }
        browser.get("/nowhere").await.is("notFound", 404); // S2.04
        home.is("home", 200);
        assert_eq!(browser.get("/").await.redirect(), "/dashboard/workplace");
    }
}

// S6.02
on_both!(without_the_servers_menu_a_page_of_others_leads_to_the_first_of_the_role);
async fn without_the_servers_menu_a_page_of_others_leads_to_the_first_of_the_role(app: TestApp) {
    let settings = Settings { menu_from_server: false, ..Settings::default() };
    let stranger = Browser::with_settings(&app, settings).await;
    let manager = stranger.signed_in(&app, "channel.manager").await;
    assert_eq!(manager.get("/admin/list").await.redirect(), "/dashboard/workplace");
    manager.get("/channel/list").await.is("channelList", 200);
    manager.get("/nowhere").await.is("notFound", 404);
    // A role without any page: what everyone has is switched off.
    app.execute("UPDATE menu_node SET status = 'disabled' WHERE everyone = 1").await;
    app.execute("UPDATE role SET version = version + 1 WHERE code = 'guest'").await;
    stranger.signed_in(&app, "nobody").await.get("/admin/list").await.is("notFound", 404);
}

on_both!(a_change_of_the_role_counts_with_the_next_page);
async fn a_change_of_the_role_counts_with_the_next_page(app: TestApp) {
    let auditor = Browser::of(&app, "auditor").await;
    auditor.get("/channel/list").await.is("channelList", 200);
    app.execute("DELETE FROM role_menu WHERE role_id = (SELECT id FROM role WHERE code = 'auditor')").await;
    app.execute("UPDATE role SET version = version + 1 WHERE code = 'auditor'").await;
    auditor.get("/channel/list").await.is("notFound", 404);
    app.execute("UPDATE role SET status = 'disabled' WHERE code = 'auditor'").await;
    assert_eq!(auditor.get("/channel/list").await.redirect(), "/login?redirect=channelList");
}

on_both!(a_record_has_an_address);
async fn a_record_has_an_address(app: TestApp) {
    let receipt = receipt::confirmed(&app).await;
    let (id, no) = (receipt["id"].as_i64().unwrap(), receipt["no"].as_str().unwrap());
    let address = format!("/org/receipt/{id}");

    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("orgReceiptDetail", 200);
    assert_eq!(page.props()["data"]["receipt"]["data"]["no"], no);
    assert_eq!(page.props()["data"]["history"]["data"].as_array().unwrap().len(), 2);
    assert!(page.root().contains(&format!(r#"aria-current="page">{no}</"#)), "the tab and the breadcrumb name the record");
    assert!(page.root().contains(r#"<li><a href="/org/receipt">收款单</a></li>"#), "the breadcrumb leads to the list");
    auditor.get(&format!("{address}/?id=1")).await.is("orgReceiptDetail", 200);

    // No record, no id, no permission.
    auditor.get("/org/receipt/999999").await.is("orgReceiptDetail", 404);
    for nothing in ["/org/receipt/0x1", "/org/receipt/-1", &format!("{address}/edit"), "/org/receipt/9999999999999999"] {
        auditor.get(nothing).await.is("notFound", 404);
    }
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);

    // By way of the login, and back.
    let asked = Browser::stranger(&app).get(&format!("{address}?tab=history")).await;
    assert_eq!(asked.redirect(), format!("/login?redirect=orgReceiptDetail&id={id}&tab=history"));
    let form =
        [("redirect", "orgReceiptDetail"), ("query", &*format!("id={id}&tab=history")), ("username", "auditor"), ("password", PASSWORD)];
    assert_eq!(Browser::stranger(&app).submit("/login", &form).await.redirect(), format!("{address}?tab=history"));
}
