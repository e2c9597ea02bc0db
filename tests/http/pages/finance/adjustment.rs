//! The page of one adjustment of an account: who decides on it, whether it was posted, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::finance::approval;
use testing::org::with;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(an_adjustment_has_a_page_that_says_whether_it_was_posted);
async fn an_adjustment_has_a_page_that_says_whether_it_was_posted(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let north = app.organisation("north").await;
    let form = json!({"orgId": north, "part": "paid", "amountCents": 1000, "reason": "补差", "proofFileIds": []});
    let row = operator.post("/finance/account/adjust", form.clone()).await.ok();
    let (address, no) = (format!("/finance/account/adjustments/{}", row["id"]), row["no"].as_str().unwrap());
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("financeAdjustment", 200);
    let html = page.root();
    assert!(html.contains("待审核：“北辰”的充值金额将调整 +10.00 元。由"), "{html}");
    assert!(html.contains("申请，须由另一人审核。") && html.contains("补差"));
    assert!(html.contains(r#"<li><a href="/finance/account/adjustments">调账记录</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(&format!(r#"aria-current="page">{no}</"#)), "the tab and the breadcrumb name the adjustment");
    assert!(html.contains(&format!(r#"href="/org/list/{north}""#)), "the organisation is a link");
    assert!(html.contains(&format!(r#"href="/finance/account/{north}""#)), "and so is its account");
    assert!(!html.contains("/finance/account/entries?keyword="), "nothing was posted");
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");

    // Two choices for another person; the requester withdraws it.
    let (reviewer, requester) = (Browser::of(&app, "admin").await, Browser::of(&app, "operator").await);
    let other = reviewer.get(&address).await;
    assert!(other.root().contains("通过</button>") && other.root().contains("驳回</button>"), "{}", other.root());
    let own = requester.get(&address).await;
    assert!(!own.root().contains("通过</button>") && own.root().contains("撤回</button>"), "{}", own.root());
    admin.put("/finance/account/adjust/audit", approval(&row)).await.ok();
    let posted = auditor.get(&address).await;
    assert!(posted.root().contains("已调账：“北辰”的充值金额已调整 +10.00 元。"), "{}", posted.root());
    assert!(posted.root().contains(&format!(r#"href="/finance/account/entries?keyword={no}""#)));
    let english = auditor.in_english().get(&address).await;
    assert!(english.root().contains("Approved. 北辰, Paid money: +10.00 CNY."), "{}", english.root());
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));

    // One that is rejected has the reason.
    let refused = operator.post("/finance/account/adjust", form).await.ok();
    let decision = with(approval(&refused), json!({"approve": false, "note": "凭证不清"}));
    admin.put("/finance/account/adjust/audit", decision).await.ok();
    let rejected = auditor.get(&format!("/finance/account/adjustments/{}", refused["id"])).await;
    assert!(rejected.root().contains("已驳回，没有入账：凭证不清"), "{}", rejected.root());

    // The list, the entry of the account and the search lead to it. A number without an adjustment has no page.
    let link = format!(r#"href="{address}""#);
    for list in ["/finance/account/adjustments", "/finance/account/entries"] {
        assert!(auditor.get(list).await.root().contains(&link), "{list}");
    }
    let found = admin.post("/search", json!({"q": no})).await.ok();
    assert_eq!(found[0]["items"][0]["address"], json!(address));
    auditor.get("/finance/account/adjustments/999999").await.is("financeAdjustment", 404);

    // The organisation sees its own without a link to itself; another one and a role without the point see none.
    let manager = Browser::of(&app, "north.manager").await.get(&address).await;
    manager.is("financeAdjustment", 200);
    assert!(!manager.root().contains(&format!(r#"href="/org/list/{north}""#)));
    Browser::of(&app, "south.manager").await.get(&address).await.is("financeAdjustment", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    let south = app.sign_in("south.manager").await;
    south.get(&format!("/finance/account/adjust/{}", row["id"])).await.refused("1004");
    south.get(&format!("/finance/account/adjust/history/{}", row["id"])).await.refused("1004");
    withdraw(&app, "auditor", "finance/account/list").await;
    auditor.get(&address).await.is("notFound", 404);
}
