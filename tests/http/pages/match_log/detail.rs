//! The page of one question or round of matching: what came of it, its plans, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::feedback::grant;
use testing::lead::{application, bring, channel, phone, plan};
use testing::open::Call;
use testing::plan::begin;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(a_round_has_a_page_that_says_what_came_of_it);
async fn a_round_has_a_page_that_says_what_came_of_it(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let hangzhou = plan(&app, &admin, json!({"name": "hangzhou", "cities": ["杭州市"]})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let user = app.count("SELECT id FROM applicant").await;
    let id = app.count("SELECT id FROM match_record").await;
    let no = app.text("SELECT no FROM match_record").await;
    let address = format!("/user/match-list/{id}");

    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("userMatchDetail", 200);
    let html = page.root();
    assert!(html.contains("这一轮没有计划买下。") && html.contains("未选用 1 个计划：城市不符 1。"), "{html}");
    assert!(html.contains(r#"<li><a href="/user/match-list">撞库明细</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(&format!(r#"aria-current="page">{no}</"#)), "the tab and the breadcrumb name the round");
    for link in [format!("/user/list/{user}"), format!("/channel/list/{}", partner.id), format!("/plan/list/{hangzhou}")] {
        assert!(html.contains(&format!(r#"href="{link}""#)), "{link}");
    }
    assert!(!page.text().contains(&phone(1)) && !page.text().contains("张小三"));
    let english = auditor.in_english().get(&address).await;
    assert!(english.root().contains("No plan bought the lead in this round."), "{}", english.root());

    // A question of a channel names the channel and the answer.
    let body = json!({"phoneMd5": "a".repeat(32), "applicant": {"age": 30, "city": "上海市"}});
    Call { path: "/open/match", ..Call::of(&app, &partner, "m-1", &body) }.make(&app.stranger()).await.ok();
    let asked = app.count("SELECT MAX(id) FROM match_record").await;
    let question = auditor.get(&format!("/user/match-list/{asked}")).await;
    assert!(question.root().contains("询问是否接收该申请人，答复：无可用计划。"), "{}", question.root());

    // A round in which a plan bought the lead names the plan and its organisation.
    let shanghai = plan(&app, &admin, json!({"name": "shanghai", "cities": ["上海市"]})).await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    let sold = app.count("SELECT id FROM match_record WHERE direction = 'round' AND status = 'matched'").await;
    let sold = auditor.get(&format!("/user/match-list/{sold}")).await;
    assert!(sold.root().contains("匹配成功：计划“shanghai”（北辰）买下，出价 45.00 元。"), "{}", sold.root());
    let org = app.organisation("north").await;
    for link in [format!("/plan/list/{shanghai}"), format!("/org/list/{org}")] {
        assert!(sold.root().contains(&format!(r#"href="{link}""#)), "{link}");
    }

    // The list and the story of the applicant link to it, for viewers of matches within their scope.
    let story = format!("/user/list/{user}");
    for other in ["/user/match-list", story.as_str()] {
        assert!(auditor.get(other).await.root().contains(&format!(r#"href="{address}""#)), "{other}");
    }
    auditor.get("/user/match-list/999999").await.is("userMatchDetail", 404);
    grant(&app, "channel_manager", "user/match-list").await;
    Browser::of(&app, "channel.manager").await.get(&address).await.is("userMatchDetail", 404);
    withdraw(&app, "auditor", "user/match-list/list").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get(&story).await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the story");
}
