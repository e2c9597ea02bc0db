//! The page of one role: whether it can be used and changed, what it opens, who holds it, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(a_role_has_a_page_with_what_it_opens_and_who_holds_it);
async fn a_role_has_a_page_with_what_it_opens_and_who_holds_it(app: TestApp) {
    let (id, account) = (app.role("org_sales").await, app.account("north.sales1").await);
    let address = format!("/admin/role-list/{id}");
    let (admin, auditor) = (Browser::of(&app, "admin").await, Browser::of(&app, "auditor").await);
    let page = auditor.get(&address).await;
    page.is("adminRoleDetail", 200);
    let html = page.root();
    assert!(html.contains("启用：3 个账号拥有该角色。") && html.contains("可见数据：只有本人的记录。"), "{html}");
    assert!(html.contains(r#"<li><a href="/admin/role-list">角色列表</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">机构销售</"#), "the tab and the breadcrumb name the role");
    assert!(html.contains("领取") && html.contains("org_sales"), "its points by menu: {html}");
    assert!(!html.contains("ll-page-acts") && !html.contains("不能修改"), "an auditor has no actions and changes no role");
    let managed = admin.get(&address).await;
    assert!(managed.root().contains("编辑</button>") && managed.root().contains("授权</button>"));
    let holders = auditor.get(&format!("{address}?tab=holders")).await;
    assert!(holders.root().contains(&format!(r#"href="/admin/list/{account}""#)), "{}", holders.root());
    assert!(holders.root().contains(&format!(r#"href="/admin/list?roleId={id}""#)));
    app.sign_in("admin").await.put("/role/status", json!({"id": id, "version": 1, "status": "disabled"})).await.ok();
    let disabled = auditor.in_english().get(&address).await;
    assert!(disabled.root().contains("Disabled. The 3 accounts that have this role cannot use it."), "{}", disabled.root());
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));

    // Why a role cannot be changed.
    let built_in = admin.get(&format!("/admin/role-list/{}", app.role("admin").await)).await;
    assert!(built_in.root().contains("内置角色不能修改。") && !built_in.root().contains("编辑</button>"), "{}", built_in.root());
    let operator = Browser::of(&app, "operator").await;
    let own = operator.get(&format!("/admin/role-list/{}", app.role("operator").await)).await;
    assert!(own.root().contains("不能修改自己的角色和权限大于自己的角色。"), "{}", own.root());

    // The list and the page of an account link to it, for those who may open it.
    let seller = auditor.get(&format!("/admin/list/{account}")).await;
    assert!(seller.root().contains(&format!(r#"href="{address}""#)));
    assert!(auditor.get("/admin/role-list").await.root().contains(&format!(r#"href="{address}""#)));
    let colleague = Browser::of(&app, "north.manager").await.get(&format!("/admin/list/{account}")).await;
    assert!(!colleague.root().contains(&format!(r#"href="{address}""#)));
    auditor.get("/admin/role-list/999999").await.is("adminRoleDetail", 404);
    Browser::of(&app, "north.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "admin/role-list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/admin/role-list").await.root().contains(&format!(r#"href="{address}""#)), "nor a link in the list");
}
