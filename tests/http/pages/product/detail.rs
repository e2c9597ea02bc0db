//! The page of one product: whether it is shown, its terms and plans, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::plan::{begin, make as make_plan};
use testing::private::withdraw;
use testing::product::{form, make, ready, with};
use testing::{TestApp, on_both};

on_both!(a_product_has_a_page_that_says_whether_it_is_shown);
async fn a_product_has_a_page_that_says_whether_it_is_shown(app: TestApp) {
    begin(&app);
    ready(&app).await;
    let admin = app.sign_in("admin").await;
    let whole_day = json!({"onlineFrom": null, "onlineTo": null, "lenderName": ""});
    let id = make(&admin, with(form(&app, "haoxiang").await, whole_day)).await;
    let org = app.organisation("north").await;
    let address = format!("/product/list/{id}");
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("productDetail", 200);
    let html = page.root();
    assert!(html.contains("草稿：不展示。上架需要写明放款机构、有效的合规检测。"), "{html}");
    assert!(html.contains(r#"<li><a href="/product/list">产品列表</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">好享贷</"#), "the tab and the breadcrumb name the product");
    assert!(html.contains(&format!(r#"href="/org/list/{org}""#)), "the organisation is a link");
    assert!(html.contains("7.2%–23.8%") && html.contains("年满 22 周岁，以审核结果为准。") && html.contains("每天最多 500"));
    assert!(html.contains(&format!(r#"href="/admin/test?targetType=product&amp;targetId={id}""#)));
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");
    assert!(Browser::of(&app, "operator").await.get(&address).await.root().contains("ll-page-acts"));
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));

    // A check holds for the product as it was checked; after a change it is to be checked again.
    app.execute("UPDATE product SET lender_name = '北辰小额贷款有限公司'").await;
    let request = json!({"targetType": "product", "targetId": id});
    let checked = admin.post("/compliance/check", request.clone()).await.ok();
    let (operator, checker) = (Browser::of(&app, "operator").await, Browser::of(&app, "admin").await);
    assert!(operator.get(&address).await.root().contains("草稿：不展示。上架的条件已具备。"), "{checked}");
    let check = format!("/admin/test/{}", checked["id"]);
    assert!(checker.get(&check).await.root().contains("有效期至"));
    app.execute("UPDATE product SET requirements = '年满 25 周岁，以审核结果为准。'").await;
    let changed = operator.get(&address).await;
    assert!(changed.root().contains("上架需要重新通过合规检测（") && changed.root().contains("检测后产品已修改）。"), "{}", changed.root());
    let outdated = checker.get(&check).await;
    assert!(outdated.root().contains("但检测之后产品已修改，请重新检测后再上架。"), "{}", outdated.root());
    let version = admin.get(&format!("/product/{id}")).await.ok()["version"].clone();
    let refused = admin.put("/product/status", json!({"id": id, "version": version, "status": "online"})).await;
    assert_ne!(refused.code(), "0000", "the rule refuses it: {}", refused.desc());
    app.advance(1000);
    admin.post("/compliance/check", request).await.ok();
    assert!(operator.get(&address).await.root().contains("上架的条件已具备"));
    assert!(checker.get(&check).await.root().contains("之后又检测过，以最近一次为准。"));

    // What stops a product that is online.
    app.execute("UPDATE product SET status = 'online'").await;
    assert!(auditor.get(&address).await.root().contains("上架：正在展示。"));
    app.execute("UPDATE product SET online_from = '22:00', online_to = '06:00'").await;
    assert!(auditor.get(&address).await.root().contains("上架，当前不展示：不在展示时段。"), "it is ten o'clock");
    app.execute("UPDATE organisation SET status = 'paused'").await;
    let stopped = auditor.get(&address).await;
    assert!(stopped.root().contains("上架，当前不展示：所属机构不在合作中、不在展示时段。"), "{}", stopped.root());
    app.execute("UPDATE organisation SET status = 'active', mode = 'test'").await;
    app.execute("UPDATE product SET online_from = NULL, online_to = NULL").await;
    assert!(auditor.get(&address).await.root().contains("上架：测试机构的产品，只展示给测试渠道的访客。"));

    // Its plans, for viewers of plans.
    let plan = make_plan(&app, &admin, json!({"name": "addressed", "productId": id})).await["id"].clone();
    let plans = auditor.get(&format!("{address}?tab=plans")).await;
    assert!(plans.root().contains(&format!(r#"href="/plan/list/{plan}""#)), "{}", plans.root());
    assert!(plans.root().contains(&format!(r#"href="/plan/list?productId={id}""#)));
    assert!(auditor.get(&format!("/plan/list/{plan}")).await.root().contains(&format!(r#"href="{address}""#)), "a plan links to it");
    withdraw(&app, "auditor", "plan/list/list").await;
    let less = auditor.get(&address).await;
    assert!(!less.root().contains("tab=plans"));

    // The list links to it. Another organisation and a number without a product have no page, and nor has a role without the point.
    assert!(auditor.get("/product/list").await.root().contains(&format!(r#"href="{address}""#)));
    auditor.get("/product/list/999999").await.is("productDetail", 404);
    testing::feedback::grant(&app, "org_manager", "product/list/").await;
    Browser::of(&app, "north.manager").await.get(&address).await.is("productDetail", 200);
    Browser::of(&app, "south.manager").await.get(&address).await.is("productDetail", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "product/list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/product/list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
}
