//! The page of one payee: whether it can be paid, the account that awaits approval beside the one in use, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::org::{self, payee, with};
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(a_payee_has_a_page_that_begins_with_the_account_to_be_approved);
async fn a_payee_has_a_page_that_begins_with_the_account_to_be_approved(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = admin.post("/org/payee", payee::form("远山科技")).await.ok();
    let id = row["id"].as_i64().unwrap();
    let address = format!("/org/payee/{id}");
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("orgPayeeDetail", 200);
    let html = page.root();
    assert!(html.contains("启用，但还没有审核通过的银行账户：付款人看不到账号"), "{html}");
    assert!(html.contains(r#"<li><a href="/org/payee">收款主体</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">远山科技</"#), "the tab and the breadcrumb name the payee");
    assert!(html.contains("待审核的修改（") && html.contains("**** **** 7890"), "the maker is named");
    assert!(!page.text().contains("6222021234567890"), "accounts are masked");
    assert!(!html.contains("ll-page-acts") && !html.contains("查看</button>"), "an auditor has no actions and reveals nothing");
    assert!(html.contains(&format!(r#"href="/org/list?payeeOrgId={id}""#)));

    // Two choices for another person, who may see both accounts; none for the maker.
    let (maker, operator) = (Browser::of(&app, "admin").await, Browser::of(&app, "operator").await);
    let other = operator.get(&address).await;
    assert!(other.root().contains("通过修改</button>") && other.root().contains("查看</button>"), "{}", other.root());
    let own = maker.get(&address).await;
    assert!(!own.root().contains("通过修改</button>") && own.root().contains("撤回修改</button>"));
    let row = app.approve("/org/payee", &row).await;
    let approved = auditor.get(&address).await;
    assert!(approved.root().contains("启用：机构可以向它付款。") && !approved.root().contains("待审核的修改（"), "{}", approved.root());
    let english = auditor.in_english().get(&address).await;
    assert!(english.root().contains("Enabled. Organisations can pay it."), "{}", english.root());

    // Another account stands beside the one in use.
    let change = json!({"id": id, "version": row["version"], "bankAccount": "9900123456780000"});
    admin.put("/org/payee", with(payee::form("远山科技"), change)).await.ok();
    let asked = auditor.get(&address).await;
    assert!(asked.root().contains("ll-details-before") && asked.root().contains("**** **** 0000"), "{}", asked.root());
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));
    app.execute("UPDATE payee_organisation SET status = 'disabled'").await;
    assert!(auditor.get(&address).await.root().contains("停用：不能再选择"));

    // The list links to it, and an organisation that pays it. A number without a payee has no page.
    app.execute("UPDATE payee_organisation SET status = 'enabled'").await;
    let paying = admin.post("/org", with(org::form("tianxuan"), json!({"payeeOrgId": id}))).await.ok();
    let link = format!(r#"href="{address}""#);
    assert!(auditor.get("/org/payee").await.root().contains(&link));
    assert!(auditor.get(&format!("/org/list/{}", paying["id"])).await.root().contains(&link));
    auditor.get("/org/payee/999999").await.is("orgPayeeDetail", 404);

    // An organisation's people see no payees, and nor does a role without the point.
    testing::feedback::grant(&app, "org_manager", "org/payee/").await;
    Browser::of(&app, "north.manager").await.get(&address).await.is("orgPayeeDetail", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "org/payee/list").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get(&format!("/org/list/{}", paying["id"])).await.root().contains(&link), "nor a link to it");
}
