//! The page of one applicant: whole before any script, its sentence, and who sees which part of it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::feedback::{grant, sold};
use testing::lead::{application, bring, channel, phone, plan};
use testing::plan::begin;
use testing::private::withdraw;
use testing::{TestApp, on_both};

/// The text of a page without its tags.
fn text_of(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect()
}

on_both!(an_unsold_applicant_has_a_page_that_says_why);
async fn an_unsold_applicant_has_a_page_that_says_why(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let partner = channel(&app, json!({"ownerAdminId": app.account("channel.manager").await})).await;
    for (name, changes) in [
        ("older", json!({"ruleSet": {"all": [{"field": "age", "op": "gte", "value": 60}]}})),
        ("north one", json!({"cities": ["杭州市"]})),
        ("north two", json!({"cities": ["杭州市"]})),
    ] {
        let mut form = changes;
        form["name"] = json!(name);
        plan(&app, &admin, form).await;
    }
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let id = app.count("SELECT MAX(id) FROM applicant").await;
    let no = app.text("SELECT no FROM applicant").await;
    let address = format!("/user/list/{id}");

    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("userDetail", 200);
    let html = page.root();
    let said = text_of(html);
    assert!(said.contains("未匹配：3 个计划中 城市不符 2、条件不符 1（“年龄 ≥ 60”1）。"), "{said}");
    assert!(said.contains("条件不符：“年龄 ≥ 60” 1"), "the story names the condition with its plans: {said}");
    assert!(html.contains(&format!(r#"aria-current="page">{no}</"#)), "the tab and the breadcrumb name the applicant");
    assert!(html.contains(r#"<li><a href="/user/list">用户列表</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains("north one</a>") && html.contains("older</a>"), "names of plans are links");
    assert!(html.contains("100****0001") && !page.text().contains(&phone(1)) && !page.text().contains("张小三"));
    assert!(!html.contains("iPhone OS"), "technical rows have a tab of their own");
    assert!(auditor.get(&format!("{address}?tab=origin")).await.root().contains("iPhone OS"));
    let details = auditor.get(&format!("{address}?tab=details")).await;
    assert!(details.root().contains("上海市") && !details.root().contains("录入人"), "empty rows are hidden");
    auditor.get(&format!("{address}?tab=history")).await.is("userDetail", 200);
    let english = auditor.in_english().get(&address).await;
    let said = text_of(english.root());
    assert!(said.contains("Unmatched. Plans not chosen: 3 (City not accepted 2, Conditions not met 1 [“Age ≥ 60” 1])."), "{said}");

    // A round from before its conditions were stored is shown without them.
    app.execute("UPDATE match_record SET response = NULL").await;
    let said = text_of(auditor.get(&address).await.root());
    assert!(said.contains("未匹配：3 个计划中 城市不符 2、条件不符 1。") && said.contains("条件不符 1"), "{said}");

    // The list links to it, and is narrowed by the main reason.
    let list = auditor.get("/user/list?mainReason=city").await;
    assert!(list.root().contains(&format!(r#"href="{address}""#)) && list.root().contains("城市不符"));
    assert!(!auditor.get("/user/list?mainReason=rules").await.root().contains(&no));

    // Each part is for viewers who hold the point of its own screen.
    withdraw(&app, "auditor", "plan/list/view").await;
    assert!(!auditor.get(&address).await.root().contains("north one</a>"), "who sees no plans has no link to one");
    withdraw(&app, "auditor", "user/match-list/list").await;
    let said = text_of(auditor.get(&address).await.root());
    assert!(said.contains("未匹配。") && !said.contains("城市不符") && !said.contains("north one"), "{said}");
    for elsewhere in [format!("{address}?tab=details"), "/user/list".to_owned()] {
        assert!(!auditor.get(&elsewhere).await.text().contains("城市不符"), "{elsewhere}");
    }
    let auditor_calls = app.sign_in("auditor").await;
    let rows = auditor_calls.post("/user/page", json!({})).await.ok();
    assert_eq!(rows["list"][0]["mainReason"], json!(null));
    grant(&app, "auditor", "user/list/export").await;
    for wanted in [json!({"format": "csv"}), json!({"format": "csv", "columns": ["no", "mainReason"]})] {
        let file = auditor_calls.export("/user/page/export", wanted).await;
        let file = String::from_utf8_lossy(&file.body);
        assert!(file.contains(&no) && !file.contains("未匹配原因") && !file.contains("城市不符"), "{file}");
    }
    auditor_calls.post("/user/page", json!({"mainReason": "city"})).await.refused("4000");
    auditor_calls.post("/user/page", json!({"mainCondition": "age"})).await.refused("4000");
    withdraw(&app, "auditor", "user/list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/user/list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");

    // The manager of another channel finds none, and nor does anyone for a number without an applicant.
    grant(&app, "channel_manager", "user/list/").await;
    Browser::of(&app, "channel.manager").await.get(&address).await.is("userDetail", 200);
    let second = Browser::of(&app, "channel.second").await;
    second.get(&address).await.is("userDetail", 404);
    second.get("/user/list/999999").await.is("userDetail", 404);
    second.get("/user/list/0x1").await.is("notFound", 404);
    let stranger = Browser::stranger(&app).get(&address).await;
    assert_eq!(stranger.redirect(), format!("/login?redirect=userDetail&id={id}"));
}

on_both!(a_sold_applicant_has_a_page_that_says_to_whom);
async fn a_sold_applicant_has_a_page_that_says_to_whom(app: TestApp) {
    let sold = sold(&app).await;
    let address = format!("/user/list/{}", sold.user_id);
    let org = app.text("SELECT o.name FROM push_record h JOIN organisation o ON o.id = h.org_id").await;
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    for list in ["/org/list/", "/plan/push-list/", "/channel/list/"] {
        assert!(page.root().contains(&format!(r#" href="{list}"#)), "the names of other records are links: {list}");
    }
    let said = text_of(page.root());
    assert!(said.contains(&format!("已分发：售给{org}（")) && said.contains("，45.00 元）"), "{said}");
    withdraw(&app, "auditor", "plan/push-list/view").await;
    withdraw(&app, "auditor", "org/receipt/list").await;
    withdraw(&app, "auditor", "user/match-list/list").await;
    let said = text_of(auditor.get(&address).await.root());
    assert!(said.contains("已分发。") && !said.contains(&org) && !said.contains("45.00"), "{said}");
}

on_both!(an_applicant_is_entered_on_a_page_with_an_index);
async fn an_applicant_is_entered_on_a_page_with_an_index(app: TestApp) {
    begin(&app);
    let operator = Browser::of(&app, "operator").await;
    assert!(operator.get("/user/list").await.root().contains(r#"href="/user/list/new""#), "the list links to the form");
    let page = operator.get("/user/list/new").await;
    page.is("userCreate", 200);
    assert!(page.root().contains(r##"href="#section-5""##) && page.root().contains(r#"id="section-5""#), "its index leads to its sections");
    Browser::of(&app, "auditor").await.get("/user/list/new").await.is("notFound", 404);
}
