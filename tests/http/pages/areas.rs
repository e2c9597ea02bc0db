//! The screens that the specification names, each with the demo's records, in both languages.

use base::locale::Locale;
use base::routes;
use serde_json::Value;

use super::browser::{Browser, Page, between};
use testing::TestApp;

/// Lists of the specification, section 2: the group, its screens, and the demo account that looks at them.
const LISTS: [(&str, &str, &str); 13] = [
    ("/admin", "list test role-list", "admin"), // S2.05
    ("/channel", "list uv-list", "admin"),      // S2.06
    ("/chart", "channel-list product-list system-list org-list org-d2d-list channel-d2d-list score-list", "operator"), // S2.07 S1.11
    ("/chartMon", "channel-list2 system-list2 org-list2 product-list2", "operator"), // S2.08 S1.11
    ("/chat", "group manage client wechat reply", "operator"), // S2.09 S1.09
    ("/chat", "conversation", "service"),       // S2.09 S1.09
    ("/crm", "saleman clue achievements", "north.manager"), // S1.06 S2.10
    ("/finance", "recharge account invoice", "finance"), // S2.11
    ("/org", "list uv-list uv-list2 receipt", "admin"), // S2.12
    ("/payConfig", "list order-list pool-list", "finance"), // S2.13
    ("/plan", "list push-list uv-list bgList", "admin"), // S2.14
    ("/product", "list uv-list", "admin"),      // S2.15
    ("/user", "list black-list mate-channel-list feedback-list", "admin"), // S2.16
];

/// Template pages and boards: the address, who looks, and a word of its content in each language.
const BOARDS: [(&str, &str, &str, &str); 13] = [
    ("/admin/setting", "admin", "线索去重天数", "Lead deduplication days"), // S2.05
    ("/crm/center", "north.sales1", "待办", "To do"),                       // S1.06 S2.10
    // S1.12
    ("/dashboard/workplace", "operator", "待处理", "Waiting for you"),
    ("/dashboard/server", "admin", "数据库", "Database"),
    ("/dashboard/monitor", "admin", "请求", "Requests"),
    ("/visualization", "admin", "漏斗", "Funnel"),
    ("/project/form", "operator", "项目名称", "Project name"),
    ("/project/profile?id=2", "admin", "天璇消费金融接入", "天璇消费金融接入"),
    ("/result/success?id=5", "operator", "提交申请", "Submit application"),
    ("/result/error?id=8", "operator", "返回修改", "Return for correction"),
    ("/exception/404", "service", "重试", "Retry"),
    ("/account/center", "operator", "用户中心", "User center"),
    ("/account/setting", "operator", "用户设置", "User settings"),
];

/// What stands in a page's first heading.
fn heading(page: &Page) -> &str {
    let tag = page.tag("h1").to_owned();
    between(page.root(), &format!("<h1{tag}>"), "</h1>").expect("the heading ends")
}

/// Whether a page shows one of the texts of a record.
fn shows(page: &Page, record: &Value) -> bool {
    let texts = record.as_object().expect("a record").values().filter_map(Value::as_str);
    texts.filter(|text| text.chars().count() >= 2).any(|text| page.root().contains(text))
}

/// Checks every screen of the specification on a database that the demo has filled: the tests of the demo call it, since
/// filling takes long.
pub async fn show_records_in_both_languages(app: &TestApp) {
    for (group, screens, username) in LISTS {
        let browser = Browser::of(app, username).await;
        for screen in screens.split(' ') {
            let path = format!("{group}/{screen}");
            let route = routes::by_path(&path).unwrap_or_else(|| panic!("no {path}"));
            for (browser, locale) in [(browser.clone(), Locale::Chinese), (browser.in_english(), Locale::English)] {
                let page = browser.get(&path).await;
                page.is(&route.name, 200);
                let props = page.props();
                let rows = props["data"]["list"]["data"]["list"].as_array().unwrap_or_else(|| panic!("{path}: {}", props["data"]["list"]));
                assert!(!rows.is_empty(), "{path} has no record in the demo");
                assert!(rows.iter().any(|row| shows(&page, row)), "{path} does not show its records");
                assert!(!heading(&page).is_empty(), "{path}");
                let menu = between(page.root(), r#"<nav class="app-menu""#, "</nav>").expect("a menu");
                assert!(menu.contains(route.title.get(locale)), "{path}: its title in the menu");
            }
        }
    }
    for (address, username, chinese, english) in BOARDS {
        let browser = Browser::of(app, username).await;
        let path = address.split('?').next().unwrap();
        let route = routes::by_path(path).unwrap_or_else(|| panic!("no {path}"));
        for (browser, word) in [(browser.clone(), chinese), (browser.in_english(), english)] {
            let page = browser.get(address).await;
            page.is(&route.name, route.status);
            assert!(page.root().contains(word), "{address}: no {word} in {}", page.root());
            assert!(!heading(&page).is_empty(), "{address}");
        }
    }
}
