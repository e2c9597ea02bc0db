//! Language and theme are in the page from the start.

use super::browser::Browser;
use testing::{TestApp, on_both};

// S9.08: Chinese without a choice, English for every language that the product does not have.
on_both!(the_language_cookie_decides);
async fn the_language_cookie_decides(app: TestApp) {
    let stranger = Browser::stranger(&app);
    for (cookie, tag, text) in [
        (None, "zh-CN", "登录 Leadlane"),
        (Some("zh-CN"), "zh-CN", "登录 Leadlane"),
        (Some("en-US"), "en-US", "Log in to Leadlane"),
        (Some("<script>"), "en-US", "Log in to Leadlane"),
    ] {
        let browser = cookie.map_or_else(|| stranger.clone(), |locale| stranger.cookie("locale", locale));
        let page = browser.get("/login").await;
        page.is("login", 200);
        assert!(page.tag("html").contains(&format!(r#"lang="{tag}""#)), "{cookie:?}");
        assert!(page.root().contains(text), "{cookie:?}");
        assert_eq!(page.props()["locale"], tag);
        assert!(page.text().contains(&format!("/assets/{tag}-")), "only that catalogue is loaded");
    }
    for (languages, cookie, text) in [
        ("en-GB,en;q=0.9", None, "Log in to Leadlane"),
        ("zh-CN,en;q=0.9", None, "登录 Leadlane"),
        ("fr-FR", None, "登录 Leadlane"),
        ("en-GB", Some("zh-CN"), "登录 Leadlane"),
    ] {
        let browser = stranger.with("accept-language", languages);
        let browser = cookie.map_or_else(|| browser.clone(), |locale| browser.cookie("locale", locale));
        assert!(browser.get("/login").await.root().contains(text), "{languages} {cookie:?}");
    }
    let operator = Browser::of(&app, "operator").await;
    for (browser, menu, told, error) in [
        (operator.clone(), "渠道列表", "链接中的查询条件无效", "请求格式错误"),
        (operator.in_english(), "Channel list", "The filters in this link are not valid", "Invalid request format"),
    ] {
        let page = browser.get("/channel/list?current=x").await;
        assert!(page.root().contains(menu) && page.root().contains(told), "the menu and the page");
        let words = page.props()["data"]["list"]["desc"].as_str().unwrap().to_owned();
        assert!(words.contains(error), "the data's own words too: {words}");
    }
}

on_both!(the_theme_cookie_decides);
async fn the_theme_cookie_decides(app: TestApp) {
    let operator = Browser::of(&app, "operator").await;
    for path in ["/login", "/channel/list", "/nowhere"] {
        for (theme, dark) in [("dark", true), ("light", false), ("neon", false)] {
            let page = operator.cookie("theme", theme).get(path).await;
            assert_eq!(page.tag("body"), if dark { " dark" } else { "" }, "{path} {theme}");
            let told = if dark { "dark" } else { "light" };
            assert!(page.tag("html").contains(&format!(r#"data-theme="{told}""#)));
            assert_eq!(page.props()["theme"], told);
        }
    }
}
