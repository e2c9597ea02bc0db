//! A page is whole before any script runs: rows, filters, pages, menu, and only what the viewer may do.

use serde_json::json;
use site::pages::settings::Settings;

use super::browser::{Browser, between};
use testing::channel::{form, make, with};
use testing::{Actor, TestApp, on_both};

/// Adds channels `name-0001`, `name-0002`, … .
pub async fn channels(operator: &Actor, name: &str, count: usize) {
    for number in 1..=count {
        let code = format!("{name}-{number:04}");
        let body = json!({"code": code, "name": format!("{name} {number}"), "type": "api", "settleMode": "uv", "unitPriceCents": 123456});
        operator.post("/channel", body).await.ok();
    }
}

on_both!(a_list_page_is_whole);
async fn a_list_page_is_whole(app: TestApp) {
    channels(&app.sign_in("operator").await, "whole", 23).await;
    let operator = Browser::of(&app, "operator").await.in_english();
    let first = operator.get("/channel/list?sort=code&order=asc").await;
    first.is("channelList", 200);
    let html = first.root();
    for number in 1..=20 {
        assert!(html.contains(&format!("whole-{number:04}")) && html.contains(&format!(">whole {number}<")), "row {number}");
    }
    assert!(!html.contains("whole-0021"));
    assert!(html.contains("1,234.56") && html.contains("Per visitor"), "cells are for people");
    assert!(html.contains("23 in total"));
    assert!(html.contains(r#"href="/channel/list?sort=code&amp;order=asc&amp;current=2""#), "the next page keeps the order");
    assert_eq!(first.props()["data"]["list"]["data"]["list"].as_array().unwrap().len(), 20);

    let second = operator.get("/channel/list?sort=code&order=asc&current=2").await;
    for number in 21..=23 {
        assert!(second.root().contains(&format!("whole-{number:04}")));
    }
    assert!(!second.root().contains("whole-0020"));

    // The menu, with the current page marked, and the viewer's name. S2.20
    assert!(html.contains(r#"<a href="/channel/list" aria-current="page">"#) && html.contains(r#"<a href="/admin/list">"#));
    assert!(html.contains(r#"" class="is-current" open><summary"#), "the group of the current page is open");
    assert!(html.contains(">Channel list<") && html.contains("platform operator"));
    // S2.35
    assert!(first.text().contains("<title>Leadlane</title>"));
}

on_both!(a_setting_puts_the_record_and_the_page_before_the_name_in_the_title);
async fn a_setting_puts_the_record_and_the_page_before_the_name_in_the_title(app: TestApp) {
    let id = make(&app.sign_in("admin").await, with(form("titled-one"), json!({"name": "A & B"}))).await;
    let settings = Settings { page_title: true, ..Settings::default() };
    let stranger = Browser::with_settings(&app, settings).await;
    assert!(stranger.get("/login").await.text().contains(" · Leadlane</title>"));
    let admin = stranger.signed_in(&app, "admin").await;
    let record = admin.get(&format!("/channel/list/{id}")).await;
    let title = between(record.text(), "<title>", "</title>").expect("a title");
    assert!(title.starts_with("A &") && !title.contains("& B") && title.ends_with(" · 渠道列表 · Leadlane"), "{title}");
    let list = admin.get("/channel/list").await;
    assert!(list.text().contains("<title>渠道列表 · Leadlane</title>"));
    let gone = admin.get("/channel/list/999999").await;
    assert_eq!(gone.status, 404);
    assert!(!gone.text().contains("<title>Leadlane</title>") && gone.text().contains(" · Leadlane</title>"));
    app.execute("UPDATE menu_node SET title_en = 'Sources' WHERE name = 'channelList'").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let renamed = admin.in_english().get("/channel/list").await;
    assert!(renamed.text().contains("<title>Sources · Leadlane</title>"), "administrators may rename the pages of the menu");
}

on_both!(a_setting_takes_the_links_to_other_sites_out_of_the_menu);
async fn a_setting_takes_the_links_to_other_sites_out_of_the_menu(app: TestApp) {
    let operator = Browser::of(&app, "operator").await.get("/channel/list").await;
    assert!(operator.root().contains(r#"href="https://arco.design""#));
    let settings = Settings { links: false, ..Settings::default() };
    let without = Browser::with_settings(&app, settings).await.signed_in(&app, "operator").await.get("/channel/list").await;
    assert!(!without.root().contains("https://arco.design"));
    assert!(without.root().contains(r#"<a href="/channel/list" aria-current="page">"#), "the rest of the menu stays");
}

// S2.34
on_both!(the_navbar_switches_theme_full_screen_and_language);
async fn the_navbar_switches_theme_full_screen_and_language(app: TestApp) {
    let settings = Settings { navbar: true, ..Settings::default() };
    let operator = Browser::with_settings(&app, settings).await.signed_in(&app, "operator").await.in_english();
    let page = operator.get("/home").await;
    let navbar = between(page.root(), r#"<div class="app-navbar">"#, r#"<div class="app-user">"#).expect("a navbar");
    for label in ["Switch between light and dark", "Full screen", "Switch language: 中文"] {
        assert!(navbar.contains(&format!(r#"aria-label="{label}""#)), "{label}");
    }
}

// S6.03 S6.05
on_both!(what_a_viewer_may_not_do_is_not_in_the_page);
async fn what_a_viewer_may_not_do_is_not_in_the_page(app: TestApp) {
    channels(&app.sign_in("operator").await, "rights", 1).await;
    let page = async |username: &str| Browser::of(&app, username).await.in_english().get("/channel/list").await;
    let (operator, auditor) = (page("operator").await, page("auditor").await);
    for (label, point) in [("New channel", "create"), (">Edit<", "update"), ("Export", "export")] {
        assert!(operator.root().contains(label), "{label}");
        assert!(!auditor.root().contains(label), "{label}");
        assert!(!auditor.text().contains(&format!("channel/list/{point}")), "{point}");
    }
    assert!(auditor.root().contains(r#"href="/channel/list/"#) && auditor.root().contains("rights-0001"));
}

on_both!(an_empty_list_says_so);
async fn an_empty_list_says_so(app: TestApp) {
    let operator = Browser::of(&app, "operator").await.in_english();
    let nothing = operator.get("/channel/list").await;
    nothing.is("channelList", 200);
    assert!(nothing.root().contains("New channel"), "the way to make the first");
    let not_found = operator.get("/channel/list?keyword=nothing").await;
    not_found.is("channelList", 200);
    assert!(not_found.root().contains(r#"value="nothing""#) && not_found.root().contains("Clear filters"));
}

on_both!(a_first_password_comes_before_everything);
async fn a_first_password_comes_before_everything(app: TestApp) {
    app.execute("UPDATE administrator SET must_change_pwd = 1 WHERE username = 'operator'").await;
    let page = Browser::of(&app, "operator").await.get("/channel/list").await;
    page.is("channelList", 200);
    assert_eq!(page.props()["viewer"]["mustChangePwd"], true);
    assert_eq!(page.props()["data"]["list"]["code"], "1006", "no data until it is changed");
}

on_both!(a_broken_database_gives_an_error_page);
async fn a_broken_database_gives_an_error_page(app: TestApp) {
    let operator = Browser::of(&app, "operator").await.in_english();
    app.execute("ALTER TABLE channel RENAME TO elsewhere").await;
    let page = operator.get("/channel/list").await;
    page.is("channelList", 500);
    assert_eq!(page.props()["data"]["list"]["code"], "5000");
    assert!(page.root().contains(r#"role="alert""#) && !page.text().contains("elsewhere") && !page.text().contains("no such table"));

    app.execute("ALTER TABLE admin_session RENAME TO nowhere").await;
    let page = operator.get("/channel/list").await;
    page.is("serverError", 500); // S2.27
    assert!(page.root().contains("Internal server error") && page.props()["viewer"].is_null());
}
