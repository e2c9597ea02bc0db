//! The page of one recharge: whether it is credited, who decides on it, and its links.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::finance::recharge::ask;
use testing::finance::{approval, form};
use testing::{TestApp, on_both};

on_both!(a_recharge_has_a_page_that_begins_with_whether_it_is_credited);
async fn a_recharge_has_a_page_that_begins_with_whether_it_is_credited(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = operator.post("/finance/recharge", form(&app, json!({"giftCents": 20_000})).await).await.ok();
    let (address, org, payee) = (format!("/finance/recharge/{}", row["id"]), &row["orgId"], &row["payeeOrgId"]);
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("financeRechargeDetail", 200);
    let html = page.root();
    assert!(html.contains("待审核：“北辰”充值 5,000.00 元、赠送 200.00 元。由platform operator申请，须由另一人审核。"), "{html}");
    for link in [format!("/org/list/{org}"), format!("/finance/account/{org}"), format!("/org/payee/{payee}")] {
        assert!(html.contains(&format!(r#"href="{link}""#)), "the names of other records are links: {link}");
    }

    let credited = admin.put("/finance/recharge/audit", approval(&row)).await.ok();
    assert!(auditor.get(&address).await.root().contains("已到账：“北辰”充值 5,000.00 元、赠送 200.00 元。"));
    ask(&operator, &credited).await;
    assert!(auditor.get(&address).await.root().contains("platform operator申请冲正（付款方撤回），须由另一人审核。"));
    let english = auditor.in_english().get(&address).await;
    assert!(english.root().contains("Credited. 北辰: 5,000.00 CNY and a gift of 200.00 CNY."), "{}", english.root());

    // The organisation sees its own without a link to itself; another one sees none.
    let manager = Browser::of(&app, "north.manager").await.get(&address).await;
    manager.is("financeRechargeDetail", 200);
    assert!(!manager.root().contains(&format!(r#"href="/org/list/{org}""#)));
    Browser::of(&app, "south.manager").await.get(&address).await.is("financeRechargeDetail", 404);
}
