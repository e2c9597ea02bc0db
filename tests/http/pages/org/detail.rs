//! The page of one organisation: whether it takes leads, the requested terms beside those in force, and who sees which part.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::org::{form, make};
use testing::plan::{begin, running};
use testing::private::withdraw;
use testing::returns::lenient;
use testing::{TestApp, on_both};

on_both!(an_organisation_has_a_page_that_begins_with_what_is_to_be_decided);
async fn an_organisation_has_a_page_that_begins_with_what_is_to_be_decided(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let id = make(&admin, form("tianxuan")).await;
    let address = format!("/org/list/{id}");
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("orgDetail", 200);
    let html = page.root();
    assert!(html.contains("待审：不接收线索。首次启用需登记许可证，并通过合规检测。"), "{html}");
    assert!(html.contains(r#"<li><a href="/org/list">机构列表</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">天璇消费金融有限公司</"#), "the tab and the breadcrumb name the organisation");
    assert!(html.contains("138****0001") && html.contains("138****0002"));
    assert!(!page.text().contains("13812340001") && !page.text().contains("13812340002"), "phones are masked");
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");

    // The proposed terms beside those in force, and two choices for another person.
    assert!(html.contains("50,000.00") && html.contains("ll-details-before"));
    assert!(html.contains("待审核的修改（"), "the maker is named");
    let operator = Browser::of(&app, "operator").await;
    assert!(operator.get(&address).await.root().contains("通过修改"));
    let maker = Browser::of(&app, "admin").await;
    let own = maker.get(&address).await;
    assert!(!own.root().contains("通过修改") && own.root().contains("撤回修改"), "the maker does not decide");
    assert!(own.root().contains("首次启用前还需通过合规检测。"), "{}", own.root());
    admin.post("/compliance/check", json!({"targetType": "organisation", "targetId": id})).await.ok();
    assert!(maker.get(&address).await.root().contains("首次启用的条件已具备"));
    app.approve("/org", &admin.get(&format!("/org/{id}")).await.ok()).await;
    let approved = auditor.get(&address).await;
    assert!(!approved.root().contains("ll-details-before") && approved.root().contains("50,000.00"));
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));

    // The list links to it. A number without an organisation has no page.
    assert!(auditor.get("/org/list").await.root().contains(&format!(r#"href="{address}""#)));
    auditor.get("/org/list/999999").await.is("orgDetail", 404);
}

on_both!(an_active_organisation_has_a_page_that_says_why_it_takes_no_leads);
async fn an_active_organisation_has_a_page_that_says_why_it_takes_no_leads(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    // The form gives North Star a licence and an account.
    let plan = running(&app, &admin, json!({"name": "addressed"})).await;
    let id = app.organisation("north").await;
    let address = format!("/org/list/{id}");
    app.execute("UPDATE organisation SET status = 'active', mode = 'live', bill_mode = 'prepaid', licence_expire_on = '2099-12-31'").await;
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    assert!(page.root().contains("合作中：可以接收线索。"), "{}", page.root());
    assert!(page.root().contains("可用金额（元）") && page.root().contains("10,000.00"));
    for list in ["/product/list?orgId=", "/org/uv-list?subjectId="] {
        assert!(page.root().contains(&format!(r#"href="{list}{id}""#)), "{list}");
    }
    let plans = auditor.get(&format!("{address}?tab=plans")).await;
    assert!(plans.root().contains(&format!(r#"href="/plan/list/{plan}""#)), "{}", plans.root());
    assert!(plans.root().contains(&format!(r#"href="/plan/list?orgId={id}""#)));
    let account = auditor.get(&format!("{address}?tab=account")).await;
    assert!(account.root().contains(&format!(r#"href="/finance/account/entries?orgId={id}""#)));
    // The newest five receipts, and the accounts of its people alone.
    for index in 0..6 {
        testing::org::receipt::make(&app, &admin, json!({"bankSerial": format!("SN-{index}"), "amountCents": 123_400 + index})).await;
        app.advance(1000);
    }
    let newest = admin.get(&format!("/org/receipt/latest?orgId={id}")).await.ok();
    let cents: Vec<_> = newest.as_array().unwrap().iter().map(|receipt| receipt["amountCents"].as_i64().unwrap()).collect();
    assert_eq!(cents, [123_405, 123_404, 123_403, 123_402, 123_401]);
    let receipts = auditor.get(&format!("{address}?tab=receipts")).await;
    assert!(receipts.root().contains("1,234.05") && !receipts.root().contains("1,234.00"), "{}", receipts.root());
    assert!(receipts.root().contains(&format!(r#"href="/org/receipt/{}""#, newest[0]["id"])), "{}", receipts.root());
    assert!(receipts.root().contains(&format!(r#"href="/org/receipt?orgId={id}""#)));
    let people = auditor.get(&format!("{address}?tab=people")).await;
    assert!(people.root().contains("north.manager") && !people.root().contains("south.manager"), "{}", people.root());
    assert!(people.root().contains(&format!(r#"href="/admin/list?orgId={id}""#)));

    app.execute("UPDATE org_account SET balance_cents = 0").await;
    assert!(auditor.get(&address).await.root().contains("合作中，当前不接收线索：余额已用完。"));
    app.execute("UPDATE organisation SET licence_expire_on = '2020-01-01'").await;
    let stopped = auditor.get(&address).await;
    assert!(stopped.root().contains("当前不接收线索：许可证已于 2020-01-01 到期、余额已用完。"), "{}", stopped.root());

    // Each part is for viewers who hold the point of its own screen.
    withdraw(&app, "auditor", "finance/account/list").await;
    withdraw(&app, "auditor", "plan/list/list").await;
    withdraw(&app, "auditor", "org/receipt/list").await;
    withdraw(&app, "auditor", "admin/list/list").await;
    let less = auditor.get(&address).await;
    assert!(less.root().contains("许可证已于 2020-01-01 到期。") && !less.root().contains("余额已用完"));
    assert!(!less.root().contains("可用金额") && !less.root().contains("tab=account") && !less.root().contains("tab=plans"));
    assert!(!less.root().contains("tab=receipts") && !less.root().contains("tab=people"));
    assert!(!less.root().contains("tab=delivery"), "delivery settings have a point of their own");
    let delivery = Browser::of(&app, "operator").await.get(&format!("{address}?tab=delivery")).await;
    assert!(delivery.root().contains("进件地址"));
    app.execute("UPDATE organisation SET status = 'paused'").await;
    assert!(auditor.get(&address).await.root().contains("暂停：不接收线索，恢复后继续。"));

    // Another organisation has none, and nor has a role without the point.
    testing::feedback::grant(&app, "org_manager", "org/list/").await;
    Browser::of(&app, "north.manager").await.get(&address).await.is("orgDetail", 200);
    Browser::of(&app, "south.manager").await.get(&address).await.is("orgDetail", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "org/list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/org/list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
}

on_both!(an_organisations_money_and_deliveries_are_in_the_list_and_on_its_page);
async fn an_organisations_money_and_deliveries_are_in_the_list_and_on_its_page(app: TestApp) {
    let sold = lenient(&app).await;
    let id = app.organisation("north").await;
    let address = format!("/org/list/{id}");
    let (admin, auditor) = (app.sign_in("admin").await, Browser::of(&app, "auditor").await);
    let account = admin.get(&format!("/finance/account/{id}")).await.ok();
    let row = admin.post("/org/page", json!({"keyword": "north"})).await.ok()["list"][0].clone();
    assert_eq!((&row["balanceCents"], &row["availableCents"]), (&account["balanceCents"], &account["availableCents"]), "{row}");
    let list = auditor.get("/org/list").await;
    assert!(list.root().contains("余额（元）") && list.root().contains("可用金额（元）"), "{}", list.root());

    // The latest entries lead to what they were posted for, the figures to the deliveries that they count.
    let money = auditor.get(&format!("{address}?tab=account")).await;
    assert!(money.root().contains("最近流水") && money.root().contains("-45.00"), "{}", money.root());
    assert!(money.root().contains(&format!(r#"href="/plan/push-list/{}""#, sold.push_id)), "{}", money.root());
    let pushes = auditor.get(&format!("{address}?tab=pushes")).await;
    let accepted = pushes.root().matches("&amp;status=accepted\"").count();
    assert_eq!(accepted, 2, "today and the last 7 days: {}", pushes.root());
    assert!(pushes.root().contains(&format!(r#"href="/plan/push-list?orgId={id}&amp;createdFrom="#)), "{}", pushes.root());
    let figures = admin.get(&format!("/plan/push/figures?orgId={id}")).await.ok();
    let one = json!({"all": 1, "accepted": 1, "rejected": 0, "duplicate": 0, "failed": 0, "returned": 0});
    assert_eq!((&figures["today"], &figures["week"]), (&one, &one), "{figures}");
    app.execute("UPDATE push_record SET created_at = created_at - 86400000, status = 'returned'").await;
    let figures = admin.get(&format!("/plan/push/figures?orgId={id}")).await.ok();
    assert_eq!((&figures["today"]["all"], &figures["week"]["returned"]), (&json!(0), &json!(1)), "{figures}");

    // Another organisation's people find nothing of it; without the points there is neither.
    testing::feedback::grant(&app, "org_manager", "finance/account/").await;
    let south = app.sign_in("south.manager").await;
    assert_eq!(south.get(&format!("/finance/account/latest?orgId={id}")).await.ok(), json!([]));
    assert_eq!(south.get(&format!("/plan/push/figures?orgId={id}")).await.ok()["week"]["all"], 0);
    withdraw(&app, "auditor", "finance/account/list").await;
    withdraw(&app, "auditor", "plan/push-list/list").await;
    let less = auditor.get(&format!("{address}?tab=account")).await;
    assert!(!less.root().contains("最近流水") && !less.root().contains("tab=pushes"), "{}", less.root());
    let list = auditor.get("/org/list").await;
    assert!(!list.root().contains("余额（元）"), "{}", list.root());
    let row = app.sign_in("auditor").await.post("/org/page", json!({"keyword": "north"})).await.ok()["list"][0].clone();
    assert!(row["balanceCents"].is_null() && row["availableCents"].is_null(), "{row}");
}
