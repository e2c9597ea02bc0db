//! The page of one plan: whether it takes leads, the requested terms beside those in force, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::plan::{begin, decide, form, make, running, step};
use testing::{TestApp, on_both};

on_both!(a_plan_has_a_page_that_begins_with_what_is_to_be_decided);
async fn a_plan_has_a_page_that_begins_with_what_is_to_be_decided(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let id = running(&app, &admin, json!({"name": "addressed"})).await;
    let address = format!("/plan/list/{id}");
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("planDetail", 200);
    assert!(page.root().contains("投放中，当前不接收线索：") || page.root().contains("投放中：正在接收线索。"), "{}", page.root());
    assert!(page.root().contains(r#"<li><a href="/plan/list">计划列表</a></li>"#), "the breadcrumb leads to the list");
    assert!(page.root().contains(&format!(r#"href="/plan/push-list?planId={id}""#)), "its pushes are one step away");
    assert!(page.root().contains(r#"href="/org/list/"#), "the organisation is a link");
    assert!(!page.root().contains("ll-details-before"), "nothing is requested");
    assert!(!page.root().contains("通过变更") && !page.root().contains("试算"), "an auditor has no actions");

    // A change shows what is requested and what is in force, and two buttons for another person.
    let before = admin.get(&format!("/plan/{id}")).await.ok();
    let mut change = form(&app, json!({"name": "addressed", "priceCents": 12_345})).await;
    (change["id"], change["version"]) = (id.clone(), before["version"].clone());
    admin.put("/plan", change).await.ok();
    let asked = auditor.get(&address).await;
    assert!(asked.root().contains("123.45") && asked.root().contains("ll-details-before"));
    let operator = Browser::of(&app, "operator").await.get(&address).await;
    assert!(operator.root().contains("通过变更") && operator.root().contains("驳回变更"));
    let maker = Browser::of(&app, "admin").await.get(&address).await;
    assert!(!maker.root().contains("通过变更") && maker.root().contains("撤回变更"), "the maker does not decide");
    decide(&app.sign_in("operator").await, &id, true).await.ok();
    let history = auditor.get(&format!("{address}?tab=history")).await;
    assert!(history.root().contains("123.45") && !history.root().contains("ll-details-before"));

    // A draft says so, and one that waits names its maker.
    let partner = testing::lead::channel(&app, json!({"name": "allowed only"})).await;
    let draft = make(&app, &admin, json!({"name": "waiting", "channelAllow": [partner.id]})).await["id"].clone();
    let there = format!("/plan/list/{draft}");
    assert!(auditor.get(&there).await.root().contains("允许的渠道</dt><dd><span>allowed only</span>"), "the terms name the channels");
    assert!(auditor.get(&there).await.root().contains("草稿：不接收线索。"));
    step(&admin, &draft, "pending").await.ok();
    assert!(auditor.get(&there).await.root().contains("提交，须他人审核。"));

    // The list links to it. Another organisation and a number without a plan have no page.
    assert!(auditor.get("/plan/list").await.root().contains(&format!(r#"href="{address}""#)));
    auditor.get("/plan/list/999999").await.is("planDetail", 404);
    testing::feedback::grant(&app, "org_manager", "plan/list/").await;
    Browser::of(&app, "north.manager").await.get(&address).await.is("planDetail", 200);
    Browser::of(&app, "south.manager").await.get(&address).await.is("planDetail", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
}

on_both!(a_plan_shows_its_bounds_to_both_sides);
async fn a_plan_shows_its_bounds_to_both_sides(app: TestApp) {
    begin(&app);
    let agreed = json!({"name": "agreed", "ownPriceLeastCents": 4000, "ownPriceMostCents": 6000, "ownPause": true});
    let id = running(&app, &app.sign_in("admin").await, agreed).await;
    for point in ["list", "view", "own"] {
        testing::feedback::grant(&app, "org_manager", &format!("plan/list/{point}")).await;
    }
    for (who, adjusts) in [("auditor", false), ("north.manager", true)] {
        let page = Browser::of(&app, who).await.get(&format!("/plan/list/{id}")).await;
        assert!(page.root().contains("机构可自行调整，立即生效：单价 40.00 至 60.00 元、暂停和恢复。"), "{who}: {}", page.root());
        assert_eq!(page.root().contains(">调整<"), adjusts, "{who}");
    }
}

on_both!(a_plan_is_made_edited_and_copied_on_pages);
async fn a_plan_is_made_edited_and_copied_on_pages(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let id = running(&app, &admin, json!({"name": "edited here"})).await;
    let operator = Browser::of(&app, "operator").await;
    let list = operator.get("/plan/list").await;
    assert!(list.root().contains(r#"href="/plan/list/new""#), "the list links to the form");
    let new = operator.get("/plan/list/new").await;
    new.is("planCreate", 200);
    assert!(new.root().contains(r##"href="#section-6""##) && new.root().contains(r#"id="section-6""#), "its index leads to its sections");
    let (edit, copy) = (format!("/plan/list/{id}/edit"), format!("/plan/list/{id}/copy"));
    let page = operator.get(&edit).await;
    page.is("planEdit", 200);
    assert!(page.root().contains(r#"value="edited here""#) && page.root().contains("其余投放条件须另一人审核后生效"), "{}", page.root());
    let copied = operator.get(&copy).await;
    copied.is("planCopy", 200);
    assert!(copied.root().contains(r#"value="edited here""#) && !copied.root().contains("须另一人审核后生效"));

    operator.get("/plan/list/999999/edit").await.is("planEdit", 404);
    let auditor = Browser::of(&app, "auditor").await;
    for address in ["/plan/list/new", edit.as_str(), copy.as_str()] {
        auditor.get(address).await.is("notFound", 404);
    }
    testing::feedback::grant(&app, "org_manager", "plan/list/").await;
    Browser::of(&app, "south.manager").await.get(&edit).await.is("planEdit", 404);

    step(&admin, &id, "ended").await.ok();
    let ended = operator.get(&edit).await;
    assert!(ended.root().contains("计划现在不能修改") && !ended.root().contains(r#"class="ll-form-page""#));
}
