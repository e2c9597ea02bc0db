//! The page of one payment that fits no order as it is: what can be done with it, how it was settled, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::finance::approval;
use testing::pay::{channel, order};
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(a_payment_exception_has_a_page_that_says_what_can_be_done_with_it);
async fn a_payment_exception_has_a_page_that_says_what_can_be_done_with_it(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let bank = channel(&app, "bank", "", json!({})).await;
    let made = order(&app, &bank, json!({})).await;
    app.execute(
        "INSERT INTO payment_exception (payee_channel_id, payment_order_id, kind, order_no, channel_order_no, amount_cents, currency, paid_at, \
           status, created_at, updated_at) \
         SELECT payee_channel_id, id, 'amount', no, 'X-1', 567000, 'CNY', created_at, 'open', created_at, created_at FROM payment_order",
    )
    .await;
    let id = app.count("SELECT id FROM payment_exception").await;
    let address = format!("/payConfig/order-list/exceptions/{id}");
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("payConfigException", 200);
    let html = page.root();
    assert!(html.contains("待处理：金额不符。核实到账后可以申请入账到订单，或线下处理。"), "{html}");
    assert!(html.contains(r#"<li><a href="/payConfig/order-list/exceptions">收款异常</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">X-1</"#), "the tab and the breadcrumb name the payment");
    assert!(html.contains("5,670.00 CNY") && html.contains("5,000.00"), "the amount that came in, and that of the order");
    for other in
        [format!("/payConfig/order-list/{}", made["id"]), format!("/payConfig/list/{}", bank["id"]), format!("/org/list/{}", made["orgId"])]
    {
        assert!(html.contains(&format!(r#"href="{other}""#)), "{other}");
    }
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");
    app.execute("UPDATE payment_exception SET kind = 'twice'").await;
    let misfit = Browser::of(&app, "operator").await.get(&address).await;
    assert!(misfit.root().contains("待处理：重复付款。不能入账到订单，请核实后线下处理。"), "{}", misfit.root());
    assert!(misfit.root().contains("线下处理</button>") && !misfit.root().contains("申请入账</button>"));

    // One person asks that it is accepted, and another decides.
    app.execute("UPDATE payment_exception SET kind = 'amount'").await;
    let row = admin.get(&format!("/payException/{id}")).await.ok();
    let settlement = json!({"id": id, "version": row["version"], "resolution": "accepted", "note": "已与机构核对"});
    let asked = operator.put("/payException/settle", settlement).await.ok();
    let other = Browser::of(&app, "admin").await.get(&address).await;
    assert!(other.root().contains("，须由另一人确认。说明：已与机构核对"), "{}", other.root());
    assert!(other.root().contains("确认入账</button>") && other.root().contains("驳回入账</button>"));
    let own = Browser::of(&app, "operator").await.get(&address).await;
    assert!(!own.root().contains("确认入账</button>") && own.root().contains("撤回申请</button>"), "{}", own.root());
    admin.put("/payException/audit", approval(&asked)).await.ok();
    let settled = auditor.get(&address).await;
    let sentence = format!("已处理：已入账到订单 {}。说明：已与机构核对", made["no"].as_str().unwrap());
    assert!(settled.root().contains(&sentence), "{}", settled.root());
    assert!(auditor.in_english().get(&address).await.root().contains("Settled. Accepted for order "));
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));

    // The list links to it. A number without an exception has no page.
    assert!(auditor.get("/payConfig/order-list/exceptions").await.root().contains(&format!(r#"href="{address}""#)));
    auditor.get("/payConfig/order-list/exceptions/999999").await.is("payConfigException", 404);

    // An organisation's people see no exceptions, and nor does a role without the point.
    Browser::of(&app, "north.manager").await.get(&address).await.is("payConfigException", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "payConfig/order-list/list").await;
    auditor.get(&address).await.is("notFound", 404);
}
