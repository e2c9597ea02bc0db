//! The page of one payee channel: whether it takes orders, what awaits approval, its keys by name alone, and who sees it.

use serde_json::{Value, json};

use crate::pages::browser::Browser;
use testing::org::with;
use testing::pay::{channel, channel_form, enable, order};
use testing::private::withdraw;
use testing::{TestApp, on_both};

/// No server answers there.
const NOWHERE: &str = "http://127.0.0.1:9";

fn address_of(channel: &Value) -> String {
    format!("/payConfig/list/{}", channel["id"])
}

on_both!(a_payee_channel_has_a_page_that_says_what_it_needs_to_be_enabled);
async fn a_payee_channel_has_a_page_that_says_what_it_needs_to_be_enabled(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let form = channel_form(&app, "wechat", NOWHERE).await;
    let bare = with(form.clone(), json!({"code": "bare", "params": {"appId": "wx1"}}));
    let bare = admin.post("/payChannel", bare).await.ok();
    let row = admin.post("/payChannel", form).await.ok();
    let address = address_of(&row);
    let (auditor, operator) = (Browser::of(&app, "auditor").await, Browser::of(&app, "operator").await);
    let needs = auditor.get(&address_of(&bare)).await;
    assert!(needs.root().contains("停用：不能下单。启用前须填写商户证书序列号、商户私钥、"), "{}", needs.root());

    let page = auditor.get(&address).await;
    page.is("payConfigChannel", 200);
    let html = page.root();
    assert!(html.contains("停用：不能下单，待另一人启用（填写参数的人不能启用）。"), "{html}");
    assert!(html.contains(r#"<li><a href="/payConfig/list">收款通道</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(r#"aria-current="page">wechat 主商户</"#), "the tab and the breadcrumb name the channel");
    assert!(html.contains(&format!(r#"href="/org/payee/{}""#, row["payeeOrgId"])), "the payee is a link");
    assert!(html.contains("APIv3 密钥") && html.contains("商户私钥"), "the names of its keys");
    assert!(!page.text().contains("PRIVATE KEY") && !page.text().contains("demo-api-v3-key"), "and none of the keys");
    assert!(html.contains(&format!(r#"href="/payConfig/order-list?payeeChannelId={}""#, row["id"])));
    assert!(!html.contains("/payConfig/pool-list?payeeChannelId="), "only a pool has links");
    assert!(!html.contains("ll-page-acts"), "an auditor has no actions");

    // The person who set the parameters does not enable it.
    let own = Browser::of(&app, "admin").await.get(&address).await;
    assert!(own.root().contains("参数由您填写，须由另一人启用。") && !own.root().contains("启用</button>"), "{}", own.root());
    assert!(operator.get(&address).await.root().contains("启用</button>"));
    enable(&app.sign_in("operator").await, &row).await;
    let enabled = auditor.get(&address).await;
    assert!(enabled.root().contains("启用：可以下单，支付渠道通知的付款自动入账。"), "{}", enabled.root());
    assert!(auditor.in_english().get(&address).await.root().contains("Enabled. Orders can be made"));
    assert!(operator.get(&address).await.root().contains("停用</button>"));
    assert!(auditor.get(&format!("{address}?tab=history")).await.root().contains("ll-timeline"));
}

on_both!(other_instructions_of_a_payee_channel_stand_beside_those_in_use);
async fn other_instructions_of_a_payee_channel_stand_beside_those_in_use(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let bank = channel(&app, "bank", "", json!({"instructions": "请备注订单号"})).await;
    let address = address_of(&bank);
    let change = json!({"id": bank["id"], "version": bank["version"], "instructions": "请备注公司名称"});
    admin.put("/payChannel", with(channel_form(&app, "bank", "").await, change)).await.ok();
    let auditor = Browser::of(&app, "auditor").await;
    let page = auditor.get(&address).await;
    let html = page.root();
    assert!(html.contains("启用：可以下单，付款由一人登记、另一人确认。"), "{html}");
    assert!(html.contains("待审核的修改（") && html.contains("ll-details-before"), "the maker is named");
    assert!(html.contains("请备注订单号") && html.contains("请备注公司名称"));
    assert!(!html.contains("ll-page-acts"));
    assert!(Browser::of(&app, "operator").await.get(&address).await.root().contains("通过修改</button>"));
    let own = Browser::of(&app, "admin").await.get(&address).await;
    assert!(!own.root().contains("通过修改</button>") && own.root().contains("撤回修改</button>"));

    // The list links to it, and an order. A number without a channel has no page.
    let made = order(&app, &bank, json!({})).await;
    let link = format!(r#"href="{address}""#);
    let order_page = format!("/payConfig/order-list/{}", made["id"]);
    assert!(auditor.get("/payConfig/list").await.root().contains(&link));
    assert!(auditor.get(&order_page).await.root().contains(&link));
    auditor.get("/payConfig/list/999999").await.is("payConfigChannel", 404);

    // An organisation's people see no channels, and nor does a role without the point.
    testing::feedback::grant(&app, "org_manager", "payConfig/list/").await;
    let manager = Browser::of(&app, "north.manager").await;
    manager.get(&address).await.is("payConfigChannel", 404);
    Browser::of(&app, "channel.manager").await.get(&address).await.is("notFound", 404);
    withdraw(&app, "auditor", "payConfig/list/view").await;
    auditor.get(&address).await.is("notFound", 404);
    assert!(!auditor.get("/payConfig/list").await.root().contains(&link), "nor a link in the list");
    assert!(!auditor.get(&order_page).await.root().contains(&link), "nor in an order");
}
