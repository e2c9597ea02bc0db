//! The page of one day's statement: whether the day can be closed, who decides, and who sees it.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::finance::approval;
use testing::pay::confirmed;
use testing::pay::statement::{COLUMNS, bring};
use testing::private::withdraw;
use testing::{TestApp, on_both};

on_both!(a_statement_has_a_page_that_says_whether_the_day_can_be_closed);
async fn a_statement_has_a_page_that_says_whether_the_day_can_be_closed(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    // 5,000 yuan under the number B-0.
    let paid = confirmed(&app, json!({})).await;
    let channel = paid["payeeChannelId"].as_i64().unwrap();
    let row = bring(&app, &operator, channel, COLUMNS, "流水号,金额\nB-9,12.00\nB-0,5000.00\n").await.ok();
    let (address, day) = (format!("/payConfig/order-list/statements/{}", row["id"]), row["day"].as_str().unwrap());
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    page.is("payConfigStatement", 200);
    let html = page.root();
    assert!(html.contains("对账中：还有 1 条差异待处理，全部处理后才能申请关账。"), "{html}");
    assert!(html.contains(r#"<li><a href="/payConfig/order-list/statements">对账</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(&format!(r#"aria-current="page">{day}</"#)), "the tab and the breadcrumb name the day");
    assert!(html.contains(&format!(r#"href="/payConfig/order-list/differences?paymentStatementId={}""#, row["id"])));
    for other in [format!("/payConfig/list/{channel}"), format!("/org/payee/{}", row["payeeOrgId"])] {
        assert!(html.contains(&format!(r#"href="{other}""#)), "{other}");
    }
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");

    // Its difference has a page: both sides, the day, and one button that says what it does.
    let differences = operator.post("/payDifference/page", json!({"paymentStatementId": row["id"]})).await.ok();
    let difference = &differences["list"][0];
    let page_of = format!("/payConfig/order-list/differences/{}", difference["id"]);
    let open = auditor.get(&page_of).await;
    open.is("payConfigDifference", 200);
    assert!(open.root().contains("待处理：通道账单有收款 12.00 元，平台没有。请核实原因后处理"), "{}", open.root());
    assert!(open.root().contains(&format!(r#"href="{address}""#)) && !open.root().contains("ll-page-acts"), "{}", open.root());
    assert!(Browser::of(&app, "operator").await.get(&page_of).await.root().contains("处理</button>"));
    assert!(auditor.get("/payConfig/order-list/differences").await.root().contains(&format!(r#"href="{page_of}""#)));
    let settlement = json!({"id": difference["id"], "version": difference["version"], "note": "付款人多付，已退"});
    operator.put("/payDifference/settle", settlement).await.ok();
    let settled = auditor.get(&page_of).await;
    assert!(settled.root().contains("已处理：") && settled.root().contains(" 处理：付款人多付，已退"), "{}", settled.root());
    assert!(auditor.get(&format!("{page_of}?tab=history")).await.root().contains("ll-timeline"));
    Browser::of(&app, "north.manager").await.get(&page_of).await.is("payConfigDifference", 404);

    // A file that agrees: one person asks to close the day, and another decides.
    let agreed = bring(&app, &operator, channel, COLUMNS, "流水号,金额\nB-0,5000.00\n").await.ok();
    let (own, other) = (Browser::of(&app, "operator").await, Browser::of(&app, "admin").await);
    let ready = own.get(&address).await;
    assert!(ready.root().contains("对账中：没有待处理的差异，可以申请关账。"), "{}", ready.root());
    assert!(ready.root().contains("申请关账</button>"));
    let asked = operator.put("/payStatement/close", json!({"id": agreed["id"], "version": agreed["version"]})).await.ok();
    let waiting = own.get(&address).await;
    assert!(waiting.root().contains("已申请关账，须由另一人确认。") && waiting.root().contains("撤回</button>"), "{}", waiting.root());
    let decides = other.get(&address).await;
    assert!(decides.root().contains("关账</button>") && decides.root().contains("驳回</button>"), "{}", decides.root());
    admin.put("/payStatement/audit", approval(&asked)).await.ok();
    let closed = auditor.get(&address).await;
    assert!(closed.root().contains("已关账：") && closed.root().contains(" 关账。"), "{}", closed.root());
    assert!(auditor.in_english().get(&address).await.root().contains("Closed by "));
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));

    // The list links to it. A number without a statement has no page.
    assert!(auditor.get("/payConfig/order-list/statements").await.root().contains(&format!(r#"href="{address}""#)));
    auditor.get("/payConfig/order-list/statements/999999").await.is("payConfigStatement", 404);

    // An organisation's people see no statements, and nor does a role without the point.
    Browser::of(&app, "north.manager").await.get(&address).await.is("payConfigStatement", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "payConfig/order-list/list").await;
    auditor.get(&address).await.is("notFound", 404);
}
