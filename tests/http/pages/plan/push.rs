//! The page of one push: what became of it, its return with the decision, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::lead::deliver::by_api;
use testing::lead::{application, bring, phone};
use testing::private::withdraw;
use testing::returns::{ask, decide, lenient};
use testing::{TestApp, on_both};

on_both!(a_sold_push_has_a_page_with_its_return);
async fn a_sold_push_has_a_page_with_its_return(app: TestApp) {
    let sold = lenient(&app).await;
    let address = format!("/plan/push-list/{}", sold.push_id);
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("planPushDetail", 200);
    let html = page.root();
    assert!(html.contains("收下，价格 45.00 元。") && html.contains("不经接口推送，机构在系统内查看。"), "{html}");
    assert!(html.contains(&format!(r#"aria-current="page">{}</"#, sold.no)), "the tab and the breadcrumb name the push");
    assert!(html.contains(r#"<li><a href="/plan/push-list">推送列表</a></li>"#), "the breadcrumb leads to the list");
    for link in [&format!(r#"href="/user/list/{}""#, sold.user_id), r#"href="/plan/list/"#, r#"href="/org/list/"#] {
        assert!(html.contains(link), "{link}");
    }
    assert!(html.contains(r#"href="/channel/list/"#) && html.contains("100****0001"));
    assert!(!page.text().contains(&phone(1)) && !html.contains("退单原因") && !html.contains("申请退单"));
    assert!(auditor.get(&format!("{address}?tab=tries")).await.root().contains("机构在系统内查看"));
    // The lead of the buyer is a link for viewers who may open it.
    let clue = format!(r#"href="/crm/clue/{}""#, app.count("SELECT id FROM clue").await);
    assert!(Browser::of(&app, "admin").await.get(&address).await.root().contains(&clue));
    let list = auditor.get("/plan/push-list").await.root().to_owned();
    for link in [&format!(r#"<a href="/user/list/{}">"#, sold.user_id), r#"<a href="/org/list/"#] {
        assert!(list.contains(link), "{link}: {list}");
    }
    assert!(auditor.get("/plan/push-list").await.root().contains(&format!(r#"href="{address}""#)));

    // A return that waits stands on the page, with two buttons for people who decide on it.
    let north = app.sign_in("north.manager").await;
    let row = ask(&north, sold.push_id, json!({"note": "连打三天"})).await.ok();
    let asked = auditor.get(&address).await;
    assert!(asked.root().contains("连打三天") && asked.root().contains("（成交后 0 天）"), "{}", asked.root());
    assert!(!asked.root().contains("通过退单"), "an auditor does not decide");
    let admin = Browser::of(&app, "admin").await.get(&address).await;
    // Above the buttons: what the buyer did with the lead, and its share of returns; of one purchase without a percentage.
    assert!(admin.root().contains("没有跟进记录") && admin.root().contains("近 30 天成交 1 条，退单 1 条，含本条"), "{}", admin.root());
    assert!(!asked.root().contains("没有跟进记录"), "it is for people who decide");
    assert!(admin.root().contains("通过退单") && admin.root().contains("驳回退单") && !admin.root().contains("审核退单"));
    let maker = Browser::of(&app, "north.manager").await.get(&address).await;
    maker.is("planPushDetail", 200);
    assert!(maker.root().contains("撤回退单") && !maker.root().contains("通过退单") && !maker.root().contains("追回渠道费用"));
    assert!(maker.root().contains("这是您提交的，您不能审核。") && !maker.root().contains("退单占比"), "{}", maker.root());
    decide(&sold.admin, &row, true, json!({})).await.ok();
    let ended = auditor.get(&address).await;
    assert!(ended.root().contains("退单已通过，款项已退回。") && ended.root().contains("连打三天"), "{}", ended.root());
    assert!(ended.root().contains("tab=history") && auditor.get(&format!("{address}?tab=history")).await.status == 200);
    assert!(!maker.root().contains("tab=history"), "the trail is the platform's");
    assert!(!Browser::of(&app, "admin").await.get(&address).await.root().contains("通过退单"));

    // Each name is a link for viewers who may open what it names; others do not see the page.
    withdraw(&app, "auditor", "user/list/view").await;
    withdraw(&app, "auditor", "channel/list/view").await;
    let html = auditor.get(&address).await.root().to_owned();
    assert!(!html.contains(r#"href="/user/list/"#) && !html.contains(r#"href="/channel/list/"#), "{html}");
    assert!(!auditor.get("/plan/push-list").await.root().contains(r#"<a href="/user/list/"#), "nor is the name in the list a link");
    auditor.get("/plan/push-list/999999").await.is("planPushDetail", 404);
    Browser::of(&app, "south.manager").await.get(&address).await.is("planPushDetail", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "plan/push-list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/plan/push-list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
    let stranger = Browser::stranger(&app).get(&address).await;
    assert_eq!(stranger.redirect(), format!("/login?redirect=planPushDetail&id={}", sold.push_id));
}

on_both!(a_push_in_doubt_has_a_page_that_says_what_to_do);
async fn a_push_in_doubt_has_a_page_that_says_what_to_do(app: TestApp) {
    let (_, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(500, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let address = format!("/plan/push-list/{}", app.count("SELECT id FROM push_record").await);
    let admin = Browser::of(&app, "admin").await;
    let page = admin.get(&address).await;
    assert!(page.root().contains("待核实：推送 1 次，不能确定") && page.root().contains("45.00 元仍在冻结。"), "{}", page.root());
    assert!(page.root().contains("请与机构核对后点“确认已收到”") && page.root().contains("再试一次</button>"));
    assert!(admin.get(&format!("{address}?tab=tries")).await.root().contains("第 1 次"));
    let english = admin.in_english().get(&address).await;
    assert!(english.root().contains("Unconfirmed. It is not known whether"), "{}", english.root());
    let auditor = Browser::of(&app, "auditor").await.get(&address).await;
    assert!(auditor.root().contains("不能确定") && !auditor.root().contains("再试一次"), "an auditor settles nothing");
}
