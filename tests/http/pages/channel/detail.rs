//! The page of one channel: whether its leads are sold and why not, its links and keys, its test lead, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::channel::{form, make, with};
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(a_channel_has_a_page_that_says_whether_its_leads_are_sold);
async fn a_channel_has_a_page_that_says_whether_its_leads_are_sold(app: TestApp) {
    let owner = app.sign_in("channel.manager").await;
    let cap = json!([{"window": "day", "weekday": null, "maxCount": 100, "maxCents": null}]);
    let id = make(&owner, with(form("page-chan"), json!({"name": "addressed", "caps": cap}))).await;
    app.execute("UPDATE channel SET status = 'enabled', mode = 'test'").await;
    let address = format!("/channel/list/{id}");
    let (manager, auditor) = (Browser::of(&app, "channel.manager").await, Browser::of(&app, "auditor").await);

    // A new channel: what it lacks to go live.
    let page = manager.get(&address).await;
    page.is("channelDetail", 200);
    let html = page.root();
    assert!(html.contains("测试模式：线索只分发给测试机构的计划，不结算。"), "{html}");
    assert!(html.contains("还没有测试线索，通过一次后才能转为正式。"), "{html}");
    assert!(html.contains(r#"<li><a href="/channel/list">渠道列表</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains("每天最多 100 条") && html.contains(&format!(r#"href="/channel/uv-list?subjectId={id}""#)));
    assert!(html.contains("转为正式</button>") && html.contains("编辑</button>") && !html.contains("累计应付"), "{html}");
    let seen = auditor.get(&address).await;
    assert!(!seen.root().contains("转为正式</button>") && !seen.root().contains("编辑</button>"), "an auditor has no actions");
    assert!(Browser::of(&app, "admin").await.get(&address).await.root().contains("累计应付 0.00"), "for those who see payables");
    let nothing = manager.get(&format!("{address}?tab=test")).await;
    assert!(nothing.root().contains("还没有测试线索。") && !nothing.root().contains("ll-checks"));

    // Its links, its keys and its history.
    let access = auditor.get(&format!("{address}?tab=access")).await;
    let app_key = owner.get(&format!("/channel/{id}")).await.ok()["appKey"].as_str().unwrap().to_owned();
    for text in ["/v/page-chan<", "/v/page-chan.js", "/v/page-chan/products", "没有旧密钥", &app_key] {
        assert!(access.root().contains(text), "{text}: {}", access.root());
    }
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));
    assert!(access.root().contains("显示二维码"), "{}", access.root());
    let code = |query: &str| format!("/channel/qr/{id}{query}");
    let drawn = owner.get(&code("?origin=https%3A%2F%2Fleads.example.com")).await.ok();
    let products = if owner.get(&format!("/channel/{id}")).await.ok()["landingUrl"].is_null() { "/products" } else { "" };
    assert_eq!(drawn["address"], format!("https://leads.example.com/v/page-chan{products}"));
    assert!(drawn["path"].as_str().unwrap().starts_with("M4 4h7"), "{drawn}");
    for wrong in ["", "?origin=leads.example.com", "?origin=https%3A%2F%2Fother.example.com%2Fx", "?origin=javascript%3A1"] {
        owner.get(&code(wrong)).await.refused("4000");
    }
    app.sign_in("channel.second").await.get(&code("?origin=https%3A%2F%2Fleads.example.com")).await.refused("1004");

    // A test lead that passed, then live, then paused.
    let lead = json!({"id": id, "phone": "10000030000", "name": "测试", "ip": "203.0.113.7", "applicant": {"age": 30}});
    assert_eq!(owner.post("/channel/test", lead).await.ok()["passed"], true);
    assert!(manager.get(&address).await.root().contains("测试线索已通过，可以转为正式。"));
    assert!(auditor.get(&format!("{address}?tab=test")).await.root().contains("全部通过，可以转为正式"));
    app.execute("UPDATE channel SET mode = 'live'").await;
    assert!(manager.get(&address).await.root().contains("启用：线索参与分发和结算。"));
    let english = manager.in_english().get(&address).await;
    assert!(english.root().contains("Enabled. Its leads are distributed and settled."), "{}", english.root());
    app.execute("UPDATE channel SET status = 'paused'").await;
    let paused = manager.get(&address).await;
    assert!(paused.root().contains("暂停：不接收这个渠道的流量。") && paused.root().contains("恢复</button>"));

    // The list links to it. The manager of another channel and a number without a channel have no page.
    assert!(manager.get("/channel/list").await.root().contains(&format!(r#"href="{address}""#)));
    Browser::of(&app, "channel.second").await.get(&address).await.is("channelDetail", 404);
    auditor.get("/channel/list/999999").await.is("channelDetail", 404);
    Browser::of(&app, "north.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "channel/list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/channel/list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
    let stranger = Browser::stranger(&app).get(&address).await;
    assert_eq!(stranger.redirect(), format!("/login?redirect=channelDetail&id={id}"));
}
