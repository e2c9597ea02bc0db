//! The page of one refund: who decides on it, whether the payer has the money, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::finance::approval;
use testing::org::with;
use testing::pay::confirmed;
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(a_refund_has_a_page_that_says_whether_the_payer_has_the_money);
async fn a_refund_has_a_page_that_says_whether_the_payer_has_the_money(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let order = confirmed(&app, json!({})).await;
    let ask = json!({"paymentOrderId": order["id"], "amountCents": 10_000, "reason": "多付"});
    let row = operator.post("/payRefund", ask.clone()).await.ok();
    let (address, no) = (format!("/payConfig/order-list/refunds/{}", row["id"]), row["no"].as_str().unwrap());
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("payConfigRefund", 200);
    let html = page.root();
    assert!(html.contains("待审核：退款 100.00 元。由") && html.contains("申请，须由另一人审核。"), "{html}");
    assert!(html.contains(r#"<li><a href="/payConfig/order-list/refunds">退款</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(&format!(r#"aria-current="page">{no}</"#)), "the tab and the breadcrumb name the refund");
    assert!(html.contains("剩余可退") && html.contains("已退金额"), "what is left of the order stands beside the amount");
    let others = [
        format!("/payConfig/order-list/{}", order["id"]),
        format!("/payConfig/list/{}", order["payeeChannelId"]),
        format!("/org/list/{}", order["orgId"]),
    ];
    for other in &others {
        assert!(html.contains(&format!(r#"href="{other}""#)), "{other}");
    }
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");

    // Two choices for another person; the requester withdraws it.
    let other = Browser::of(&app, "admin").await.get(&address).await;
    assert!(other.root().contains("通过</button>") && other.root().contains("驳回</button>"), "{}", other.root());
    let own = Browser::of(&app, "operator").await.get(&address).await;
    assert!(!own.root().contains("通过</button>") && own.root().contains("撤回</button>"), "{}", own.root());
    admin.put("/payRefund/audit", with(approval(&row), json!({"channelRefundNo": "R-1"}))).await.ok();
    let made = auditor.get(&address).await;
    assert!(made.root().contains("成功：100.00 元已于 ") && made.root().contains("R-1"), "{}", made.root());
    assert!(auditor.in_english().get(&address).await.root().contains("Refunded. 100.00 CNY were paid back to the payer on "));
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));

    // One that is rejected has the reason.
    let refused = operator.post("/payRefund", ask).await.ok();
    admin.put("/payRefund/audit", with(approval(&refused), json!({"approve": false, "note": "不退"}))).await.ok();
    let rejected = auditor.get(&format!("/payConfig/order-list/refunds/{}", refused["id"])).await;
    assert!(rejected.root().contains("已驳回，没有退款：不退"), "{}", rejected.root());

    // The list, the order and the search lead to it. A number without a refund has no page.
    let link = format!(r#"href="{address}""#);
    for from in ["/payConfig/order-list/refunds".to_owned(), format!("{}?tab=refunds", others[0])] {
        assert!(auditor.get(&from).await.root().contains(&link), "{from}");
    }
    let found = admin.post("/search", json!({"q": no})).await.ok();
    assert_eq!(found[0]["items"][0]["address"], json!(address));
    auditor.get("/payConfig/order-list/refunds/999999").await.is("payConfigRefund", 404);

    // The organisation sees its own; another one and a role without the point see none.
    Browser::of(&app, "north.manager").await.get(&address).await.is("payConfigRefund", 200);
    Browser::of(&app, "south.manager").await.get(&address).await.is("payConfigRefund", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "payConfig/order-list/list").await;
    auditor.get(&address).await.is("notFound", 404);
}
