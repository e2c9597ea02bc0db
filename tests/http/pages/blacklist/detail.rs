//! The page of one blacklist entry: where it refuses applicants, what it is about, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::blacklist::{PHONE, channel, make};
use testing::feedback::grant;
use testing::lead::{application, bring, phone};
use testing::plan::begin;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(an_entry_has_a_page_that_says_where_it_refuses_applicants);
async fn an_entry_has_a_page_that_says_where_it_refuses_applicants(app: TestApp) {
    begin(&app);
    let operator = app.sign_in("operator").await;
    let channel = channel(&app, "listed-1").await;
    let row = make(&operator, json!({"scope": "channel", "scopeId": channel, "expiresAt": app.now() + 60_000})).await;
    let address = format!("/user/black-list/{}", row["id"]);

    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("userBlackListDetail", 200);
    let html = page.root();
    assert!(html.contains("生效：拦截渠道“渠道 listed-1”的申请（按手机号）。") && html.contains("还没有拦截过。"), "{html}");
    assert!(html.contains(r#"<li><a href="/user/black-list">黑名单</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">138****0001</"#), "the tab and the breadcrumb name the value, masked");
    assert!(html.contains(&format!(r#"href="/channel/list/{channel}""#)), "the channel is a link");
    assert!(html.contains("投诉被多次联系") && !page.text().contains(PHONE));
    assert!(!html.contains("ll-page-acts") && !html.contains("查看明文会被记录"), "an auditor neither changes nor reveals it");
    let handles = Browser::of(&app, "operator").await.get(&address).await;
    for label in ["解除</button>", "编辑</button>", "查看明文会被记录"] {
        assert!(handles.root().contains(label), "{label} in {}", handles.root());
    }
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));

    // After its expiry it refuses no applicants, and its page says so.
    app.advance(60_000);
    assert!(auditor.get(&address).await.root().contains("到期：不再拦截。"));
    let lift = json!({"id": row["id"], "version": row["version"], "status": "lifted", "reason": "误报"});
    operator.put("/blacklist/status", lift).await.ok();
    assert!(auditor.get(&address).await.root().contains("已解除（误报）：不再拦截。"));
    let english = auditor.in_english().get(&address).await;
    assert!(english.root().contains("Lifted (误报): it blocks no applicants."), "{}", english.root());

    // The list links to it, for viewers of entries.
    assert!(auditor.get("/user/black-list").await.root().contains(&format!(r#"href="{address}""#)));
    auditor.get("/user/black-list/999999").await.is("userBlackListDetail", 404);
    grant(&app, "channel_manager", "user/black-list").await;
    Browser::of(&app, "channel.manager").await.get(&address).await.is("userBlackListDetail", 404);
    grant(&app, "org_manager", "user/black-list").await;
    Browser::of(&app, "north.manager").await.get(&address).await.is("userBlackListDetail", 404);
    withdraw(&app, "auditor", "user/black-list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/user/black-list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
}

on_both!(a_blacklisted_applicant_leads_to_the_entry);
async fn a_blacklisted_applicant_leads_to_the_entry(app: TestApp) {
    begin(&app);
    let operator = app.sign_in("operator").await;
    let partner = testing::lead::channel(&app, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let entry = make(&operator, json!({"value": phone(1)})).await;
    let address = format!("/user/list/{}", app.count("SELECT id FROM applicant").await);
    let link = format!(r#"href="/user/black-list/{}""#, entry["id"]);
    let auditor = Browser::of(&app, "auditor").await;
    assert!(auditor.get(&address).await.root().contains(&link));
    withdraw(&app, "auditor", "user/black-list/view").await;
    let without = auditor.get(&address).await;
    assert!(without.root().contains("在黑名单中") && !without.root().contains(&link), "{}", without.root());
}
