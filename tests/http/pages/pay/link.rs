//! The page of one payment link: whether an order may take it, the decision on its import, its masked address, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::pay::link::bring;
use testing::pay::{channel, order};
use testing::private::withdraw;
use testing::{TestApp, on_both};

const TABLE: &str = "通道编码,链接,金额（元）\nlink_pool-1,https://pay.example.com/l/0001,5000\n";

on_both!(a_payment_link_has_a_page_that_says_whether_an_order_may_take_it);
async fn a_payment_link_has_a_page_that_says_whether_an_order_may_take_it(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let pool = channel(&app, "link_pool", "", json!({})).await;
    bring(&operator, false, TABLE).await;
    let link = operator.post("/payPool/page", json!({})).await.ok()["list"][0].clone();
    let (address, batch) = (format!("/payConfig/pool-list/{}", link["id"]), link["batchNo"].as_str().unwrap());
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("payConfigLink", 200);
    let html = page.root();
    assert!(html.contains("待审核：由") && html.contains("导入，须由另一人审核后才能使用。"), "{html}");
    assert!(html.contains(r#"<li><a href="/payConfig/pool-list">链接池</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains("…0001") && html.contains("5,000.00"));
    assert!(!page.text().contains("/l/0001"), "its address is masked");
    assert!(html.contains(&format!(r#"href="/payConfig/list/{}""#, pool["id"])), "the channel is a link");
    assert!(html.contains(&format!(r#"href="/payConfig/pool-list?keyword={batch}""#)), "and so is the import");
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");

    // Another person decides on the import; its maker withdraws it.
    let (reviewer, maker) = (Browser::of(&app, "admin").await, Browser::of(&app, "operator").await);
    assert!(reviewer.get(&address).await.root().contains("通过导入</button>"));
    let own = maker.get(&address).await;
    assert!(!own.root().contains("通过导入</button>") && own.root().contains("撤回导入</button>"), "{}", own.root());
    let import = admin.get(&format!("/payPool/batch/{}", link["batchId"])).await.ok();
    app.approve("/payPool/batch", &import).await;
    let free = maker.get(&address).await;
    assert!(free.root().contains("可用：可用于下一笔订单。") && free.root().contains("停用</button>"), "{}", free.root());
    assert!(auditor.in_english().get(&address).await.root().contains("Free. The next order may take it."));

    // It is disabled, and enabled again.
    let set = async |status: &str| {
        let row = operator.get(&format!("/payPool/{}", link["id"])).await.ok();
        operator.put("/payPool/status", json!({"id": row["id"], "version": row["version"], "status": status})).await.ok()
    };
    set("disabled").await;
    let disabled = maker.get(&address).await;
    assert!(disabled.root().contains("停用：不用于订单，可以再启用。") && disabled.root().contains("启用</button>"), "{}", disabled.root());
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));
    set("free").await;

    // An order takes it.
    let made = order(&app, &pool, json!({})).await;
    let reserved = auditor.get(&address).await;
    let sentence = format!("占用：由订单 {} 占用至 ", made["no"].as_str().unwrap());
    assert!(reserved.root().contains(&sentence), "{}", reserved.root());
    assert!(reserved.root().contains(&format!(r#"href="/payConfig/order-list/{}""#, made["id"])), "the order is a link");

    // The list links to it. A number without a link has no page.
    assert!(auditor.get("/payConfig/pool-list").await.root().contains(&format!(r#"href="{address}""#)));
    auditor.get("/payConfig/pool-list/999999").await.is("payConfigLink", 404);

    // An organisation's people see no links, and nor does a role without the point.
    testing::feedback::grant(&app, "org_manager", "payConfig/pool-list/").await;
    Browser::of(&app, "north.manager").await.get(&address).await.is("payConfigLink", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "payConfig/pool-list/list").await;
    auditor.get(&address).await.is("notFound", 404);
}
